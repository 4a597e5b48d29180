"""`tf.nn.conv2d` and its relatives: filters that slide over sequences, images and volumes, as in TF 1.15. No state."""

# ruff: noqa: B006 - the default dilations are lists in TF's signatures

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...ops import convolution as ops
from ..arrays import array
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named

# -- arguments -------------------------------------------------------------------------------------------------------


def each_axis(values: Any, spatial: int, channels: int, name: str) -> list[Any]:
    """The entries of an argument for all axes; the program gives one number, a number a spatial axis, or a number an axis.

    channels: the axis of the channels. name: the argument's, for the message.

    Raises: ValueError for a list of another length.
    """
    if values is None:
        return [1] * (spatial + 2)
    listed = list(values) if hasattr(values, "__len__") and not isinstance(values, str) else [values]
    if len(listed) == spatial + 2:
        return listed
    if len(listed) == 1:
        listed = listed * spatial
    elif len(listed) != spatial:
        usual = ", ".join(_with_others("dhw"[3 - spatial :], "1", channels))
        raise ValueError(
            error_text(
                f"{name} should be of length 1, {spatial} or {spatial + 2} but was {len(listed)}",
                fix=f"{name}=[{usual}]: one for each axis, 1 for the batch and the channels",
            )
        )
    return _with_others(listed, 1, channels)


def _with_others(spatial: Iterable[Any], other: Any, channels: int) -> list[Any]:
    """The values of the spatial axes with those of the batch and the channels."""
    whole = [other, *spatial]
    whole.insert(channels, other)
    return whole


def channels_axis(data_format: str | None, spatial: int) -> int:
    """The axis of the channels: "NHWC" -> 3, "NCHW" -> 1; last where there is no data format."""
    return 1 if data_format is not None and data_format.startswith("NC") else spatial + 1


def padding_attrs(padding: Any) -> dict[str, Any]:
    """The attributes padding and explicit_paddings of an argument that is "SAME", "VALID" or (before, after) of each axis.

    Raises: ValueError for a list of another form.
    """
    if isinstance(padding, list | tuple):
        whose = "When padding is a list, each element of padding must be a list/tuple of size 2. Element with index"
        for i, pair in enumerate(padding):
            if not isinstance(pair, list | tuple):
                raise ValueError(error_text(f"{whose} {i} of padding is not a list/tuple"))
            if len(pair) != 2:
                raise ValueError(error_text(f"{whose} {i} of padding has size {len(pair)}"))
        if len(padding) != 4:
            raise ValueError(
                error_text(f"When padding is a list, it must be of size 4. Got padding of size: {len(padding)}")
            )
        return {"padding": "EXPLICIT", "explicit_paddings": [n for pair in padding for n in pair]}
    if padding == "EXPLICIT":
        raise ValueError(
            error_text(
                '"EXPLICIT" is not a valid value for the padding parameter. To use explicit padding, the padding parameter '
                "must be a list."
            )
        )
    return {"padding": padding}


def _image_format(data_format: str | None) -> str:
    """The format of images of one line: "NWC" -> "NHWC". Raises: ValueError for another format."""
    if data_format in (None, "NWC"):
        return "NHWC"
    if data_format == "NCW":
        return "NCHW"
    raise ValueError(error_text('data_format must be "NWC" or "NCW".'))


# -- convolutions ----------------------------------------------------------------------------------------------------


@atomic
def conv1d(
    value: Any = None,
    filters: Any = None,
    stride: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool | None = None,
    data_format: str | None = None,
    name: str | None = None,
    input: Any = None,
    dilations: Any = None,
) -> Tensor:
    """Slides filters over sequences: value [n, w, c], filters [k, c, o] -> [n, places, o].

    It is conv2d on images of one line. data_format: "NCW" for sequences [n, c, w]. input: the newer name of value.

    Raises: ValueError for shapes, strides or a format that do not fit.
    """
    value = renamed("input", input, "value", value)
    with named(name, "conv1d", [value, filters]) as scope:
        layout = data_format if data_format in ("NHWC", "NCHW") else _image_format(data_format)
        line = 2 if layout == "NCHW" else 1  # where the axis of one line is put in
        channels = channels_axis(layout, 1)
        strides = [1, *each_axis(stride, 1, channels, "stride")]
        dilations = [1, *each_axis(dilations, 1, channels, "dilations")]
        images, kernel = array.expand_dims(value, line), array.expand_dims(filters, 0)
        out = ops.conv2d(
            images, kernel, strides=strides, use_cudnn_on_gpu=True if use_cudnn_on_gpu is None else use_cudnn_on_gpu,
            padding=padding, data_format=layout, dilations=dilations, name=scope,
        )  # fmt: skip
        return array.squeeze(out, [line])


