"""Misconceptions on random programs: none crashes, and each agrees with the engine where its mistake makes no difference."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tfedu as tf
from tests.property.programs import programs
from tfedu.engine.runtime import schedule as schedules
from tfedu.explain import MODELS, Failure
from tfedu.explain.mental_models.story import Task, diverges, engine_stories, same

SAMPLE = settings(
    max_examples=120, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
LONG = settings(SAMPLE, max_examples=5000, derandomize=False)
RUNS = 3


def task_of(program, seed=None):
    policy = None if seed is None else schedules.random(seed)
    return Task(program.fetches, program.feed_dict, RUNS, policy)


def tell(program, seed):
    task = task_of(program, seed)
    real = engine_stories(task)
    known = len(program.graph.operations)
    for model in MODELS.values():
        stories = model.stories(task)
        assert len(stories) == RUNS, model
        wrong = any(
            not same(one, other)
            for told, true in zip(stories, real)
            for one, other in zip(told.fetched, true.fetched)
        )
        for story in stories:
            failed = any(isinstance(value, Failure) for value in story.fetched)
            assert failed or len(story.fetched) == len(task.tensors), model
        parting = diverges(stories, real, task.tensors, known)
        # A model with another result differs from the engine at some step, which can be shown.
        assert parting is not None or not wrong, model
        if parting is not None:
            assert 0 <= parting.run < RUNS
            assert 0 <= parting.step <= len(real[parting.run].turns)
            assert parting.node is None or parting.node < known
    # A model works on copies: it changes neither the graph nor earlier answers.
    assert len(program.graph.operations) == known
    again = engine_stories(task_of(program, seed))
    assert all(same(a, b) for one, two in zip(real, again) for a, b in zip(one.fetched, two.fetched))


def test_no_model_crashes_and_every_wrong_value_has_its_place():
    @SAMPLE
    @given(programs(), st.none() | st.integers(0, 50))
    def law(program, seed):
        tell(program, seed)

    law()


@pytest.mark.long
def test_no_model_crashes_in_many_more_programs():
    @LONG
    @given(programs(most=25), st.none() | st.integers(0, 50))
    def law(program, seed):
        tell(program, seed)

    law()


def test_without_variables_every_model_agrees_with_the_engine():
    @SAMPLE
    @given(programs(stateful=False))
    def law(program):
        task = task_of(program)
        real = engine_stories(task)
        if any(isinstance(value, Failure) for story in real for value in story.fetched):
            return
        for model in MODELS.values():
            for told, true in zip(model.stories(task), real):
                assert all(same(one, other) for one, other in zip(told.fetched, true.fetched)), model

    law()


def test_with_one_fetch_the_sixth_model_agrees():
    @settings(SAMPLE, max_examples=60)
    @given(programs())
    def law(program):
        program.fetches = program.fetches[:1]
        task = task_of(program)
        assert diverges(MODELS["M6"].stories(task), engine_stories(task), task.tensors, 10**6) is None

    law()


def test_without_reference_variables_a_read_is_a_photograph():
    @settings(SAMPLE, max_examples=100)
    @given(programs())
    def law(program):
        if any(variable.dtype.is_ref for variable in program.variables):
            return
        task = task_of(program)
        assert diverges(MODELS["M8"].stories(task), engine_stories(task), task.tensors, 10**6) is None

    law()


def test_models_take_a_long_chain_without_recursion():
    x = tf.Variable(0.0)
    y = tf.identity(tf.assign_add(x, 1.0))
    for _ in range(5_000):
        y = tf.identity(y)
    for model in MODELS.values():
        assert len(model.predict(y, runs=1)) == 1
