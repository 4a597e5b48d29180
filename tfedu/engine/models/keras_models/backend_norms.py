"""tf.keras.backend: normalization of batches, as layers write it. No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.nn import normalization
from ...lib.nn.moments import moments
from ...op.constant import constant


@atomic
def batch_normalization(
    x: Any, mean: Any, var: Any, beta: Any, gamma: Any, axis: int = -1, epsilon: float = 1e-3
) -> Any:
    """(x - mean) / √(var + epsilon) · gamma + beta, for each channel of x [...]; beta and gamma may be None.

    axis: that of the channels; images [n, h, w, c] or [n, c, h, w] are normalized by one op.
    """
    if x.shape.ndims == 4 and axis in (-1, 1, 3):
        mean, var, beta, gamma = (_as_vector(each) for each in (mean, var, beta, gamma))
        beta = array.zeros_like(mean) if beta is None else beta
        gamma = array.ones_like(mean) if gamma is None else gamma
        form = "NCHW" if axis == 1 else "NHWC"
        y, _, _ = normalization.fused_batch_norm(x, gamma, beta, mean, var, epsilon, form, is_training=False)
        return y
    return normalization.batch_normalization(x, mean, var, beta, gamma, epsilon)


def _as_vector(x: Any) -> Any:
    """x [...] as [c]; None stays None."""
    return array.reshape(x, [-1]) if x is not None and x.shape.ndims is not None and x.shape.ndims > 1 else x


@atomic
def normalize_batch_in_training(
    x: Any, gamma: Any, beta: Any, reduction_axes: Any, epsilon: float = 1e-3
) -> tuple[Any, Any, Any]:
    """(the normalized x [...], its mean and its variance along the axes); beta and gamma may be None."""
    rank, axes = x.shape.ndims, list(reduction_axes)
    if rank == 4 and axes == [0, 1, 2]:
        size = [x.shape.as_list()[3]]
        gamma = constant(1.0, dtype=x.dtype.base_dtype, shape=size) if gamma is None else gamma
        beta = constant(0.0, dtype=x.dtype.base_dtype, shape=size) if beta is None else beta
        return normalization.fused_batch_norm(x, gamma, beta, epsilon=epsilon, data_format="NHWC")
    mean, variance = moments(x, axes, keep_dims=False)
    found = [mean, variance, gamma, beta]
    if sorted(axes) != list(range(rank - 1)):
        sizes = array.stack([1 if each in axes else array.shape(x)[each] for each in range(rank)])
        found = [None if each is None else array.reshape(each, sizes) for each in found]
    normed = normalization.batch_normalization(x, found[0], found[1], found[3], found[2], epsilon)
    return normed, mean, variance


__all__ = ["batch_normalization", "normalize_batch_in_training"]
