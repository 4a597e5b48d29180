"""Softmax and the cross entropies of a GPU, compiled for the host: NumPy's results, NaN and infinite numbers included."""

import host_compiler
import numpy as np
import pytest
import strict_arrays as strict
from stand_in_gpu import on_both, raw

import tfedu as tf
from tfedu.engine.backends import row_kernels
from tfedu.engine.backends.cupy import Gpu
from tfedu.engine.backends.row_kernels import RowKernels
from tfedu.engine.op.definition import REGISTRY
from tfedu.engine.ops import gpu_kernels

pytestmark = host_compiler.needs_compiler


@pytest.fixture(scope="module")
def rows():
    return RowKernels(Gpu(strict.xp, strict.Strict, strict.wrap, lambda a: a.host, raw=raw))


def run(rows, type, *values):
    """What the kernel of a GPU gives, and what NumPy gives."""

    def otherwise(xp, *values):
        raise AssertionError("the kernel of rows was not used")

    got = gpu_kernels.ROWS[type](rows, otherwise)(strict.xp, *map(strict.wrap, values))
    with np.errstate(all="ignore"):
        expected = REGISTRY[type].kernel(np, *values)
    return ([got], [expected]) if isinstance(got, strict.Strict) else (got, expected)


def assert_close(got, expected):
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one.host, other, rtol=2e-5 if other.dtype == np.float32 else 1e-12, atol=1e-6)


SHAPES = [(3, 1), (4, 10), (2, 32), (5, 33), (2, 300), (1, 1000)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_rows_of_any_length(rows, shape, dtype):
    draw = np.random.RandomState(0)
    logits, labels = (draw.randn(*shape) * 5).astype(dtype), draw.rand(*shape).astype(dtype)
    for type in ("Softmax", "LogSoftmax"):
        assert_close(*run(rows, type, logits))
    assert_close(*run(rows, "SoftmaxCrossEntropyWithLogits", logits, labels))
    for kind in (np.int32, np.int64):
        assert_close(*run(rows, "SparseSoftmaxCrossEntropyWithLogits", logits, draw.randint(0, shape[1], shape[0]).astype(kind)))


def test_blocks_take_several_rows_where_there_are_more_than_a_launch_may_have(rows, monkeypatch):
    monkeypatch.setattr(row_kernels, "_MOST_BLOCKS", 2)
    draw = np.random.RandomState(0)
    logits, labels = draw.randn(5, 40).astype(np.float32), draw.rand(5, 40).astype(np.float32)
    for type in ("Softmax", "LogSoftmax"):
        assert_close(*run(rows, type, logits))
    assert_close(*run(rows, "SoftmaxCrossEntropyWithLogits", logits, labels))
    assert_close(*run(rows, "SparseSoftmaxCrossEntropyWithLogits", logits, draw.randint(0, 40, 5)))


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf, 1e30, -1e30])
def test_strange_numbers(rows, strange):
    logits = np.ones((3, 40), np.float32)
    logits[1, 35] = strange
    labels = np.eye(40, dtype=np.float32)[[3, 35, 7]]
    for type in ("Softmax", "LogSoftmax"):
        assert_close(*run(rows, type, logits))
    assert_close(*run(rows, "SoftmaxCrossEntropyWithLogits", logits, labels))
    assert_close(*run(rows, "SparseSoftmaxCrossEntropyWithLogits", logits, np.array([3, 35, 7])))
    assert_close(*run(rows, "Softmax", np.full((2, 5), -np.inf, np.float32)))


def test_a_class_that_does_not_exist_gives_nan_in_its_row_alone(rows):
    logits = strict.wrap(np.arange(12, dtype=np.float32).reshape(3, 4))
    loss, backprop = rows.sparse_cross_entropy(logits, strict.wrap(np.array([1, 4, -1])))
    assert np.isnan(loss.host).tolist() == [False, True, True]
    assert np.isnan(backprop.host).all(axis=1).tolist() == [False, True, True]


def test_tensors_of_more_axes_and_transposed_ones(rows):
    logits = np.random.RandomState(1).randn(2, 3, 4, 5).astype(np.float32)
    assert_close(*run(rows, "Softmax", logits))
    assert_close(*run(rows, "LogSoftmax", logits.T))


def test_sessions_use_them_and_leave_the_rest_to_the_other_kernels(fusing_gpu):
    def make():
        draw = np.random.RandomState(0)
        x = tf.placeholder(tf.float32, [None, 6])
        half = tf.nn.softmax(tf.cast(x, tf.float16))
        costs = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0, 5], logits=x)
        dense = tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.nn.softmax(x * 2.0), logits=x)
        repeated = tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=x, labels=tf.ones([1, 6]) / 6.0)[0]
        total = tf.reduce_mean(costs) + tf.reduce_mean(dense)
        results = [total, half, repeated, tf.nn.log_softmax(x), tf.nn.softmax(x[:0]), *tf.gradients(total, x)]
        return results, {x: draw.randn(3, 6)}

    on_cpu, on_gpu = on_both(make)
    for one, other in zip(on_cpu, on_gpu):
        for value, expected in zip(other, one):
            np.testing.assert_allclose(value, expected, rtol=2e-3 if expected.dtype == np.float16 else 1e-5, atol=1e-6)
    assert len([text for text in fusing_gpu.sources if "tfedu_rows" in text]) == 4


def test_bad_shapes_are_refused_as_on_the_cpu(fusing_gpu):
    x, labels = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    loss = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=labels)[0]
    with tf.Session() as session:
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="labels must be 1-D"):
                session.run(loss, {x: np.ones((2, 3)), labels: [[1], [2]]})
            with pytest.raises(tf.errors.InvalidArgumentError, match="the same first dimension"):
                session.run(loss, {x: np.ones((2, 3)), labels: [1]})
        assert session.run(loss, {x: np.zeros((2, 3)), labels: [1, 2]}).tolist() == pytest.approx([np.log(3)] * 2)
