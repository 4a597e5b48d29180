"""The arguments of layers over images: data formats, and sizes for each spatial axis. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from .keras_config import image_data_format


def normalized_data_format(value: Any) -> str:
    """`image_data_format()` for None, else the value in lower case.

    Raises: ValueError for anything but "channels_first" and "channels_last".
    """
    if value is None:
        return image_data_format()
    lower = value.lower() if isinstance(value, str) else value
    if lower not in ("channels_first", "channels_last"):
        raise ValueError(
            error_text(
                f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {value}'
            )
        )
    return str(lower)


def checked_data_format(value: Any) -> str:
    """`image_data_format()` for None, else the value itself: the data format of a function of tf.keras.backend.

    Raises: ValueError for anything but "channels_first" and "channels_last".
    """
    found = image_data_format() if value is None else value
    if found not in ("channels_first", "channels_last"):
        raise ValueError(error_text(f"Unknown data_format: {found}"))
    return str(found)


def sizes_of_axes(value: Any, count: int, name: str) -> tuple[Any, ...]:
    """A size for each of `count` axes, from one int or a tuple.

    Raises: ValueError for a tuple of another length or with elements that are no numbers.
    """
    if isinstance(value, int):
        return (value,) * count
    text = f"The `{name}` argument must be a tuple of {count} integers. Received: {value}"
    try:
        sizes = tuple(value)
    except TypeError:
        raise ValueError(error_text(text)) from None
    if len(sizes) != count:
        raise ValueError(error_text(text))
    for size in sizes:
        try:
            int(size)
        except (ValueError, TypeError):
            raise ValueError(error_text(f"{text} including element {size} of type {type(size)}")) from None
    return sizes


def normalized_padding(value: Any) -> Any:
    """"valid", "same" or "causal", or a list or tuple as it is.

    Raises: ValueError for any other.
    """
    if isinstance(value, (list, tuple)):
        return value
    lower = value.lower() if isinstance(value, str) else value
    if lower not in ("valid", "same", "causal"):
        raise ValueError(
            error_text(
                'The `padding` argument must be a list/tuple or one of "valid", "same" (or "causal", only for `Conv1D). '
                f"Received: {value}"
            )
        )
    return lower


def op_data_format(data_format: str, rank: int) -> str:
    """The data format of an op over inputs of that rank: ("channels_first", 4) -> "NCHW"."""
    axes = {3: "W", 4: "HW", 5: "DHW"}[rank]
    return f"NC{axes}" if data_format == "channels_first" else f"N{axes}C"


def output_length(length: int | None, window: int, padding: Any, stride: int, dilation: int = 1) -> int | None:
    """The number of places of a window along an axis of that length."""
    if length is None:
        return None
    places = length if padding in ("same", "causal") else length - (window + (window - 1) * (dilation - 1)) + 1
    return (places + stride - 1) // stride


def transposed_length(length: Any, window: int, padding: str, stride: int, added: int | None = None, rate: int = 1) -> Any:
    """The length of an axis over which a window has `length` places; as nodes, if `length` is a tensor.

    added: the elements behind the last window, which may be fewer than a stride; rate: of the window's dilation.
    """
    if length is None:
        return None
    window += (window - 1) * (rate - 1)
    if added is not None:
        return (length - 1) * stride + window - 2 * (0 if padding == "valid" else window // 2) + added
    whole = length * stride
    return whole + max(window - stride, 0) if padding == "valid" else whole
