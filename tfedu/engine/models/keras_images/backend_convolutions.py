"""The convolutions of tf.keras.backend. As TF 1.15 without a GPU, they turn inputs whose channels are first. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...lib.arrays import array
from ...lib.nn.atrous import convolution
from ..keras_parts.image_arguments import checked_data_format


def op_padding(padding: Any) -> str:
    """"VALID" or "SAME", as ops name a padding.

    Raises: ValueError for another.
    """
    if padding not in ("valid", "same"):
        raise ValueError(error_text(f"Invalid padding: {padding}"))
    return str(padding).upper()


def conv2d(
    x: Any, kernel: Any, strides: Any = (1, 1), padding: str = "valid", data_format: Any = None, dilation_rate: Any = (1, 1)
) -> Any:
    """Filters over images: x [n, h, w, c], kernel [kh, kw, c, filters] -> [n, places, places, filters]; or by data_format
    "channels_first" x [n, c, h, w] -> [n, filters, places, places].

    Raises: ValueError for an unknown data_format or padding, and for sizes that do not fit.
    """
    first = checked_data_format(data_format) == "channels_first"
    images = array.transpose(x, (0, 2, 3, 1)) if first else x
    outputs = convolution(
        images, kernel, op_padding(padding), strides=strides, dilation_rate=dilation_rate, data_format="NHWC"
    )
    return array.transpose(outputs, (0, 3, 1, 2)) if first else outputs


__all__ = ["conv2d", "op_padding"]
