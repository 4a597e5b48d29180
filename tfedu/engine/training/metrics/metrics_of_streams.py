"""Metrics of tf.contrib.metrics that keep all values: `streaming_concat`, and areas under curves without thresholds.

Shapes, results and errors are those of `metrics.py`. No state but the metrics' variables.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection, slicing
from ...lib.arrays.sequences import cumsum
from ...lib.checks import asserts
from ...lib.checks.asserts import Assert
from ...lib.control.cond import cond
from ...lib.control.grouping import group, no_op
from ...lib.distributions.normal import Normal
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import control_dependencies, name_scope, waiting_for
from ...lib.math import math, reductions
from ...lib.math.counting import histogram_fixed_width
from ...lib.nn.sample_weights import remove_squeezable_dimensions
from ...lib.variables import state
from ...lib.variables.initializers import Zeros
from ...lib.variables.variable_scope import get_variable, variable_scope
from ...op.constant import constant
from ...ops import array as array_ops
from .metrics import Metric, collected, fitted, metric_variable

_TINY = 1e-7
_GROWTH = 1.5


@atomic
def streaming_concat(
    values: Any,
    axis: int = 0,
    max_size: int | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """All values so far, joined along an axis, of which the other sizes must be known. max_size: the first so many, at most.

    Raises: ValueError for an unknown rank, for unknown other sizes, and for an axis that is none.
    """
    with variable_scope(name, "streaming_concat", (values,)):
        sizes = values.shape.as_list() if values.shape.ndims is not None else None
        if sizes is None:
            raise ValueError(error_text("`values` must have known statically known rank"))
        rank = len(sizes)
        place = axis + rank if axis < 0 else axis
        if not 0 <= place < rank:
            raise ValueError(error_text(f"axis = {place} not in [0, {rank})"))
        fixed = [size for i, size in enumerate(sizes) if i != place]
        if None in fixed:
            raise ValueError(
                error_text(
                    "all dimensions of `values` other than the dimension to concatenate along must have statically known size"
                )
            )
        room = metric_variable([max_size or 0, *fixed], values.dtype, validate_shape=False, name="array")
        size = metric_variable([], dtypes.int32, name="size")
        kept = room[:size]
        kept.set_shape([None, *fixed])
        back = [0 if i == place else i + 1 if i < place else i for i in range(rank)]
        value = array.transpose(kept, back, name="concat")
        count: Any = array.shape(values)[place]
        if max_size is not None:
            count = math.minimum(count, max_size - size)
        batch = array.transpose(values, [place, *(i for i in range(rank) if i != place)])[:count]
        after: Any = size + count

        def with_more_room() -> Any:
            larger = array.zeros(array.stack([_next_size(after), *fixed]), dtype=values.dtype)
            old = room[:size]  # a copy: room.value() would show what is assigned next
            with control_dependencies([old]):
                assigned = state.assign(room, larger, validate_shape=False)
            with control_dependencies([assigned]):
                copied = room[:size].assign(old)
            with control_dependencies([copied]):
                return no_op()

        room_size = array_ops.shape(room)[0]  # the run's, as the room grows
        with control_dependencies([cond(after > room_size, with_more_room, no_op)]):
            appended = room[size:after].assign(batch)
        with control_dependencies([appended]):
            update = size.assign(after)
        return collected(metrics_collections, value), collected(updates_collections, update)


def _next_size(needed: Any) -> Tensor:
    """The next power of 1.5 from a size on."""
    exponent = math.ceil(math.log(math.cast(needed, dtypes.float32)) / math.log(math.cast(_GROWTH, dtypes.float32)))
    return math.cast(math.ceil(_GROWTH**exponent), dtypes.int32)


def _only_0_and_1(labels: Any) -> Any:
    """A block whose nodes wait for the check of the labels."""
    zeros, ones = array.zeros_like(labels, dtypes.int64), array.ones_like(labels, dtypes.int64)
    return control_dependencies([
        asserts.assert_greater_equal(labels, zeros, message="labels must be 0 or 1, at least one is <0"),
        asserts.assert_less_equal(labels, ones, message="labels must be 0 or 1, at least one is >1"),
    ])  # fmt: skip


# -- the area under a curve through all points -------------------------------------------------------------------------------


@atomic
def streaming_dynamic_auc(
    labels: Any,
    predictions: Any,
    curve: str = "ROC",
    metrics_collections: Any = (),
    updates_collections: Any = (),
    name: str | None = None,
    weights: Any = None,
) -> Metric:
    """Creates a metric: the area under the ROC or PR curve of all predictions so far, float64; 0 while all labels are equal.

    Raises: ValueError for another curve; InvalidArgumentError in the run for labels that are not 0 or 1.
    """
    if curve not in ("PR", "ROC"):
        raise ValueError(error_text(f"curve must be either ROC or PR, {curve} unknown"))
    with variable_scope(name, default_name="dynamic_auc"):
        labels.shape.assert_is_compatible_with(predictions.shape)
        predictions = array.reshape(math.cast(predictions, dtypes.float64), [-1])
        labels = array.reshape(math.cast(labels, dtypes.int64), [-1])
        with _only_0_and_1(labels):
            all_predictions, keep_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, keep_labels = streaming_concat(labels, name="concat_labels")
            updates = [keep_labels, keep_predictions]
            all_weights = None
            if weights is not None:
                weights = array.reshape(math.cast(weights, dtypes.float64), [-1])
                all_weights, keep_weights = streaming_concat(weights, name="concat_weights")
                updates.append(keep_weights)
            update = group(*updates)
            area = _area(all_labels, all_predictions, curve, all_weights)
            return collected(metrics_collections, area), collected(updates_collections, update)


def _area(labels: Any, predictions: Any, curve: str, weights: Any) -> Any:
    count = array.size(predictions)
    if weights is None:
        weights = array.ones_like(labels, dtype=dtypes.float64)
    labels, predictions, weights = fitted(labels, predictions, weights)
    nothing = array.zeros_like(labels, dtype=dtypes.float64)
    total = reductions.reduce_sum(weights)
    positive = reductions.reduce_sum(selection.where(math.greater(labels, 0), weights, nothing))

    def by_trapezoids() -> Any:
        ordered, order = selection.top_k(predictions, k=count)
        ordered_labels, ordered_weights = selection.gather(labels, order), selection.gather(weights, order)
        _, _, counts = selection.unique_with_counts(ordered)
        ends = math.cast(array.pad(cumsum(counts), paddings=[[1, 0]]), dtypes.int32)

        def at_ends(steps: Any) -> Any:
            return selection.gather(array.pad(cumsum(steps), paddings=[[1, 0]]), ends)

        zeros = array.zeros_like(ordered_labels, dtype=dtypes.float64)
        hits = at_ends(selection.where(math.greater(ordered_labels, 0), ordered_weights, zeros))
        if curve == "ROC":
            false_hits = at_ends(selection.where(math.less(ordered_labels, 1), ordered_weights, zeros))
            x, y = math.truediv(false_hits, total - positive), math.truediv(hits, positive)
        else:
            x, found = math.truediv(hits, positive), at_ends(ordered_weights)
            ones = array.ones_like(hits, dtype=dtypes.float64)
            y = selection.where(math.greater(ends, 0), math.truediv(hits, found), ones)
        heights = math.add(y[1:], y[:-1]) / 2.0
        widths = math.abs(math.subtract(x[1:], x[:-1]))
        return reductions.reduce_sum(math.multiply(heights, widths))

    one_class = math.logical_or(math.equal(positive, 0), math.equal(positive, total))
    return cond(one_class, true_fn=lambda: constant(0, dtypes.float64), false_fn=by_trapezoids)


# -- with its confidence -----------------------------------------------------------------------------------------------------


class AucData(NamedTuple):
    """An area under a curve, and the limits of its confidence interval."""

    auc: Any
    lower: Any
    upper: Any


@atomic
def auc_with_confidence_intervals(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    alpha: float = 0.95,
    logit_transformation: bool = True,
    metrics_collections: Any = (),
    updates_collections: Any = (),
    name: str | None = None,
) -> tuple[AucData, Any]:
    """(the area under the ROC curve of all predictions so far with the limits between which it lies with probability alpha, the
    update). logit_transformation: computes the limits for the area's logit.

    Source: Pepe, 2003 (placement values). Raises: ValueError for an alpha that is not between 0 and 1; InvalidArgumentError in
    the run for labels that are not 0 or 1.
    """
    if not 0 < alpha < 1:
        raise ValueError(error_text(f"alpha must be between 0 and 1; currently {alpha:.02f}"))
    if weights is None:
        weights = array.ones_like(predictions)
    with variable_scope(name, "auc_with_confidence_intervals", [labels, predictions, weights]):
        predictions, labels, weights = fitted(predictions, labels, weights)
        total = reductions.reduce_sum(weights)
        weights = array.reshape(weights, [-1])
        predictions = array.reshape(math.cast(predictions, dtypes.float64), [-1])
        labels = array.reshape(math.cast(labels, dtypes.int64), [-1])
        with _only_0_and_1(labels):
            all_predictions, keep_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, keep_labels = streaming_concat(labels, name="concat_labels")
            all_weights, keep_weights = streaming_concat(weights, name="concat_weights")
            keep = group(keep_labels, keep_predictions, keep_weights)
            both_classes = math.logical_and(
                math.equal(reductions.reduce_min(labels), 0), math.equal(reductions.reduce_max(labels), 1)
            )
            enough = math.greater_equal(total, 1.0)
            is_valid = math.logical_and(both_classes, enough)
            update = cond(enough, lambda: keep, no_op)
            area = _area_of_placements(all_labels, all_predictions, all_weights, alpha, logit_transformation, is_valid)
            return collected(metrics_collections, area), collected(updates_collections, update)


def _area_of_placements(
    labels: Any, predictions: Any, weights: Any, alpha: float, by_logit: bool, is_valid: Any
) -> AucData:
    count = array.size(predictions, out_type=dtypes.int32)
    totals = [reductions.reduce_sum(math.cast(part, weights.dtype) * weights) for part in (1 - labels, labels)]
    ordered, order = selection.top_k(predictions, k=count, sorted=True)
    backwards = array.zeros(1, dtypes.int32)
    ordered, order = array.reverse(ordered, axis=backwards), array.reverse(order, axis=backwards)
    ordered_labels, ordered_weights = selection.gather(labels, order), selection.gather(weights, order)
    _, groups = selection.unique(ordered)
    of_true = math.cast(ordered_labels, dtypes.float32)
    of_false = 1.0 - of_true

    def placements(others: Any) -> Any:
        """For each example the share of the other class's weight below it; equal predictions count half."""
        in_group = reductions.segment_sum(ordered_weights * others, groups)
        below = cumsum(in_group, exclusive=True) + in_group / 2.0
        return selection.gather(below / (reductions.reduce_sum(in_group) + _TINY), groups)

    placed = placements(of_false) * of_true + placements(of_true) * of_false
    kinds = [math.cast(part, weights.dtype) for part in (1 - ordered_labels, ordered_labels)]
    values, shares = [placed * kind for kind in kinds], [ordered_weights * kind for kind in kinds]
    auc_0 = reductions.reduce_sum(shares[0] * (1.0 - values[0])) / (totals[0] + _TINY)
    auc_1 = reductions.reduce_sum(shares[1] * values[1]) / (totals[1] + _TINY)
    auc = selection.where(math.less(totals[0], totals[1]), auc_1, auc_0)
    spread_0 = reductions.reduce_sum(shares[0] * math.square(1.0 - values[0] - auc_0)) / (totals[0] - 1.0 + _TINY)
    spread_1 = reductions.reduce_sum(shares[1] * math.squared_difference(values[1], auc_1)) / (totals[1] - 1.0 + _TINY)
    deviation: Any = math.sqrt(spread_0 / (totals[0] + _TINY) + spread_1 / (totals[1] + _TINY))
    z = Normal(loc=0.0, scale=1.0).quantile((1.0 - alpha) / 2.0)
    if by_logit:
        estimate = math.log(auc / (1.0 - auc + _TINY))
        deviation = deviation / (auc * (1.0 - auc + _TINY))
        limits = [_from_logit(estimate + z * deviation), _from_logit(estimate - z * deviation)]
    else:
        limits = [auc + z * deviation, auc - z * deviation]
    is_certain = math.logical_or(math.equal(auc, array.ones_like(auc)), math.equal(auc, array.zeros_like(auc)))
    lower, upper = (selection.where(is_certain, auc, limit) for limit in limits)
    nothing = constant(0.0)
    return AucData(*cond(is_valid, lambda: [auc, lower, upper], lambda: [nothing] * 3))


