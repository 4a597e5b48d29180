"""The convolutions and poolings of tf.keras.backend. As TF 1.15 without a GPU, they turn inputs whose channels are first.

No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.nn import pooling
from ...lib.nn.atrous import atrous_conv2d_transpose, convolution
from ...lib.nn.convolution import conv2d_transpose as transposed
from ...lib.nn.depthwise import separable_conv2d as separable
from ..keras_parts.image_arguments import checked_data_format
from .locally_connected import by_windows
from .resizing_layers import enlarged, repeated

_TO_LAST = {1: (0, 2, 1), 2: (0, 2, 3, 1), 3: (0, 2, 3, 4, 1)}
_TO_FIRST = {1: (0, 2, 1), 2: (0, 3, 1, 2), 3: (0, 4, 1, 2, 3)}
_POOLINGS: dict[tuple[str, int], Callable[..., Any]] = {
    ("max", 2): pooling.max_pool, ("avg", 2): pooling.avg_pool, ("max", 3): pooling.max_pool3d, ("avg", 3): pooling.avg_pool3d,
}  # fmt: skip


def _op_padding(padding: Any) -> str:
    """"VALID" or "SAME", as ops name a padding.

    Raises: ValueError for another.
    """
    if padding not in ("valid", "same"):
        raise ValueError(error_text(f"Invalid padding: {padding}"))
    return str(padding).upper()


def _channels_last(x: Any, rank: int, data_format: Any, build: Callable[[Any], Any]) -> Any:
    """What `build` makes of x with the channels last, in the order of axes that x has."""
    if checked_data_format(data_format) != "channels_first":
        return build(x)
    return array.transpose(build(array.transpose(x, _TO_LAST[rank])), _TO_FIRST[rank])


# -- convolutions ----------------------------------------------------------------------------------------------------------


@atomic
def conv1d(
    x: Any, kernel: Any, strides: int = 1, padding: str = "valid", data_format: Any = None, dilation_rate: int = 1
) -> Any:
    """Filters over sequences: x [n, steps, c], kernel [k, c, filters] -> [n, places, filters]; or by data_format
    "channels_first" x [n, c, steps] -> [n, filters, places]. padding "causal": no output depends on later inputs.

    Raises: ValueError for an unknown data_format or padding, and for sizes that do not fit.
    """
    checked_data_format(data_format)
    if padding == "causal":
        before = dilation_rate * (kernel.shape.as_list()[0] - 1)
        x, padding = array.pad(x, [[0, 0], [before, 0], [0, 0]]), "valid"
    name = _op_padding(padding)
    return _channels_last(
        x, 1, data_format,
        lambda steps: convolution(steps, kernel, name, strides=strides, dilation_rate=dilation_rate, data_format="NWC"),
    )  # fmt: skip


@atomic
def conv2d(
    x: Any, kernel: Any, strides: Any = (1, 1), padding: str = "valid", data_format: Any = None, dilation_rate: Any = (1, 1)
) -> Any:
    """Filters over images: x [n, h, w, c], kernel [kh, kw, c, filters] -> [n, places, places, filters]; or by data_format
    "channels_first" x [n, c, h, w] -> [n, filters, places, places].

    Raises: ValueError for an unknown data_format or padding, and for sizes that do not fit.
    """
    checked_data_format(data_format)
    name = _op_padding(padding)
    return _channels_last(
        x, 2, data_format,
        lambda images: convolution(images, kernel, name, strides=strides, dilation_rate=dilation_rate, data_format="NHWC"),
    )  # fmt: skip


@atomic
def conv3d(
    x: Any, kernel: Any, strides: Any = (1, 1, 1), padding: str = "valid", data_format: Any = None,
    dilation_rate: Any = (1, 1, 1),
) -> Any:  # fmt: skip
    """Filters over volumes: x [n, d, h, w, c], kernel [kd, kh, kw, c, filters] -> [n, places, places, places, filters]; or by
    data_format "channels_first" x [n, c, d, h, w] -> [n, filters, places, places, places].

    Raises: ValueError for an unknown data_format or padding, and for sizes that do not fit.
    """
    checked_data_format(data_format)
    name = _op_padding(padding)
    return _channels_last(
        x, 3, data_format,
        lambda volumes: convolution(volumes, kernel, name, strides=strides, dilation_rate=dilation_rate, data_format="NDHWC"),
    )  # fmt: skip


@atomic
def conv2d_transpose(
    x: Any, kernel: Any, output_shape: Any, strides: Any = (1, 1), padding: str = "valid", data_format: Any = None,
    dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """The gradient of `conv2d` as a function of images: x [n, places, places, filters], kernel [kh, kw, c, filters] ->
    output_shape, [n, h, w, c]; or by data_format "channels_first" x [n, filters, places, places] -> [n, c, h, w].

    Raises: ValueError for an unknown data_format or padding, for dilation rates that differ, and for sizes that do not fit.
    """
    first = checked_data_format(data_format) == "channels_first"
    if dilation_rate[0] != dilation_rate[1]:
        raise ValueError(error_text(f"dilation_rate must be the same for both axes, not {tuple(dilation_rate)}"))
    name = _op_padding(padding)

    def build(images: Any) -> Any:
        sizes = output_shape
        if isinstance(output_shape, (tuple, list)):
            sizes = array.stack([output_shape[0], *output_shape[2:], output_shape[1]] if first else list(output_shape))
        if tuple(dilation_rate) != (1, 1):
            return atrous_conv2d_transpose(images, kernel, sizes, dilation_rate[0], name)
        return transposed(images, kernel, sizes, (1, *strides, 1), padding=name, data_format="NHWC")

    return _channels_last(x, 2, data_format, build)


@atomic
def separable_conv2d(
    x: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: Any = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """A filter for each channel of images, then a mixture of the channels: x [n, h, w, c], depthwise_kernel [kh, kw, c, m],
    pointwise_kernel [1, 1, c · m, filters] -> [n, places, places, filters]; or by data_format "channels_first" x [n, c, h, w]
    -> [n, filters, places, places].

    Raises: ValueError for an unknown data_format or padding, for strides of another length, and for sizes that do not fit.
    """
    checked_data_format(data_format)
    _check_length(strides, 2, "strides")
    name = _op_padding(padding)
    return _channels_last(
        x, 2, data_format,
        lambda images: separable(
            images, depthwise_kernel, pointwise_kernel, strides=(1, *strides, 1), padding=name, rate=dilation_rate,
            data_format="NHWC",
        ),
    )  # fmt: skip


# -- poolings --------------------------------------------------------------------------------------------------------------


@atomic
def pool2d(
    x: Any, pool_size: Any, strides: Any = (1, 1), padding: str = "valid", data_format: Any = None, pool_mode: str = "max"
) -> Any:
    """The largest element, or with pool_mode "avg" the mean, of each window over images: x [n, h, w, c] -> [n, places, places,
    c]; or by data_format "channels_first" x [n, c, h, w] -> [n, c, places, places].

    Raises: ValueError for an unknown data_format, padding or pool_mode, and for sizes of another length.
    """
    return _pooled(x, 2, pool_size, strides, padding, data_format, pool_mode)


@atomic
def pool3d(
    x: Any, pool_size: Any, strides: Any = (1, 1, 1), padding: str = "valid", data_format: Any = None, pool_mode: str = "max"
) -> Any:
    """The largest element, or with pool_mode "avg" the mean, of each window over volumes: x [n, d, h, w, c] -> [n, places,
    places, places, c]; or by data_format "channels_first" x [n, c, d, h, w] -> [n, c, places, places, places].

    Raises: ValueError for an unknown data_format, padding or pool_mode, and for sizes of another length.
    """
    return _pooled(x, 3, pool_size, strides, padding, data_format, pool_mode)


def _pooled(x: Any, rank: int, pool_size: Any, strides: Any, padding: Any, data_format: Any, mode: str) -> Any:
    checked_data_format(data_format)
    _check_length(pool_size, rank, "pool_size")
    _check_length(strides, rank, "strides")
    name = _op_padding(padding)
    if (mode, rank) not in _POOLINGS:
        raise ValueError(error_text(f"Invalid pooling mode: {mode}"))
    pool, form = _POOLINGS[mode, rank], {2: "NHWC", 3: "NDHWC"}[rank]
    windows, steps = (1, *pool_size, 1), (1, *strides, 1)
    return _channels_last(
        x, rank, data_format,
        lambda values: pool(values, ksize=windows, strides=steps, padding=name, data_format=form),
    )  # fmt: skip


def _check_length(sizes: Any, count: int, name: str) -> None:
    if not isinstance(sizes, (tuple, list)) or len(sizes) != count:
        raise ValueError(error_text(f"`{name}` must be a tuple of {count} integers."))


# -- filters of their own for each place -----------------------------------------------------------------------------------


@atomic
def local_conv1d(inputs: Any, kernel: Any, kernel_size: Any, strides: Any, data_format: Any = None) -> Any:
    """Filters of its own for each place of sequences: inputs [n, steps, c], kernel [places, k · c, filters] -> [n, places,
    filters]; or by data_format "channels_first" inputs [n, c, steps] -> [n, filters, places].

    Raises: ValueError for an unknown data_format.
    """
    form = checked_data_format(data_format)
    return by_windows(inputs, kernel, kernel_size, strides, (kernel.shape.as_list()[0],), form)


@atomic
def local_conv2d(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, output_shape: Any, data_format: Any = None
) -> Any:
    """Filters of its own for each place of images: inputs [n, h, w, c], kernel [places · places, kh · kw · c, filters] -> [n,
    *output_shape, filters]; or by data_format "channels_first" inputs [n, c, h, w] -> [n, filters, *output_shape].

    Raises: ValueError for an unknown data_format.
    """
    return by_windows(inputs, kernel, kernel_size, strides, tuple(output_shape), checked_data_format(data_format))


# -- sizes -----------------------------------------------------------------------------------------------------------------


@atomic
def resize_images(
    x: Any, height_factor: int, width_factor: int, data_format: str, interpolation: str = "nearest"
) -> Any:
    """Images enlarged by whole numbers: [n, h, w, c] -> [n, h · a, w · b, c]; or by data_format "channels_first" [n, c, h, w].

    Raises: ValueError for an unknown data_format or interpolation.
    """
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(error_text(f"Invalid `data_format` argument: {data_format}"))
    if interpolation not in ("nearest", "bilinear"):
        raise ValueError(error_text('interpolation should be one of "nearest" or "bilinear".'))
    return enlarged(x, (height_factor, width_factor), data_format == "channels_first", interpolation)


@atomic
def resize_volumes(x: Any, depth_factor: int, height_factor: int, width_factor: int, data_format: str) -> Any:
    """Each element of volumes several times: [n, d, h, w, c] -> [n, d · a, h · b, w · e, c]; or by data_format
    "channels_first" [n, c, d, h, w].

    Raises: ValueError for an unknown data_format.
    """
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(error_text(f"Invalid data_format: {data_format}"))
    begin = 2 if data_format == "channels_first" else 1
    for axis, factor in enumerate((depth_factor, height_factor, width_factor)):
        x = repeated(x, factor, begin + axis)
    return x


__all__ = [
    "conv1d", "conv2d", "conv2d_transpose", "conv3d", "local_conv1d", "local_conv2d", "pool2d", "pool3d", "resize_images",
    "resize_volumes", "separable_conv2d",
]  # fmt: skip
