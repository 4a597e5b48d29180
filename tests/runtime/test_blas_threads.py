"""A session honours intra_op_parallelism_threads, and the library has its own number of threads again afterwards."""

import multiprocessing

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
