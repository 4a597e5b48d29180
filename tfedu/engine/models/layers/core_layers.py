"""`dense`, `dropout` and `flatten`, and their classes. No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...lib.variables.initializers import Zeros
from ..keras_layers import keras_core
from .layer import Layer
from .layer_functions import layer_function, of_tf_layers


@of_tf_layers(kernel_initializer=None, bias_initializer=Zeros(), trainable=True)
class Dense(keras_core.Dense, Layer):
    pass


dense = layer_function(Dense, "dense")


@of_tf_layers(rate=0.5)
class Dropout(keras_core.Dropout, Layer):
    def call(self, inputs: Any, training: Any = False) -> Any:
        """[...] -> [...]. training: a bool or a bool scalar tensor; None for Keras' learning phase."""
        return super().call(inputs, training=training)


@atomic
def dropout(
    inputs: Any,
    rate: Any = 0.5,
    noise_shape: Any = None,
    seed: Any = None,
    training: Any = False,
    name: str | None = None,
) -> Any:
    """When `training`, sets a random part `rate` of the elements to 0 and scales the others by 1 / (1 - rate): [...] -> [...].

    training: a bool or a bool scalar tensor. Raises: TypeError for any other.
    """
    layer = Dropout(rate, noise_shape=noise_shape, seed=seed, name=name)
    return layer.apply(inputs, training=training)


class Flatten(keras_core.Flatten, Layer):
    """[n, ...] -> [n, k]. data_format "channels_first": channels become the last axis before."""


@atomic
def flatten(inputs: Any, name: str | None = None, data_format: str = "channels_last") -> Any:
    """[n, ...] -> [n, k]. data_format "channels_first": channels become the last axis before.

    Raises: ValueError for inputs of unknown rank or rank 0.
    """
    return Flatten(name=name, data_format=data_format).apply(inputs)


__all__ = ["Dense", "Dropout", "Flatten", "dense", "dropout", "flatten"]
