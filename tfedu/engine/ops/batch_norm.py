"""Batch normalisation: FusedBatchNorm in its three versions, and their gradients of first and second order. No state.

It takes images x [n, h, w, c] (NCHW: [n, c, h, w]) as n · h · w samples of c channels:

    y = x̂ · scale + offset,   x̂ = (x - mean) · rsqrt(variance + epsilon)

In training the mean and variance [c] are those of the samples, in inference they are inputs.
Source: Ioffe and Szegedy, 2015.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Sym, op, typevar
from ..op.shape_checks import invalid, kinds, of_rank, same, text_of
from ..op.windows import layout_of
from .reduce import summed

Format = Literal["NHWC", "NCHW"]
Single = typevar("T", kinds("float"))
Narrow = typevar("T", kinds("half bfloat16 float"))
Statistic = typevar("U", kinds("float"))


# -- statistics of the channels --------------------------------------------------------------------------------------------


class _Rows:
    """Images in the form that combines fastest with vectors of channels: [n · h, w · c], NCHW as [n, c, h · w].

    NumPy's loops run along the last axis, so that it is better long: a vector is repeated for each pixel of a row.
    """

    def __init__(self, xp: Any, shape: tuple[int, ...], axis: int) -> None:
        self.xp, self.shape = xp, shape
        self.channels, self.is_last = shape[axis], axis == 3
        self.count = math.prod(shape) // max(self.channels, 1)  # samples of each channel
        across = shape[2] * shape[3]
        self.form = (shape[0] * shape[1], across) if self.is_last else (shape[0], self.channels, across)

    def of(self, image: Any) -> Any:
        """An image in float32 in that form."""
        return image.reshape(self.form).astype(np.float32, copy=False)

    def image(self, rows: Any, dtype: Any) -> Any:
        """Reshapes rows to the image's own shape, and casts them to `dtype`."""
        return rows.reshape(self.shape).astype(dtype, copy=False)

    def beside(self, vector: Any) -> Any:
        """A vector [c] in the form that broadcasts with the rows."""
        return self.xp.tile(vector, self.shape[2]) if self.is_last else vector[:, None]

    def sums(self, rows: Any) -> Any:
        """[c]: the sum of each channel."""
        if self.is_last:
            return summed(rows, (0,)).reshape(self.shape[2], self.channels).sum(axis=0)
        return summed(rows, (2,)).sum(axis=0)


def _check_ranks(images: tuple[Any, ...], vectors: dict[str, Any]) -> None:
    for image in images:
        if image.ndim != 4:
            raise invalid(f"input must be 4-dimensional{text_of(image.shape)}")
    for name, vector in vectors.items():
        if vector.ndim != 1:
            raise invalid(f"{name} must be 1-dimensional{text_of(vector.shape)}")


def _check_sizes(channels: int, vectors: dict[str, Any]) -> None:
    for name, vector in vectors.items():
        if len(vector) != channels:
            raise invalid(
                f"{name} must have the same number of elements as the channels of x, got {len(vector)} and {channels}"
            )


# -- FusedBatchNorm --------------------------------------------------------------------------------------------------------


def _normalized(
    xp: Any, x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float, axis: int, is_training: bool
) -> tuple[Any, ...]:
    """y, the mean and (unbiased) variance of the batch, and the mean and variance that x was normalised with."""
    given = {"estimated_mean": mean, "estimated_variance": variance}
    _check_ranks((x,), {"scale": scale, "offset": offset, **given})
    _check_sizes(x.shape[axis], {"scale": scale, "offset": offset})
    if not is_training:
        _check_sizes(x.shape[axis], {f"When is_training=false, {name[10:]}": v for name, v in given.items()})
    for name, vector in given.items():
        if is_training and vector.size:
            raise invalid(
                f"{name} must be empty for training{text_of(vector.shape)}",
                fix="in training the mean and variance are those of the batch: leave them out, or set is_training=False",
            )
    rows = _Rows(xp, x.shape, axis)
    wide, count = rows.of(x), np.float32(rows.count)
    if is_training:
        mean = rows.sums(wide) / count
    y = wide - rows.beside(mean)
    if is_training:
        variance = rows.sums(xp.square(y)) / count
    y *= rows.beside(scale / xp.sqrt(variance + np.float32(epsilon)))
    y += rows.beside(offset)
    unbiased = variance * (count / max(count - 1, 1)) if is_training else variance
    return rows.image(y, x.dtype), mean.copy(), unbiased.copy(), mean.copy(), variance.copy()


