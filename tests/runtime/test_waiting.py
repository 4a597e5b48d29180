"""Runs wait at queues while other threads go on, until an element comes, an error, a time limit, Ctrl-C, or nobody is left.

    enqueue (thread) -> queue -> dequeue (main thread)
"""

import os
import signal
import threading
import time

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base.resources.queue import Queue
from tfedu.engine.runtime.exclusive import may_wait_for_itself

SOON = 0.15


@pytest.fixture
def queue():
    with tf.Graph().as_default():
        yield tf.FIFOQueue(3, tf.int32, shapes=[[]])


@pytest.fixture(autouse=True)
def _without_threads_of_other_tests(monkeypatch):
    """Threads that an earlier test left behind could still help, as far as a run knows."""
    before, enumerate_all = set(threading.enumerate()) - {threading.main_thread()}, threading.enumerate
    monkeypatch.setattr(threading, "enumerate", lambda: [thread for thread in enumerate_all() if thread not in before])


def impatient(milliseconds=100):
    return tf.Session(config=tf.ConfigProto(stuck_queue_timeout_in_ms=milliseconds))


class Other:
    """A function in another thread, with its result or error."""

    def __init__(self, f):
        self.result = None
        self.thread = threading.Thread(target=self.run, args=[f], daemon=True)
        self.thread.start()

    def run(self, f):
        try:
            self.result = f()
        except Exception as error:
            self.result = error

    def join(self):
        self.thread.join(10)
        assert not self.thread.is_alive()
        return self.result


def until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


def waiting_at(session):
    return len(session.store.waits.threads)


@pytest.mark.parametrize("kind", ["interpreted", "compiled"])
def test_a_dequeue_waits_for_an_enqueue_of_another_thread(queue, kind):
    taken, x = queue.dequeue(), tf.placeholder(tf.int32, [])
    put = queue.enqueue(x)
    with tf.Session() as session:
        if kind == "compiled":
            for _ in range(3):
                session.run(put, {x: 0})
                session.run(taken)
        other = Other(lambda: session.run(taken))
        until(lambda: waiting_at(session))
        session.run(put, {x: 7})
        assert other.join() == 7


def test_an_enqueue_waits_for_room(queue):
    many, taken = queue.enqueue_many([[1, 2, 3, 4, 5]]), queue.dequeue()
    with tf.Session() as session:
        other = Other(lambda: session.run(many))
        assert [session.run(taken) for _ in range(5)] == [1, 2, 3, 4, 5]
        other.join()
        assert session.run(queue.size()) == 0


def test_those_that_wait_longest_come_first(queue):
    taken, put = queue.dequeue(), [queue.enqueue(i) for i in range(3)]
    with tf.Session() as session:
        others = []
        for _ in range(3):
            others.append(Other(lambda: session.run(taken)))
            until(lambda: waiting_at(session) == len(others))
        for each in put:
            session.run(each)
        assert [other.join() for other in others] == [0, 1, 2]


def test_many_threads_lose_and_repeat_nothing(queue):
    x = tf.placeholder(tf.int32, [])
    put, taken = queue.enqueue(x), queue.dequeue()
    with tf.Session() as session:
        fill = [Other(lambda at=at: [session.run(put, {x: 40 * at + i}) for i in range(40)]) for at in range(4)]
        take = [Other(lambda: [int(session.run(taken)) for _ in range(40)]) for _ in range(4)]
        for each in fill:
            each.join()
        assert sorted(number for each in take for number in each.join()) == list(range(160))


@pytest.mark.parametrize("runs", [1, 3])
def test_a_dequeue_does_not_keep_the_enqueue_of_its_own_run(queue, runs):
    taken, many = queue.dequeue_many(2), queue.enqueue_many([[4, 5]])
    with impatient() as session:
        for _ in range(runs):
            assert list(session.run([taken, many])[0]) == [4, 5]


@pytest.mark.parametrize("schedule", ["creation", "random(1)", "random(2)", "random(3)"])
def test_in_any_schedule_a_run_finishes_that_can(queue, schedule):
    total = tf.add_n([queue.dequeue(), queue.dequeue(), queue.dequeue()])
    put = [queue.enqueue(i) for i in (1, 10, 100)]
    with tf.Session(schedule=schedule, config=tf.ConfigProto(stuck_queue_timeout_in_ms=100)) as session:
        assert session.run([total, *put])[0] == 111


def test_a_run_whose_turns_all_wait_goes_on_with_another_thread(queue):
    both = [queue.dequeue_many(2), queue.enqueue(1)]
    put = queue.enqueue(2)
    with tf.Session() as session:
        other = Other(lambda: session.run(both))
        until(lambda: waiting_at(session))
        session.run(put)
        assert sorted(other.join()[0]) == [1, 2]


