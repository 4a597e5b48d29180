"""Initializers and activations by name, as Keras names them: `kernel_initializer="he_normal"`, `activation="relu"`. No state."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...lib.variables import initializers, scaled_initializers
from ..keras_parts.keras_objects import get_custom_objects, object_named
from . import keras_initializers
from .activation_functions import ACTIVATIONS, linear
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


def activation_named(identifier: Any) -> Any:
    """The activation for a name or a function; `linear` for None.

    Raises: ValueError for an unknown name, TypeError for anything else.
    """
    if identifier is None:
        return linear
    if isinstance(identifier, str):
        known = {**ACTIVATIONS, **get_custom_objects()}
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