def _normalized_shape(
    x: Sym, scale: Sym, offset: Sym, mean: Sym, variance: Sym, *, epsilon: float, data_format: str, is_training: bool
) -> list[Shape]:
    axis = layout_of(data_format).channels
    shape = list(of_rank(x.shape, 4))
    for vector in (scale, offset) if is_training else (scale, offset, mean, variance):
        shape[axis] = same(shape[axis], of_rank(vector.shape, 1)[0])
    return [tuple(shape), *[(shape[axis],)] * 4]


_BATCH = "y batch_mean batch_variance reserve_space_1 reserve_space_2"
_FORMULA = "dx = s · r · (g - mean g - x̂ · mean(g · x̂)), ds = Σ g · x̂, db = Σ g"


@op("FusedBatchNorm", out=_BATCH, shape=_normalized_shape, fresh=True, gradient=_FORMULA)
def fused_batch_norm(
    xp: Any, x: Single, scale: Single, offset: Single, mean: Single, variance: Single, *,
    epsilon: float = 1e-4, data_format: Format = "NHWC", is_training: bool = True,
) -> tuple[Single, Single, Single, Single, Single]:  # fmt: skip
    """Batch normalisation: x [n, h, w, c], scale, offset [c] -> y [n, h, w, c], the batch's mean and unbiased variance [c], and
    two [c] that the gradient needs. mean, variance: [0] in training; [c] in inference, which returns them.

    Raises: InvalidArgumentError for vectors of another size, and for a mean or variance in training.
    Differs from TF: computes NCHW, which TF 1.15 refuses on CPUs; in inference TF leaves the last four outputs unset.
    """
    return _normalized(xp, x, scale, offset, mean, variance, epsilon, layout_of(data_format).channels, is_training)


@op("FusedBatchNormV2", out=_BATCH, shape=_normalized_shape, fresh=True, gradient=_FORMULA)
def fused_batch_norm_v2(
    xp: Any, x: Narrow, scale: Statistic, offset: Statistic, mean: Statistic, variance: Statistic, *,
    epsilon: float = 1e-4, data_format: Format = "NHWC", is_training: bool = True,
) -> tuple[Narrow, Statistic, Statistic, Statistic, Statistic]:  # fmt: skip
    """FusedBatchNorm for a narrower x, whose statistics stay float32: x [n, h, w, c], scale, offset [c] -> y [n, h, w, c], the
    batch's mean and unbiased variance [c], and two [c] that the gradient needs.

    Raises: InvalidArgumentError for vectors of another size, and for a mean or variance in training.
    """
    return _normalized(xp, x, scale, offset, mean, variance, epsilon, layout_of(data_format).channels, is_training)


@op("FusedBatchNormV3", out=f"{_BATCH} reserve_space_3", fresh=True, gradient=_FORMULA)
def fused_batch_norm_v3(
    xp: Any, x: Narrow, scale: Statistic, offset: Statistic, mean: Statistic, variance: Statistic, *,
    epsilon: float = 1e-4, data_format: Format = "NHWC", is_training: bool = True,
) -> tuple[Narrow, Statistic, Statistic, Statistic, Statistic, Statistic]:  # fmt: skip
    """FusedBatchNormV2 with one output more, which only GPUs fill, here 0: x [n, h, w, c], scale, offset [c] -> y [n, h, w, c],
    the batch's mean and unbiased variance [c], and two [c] and one scalar that the gradient needs.

    Raises: InvalidArgumentError for vectors of another size, and for a mean or variance in training.
    """
    axis = layout_of(data_format).channels
    return *_normalized(xp, x, scale, offset, mean, variance, epsilon, axis, is_training), xp.zeros((), np.float32)[()]


fused_batch_norm_v3.shape(lambda *inputs, **attrs: [*_normalized_shape(*inputs, **attrs), None])


