"""Random programs of one queue: `outcomes` finds the results that a model of queues gives in some order, and each replays."""

import numpy as np
import pytest

import tfedu as tf
from tests.property.queue_programs import Model, random_program
from tfedu.engine.base.philox import Draws
from tfedu.explain import outcomes

SAMPLE = 40
FOUND = (3441,)  # programs that the sample lacks: enqueues that stand in line together at a random queue
MANY = 1_000
DRAWS = 64
SOON = tf.ConfigProto(stuck_queue_timeout_in_ms=1)


def plain(value):
    return tuple(value.tolist()) if np.ndim(value) else value if value is None else np.asarray(value).item()


def result_of(values, error):
    """A result in the form of the model."""
    if error is None:
        return tuple(map(plain, values))
    return "waits" if "can never finish" in error.message else (type(error).__name__, int(error.op.name[1:]))


def draws_of(graph):
    with tf.Session(graph=graph) as session:
        session.run(graph.get_operation_by_name("queue"))
        (queue,) = session.store.resources.values()
    draws = Draws(queue.start)
    return [draws.bits() for _ in range(DRAWS)]


def result_by(schedule, graph, fetches):
    """The result of a run; afterwards nothing waits at its queue."""
    with tf.Session(graph=graph, schedule=schedule, config=SOON) as session:
        try:
            return result_of(session.run(fetches), None)
        except tf.errors.OpError as error:
            return result_of((), error)
        finally:
            (queue,) = session.store.resources.values()
            assert not any([queue.begun, queue.enqueues, queue.dequeues])


def check(seed):
    program = random_program(seed)
    with tf.Graph().as_default() as graph:
        fetches = program.build(tf)
        possible = Model(program, draws_of(graph) if program.queue == "RandomShuffleQueue" else ()).results()
        found = outcomes(fetches)
    assert found.exact
    results = {result_of(None if each.error else each.values[0], each.error): each.schedule for each in found}
    assert results.keys() == possible, program
    for result, schedule in results.items():
        assert result_by(schedule, graph, fetches) == result, (program, schedule)
    for schedule in (None, tf.schedule.random(1), tf.schedule.random(2)):
        assert result_by(schedule, graph, fetches) in possible, (program, schedule)


@pytest.mark.parametrize("seed", [*range(SAMPLE), *FOUND])
def test_outcomes_are_the_results_of_all_orders(seed):
    check(seed)


@pytest.mark.long
def test_outcomes_of_many_programs_are_the_results_of_all_orders():
    for seed in range(SAMPLE, MANY):
        check(seed)
