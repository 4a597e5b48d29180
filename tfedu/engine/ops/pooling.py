"""Pooling over windows of images: MaxPool, AvgPool and their 3-D forms, with gradients of first and second order. No state.

Images are [n, h, w, c] or, in format NCHW, [n, c, h, w]; in 3-D [n, d, h, w, c] or [n, c, d, h, w]. ksize and strides have one
entry for each axis, 1 for the batch and the channels (MaxPool may pool over channels instead). Padding SAME has one window for
every stride, at the edges with fewer elements; VALID has the windows that lie inside.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import pools
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import AtLeast, Sym, op, typevar
from ..op.shape_checks import (
    HALF_FIRST,
    Real,
    invalid,
    kinds,
    of_rank,
    sizes_of,
    text_of,
    unimplemented,
    vector,
    with_value,
)
from ..op.windows import Layout, Slide, elements, layout_of, output_size, slides

Padding = Literal["SAME", "VALID"]
Format = Literal["NHWC", "NCHW"]
MaxFormat = Literal["NHWC", "NCHW", "NCHW_VECT_C"]
Format3D = Literal["NDHWC", "NCDHW"]
Four, Five = AtLeast[4, list[int]], AtLeast[5, list[int]]
Poolable = typevar(
    "T", kinds("half bfloat16 float double int32 int64 uint8 int16 int8 uint16 qint8"), default=dtypes.float32
)
RealOrFloat = typevar("T", Real.allowed, default=dtypes.float32)
HalfFloat = typevar("T", HALF_FIRST)
Narrow = typevar("T", HALF_FIRST[:3])
NarrowOrFloat = typevar("T", HALF_FIRST[:3], default=dtypes.float32)
NarrowInput = typevar("TInput", HALF_FIRST[:3], default=dtypes.float32)


# -- which windows ---------------------------------------------------------------------------------------------------------


_NO_BATCH = "Pooling is not yet supported on the batch dimension."
_FIX_BATCH = "ksize and strides have one entry for each axis of the image; that of the batch is 1"


@lru_cache(maxsize=4096)
def _slides(
    shape: tuple[int, ...], ksize: tuple[int, ...], strides: tuple[int, ...], padding: str, data_format: str
) -> tuple[Slide, ...]:
    layout = layout_of(data_format)
    if ksize[0] != 1 or strides[0] != 1:
        raise unimplemented(_NO_BATCH, _FIX_BATCH)
    for axis, window in enumerate(ksize):
        if window <= 0:
            if len(ksize) == 5:
                raise invalid("Sliding window ksize field must have non-negative dimensions")
            raise invalid(f"Sliding window ksize for dimension {axis} was zero.")
    for stride in strides:
        if stride <= 0:
            raise invalid(f"Stride must be > 0, but got {stride}")
    if len(shape) != len(data_format):
        if len(data_format) == 5:
            raise invalid("tensor_in must be 5-dimensional")
        raise invalid(f"tensor_in_shape must have 2 spatial dimensions. {len(shape)} {layout.channels % 3}")
    depth = ksize[layout.channels]
    if len(shape) == 5 and (depth != 1 or strides[layout.channels] != 1):
        raise unimplemented("Pooling is not yet supported on the depth dimension.")
    if depth > 1:
        _check_depth(shape[layout.channels], depth, strides[layout.channels], layout.pick(ksize))
    sizes = (layout.pick(shape), layout.pick(ksize), layout.pick(strides))
    return slides(*sizes, (1,) * len(sizes[0]), padding)


def _check_depth(channels: int, window: int, stride: int, others: Sequence[int]) -> None:
    if max(others) > 1:
        raise unimplemented("MaxPooling supports exactly one of pooling across depth or pooling across width/height.")
    if channels % window:
        raise unimplemented("Depthwise max pooling requires the depth window to evenly divide the input depth")
    if stride != window:
        raise unimplemented("Depthwise max pooling requires the depth window to equal the depth stride")


def slides_along(
    shape: Sequence[int], ksize: Sequence[int], strides: Sequence[int], padding: str, data_format: str
) -> tuple[Layout, tuple[Slide, ...]]:
    """The layout and the slides of windows over an image of that shape.

    Raises: UnimplementedError for windows over the batch; InvalidArgumentError for an image of another rank and for windows
    without elements.
    """
    along = _slides(tuple(shape), tuple(ksize), tuple(strides), padding, data_format)
    return layout_of(data_format), along


def _no_depth(ksize: Sequence[int], layout: Layout, text: str) -> None:
    if ksize[layout.channels] != 1:
        raise unimplemented(text)


# -- shape rules -----------------------------------------------------------------------------------------------------------


def _pooled_shape(
    name: str, shape: Shape, ksize: Sequence[int | None], strides: Sequence[int | None], padding: str, data_format: str,
    *, over_channels: bool,
) -> Shape:  # fmt: skip
    """over_channels: whether windows and strides count along the channels too."""
    if data_format == "NCHW_VECT_C":
        inner = _pooled_shape(name, _vector_image(shape), ksize, strides, padding, "NCHW", over_channels=False)
        return None if inner is None else (*inner, 4)
    rank = len(data_format)
    for word, values, verb in (("ksize", ksize, "requires"), ("stride", strides, "ops require" if rank == 5 else "requires")):
        if len(values) != rank:
            subject = "Pool3D" if rank == 5 else name
            raise ShapeMismatch(
                f"{subject} {verb} the {word} attribute to contain {rank} values, but got: {len(values)}"
            )
    known = of_rank(shape, rank)
    layout = layout_of(data_format)
    for axis in sorted(layout.spatial):
        if strides[axis] is not None and strides[axis] <= 0:  # type: ignore[operator]
            raise ShapeMismatch(f"Stride must be > 0, but got {strides[axis]}")
    result = list(known)
    for axis in (*layout.spatial, layout.channels) if over_channels else layout.spatial:
        stride = strides[axis]
        result[axis] = None if stride is None else output_size(known[axis], ksize[axis], stride, 1, padding)
    return tuple(result)


def _vector_image(shape: Shape) -> Shape:
    return None if shape is None else of_rank(shape, 5)[:4]


def pooled_rule(name: str, over_channels: bool = False) -> Callable[..., Shape]:
    """The shape rule of an op whose output is the pooled first input."""

    def rule(image: Sym, *_: Sym, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC", **__: Any) -> Shape:
        return _pooled_shape(name, image.shape, ksize, strides, padding, data_format, over_channels=over_channels)

    return rule


def _like_image(rank: int) -> Callable[..., Shape]:
    """The shape rule of an op whose output has the shape of its first input, an image of that rank."""
    return lambda image, *_, **__: of_rank(image.shape, rank)


def _grad_grad_rule(name: str, over_channels: bool = False) -> Callable[..., Shape]:
    """The shape rule of a second-order gradient: the shape of the pooled first input, which the second one must have."""

    def rule(image: Sym, pooled: Sym, grad: Sym, *_: Sym, **attrs: Any) -> Shape:
        shape = pooled_rule(name, over_channels)(image, **attrs)
        shapes.merge(pooled.shape, shape)
        shapes.merge(image.shape, grad.shape)
        return shape

    return rule


# -- what the kernels share ------------------------------------------------------------------------------------------------


def widening(kernel: Any) -> Any:
    """A kernel that computes bfloat16 in float32."""

    @functools.wraps(kernel)
    def wide(xp: Any, *inputs: Any, **attrs: Any) -> Any:
        if inputs[-1].dtype.kind != "V" and inputs[0].dtype.kind != "V":
            return kernel(xp, *inputs, **attrs)
        result = kernel(xp, *[dtypes.bfloat16_values(x) if x.dtype.kind == "V" else x for x in inputs], **attrs)
        if isinstance(result, tuple):
            return dtypes.bfloat16_bits(result[0]), *result[1:]
        return dtypes.bfloat16_bits(result)

    return wide


def _lowest(dtype: Any) -> Any:
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _max_pool(
    xp: Any, image: Any, ksize: Sequence[int], strides: Sequence[int], padding: str, data_format: str
) -> Any:
    """The largest number of each window; NaN counts for nothing, and no result is below the smallest finite number."""
    if data_format == "NCHW_VECT_C":
        raise invalid("Default MaxPoolingOp only supports NHWC on device type CPU")
    layout, along = slides_along(image.shape, ksize, strides, padding, data_format)
    lowest = _lowest(image.dtype)
    depth = ksize[layout.channels]
    if depth > 1:
        at = layout.channels
        parts = image.reshape(*image.shape[:at], image.shape[at] // depth, depth, *image.shape[at + 1 :])
        whole = (slice(None),) * (at + 1)
        result = functools.reduce(xp.fmax, [parts[(*whole, i)] for i in range(depth)])
    else:
        result = pools.combined(xp, image, layout, along, xp.fmax, lowest)
    return xp.fmax(result, image.dtype.type(lowest), out=result) if image.dtype.kind == "f" else result


def _avg_pool(xp: Any, image: Any, layout: Layout, along: Sequence[Slide]) -> Any:
    wide = image.astype(np.float32, copy=False) if image.dtype.itemsize == 2 else image
    total = pools.combined(xp, wide, layout, along, xp.add, 0)
    total /= xp.asarray(pools.counts(xp, layout, along, image.ndim), total.dtype)
    return total.astype(image.dtype, copy=False)


def _avg_pool_grad(xp: Any, g: Any, layout: Layout, along: Sequence[Slide]) -> Any:
    wide = g.astype(np.float32, copy=False) if g.dtype.itemsize == 2 else g
    shares = wide / xp.asarray(pools.counts(xp, layout, along, g.ndim), wide.dtype)
    return pools.spread(xp, shares, layout, along).astype(g.dtype, copy=False)


def _check_images(rank: int, x: Any, y: Any, g: Any, g_name: str) -> None:
    for name, image in (("tensor_in", x), ("tensor_out", y), (g_name, g)):
        if image.ndim != rank:
            raise invalid(f"{name} must be {rank}-dimensional")


def check_shape(name: str, value: Any, wanted: Sequence[int]) -> None:
    """Raises: InvalidArgumentError unless the input of that name has the shape."""
    if value.shape != tuple(wanted):
        raise invalid(f"Expected {name} shape to be {text_of(wanted)}, but got {text_of(value.shape)}")


def _first_matches(xp: Any, x: Any, y: Any, g: Any, layout: Layout, along: tuple[Slide, ...]) -> Any:
    """For each window the number of g at the window's first element that equals y, else 0."""
    result = xp.zeros(y.shape, g.dtype)
    for places, met in reversed(elements(layout, along)):
        result[places] = xp.where(x[met] == y[places], g[met], result[places])
    return result


