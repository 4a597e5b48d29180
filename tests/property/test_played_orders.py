"""A game allows what the engine allows: on random programs any order of legal clicks is a schedule that repeats its run."""

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.property.loops import looping
from tests.property.programs import programs
from tfedu.explain.tasks.game import Game
from tfedu.view.make.scratch_runs import runs_record

SAMPLE = settings(
    max_examples=30, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
LONG = settings(SAMPLE, max_examples=500, derandomize=False)
MOST = 300


def played(program, seed):
    game = Game(program.fetches, program.feed_dict)
    choose = random.Random(seed)
    nodes = program.graph.get_operations()
    clicks = 0
    while not game.done and clicks < MOST:
        clicks += 1
        ready = game.ready
        other = choose.choice(nodes)
        refused = game.take(other) if other.name not in ready else None
        assert refused is None or not refused.legal
        if refused is not None and "waits" in refused.params:
            # A node never waits for itself.
            assert refused.params["waits"] != other.name
        assert game.ready == ready
        move = game.take(choose.choice(ready))
        assert move.legal
    game.go_on()
    return game


def comparable(run):
    """The run without its ready queues, whose order depends on the policy, and without the values for display."""
    steps = []
    for step in run.steps:
        outputs = tuple([replace(value, tensor=None, asks=False) for value in step.outputs])
        steps.append(replace(step, ready=(), outputs=outputs))
    return replace(run, start=replace(run.start, ready=()), steps=tuple(steps))


def check(program, seed):
    game = played(program, seed)
    end = game.record().end
    again = runs_record(program.fetches, program.feed_dict, runs=1, schedule=game.order[0] if game.order else None)
    assert list(map(comparable, again.runs)) == list(map(comparable, end.trace.runs))
    (run,), (usual,) = end.trace.runs, end.usual
    # `differs` may be True for equal texts: they are rounded.
    assert end.differs or (run.fetched, run.error) == (usual.fetched, usual.error)


@SAMPLE
@given(programs(), st.integers(0, 999))
def test_any_order_of_legal_clicks_is_a_schedule(program, seed):
    check(program, seed)


@SAMPLE
@given(looping(), st.integers(0, 999))
def test_any_order_of_legal_clicks_in_loops_is_a_schedule(program, seed):
    check(program, seed)


@pytest.mark.long
@LONG
@given(st.one_of(programs(), looping()), st.integers(0, 999))
def test_many_orders_of_legal_clicks_are_schedules(program, seed):
    check(program, seed)
