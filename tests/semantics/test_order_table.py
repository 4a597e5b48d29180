"""The rows of the order tables under tfedu, for both kinds of variable, interpreted and compiled."""

import json

import harness
import programs_order
import programs_random_updates
import programs_scatter
import pytest
from programs_order import plain

LEGAL = {**programs_order.LEGAL, **programs_scatter.LEGAL}
ROWS = [*programs_order.ROWS, *programs_scatter.ROWS]
KINDS = [(row, resource) for row in ROWS for resource in (False, True)]
NAMES = [f"{row.__name__}-{'resource' if resource else 'reference'}" for row, resource in KINDS]


def outcomes(row, resource, runs=3, schedule=None, interpreted=False):
    """The values of some runs, each from freshly initialized variables: the first is interpreted, the others use the plan."""
    import tfedu as tf

    values = []
    with tf.Graph().as_default():
        fetch = row(tf, resource)
        init = tf.global_variables_initializer()
        with tf.Session(schedule=schedule) as sess:
            sess.interpreted = interpreted
            for _ in range(runs):
                sess.run(init)
                values.append(json.dumps(plain(sess.run(fetch))))
    return values


def legal(row, resource):
    return programs_order.legal(row, resource, LEGAL)


def test_every_row_has_its_legal_outcomes():
    assert sorted(LEGAL) == sorted((row.__name__, resource) for row, resource in KINDS)


@pytest.mark.parametrize(("row", "resource"), KINDS, ids=NAMES)
def test_the_default_schedule_gives_one_legal_outcome_every_time(row, resource):
    first = outcomes(row, resource)
    assert len(set(first)) == 1
    assert set(first) == set(outcomes(row, resource))
    assert first[0] in legal(row, resource)


@pytest.mark.parametrize(("row", "resource"), KINDS, ids=NAMES)
def test_interpreter_and_plan_agree_under_every_schedule(row, resource):
    from tfedu.engine.runtime import schedule as schedules

    for seed in range(12):
        interpreted = outcomes(row, resource, 2, schedules.random(seed), interpreted=True)
        assert outcomes(row, resource, 3, schedules.random(seed)) == interpreted[:1] * 3


@pytest.mark.parametrize(("row", "resource"), KINDS, ids=NAMES)
def test_random_schedules_reach_all_legal_outcomes_and_no_other(row, resource):
    from tfedu.engine.runtime import schedule as schedules

    reached = {o for seed in range(150) for o in outcomes(row, resource, 1, schedules.random(seed))}
    assert sorted(reached) == legal(row, resource)


@pytest.mark.parametrize("seed", range(30))
def test_a_program_whose_every_access_waits_has_one_outcome_under_every_schedule(seed):
    import tfedu as tf
    from tfedu.engine.runtime import schedule as schedules

    def values(schedule):
        with tf.Graph().as_default():
            return harness.encode(tf, programs_random_updates.drawn(tf, seed, schedule=schedule))

    expected = values(None)
    assert all(values(schedules.random(n)) == expected for n in range(5))