@atomic
def conv2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str | None = "NHWC",
    dilations: Any = [1, 1, 1, 1],
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """Slides filters over images: input [n, h, w, c], filter [kh, kw, c, o] -> [n, places, places, o].

    strides, dilations: one number, two, or one for each axis. padding: "SAME", "VALID", or (before, after) of each axis.
    data_format: "NCHW" for images [n, c, h, w]. filters: the newer name of filter.

    Raises: ValueError for shapes, strides or padding that do not fit.
    Differs from TF: NCHW and groups of channels run, too; TF 1.15 has no kernel of them for processors.
    """
    filter = renamed("filters", filters, "filter", filter)
    channels = channels_axis(data_format, 2)
    out: Tensor = ops.conv2d(
        input, filter, strides=each_axis(strides, 2, channels, "strides"), use_cudnn_on_gpu=use_cudnn_on_gpu,
        **padding_attrs(padding), data_format=data_format or "NHWC",
        dilations=each_axis(dilations, 2, channels, "dilations"), name=name,
    )  # fmt: skip
    return out


@atomic
def conv3d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str | None = "NDHWC",
    dilations: Any = [1, 1, 1, 1, 1],
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """Slides filters over volumes: input [n, d, h, w, c], filter [kd, kh, kw, c, o] -> [n, places, places, places, o].

    strides, dilations: one for each axis. data_format: "NCDHW" for volumes [n, c, d, h, w]. filters: the newer name of filter.

    Raises: ValueError for shapes, strides or padding that do not fit.
    Differs from TF: NCDHW and dilations run, too; TF 1.15 has no kernel of them for processors.
    """
    filter = renamed("filters", filters, "filter", filter)
    out: Tensor = ops.conv3d(
        input, filter, strides=strides, padding=padding, data_format=data_format or "NDHWC",
        dilations=[1] * 5 if dilations is None else dilations, name=name,
    )  # fmt: skip
    return out


def plain_convolution(
    input: Tensor, filter: Tensor, spatial: int, strides: list[Any], padding: Any, data_format: str | None, scope: str
) -> Tensor:
    """The convolution with that many spatial axes, without dilations. strides: one for each axis."""
    if spatial == 1:
        return conv1d(input, filter, strides, padding, data_format=data_format, name=scope)
    op = ops.conv2d if spatial == 2 else ops.conv3d
    default = "NHWC" if spatial == 2 else "NDHWC"
    out: Tensor = op(input, filter, strides=strides, padding=padding, data_format=data_format or default, name=scope)
    return out


# -- gradients as functions ------------------------------------------------------------------------------------------


@atomic
def conv2d_backprop_input(
    input_sizes: Any,
    filter: Any = None,
    out_backprop: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """The gradient of conv2d with respect to its input, of shape input_sizes [4]: filter [kh, kw, c, o], out_backprop [n,
    places, places, o] -> [n, h, w, c].
    """
    filter = renamed("filters", filters, "filter", filter)
    out: Tensor = ops.conv2d_backprop_input(
        input_sizes, filter, out_backprop, strides=strides, use_cudnn_on_gpu=use_cudnn_on_gpu, **padding_attrs(padding),
        data_format=data_format, dilations=dilations, name=name,
    )  # fmt: skip
    return out


@atomic
def conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],
    name: str | None = None,
) -> Tensor:
    """The gradient of conv2d with respect to its filter, of shape filter_sizes [4]: input [n, h, w, c], out_backprop [n,
    places, places, o] -> [kh, kw, c, o].
    """
    out: Tensor = ops.conv2d_backprop_filter(
        input, filter_sizes, out_backprop, strides=strides, use_cudnn_on_gpu=use_cudnn_on_gpu, **padding_attrs(padding),
        data_format=data_format, dilations=dilations, name=name,
    )  # fmt: skip
    return out


def conv3d_backprop_filter_v2(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    dilations: Any = [1, 1, 1, 1, 1],
    name: str | None = None,
) -> Tensor:
    """The gradient of conv3d with respect to its filter, of shape filter_sizes [5]: input [n, d, h, w, c], out_backprop [n,
    places, places, places, o] -> [kd, kh, kw, c, o].
    """
    out: Tensor = ops.conv3d_backprop_filter_v2(
        input, filter_sizes, out_backprop, strides=strides, padding=padding, data_format=data_format, dilations=dilations,
        name=name,
    )  # fmt: skip
    return out


