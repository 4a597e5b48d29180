"""tf.keras.backend: functions of tensors that have other arguments or defaults than TensorFlow's own. No state."""

from __future__ import annotations

import sys
from typing import Any

from ...autodiff import gradients as gradients_of
from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.arrays import sequences as sums_along
from ...lib.control.grouping import identity
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math, reductions
from ...lib.nn import activations
from ...lib.strings.printing import print as printed
from ..keras_images.resizing_layers import repeated
from ..keras_parts import keras_losses

# -- reductions ------------------------------------------------------------------------------------------------------------


def all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether all elements along the axes are True, or not 0."""
    return reductions.reduce_all(math.cast(x, "bool"), axis, keepdims)


def any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether an element along the axes is True, or not 0."""
    return reductions.reduce_any(math.cast(x, "bool"), axis, keepdims)


def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum along the axes."""
    return reductions.reduce_sum(x, axis, keepdims)


def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The product along the axes."""
    return reductions.reduce_prod(x, axis, keepdims)


def max(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest element along the axes."""
    return reductions.reduce_max(x, axis, keepdims)


def min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The smallest element along the axes."""
    return reductions.reduce_min(x, axis, keepdims)


def argmax(x: Any, axis: int = -1) -> Any:
    """The place of the largest element along the axis, by default the last one."""
    return reductions.argmax(x, axis)


def argmin(x: Any, axis: int = -1) -> Any:
    """The place of the smallest element along the axis, by default the last one."""
    return reductions.argmin(x, axis)


def cumsum(x: Any, axis: int = 0) -> Any:
    """The sums of all elements up to each one along the axis."""
    return sums_along.cumsum(x, axis=axis)


def cumprod(x: Any, axis: int = 0) -> Any:
    """The products of all elements up to each one along the axis."""
    return sums_along.cumprod(x, axis=axis)


# -- element by element ----------------------------------------------------------------------------------------------------


def pow(x: Any, a: Any) -> Any:
    """x ^ a [...]."""
    return math.pow(x, a)


def softmax(x: Any, axis: int = -1) -> Any:
    """exp(x) / Σ exp(x) along the axis [...]."""
    return activations.softmax(x, axis=axis)


def softplus(x: Any) -> Any:
    """log(1 + exp(x)) [...]."""
    return activations.softplus(x)


def softsign(x: Any) -> Any:
    """x / (1 + |x|) [...]."""
    return activations.softsign(x)


def sparse_categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Any:
    """-log of the output of the right class, with class numbers as target: [n, ...] and [n, ..., k] -> [n, ...]."""
    return keras_losses.sparse_categorical_crossentropy(target, output, from_logits, axis)


# -- shapes ----------------------------------------------------------------------------------------------------------------


def shape(x: Any) -> Any:
    """The sizes of the axes, as a tensor."""
    return array.shape(x)


def reshape(x: Any, shape: Any) -> Any:
    """The elements in another shape."""
    return array.reshape(x, shape)


def expand_dims(x: Any, axis: int = -1) -> Any:
    """x with a further axis of size 1, by default the last one."""
    return array.expand_dims(x, axis)


def stack(x: Any, axis: int = 0) -> Any:
    """Tensors of one shape one above the other, along a new axis."""
    return array.stack(x, axis=axis)


def transpose(x: Any) -> Any:
    """The axes in the reverse order."""
    return array.transpose(x)


def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones of the shape of x."""
    return array.ones_like(x, dtype=dtype, name=name)


def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros of the shape of x."""
    return array.zeros_like(x, dtype=dtype, name=name)


def repeat_elements(x: Any, rep: int, axis: int) -> Any:
    """Each element of the axis `rep` times."""
    return repeated(x, rep, axis)


@atomic
def batch_flatten(x: Any) -> Any:
    """[n, ...] -> [n, k]."""
    return array.reshape(x, array.stack([-1, reductions.reduce_prod(array.shape(x)[1:])]))


# -- others ----------------------------------------------------------------------------------------------------------------


def gradients(loss: Any, variables: Any) -> Any:
    """The gradients of the loss for each variable."""
    return gradients_of(loss, variables, colocate_gradients_with_ops=True)


def print_tensor(x: Any, message: str = "") -> Any:
    """x, which the run prints with the message."""
    with waiting_for([printed(message, x, output_stream=sys.stdout)]):
        return identity(x)


__all__ = [
    "all", "any", "argmax", "argmin", "batch_flatten", "cumprod", "cumsum", "expand_dims", "gradients", "max", "min",
    "ones_like", "pow", "print_tensor", "prod", "repeat_elements", "reshape", "shape", "softmax", "softplus", "softsign",
    "sparse_categorical_crossentropy", "stack", "sum", "transpose", "zeros_like",
]  # fmt: skip
