"""`tf.contrib.layers.max_pool2d` and its relatives: the greatest or the mean of each window. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.framework.scope_blocks import name_scope
from ...lib.nn import pooling
from ..layers.layer import Layer
from ..layers.pooling_layers import AveragePooling2D, AveragePooling3D, MaxPooling2D, MaxPooling3D
from .arg_scopes import add_arg_scope
from .collected_outputs import collect_named_outputs
from .layer_blocks import check_data_format


def _pooled(
    kind: type[Layer], block: str, inputs: Any, kernel_size: Any, stride: Any, padding: str, data_format: str,
    outputs_collections: Any, scope: Any,
) -> Tensor:  # fmt: skip
    with name_scope(scope, block, [inputs]) as opened:
        layer: Any = kind(
            pool_size=kernel_size,
            strides=stride,
            padding=padding,
            data_format="channels_first" if data_format.startswith("NC") else "channels_last",
            _scope=opened,
        )
        outputs = layer.apply(convert_to_tensor(inputs))
        return collect_named_outputs(outputs_collections, opened, outputs)


@add_arg_scope
@atomic
def max_pool2d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:
    """The greatest of each window of images [n, h, w, c]: [n, places, places, c]. data_format: "NCHW" for [n, c, h, w].

    Raises: ValueError for another data_format or rank, and for windows and strides that do not fit.
    """
    check_data_format(data_format, "NCHW", "NHWC")
    return _pooled(
        MaxPooling2D, "MaxPool2D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope
    )


@add_arg_scope
@atomic
def avg_pool2d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:
    """The mean of each window of images [n, h, w, c]: [n, places, places, c]. data_format: "NCHW" for [n, c, h, w].

    Raises: ValueError for another data_format or rank, and for windows and strides that do not fit.
    """
    check_data_format(data_format, "NCHW", "NHWC")
    return _pooled(
        AveragePooling2D, "AvgPool2D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope
    )


@add_arg_scope
@atomic
def max_pool3d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NDHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:
    """The greatest of each window of volumes [n, d, h, w, c]; data_format: "NCDHW" for [n, c, d, h, w].

    Raises: ValueError for another data_format or rank, and for windows and strides that do not fit.
    """
    check_data_format(data_format, "NCDHW", "NDHWC")
    return _pooled(
        MaxPooling3D, "MaxPool3D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope
    )


@add_arg_scope
@atomic
def avg_pool3d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NDHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:
    """The mean of each window of volumes [n, d, h, w, c]; data_format: "NCDHW" for [n, c, d, h, w].

    Raises: ValueError for another data_format or rank, and for windows and strides that do not fit.
    """
    check_data_format(data_format, "NCDHW", "NDHWC")
    return _pooled(
        AveragePooling3D, "AvgPool3D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope
    )


@add_arg_scope
@atomic
def pool(
    inputs: Any,
    kernel_size: Any,
    pooling_type: str,
    padding: str = "VALID",
    data_format: str | None = None,
    dilation_rate: Any = 1,
    stride: Any = 1,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:
    """`tf.nn.pool` of inputs [n, s..., c]: pooling_type "MAX" or "AVG", windows with holes where dilation_rate is above 1.

    Raises: ValueError for an unknown rank and one below 3, and for windows, strides and rates that do not fit.
    """
    with name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as block:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if rank is None:
            raise ValueError(error_text("Rank of inputs must be known", [inputs]))
        if rank < 3:
            raise ValueError(error_text("Rank of inputs must be >= 3", [inputs]))
        axes = rank - 2
        outputs = pooling.pool(
            inputs,
            window_shape=_each(kernel_size, axes),
            pooling_type=pooling_type,
            padding=padding,
            data_format=data_format,
            dilation_rate=_each(dilation_rate, axes),
            strides=_each(stride, axes),
            name=block,
        )
        return collect_named_outputs(outputs_collections, block, outputs)


def _each(value: Any, count: int) -> list[Any]:
    return [value] * count if isinstance(value, int) else list(value)


__all__ = ["avg_pool2d", "avg_pool3d", "max_pool2d", "max_pool3d", "pool"]
