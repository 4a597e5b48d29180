"""A session honours intra_op_parallelism_threads, and the library has its own number of threads again afterwards."""

import multiprocessing
import os
from time import process_time

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
@pytest.mark.filterwarnings("ignore:os.fork.* was called.*JAX:RuntimeWarning")  # JAX, which other tests have loaded
def test_a_process_forked_in_a_block_has_the_librarys_own_number():
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    with blas_threads.limited(1):
        child = context.Process(target=_in_a_child, args=(queue,))
        child.start()
    assert queue.get(timeout=60) == (1, 2)
    child.join()


CORES = 4
LOAD = {"nothing": (0.0, 1.0), "a task now and then": (0.35, 1.0), "one": (1.0, 1.0), "one, against all of ours": (0.75, 3.25),
        "three": (3.0, 1.0), "three, against all of ours": (2.0, 2.0), "a crowd": (3.8, 0.2)}  # fmt: skip


def _looks(monkeypatch, cores, loads):
    """A machine with that many cores; between two looks others use this much of it, and this process that much."""
    looks, clock = [blas_threads._Look(0.0, dict.fromkeys(range(cores), 0.0), dict.fromkeys(range(cores), 0.0), 0.0)], [0.0]
    for others, own in loads:
        _, idle, ticks, used = looks[-1]
        rest = (cores - others - own) / cores
        looks.append(blas_threads._Look(
            float(len(looks)), {k: v + rest for k, v in idle.items()}, {k: v + 1.0 for k, v in ticks.items()}, used + own
        ))  # fmt: skip
    left = iter(looks)
    monkeypatch.setattr(blas_threads, "_look", lambda: next(left))
    monkeypatch.setattr(blas_threads, "monotonic", lambda: clock.append(clock[-1] + 1.0) or clock[-1])
    idle = blas_threads._IdleCores()
    monkeypatch.setattr(blas_threads, "_idle", idle)
    return idle


@pytest.mark.parametrize(("load", "free"), [*zip(LOAD, [4, 4, 3, 3, 1, 2, 1])])
def test_idle_cores_are_those_that_others_left(monkeypatch, load, free):
    assert _looks(monkeypatch, CORES, [LOAD[load]]).count() == free


def test_a_load_that_has_gone_is_forgotten_with_the_next_look(monkeypatch):
    idle = _looks(monkeypatch, CORES, [LOAD[load] for load in ("three", "nothing", "one", "nothing", "nothing")])
    assert [idle.count() for _ in range(5)] == [1, 4, 3, 4, 4]


def test_between_two_looks_the_last_answer_holds(monkeypatch):
    idle = _looks(monkeypatch, CORES, [LOAD["one"]])
    assert idle.count() == 3
    monkeypatch.setattr(blas_threads, "monotonic", lambda: 1.0 + idle.SECONDS / 2)
    assert [idle.count() for _ in range(3)] == [3] * 3


def test_a_system_that_does_not_tell_is_asked_once(monkeypatch):
    monkeypatch.setattr(blas_threads, "_look", iter([None]).__next__)
    idle = blas_threads._IdleCores()
    assert [idle.count() for _ in range(3)] == [None] * 3


def test_a_system_whose_counters_stand_still_does_not_tell(monkeypatch):
    still = blas_threads._Look(0.0, {0: 0.0, 1: 0.0}, {0: 0.0, 1: 0.0}, 0.0)
    monkeypatch.setattr(blas_threads, "_look", iter([still, still._replace(time=1.0, used=1.0)]).__next__)
    idle = blas_threads._IdleCores()
    monkeypatch.setattr(blas_threads, "monotonic", lambda: 1.0)
    assert [idle.count() for _ in range(3)] == [None] * 3


@pytest.mark.skipif(not os.path.exists("/proc/stat"), reason="this system does not tell how long its cores idle")
def test_a_look_at_this_system_counts_the_cores_of_this_process_and_its_own_work():
    first = blas_threads._look()
    begin = process_time()
    while process_time() < begin + 0.05:
        pass
    second = blas_threads._look()
    assert set(first.idle) <= os.sched_getaffinity(0)
    assert second.used >= first.used + 0.05
    assert all(seconds >= first.idle[core] - 0.02 for core, seconds in second.idle.items())


def test_a_run_with_a_large_product_takes_idle_cores_alone(monkeypatch, two_threads):
    """A small one takes what it finds, because the library does not divide it; so does a run without products."""
    factor = tf.placeholder(tf.float32, [None, 80])
    told = tf.py_func(two_threads, [], tf.int64)
    with tf.Session() as sess:
        for rows in (1, 1, 1):
            _looks(monkeypatch, 2, [(1.0, 1.0)] * 3)
            feed = {factor: np.ones((rows, 80), np.float32)}
            assert sess.run([told, tf.matmul(factor, tf.ones([80, 80]))], feed)[0] == 1
            small = tf.matmul(tf.ones([3, 3]), tf.ones([3, 3]))
            assert sess.run([told, small])[0] == sess.run(told) == 2
        again = [told, tf.matmul(factor, tf.ones([80, 80]))]
        _looks(monkeypatch, 2, [(1.0, 1.0)] * 4)
        assert [sess.run(again, feed)[0] for _ in range(4)] == [1] * 4
        _looks(monkeypatch, 2, [(0.0, 1.0)] * 4)
        assert [sess.run(again, feed)[0] for _ in range(4)] == [2] * 4
        assert two_threads() == 2
