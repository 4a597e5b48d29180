"""`tf.data.experimental.rejection_resample`: elements are dropped at random until their classes have the wanted shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, constructors, selection
from ...lib.checks.asserts import Print
from ...lib.control.cond import cond
from ...lib.math import math, random, reductions
from ...op.infer import constant_value
from .dataset import Dataset
from .transformations import Transformation, sample_from_datasets, scan, unbatch

_EXAMPLES_AT_ONCE: Final = 32  # for how many elements one estimate of the shares is made
_COUNTED_BEFORE: Final = 10  # elements of each class that count as seen, so that the first estimates are even


def rejection_resample(
    class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None, seed: Any = None
) -> Transformation:
    """Pairs of a class and an element, whose classes have the shares of `target_dist`.

    class_func: the class of an element, an int32 or int64 scalar. target_dist, initial_dist: shares of the classes [n], wanted
    and in the input; those of the input are estimated where they are None.
    Raises: TypeError for classes that are no such scalars.
    """

    @atomic
    def applied(dataset: Dataset) -> Dataset:
        target = convert_to_tensor(target_dist, name="target_dist")
        classes = dataset.map(class_func)
        is_number = classes.output_types in (dtypes.int32, dtypes.int64)
        if not is_number or not classes.output_shapes.is_compatible_with(TensorShape([])):
            text = f"`class_func` must return an int32 or int64 scalar, not {classes.element_spec!r}."
            raise TypeError(error_text(text, fix="tf.cast(label, tf.int32)"))
        unchanged = None
        if initial_dist is not None:
            initial = convert_to_tensor(initial_dist, name="initial_dist")
            accepted, kept = _accepted_shares(initial, target)
            initials, acceptance, originals = (Dataset.from_tensors(each).repeat() for each in (initial, accepted, kept))
            unchanged = _known_kept(initial, target)
        else:
            initials = _estimated_shares(target, classes)
            both = initials.map(lambda shares: _accepted_shares(shares, target))
            acceptance, originals = both.map(lambda accepted, _: accepted), both.map(lambda _, kept: kept)
        filtered = _filtered(dataset, acceptance, initials, classes, seed).prefetch(3)
        pairs = Dataset.zip((classes, dataset))
        if unchanged == 1:
            return pairs
        if unchanged == 0:
            return filtered
        weights = originals.map(lambda kept: [(kept, 1.0 - kept)])
        return sample_from_datasets([pairs, filtered], weights=weights, seed=seed)

    return applied


def _accepted_shares(initial: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """With which probability to keep an element of each class [n], and the share of the result that comes unfiltered."""
    ratio = target / (initial + np.finfo(initial.dtype.as_numpy_dtype).tiny)
    most, least = reductions.reduce_max(ratio), reductions.reduce_min(ratio)
    return (ratio - least) / (most - least), least


def _known_kept(initial: Tensor, target: Tensor) -> float | None:
    """The share that comes unfiltered, where both distributions are constants."""
    known = constant_value(initial), constant_value(target)
    if known[0] is None or known[1] is None:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):  # a class that the input does not have
        return float(np.min(known[1] / known[0]))


def _estimated_shares(target: Tensor, classes: Dataset) -> Dataset:
    """For each element the shares [n] of the classes among those before it and in its group."""
    size = target.shape[0].value or array.shape(target)[0]
    seen = array.fill([size], np.int64(_COUNTED_BEFORE))

    def counted(before: Tensor, group: Tensor) -> tuple[Tensor, Tensor]:
        counts = math.add(before, reductions.reduce_sum(constructors.one_hot(group, size, dtype=dtypes.int64), 0))
        shares = math.cast(math.truediv(counts, reductions.reduce_sum(counts)), dtypes.float32)
        return counts, array.tile(array.expand_dims(shares, 0), [_EXAMPLES_AT_ONCE, 1])

    return classes.batch(_EXAMPLES_AT_ONCE).apply(scan(seen, counted)).apply(unbatch())


def _filtered(dataset: Dataset, acceptance: Dataset, initials: Dataset, classes: Dataset, seed: Any) -> Dataset:
    """The pairs of which a random number drops some."""

    def warned(accepted: Tensor, initial: Tensor) -> Any:
        dropped = reductions.reduce_sum((1 - accepted) * initial)
        return cond(
            math.less(dropped, 0.5),
            lambda: accepted,
            lambda: Print(
                accepted, [dropped, initial, accepted], message="Proportion of examples rejected by sampler is high: ",
                summarize=100, first_n=10,
            ),
        )  # fmt: skip

    acceptance = Dataset.zip((acceptance, initials)).map(warned)
    drawn = Dataset.zip((classes, acceptance, dataset)).map(
        lambda of, accepted, element: (of, selection.gather(accepted, of), element)
    )
    kept = drawn.filter(lambda _, accepted, __: random.random_uniform([], seed=seed) < accepted)
    return kept.map(lambda of, _, element: (of, element))


__all__ = ["rejection_resample"]