def _of_batch_norm(op: Any, g: Any, *_: Any) -> Any:
    """The gradient of a FusedBatchNorm: a FusedBatchNormGrad of the same version."""
    x, scale = op.inputs[:2]
    is_training, layout = op.attrs["is_training"], op.attrs["data_format"]
    mean, variance = op.outputs[3:5] if is_training else op.inputs[3:5]
    is_turned = layout == "NCHW" and not is_training
    if is_turned:  # TF's kernel for inference knows NHWC alone
        layout = "NHWC"
        x, g = functions.transpose(x, [0, 2, 3, 1]), functions.transpose(g, [0, 2, 3, 1])
    version = op.type.removeprefix("FusedBatchNorm")
    reserved = [op.outputs[5]] if version == "V3" else []
    caller = getattr(nodes, f"FusedBatchNormGrad{version}")
    attrs = {"epsilon": op.attrs["epsilon"], "data_format": layout, "is_training": is_training}
    dx, ds, db, dmean, dvariance = caller(g, x, scale, mean, variance, *reserved, **attrs)
    if is_turned:
        dx = functions.transpose(dx, [0, 3, 1, 2])
    return (dx, ds, db, dmean, dvariance) if is_training else (dx, ds, db, None, None)


for _version in (fused_batch_norm, fused_batch_norm_v2, fused_batch_norm_v3):
    _version.grad(lambda op, *g: _of_batch_norm(op, *g))


# -- its gradient ----------------------------------------------------------------------------------------------------------


def _slopes(
    xp: Any, g: Any, x: Any, scale: Any, mean: Any, variance: Any, epsilon: float, axis: int, is_training: bool
) -> tuple[Any, ...]:
    """The gradients of x, scale and offset, and two empty vectors."""
    saved = {"saved mean": mean, "saved variance": variance}
    _check_ranks((g, x), {"scale": scale, **saved})
    if g.shape != x.shape:
        raise invalid(
            f"x and y_backprop must have same shape, but x has shape {text_of(x.shape)} and y_backprop has shape "
            f"{text_of(g.shape)}"
        )
    _check_sizes(x.shape[axis], {"scale": scale, "reserve_space_1": mean, "reserve_space_2": variance})
    rows = _Rows(xp, x.shape, axis)
    slopes, centered = rows.of(g), rows.of(x) - rows.beside(mean)
    inverse = np.float32(1) / xp.sqrt(variance + np.float32(epsilon))
    offset_slope = rows.sums(slopes)
    scale_slope = rows.sums(slopes * centered) * inverse
    factor = scale * inverse
    dx = slopes * rows.beside(factor)
    if is_training:
        count = np.float32(max(rows.count, 1))
        centered *= rows.beside(factor * inverse * scale_slope / count)
        dx -= centered
        dx -= rows.beside(factor * offset_slope / count)
    unused = xp.zeros(0 if is_training else len(scale), np.float32)
    return rows.image(dx, x.dtype), scale_slope, offset_slope, unused, unused.copy()


def _slopes_shape(
    y_backprop: Sym, x: Sym, scale: Sym, reserve_space_1: Sym, reserve_space_2: Sym, *_: Sym,
    epsilon: float, data_format: str, is_training: bool,
) -> list[Shape]:  # fmt: skip
    axis = layout_of(data_format).channels
    shape = list(of_rank(y_backprop.shape, 4))
    size = same(shape[axis], of_rank(x.shape, 4)[axis])
    for vector in (scale, reserve_space_1, reserve_space_2):
        size = same(size, of_rank(vector.shape, 1)[0])
    shape[axis] = size
    return [tuple(shape), (size,), (size,), *[(0 if is_training else size,)] * 2]


_SLOPES = "x_backprop scale_backprop offset_backprop"


@op("FusedBatchNormGrad", out=f"{_SLOPES} reserve_space_3 reserve_space_4", shape=_slopes_shape, fresh=True)
def fused_batch_norm_grad(
    xp: Any, y_backprop: Single, x: Single, scale: Single, reserve_space_1: Single, reserve_space_2: Single, *,
    epsilon: float = 1e-4, data_format: Format = "NHWC", is_training: bool = True,
) -> tuple[Single, Single, Single, Single, Single]:  # fmt: skip
    """The gradient of FusedBatchNorm: y_backprop, x [n, h, w, c], scale and the mean and variance it used [c] -> the gradients
    of x [n, h, w, c], scale and offset [c], and two that are [0] in training and zeros [c] in inference.
    """
    axis = layout_of(data_format).channels
    return _slopes(xp, y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon, axis, is_training)