def _zeros(x: Any) -> Any:
    return functions.zeros(shape=functions.shape(x), dtype=x.dtype.base_dtype)


def _windows_of(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in ("ksize", "strides", "padding", "data_format")}


# -- MaxPool ---------------------------------------------------------------------------------------------------------------


_TO_FIRST_MAXIMUM = "dx = g at each window's first maximum, else 0"


@op("MaxPool", shape=pooled_rule("MaxPool", over_channels=True), fresh=True, gradient=_TO_FIRST_MAXIMUM)
@widening
def max_pool(
    xp: Any, input: Poolable, *, ksize: Four, strides: Four, padding: Padding, data_format: MaxFormat = "NHWC"
) -> Poolable:
    """The largest number of each window: [n, h, w, c] -> [n, windows h, windows w, c].

    Raises: UnimplementedError for windows over the batch, or over channels and others at once.
    Differs from TF: computes NCHW, which TF 1.15 refuses on CPUs.
    """
    return _max_pool(xp, input, ksize, strides, padding, data_format)


max_pool.grad(lambda op, g: nodes.MaxPoolGrad(op.inputs[0], op.outputs[0], g, **_windows_of(op)))


@op("MaxPoolV2", fresh=True, gradient=_TO_FIRST_MAXIMUM)
@widening
def max_pool_v2(
    xp: Any, input: Poolable, ksize: dtypes.int32, strides: dtypes.int32, *, padding: Padding, data_format: MaxFormat = "NHWC"
) -> Poolable:
    """MaxPool whose windows are inputs: [n, h, w, c], ksize and strides [4] -> [n, windows h, windows w, c]."""
    return _max_pool(xp, input, *_given(ksize, strides), padding, data_format)


