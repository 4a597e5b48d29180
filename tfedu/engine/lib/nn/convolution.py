"""`tf.nn.conv2d` and its relatives: filters that slide over sequences, images and volumes, as in TF 1.15. No state."""

# ruff: noqa: B006 - the default dilations are lists in TF's signatures

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...ops import convolution as ops
from ..framework.renamed_arguments import renamed

# -- arguments -------------------------------------------------------------------------------------------------------


def each_axis(values: Any, spatial: int, channels: int, name: str) -> list[Any]:
    """An argument with an entry for each axis, from one number, one for each spatial axis, or one for each axis.

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
        lengths = " or ".join(map(str, sorted({1, spatial}))) if spatial == 1 else f"1, {spatial}"
        raise ValueError(error_text(f"{name} should be of length {lengths} or {spatial + 2} but was {len(listed)}"))
    whole = [1, *listed]
    whole.insert(channels, 1)
    return whole


def padding_attrs(padding: Any) -> dict[str, Any]:
    """The attributes padding and explicit_paddings of an argument that is "SAME", "VALID" or (before, after) of each axis.

    Raises: ValueError for a list of another form.
    """
    if isinstance(padding, list | tuple):
        for i, pair in enumerate(padding):
            if not isinstance(pair, list | tuple):
                raise ValueError(
                    error_text(
                        "When padding is a list, each element of padding must be a list/tuple of size 2. "
                        f"Element with index {i} of padding is not a list/tuple"
                    )
                )
            if len(pair) != 2:
                raise ValueError(
                    error_text(
                        "When padding is a list, each element of padding must be a list/tuple of size 2. "
                        f"Element with index {i} of padding has size {len(pair)}"
                    )
                )
        if len(padding) != 4:
            raise ValueError(error_text(f"When padding is a list, it must be of size 4. Got padding of size: {len(padding)}"))
        return {"padding": "EXPLICIT", "explicit_paddings": [n for pair in padding for n in pair]}
    if padding == "EXPLICIT":
        raise ValueError(
            error_text(
                '"EXPLICIT" is not a valid value for the padding parameter. To use explicit padding, the padding parameter '
                "must be a list."
            )
        )
    return {"padding": padding}


# -- convolutions ----------------------------------------------------------------------------------------------------


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
    data_format: "NCHW" for images [n, c, h, w].

    Raises: ValueError for shapes, strides or padding that do not fit.
    """
    filter = renamed("filters", filters, "filter", filter)
    data_format = data_format or "NHWC"
    channels = 1 if data_format.startswith("NC") else 3
    product: Tensor = ops.conv2d(
        input, filter, each_axis(strides, 2, channels, "strides"), use_cudnn_on_gpu=use_cudnn_on_gpu, **padding_attrs(padding),
        data_format=data_format, dilations=each_axis(dilations, 2, channels, "dilations"), name=name,
    )  # fmt: skip
    return product


__all__ = ["conv2d"]
