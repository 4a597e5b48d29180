"""The k largest elements of a row equal those of a full sort, with equal elements, infinities and signed zeros."""

import numpy as np
import pytest

import tfedu as tf

DRAWS = {
    "floats": lambda rng, shape: rng.standard_normal(shape, "f"),
    "few values": lambda rng, shape: rng.integers(0, 5, shape).astype("f"),
    "bytes": lambda rng, shape: rng.integers(-128, 128, shape).astype("i1"),
    "unsigned": lambda rng, shape: rng.integers(0, 256, shape).astype("u1"),
    "special": lambda rng, shape: rng.choice(np.array([0.0, -0.0, np.inf, -np.inf, 1.0]), shape),
}


@pytest.mark.parametrize("draw", DRAWS)
def test_the_largest_elements_are_those_of_a_full_sort(draw):
    rng = np.random.default_rng(len(draw))
    with tf.Graph().as_default(), tf.Session() as session:
        for length in (1, 15, 16, 17, 100, 333):
            rows = DRAWS[draw](rng, (5, length))
            # A stable sort of the reversed row, read from its end: of equal elements the first comes first.
            whole = length - 1 - np.argsort(rows[:, ::-1], axis=-1, kind="stable")[:, ::-1]
            x = tf.constant(rows)
            for k in {0, 1, length // 32, length // 8, length // 8 + 1, length}:
                values, places = session.run(tf.nn.top_k(x, k))
                assert np.array_equal(places, whole[:, :k]), (length, k)
                np.testing.assert_array_equal(values, np.take_along_axis(rows, whole[:, :k], -1))
