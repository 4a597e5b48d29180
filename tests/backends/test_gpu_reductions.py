"""Mean, norm and sum of squares of a GPU, compiled for the host: NumPy's results over any axes, in one launch."""

import host_compiler
import numpy as np
import pytest
import strict_arrays as strict
from stand_in_gpu import on_both, raw

import tfedu as tf
from tfedu.engine.backends import gpu_reductions
from tfedu.engine.backends.cupy import Gpu
from tfedu.engine.op.definition import REGISTRY
from tfedu.engine.ops import gpu_kernels

pytestmark = host_compiler.needs_compiler


@pytest.fixture(scope="module")
def reductions():
    return gpu_reductions.Reductions(Gpu(strict.xp, strict.Strict, strict.wrap, lambda a: a.host, raw=raw))


def run(reductions, type, array, axes=None, keep=False):
    """What the kernel of a GPU gives, and what NumPy gives in float64."""

    def otherwise(*_, **__):
        raise AssertionError("the kernel of reductions was not used")

    rest, attrs = ((), {}) if axes is None else ((np.array(axes, np.int32),), {"keep_dims": keep})
    got = gpu_kernels.REDUCTIONS[type](reductions, otherwise)(strict.xp, strict.wrap(array), *rest, **attrs)
    with np.errstate(all="ignore"):
        expected = np.asarray(REGISTRY[type].kernel(np, array.astype(np.float64), *rest, **attrs))
    assert got.dtype == array.dtype
    assert got.shape == expected.shape
    np.testing.assert_allclose(got.host, expected, rtol=2e-5 if array.dtype == np.float32 else 1e-12, atol=1e-6)


FORMS = [
    ((7,), (0,)), ((3, 5), (1,)), ((3, 5), (0,)), ((3, 5), ()), ((2, 3, 4), (0, 2)), ((2, 1, 4, 3), (0, 2)), ((1, 6, 1), (0, 2)),
    ((300, 2), (1,)), ((600, 40), (0,)),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "axes"), FORMS)
def test_axes_of_all_kinds(reductions, shape, axes):
    array = np.random.RandomState(0).randn(*shape)
    for keep in (False, True):
        run(reductions, "Mean", array.astype(np.float32), axes, keep)
    run(reductions, "EuclideanNorm", array, axes)


@pytest.mark.parametrize("shape", [(9_001,), (2, 2_101, 3)])
def test_several_blocks_share_a_long_sum_and_leave_the_counters_at_0(reductions, shape):
    array = np.random.RandomState(1).randn(*shape).astype(np.float32)
    for _ in range(2):
        run(reductions, "EuclideanNorm", array, (len(shape) // 2,))
    run(reductions, "L2Loss", array)
    assert not reductions._counters.host.any()


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf, 1e30])
def test_strange_numbers(reductions, strange):
    array = np.ones((3, 40), np.float64)
    array[1, 35] = strange
    for type in ("Mean", "EuclideanNorm"):
        run(reductions, type, array, (1,))
    run(reductions, "L2Loss", array)


def test_scalars_and_transposed_arrays(reductions):
    run(reductions, "L2Loss", np.float32(3).reshape(()))
    run(reductions, "Mean", np.float32(3).reshape(()), ())
    run(reductions, "Mean", np.random.RandomState(2).randn(4, 5, 6).astype(np.float32).T, (0, 1))


def test_a_session_launches_one_kernel_each_and_leaves_the_rest_to_the_other_kernels(fusing_gpu):
    def make():
        x = tf.placeholder(tf.float32, [None, 6])
        squares = tf.nn.l2_loss(x)
        mean, norm = tf.reduce_mean(x), tf.raw_ops.EuclideanNorm(input=x, axis=1)
        results = [squares, norm, mean, *tf.gradients(mean + squares, x)]
        results += [tf.reduce_mean(tf.cast(x, tf.float16)), tf.reduce_mean(tf.cast(x, tf.int64)), tf.reduce_mean(x[:0])]
        return results, {x: np.random.RandomState(0).randn(3, 6)}

    on_cpu, on_gpu = on_both(make, runs=1)
    for value, expected in zip(on_gpu[0], on_cpu[0]):
        np.testing.assert_allclose(value, expected, rtol=2e-3 if expected.dtype == np.float16 else 1e-5, atol=1e-6)
    found = [text for text in fusing_gpu.sources if gpu_reductions.NAME in text]
    assert len(found) == 3