@op("FusedBatchNormGradV2", out=f"{_SLOPES} reserve_space_3 reserve_space_4", shape=_slopes_shape, fresh=True)
def fused_batch_norm_grad_v2(
    xp: Any, y_backprop: Narrow, x: Narrow, scale: dtypes.float32, reserve_space_1: Statistic, reserve_space_2: Statistic, *,
    epsilon: float = 1e-4, data_format: Format = "NHWC", is_training: bool = True,
) -> tuple[Narrow, Statistic, Statistic, Statistic, Statistic]:  # fmt: skip
    """The gradient of FusedBatchNormV2: y_backprop, x [n, h, w, c], scale and the mean and variance it used [c] -> the
    gradients of x [n, h, w, c], scale and offset [c], and two that are [0] in training and zeros [c] in inference.
    """
    axis = layout_of(data_format).channels
    return _slopes(xp, y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon, axis, is_training)


@op("FusedBatchNormGradV3", out=f"{_SLOPES} reserve_space_4 reserve_space_5", shape=_slopes_shape, fresh=True)
def fused_batch_norm_grad_v3(
    xp: Any, y_backprop: Narrow, x: Narrow, scale: dtypes.float32, reserve_space_1: Statistic, reserve_space_2: Statistic,
    reserve_space_3: Statistic, *, epsilon: float = 1e-4, data_format: Format = "NHWC", is_training: bool = True,
) -> tuple[Narrow, Statistic, Statistic, Statistic, Statistic]:  # fmt: skip
    """The gradient of FusedBatchNormV3: y_backprop, x [n, h, w, c], scale and the mean and variance it used [c] -> the
    gradients of x [n, h, w, c], scale and offset [c], and two that are [0] in training and zeros [c] in inference.
    """
    axis = layout_of(data_format).channels
    return _slopes(xp, y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon, axis, is_training)


# -- the gradient of the gradient ------------------------------------------------------------------------------------------


class _Channels:
    """Means, sums and vectors of channels as nodes, over the axes that `layout` does not keep."""

    def __init__(self, data_format: str) -> None:
        layout = layout_of(data_format)
        self.axes = [0, *layout.spatial]
        self.is_first = layout.channels == 1

    def mean(self, x: Any) -> Any:
        """[1, 1, 1, c], or [1, c, 1, 1]."""
        return nodes.Mean(x, self.axes, keep_dims=True)

    def sum(self, x: Any) -> Any:
        """[c]."""
        return nodes.Sum(x, self.axes)

    def beside(self, vector: Any) -> Any:
        """A vector [c] in the form that broadcasts with the images."""
        return nodes.Reshape(vector, [1, -1, 1, 1]) if self.is_first else vector


def _of_slopes(op: Any, a: Any, b: Any, c: Any, *_: Any) -> Any:
    """The gradients of g, x and scale, where a, b and c are those of dx, ds and db.

    With x̂ and r = rsqrt(v + ε):   dx = s · r · (g - mean g - x̂ · mean(g · x̂)),   ds = Σ g · x̂,   db = Σ g.
    """
    g, x, scale, mean, variance = op.inputs[:5]
    over = _Channels(op.attrs["data_format"])
    kind = x.dtype.base_dtype
    g, x, a = (functions.cast(t, dtypes.float32) for t in (g, x, a))
    scale, b, c = (over.beside(t) for t in (scale, b, c))
    if op.attrs["is_training"]:
        # Computed again, so that gradients of a higher order see how they change with x.
        mean = over.mean(x)
        variance = over.mean(nodes.SquaredDifference(x, mean))
    else:
        mean, variance = over.beside(mean), over.beside(variance)
    r = nodes.Rsqrt(variance + op.attrs["epsilon"])
    unit = (x - mean) * r
    if not op.attrs["is_training"]:
        of_g = a * scale * r + b * unit + c
        of_x = b * g * r
        of_scale = over.sum(a * g * r)
    else:
        mean_ax, mean_gx = over.mean(a * unit), over.mean(g * unit)
        spread = a - over.mean(a) - unit * mean_ax
        of_g = scale * r * spread + b * unit + c
        of_unit = b * g - scale * r * (a * mean_gx + g * mean_ax)
        # Both x̂ and r change with x.
        of_x = r * (of_unit - over.mean(of_unit) - unit * over.mean(of_unit * unit))
        of_x -= scale * r * r * unit * over.mean(g * spread)
        of_scale = over.sum(r * g * spread)
    return [functions.cast(of_g, kind), functions.cast(of_x, kind), of_scale, *[None] * (len(op.inputs) - 3)]


for _version in (fused_batch_norm_grad, fused_batch_norm_grad_v2, fused_batch_norm_grad_v3):
    _version.grad(lambda op, *g: _of_slopes(op, *g))
