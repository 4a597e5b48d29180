"""Cross entropies and other losses of logits: `sigmoid_cross_entropy_with_logits(labels=…, logits=…)`, as in TF 1.15.

They take logits, the inputs of a softmax or sigmoid, because that is exact where probabilities are rounded. No state.
"""

from __future__ import annotations

import math as numbers
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import is_full
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...ops import activations as activation_ops
from ...ops import basic
from ...ops import nn as ops
from ..arrays import array, selection, sequences, slicing
from ..checks import asserts
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named, waiting_for
from ..math import math
from .nn import convert_all


def _check_named(function: str, sentinel: Any, labels: Any, logits: Any) -> None:
    if sentinel is not None:
        raise ValueError(
            error_text(f"Only call `{function}` with named arguments (labels=..., logits=..., ...)")
        )
    if labels is None or logits is None:
        raise ValueError(error_text("Both labels and logits must be provided."))


@atomic
def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """-labels · log sigmoid(logits) - (1 - labels) · log(1 - sigmoid(logits)) elementwise, without overflow: [...].

    Raises: ValueError for positional arguments and for different shapes.
    """
    _check_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with named(name, "logistic_loss", [logits, labels]) as scope:
        logits, labels = convert_all(logits=logits, labels=labels)
        _same_shape(logits, labels)
        zeros = array.zeros_like(logits, dtype=logits.dtype.base_dtype)
        positive = logits >= zeros
        upper = selection.where(positive, logits, zeros)
        below = selection.where(positive, -logits, logits)
        return math.add(upper - logits * labels, math.log1p(math.exp(below)), name=scope)


def _same_shape(logits: Tensor, labels: Tensor) -> None:
    if not logits.shape.is_compatible_with(labels.shape):
        raise ValueError(
            error_text(f"logits and labels must have the same shape ({logits.shape} vs {labels.shape})", [logits, labels])
        )


