"""A Python in a browser has no threads: what needs one says so before it changes anything, and the rest goes on in one thread."""

import time

import pytest

import tfedu as tf
from tfedu.engine.base import threads


@pytest.fixture(autouse=True)
def no_threads(monkeypatch):
    monkeypatch.setattr(threads, "exist", lambda: False)


def queue_with_runner():
    queue = tf.FIFOQueue(4, [tf.float32], shapes=[()])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)]))
    return queue


def test_queue_runners_are_refused_and_can_be_replaced_by_enqueues():
    queue = queue_with_runner()
    taken, put = queue.dequeue(), queue.enqueue(2.0)
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        for _ in range(2):  # the refusal leaves nothing behind
            with pytest.raises(tf.errors.UnimplementedError, match="A queue runner needs threads") as refused:
                tf.train.start_queue_runners(session, coordinator)
            assert "fix: run the enqueues in your own loop" in str(refused.value)
        coordinator.join()
        session.run(put)
        assert session.run(taken) == 2.0


def test_a_run_that_waits_at_an_empty_queue_ends_at_once():
    taken = queue_with_runner().dequeue()
    with tf.Session() as session:
        began = time.monotonic()
        with pytest.raises(tf.errors.DeadlineExceededError, match="can never finish") as stuck:
            session.run(taken)
        assert time.monotonic() - began < 2
        assert "fix: run the enqueue first: this Python has no threads" in str(stuck.value)


def test_looper_threads_and_the_services_of_a_supervisor_are_refused(tmp_path):
    with pytest.raises(tf.errors.UnimplementedError, match="A LooperThread needs threads"):
        tf.train.LooperThread.loop(tf.train.Coordinator(), 1.0, print)
    tf.Variable(1.0)
    tf.train.get_or_create_global_step()
    supervisor = tf.train.Supervisor(logdir=str(tmp_path))
    with pytest.raises(tf.errors.UnimplementedError, match=r"(?s)A Supervisor's service needs threads.*save_model_secs=0"):
        supervisor.prepare_or_wait_for_session()


def test_a_supervisor_without_services_runs(tmp_path):
    x = tf.Variable(1.0)
    with tf.train.Supervisor(logdir=str(tmp_path), save_summaries_secs=0, save_model_secs=0).managed_session() as session:
        assert session.run(x) == 1.0


def test_a_python_function_runs_to_its_end_before_the_time_limit_is_looked_at():
    ended = []

    def slow():
        time.sleep(0.05)
        ended.append(True)
        return 1.0

    y = tf.identity(tf.py_func(slow, [], tf.float64))
    with tf.Session() as session:
        assert session.run(y, options=tf.RunOptions(timeout_in_ms=60_000)) == 1.0
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(y, options=tf.RunOptions(timeout_in_ms=10))
    assert ended == [True, True]
