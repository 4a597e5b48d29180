"""`serialize` and `deserialize` of tf.keras.activations, initializers, regularizers and constraints. No state."""

from __future__ import annotations

from typing import Any

from ..keras_parts.keras_objects import custom_object_scope
from .identifiers import activation_named, config_of, initializer_named
from .penalties import constraint_named, regularizer_named


def activation_from(name: Any, custom_objects: Any = None) -> Any:
    """The activation of that name. Raises: as `activation_named`."""
    with custom_object_scope(custom_objects or {}):
        return activation_named(name)


def initializer_from(config: Any, custom_objects: Any = None) -> Any:
    """The initializer of a name or configuration. Raises: as `initializer_named`."""
    with custom_object_scope(custom_objects or {}):
        return initializer_named(config)


def regularizer_from(config: Any, custom_objects: Any = None) -> Any:
    """The regularizer of a name or configuration. Raises: as `regularizer_named`."""
    with custom_object_scope(custom_objects or {}):
        return regularizer_named(config)


def constraint_from(config: Any, custom_objects: Any = None) -> Any:
    """The constraint of a name or configuration. Raises: as `constraint_named`."""
    with custom_object_scope(custom_objects or {}):
        return constraint_named(config)


def activation_as_data(activation: Any) -> Any:
    """The name of an activation."""
    return config_of(activation)


def initializer_as_data(initializer: Any) -> Any:
    """Class name and configuration of an initializer."""
    return config_of(initializer)


def regularizer_as_data(regularizer: Any) -> Any:
    """Class name and configuration of a regularizer."""
    return config_of(regularizer)


def constraint_as_data(constraint: Any) -> Any:
    """Class name and configuration of a constraint."""
    return config_of(constraint)


__all__ = [
    "activation_as_data", "activation_from", "constraint_as_data", "constraint_from", "initializer_as_data",
    "initializer_from", "regularizer_as_data", "regularizer_from",
]  # fmt: skip
