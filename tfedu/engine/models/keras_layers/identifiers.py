"""Initializers and activations by name, as Keras names them: `kernel_initializer="he_normal"`, `activation="relu"`. No state."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.arrays.selection import where
from ...lib.math.clip import clip_by_value
from ...lib.math.math import add, cast, exp, greater, multiply, sigmoid, tanh
from ...lib.nn import activations
from ...lib.variables import initializers, scaled_initializers
from ...op.constant import constant
from ..keras_parts.keras_objects import get_custom_objects, object_named
from . import keras_initializers
from .layer_names import snake_case

_CLASSES = (
    initializers.Zeros, initializers.Ones, initializers.Constant, keras_initializers.RandomUniform,
    keras_initializers.RandomNormal, keras_initializers.TruncatedNormal, scaled_initializers.Identity,
    scaled_initializers.Orthogonal, scaled_initializers.GlorotUniform, scaled_initializers.GlorotNormal,
)  # fmt: skip
_BY_CLASS_NAME: dict[str, Callable[..., Any]] = {kind.__name__: kind for kind in _CLASSES}
_INITIALIZERS: dict[str, Callable[..., Any]] = {
    **_BY_CLASS_NAME,
    **{snake_case(name): make for name, make in _BY_CLASS_NAME.items()},
    "zero": initializers.Zeros,
    "one": initializers.Ones,
    "uniform": keras_initializers.RandomUniform,
    "normal": keras_initializers.RandomNormal,
    scaled_initializers.VarianceScaling.__name__: scaled_initializers.VarianceScaling,
    **{
        make.__name__: make
        for make in (
            scaled_initializers.he_normal, scaled_initializers.he_uniform, scaled_initializers.lecun_normal,
            scaled_initializers.lecun_uniform,
        )
    },
}  # fmt: skip


def initializer_named(identifier: Any) -> Any:
    """The initializer for a name, a config, a class or a function; None for None.

    Raises: ValueError for anything else.
    """
    if identifier is None:
        return None
    if isinstance(identifier, (str, dict)):
        return object_named(_INITIALIZERS, identifier, "initializer")
    if not callable(identifier):
        raise ValueError(error_text(f"Could not interpret initializer identifier: {identifier}"))
    return identifier() if inspect.isclass(identifier) else identifier


def linear(x: Any) -> Any:
    """x [...] itself."""
    return x


@atomic
def hard_sigmoid(x: Tensor) -> Tensor:
    """0.2 · x + 0.5 [...], limited to 0 … 1."""
    dtype = x.dtype.base_dtype
    slope, middle = constant(0.2, dtype), constant(0.5, dtype)
    clipped: Tensor = clip_by_value(add(multiply(x, slope), middle), 0.0, 1.0)
    return clipped


@atomic
def selu(x: Any) -> Any:
    """λ · x where x > 0, else λ · α · (exp(x) - 1) [...], with α and λ for which mean 0 and variance 1 stay."""
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    curve = activations.elu(x)
    return scale * where(x > 0, curve, alpha * curve)


@atomic
def relu_of(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0.0) -> Any:
    """K.relu: x from the threshold to max_value, alpha · (x - threshold) below [...]."""
    if alpha != 0.0:
        if max_value is None and threshold == 0.0:
            return activations.leaky_relu(x, alpha=alpha)
        below = activations.relu(-x + threshold) if threshold != 0.0 else activations.relu(-x)
    has_limit = max_value is not None
    if threshold != 0.0:
        x = x * cast(greater(x, threshold), x.dtype.base_dtype)
    elif max_value == 6.0:
        x, has_limit = activations.relu6(x), False
    else:
        x = activations.relu(x)
    if has_limit:
        limits = [constant(limit, x.dtype.base_dtype) for limit in (0.0, max_value)]
        x = clip_by_value(x, *limits)
    return x - constant(alpha, x.dtype.base_dtype) * below if alpha != 0.0 else x


@atomic
def elu_of(x: Any, alpha: float = 1.0) -> Any:
    """K.elu: x where x > 0, else alpha · (exp(x) - 1) [...]."""
    curve = activations.elu(x)
    return curve if alpha == 1 else where(x > 0, curve, alpha * curve)


_ACTIVATIONS: dict[str, Callable[..., Any]] = {
    "relu": activations.relu,
    "elu": activations.elu,
    "selu": selu,
    "softplus": activations.softplus,
    "softsign": activations.softsign,
    "tanh": tanh,
    "sigmoid": sigmoid,
    "hard_sigmoid": hard_sigmoid,
    "exponential": exp,
    "linear": linear,
    "softmax": activations.softmax,
}


def activation_named(identifier: Any) -> Any:
    """The activation for a name or a function; `linear` for None.

    Raises: ValueError for an unknown name, TypeError for anything else.
    """
    if identifier is None:
        return linear
    if isinstance(identifier, str):
        known = {**_ACTIVATIONS, **get_custom_objects()}
        if identifier not in known:
            raise ValueError(
                error_text(f"Unknown activation function:{identifier}", fix=f"one of {', '.join(known)}")
            )
        return known[identifier]
    if not callable(identifier):
        raise TypeError(error_text(f"Could not interpret activation function identifier: {identifier}"))
    return identifier


def config_of(value: Any) -> Any:
    """What `get_config` tells of an initializer, regularizer, constraint or activation: its name and arguments."""
    if value is None:
        return None
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    return getattr(value, "__name__", value)


def whole_number(value: Any) -> int:
    """The value as an int, in the errors that TF gives.

    Raises: ValueError for text that is no number, TypeError for what is neither text nor a number.
    """
    try:
        return int(value)
    except ValueError as error:
        raise ValueError(error_text(str(error))) from None
    except TypeError:
        kind = type(value).__name__
        raise TypeError(
            error_text(f"int() argument must be a string, a bytes-like object or a number, not '{kind}'")
        ) from None