def _given(ksize: Any, strides: Any) -> tuple[list[int], list[int]]:
    for word, values in (("ksize", ksize), ("stride", strides)):
        if values.size != 4:
            raise invalid(f"Sliding window {word} field must specify 4 dimensions")
    return ksize.ravel().tolist(), strides.ravel().tolist()


@max_pool_v2.shape
def _(input: Sym, ksize: Sym, strides: Sym, *, padding: str, data_format: str) -> Shape:
    of_rank(input.shape, 5 if data_format == "NCHW_VECT_C" else 4)
    for given in (ksize, strides):
        size = vector(given)
        with_value(size, 4)
    windows, steps = (None if s.value is None else s.value.tolist() for s in (ksize, strides))
    if windows is None or steps is None:
        return None
    return _pooled_shape("MaxPool", input.shape, windows, steps, padding, data_format, over_channels=True)


@max_pool_v2.grad
def _(op: Any, g: Any) -> Any:
    x, ksize, strides = op.inputs
    attrs = {name: op.attrs[name] for name in ("padding", "data_format")}
    return nodes.MaxPoolGradV2(x, op.outputs[0], g, ksize, strides, **attrs), None, None


def _max_pool_grad(
    xp: Any, x: Any, y: Any, g: Any, ksize: Sequence[int], strides: Sequence[int], padding: str, data_format: str
) -> Any:
    _check_images(4, x, y, g, "out_backprop")
    _no_depth(ksize, layout_of(data_format), "MaxPoolingGrad is not yet supported on the depth dimension.")
    layout, along = slides_along(x.shape, ksize, strides, padding, data_format)
    wanted = pools.pooled_shape(x, layout, along)
    check_shape("orig_output", y, wanted)
    check_shape("grad", g, wanted)
    return pools.routed_to_first_maximum(xp, x, g, layout, along)