conv3d_backprop_filter = conv3d_backprop_filter_v2


# -- transposed convolutions -----------------------------------------------------------------------------------------


@atomic
def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The gradient of conv1d as a layer: input [n, places, o], filters [k, c, o] -> output_shape, [n, w, c].

    Raises: ValueError for strides, a format or an output_shape that do not fit.
    """
    with named(name, "conv1d_transpose", [input, filters, output_shape]) as scope:
        layout = _image_format(data_format)
        line = 2 if layout == "NCHW" else 1
        channels = channels_axis(layout, 1)
        strides = [1, *each_axis(strides, 1, channels, "stride")]
        dilations = [1, *each_axis(dilations, 1, channels, "dilations")]
        images, kernel = array.expand_dims(input, line), array.expand_dims(filters, 0)
        if not isinstance(output_shape, Tensor):
            output_shape = list(output_shape)
        sizes = array.concat([output_shape[:line], [1], output_shape[line:]], axis=0)
        out = ops.conv2d_backprop_input(
            sizes, kernel, images, strides=strides, padding=padding, data_format=layout, dilations=dilations, name=scope
        )
        return array.squeeze(out, [line])


@atomic
def conv2d_transpose(
    value: Any = None,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str | None = "NHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The gradient of conv2d as a layer: value [n, places, places, o], filter [kh, kw, c, o] -> output_shape, [n, h, w, c].

    With strides s it makes images s times as large ("deconvolution"). input, filters: the newer names of value and filter.

    Raises: ValueError for strides or an output_shape that do not fit.
    """
    value = renamed("input", input, "value", value)
    filter = renamed("filters", filters, "filter", filter)
    with named(name, "conv2d_transpose", [output_shape, value, filter]) as scope:
        data_format = data_format or "NHWC"
        channels = channels_axis(data_format, 2)
        out: Tensor = ops.conv2d_backprop_input(
            output_shape, filter, value, strides=each_axis(strides, 2, channels, "strides"), padding=padding,
            data_format=data_format, dilations=each_axis(dilations, 2, channels, "dilations"), name=scope,
        )  # fmt: skip
        return out


@atomic
def conv3d_transpose(
    value: Any,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str | None = "NDHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The gradient of conv3d as a layer: value [n, places, places, places, o], filter [kd, kh, kw, c, o] -> output_shape,
    [n, d, h, w, c]. input, filters: the newer names of value and filter.

    Raises: ValueError for strides or an output_shape that do not fit.
    """
    value = renamed("input", input, "value", value)
    filter = renamed("filters", filters, "filter", filter)
    with named(name, "conv3d_transpose", [output_shape, value, filter]) as scope:
        data_format = data_format or "NDHWC"
        channels = channels_axis(data_format, 3)
        out: Tensor = ops.conv3d_backprop_input_v2(
            output_shape, filter, value, strides=each_axis(strides, 3, channels, "strides"), padding=padding,
            data_format=data_format, dilations=each_axis(dilations, 3, channels, "dilations"), name=scope,
        )  # fmt: skip
        return out


@atomic
def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """conv1d_transpose, conv2d_transpose or conv3d_transpose, as the length of output_shape says.

    Raises: ValueError for an output_shape of another length.
    """
    with named(name, "conv_transpose", [input, filters, output_shape]) as scope:
        if isinstance(output_shape, Tensor):
            raw = output_shape.raw_shape
            length = None if not raw else raw[0]
        elif hasattr(output_shape, "__len__"):
            length = len(output_shape)
        else:
            raise ValueError(error_text("output_shape must be a tensor or sized collection."))
        functions = {3: conv1d_transpose, 4: conv2d_transpose, 5: conv3d_transpose}
        if length not in functions:
            known = "?" if length is None else length
            raise ValueError(error_text(f"output_shape must be of length 3, 4 or 5 but was {known}."))
        out: Tensor = functions[length](
            input, filters, output_shape, strides, padding=padding, data_format=data_format, dilations=dilations, name=scope
        )
        return out


__all__ = [
    "conv1d", "conv1d_transpose", "conv2d", "conv2d_backprop_filter", "conv2d_backprop_input", "conv2d_transpose", "conv3d",
    "conv3d_backprop_filter", "conv3d_backprop_filter_v2", "conv3d_transpose", "conv_transpose",
]  # fmt: skip
