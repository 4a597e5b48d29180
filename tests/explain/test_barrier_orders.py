"""Barriers in traces and in searches over all orders: what they hold, what a take waits for, how two threads share one."""

import numpy as np
import pytest
from test_queue_orders import results

import tfedu as tf
from tfedu.engine.replay.trace import record
from tfedu.explain import outcomes
from tfedu.legacy.modules.data_flow_ops import Barrier
from tfedu.view.make.runs.trace_records import trace_record


@pytest.fixture
def barrier():
    with tf.Graph().as_default():
        yield Barrier((tf.int32, tf.int32), shapes=((), ()))


def test_a_trace_tells_what_the_barrier_holds_and_what_waits(barrier):
    halves = [barrier.insert_many(0, ["a", "b"], [1, 2]), barrier.insert_many(1, ["b"], [3])]
    with tf.control_dependencies(halves[:1]):
        size = barrier.ready_size()
    trace = record([barrier.take_many(1, name="take").values, size, *halves])
    texts = [after for step in trace_record(trace).runs[0].steps for _, _, after in step.writes]
    assert texts[0] == "[] size=0"
    assert "[(b'b', 2, 3)] size=1 incomplete=1" in texts
    assert texts[-1] == "[] size=0 incomplete=1"


def test_two_threads_that_share_a_barrier_step_in_any_order(barrier):
    first, second = barrier.insert_many(0, ["a"], [1]), barrier.insert_many(0, ["b"], [2])
    with tf.control_dependencies([first, second]):
        whole = barrier.insert_many(1, ["a", "b"], [5, 6])
    taken = barrier.take_many(2).values[0]
    assert results(outcomes([[first, second, whole], taken], threads=True)) == {(1, 2), (2, 1)}


def test_a_close_races_with_the_last_component(barrier):
    with tf.Session() as session:
        session.run(barrier.insert_many(0, ["a"], [1]))
        last, taken = barrier.insert_many(1, ["a"], [2]), barrier.take_many(1).values[1]
        found = outcomes(
            [[last, barrier.close(cancel_pending_enqueues=True)], taken], session=session, threads=True
        )
        assert results(found) == {(2,), "CancelledError", "OutOfRangeError"}
        assert session.run([barrier.ready_size(), barrier.incomplete_size()]) == [0, 1]


def test_a_take_that_nobody_can_end_is_told_so_with_the_barrier(barrier):
    with tf.Session(config=tf.ConfigProto(stuck_queue_timeout_in_ms=50)) as session:
        session.run(barrier.insert_many(0, ["a"], [1]))
        with pytest.raises(
            tf.errors.DeadlineExceededError, match="the barrier _0_barrier with 0 elements and 1 that miss"
        ):
            session.run(barrier.take_many(1).keys)


def test_keys_and_values_have_the_same_number(barrier):
    keys, values = tf.placeholder(tf.string), tf.placeholder(tf.int32)
    put = barrier.insert_many(0, keys, values)
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="got 1 values for 2 keys"):
            session.run(put, {keys: ["a", "b"], values: [1]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="requested -1 < 0 elements"):
            session.run(barrier.take_many(tf.placeholder_with_default(-1, [])).keys)
        session.run(put, {keys: "a", values: np.int32(1)})
        assert session.run(barrier.incomplete_size()) == 1
