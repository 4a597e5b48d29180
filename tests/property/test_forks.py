"""Forks of random programs: exploration finds all their results, an empty fork repeats its run, forks respect edges."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tfedu as tf
from tests.property.test_all_orders import LONG, SAMPLE, looping, racing
from tfedu.engine.base import errors
from tfedu.engine.replay.value_numbers import ValueNumbers
from tfedu.explain import ForkError, timelines
from tfedu.explain.orders.timelines import values_after


def turns(line, run=0):
    return [(step.op.name, step.iteration, step.outcome) for step in line.trace.runs[run].steps if step.outcome != "changed"]


def result(line, kept):
    return str(line.error) if line.error is not None else tuple([kept(value) for value in line.values[0]])


def check_choosing(program, seed):
    source = random.Random(seed)
    with program.graph.as_default():
        try:
            found = tf.explain.outcomes(program.fetches, budget=3_000)
            tree = timelines(program.fetches)
        except (errors.OpError, ValueError):
            return False
    kept = ValueNumbers()
    known = {tuple([kept(value) for value in possible.value]) for possible in found if possible.error is None}
    forked = False
    for _ in range(4):
        line = tree[source.randrange(len(tree))]
        steps = line.trace.runs[0].steps
        at = source.randrange(len(steps))
        ready = steps[at - 1].ready if at else line.trace.runs[0].ready
        if not ready or line.error is not None:
            continue
        chosen = source.choice(ready)
        made = line.fork(0, at, choose=chosen.name)
        forked = True
        assert turns(made)[:at] == turns(line)[:at]
        assert made.trace.runs[0].steps[at].op.name == chosen.name
        if found.exact and made.error is None:
            assert result(made, kept) in known
    return forked


def check_the_same(program, seed):
    source = random.Random(seed)
    with program.graph.as_default():
        try:
            tree = timelines(program.fetches, runs=2, schedule=source.choice(["creation", "random(1)", "random(2)"]))
        except (errors.OpError, ValueError):
            return False
    first = tree[0].trace
    kept = ValueNumbers()
    steps = first.runs[0].steps
    at = source.randrange(len(steps))
    held = values_after(type(first.runs[0])((), (), first.runs[0].variables, steps[:at]))
    known = {name: value for name, value in held.items() if value is not None}
    if not known:
        return False
    name = source.choice(sorted(known))
    made = tree.fork(0, at, set={name: known[name]})
    for run in range(len(first.runs)):
        assert turns(made, run) == turns(tree[0], run)
    assert result(made, kept) == result(tree[0], kept)
    return True


def check_edges(program, seed):
    source = random.Random(seed)
    with program.graph.as_default():
        try:
            tree = timelines(program.fetches)
        except (errors.OpError, ValueError):
            return False
    order = tree[0].order[0]
    if len(order) < 2:
        return False
    for _ in range(8):
        at = source.randrange(len(order) // 2)
        first, then = source.choice(order[at:]), source.choice(order[at:])
        try:
            made = tree.fork(0, at, add_control=(first, then))
            break
        except ForkError:
            continue
    else:
        return False
    ran = made.order[0]
    if made.error is None and ran.count(first) == ran.count(then) == 1:
        assert ran.index(first) < ran.index(then)
    back = made.fork(0, at + 1, cut_control=(first, then))
    kept = ValueNumbers()
    if made.error is None:
        assert turns(back)[:at] == turns(tree[0])[:at]
        assert result(back, kept) == result(tree[0], kept) or back.error is not None
    return True


SEEDS = st.integers(0, 2**32)
CHECKS = [check_choosing, check_the_same, check_edges]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("kind", [racing, looping])
def test_forks_of_random_programs(check, kind):
    done = []

    @SAMPLE
    @given(kind(), SEEDS)
    def run(program, seed):
        done.append(check(program, seed))

    run()
    assert sum(done) >= 20


@pytest.mark.long
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("kind", [racing, looping])
def test_forks_of_many_random_programs(check, kind):
    done = []

    @LONG
    @given(kind(), SEEDS)
    def run(program, seed):
        done.append(check(program, seed))

    run()
    assert sum(done) >= 5_000
