"""Layers of `tf.contrib.layers` without variables: flatten, dropout, one_hot_encoding, softmax, maxout; repeat and stack.

    net = repeat(images, 3, conv2d, 64, 3, scope="conv1")      # conv1/conv1_1, conv1/conv1_2, conv1/conv1_3

No state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, constructors, selection, slicing
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math, reductions
from ...lib.variables.variable_scope import variable_scope
from ...op.composites import SparseTensor
from ...op.constant import constant
from ...ops import activations as activation_ops
from ..layers.core_layers import Dropout, Flatten
from .arg_scopes import add_arg_scope
from .collected_outputs import collect_named_outputs, last_dimension
from .layer_blocks import layer_block


@add_arg_scope
@atomic
def flatten(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> Tensor:
    """inputs [n, ...] as [n, k]: one row for each example.

    Raises: ValueError for an unknown rank.
    """
    with name_scope(scope, "Flatten", [inputs]) as block:
        outputs = Flatten().apply(convert_to_tensor(inputs))
        return collect_named_outputs(outputs_collections, block, outputs)


@add_arg_scope
@atomic
def dropout(
    inputs: Any,
    keep_prob: Any = 0.5,
    noise_shape: Any = None,
    is_training: Any = True,
    outputs_collections: Any = None,
    scope: Any = None,
    seed: int | None = None,
) -> Tensor:
    """In training, each element of inputs [...] with probability keep_prob as inputs / keep_prob, else 0; otherwise the inputs.

    noise_shape: the shape of the random choice, which is broadcast. is_training: a bool or a bool scalar tensor.
    """
    with layer_block(scope, "Dropout", inputs) as block:
        inputs = convert_to_tensor(inputs)
        layer = Dropout(rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=block.name, _scope=block)
        outputs = layer.apply(inputs, training=is_training)
        return collect_named_outputs(outputs_collections, block.name, outputs)


@add_arg_scope
@atomic
def one_hot_encoding(
    labels: Any,
    num_classes: Any,
    on_value: Any = 1.0,
    off_value: Any = 0.0,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:
    """labels [n] of integers as [n, num_classes]: on_value at the label, off_value elsewhere."""
    with name_scope(scope, "OneHotEncoding", [labels, num_classes]) as block:
        labels = convert_to_tensor(labels)
        if labels.dtype == dtypes.int32:
            labels = math.to_int64(labels)
        outputs = constructors.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collect_named_outputs(outputs_collections, block, outputs)


@add_arg_scope
@atomic
def softmax(logits: Any, scope: Any = None) -> Tensor:
    """exp(logits) / Σ exp(logits) over the last axis of logits [n, ..., k].

    Raises: ValueError for a rank below 2 and for an unknown k.
    """
    with variable_scope(scope, "softmax", [logits]):
        logits = convert_to_tensor(logits)
        rows = array.reshape(logits, [-1, last_dimension(logits.shape, min_rank=2)])
        predictions = array.reshape(activation_ops.softmax(rows), array.shape(logits))
        predictions.set_shape(logits.shape)
        return predictions


@add_arg_scope
@atomic
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: Any = None) -> Tensor:
    """The greatest of each group of features: the size of `axis` becomes num_units, by groups of neighbours.

    Raises: ValueError when the size is no multiple of num_units.
    """
    with variable_scope(scope, "MaxOut", [inputs]):
        inputs = convert_to_tensor(inputs)
        sizes: list[Any] = inputs.shape.as_list()
        features = sizes[axis]
        if features is None or features % num_units:
            raise ValueError(
                error_text(f"number of features({features}) is not a multiple of num_units({num_units})")
            )
        sizes[axis] = num_units
        sizes.append(features // num_units)
        for i, size in enumerate(sizes):
            if size is None:
                sizes[i] = array.shape(inputs)[i]
        return reductions.reduce_max(array.reshape(inputs, sizes), -1, keepdims=False)


@add_arg_scope
@atomic
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: Any = None) -> Tensor:
    """inputs [...] divided by √(epsilon + Σ inputs²) along the axis dim, of which the length becomes 1.

    Raises: ValueError for an unknown rank and for an axis that there is not; negative ones are not.
    """
    with variable_scope(scope, "UnitNorm", [inputs]):
        inputs = convert_to_tensor(inputs)
        if not inputs.shape:
            raise ValueError(error_text("The input rank must be known."))
        rank = len(inputs.shape)
        if dim < 0 or dim >= rank:
            raise ValueError(error_text("dim must be positive but smaller than the input rank."))
        lengths = math.sqrt(epsilon + reductions.reduce_sum(math.square(inputs), dim, keepdims=True))
        multiples = [array.ones([dim], dtypes.int32)] if dim > 0 else []
        multiples.append(slicing.strided_slice(array.shape(inputs), [dim], [dim + 1]))
        if dim < rank - 1:
            multiples.append(array.ones([rank - 1 - dim], dtypes.int32))
        return math.div(inputs, array.tile(lengths, array.concat(multiples, 0)))


@add_arg_scope
@atomic
def dense_to_sparse(tensor: Any, eos_token: Any = 0, outputs_collections: Any = None, scope: Any = None) -> SparseTensor:
    """The SparseTensor of all elements of tensor [...] but those that equal eos_token."""
    with variable_scope(scope, "dense_to_sparse", [tensor]) as block:
        tensor = convert_to_tensor(tensor)
        indices = selection.where(math.not_equal(tensor, constant(eos_token, tensor.dtype)))
        values = selection.gather_nd(tensor, indices)
        outputs = SparseTensor(indices, values, array.shape(tensor, out_type=dtypes.int64))
        return collect_named_outputs(outputs_collections, block.name, outputs)


# -- layers of layers -----------------------------------------------------------------------------------------------


def repeat(inputs: Any, repetitions: int, layer: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """layer(… layer(layer(inputs, *args), *args) …), `repetitions` times, in scopes "Repeat/<layer>_1", "…_2", …

    scope, among kwargs: the name in place of "Repeat" and of the layer's.
    """
    return _chained(inputs, layer, [args] * repetitions, kwargs, "Repeat", "repeat")


def stack(inputs: Any, layer: Callable[..., Any], stack_args: Iterable[Any], **kwargs: Any) -> Any:
    """layer(… layer(layer(inputs, *stack_args[0]), *stack_args[1]) …), in scopes "Stack/<layer>_1", "…_2", …

    stack_args: the arguments of each layer, a list or one value. scope, among kwargs: the name in place of "Stack" and of the
    layer's.
    """
    calls = [each if isinstance(each, (list, tuple)) else [each] for each in stack_args]
    return _chained(inputs, layer, calls, kwargs, "Stack", "stack")


@atomic
def _chained(
    inputs: Any, layer: Callable[..., Any], calls: list[Any], kwargs: dict[str, Any], block: str, unnamed: str
) -> Any:
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, block, [inputs]):
        outputs = convert_to_tensor(inputs)
        if scope is None:
            scope = getattr(layer, "__name__", None) or getattr(getattr(layer, "func", None), "__name__", unnamed)
        for i, args in enumerate(calls):
            outputs = layer(outputs, *args, **{**kwargs, "scope": f"{scope}_{i + 1}"})
        return outputs


__all__ = [
    "dense_to_sparse", "dropout", "flatten", "maxout", "one_hot_encoding", "repeat", "softmax", "stack", "unit_norm",
]  # fmt: skip
