"""Convolution of images and of volumes, with the gradients, which are convolutions again: Conv2D, Conv3D and their backprops.

An image [n, h, w, c] meets a filter [kh, kw, c, o]; in data format NCHW it is [n, c, h, w]. The filter is not turned round: what
neural networks call convolution is a correlation. With a filter of fewer channels, [kh, kw, c / groups, o], each group of the
image's channels meets its own share of the o filters. `correlation.py` has the arithmetic. No state.
"""

# ruff: noqa: B006 - the defaults of list attributes

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import AtLeast, Sym, op, typevar
from ..op.shape_checks import INDEX, HalfFloat, ints_of, invalid, of_rank, sizes_of, text_of
from ..op.windows import Layout, Slide, layout_of, output_shape, pairs, slides
from .correlation import correlate, images_gradient, kernel_gradient

Padding = Literal["SAME", "VALID"]
PaddingOrList = Literal["SAME", "VALID", "EXPLICIT"]
Format2D = Literal["NHWC", "NCHW"]
Format3D = Literal["NDHWC", "NCDHW"]


# -- what the attributes say -----------------------------------------------------------------------------------------


class Movement(NamedTuple):
    """How the window moves over the images: the attributes of an op, one entry for each spatial axis."""

    layout: Layout
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: str
    explicit: tuple[tuple[int, int], ...]

    @property
    def rank(self) -> int:
        return len(self.strides) + 2

    def along(self, images: Sequence[int], window: Sequence[int]) -> tuple[Slide, ...]:
        """The slides over images of this shape. Raises: InvalidArgumentError for a window that is too large."""
        return slides(self.layout.pick(images), window, self.strides, self.dilations, self.padding, self.explicit)


def movement(
    data_format: str,
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: str,
    explicit_paddings: Sequence[int],
    refuse: Callable[..., Exception],
) -> Movement:
    """The movement that the attributes describe. refuse: makes the error for a text and advice.

    Raises: that error for padding that does not fit, and for a stride or dilation below 1.
    """
    layout = layout_of(data_format)
    explicit: tuple[tuple[int, int], ...] = ()
    if padding == "EXPLICIT":
        length = 2 * len(data_format)
        if len(explicit_paddings) != length:
            raise refuse(f"explicit_paddings attribute must contain {length} values, but got: {len(explicit_paddings)}")
        if min(explicit_paddings) < 0:
            raise refuse("All elements of explicit_paddings must be nonnegative")
        whole = pairs(explicit_paddings)
        if any(map(any, layout.others(whole))):
            raise refuse("Nonzero explicit padding in the batch or depth dimensions is not supported")
        explicit = layout.pick(whole)
    elif explicit_paddings:
        raise refuse("explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT")
    for stride in layout.pick(strides):
        if stride <= 0:
            raise refuse(f"Stride must be > 0, but got {stride}", "1 moves the window by one element")
    for dilation in layout.pick(dilations):
        if dilation < 1:
            raise refuse(f"Dilation rate must be >= 1, but got {dilation}", "1 leaves no gaps in the window")
    return Movement(layout, layout.pick(strides), layout.pick(dilations), padding, explicit)


def _moving(
    data_format: str,
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: str,
    explicit_paddings: Sequence[int] = (),
) -> Movement:
    """The movement for a kernel. Raises: InvalidArgumentError for attributes that no kernel takes."""
    rank, layout = len(data_format), layout_of(data_format)
    field, rates = ("Sliding window dilations", "dilations") if rank == 4 else ("Dilation rates", "dilation rates")
    for values, name, what in ((strides, "Sliding window strides", "strides"), (dilations, field, rates)):
        if len(values) != rank:
            raise invalid(f"{name} field must specify {rank} dimensions")
        if layout.others(values) != (1, 1):
            usual = ", ".join(layout.shape("1", "dhw"[5 - rank :], "1"))
            raise invalid(
                f"Current implementation does not yet support {what} in the batch and depth dimensions.",
                f"one for each axis of {data_format}: [{usual}], not {list(values)}",
            )
    return movement(data_format, strides, dilations, padding, explicit_paddings, invalid)


# -- kernels, for any number of spatial axes ---------------------------------------------------------------------------