@op("MaxPoolGrad", shape=_like_image(4), fresh=True)
@widening
def max_pool_grad(
    xp: Any, orig_input: RealOrFloat, orig_output: RealOrFloat, grad: RealOrFloat, *,
    ksize: Four, strides: Four, padding: Padding, data_format: Format = "NHWC",
) -> RealOrFloat:  # fmt: skip
    """The gradient of MaxPool: each window's number goes to its first maximum: orig_input [n, h, w, c], orig_output and grad [n,
    windows h, windows w, c] -> [n, h, w, c].

    Raises: InvalidArgumentError for shapes that are not those of such a MaxPool.
    """
    return _max_pool_grad(xp, orig_input, orig_output, grad, ksize, strides, padding, data_format)


@max_pool_grad.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs[:2]
    return _zeros(x), _zeros(y), nodes.MaxPoolGradGrad(x, y, g, **_windows_of(op))


@op("MaxPoolGradV2", shape=_like_image(4), fresh=True)
@widening
def max_pool_grad_v2(
    xp: Any, orig_input: RealOrFloat, orig_output: RealOrFloat, grad: RealOrFloat, ksize: dtypes.int32, strides: dtypes.int32,
    *, padding: Padding, data_format: Format = "NHWC",
) -> RealOrFloat:  # fmt: skip
    """The gradient of MaxPoolV2: orig_input [n, h, w, c], orig_output and grad [n, windows h, windows w, c], ksize and strides
    [4] -> [n, h, w, c].
    """
    return _max_pool_grad(xp, orig_input, orig_output, grad, *_given(ksize, strides), padding, data_format)