@atomic
def weighted_cross_entropy_with_logits(
    labels: Any = None,
    logits: Any = None,
    pos_weight: Any = None,
    name: str | None = None,
    targets: Any = None,
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` [...] with the positive labels' part multiplied by `pos_weight`.

    targets: the older name of labels. Raises: ValueError for different shapes.
    """
    labels = renamed("labels", labels, "targets", targets)
    with named(name, "logistic_loss", [logits, labels]) as scope:
        logits, labels = convert_all(logits=logits, labels=labels)
        _same_shape(logits, labels)
        weight = 1 + (pos_weight - 1) * labels
        negative_part = (1 - labels) * logits
        log_term = math.log1p(math.exp(-math.abs(logits))) + activation_ops.relu(-logits)
        return math.add(negative_part, weight * log_term, name=scope)


@atomic
def log_poisson_loss(
    targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None
) -> Tensor:
    """exp(log_input) - targets · log_input elementwise: [...]. compute_full_loss adds Stirling's approximation of
    log(targets!).

    Raises: ValueError for different shapes.
    """
    with named(name, "log_poisson_loss", [log_input, targets]):
        log_input, targets = convert_all(log_input=log_input, targets=targets)
        if not targets.shape.is_compatible_with(log_input.shape):
            raise ValueError(
                error_text(f"log_input and targets must have the same shape ({log_input.shape} vs {targets.shape})")
            )
        result = math.exp(log_input) - log_input * targets
        if compute_full_loss:
            half, two_pi = constant(0.5, dtype=targets.dtype), constant(2 * numbers.pi, dtype=targets.dtype)
            stirling = targets * math.log(targets) - targets + half * math.log(two_pi * targets)
            zeros, ones = array.zeros_like(targets), array.ones_like(targets)
            small = math.logical_and(targets >= zeros, targets <= ones)
            result = result + selection.where(small, zeros, stirling)
        return result


@atomic
def softmax_cross_entropy_with_logits_v2(
    labels: Any, logits: Any, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """-Σ labels · log softmax(logits) along an axis: [n, classes] -> [n]. Gradients reach the labels too."""
    chosen_axis = renamed("axis", axis, "dim", dim)
    return _softmax_cross_entropy(labels, logits, -1 if chosen_axis is None else chosen_axis, name)


@atomic
def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: str | None = None,
    axis: int | None = None,
) -> Tensor:
    """-Σ labels · log softmax(logits) along an axis: [n, classes] -> [n]. No gradient reaches the labels.

    Raises: ValueError for positional arguments.
    """
    _check_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    chosen_axis = dim if axis is None else axis
    with named(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as scope:
        labels = basic.stop_gradient(labels, name="labels_stop_gradient")
    return _softmax_cross_entropy(labels, logits, chosen_axis, scope)


def _softmax_cross_entropy(labels: Any, logits: Any, axis: int, name: str | None) -> Tensor:
    with named(name, "softmax_cross_entropy_with_logits", [logits, labels]) as scope:
        logits, labels = convert_all(logits=logits, labels=labels)
        small = logits.dtype.base_dtype in (dtypes.float16, dtypes.bfloat16)
        precise = math.cast(logits, dtypes.float32) if small else logits
        labels = math.cast(labels, precise.dtype)
        rank = array.rank(precise)
        if axis != -1:
            precise, labels = (_axis_last(t, axis, rank) for t in (precise, labels))
        sizes = array.shape(precise)
        precise, labels = _as_rows(precise), _as_rows(labels)
        cost = ops.softmax_cross_entropy_with_logits(precise, labels, name=scope).loss
        cost = array.reshape(cost, slicing.slice(sizes, [0], [math.subtract(rank, 1)]))
        if logits.raw_shape is not None:
            cost_shape = list(logits.raw_shape)
            del cost_shape[axis]
            cost.set_shape(cost_shape)
        return math.cast(cost, logits.dtype) if small else cost


def _axis_last(tensor: Tensor, axis: int, rank: Any) -> Tensor:
    order = array.concat([sequences.range(axis), sequences.range(axis + 1, rank), [axis]], 0)
    return array.transpose(tensor, order)


def _as_rows(tensor: Tensor) -> Tensor:
    """[..., k] -> [n, k]."""
    rank = array.rank(tensor)
    last = slicing.slice(array.shape(tensor), [math.subtract(rank, 1)], [1])
    rows = array.reshape(tensor, array.concat([[-1], last], 0))
    shape = tensor.raw_shape
    if shape and is_full(shape[:-1]):
        rows.set_shape([numbers.prod(n for n in shape[:-1] if n is not None), shape[-1]])
    return rows


@atomic
def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """-log softmax(logits) at each label, an integer class: labels [...], logits [..., classes] -> [...].

    Raises: ValueError for positional arguments and for incompatible shapes.
    """
    _check_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with named(name, "SparseSoftmaxCrossEntropyWithLogits", [labels, logits]):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        small = logits.dtype.base_dtype is dtypes.float16
        precise = math.cast(logits, dtypes.float32) if small else logits
        labels_shape, sizes = labels.raw_shape, array.shape(labels)
        rows = None if logits.raw_shape is None else logits.raw_shape[:-1]
        is_static = is_full(labels_shape) and is_full(rows)
        _check_classes(labels, logits, is_static)
        op_caller = ops.sparse_softmax_cross_entropy_with_logits
        if logits.raw_shape is not None and len(logits.raw_shape) == 2:
            cost = op_caller(precise, labels, name=name).loss
            return math.cast(cost, dtypes.float16) if small else cost
        checks = [] if is_static else [asserts.assert_equal(array.shape(labels), array.shape(logits)[:-1])]
        with waiting_for(checks):
            count = array.shape(logits)[array.rank(logits) - 1]
            precise = array.reshape(precise, [-1, count])
            flat = array.reshape(labels, [-1])
            cost = array.reshape(op_caller(precise, flat, name=name).loss, sizes)
            cost.set_shape(labels_shape)
            return math.cast(cost, dtypes.float16) if small else cost


def _check_classes(labels: Tensor, logits: Tensor, is_static: bool) -> None:
    shape, labels_shape = logits.raw_shape, labels.raw_shape
    if shape is None:
        return
    if not shape:
        raise ValueError(error_text(f"Logits cannot be scalars - received shape {logits.shape}.", [logits]))
    if labels_shape is not None and len(labels_shape) != len(shape) - 1:
        raise ValueError(
            error_text(
                f"Rank mismatch: Rank of labels (received {len(labels_shape)}) should equal rank of logits minus 1 (received "
                f"{len(shape)}).",
                [labels, logits],
            )
        )
    if is_static and labels_shape != shape[:-1]:
        raise ValueError(
            error_text(
                f"Shape mismatch: The shape of labels (received {labels.shape}) should equal the shape of logits except for "
                f"the last dimension (received {logits.shape}).",
                [labels, logits],
            )
        )


__all__ = [
    "log_poisson_loss", "sigmoid_cross_entropy_with_logits", "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2", "sparse_softmax_cross_entropy_with_logits",
    "weighted_cross_entropy_with_logits",
]  # fmt: skip
