"""Weights of samples: whether they broadcast to their values, and label and prediction ranks that differ by a last
axis of 1.

Losses and metrics share these functions. No state.
"""

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
    """An operation that fails unless weights [...] are a scalar, or have the values' rank and in each axis size 1 or
    the values'.

    Raises: ValueError when the static shapes are already incompatible.
    """
    with name_scope(None, "assert_broadcastable", [weights, values]) as scope:
        weights, weights_shape, weights_rank = _with_shape_and_rank("weights", weights)
        values, values_shape, values_rank = _with_shape_and_rank("values", values)
        static_ranks = constant_value(weights_rank), constant_value(values_rank)
        if static_ranks[0] == 0 and static_ranks[1] is not None:
            return no_op("static_scalar_check_success")
        if None not in static_ranks:
            if static_ranks[0] != static_ranks[1]:
                raise ValueError(
                    error_text(
                        f"{REFUSED} values.rank={static_ranks[1]}. weights.rank={static_ranks[0]}. values.shape={values.shape}. "
                        f"weights.shape={weights.shape}."
                    )
                )
            sizes = constant_value(weights_shape), constant_value(values_shape)
            if sizes[0] is not None and sizes[1] is not None:
                for i, (weights_size, values_size) in enumerate(zip(*sizes, strict=True)):
                    if weights_size not in (1, values_size):
                        raise ValueError(
                            error_text(f"{REFUSED} Mismatch at dim {i}. values.shape={sizes[1]} weights.shape={sizes[0]}.")
                        )
                return no_op("static_dims_check_success")
        is_scalar = math.equal(0, weights_rank, name="is_scalar")
        error_data = [
            REFUSED, "weights.shape=", weights.name, weights_shape, "values.shape=", values.name, values_shape,
            "is_scalar=", is_scalar,
        ]  # fmt: skip
        fits = cond(
            is_scalar,
            lambda: is_scalar,
            lambda: _ranks_and_sizes_fit(weights_rank, weights_shape, values_rank, values_shape),
            name="is_valid_shape",
        )
        return asserts.Assert(fits, error_data, name=scope)


def _with_shape_and_rank(name: str, value: Any) -> tuple[Tensor, Tensor, Tensor]:
    with name_scope(None, name, [value]) as scope:
        value = convert_to_tensor(value, name=scope)
        return value, array.shape(value, name="shape"), array.rank(value, name="rank")


def _ranks_and_sizes_fit(weights_rank: Any, weights_shape: Any, values_rank: Any, values_shape: Any) -> Any:
    with name_scope(None, "has_valid_nonscalar_shape", [weights_rank, weights_shape, values_rank, values_shape]) as scope:
        same = math.equal(values_rank, weights_rank, name="is_same_rank")
        return cond(same, lambda: _sizes_fit(weights_shape, values_shape), lambda: same, name=scope)


def _sizes_fit(weights_shape: Any, values_shape: Any) -> Any:
    """Whether each size of the weights is 1 or the values' size in that axis."""
    with name_scope(None, "has_invalid_dims", [weights_shape, values_shape]) as scope:
        column = array.expand_dims(values_shape, -1)
        allowed = array.concat([column, array.ones_like(column)], axis=1)
        misfits = set_difference(array.expand_dims(weights_shape, -1), allowed)
        return math.equal(0, array.size(misfits.values, name="num_invalid_dims"), name=scope)


@atomic
def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """The weights, broadcast to the values' shape [...].

    Raises: ValueError when the static shapes are incompatible; in the run InvalidArgumentError.
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
    """(labels, predictions); the one whose rank is 1 too high loses its last axis: [n, 1] and [n] -> [n] and [n].

    expected_rank_diff: the rank of predictions minus the rank of labels.
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
        predictions = squeeze_if(expected_rank_diff + 1, difference, predictions)
        labels = squeeze_if(expected_rank_diff - 1, difference, labels)
        return labels, predictions


def squeeze_if(wanted: int, difference: Tensor, value: Tensor) -> Tensor:
    """value without its last axis in runs where the ranks' difference is `wanted`: [..., 1] -> [...]; a last axis >
    1 stays.
    """
    if value.shape.ndims == 0 or not may_lose_last_axis(value):
        return value
    return cond(math.equal(wanted, difference), lambda: array.squeeze(value, [-1]), lambda: value)  # type: ignore[no-any-return]


def may_lose_last_axis(value: Tensor) -> bool:
    """Whether the last axis of value [..., 1] has size 1 or an unknown size."""
    return value.shape.ndims is None or value.shape.dims[-1].is_compatible_with(1)
