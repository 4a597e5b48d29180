"""Products of matrices are the same with any number of threads, and leave the library's own number as it was."""

import multiprocessing
import threading

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.backends import product_threads

FUNCTIONS = product_threads._functions()


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


def matrices(m, k, n, dtype=np.float32):
    rng = np.random.default_rng(m * k + n)
    return rng.normal(size=(m, k)).astype(dtype), rng.normal(size=(k, n)).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "shape", [(300, 300, 300), (301, 257, 211), (5, 1500, 1501), (2000, 70, 70), (1, 3000, 3000), (3000, 3000, 1)]
)
def test_a_divided_product_is_the_product(shape, dtype):
    left, right = matrices(*shape, dtype)
    assert np.prod(shape) >= product_threads.LARGE
    for a, b in ((left, right), (np.asfortranarray(left), np.asfortranarray(right))):
        got = product_threads.product(a, b)
        assert (got.dtype, got.shape) == (dtype, (shape[0], shape[2]))
        np.testing.assert_allclose(got, left.astype(np.float64) @ right, rtol=1e-3, atol=1e-3 if dtype == np.float32 else 1e-9)
        assert np.array_equal(got, product_threads.product(a, b))


def test_products_use_one_thread_of_the_library(two_threads, monkeypatch):
    seen = []
    multiplied = np.matmul
    monkeypatch.setattr(product_threads.np, "matmul", lambda *args: (seen.append(two_threads()), multiplied(*args))[1])
    product_threads.product(*matrices(256, 256, 256))
    assert seen == [1, 1]


def test_the_number_is_the_librarys_own_again_after_a_failure_and_after_products_in_several_threads(two_threads, monkeypatch):
    def failing(*args):
        raise MemoryError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(product_threads.np, "matmul", failing)
        with pytest.raises(MemoryError, match="no room"):
            product_threads.product(*matrices(256, 256, 256))
    assert two_threads() == 2
    workers = [
        threading.Thread(target=lambda: [product_threads.product(*matrices(100, 100, 100)) for _ in range(20)]) for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert two_threads() == 2


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
    with product_threads.limited(2):
        with product_threads.limited(1):
            assert two_threads() == 1
            with product_threads.limited(2):
                assert two_threads() == 1
        assert two_threads() == 2


def _in_a_child(queue):
    queue.put(float(product_threads.product(*matrices(256, 256, 256)).sum()))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*:DeprecationWarning")
def test_a_forked_process_multiplies_too():
    here = float(product_threads.product(*matrices(256, 256, 256)).sum())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_a_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == here
    child.join()
