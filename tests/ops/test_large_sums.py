"""Sums over many elements equal plain addition, also where a product with ones computes them faster."""

import itertools
import math

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.ops.reduce import summed

SHAPES = [
    (5000,), (1, 5000), (5000, 1), (70_001,), (300, 301), (40, 1, 300), (3, 70_000), (70_000, 3), (7, 31, 41), (2, 3, 5, 301),
    (70_001, 1), (1, 70_001, 1),  # axes of size 1 stay where all others are summed
]  # fmt: skip


def axes_of(rank):
    return [axes for count in range(rank + 1) for axes in itertools.combinations(range(rank), count)]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex64"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sums_over_every_choice_of_axes_equal_numpys(shape, dtype):
    integers = np.random.default_rng(1).integers(-8, 9, shape)  # exact in any order of addition
    for array in (integers.astype(dtype), integers.astype(dtype).T, integers.astype(dtype)[::-1]):
        for axes, keep in itertools.product(axes_of(array.ndim), [False, True]):
            total = summed(array, axes, keep)
            expected = array.sum(axis=axes, keepdims=keep, dtype=dtype)
            assert type(total) is type(expected)
            assert (total.dtype, total.shape) == (expected.dtype, expected.shape)
            np.testing.assert_array_equal(total, expected)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_rounding_is_no_worse_than_numpys_by_much(shape):
    array = np.random.default_rng(2).random(shape, "float32")
    for axes in axes_of(len(shape)):
        exact = array.astype("float64").sum(axis=axes)
        count = math.prod(shape[i] for i in axes)
        np.testing.assert_allclose(summed(array, axes), exact, rtol=1e-6 + 2e-10 * count)


def test_nan_and_infinity_stay_in_their_row():
    given = np.ones((4, 5000), "float32")
    given[0, 7], given[1, 8], given[2, 9], given[2, 10] = np.inf, np.nan, np.inf, -np.inf
    x = tf.constant(given)
    with tf.Session() as session:
        rows, mean, columns = session.run([tf.reduce_sum(x, 1), tf.reduce_mean(x, 1), tf.reduce_sum(x, 0)])
    np.testing.assert_array_equal(rows, [np.inf, np.nan, np.nan, 5000])
    np.testing.assert_array_equal(mean, [np.inf, np.nan, np.nan, 1])
    assert np.flatnonzero(~np.isfinite(columns)).tolist() == [7, 8, 9, 10]
