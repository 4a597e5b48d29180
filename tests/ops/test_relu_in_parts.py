"""Relu computes large arrays in blocks: it misses no element, and only the sign of an element matters."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.backends.repeated import KEPT


@pytest.mark.parametrize("shape", [(0, 3), (5,), (KEPT,), (KEPT + 1,), (3, KEPT - 5)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("turned", [False, True])
def test_relu_gives_the_larger_of_each_element_and_zero(shape, dtype, turned):
    given = (np.random.default_rng(1).normal(size=shape) * 9).astype(dtype)
    if given.size and given.dtype.kind == "f":
        given.flat[:: max(given.size // 7, 1)] = np.nan
        given.flat[-1] = -np.inf
    before, larger = given.copy(), np.where(given < 0, 0, given)
    x = tf.placeholder(dtype, shape)
    y = tf.nn.relu(tf.transpose(x) + 0 if turned else x + 0)  # its input is written into again
    with tf.Session() as session:
        for _ in range(3):
            got = session.run(y, {x: given})
            np.testing.assert_array_equal(got, larger.T if turned else larger)
    np.testing.assert_array_equal(given, before)
