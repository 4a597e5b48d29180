"""Samplers of `tf.contrib.training`: they drop or repeat elements at random before these go into batches.

    [images], labels = tf.contrib.training.stratified_sample([image], label, target_probs=[0.5, 0.5], batch_size=32)

No state, apart from the variables that count classes and average weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, constructors, selection
from ...lib.checks.asserts import (
    Assert,
    Print,
    assert_equal,
    assert_less,
    assert_less_equal,
    assert_non_negative,
    assert_positive,
)
from ...lib.checks.type_asserts import assert_integer
from ...lib.control.cond import cond
from ...lib.control.grouping import identity, with_dependencies
from ...lib.control.tensor_array import TensorArray
from ...lib.control.while_loop import while_loop
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math, random, reductions
from ...lib.variables.moving_averages import assign_moving_average
from ...lib.variables.variable_scope import get_variable, variable_scope
from ...lib.variables.variables import Variable
from .queue_batches import batch, maybe_batch
from .sparse_elements import as_component

_COUNTED_BEFORE: Final = 10  # elements of each class that count as seen, so that the first estimates are even
_TOLERANCE: Final = 1e-6  # by how much the sum of probabilities may differ from 1


@atomic
def rejection_sample(
    tensors: Any,
    accept_prob_fn: Callable[[Any], Any],
    batch_size: Any,
    queue_threads: int = 1,
    enqueue_many: bool = False,
    prebatch_capacity: int = 16,
    prebatch_threads: int = 1,
    runtime_checks: bool = False,
    name: str | None = None,
) -> list[Any]:
    """Batches [batch_size, …] of elements, each of which is kept with the probability that `accept_prob_fn` returns for it.

    tensors: the components of an element; with enqueue_many, of many along the first axis, which a queue of prebatch_capacity
    takes apart. accept_prob_fn: the components -> a float scalar. runtime_checks: whether a run checks that it is in [0, 1].
    Raises: ValueError without tensors, TypeError for a dictionary.
    """
    with name_scope(name, "rejection_sample", tensors):
        components = _components(tensors)
        if enqueue_many:
            components = _one_at_a_time(components, prebatch_threads, prebatch_capacity)
        probability = accept_prob_fn(components)
        if runtime_checks:
            checks = [assert_less_equal(0.0, probability), assert_less_equal(probability, 1.0)]
            probability = identity(with_dependencies(checks, probability), name="prob_with_checks")
        keep = random.random_uniform([]) < probability
        rows = maybe_batch(components, keep, batch_size, num_threads=queue_threads)
        return rows if isinstance(rows, list) else [rows]


def _components(tensors: Any) -> list[Any]:
    if not isinstance(tensors, Sequence):
        raise TypeError(error_text("values must be a sequence.", fix="[tensors[key] for key in sorted(tensors)]"))
    return [as_component(tensor) for tensor in tensors]


def _one_at_a_time(tensors: Sequence[Any], threads: int, capacity: int) -> list[Tensor]:
    """The components of one element of tensors that hold many along their first axis."""
    many = batch(tensors, batch_size=1, num_threads=threads, capacity=capacity, enqueue_many=True)
    return [array.squeeze(tensor, [0]) for tensor in many]


@atomic
def stratified_sample(
    tensors: Any,
    labels: Any,
    target_probs: Any,
    batch_size: Any,
    init_probs: Any = None,
    enqueue_many: bool = False,
    queue_capacity: int = 16,
    threads_per_queue: int = 1,
    name: str | None = None,
) -> tuple[list[Tensor], Tensor]:
    """A batch of elements, and its labels [batch_size], whose classes have the shares of `target_probs`.

    tensors: the components of an element, labels: its class, an integer scalar; with enqueue_many, of many elements along the
    first axis. target_probs, init_probs: the shares of the classes [n], wanted and in the input; those of the input are estimated
    where init_probs is None.
    Raises: ValueError for shares of different lengths and of no known length, and for other sizes of tensors than of labels. A
    run raises InvalidArgumentError for shares that are negative or do not sum to 1, and for labels outside [0, n).
    """
    with name_scope(name, "stratified_sample", [*tensors, labels]):
        components = _components(tensors)
        labels = convert_to_tensor(labels)
        target = convert_to_tensor(target_probs, dtype=dtypes.float32)
        if not enqueue_many:
            components = [array.expand_dims(tensor, 0) for tensor in components]
            labels = array.expand_dims(labels, 0)
        if init_probs is None:
            target.shape.assert_is_fully_defined()
            initial = _estimated_shares(labels, int(target.shape.num_elements()))
        else:
            initial = convert_to_tensor(init_probs, dtype=dtypes.float32)
        initial, target = _checked_shares(initial, target)
        components, labels = _checked_elements(components, labels, target)
        accepted = _accepted_shares(initial, target)
        *components, label = _one_at_a_time([*components, labels], threads_per_queue, queue_capacity)
        probability = selection.gather(accepted, label)
        keep = random.random_uniform([]) < probability
        *rows, labels = maybe_batch([*components, label], keep, batch_size, num_threads=threads_per_queue)
        return rows, labels


def _estimated_shares(labels: Tensor, classes: int) -> Tensor:
    """The shares [n] of the classes among the labels of all runs."""
    counts = Variable(np.full(classes, _COUNTED_BEFORE, np.int64), trainable=False, name="class_count")
    seen = constructors.one_hot(labels, classes, dtype=dtypes.int64)
    total = counts.assign_add(reductions.reduce_sum(seen, 0)) + np.int64(0)  # a value of this run, not the variable itself
    return math.cast(math.truediv(total, reductions.reduce_sum(total)), dtypes.float32)


def _checked_shares(initial: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both lists of shares [n], which a run checks."""
    for shares in (initial, target):
        shares.shape.assert_is_fully_defined()
    if initial.shape.num_elements() != target.shape.num_elements():
        raise ValueError(error_text("Probability parameters must have the same length.", [initial, target]))
    checked = []
    for shares in (initial, target):
        total = reductions.reduce_sum(shares)
        checks = [
            assert_non_negative(shares), assert_less(total, 1.0 + _TOLERANCE), assert_less(1.0 - _TOLERANCE, total),
        ]  # fmt: skip
        checked.append(with_dependencies(checks, shares))
    return checked[0], checked[1]