def test_a_run_that_nobody_can_help_is_told_so(queue):
    taken = queue.dequeue(name="taken")
    with impatient() as session, pytest.raises(tf.errors.DeadlineExceededError) as caught:
        session.run(taken)
    text = str(caught.value)
    assert "can never finish: node taken waits for the queue _0_fifo_queue with 0 elements" in text
    assert "taken = queue.dequeue" in text
    assert "start_queue_runners" in text
    assert caught.value.op is taken.op


def test_a_run_that_waits_for_room_is_told_to_take_elements_out():
    queue = tf.FIFOQueue(1, tf.int32, [[]])
    put = queue.enqueue(1)
    with impatient() as session:
        session.run(put)
        with pytest.raises(tf.errors.DeadlineExceededError, match="the full queue _0_fifo_queue with 1") as caught:
            session.run(put)
    assert "fix: take elements out first" in str(caught.value)
    assert "start_queue_runners" not in str(caught.value)


def test_the_advice_names_what_puts_something_in():
    gradient = tf.ConditionalAccumulator(tf.float32, []).take_grad(1)
    with impatient() as session, pytest.raises(tf.errors.DeadlineExceededError) as caught:
        session.run(gradient)
    assert "fix: run apply_grad first, or meanwhile in another thread" in str(caught.value)


def test_threads_that_wait_for_each_other_are_told_so(queue):
    taken = queue.dequeue()
    with impatient() as session:
        other = Other(lambda: session.run(taken))
        with pytest.raises(tf.errors.DeadlineExceededError, match="can never finish"):
            session.run(taken)
        session.run(queue.close())
        assert isinstance(other.join(), tf.errors.OpError)


def test_threads_that_wait_elsewhere_help_nobody(queue):
    taken, elsewhere = queue.dequeue(), tf.FIFOQueue(1, tf.int32).dequeue()
    coordinator = tf.train.Coordinator()
    with tf.Session(config=tf.ConfigProto(stuck_queue_timeout_in_ms=-1)) as patient, impatient() as session:
        others = [Other(coordinator.wait_for_stop), Other(lambda: patient.run(elsewhere))]
        until(lambda: waiting_at(patient))
        with pytest.raises(tf.errors.DeadlineExceededError, match="can never finish"):
            session.run(taken)
        coordinator.request_stop()
        patient.close()
        for other in others:
            other.join()


def test_a_run_waits_while_another_thread_lives(queue):
    taken, put = queue.dequeue(), queue.enqueue(3)
    with impatient(20) as session:
        other = Other(lambda: (time.sleep(SOON), session.run(put)))
        assert session.run(taken) == 3
        other.join()


def test_the_environment_sets_how_long_a_hopeless_run_waits(queue, monkeypatch):
    monkeypatch.setenv("TFEDU_STUCK_QUEUE_TIMEOUT_MS", "30")
    with tf.Session() as session:
        with pytest.raises(tf.errors.DeadlineExceededError, match="can never finish"):
            session.run(queue.dequeue())
    monkeypatch.setenv("TFEDU_STUCK_QUEUE_TIMEOUT_MS", "soon")
    with pytest.raises(tf.errors.InvalidArgumentError, match="TFEDU_STUCK_QUEUE_TIMEOUT_MS must be a number of milliseconds"):
        tf.Session()


def test_a_time_limit_ends_a_wait_and_nothing_is_lost(queue):
    with tf.Session() as session:
        session.run(queue.enqueue_many([[1, 2]]))
        began = time.monotonic()
        with pytest.raises(tf.errors.DeadlineExceededError, match="Timed out waiting for notification"):
            session.run(queue.dequeue_many(3), options=tf.RunOptions(timeout_in_ms=50))
        assert time.monotonic() - began < 2
        assert list(session.run(queue.dequeue_many(2))) == [1, 2]


def test_closing_the_session_ends_waits(queue):
    session = tf.Session()
    taken, many = queue.dequeue(), tf.FIFOQueue(1, tf.int32, shapes=[[]]).enqueue_many([[1, 2]])
    others = [Other(lambda: session.run(taken)), Other(lambda: session.run(many))]
    until(lambda: waiting_at(session) == 2)
    session.close()
    for other, doing in zip(others, ("Dequeue", "Enqueue")):
        error = other.join()
        assert isinstance(error, tf.errors.CancelledError)
        assert f"{doing} operation was cancelled" in str(error)


def test_closing_a_queue_ends_waits(queue):
    many = queue.dequeue_many(4)
    with tf.Session() as session:
        session.run(queue.enqueue_many([[1, 2]]))
        other = Other(lambda: session.run(many))
        until(lambda: waiting_at(session))
        session.run(queue.close())
        assert isinstance(other.join(), tf.errors.OutOfRangeError)
        assert list(session.run(queue.dequeue_many(2))) == [1, 2]


