"""Coordinator and LooperThread: who stops whom, and where errors come out. Events order the threads, no clock does."""

import inspect
import sys
import threading

import pytest

import tfedu as tf


def started(target, *args):
    thread = threading.Thread(target=target, args=args, daemon=True)
    thread.start()
    return thread


def until_stopped(coord):
    coord.wait_for_stop()


def failing(coord, error):
    with coord.stop_on_exception():
        raise error


def test_join_ends_when_all_threads_have():
    coord = tf.train.Coordinator()
    done = []
    coord.join([started(done.append, i) for i in range(5)])
    assert sorted(done) == [0, 1, 2, 3, 4]
    assert coord.joined
    assert not coord.should_stop()


def test_a_request_stops_every_thread():
    coord = tf.train.Coordinator()
    threads = [started(until_stopped, coord) for _ in range(3)]
    assert not coord.should_stop()
    coord.request_stop()
    coord.join(threads)
    assert coord.should_stop()
    assert not any(thread.is_alive() for thread in threads)


def test_registered_threads_are_joined_too():
    coord = tf.train.Coordinator()
    thread = started(until_stopped, coord)
    coord.register_thread(thread)
    coord.request_stop()
    coord.join()
    assert not thread.is_alive()


def test_join_raises_what_a_thread_raised_and_the_others_stop():
    coord = tf.train.Coordinator()
    threads = [started(until_stopped, coord), started(failing, coord, ValueError("mine"))]
    with pytest.raises(ValueError, match=r"^mine$") as caught:
        coord.join(threads)
    assert "failing" in [entry.name for entry in caught.traceback]
    assert not threads[0].is_alive()


def test_the_first_error_wins():
    coord = tf.train.Coordinator()
    coord.request_stop(ValueError("first"))
    coord.request_stop(TypeError("second"))
    with pytest.raises(ValueError, match="first"):
        coord.raise_requested_exception()
    with pytest.raises(ValueError, match="first"):
        coord.join()


def test_the_end_of_the_input_is_no_error():
    coord = tf.train.Coordinator()
    coord.join([started(failing, coord, tf.errors.OutOfRangeError(None, None, "at the end"))])
    assert coord.should_stop()
    coord.raise_requested_exception()


def test_what_is_a_clean_stop_can_be_said():
    coord = tf.train.Coordinator(clean_stop_exception_types=(KeyError,))
    coord.request_stop(KeyError("x"))
    coord.join()
    coord = tf.train.Coordinator(clean_stop_exception_types=())
    coord.request_stop(tf.errors.OutOfRangeError(None, None, "at the end"))
    with pytest.raises(tf.errors.OutOfRangeError):
        coord.join()


def test_an_error_is_given_as_it_is_or_as_exc_info():
    coord = tf.train.Coordinator()
    try:
        raise KeyError("here")
    except KeyError:
        coord.request_stop(sys.exc_info())
    with pytest.raises(KeyError):
        coord.join()
    coord = tf.train.Coordinator()
    coord.request_stop(("no", "triple"))
    with pytest.raises(ValueError, match=r"^ex must be a tuple or sys\.exc_info"):
        coord.join()


def test_an_error_after_join_is_raised_where_it_is_reported():
    coord = tf.train.Coordinator()
    coord.request_stop()
    coord.join()
    with pytest.raises(ValueError, match="late"):
        coord.request_stop(ValueError("late"))
    coord.request_stop(tf.errors.OutOfRangeError(None, None, "clean"))


def test_clear_stop_lets_it_be_used_again():
    coord = tf.train.Coordinator()
    coord.request_stop(ValueError("once"))
    coord.clear_stop()
    assert not coord.should_stop()
    assert not coord.joined
    coord.join([started(lambda: None)])


def test_a_thread_that_does_not_stop_in_its_grace_period_is_named():
    coord = tf.train.Coordinator()
    release = threading.Event()
    thread = threading.Thread(target=release.wait, name="stubborn", daemon=True)
    thread.start()
    coord.request_stop()
    with pytest.raises(RuntimeError) as caught:
        coord.join([thread], stop_grace_period_secs=0)
    assert str(caught.value).split("\n")[0] == "Coordinator stopped with threads still running: stubborn"
    coord.join([thread], stop_grace_period_secs=0, ignore_live_threads=True)
    release.set()
    thread.join()


def test_wait_for_stop_says_whether_it_was_requested():
    coord = tf.train.Coordinator()
    assert coord.wait_for_stop(0) is False
    coord.request_stop()
    assert coord.wait_for_stop() is True


def test_a_looper_calls_until_it_is_to_stop():
    coord = tf.train.Coordinator()
    calls = []

    def work(what, number=0):
        calls.append((what, number))
        if len(calls) == 3:
            coord.request_stop()

    looper = tf.train.LooperThread.loop(coord, None, target=work, args=("x",), kwargs={"number": 7})
    coord.join()
    assert calls == [("x", 7)] * 3
    assert looper.daemon
    assert not looper.is_alive()


def test_a_loopers_error_reaches_join_and_its_parts_are_called_in_order():
    coord = tf.train.Coordinator()
    calls = []

    class Looper(tf.train.LooperThread):
        def start_loop(self):
            calls.append("start")

        def run_loop(self):
            calls.append("run")
            if len(calls) == 3:
                coord.request_stop()

        def stop_loop(self):
            calls.append("stop")
            raise ValueError("at the end")

    Looper(coord, 0).start()
    coord.join()  # stopped before the error came: it has nobody to go to but is not raised twice
    assert calls == ["start", "run", "run", "stop"]

    coord = tf.train.Coordinator()
    tf.train.LooperThread.loop(coord, None, target=lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        coord.join()


def test_bad_loopers_are_refused():
    with pytest.raises(ValueError, match=r"^'coord' argument must be a Coordinator: 3"):
        tf.train.LooperThread(3, 1.0)
    with pytest.raises(ValueError, match=r"^'args' and 'kwargs' argument require"):
        tf.train.LooperThread(tf.train.Coordinator(), 1.0, args=(1,))


def test_the_parameters_are_tfs():
    assert list(inspect.signature(tf.train.Coordinator.join).parameters) == [
        "self", "threads", "stop_grace_period_secs", "ignore_live_threads",
    ]  # fmt: skip
    looper = inspect.signature(tf.train.LooperThread)
    assert list(looper.parameters) == ["coord", "timer_interval_secs", "target", "args", "kwargs"]