def _from_logit(x: Any) -> Any:
    return 1.0 / (1.0 + math.exp(math.negative(x)) + _TINY)


# -- by histograms -----------------------------------------------------------------------------------------------------------


@atomic
def auc_using_histogram(
    boolean_labels: Any,
    scores: Any,
    score_range: Any,
    nbins: int = 100,
    collections: Any = None,
    check_shape: bool = True,
    name: str | None = None,
) -> Metric:
    """The area under the ROC curve out of two histograms of scores [n], of true and of false labels [n] of bool.

    score_range: [lowest, highest]; scores outside count in the outer ones of nbins bins. collections: of the variables.

    Raises: ValueError for labels of another dtype; InvalidArgumentError in the run for other ranks than 1.
    """
    with variable_scope(name, "auc_using_histogram", [boolean_labels, scores, score_range]):
        scores, boolean_labels = remove_squeezable_dimensions(scores, boolean_labels)
        score_range = convert_to_tensor(score_range, name="score_range")
        labels, scores = _checked(boolean_labels, scores, check_shape)
        with variable_scope(None, "make_auc_histograms", [labels, scores, nbins]):
            histograms = [
                histogram_fixed_width(
                    slicing.boolean_mask(scores, chosen), score_range, nbins=nbins, dtype=dtypes.int64, name=f"hist_{kind}"
                )
                for kind, chosen in (("true", labels), ("false", math.logical_not(labels)))
            ]
        with variable_scope(None, "hist_accumulate", histograms):
            totals = [
                get_variable(
                    f"hist_{kind}_acc", shape=[nbins], dtype=dtypes.int64, initializer=Zeros(), trainable=False,
                    collections=[GraphKeys.LOCAL_VARIABLES] if collections is None else collections,
                )
                for kind in ("true", "false")
            ]  # fmt: skip
            update = group(*(total.assign_add(part) for total, part in zip(totals, histograms)), name="update_op")
        return _area_of_histograms(*totals), update