def _convolved(xp: Any, input: Any, filter: Any, how: Movement) -> Any:
    is_image = how.rank == 4
    if input.ndim != how.rank:
        raise invalid(f"input must be {how.rank}-dimensional{text_of(input.shape) if is_image else ''}")
    if filter.ndim != how.rank:
        raise invalid(f"filter must be {how.rank}-dimensional{': ' + text_of(filter.shape) if is_image else ''}")
    if 0 in filter.shape[:-1]:
        raise invalid(f"filter must not have zero elements (i.e. all dimensions must be non-zero): {text_of(filter.shape)}")
    channels, depth = input.shape[how.layout.channels], filter.shape[-2]
    if channels % depth:
        raise invalid(
            f"{'input' if is_image else 'Input'} depth must be evenly divisible by filter depth: {channels} vs {depth}",
            f"the input {text_of(input.shape)} needs a filter whose last size but one is {channels}, not {text_of(filter.shape)}",
        )
    along = how.along(input.shape, filter.shape)
    images, kernel = wide(xp, channels_last(xp, input, how.layout)), wide(xp, filter)
    groups = _groups(channels, depth, filter.shape[-1])
    parts = zip(_split(xp, images, groups), _split(xp, kernel, groups))
    joined = _joined(xp, [correlate(xp, x, k, along) for x, k in parts])
    return as_images(xp, joined, how.layout, input.dtype)


def _input_gradient(xp: Any, label: str, sizes: Any, filter: Any, g: Any, how: Movement) -> Any:
    if sizes.ndim != 1:
        raise invalid(f"{label}: input_sizes input must be 1-dim, not {sizes.ndim}")
    shape = _checked(sizes)
    along, groups = _fitting(label, shape, filter.shape, g.shape, how)
    kernel, gs = wide(xp, filter), wide(xp, channels_last(xp, g, how.layout))
    parts = zip(_split(xp, kernel, groups), _split(xp, gs, groups))
    joined = _joined(xp, [images_gradient(xp, k, dy, along) for k, dy in parts])
    return as_images(xp, joined, how.layout, g.dtype)


def _filter_gradient(xp: Any, label: str, input: Any, sizes: Any, g: Any, how: Movement) -> Any:
    if sizes.ndim != 1:
        raise invalid(f"{label}: filter_sizes input must be 1-dim, not {sizes.ndim}")
    along, groups = _fitting(label, input.shape, _checked(sizes), g.shape, how)
    images, gs = (wide(xp, channels_last(xp, value, how.layout)) for value in (input, g))
    parts = zip(_split(xp, images, groups), _split(xp, gs, groups))
    return _joined(xp, [kernel_gradient(xp, x, dy, along) for x, dy in parts]).astype(g.dtype, copy=False)


def _checked(sizes: Any) -> tuple[int, ...]:
    shape = ints_of(sizes)
    for size in shape:
        if size < 0:
            raise invalid(f"Dimension {size} must be >= 0")
    return shape


def _fitting(
    label: str, input: tuple[int, ...], filter: tuple[int, ...], g: tuple[int, ...], how: Movement
) -> tuple[tuple[Slide, ...], int]:
    """The slides, and the number of groups, of a convolution whose input, filter and gradient have these shapes.

    Raises: InvalidArgumentError when they cannot belong together.
    """
    given = f"the shapes are: input {text_of(input)}, filter {text_of(filter)}, out_backprop {text_of(g)}"
    for name, shape in (("input", input), ("filter", filter), ("out_backprop", g)):
        if len(shape) != how.rank:
            raise invalid(f"{label}: {name} must be {how.rank}-dimensional", given)
    if input[0] != g[0]:
        raise invalid(
            f"{label}: input and out_backprop must have the same batch sizeinput batch: {input[0]}outbackprop batch: {g[0]} "
            "batch_dim: 0",
            f"{given}; tf.shape(out_backprop)[0] is the batch at run time",
        )
    channels, outputs = input[how.layout.channels], g[how.layout.channels]
    if not filter[-2] or channels % filter[-2]:
        raise invalid(f"{label}: input depth must be evenly divisible by filter depth", given)
    if filter[-1] != outputs:
        raise invalid(f"{label}: filter and out_backprop must have the same out_depth", given)
    along = how.along(input, filter)
    for axis, s in zip(how.layout.spatial, along):
        if s.places != g[axis]:
            raise invalid(
                f"{label}: Size of out_backprop doesn't match computed: actual = {g[axis]}, computed = {s.places} spatial_dim: "
                f"{axis} input: {s.size} filter: {s.window} output: {g[axis]} stride: {s.stride} dilation: {s.dilation}",
                f"{given}; padding {how.padding}, strides {list(how.strides)}",
            )
    return along, _groups(channels, filter[-2], outputs)


