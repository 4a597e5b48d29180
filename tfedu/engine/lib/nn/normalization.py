"""Normalisation: `batch_normalization`, `fused_batch_norm`, `lrn`, as in TF 1.15. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...ops import batch_norm as ops
from ...ops import local_response
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..math import math

lrn = local_response_normalization = local_response.lrn


@atomic
def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: Any,
    variance_epsilon: float,
    name: str | None = None,
) -> Tensor:
    """(x - mean) / sqrt(variance + variance_epsilon) · scale + offset: x [n, ..., c], the others [c]; offset, scale
    may be None.
    """
    with named(name, "batchnorm", [v for v in (x, mean, variance, scale, offset) if v is not None]):
        x = convert_to_tensor(x)
        inverse = math.rsqrt(variance + variance_epsilon)
        if scale is not None:
            inverse = inverse * scale
        scaled = x * math.cast(inverse, x.dtype)
        shift = -mean * inverse if offset is None else offset - mean * inverse
        normalized: Tensor = scaled + math.cast(shift, x.dtype)
        return normalized


def batch_norm_with_global_normalization(
    t: Any = None,
    m: Any = None,
    v: Any = None,
    beta: Any = None,
    gamma: Any = None,
    variance_epsilon: Any = None,
    scale_after_normalization: Any = None,
    name: str | None = None,
    input: Any = None,
    mean: Any = None,
    variance: Any = None,
) -> Tensor:
    """`batch_normalization` of t [n, h, w, c] with offset beta and, if scale_after_normalization, scale gamma, all [c].

    input, mean, variance: other names of t, m, v.
    """
    t, m, v = renamed("input", input, "t", t), renamed("mean", mean, "m", m), renamed("variance", variance, "v", v)
    return batch_normalization(t, m, v, beta, gamma if scale_after_normalization else None, variance_epsilon, name)


_LEAST_EPSILON = 1.001e-5  # as in TF, where cuDNN computes with no smaller one


@atomic
def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """(y, mean, variance): y = (x - mean) / sqrt(variance + epsilon) · scale + offset for each channel of x [n, h, w, c].

    In training mean and variance are those of x, and the returned variance is unbiased; in inference they are given [c].
    Raises: ValueError for a mean or variance in training, and for vectors that are not [c].
    """
    x = convert_to_tensor(x, name="input")
    scale, offset = convert_to_tensor(scale, name="scale"), convert_to_tensor(offset, name="offset")
    if is_training and (mean is not None or variance is not None):
        raise ValueError(error_text("Both 'mean' and 'variance' must be None if is_training is True."))
    mean = constant([]) if mean is None else mean
    variance = constant([]) if variance is None else variance
    y, batch_mean, batch_variance, *_ = ops.fused_batch_norm_v3(
        x, scale, offset, mean, variance, epsilon=max(epsilon, _LEAST_EPSILON), data_format=data_format,
        is_training=is_training, name=name,
    )  # fmt: skip
    return y, batch_mean, batch_variance


__all__ = [
    "batch_norm_with_global_normalization", "batch_normalization", "fused_batch_norm", "local_response_normalization", "lrn",
]  # fmt: skip
