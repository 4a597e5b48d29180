"""Queues in traces and in searches over all orders: what they hold, which nodes wait, how threads that share one interleave.

    enqueue 1, enqueue 2 (one thread) -> queue -> dequeue, dequeue (another)
"""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.replay.trace import record
from tfedu.explain import outcomes
from tfedu.view.make.runs.trace_records import trace_record


@pytest.fixture
def queue():
    with tf.Graph().as_default():
        yield tf.FIFOQueue(2, tf.int32, shapes=[[]], name="queue")


def results(found):
    assert found.exact
    return {str(type(o.error).__name__) if o.error else tuple(map(int, flat(o.values[0]))) for o in found}


def flat(values):
    """The numbers in a nest of values, without the operations' None."""
    lists = [flat(value) if isinstance(value, (list, tuple)) else np.ravel(value).tolist() for value in values]
    return [number for numbers in lists for number in numbers if number is not None]


def test_all_orders_of_two_enqueues_and_two_dequeues_are_found(queue):
    put = [queue.enqueue(1), queue.enqueue(2)]
    assert results(outcomes([queue.dequeue(), queue.dequeue(), *put])) == {(1, 2), (2, 1)}


def test_a_run_that_waits_for_ever_is_an_outcome(queue):
    both = [queue.dequeue(), queue.dequeue(), queue.enqueue(1)]
    assert results(outcomes(both)) == {"DeadlineExceededError"}


def test_closing_races_with_the_enqueue(queue):
    assert results(outcomes([queue.dequeue(), queue.enqueue(1), queue.close()])) == {
        (1,), "CancelledError", "OutOfRangeError",
    }  # fmt: skip


def test_two_threads_that_share_a_queue_take_turns_in_any_order(queue):
    with tf.control_dependencies([queue.enqueue(1)]):
        second = queue.enqueue(2)
    first = queue.dequeue()
    with tf.control_dependencies([first]):
        size = queue.size()
    found = outcomes([second, [first, size]], threads=True)
    assert results(found) == {(1, 0), (1, 1)}


def test_an_enqueue_of_one_thread_waits_for_room_of_the_other(queue):
    many, taken = queue.enqueue_many([[1, 2]]), queue.dequeue_many(2)
    again = queue.enqueue(3)
    assert results(outcomes([many, again, taken], threads=True)) == {(1, 2), (3, 1)}


def test_threads_that_run_one_node_are_refused(queue):
    taken = queue.dequeue()
    with pytest.raises(ValueError, match="Threads 0 and 1 both run node queue_Dequeue"):
        outcomes([taken, taken], threads=True)
    with pytest.raises(ValueError, match="takes a list of fetches"):
        outcomes(taken, threads=True)


def test_the_session_of_a_search_keeps_its_queues(queue):
    one, put = queue.dequeue(), queue.enqueue(5)
    with tf.Session() as session:
        session.run(put)
        assert results(outcomes([one, put], session=session, runs=2)) == {(5,)}
        assert session.run(queue.size()) == 1


def test_random_queues_draw_the_same_numbers_on_each_path():
    with tf.Graph().as_default():
        queue = tf.RandomShuffleQueue(9, 0, tf.int32, shapes=[[]])
        with tf.control_dependencies([queue.enqueue_many([[1, 2, 3]])]):
            pair = [queue.dequeue(), queue.dequeue()]
        found = results(outcomes(pair))
    assert len(found) == 2
    assert {tuple(reversed(each)) for each in found} == found


def test_a_trace_tells_what_the_queue_holds_and_who_waits(queue):
    taken = queue.dequeue(name="taken")
    run = record([taken, queue.enqueue(7, name="put"), queue.size(name="size")], policy=tf.schedule.random(1)).runs[0]
    texts = [after for step in run.steps for _, _, after in step.elements_written]
    assert texts[0] == "[] size=0 capacity=2"
    assert "[7] size=1 capacity=2" in texts
    assert texts[-1] == "[] size=0 capacity=2"
    assert run.fetched[0] == 7