def _checked_elements(components: Sequence[Any], labels: Tensor, target: Tensor) -> tuple[list[Any], Tensor]:
    """The components and the labels, of whose sizes and values a run checks what is not known before."""
    size = array.shape(labels)[0]
    some = assert_positive(size)
    labels = with_dependencies([some], labels)
    checked = []
    for tensor in components:
        equal = assert_equal(array.shape(tensor)[0], size)
        checked.append(with_dependencies([some, equal], tensor))
        if tensor.shape.ndims is not None and labels.shape.ndims is not None:
            tensor.shape[0].assert_is_compatible_with(labels.shape[0])
    classes = target.shape.num_elements()
    checks = [assert_integer(labels), assert_non_negative(labels), assert_less(labels, math.cast(classes, labels.dtype))]
    return checked, with_dependencies(checks, labels)


def _accepted_shares(initial: Tensor, target: Tensor) -> Tensor:
    """With which probability to keep an element of each class [n]; the largest is 1."""
    is_possible = reductions.reduce_all(math.logical_or(math.not_equal(initial, 0), math.equal(target, 0)))
    text = "All classes with zero initial probability must also have zero target probability: "
    initial = with_dependencies([Assert(is_possible, [text, initial, target])], initial)
    ratio = target / initial
    ratio = selection.where_v2(math.is_nan(ratio), array.zeros_like(ratio), ratio)  # of classes without any elements
    accepted = ratio / reductions.reduce_max(ratio)
    kept = reductions.reduce_sum((1.0 - accepted) * initial)
    return cond(
        math.less(kept, 0.5),
        lambda: accepted,
        lambda: Print(accepted, [accepted], message="Proportion of examples rejected by sampler is high.", first_n=10),
    )


@atomic
def resample_at_rate(
    inputs: Sequence[Any], rates: Any, scope: Any = None, seed: int | None = None, back_prop: bool = False
) -> list[Tensor]:
    """The rows of each input [n, …], each repeated as often as a Poisson number says whose mean is its rate.

    rates: [n]. back_prop: whether gradients pass through the choice. The order is that of the rows.
    """
    with name_scope(scope, "resample_at_rate", [*inputs, rates]):
        return _resampled(inputs, rates, seed, back_prop)


def _resampled(inputs: Sequence[Any], rates: Any, seed: int | None, back_prop: bool) -> list[Tensor]:
    counts = math.cast(random.random_poisson(rates, [], dtype=rates.dtype, seed=seed), dtypes.int32)
    rows = _repeated_range(counts)
    if not back_prop:
        rows = array.stop_gradient(rows)
    return [selection.gather(tensor, rows) for tensor in inputs]


def _repeated_range(counts: Tensor) -> Tensor:
    """Each row number as often as `counts` [n] says: [sum of counts]."""
    with name_scope("repeat_range", None, [counts]) as scope:
        size = array.shape(counts)[0]
        parts = TensorArray(dtypes.int32, size=size, infer_shape=False)

        def step(parts: TensorArray, i: Any) -> Any:
            return parts.write(i, array.fill(counts[i : i + 1], i)), i + 1

        parts, done = while_loop(lambda _, i: math.less(i, size), step, [parts, 0], back_prop=True)
        return cond(math.greater(done, 0), parts.concat, lambda: array.zeros([0], dtype=dtypes.int32), name=scope)


@atomic
def weighted_resample(
    inputs: Sequence[Any], weights: Any, overall_rate: Any, scope: Any = None, mean_decay: float = 0.999, seed: int | None = None
) -> tuple[list[Tensor], Tensor]:
    """Rows of each input [n, …] in proportion to the weights, and the rates [rows] at which they were taken.

    weights: [n]. overall_rate: how many rows to take for each one, on the average. The mean weight is a moving average with
    `mean_decay`, kept in a local variable.
    """
    with name_scope(scope, "weighted_resample", [*inputs, weights]):
        with variable_scope(scope, "estimate_mean", [weights]):
            mean = get_variable(
                "estimated_mean", initializer=math.cast(0, weights.dtype), trainable=False,
                collections=[GraphKeys.LOCAL_VARIABLES],
            )  # fmt: skip
            mean = assign_moving_average(mean, reductions.reduce_mean(weights), mean_decay)
        rates = weights * overall_rate / mean
        taken, *rows = _resampled([rates, *inputs], rates, seed, back_prop=False)
        return rows, taken


__all__ = ["rejection_sample", "resample_at_rate", "stratified_sample", "weighted_resample"]
