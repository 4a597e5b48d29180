"""Pooling: `max_pool(x, 2, 2, "SAME")`, `avg_pool`, their forms in one and three dimensions, as in TF 1.15. No state.

ksize and strides are a number, one number for each spatial axis, or one for each axis of the input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops import argmax_pooling as argmax_ops
from ...ops import fractional_pooling as fractional_ops
from ...ops import pooling as ops
from ..arrays import array
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from .atrous import with_space_to_batch
from .convolution import channels_axis, each_axis


@atomic
def _pooled(
    op_caller: Callable[..., Any], scope_name: str, spatial: int, image: Any, ksize: Any, strides: Any, padding: Any,
    data_format: Any, name: str | None,
) -> Tensor:  # fmt: skip
    with named(name, scope_name, [image]) as scope:
        if data_format is None:
            data_format = "NDHWC" if spatial == 3 else "NHWC"
        channels = channels_axis(data_format, spatial)
        windows, steps = each_axis(ksize, spatial, channels, "ksize"), each_axis(strides, spatial, channels, "strides")
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
        channels = channels_axis(data_format, 1)
        windows = [1, *each_axis(ksize, 1, channels, "ksize")]
        steps = [1, *each_axis(strides, 1, channels, "strides")]
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


# -- other forms -----------------------------------------------------------------------------------------------------------


def max_pool_with_argmax(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = "NHWC", Targmax: Any = None,
    name: str | None = None, output_dtype: Any = None, include_batch_in_index: bool = False,
) -> Any:  # fmt: skip
    """(output, argmax): the first maximum of each window and its position in the flattened image: [n, h, w, c] -> twice [n,
    windows h, windows w, c].

    output_dtype: that of the positions, int64 by default; Targmax is another name. include_batch_in_index: they count through
    all images.
    Raises: ValueError for another data_format than "NHWC"; TypeError for a ksize that is no list.
    """
    if data_format != "NHWC":
        raise ValueError(error_text("Data formats other than 'NHWC' are not yet supported"))
    places = renamed("output_dtype", output_dtype, "Targmax", Targmax)
    return argmax_ops.max_pool_with_argmax(
        input, ksize=ksize, strides=strides, padding=padding, Targmax=dtypes.int64 if places is None else places,
        include_batch_in_index=include_batch_in_index, name=name,
    )  # fmt: skip


def _fractional(op_caller: Callable[..., Any]) -> Callable[..., Any]:
    def pool(
        value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, deterministic: bool = False,
        seed: int = 0, seed2: int = 0, name: str | None = None,
    ) -> Any:  # fmt: skip
        return op_caller(
            value, pooling_ratio=pooling_ratio, pseudo_random=pseudo_random, overlapping=overlapping,
            deterministic=deterministic, seed=seed, seed2=seed2, name=name,
        )  # fmt: skip

    pool.__name__ = pool.__qualname__ = op_caller.__name__
    pool.__doc__ = op_caller.__doc__
    return pool


fractional_max_pool = _fractional(fractional_ops.fractional_max_pool)
fractional_avg_pool = _fractional(fractional_ops.fractional_avg_pool)

_POOLS = {
    "MAX": {1: max_pool1d, 2: max_pool, 3: max_pool3d},
    "AVG": {1: avg_pool1d, 2: avg_pool, 3: avg_pool3d},
}


@atomic
def pool(
    input: Any, window_shape: Any, pooling_type: str, padding: Any, dilation_rate: Any = None, strides: Any = None,
    name: str | None = None, data_format: str | None = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """Pooling of pooling_type "MAX" or "AVG" over m = 1, 2 or 3 spatial axes: input [n, s..., c], window_shape [m] -> [n,
    windows..., c].

    dilation_rate [m]: how far apart the elements of a window are; dilations is another name. data_format: "NC..." for input
    [n, c, s...].
    Raises: ValueError for arguments that do not fit.
    """
    dilation_rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    with named(name, f"{pooling_type.lower()}_pool", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        spatial = len(window_shape)
        if not 1 <= spatial <= 3:
            raise ValueError(error_text("It is required that 1 <= num_spatial_dims <= 3."))
        input.shape.with_rank(spatial + 2)
        rates = _for_each_spatial_axis("dilation_rate", dilation_rate, spatial)
        steps = _for_each_spatial_axis("strides", strides, spatial)
        if max(steps) > 1 and max(rates) > 1:
            raise ValueError(error_text("strides > 1 not supported in conjunction with dilation_rate > 1"))
        if padding == "SAME" and max(rates) > 1:
            raise ValueError(error_text("pooling with SAME padding is not implemented for dilation_rate > 1"))
        if any(step > window for step, window in zip(steps, window_shape)):
            raise ValueError(
                error_text(
                    "strides > window_shape not supported due to inconsistency between CPU and GPU implementations"
                )
            )
        pooled = _POOLS.get(pooling_type, {}).get(spatial)
        if pooled is None:
            raise ValueError(error_text(f"{spatial}-D {pooling_type} pooling is not supported."))
        layout = data_format or ("NWC", "NHWC", "NDHWC")[spatial - 1]
        return with_space_to_batch(
            input, rates, padding,
            lambda images, _, padding: pooled(images, list(window_shape), steps, padding, data_format=layout, name=scope),
            data_format=data_format,
        )  # fmt: skip


def _for_each_spatial_axis(name: str, values: Any, spatial: int) -> list[int]:
    if values is None:
        return [1] * spatial
    listed = [int(v) for v in values]
    if len(listed) != spatial:
        raise ValueError(error_text(f"len({name})={len(listed)} but should be {spatial}"))
    if min(listed) < 1:
        raise ValueError(error_text(f"all values of {name} must be positive"))
    return listed


__all__ = [
    "avg_pool", "avg_pool1d", "avg_pool2d", "avg_pool3d", "avg_pool_v2", "fractional_avg_pool", "fractional_max_pool", "max_pool",
    "max_pool1d", "max_pool2d", "max_pool3d", "max_pool_v2", "max_pool_with_argmax", "pool",
]  # fmt: skip
