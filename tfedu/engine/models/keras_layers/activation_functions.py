"""The functions of tf.keras.activations, which layers apply to their outputs. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.arrays.selection import where
from ...lib.math import math
from ...lib.math.clip import clip_by_value
from ...lib.math.reductions import reduce_max, reduce_sum
from ...lib.nn import activations
from ...op.constant import constant


def linear(x: Any) -> Any:
    """x [...] itself."""
    return x


def exponential(x: Any) -> Any:
    """exp(x) [...]."""
    return math.exp(x)


def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)) [...]."""
    return math.sigmoid(x)


def tanh(x: Any) -> Any:
    """The hyperbolic tangent [...]."""
    return math.tanh(x)


def softplus(x: Any) -> Any:
    """log(1 + exp(x)) [...]."""
    return activations.softplus(x)


def softsign(x: Any) -> Any:
    """x / (1 + |x|) [...]."""
    return activations.softsign(x)


@atomic
def softmax(x: Any, axis: int = -1) -> Any:
    """exp(x) / Σ exp(x) along the axis [...]; of a matrix along its rows, whatever the axis, as in TF 1.15.

    Raises: ValueError for a vector, and for an unknown rank.
    """
    rank = x.shape.ndims
    if rank == 2:
        return activations.softmax(x)
    if rank is None or rank < 2:
        size = "unknown rank" if rank is None else f"tensor that is {rank}D"
        raise ValueError(error_text(f"Cannot apply softmax to a {size}. Received input: {x}"))
    powers = math.exp(x - reduce_max(x, axis=axis, keepdims=True))
    return powers / reduce_sum(powers, axis=axis, keepdims=True)


@atomic
def hard_sigmoid(x: Tensor) -> Tensor:
    """0.2 · x + 0.5 [...], limited to 0 … 1."""
    dtype = x.dtype.base_dtype
    slope, middle = constant(0.2, dtype), constant(0.5, dtype)
    clipped: Tensor = clip_by_value(math.add(math.multiply(x, slope), middle), 0.0, 1.0)
    return clipped


@atomic
def selu(x: Any) -> Any:
    """λ · x where x > 0, else λ · α · (exp(x) - 1) [...], with α and λ for which mean 0 and variance 1 stay."""
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    curve = activations.elu(x)
    return scale * where(x > 0, curve, alpha * curve)


@atomic
def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Any:
    """x from the threshold to max_value, alpha · (x - threshold) below [...]."""
    if alpha != 0.0:
        if max_value is None and threshold == 0.0:
            return activations.leaky_relu(x, alpha=alpha)
        below = activations.relu(-x + threshold) if threshold != 0.0 else activations.relu(-x)
    has_limit = max_value is not None
    if threshold != 0.0:
        x = x * math.cast(math.greater(x, threshold), x.dtype.base_dtype)
    elif max_value == 6.0:
        x, has_limit = activations.relu6(x), False
    else:
        x = activations.relu(x)
    if has_limit:
        high, low = (constant(limit, x.dtype.base_dtype) for limit in (max_value, 0.0))
        x = clip_by_value(x, low, high)
    return x - constant(alpha, x.dtype.base_dtype) * below if alpha != 0.0 else x


@atomic
def elu(x: Any, alpha: float = 1.0) -> Any:
    """x where x > 0, else alpha · (exp(x) - 1) [...]."""
    curve = activations.elu(x)
    return curve if alpha == 1 else where(x > 0, curve, alpha * curve)


ACTIVATIONS = {
    function.__name__: function
    for function in (
        relu, elu, selu, softplus, softsign, tanh, sigmoid, hard_sigmoid, exponential, linear, softmax,
    )
}  # fmt: skip


__all__ = [
    "ACTIVATIONS", "elu", "exponential", "hard_sigmoid", "linear", "relu", "selu", "sigmoid", "softmax", "softplus",
    "softsign", "tanh",
]  # fmt: skip
