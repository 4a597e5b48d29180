"""The interpreter and the compiled plan agree on every program: values, variables afterwards, nodes that ran."""

import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tfedu as tf
from tests.property.programs import programs
from tfedu.engine.base import errors
from tfedu.engine.replay.recorder import Watch, run_traced
from tfedu.engine.runtime import schedule as schedules
from tfedu.engine.runtime.plans import compile as compiled
from tfedu.engine.runtime.plans.execute import execute_plan

RUNS = 3


@pytest.fixture(autouse=True, params=["no array is reused", "small arrays are reused"])
def reuse(request, monkeypatch):
    """Plans overwrite large arrays that are no longer needed; here small ones, too, or none."""
    monkeypatch.setattr(compiled, "_WORTH_REUSE", 1 if "small" in request.param else 1 << 40)


SAMPLE = settings(
    max_examples=250, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
LONG = settings(SAMPLE, max_examples=20_000, derandomize=False)


def same(one, other):
    if one is None or other is None:
        return one is other
    one, other = np.asarray(one), np.asarray(other)
    return one.dtype == other.dtype and one.shape == other.shape and np.array_equal(one, other, equal_nan=True)


def state_of(session):
    """The values of the session's initialized variables."""
    return {name: value for name, value in Watch(session.store).values.items() if value is not None}


def session_of(program, policy):
    session = tf.Session(graph=program.graph, schedule=policy)
    if program.initialized:
        for variable in program.variables:
            session.run(variable.initializer)
    return session


def ran_by_plan(plan, values):
    """The plan's result, and the nodes of the lines that Python executed."""
    lines = set()

    def local(frame, event, arg):
        if event == "line":
            lines.add(frame.f_lineno)
        return local

    def tracer(frame, event, arg):
        return local if frame.f_code.co_filename == "<tfedu plan>" else None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        result = execute_plan(plan, values)
    finally:
        sys.settrace(before)
    return result, {plan.line_of[line - 1] for line in lines if is_work(plan, line)}


def is_work(plan, line):
    """Whether a line computes a node: it is no condition over other lines, no choice of a merge and not the result."""
    text = plan.source.splitlines()[line - 1]
    op = plan.line_of[line - 1]
    return (
        op is not None
        and op.type not in ("Merge", "RefMerge")
        and not text.endswith(":")
        and not text.endswith(" break")
        and not text.startswith(" return")
    )


def compare(program, policy, by_shapes, count):
    """Runs one program both ways, several times, and compares everything."""
    one, other = session_of(program, policy), session_of(program, policy)
    told, done = (s.prepare(program.fetches, program.feed_dict) for s in (one, other))
    assert told.signature.schedule().text == done.signature.schedule().text
    plan = done.signature.plan()
    if by_shapes:  # what is made for these very shapes, from their second time on
        done.signature.plan_for(done.values)
        plan = done.signature.plan_for(done.values)
    deeds = {plan.line_of[i] for i in range(len(plan.line_of)) if is_work(plan, i + 1)}
    fed = dict(zip(told.signature.feeds, told.values))
    for _ in range(RUNS):
        run, values = run_traced(told.signature.schedule(), one.store, fed, told.signature.computed)
        if run.error is None:
            result, ran = ran_by_plan(plan, done.values)
            results = [result] if len(plan.fetches) == 1 else list(result)
            assert len(results) == len(values)
            for mine, true in zip(results, values):
                assert same(mine, true), plan.source
            alive = {step.op for step in run.steps if step.outcome == "ran"}
            assert ran == alive & deeds, plan.source
        else:
            with pytest.raises(type(run.error)) as caught:
                execute_plan(plan, done.values)
            assert caught.value.message == run.error.message, plan.source
        count["plan" if done.signature.is_compiled else "interpreter"] += 1
        count["shapes"] += plan is not done.signature.plan()
        left, right = state_of(one), state_of(other)
        assert left.keys() == right.keys()
        for name in left:
            assert same(left[name], right[name]), (name, plan.source)
    # Session.run gives the same values, too: by the interpreter first, by the plan in later runs.
    third = session_of(program, policy)
    for _ in range(2):
        try:
            third.run(program.fetches, program.feed_dict)
        except errors.OpError:
            break


def check(program, seed, by_shapes, count):
    policy = schedules.creation() if seed is None else schedules.random(seed)
    compare(program, policy, by_shapes, count)


def test_the_plan_does_what_the_interpreter_does():
    count = Counter()

    @SAMPLE
    @given(programs(), st.none() | st.integers(0, 1000), st.booleans())
    def law(program, seed, by_shapes):
        check(program, seed, by_shapes, count)

    law()
    assert count["plan"] >= 0.95 * count.total() > 500


@pytest.mark.long
def test_the_plan_does_what_the_interpreter_does_in_many_more_programs():
    count = Counter()

    @LONG
    @given(programs(most=30), st.none() | st.integers(0, 1000), st.booleans())
    def law(program, seed, by_shapes):
        check(program, seed, by_shapes, count)

    law()
    assert count["plan"] >= 0.95 * count.total()
