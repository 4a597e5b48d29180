"""Nested loops and branches: the interpreter and the compiled plan agree, and nearly all programs have a plan."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property.loops import looping
from tests.property.test_plan import LONG, RUNS, SAMPLE, compare, session_of
from tfedu.engine.base import errors
from tfedu.engine.replay.recorder import run_traced
from tfedu.engine.runtime import schedule as schedules
from tfedu.engine.runtime.plans.plan_loops import NotCompiled


def depth_of(signature):
    """How deep the loops of a run are nested."""
    frames = signature.schedule().frames
    return 0 if frames is None else max(len(frame.path) for frame in frames.of.values())


def check(program, by_shapes, count):
    try:
        compare(program, schedules.creation(), by_shapes, count)
    except NotCompiled:
        count["interpreter"] += RUNS
    session = session_of(program, schedules.creation())
    count[f"deep {depth_of(session.prepare(program.fetches, program.feed_dict).signature)}"] += 1


def compiled_enough(count):
    return count["plan"] >= 0.95 * (count["plan"] + count["interpreter"])


def test_a_plan_of_loops_does_what_the_interpreter_does():
    count = Counter()

    @settings(SAMPLE, max_examples=60)
    @given(looping(), st.booleans())
    def law(program, by_shapes):
        check(program, by_shapes, count)

    law()
    assert compiled_enough(count)
    assert count["deep 3"] + count["deep 4"] > 5, count


@pytest.mark.long
def test_a_plan_of_loops_does_what_the_interpreter_does_in_many_more_programs():
    count = Counter()

    @settings(LONG, max_examples=2500)
    @given(looping(most=8), st.booleans())
    def law(program, by_shapes):
        check(program, by_shapes, count)

    law()
    assert compiled_enough(count)


def test_the_turns_of_a_random_schedule_repeat_its_run():
    @settings(SAMPLE, max_examples=25)
    @given(looping(most=3), st.integers(0, 1000))
    def law(program, seed):
        told = []
        for policy in (schedules.random(seed), None):
            session = session_of(program, None)
            session.policy = policy or schedules.replay(told[0][0])
            call = session.prepare(program.fetches, program.feed_dict)
            fed = dict(zip(call.signature.feeds, call.values))
            run, values = run_traced(call.signature.schedule(), session.store, fed, call.signature.computed)
            if run.error is not None and policy is not None:
                return
            told.append((run.text, [np.asarray(v).tobytes() for v in values]))
        assert told[0] == told[1]

    law()


def test_a_random_schedule_of_a_program_without_state_gives_the_same():
    @settings(SAMPLE, max_examples=25)
    @given(looping(most=3, stateful=False), st.integers(0, 1000))
    def law(program, seed):
        results = []
        for policy in (None, schedules.random(seed)):
            session = session_of(program, policy)
            try:
                results.append(session.run(program.fetches, program.feed_dict))
            except errors.OpError as error:
                results.append(type(error))
        assert str(results[0]) == str(results[1])

    law()
