"""`batch_normalization` and `BatchNormalization`: inputs with mean 0 and variance 1 over a batch, then scaled and shifted.

In training, the batch's own statistics count, and the updates let the moving ones follow; they join the collection UPDATE_OPS,
and a program runs them with its training step. Otherwise the moving ones count. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...graph.atomic import atomic
from ...lib.variables.initializers import Ones, Zeros
from ..keras_layers import keras_normalization
from .layer import Layer
from .layer_functions import of_tf_layers

_ZEROS, _ONES = Zeros(), Ones()


@of_tf_layers(
    beta_initializer=_ZEROS, gamma_initializer=_ONES, moving_mean_initializer=_ZEROS, moving_variance_initializer=_ONES,
)  # fmt: skip
class BatchNormalization(keras_normalization.BatchNormalization, Layer):
    def call(self, inputs: Any, training: Any = False) -> Any:
        """[n, ..., c] -> [n, ..., c]. training: a bool or a bool scalar tensor; None for Keras' learning phase."""
        return super().call(inputs, training=training)


@atomic
def batch_normalization(
    inputs: Any,
    axis: Any = -1,
    momentum: Any = 0.99,
    epsilon: float = 1e-3,
    center: bool = True,
    scale: bool = True,
    beta_initializer: Any = _ZEROS,
    gamma_initializer: Any = _ONES,
    moving_mean_initializer: Any = _ZEROS,
    moving_variance_initializer: Any = _ONES,
    beta_regularizer: Any = None,
    gamma_regularizer: Any = None,
    beta_constraint: Any = None,
    gamma_constraint: Any = None,
    training: Any = False,
    trainable: bool = True,
    name: str | None = None,
    reuse: Any = None,
    renorm: bool = False,
    renorm_clipping: Any = None,
    renorm_momentum: Any = 0.99,
    fused: bool | None = None,
    virtual_batch_size: int | None = None,
    adjustment: Callable[[Any], Any] | None = None,
) -> Any:
    """(inputs - mean) / sqrt(variance + epsilon) · gamma + beta: [n, ..., c] -> [n, ..., c].

    When `training` (a bool or a bool scalar tensor), mean and variance are the batch's, and the collection UPDATE_OPS gets what
    lets the moving ones follow; else they are the moving ones. The other arguments: as of BatchNormalization.

    Raises: ValueError for an unknown rank or number of channels, an invalid axis, and arguments that exclude each other.
    """
    layer = BatchNormalization(
        axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer, moving_mean_initializer,
        moving_variance_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint, renorm,
        renorm_clipping, renorm_momentum, fused, trainable, virtual_batch_size, adjustment, name, _reuse=reuse, _scope=name,
    )  # fmt: skip
    return layer.apply(inputs, training=training)


__all__ = ["BatchNormalization", "batch_normalization"]
