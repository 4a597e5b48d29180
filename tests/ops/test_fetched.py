"""Fetched arrays belong to the caller: writing into one changes no later run, whichever op computed it."""

import math

import cases
import harness
import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.backends import blas

FAMILIES = cases.load()


def scribble(values):
    """Overwrites every array that can be overwritten."""
    for value in values:
        if isinstance(value, np.ndarray) and value.flags.writeable and value.size:
            value[...] = b"scribbled" if value.dtype == object else np.zeros((), value.dtype)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_fetched_array_belongs_to_the_caller(family):
    for key, row in FAMILIES[family].items():
        with tf.Graph().as_default():
            fed = [tf.placeholder(cases.dtype_of(tf, i), i.shape) for i in row.inputs]
            built = harness.attempt(lambda row=row, fed=fed: row.call(tf, *fed))
            if isinstance(built, harness.Failure):
                continue
            several = built if isinstance(built, (list, tuple)) else [built]
            outputs = [t for t in several if isinstance(t, tf.Tensor) and t not in fed]
            stateful = any(op.definition.stateful for op in tf.get_default_graph().get_operations() if op.definition)
            feed = dict(zip(fed, [i.copy() for i in row.inputs], strict=True))
            with tf.Session() as session:
                for _ in range(2):  # the second run is compiled
                    first = harness.attempt(lambda o=outputs, f=feed, s=session: s.run(o, f))
                if isinstance(first, harness.Failure):
                    continue
                expected = harness.encode(tf, first)
                scribble(first)
                assert all(np.array_equal(feed[p], i, equal_nan=i.dtype.kind in "fc") for p, i in zip(fed, row.inputs)), key
                if not stateful:
                    assert harness.encode(tf, session.run(outputs, feed)) == expected, key


@pytest.mark.parametrize("library", ["NumPy's", "none"])
@pytest.mark.parametrize("dtype", [tf.float32, tf.int32, tf.float64, tf.complex64])
@pytest.mark.parametrize("shape", [(300, 301), (256, 1024), (1, 70_000), (70_000, 3), (3, 150, 160), (2, 2, 128, 129)])
def test_a_large_transpose_is_a_complete_copy_for_every_layout(shape, dtype, library, monkeypatch):
    if library == "none":
        monkeypatch.setattr(blas, "_omatcopy", lambda: None)
    bits = np.random.default_rng(1).integers(0, 1 << 32, math.prod(shape) * dtype.size // 4, dtype=np.uint32)
    array = bits.view(dtype.as_numpy_dtype).reshape(shape)
    if dtype == tf.float32:
        array[np.isnan(array)] = np.nan  # a signalling NaN may become a quiet one
    order = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(dtype)
        transposed = tf.transpose(x, order)
        for _ in range(2):  # the second run is compiled
            fetched = session.run(transposed, {x: array})
            assert fetched.tobytes() == array.transpose(order).tobytes()
            assert fetched.flags.c_contiguous
            assert fetched.flags.owndata


def test_a_part_of_a_matrix_is_transposed_alone():
    matrix = np.arange(90_000, dtype=np.float32).reshape(300, 300)
    for part in (matrix[:, 7:290], matrix[3:200], matrix[::-1], matrix[:, ::2], matrix[::2, 10:]):
        copy = blas.transposed(part.T)
        assert copy is None or np.array_equal(copy, part.T)
    assert (blas.transposed(matrix[:, 7:290].T) is None) == (blas._omatcopy() is None)