@max_pool_grad_v2.grad
def _(op: Any, g: Any) -> Any:
    x, y, _, ksize, strides = op.inputs
    attrs = {name: op.attrs[name] for name in ("padding", "data_format")}
    return _zeros(x), _zeros(y), nodes.MaxPoolGradGradV2(x, y, g, ksize, strides, **attrs), None, None


def _max_pool_grad_grad(
    xp: Any, x: Any, y: Any, g: Any, ksize: Sequence[int], strides: Sequence[int], padding: str, data_format: str
) -> Any:
    rank = len(data_format)
    _check_images(rank, x, y, g, "out_grad_backprop")
    name = "MaxPoolingGradGrad" if rank == 4 else "MaxPooling3dGradGrad"
    _no_depth(ksize, layout_of(data_format), f"{name} is not yet supported on the depth dimension.")
    layout, along = slides_along(x.shape, ksize, strides, padding, data_format)
    check_shape("orig_output", y, pools.pooled_shape(x, layout, along))
    check_shape("grad", g, x.shape)
    return _first_matches(xp, x, y, g, layout, along)


@op("MaxPoolGradGrad", shape=_grad_grad_rule("MaxPool", over_channels=True), fresh=True)
@widening
def max_pool_grad_grad(
    xp: Any, orig_input: Real, orig_output: Real, grad: Real, *,
    ksize: Four, strides: Four, padding: Padding, data_format: Format = "NHWC",
) -> Real:  # fmt: skip
    """The gradient of MaxPoolGrad with respect to its grad: for each window the number at its first element that equals the
    window's maximum, else 0: orig_input, grad [n, h, w, c], orig_output [n, windows h, windows w, c] -> the shape of orig_output.
    """
    return _max_pool_grad_grad(xp, orig_input, orig_output, grad, ksize, strides, padding, data_format)


@max_pool_grad_grad.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs[:2]
    return _zeros(x), _zeros(y), nodes.MaxPoolGrad(x, y, g, **_windows_of(op))


@op("MaxPoolGradGradV2", fresh=True)
@widening
def max_pool_grad_grad_v2(
    xp: Any, orig_input: Real, orig_output: Real, grad: Real, ksize: dtypes.int32, strides: dtypes.int32, *,
    padding: Padding, data_format: Format = "NHWC",
) -> Real:  # fmt: skip
    """The gradient of MaxPoolGradV2 with respect to its grad: orig_input, grad [n, h, w, c], orig_output [n, windows h, windows
    w, c], ksize and strides [4] -> [n, windows h, windows w, c].
    """
    return _max_pool_grad_grad(xp, orig_input, orig_output, grad, *_given(ksize, strides), padding, data_format)


@max_pool_grad_grad_v2.shape
def _(orig_input: Sym, orig_output: Sym, grad: Sym, ksize: Sym, strides: Sym, **attrs: Any) -> Shape:
    shape: Shape = max_pool_v2.definition.shape_rule(orig_input, ksize, strides, **attrs)
    shapes.merge(orig_output.shape, shape)
    shapes.merge(orig_input.shape, grad.shape)
    return shape


# -- AvgPool ---------------------------------------------------------------------------------------------------------------

_NO_CHANNELS = "Non-spatial pooling is not yet supported. Volunteers? :)"