def test_cancelling_ends_the_enqueues_that_wait(queue):
    many = queue.enqueue_many([[1, 2, 3, 4]])
    with tf.Session() as session:
        other = Other(lambda: session.run(many))
        until(lambda: waiting_at(session))
        session.run(queue.close(cancel_pending_enqueues=True))
        assert isinstance(other.join(), tf.errors.CancelledError)
        assert session.run(queue.size()) == 3


@pytest.mark.skipif(os.name == "nt", reason="os.kill cannot send SIGINT there")
@pytest.mark.parametrize("fetch", ["one", "itself"])
def test_ctrl_c_ends_a_wait_at_once(queue, fetch):
    fetches = {"one": queue.dequeue(), "itself": [queue.dequeue_many(3), queue.enqueue(1)]}[fetch]
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    with tf.Session() as session:
        threading.Timer(SOON, interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            session.run(fetches)
        assert time.monotonic() - sent[0] < 0.2
        session.run(queue.enqueue(2))
        session.run(queue.dequeue())


def test_a_run_in_parts_does_not_keep_the_session(queue):
    x = tf.placeholder(tf.int32, [])
    taken = queue.dequeue() + x
    with tf.Session() as session:
        session.run(queue.enqueue(1))
        handle = session.partial_run_setup([taken], [x])
        assert session.partial_run(handle, taken, {x: 1}) == 2
        empty = queue.dequeue() + tf.identity(x)
        handle = session.partial_run_setup([empty], [x])
        other = Other(lambda: session.partial_run(handle, empty, {x: 2}))
        until(lambda: waiting_at(session))
        assert session.run(tf.constant(np.float32(3))) == 3
        session.run(queue.enqueue(5))
        assert other.join() == 7


def test_a_run_goes_on_when_another_thread_was_faster_at_the_queue(queue, monkeypatch):
    """The queue has room when the enqueue's turn comes, and none when it puts its element in."""
    begin = Queue.enqueue

    def late(at, elements):
        if elements[0][0] == 2:
            begin(at, [(np.int32(number),) for number in range(10, 10 + at.capacity)])
        return begin(at, elements)

    fetches = [queue.enqueue(2), queue.dequeue()]
    with tf.Session() as session:
        monkeypatch.setattr(Queue, "enqueue", late)
        assert session.run(fetches) == [None, 10]


def ordered(one, other):
    other.enqueue(one.dequeue())


def after_a_put(one, other):
    with tf.control_dependencies([other.enqueue(1)]):
        one.dequeue()


def unordered(one, other):
    one.dequeue()
    other.enqueue(2)


def looped(one, other):
    def body(i):
        with tf.control_dependencies([other.enqueue(one.dequeue())]):
            return i + 1

    tf.while_loop(lambda i: i < 2, body, [0])


@pytest.mark.parametrize(("build", "waits"), [(ordered, False), (after_a_put, False), (unordered, True), (looped, True)])
def test_only_a_run_whose_queues_no_edges_order_needs_the_interpreter(build, waits):
    with tf.Graph().as_default() as graph:
        build(*[tf.FIFOQueue(3, tf.int32, shapes=[[]]) for _ in range(2)])
        assert may_wait_for_itself(graph.get_operations()) == waits


# -- readers --


@pytest.mark.parametrize(
    "reads", [lambda reader, queue: reader.read(queue)[1], lambda reader, queue: reader.read_up_to(queue, 1)[1][0]]
)
def test_a_reader_waits_for_the_name_that_its_own_run_puts_in(tmp_path, reads):
    """TextLineReader <- queue <- enqueue: the read was made first, and only the enqueue can go on."""
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    with tf.Graph().as_default(), impatient() as session:
        queue = tf.FIFOQueue(3, tf.string, shapes=[[]], name="files")
        line = reads(tf.TextLineReader(), queue)
        put = queue.enqueue(str(tmp_path / "a.txt"))
        assert session.run([line, put])[0] == b"one"
        assert session.run(line) == b"two"
        assert session.run([line, put])[0] == b"one"
        assert session.run([line, put])[0] == b"two"
        assert session.run(queue.size()) == 1


def test_a_reader_that_no_name_can_reach_is_told_so(tmp_path):
    with tf.Graph().as_default(), impatient() as session:
        queue = tf.FIFOQueue(3, tf.string, shapes=[[]], name="files")
        line = tf.TextLineReader().read(queue)[1]
        with pytest.raises(tf.errors.DeadlineExceededError, match=r"can never finish: .* waits for the queue .*files"):
            session.run(line)
