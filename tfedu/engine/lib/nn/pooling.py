"""Pooling: `max_pool(x, 2, 2, "SAME")`, `avg_pool`, their forms in one and three dimensions, as in TF 1.15. No state.

ksize and strides are a number, one number for each spatial axis, or one for each axis of the input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops import pooling as ops
from ..arrays import array
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from .window_arguments import for_each_axis


@atomic
def _pooled(
    op_caller: Callable[..., Any], scope_name: str, spatial: int, image: Any, ksize: Any, strides: Any, padding: Any,
    data_format: Any, name: str | None,
) -> Tensor:  # fmt: skip
    with named(name, scope_name, [image]) as scope:
        if data_format is None:
            data_format = "NDHWC" if spatial == 3 else "NHWC"
        windows = for_each_axis(ksize, "ksize", spatial, data_format)
        steps = for_each_axis(strides, "strides", spatial, data_format)
        pooled: Tensor = op_caller(
            image, ksize=windows, strides=steps, padding=padding, data_format=data_format, name=scope
        )
        return pooled


@atomic
def _pooled_rows(
    op_caller: Callable[..., Any], scope_name: str, rows: Any, ksize: Any, strides: Any, padding: Any, data_format: Any,
    name: str | None,
) -> Tensor:  # fmt: skip
    """Pooling of rows, which are images of height 1."""
    with named(name, scope_name, [rows]) as scope:
        if data_format is None:
            data_format = "NWC"
        windows = [1, *for_each_axis(ksize, "ksize", 1, data_format)]
        steps = [1, *for_each_axis(strides, "strides", 1, data_format)]
        height, layout = (1, "NHWC") if data_format == "NWC" else (2, "NCHW")
        images = array.expand_dims(rows, height)
        pooled = op_caller(images, ksize=windows, strides=steps, padding=padding, data_format=layout, name=scope)
        return array.squeeze(pooled, height)


# -- the largest number of a window ----------------------------------------------------------------------------------------


def max_pool(
    value: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = "NHWC", name: str | None = None, input: Any = None
) -> Tensor:
    """The largest number of each window: [n, h, w, c] -> [n, windows h, windows w, c]. input: another name of value.

    Raises: ValueError for a ksize or strides of another length, a window of size 0 and one larger than the image.
    """
    image = renamed("input", input, "value", value)
    if 0 in (ksize if isinstance(ksize, (list, tuple, np.ndarray)) else [ksize]):
        raise ValueError(error_text("ksize cannot be zero."))
    return _pooled(ops.max_pool, "MaxPool", 2, image, ksize, strides, padding, data_format, name)


def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = "NWC", name: str | None = None
) -> Tensor:
    """The largest number of each window: [n, w, c] -> [n, windows, c].

    Raises: ValueError for a ksize or strides of another length and for a window larger than the row.
    """
    return _pooled_rows(ops.max_pool, "MaxPool1d", input, ksize, strides, padding, data_format, name)


def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = "NHWC", name: str | None = None
) -> Tensor:
    """The largest number of each window: [n, h, w, c] -> [n, windows h, windows w, c].

    Raises: ValueError for a ksize or strides of another length and for a window larger than the image.
    """
    return _pooled(ops.max_pool, "MaxPool2d", 2, input, ksize, strides, padding, data_format, name)


def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = "NDHWC", name: str | None = None
) -> Tensor:
    """The largest number of each window: [n, d, h, w, c] -> [n, windows d, windows h, windows w, c].

    Raises: ValueError for a ksize or strides of another length and for a window larger than the volume.
    """
    return _pooled(ops.max_pool3d, "MaxPool3D", 3, input, ksize, strides, padding, data_format, name)


def max_pool_v2(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = None, name: str | None = None
) -> Tensor:
    """`max_pool1d`, `max_pool2d` or `max_pool3d`, by the rank of the input: [n, spatial..., c] -> [n, windows..., c].

    Raises: ValueError for an input of unknown rank, or of another rank than 3, 4 or 5.
    """
    return _by_rank(max_pool1d, max_pool, max_pool3d, input, ksize, strides, padding, data_format, name)


# -- the mean of a window --------------------------------------------------------------------------------------------------


def avg_pool(
    value: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = "NHWC", name: str | None = None, input: Any = None
) -> Tensor:
    """The mean of each window's elements: [n, h, w, c] -> [n, windows h, windows w, c]. input: another name of value.

    Raises: ValueError for a ksize or strides of another length and for a window larger than the image.
    """
    return _pooled(
        ops.avg_pool, "AvgPool", 2, renamed("input", input, "value", value), ksize, strides, padding, data_format, name
    )


avg_pool2d = avg_pool


def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = "NWC", name: str | None = None
) -> Tensor:
    """The mean of each window's elements: [n, w, c] -> [n, windows, c].

    Raises: ValueError for a ksize or strides of another length and for a window larger than the row.
    """
    return _pooled_rows(ops.avg_pool, "AvgPool1D", input, ksize, strides, padding, data_format, name)


def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = "NDHWC", name: str | None = None
) -> Tensor:
    """The mean of each window's elements: [n, d, h, w, c] -> [n, windows d, windows h, windows w, c].

    Raises: ValueError for a ksize or strides of another length and for a window larger than the volume.
    """
    return _pooled(ops.avg_pool3d, "AvgPool3D", 3, input, ksize, strides, padding, data_format, name)


def avg_pool_v2(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = None, name: str | None = None
) -> Tensor:
    """`avg_pool1d`, `avg_pool2d` or `avg_pool3d`, by the rank of the input: [n, spatial..., c] -> [n, windows..., c].

    Raises: ValueError for an input of unknown rank, or of another rank than 3, 4 or 5.
    """
    return _by_rank(avg_pool1d, avg_pool, avg_pool3d, input, ksize, strides, padding, data_format, name)


def _by_rank(
    of_rows: Any, of_images: Any, of_volumes: Any, input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any,
    name: str | None,
) -> Tensor:  # fmt: skip
    if not isinstance(input, Tensor):
        input = convert_to_tensor(input, name="input")
    rank = len(input.shape)
    pool_of = {3: of_rows, 4: of_images, 5: of_volumes}.get(rank)
    if pool_of is None:
        raise ValueError(error_text(f"Input tensor must be of rank 3, 4 or 5 but was {rank}.", [input]))
    result: Tensor = pool_of(input, ksize, strides, padding, data_format=data_format, name=name)
    return result


__all__ = [
    "avg_pool", "avg_pool1d", "avg_pool2d", "avg_pool3d", "avg_pool_v2", "max_pool", "max_pool1d", "max_pool2d", "max_pool3d",
    "max_pool_v2",
]  # fmt: skip