@op("AvgPool", shape=pooled_rule("AvgPool"), fresh=True, gradient="dx = Σ g / count over the windows of an element")
@widening
def avg_pool(
    xp: Any, value: HalfFloat, *, ksize: Four, strides: Four, padding: Padding, data_format: Format = "NHWC"
) -> HalfFloat:
    """The mean of each window's elements, without padding: [n, h, w, c] -> [n, windows h, windows w, c].

    Raises: UnimplementedError for windows over the batch or the channels.
    Differs from TF: computes NCHW, which TF 1.15 refuses on CPUs.
    """
    layout, along = slides_along(value.shape, ksize, strides, padding, data_format)
    _no_depth(ksize, layout, _NO_CHANNELS)
    return _avg_pool(xp, value, layout, along)


avg_pool.grad(lambda op, g: nodes.AvgPoolGrad(functions.shape(op.inputs[0]), g, **_windows_of(op)))


def _input_shape(orig_input_shape: Sym, grad: Sym, **attrs: Any) -> Shape:
    rank = len(attrs["data_format"])
    return of_rank(sizes_of(orig_input_shape), rank) if vector(orig_input_shape) != 0 else of_rank((), rank)


def _check_of_average(shape: Any, g: Any, rank: int, name: str) -> tuple[int, ...]:
    if shape.shape != (rank,):
        raise invalid(f"{name} must be 1-dimensional and {rank} elements")
    if g.ndim != rank:
        raise invalid(f"out_backprop must be {rank}-dimensional")
    return tuple(shape.tolist())


@op("AvgPoolGrad", shape=_input_shape, fresh=True)
@widening
def avg_pool_grad(
    xp: Any, orig_input_shape: dtypes.int32, grad: HalfFloat, *,
    ksize: Four, strides: Four, padding: Padding, data_format: Format = "NHWC",
) -> HalfFloat:  # fmt: skip
    """The gradient of AvgPool: orig_input_shape [4], grad [n, windows h, windows w, c] -> [n, h, w, c]."""
    shape = _check_of_average(orig_input_shape, grad, 4, "out_backprop")
    layout, along = slides_along(shape, ksize, strides, padding, data_format)
    _no_depth(ksize, layout, _NO_CHANNELS)
    check_shape("grad", grad, layout.shape(shape[0], [s.places for s in along], shape[layout.channels]))
    return _avg_pool_grad(xp, grad, layout, along)


@avg_pool_grad.grad
def _(op: Any, g: Any) -> Any:
    return nodes.StopGradient(op.inputs[0]), nodes.AvgPool(g, **_windows_of(op))


# -- pooling of volumes ----------------------------------------------------------------------------------------------------


@op("MaxPool3D", shape=pooled_rule("MaxPool3D"), fresh=True, gradient="dx = g at each window's maxima, else 0")
@widening
def max_pool3d(
    xp: Any, input: Narrow, *, ksize: Five, strides: Five, padding: Padding, data_format: Format3D = "NDHWC"
) -> Narrow:
    """The largest number of each window; NaN counts for nothing: [n, d, h, w, c] -> [n, windows d, windows h, windows w, c].

    Raises: UnimplementedError for windows over the batch or the channels.
    """
    layout, along = slides_along(input.shape, ksize, strides, padding, data_format)
    result = pools.combined(xp, input, layout, along, xp.fmax, -np.inf)
    least = xp.full(1, -np.inf, input.dtype)
    if any(s.before or s.after for s in along):
        # As in TF, where the padding has the smallest finite number.
        is_whole = xp.asarray(pools.counts(xp, layout, along, input.ndim)) == np.prod([s.window for s in along])
        least = xp.where(is_whole, -np.inf, np.finfo(input.dtype).min).astype(input.dtype)
    return xp.fmax(result, least, out=result)


max_pool3d.grad(lambda op, g: nodes.MaxPool3DGrad(op.inputs[0], op.outputs[0], g, **_windows_of(op)))


