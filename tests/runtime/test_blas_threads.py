"""A session honours intra_op_parallelism_threads, and the library has its own number of threads again afterwards."""

import multiprocessing
import os

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.backends import blas_threads

FUNCTIONS = blas_threads._functions()


@pytest.fixture(autouse=True)
def two_threads():
    """NumPy's library with two threads, as on a machine with two cores."""
    if FUNCTIONS is None:
        pytest.skip("this NumPy does not bring OpenBLAS")
    set_number, number = FUNCTIONS
    before = number()
    set_number(2)
    yield number
    assert number() == 2
    set_number(before)


@pytest.mark.parametrize(("asked", "seen"), [(1, 1), (2, 2), (7, 2), (0, 2)])
def test_a_session_honours_intra_op_parallelism_threads(asked, seen, two_threads):
    told = tf.py_func(two_threads, [], tf.int64)
    with tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=asked)) as sess:
        assert [sess.run(told) for _ in range(4)] == [seen] * 4
        assert two_threads() == 2
        failing = tf.py_func(lambda: 1 / 0, [], tf.float64)
        for _ in range(3):
            with pytest.raises(tf.errors.UnknownError):
                sess.run(failing)
            assert two_threads() == 2


def test_the_least_of_several_bounds_holds(two_threads):
    with blas_threads.limited(2):
        with blas_threads.limited(1):
            assert two_threads() == 1
            with blas_threads.limited(2):
                assert two_threads() == 1
        assert two_threads() == 2


def _in_a_child(queue):
    with blas_threads.limited(1):
        inside = FUNCTIONS[1]()
    queue.put((inside, FUNCTIONS[1]()))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*:DeprecationWarning")
def test_a_process_forked_in_a_block_has_the_librarys_own_number():
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    with blas_threads.limited(1):
        child = context.Process(target=_in_a_child, args=(queue,))
        child.start()
    assert queue.get(timeout=60) == (1, 2)
    child.join()


def _looks(monkeypatch, cores, others):
    """A machine with that many cores, on which that many threads of other processes run at each look."""
    idle, found = blas_threads._IdleCores(), iter(others)
    idle.SECONDS_BETWEEN = 0.0
    monkeypatch.setattr(blas_threads, "_cores", lambda: cores)
    monkeypatch.setattr(blas_threads, "_running_elsewhere", lambda: next(found))
    monkeypatch.setattr(blas_threads, "_idle", idle)
    return idle


def test_idle_cores_are_those_that_the_busiest_of_the_last_looks_left(monkeypatch):
    idle = _looks(monkeypatch, 4, [0, 1, 9, 0, 0, 0, 0, 0])
    assert [idle.count() for _ in range(8)] == [4, 3, 1, 1, 1, 1, 1, 4]


def test_a_system_that_does_not_tell_is_asked_once(monkeypatch):
    idle = _looks(monkeypatch, 4, [None])
    assert [idle.count() for _ in range(3)] == [None] * 3


@pytest.mark.skipif(not os.path.exists("/proc/loadavg"), reason="this system does not tell how many threads run")
def test_threads_of_this_process_do_not_count_as_others(monkeypatch):
    monkeypatch.setattr(os, "listdir", lambda folder: [])
    with_own = blas_threads._running_elsewhere()
    monkeypatch.undo()
    others = [blas_threads._running_elsewhere() for _ in range(20)]
    assert with_own is None or with_own >= 1
    assert all(other is None or other >= 0 for other in others)


def test_a_run_with_a_large_product_takes_idle_cores_alone(monkeypatch, two_threads):
    """A small one takes what it finds, because the library does not divide it; so does a run without products."""
    factor = tf.placeholder(tf.float32, [None, 80])
    told = tf.py_func(two_threads, [], tf.int64)
    with tf.Session() as sess:
        for rows in (1, 1, 1):
            _looks(monkeypatch, 2, [1] * 3)
            feed = {factor: np.ones((rows, 80), np.float32)}
            assert sess.run([told, tf.matmul(factor, tf.ones([80, 80]))], feed)[0] == 1
            small = tf.matmul(tf.ones([3, 3]), tf.ones([3, 3]))
            assert sess.run([told, small])[0] == sess.run(told) == 2
        again = [told, tf.matmul(factor, tf.ones([80, 80]))]
        _looks(monkeypatch, 2, [1] * 4)
        assert [sess.run(again, feed)[0] for _ in range(4)] == [1] * 4
        _looks(monkeypatch, 2, [0] * 4)
        assert [sess.run(again, feed)[0] for _ in range(4)] == [2] * 4
        assert two_threads() == 2