def test_a_record_shows_queues_with_the_state(queue):
    trace = record([queue.enqueue_many([[1, 2]]), queue.close(), queue.dequeue(name="taken")])
    writes = [write for step in trace_record(trace).runs[0].steps for write in step.writes]
    assert writes[0] == ("queue", "–", "[] size=0 capacity=2")
    assert ("queue", "[] size=0 capacity=2", "[1, 2] size=2 capacity=2") in writes
    assert any("closed=True" in after for _, _, after in writes)


def test_a_trace_of_a_run_that_waits_for_ever_ends_with_the_error(queue):
    taken, put = queue.dequeue_many(2, name="taken"), queue.enqueue(1)
    run = record([taken, put]).runs[0]
    assert "can never finish: node taken waits for the queue _0_queue with 1 elements" in run.error.message
    assert run.steps[-1].op is put
    assert "waiting=[taken]" in run.steps[-1].elements_written[0][2]


def test_a_later_run_begins_with_what_the_queue_holds(queue):
    runs = trace_record(record([queue.enqueue(1, name="put")], runs=2)).runs
    assert [run.start.variables for run in runs] == [(), (("queue", "[1] size=1 capacity=2"),)]
    writes = [write for step in runs[1].steps for write in step.writes]
    assert writes == [("queue", "[1] size=1 capacity=2", "[1, 1] size=2 capacity=2")]


def parts(queue):
    """An enqueue of more elements than the queue holds, and two dequeues, the one after the other."""
    put = queue.enqueue_many([[1, 2, 3, 4]], name="put")
    first = queue.dequeue(name="first")
    with tf.control_dependencies([first]):
        second = queue.dequeue(name="second")
    return [put, first, second]


def test_an_enqueue_of_more_than_the_queue_holds_puts_in_the_rest_as_dequeues_make_room(queue):
    fetches = parts(queue)
    assert results(outcomes(fetches)) == {(1, 2)}
    trace = record(fetches)
    turns = [(step.op.name, step.outcome) for step in trace.runs[0].steps if step.op.name in ("put", "first", "second")]
    assert turns == [("put", "began"), ("first", "ran"), ("second", "ran"), ("put", "ran")]
    steps = [step for step in trace.runs[0].steps if step.op.name in ("put", "first")]
    writes = [written[1:] for step in steps for written in step.elements_written]
    assert writes[:2] == [
        ("[] size=0 capacity=2", "[1, 2] size=2 capacity=2 waiting=[put]"),
        ("[1, 2] size=2 capacity=2 waiting=[put]", "[2, 3] size=2 capacity=2 waiting=[put]"),
    ]
    with tf.Session(schedule=trace.runs[0].text) as session:
        assert session.run(fetches) == [None, 1, 2]


def test_the_parts_of_an_enqueue_and_single_enqueues_take_turns_in_any_order():
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
        first = queue.dequeue()
        with tf.control_dependencies([first]):
            second = queue.dequeue()
        with tf.control_dependencies([second]):
            third = queue.dequeue()
        found = results(outcomes([first, second, third, queue.enqueue_many([[1, 2]]), queue.enqueue(3)]))
    # Once the enqueue of two has begun, the other one stands in line behind it.
    assert found == {(1, 2, 3), (3, 1, 2)}


def test_what_a_dequeue_of_a_random_queue_takes_first_is_drawn_from_fewer_elements():
    with tf.Graph().as_default():
        queue = tf.RandomShuffleQueue(9, 0, tf.int32, shapes=[[]], seed=1)
        with tf.control_dependencies([queue.enqueue(1)]):
            second = queue.enqueue(2)
        with tf.control_dependencies([second]):
            third = queue.enqueue(3)
        found = results(outcomes([queue.dequeue_many(3), third]))
    assert len(found) > 1