def _groups(channels: int, depth: int, outputs: int) -> int:
    groups = channels // depth
    if groups > 1 and outputs % groups:
        raise invalid(f"Depth of output ({outputs}) is not a multiple of the number of groups ({groups})")
    return max(groups, 1)


def wide(xp: Any, value: Any) -> Any:
    """Half precision as float32: matrix products of float32 are faster, and round once."""
    return value.astype(xp.float32) if value.itemsize == 2 else value


def _split(xp: Any, value: Any, groups: int) -> list[Any]:
    return [value] if groups == 1 else xp.split(value, groups, -1)


def _joined(xp: Any, parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else xp.concatenate(parts, axis=-1)


def channels_last(xp: Any, value: Any, layout: Layout) -> Any:
    """Images of the layout as a view [n, s..., c]."""
    return value if layout.channels == value.ndim - 1 else xp.moveaxis(value, layout.channels, -1)


def as_images(xp: Any, value: Any, layout: Layout, dtype: Any) -> Any:
    """Images [n, s..., c] in the layout and dtype of an op."""
    if layout.channels != value.ndim - 1:
        value = xp.ascontiguousarray(xp.moveaxis(value, -1, layout.channels))
    return value.astype(dtype, copy=False)


# -- shape rules -------------------------------------------------------------------------------------------------------


def _shape(
    type: str,
    input: Sym,
    filter: Sym,
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: str,
    data_format: str,
    explicit_paddings: Sequence[int] = (),
) -> Shape:
    rank, layout = len(data_format), layout_of(data_format)
    input_form, filter_form = _FORMS[rank]
    shape, window = of_rank(input.shape, rank, input_form), of_rank(filter.shape, rank, filter_form)
    if len(dilations) != rank:
        raise ShapeMismatch(f"{type} requires the dilation attribute to contain {rank} values, but got: {len(dilations)}")
    if len(strides) != rank:
        where = f" on data format {data_format}" if rank == 4 else ""
        raise ShapeMismatch(f"{type}{where} requires the stride attribute to contain {rank} values, but got: {len(strides)}")
    channels, depth, outputs = shape[layout.channels], window[-2], window[-1]
    if depth == 0:
        raise ShapeMismatch("Depth of filter must not be 0")
    if channels is not None and depth is not None:
        if channels % depth:
            raise ShapeMismatch(
                f"Depth of input ({channels}) is not a multiple of input depth of filter ({depth})",
                _fix_of_channels(shape, channels, depth, data_format),
            )
        if channels > depth and outputs is not None and outputs % (channels // depth):
            raise ShapeMismatch(f"Depth of output ({outputs}) is not a multiple of the number of groups ({channels // depth})")
    how = movement(data_format, strides, dilations, padding, explicit_paddings, ShapeMismatch)
    known = None if input.shape is None else shape
    return output_shape(layout, known, window[:-2], how.strides, how.dilations, padding, outputs, how.explicit)


# What the input and the filter must look like, for errors; rank 4 serves conv1d, too.
_FORMS = {
    4: (
        "the input is [n, h, w, c], for conv1d [n, w, c]; tf.reshape and tf.expand_dims make it so",
        "the filter is [kh, kw, c, o], for conv1d [k, c, o]",
    ),
    5: ("the input is [n, d, h, w, c]; tf.reshape makes it so", "the filter is [kd, kh, kw, c, o]"),
}


def _fix_of_channels(shape: Sequence[int | None], channels: int, depth: int, data_format: str) -> str:
    if shape[1] == depth and data_format == "NHWC":
        return 'the images seem to be [n, c, h, w]: data_format="NCHW", or tf.transpose(x, [0, 2, 3, 1])'
    return f"the filter's last size but one is the number of the input's channels: {channels}, not {depth}"


def size_given(sizes: Sym, rank: int) -> Shape:
    """The shape that an input of sizes names."""
    of_rank(sizes.shape, 1)
    return of_rank(sizes_of(sizes), rank)


# -- images ------------------------------------------------------------------------------------------------------------


@op("Conv2D", fresh=True, value_safe=True, multiplies=True, gradient="da = g ∗ b, db = a ⋆ g")
def conv2d(
    xp: Any,
    input: HalfFloat,
    filter: HalfFloat,
    *,
    strides: list[int],
    use_cudnn_on_gpu: bool = True,
    padding: PaddingOrList,
    explicit_paddings: list[int] = [],
    data_format: Format2D = "NHWC",
    dilations: list[int] = [1, 1, 1, 1],
) -> HalfFloat:
    """Slides filters over images: input [n, h, w, c], filter [kh, kw, c, o] -> [n, places, places, o].

    strides, dilations: one entry for each axis of the input. explicit_paddings: (before, after) of each axis, in one list.

    Raises: InvalidArgumentError for a number of channels that is no multiple of the filter's.
    Differs from TF: also computes NCHW and groups of channels, which TF 1.15 leaves to GPUs.
    """
    return _convolved(xp, input, filter, _moving(data_format, strides, dilations, padding, explicit_paddings))


conv2d.shape(
    lambda input, filter, *, strides, use_cudnn_on_gpu, padding, explicit_paddings, data_format, dilations: _shape(
        "Conv2D", input, filter, strides, dilations, padding, data_format, explicit_paddings
    )
)


@op("Conv2DBackpropInput", fresh=True, value_safe=True, multiplies=True)
def conv2d_backprop_input(
    xp: Any,
    input_sizes: dtypes.int32,
    filter: HalfFloat,
    out_backprop: HalfFloat,
    *,
    strides: list[int],
    use_cudnn_on_gpu: bool = True,
    padding: PaddingOrList,
    explicit_paddings: list[int] = [],
    data_format: Format2D = "NHWC",
    dilations: list[int] = [1, 1, 1, 1],
) -> HalfFloat:
    """The gradient of Conv2D with respect to its input, of shape input_sizes [4]: filter [kh, kw, c, o], out_backprop [n,
    places, places, o] -> [n, h, w, c].

    Raises: InvalidArgumentError for sizes that do not belong together.
    Differs from TF: also computes NCHW, dilations and groups of channels, which TF 1.15 leaves to GPUs.
    """
    how = _moving(data_format, strides, dilations, padding, explicit_paddings)
    return _input_gradient(xp, "Conv2DCustomBackpropInput", input_sizes, filter, out_backprop, how)


conv2d_backprop_input.shape(lambda input_sizes, filter, out_backprop, **attrs: size_given(input_sizes, 4))


@op("Conv2DBackpropFilter", fresh=True, value_safe=True, multiplies=True)
def conv2d_backprop_filter(
    xp: Any,
    input: HalfFloat,
    filter_sizes: dtypes.int32,
    out_backprop: HalfFloat,
    *,
    strides: list[int],
    use_cudnn_on_gpu: bool = True,
    padding: PaddingOrList,
    explicit_paddings: list[int] = [],
    data_format: Format2D = "NHWC",
    dilations: list[int] = [1, 1, 1, 1],
) -> HalfFloat:
    """The gradient of Conv2D with respect to its filter, of shape filter_sizes [4]: input [n, h, w, c], out_backprop [n,
    places, places, o] -> [kh, kw, c, o].

    Raises: InvalidArgumentError for sizes that do not belong together.
    Differs from TF: also computes NCHW, dilations and groups of channels, which TF 1.15 leaves to GPUs.
    """
    how = _moving(data_format, strides, dilations, padding, explicit_paddings)
    return _filter_gradient(xp, "Conv2DCustomBackpropFilter", input, filter_sizes, out_backprop, how)


conv2d_backprop_filter.shape(lambda input, filter_sizes, out_backprop, **attrs: size_given(filter_sizes, 4))


@conv2d.grad
def _(op: Any, g: Any) -> Any:
    input, filter = op.inputs
    sizes, window = nodes.ShapeN([input, filter])
    attrs = attrs_of(op)
    return conv2d_backprop_input(sizes, filter, g, **attrs), conv2d_backprop_filter(input, window, g, **attrs)


@conv2d_backprop_input.grad
def _(op: Any, g: Any) -> Any:
    _, filter, dy = op.inputs
    attrs = attrs_of(op)
    return None, conv2d_backprop_filter(g, functions.shape(filter), dy, **attrs), conv2d(g, filter, **attrs)


@conv2d_backprop_filter.grad
def _(op: Any, g: Any) -> Any:
    input, _, dy = op.inputs
    attrs = attrs_of(op)
    return conv2d_backprop_input(functions.shape(input), g, dy, **attrs), None, conv2d(input, g, **attrs)


def attrs_of(op: Any) -> dict[str, Any]:
    """The attributes that a gradient has from its convolution."""
    return {name: op.attrs[name] for name in op.definition.kernel_attrs}


# -- volumes -----------------------------------------------------------------------------------------------------------


@op("Conv3D", fresh=True, value_safe=True, multiplies=True, gradient="da = g ∗ b, db = a ⋆ g")
def conv3d(
    xp: Any,
    input: HalfFloat,
    filter: HalfFloat,
    *,
    strides: AtLeast[5, list[int]],
    padding: Padding,
    data_format: Format3D = "NDHWC",
    dilations: list[int] = [1, 1, 1, 1, 1],
) -> HalfFloat:
    """Slides filters over volumes: input [n, d, h, w, c], filter [kd, kh, kw, c, o] -> [n, places, places, places, o].

    strides, dilations: one entry for each axis of the input.

    Raises: InvalidArgumentError for a number of channels that is no multiple of the filter's.
    Differs from TF: also computes NCDHW and dilations, which TF 1.15 leaves to GPUs.
    """
    return _convolved(xp, input, filter, _moving(data_format, strides, dilations, padding))


conv3d.shape(
    lambda input, filter, *, strides, padding, data_format, dilations: _shape(
        "Conv3D", input, filter, strides, dilations, padding, data_format
    )
)


@op("Conv3DBackpropInputV2", fresh=True, value_safe=True, multiplies=True)
def conv3d_backprop_input_v2(
    xp: Any,
    input_sizes: typevar("Tshape", INDEX, default=dtypes.int32),
    filter: HalfFloat,
    out_backprop: HalfFloat,
    *,
    strides: AtLeast[5, list[int]],
    padding: Padding,
    data_format: Format3D = "NDHWC",
    dilations: list[int] = [1, 1, 1, 1, 1],
) -> HalfFloat:
    """The gradient of Conv3D with respect to its input, of shape input_sizes [5]: filter [kd, kh, kw, c, o], out_backprop
    [n, places, places, places, o] -> [n, d, h, w, c].

    Raises: InvalidArgumentError for sizes that do not belong together.
    Differs from TF: also computes NCDHW and dilations, which TF 1.15 leaves to GPUs.
    """
    how = _moving(data_format, strides, dilations, padding)
    return _input_gradient(xp, "Conv3DBackpropInputOp", input_sizes, filter, out_backprop, how)


conv3d_backprop_input_v2.shape(lambda input_sizes, filter, out_backprop, **attrs: size_given(input_sizes, 5))


@op("Conv3DBackpropFilterV2", fresh=True, value_safe=True, multiplies=True)
def conv3d_backprop_filter_v2(
    xp: Any,
    input: HalfFloat,
    filter_sizes: dtypes.int32,
    out_backprop: HalfFloat,
    *,
    strides: AtLeast[5, list[int]],
    padding: Padding,
    data_format: Format3D = "NDHWC",
    dilations: list[int] = [1, 1, 1, 1, 1],
) -> HalfFloat:
    """The gradient of Conv3D with respect to its filter, of shape filter_sizes [5]: input [n, d, h, w, c], out_backprop [n,
    places, places, places, o] -> [kd, kh, kw, c, o].

    Raises: InvalidArgumentError for sizes that do not belong together.
    Differs from TF: also computes NCDHW and dilations, which TF 1.15 leaves to GPUs.
    """
    how = _moving(data_format, strides, dilations, padding)
    return _filter_gradient(xp, "Conv3DBackpropFilterOp", input, filter_sizes, out_backprop, how)


conv3d_backprop_filter_v2.shape(lambda input, filter_sizes, out_backprop, **attrs: size_given(filter_sizes, 5))


@conv3d.grad
def _(op: Any, g: Any) -> Any:
    input, filter = op.inputs
    attrs = attrs_of(op)
    return (
        conv3d_backprop_input_v2(functions.shape(input), filter, g, **attrs),
        conv3d_backprop_filter_v2(input, functions.shape(filter), g, **attrs),
    )


@conv3d_backprop_input_v2.grad
def _(op: Any, g: Any) -> Any:
    _, filter, dy = op.inputs
    attrs = attrs_of(op)
    return None, conv3d_backprop_filter_v2(g, functions.shape(filter), dy, **attrs), conv3d(g, filter, **attrs)


@conv3d_backprop_filter_v2.grad
def _(op: Any, g: Any) -> Any:
    input, _, dy = op.inputs
    attrs = attrs_of(op)
    return conv3d_backprop_input_v2(functions.shape(input), g, dy, **attrs), None, conv3d(input, g, **attrs)
