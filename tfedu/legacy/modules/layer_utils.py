"""`tensorflow.python.layers.utils`: the arguments of layers over images."""

from __future__ import annotations

from ...engine.base.errors import error_text
from ...engine.models.keras_parts.image_arguments import (
    normalized_data_format as normalize_data_format,
)
from ...engine.models.keras_parts.image_arguments import op_data_format
from ...engine.models.keras_parts.image_arguments import sizes_of_axes as normalize_tuple


def convert_data_format(data_format: str, ndim: int) -> str:
    """The data format of an op over inputs of that rank: ("channels_first", 4) -> "NCHW".

    Raises: ValueError for any other data format, and for a rank that is not 3, 4 or 5.
    """
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(error_text(f"('Invalid data_format:', {data_format!r})"))
    if ndim not in (3, 4, 5):
        raise ValueError(error_text(f"('Input rank not supported:', {ndim})"))
    return op_data_format(data_format, ndim)


def normalize_padding(value: str) -> str:
    """The padding in lower case. Raises: ValueError for anything but "valid" and "same"."""
    padding = value.lower()
    if padding not in ("valid", "same"):
        raise ValueError(error_text(f'The `padding` argument must be one of "valid", "same". Received: {padding}'))
    return padding


_OUTSIDE = {"same": lambda window: window // 2, "valid": lambda window: 0, "full": lambda window: window - 1}


def conv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int, dilation: int = 1
) -> int | None:
    """The number of places of a window along an axis of that length. padding: "same", "valid" or "full"."""
    if input_length is None:
        return None
    window = filter_size + (filter_size - 1) * (dilation - 1)
    places = {"same": input_length, "valid": input_length - window + 1, "full": input_length + window - 1}[padding]
    return (places + stride - 1) // stride


def conv_input_length(output_length: int | None, filter_size: int, padding: str, stride: int) -> int | None:
    """The length of an axis along which a window has that many places."""
    if output_length is None:
        return None
    return (output_length - 1) * stride - 2 * _OUTSIDE[padding](filter_size) + filter_size


def deconv_output_length(input_length: int | None, filter_size: int, padding: str, stride: int) -> int | None:
    """The length of the axis that a transposed window of that many places spreads over."""
    if input_length is None:
        return None
    length = input_length * stride
    if padding == "valid":
        return length + max(filter_size - stride, 0)
    return length - (stride + filter_size - 2) if padding == "full" else length


__all__ = [
    "conv_input_length", "conv_output_length", "convert_data_format", "deconv_output_length",
    "error_text", "normalize_data_format", "normalize_padding", "normalize_tuple", "op_data_format",
]  # fmt: skip
