"""Weights that fit their values, and ranks that differ by a last axis of size 1: what losses and metrics share. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..checks import asserts
from ..control.cond import cond
from ..control.grouping import no_op
from ..framework.scope_blocks import name_scope, waiting_for
from ..framework.static_value import constant_value
from ..math import math
from ..sparse.sparse_math import set_difference

REFUSED = "weights can not be broadcast to values."


@atomic
def assert_broadcastable(weights: Any, values: Any) -> Operation:
    """An operation that fails unless each size of weights is 1 or that of values; a scalar always fits.

    Raises: ValueError where the static shapes say that they do not fit.
    """
    with name_scope(None, "assert_broadcastable", [weights, values]) as scope:
        weights, weights_shape, weights_rank = _measured("weights", weights)
        values, values_shape, values_rank = _measured("values", values)
        known = constant_value(weights_rank), constant_value(values_rank)
        if known[0] == 0 and known[1] is not None:
            return no_op("static_scalar_check_success")
        if None not in known:
            if known[0] != known[1]:
                raise ValueError(
                    error_text(
                        f"{REFUSED} values.rank={known[1]}. weights.rank={known[0]}. values.shape={values.shape}. "
                        f"weights.shape={weights.shape}."
                    )
                )
            sizes = constant_value(weights_shape), constant_value(values_shape)
            if sizes[0] is not None and sizes[1] is not None:
                for i, (of_weights, of_values) in enumerate(zip(*sizes, strict=True)):
                    if of_weights not in (1, of_values):
                        raise ValueError(
                            error_text(f"{REFUSED} Mismatch at dim {i}. values.shape={sizes[1]} weights.shape={sizes[0]}.")
                        )
                return no_op("static_dims_check_success")
        is_scalar = math.equal(0, weights_rank, name="is_scalar")
        told = [
            REFUSED, "weights.shape=", weights.name, weights_shape, "values.shape=", values.name, values_shape,
            "is_scalar=", is_scalar,
        ]  # fmt: skip
        fits = cond(
            is_scalar,
            lambda: is_scalar,
            lambda: _ranks_and_sizes_fit(weights_rank, weights_shape, values_rank, values_shape),
            name="is_valid_shape",
        )
        return asserts.Assert(fits, told, name=scope)


def _measured(name: str, value: Any) -> tuple[Tensor, Tensor, Tensor]:
    with name_scope(None, name, [value]) as scope:
        value = convert_to_tensor(value, name=scope)
        return value, array.shape(value, name="shape"), array.rank(value, name="rank")


def _ranks_and_sizes_fit(weights_rank: Any, weights_shape: Any, values_rank: Any, values_shape: Any) -> Any:
    with name_scope(None, "has_valid_nonscalar_shape", [weights_rank, weights_shape, values_rank, values_shape]) as scope:
        same = math.equal(values_rank, weights_rank, name="is_same_rank")
        return cond(same, lambda: _sizes_fit(weights_shape, values_shape), lambda: same, name=scope)


def _sizes_fit(weights_shape: Any, values_shape: Any) -> Any:
    """Each size of the weights is in the set of 1 and the size of the values there."""
    with name_scope(None, "has_invalid_dims", [weights_shape, values_shape]) as scope:
        column = array.expand_dims(values_shape, -1)
        allowed = array.concat([column, array.ones_like(column)], axis=1)
        others = set_difference(array.expand_dims(weights_shape, -1), allowed)
        return math.equal(0, array.size(others.values, name="num_invalid_dims"), name=scope)


@atomic
def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """The weights, repeated to the shape of the values.

    Raises: as assert_broadcastable.
    """
    with name_scope(None, "broadcast_weights", [weights, values]) as scope:
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        ours, theirs = weights.shape, values.shape
        if ours.is_fully_defined() and theirs.is_fully_defined() and ours.is_compatible_with(theirs):
            return weights
        with waiting_for([assert_broadcastable(weights, values)]):
            return math.multiply(weights, array.ones_like(values), name=scope)


@atomic
def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(labels, predictions), the one with a rank too many without its last axis.

    expected_rank_diff: how many axes predictions have more than labels.
    """
    with name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
        ranks = labels.shape.ndims, predictions.shape.ndims
        if None not in ranks:
            surplus = ranks[1] - ranks[0] - expected_rank_diff  # type: ignore[operator]
            if surplus == 1:
                predictions = array.squeeze(predictions, [-1])
            elif surplus == -1:
                labels = array.squeeze(labels, [-1])
            return labels, predictions
        difference = array.rank(predictions) - array.rank(labels)
        predictions = squeezed_if(expected_rank_diff + 1, difference, predictions)
        labels = squeezed_if(expected_rank_diff - 1, difference, labels)
        return labels, predictions


def squeezed_if(wanted: int, difference: Tensor, value: Tensor) -> Tensor:
    """value, in the run without its last axis where the ranks differ as wanted; as it is where that cannot be."""
    if value.shape.ndims == 0 or not may_lose_last_axis(value):
        return value
    return cond(math.equal(wanted, difference), lambda: array.squeeze(value, [-1]), lambda: value)  # type: ignore[no-any-return]


def may_lose_last_axis(value: Tensor) -> bool:
    """Whether nothing known says that the last axis has more than one place."""
    return value.shape.ndims is None or value.shape.dims[-1].is_compatible_with(1)