@op("MaxPool3DGrad", shape=_like_image(5), fresh=True)
@widening
def max_pool3d_grad(
    xp: Any, orig_input: NarrowInput, orig_output: NarrowInput, grad: NarrowOrFloat, *,
    ksize: Five, strides: Five, padding: Padding, data_format: Format3D = "NDHWC",
) -> NarrowOrFloat:  # fmt: skip
    """The gradient of MaxPool3D: each window's number goes to all its elements that equal the maximum: orig_input [n, d, h, w,
    c], orig_output and grad [n, windows d, windows h, windows w, c] -> [n, d, h, w, c].
    """
    x, y = orig_input, orig_output
    _check_images(5, x, y, grad, "out_backprop")
    layout, along = slides_along(x.shape, ksize, strides, padding, data_format)
    wanted = pools.pooled_shape(x, layout, along)
    check_shape("orig_output", y, wanted)
    check_shape("grad", grad, wanted)
    return pools.routed(xp, grad, layout, along, x.shape, lambda i, places, met: x[met] == y[places])


@max_pool3d_grad.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs[:2]
    return _zeros(x), _zeros(y), nodes.MaxPool3DGradGrad(x, y, g, **_windows_of(op))


@op("MaxPool3DGradGrad", shape=_grad_grad_rule("MaxPool3D"), fresh=True)
@widening
def max_pool3d_grad_grad(
    xp: Any, orig_input: Real, orig_output: Real, grad: Real, *,
    ksize: Five, strides: Five, padding: Padding, data_format: Format3D = "NDHWC",
) -> Real:  # fmt: skip
    """The second-order gradient of MaxPool3D: for each window the number at its first element that equals the maximum, else 0:
    orig_input, grad [n, d, h, w, c], orig_output [n, windows d, windows h, windows w, c] -> the shape of orig_output.
    """
    return _max_pool_grad_grad(xp, orig_input, orig_output, grad, ksize, strides, padding, data_format)


@max_pool3d_grad_grad.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs[:2]
    return _zeros(x), _zeros(y), nodes.MaxPool3DGrad(x, y, g, **_windows_of(op))


@op("AvgPool3D", shape=pooled_rule("AvgPool3D"), fresh=True, gradient="dx = Σ g / count over the windows of an element")
@widening
def avg_pool3d(
    xp: Any, input: HalfFloat, *, ksize: Five, strides: Five, padding: Padding, data_format: Format3D = "NDHWC"
) -> HalfFloat:
    """The mean of each window's elements, without padding: [n, d, h, w, c] -> [n, windows d, windows h, windows w, c].

    Raises: UnimplementedError for windows over the batch or the channels.
    """
    return _avg_pool(xp, input, *slides_along(input.shape, ksize, strides, padding, data_format))


avg_pool3d.grad(lambda op, g: nodes.AvgPool3DGrad(functions.shape(op.inputs[0]), g, **_windows_of(op)))


@op("AvgPool3DGrad", shape=_input_shape, fresh=True)
@widening
def avg_pool3d_grad(
    xp: Any, orig_input_shape: dtypes.int32, grad: HalfFloat, *,
    ksize: Five, strides: Five, padding: Padding, data_format: Format3D = "NDHWC",
) -> HalfFloat:  # fmt: skip
    """The gradient of AvgPool3D: orig_input_shape [5], grad [n, windows d, windows h, windows w, c] -> [n, d, h, w, c]."""
    shape = _check_of_average(orig_input_shape, grad, 5, "tensor_in")
    layout, along = slides_along(shape, ksize, strides, padding, data_format)
    check_shape("grad", grad, layout.shape(shape[0], [s.places for s in along], shape[layout.channels]))
    return _avg_pool_grad(xp, grad, layout, along)


@avg_pool3d_grad.grad
def _(op: Any, g: Any) -> Any:
    return nodes.StopGradient(op.inputs[0]), nodes.AvgPool3D(g, **_windows_of(op))
