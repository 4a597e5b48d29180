"""Layers by their class names, for configurations: `deserialize({"class_name": "Dense", "config": {…}})`.

State: `CLASSES`, the library's layers and models: each class of the rooms keras_… and feature_columns, by its name.
"""

from __future__ import annotations

from typing import Any

from ..keras_parts.keras_objects import deserialize_keras_object, serialize_keras_object

_ROOMS = tuple(f"{__package__.rpartition('.')[0]}.{room}" for room in ("keras_", "feature_columns."))
CLASSES: dict[str, Any] = {}


def know(layer_class: Any) -> None:
    """Lets configurations name a class, if it is one of the library's."""
    if layer_class.__module__.startswith(_ROOMS) and not layer_class.__name__.startswith("_"):
        CLASSES[layer_class.__name__] = layer_class


def serialize(layer: Any) -> Any:
    """Class name and configuration of a layer."""
    return serialize_keras_object(layer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The layer of a configuration.

    Raises: ValueError for a class that is neither the library's nor in custom_objects.
    """
    return deserialize_keras_object(config, CLASSES, custom_objects, printable_module_name="layer")


__all__ = ["CLASSES", "deserialize", "know", "serialize"]