def test_a_timeline_repeats_a_turn_that_began_and_ended_later(queue):
    lines = tf.explain.timelines(parts(queue))
    (order,) = lines[0].order
    began = order.index("put")
    assert order[began + 1 :] == ["first", "second", "put"]
    # After the first part of the enqueue nothing else than the first dequeue is ready; the enqueue has not run yet.
    fork = lines.fork(0, began + 2, set={"first": 9})
    assert fork.values == [[None, 9, 2]]
    with pytest.raises(ValueError, match="second is not ready"):
        lines.fork(0, began + 1, choose="second")


def after(first, make):
    with tf.control_dependencies([first]):
        return make()


def test_a_dequeue_of_many_that_stands_in_line_keeps_another_one_from_what_there_is(queue):
    many = after(queue.enqueue(1), lambda: queue.dequeue_many(2))
    one = queue.dequeue()
    fetches = [many, one, after(one, lambda: queue.enqueue_many([[5, 6]]))]
    # TensorFlow 1.15 waits for ever in some runs; the default order lets the other dequeue go first.
    assert results(outcomes(fetches)) == {(5, 6, 1), "DeadlineExceededError"}
    with tf.Session() as session:
        assert flat(session.run(fetches)) == [5, 6, 1]


def test_what_a_dequeue_of_many_has_taken_is_not_in_the_queue_any_more(queue):
    size = after(queue.enqueue(1), queue.size)
    fetches = [queue.dequeue_many(2), size, after(size, lambda: queue.enqueue(2))]
    found = outcomes(fetches)
    assert results(found) == {(1, 2, 0), (1, 2, 1)}
    for each in found:
        with tf.Session(schedule=each.schedule) as session:
            assert flat(session.run(fetches)) == flat(each.values[0])


def test_a_close_waits_for_an_enqueue_that_stands_in_line():
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
        first = queue.enqueue(1)
        put, close = after(first, lambda: queue.enqueue(2)), after(first, queue.close)
        fetches = [put, close, after(close, queue.dequeue)]
        found = outcomes(fetches)
        assert results(found) == {"CancelledError", "DeadlineExceededError"}
        for each in found:
            config = tf.ConfigProto(stuck_queue_timeout_in_ms=1)
            with tf.Session(schedule=each.schedule, config=config) as session, pytest.raises(type(each.error)):
                session.run(fetches)


def test_a_close_of_the_same_run_cancels_an_enqueue_that_waits():
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
        fetches = [queue.enqueue_many([[1, 2, 3]]), queue.close(cancel_pending_enqueues=True)]
        assert results(outcomes(fetches)) == {"CancelledError"}
        with tf.Session() as session, pytest.raises(tf.errors.CancelledError):
            session.run(fetches)


def test_dequeues_that_stand_in_line_choose_before_the_next_elements_come():
    """TensorFlow 1.15 gives 5 and 4 in some runs: both dequeues stood in line when the first two elements came."""
    with tf.Graph().as_default():
        queue = tf.PriorityQueue(2, tf.int32, [[]])
        first = queue.dequeue()[1]
        with tf.control_dependencies([queue.size()]):
            second = queue.dequeue()[1]
        put = queue.enqueue_many([np.array([5, 4, 1], np.int64), [5, 4, 1]])
        found = outcomes([first, second, put])
        assert results(found) == {(4, 5), (5, 4), (4, 1), (1, 4)}
        for each in found:
            with tf.Session(schedule=each.schedule) as session:
                assert flat(session.run([first, second, put])) == flat(each.values[0])


def test_the_schedule_of_a_run_that_ends_before_its_loop_begins_replays(queue):
    taken = queue.dequeue()
    with tf.control_dependencies([taken]):
        total = tf.while_loop(lambda i: i < 2, lambda i: i + queue.dequeue(), [tf.constant(0)])
    fetches = [taken, total, queue.dequeue(), queue.close()]
    found = outcomes(fetches)
    assert len({each.error.op for each in found}) == 2
    for each in found:
        with tf.Session(schedule=each.schedule) as session, pytest.raises(tf.errors.OutOfRangeError) as caught:
            session.run(fetches)
        assert caught.value.op is each.error.op
