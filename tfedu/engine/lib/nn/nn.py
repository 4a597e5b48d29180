"""Parts of neural networks: `bias_add`, `dropout`, `xw_plus_b` …, as in TF 1.15. No state."""

from __future__ import annotations

from numbers import Real
from typing import Any

from ...base import log
from ...base.errors import error_text
from ...base.shapes import as_shape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops import activations as activation_ops
from ...ops import nn as ops
from ..arrays import array
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..framework.static_value import constant_value
from ..math import math, products, random

# -- layers' parts ---------------------------------------------------------------------------------------------------


@atomic
def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """value [n, ..., c] + bias [c]. data_format: "N...C", or "NC..." for value [n, c, ...].

    Raises: ValueError for another data_format or incompatible shapes.
    """
    with named(name, "BiasAdd", [value, bias]) as scope:
        layout = "NHWC"
        if data_format is not None:
            if data_format.startswith("NC"):
                layout = "NCHW"
            elif not (data_format.startswith("N") and data_format.endswith("C")):
                raise ValueError(error_text("data_format must be of the form `N...C` or `NC...`"))
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, dtype=value.dtype, name="bias")
        total: Tensor = ops.bias_add(value, bias, data_format=layout, name=scope)
        return total


@atomic
def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """x [n, m] · weights [m, k] + biases [k] -> [n, k]."""
    with named(name, "xw_plus_b", [x, weights, biases]) as scope:
        x, weights, biases = convert_all(x=x, weights=weights, biases=biases)
        return bias_add(products.matmul(x, weights), biases, name=scope)


@atomic
def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """relu(x [n, m] · weights [m, k] + biases [k]) -> [n, k]."""
    with named(name, "relu_layer", [x, weights, biases]) as scope:
        x, weights, biases = convert_all(x=x, weights=weights, biases=biases)
        activation: Tensor = activation_ops.relu(bias_add(products.matmul(x, weights), biases), name=scope)
        return activation


@atomic
def crelu(features: Any, name: str | None = None, axis: int = -1) -> Tensor:
    """relu(features) and relu(-features), joined along an axis: [..., c] -> [..., 2·c]."""
    with named(name, "CRelu", [features]) as scope:
        (features,) = convert_all(features=features)
        activation: Tensor = activation_ops.relu(array.concat([features, -features], axis, name=scope))
        return activation


def convert_all(**values: Any) -> list[Any]:
    """The values as tensors [...], named after their keywords."""
    return [convert_to_tensor(value, name=name) for name, value in values.items()]


@atomic
def dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Tensor:
    """x [...] with each element set to 0 with probability `rate` and the others scaled by 1 / (1 - rate).

    keep_prob: 1 - rate, the older argument. noise_shape: elements along its axes of size 1 are dropped together.

    Raises: ValueError for a rate outside [0, 1) or an x that is not floating.
    """
    try:
        rate_of_keep_prob = None if keep_prob is None else 1.0 - keep_prob
    except TypeError:
        raise ValueError(
            error_text(f"keep_prob must be a floating point number or Tensor (got {keep_prob!r})")
        ) from None
    rate = renamed("rate", rate, "keep_prob", rate_of_keep_prob)
    if rate is None:
        raise ValueError(error_text("You must provide a rate to dropout."))
    with named(name, "dropout", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(
                error_text(
                    "x has to be a floating point tensor since it's going to be scaled. Got a "
                    f"{x.dtype} tensor instead."
                )
            )
        if isinstance(rate, Real):
            if not 0 <= rate < 1:
                raise ValueError(
                    error_text(f"rate must be a scalar tensor or a float in the range [0, 1), got {rate:g}")
                )
            if rate > 0.5:
                log.warn(
                    f"Large dropout rate: {rate:g} (>0.5). In TensorFlow 2.x, dropout() uses dropout rate instead of "
                    "keep_prob. Please ensure that this is intended."
                )
            if rate == 0:
                return x
        rate_tensor = convert_to_tensor(rate, dtype=x.dtype, name="rate")
        rate_tensor.shape.assert_has_rank(0)
        if constant_value(rate_tensor) == 0:
            return x
        drawn = random.random_uniform(_noise_shape(x, noise_shape), seed=seed, dtype=x.dtype)
        scale = 1 / (1 - rate_tensor)
        keep = drawn >= rate_tensor
        out: Tensor = x * scale * math.cast(keep, x.dtype)
        out.set_shape(x.raw_shape)
        return out


def _noise_shape(x: Tensor, noise_shape: Any) -> Any:
    if noise_shape is None:
        return array.shape(x)
    try:
        sizes = as_shape(noise_shape).as_list()
    except (TypeError, ValueError):
        return noise_shape
    if x.raw_shape is None or len(x.raw_shape) != len(sizes):
        return noise_shape
    return [x_size if size is None and x_size is not None else size for size, x_size in zip(sizes, x.raw_shape)]


__all__ = ["bias_add", "crelu", "dropout", "relu_layer", "xw_plus_b"]