def _checked(labels: Any, scores: Any, check_shape: bool) -> tuple[Any, Any]:
    with name_scope(None, "_check_labels_and_scores", [labels, scores]):
        labels = convert_to_tensor(labels, name="boolean_labels")
        scores = convert_to_tensor(scores, name="scores")
        if labels.dtype != dtypes.bool:
            raise ValueError(
                error_text(
                    f"Argument boolean_labels should have dtype bool.  Found: {labels.dtype!r}", fix="tf.cast(labels, tf.bool)"
                )
            )
        if not check_shape:
            return labels, scores
        checks = [
            Assert(
                math.equal(1, array.rank(tensor)),
                [f"Argument {argument} should have rank 1.  Found: ", tensor.name, array.shape(tensor)],
            )
            for argument, tensor in (("boolean_labels", labels), ("scores", scores))
        ]
        with waiting_for(checks):
            return labels, scores


def _area_of_histograms(of_true: Any, of_false: Any) -> Tensor:
    """Trapezoids between the shares of true and false labels at and above each bin, from the highest one down."""
    shares = [math.truediv(total, reductions.reduce_sum(total)) for total in (of_true, of_false)]
    y, x = (
        math.cast(array.reverse(share, [0], name=name), dtypes.float32) for share, name in zip(shares, ("delta_y_t", "delta_x_t"))
    )
    y = cumsum(y)
    first = x[0] * y[0] / 2.0
    others = x[1:] * (y[1:] + y[:-1]) / 2.0
    return math.add(first, reductions.reduce_sum(others), name="auc")


__all__ = ["auc_using_histogram", "auc_with_confidence_intervals", "streaming_concat", "streaming_dynamic_auc"]
