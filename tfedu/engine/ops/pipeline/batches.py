"""Batches: batch, padded_batch, unbatch, window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from ...base import dtypes, errors
from ...base.dtypes import DType
from ...op.define import Each, Many, op
from ...op.shape_checks import invalid, scalars_at
from .sources import Shapes, Types, scalar
from .values import Dataset, Element, Elements, Failure, Walk
from .whole_batches import before_maps

int64, variant, boolean = dtypes.int64, dtypes.variant, dtypes.bool


def stacked(values: Sequence[Any], dtype: DType) -> Any:
    """The values of a component, one after the other along a new first axis.

    Raises: InvalidArgumentError for values of different shapes.
    """
    kind = dtype.numpy
    first = values[0]
    if kind is None or kind.kind == "O":
        return _stacked_objects(values)
    if getattr(first, "ndim", 0) == 0:
        return np.array(values, kind)
    shape = first.shape
    for i, value in enumerate(values):
        if value.shape != shape:
            raise _differ(value, first, i)
    return np.concatenate(values).reshape(len(values), *shape)


def _differ(value: Any, first: Any, index: int) -> errors.InvalidArgumentError:
    ours, others = (str(list(np.shape(each))).replace(" ", "") for each in (value, first))
    if np.size(value) != np.size(first):
        text = f"number of elements does not match. Shapes are: [tensor]: {ours}, [batch]: {others}"
        return invalid(f"Cannot add tensor to the batch: {text}", fix=_PAD)
    return _other_shapes(0, value, first, index)


def _other_shapes(component: int, value: Any, first: Any, index: int) -> errors.InvalidArgumentError:
    ours, others = (str(list(np.shape(each))).replace(" ", "") for each in (value, first))
    text = f"First element had shape {others} and element {index} had shape {ours}."
    return invalid(f"Cannot batch tensors with different shapes in component {component}. {text}", fix=_PAD)


_MAPS = ("MapDataset", "ParallelMapDataset")
_PAD = "padded_batch(…) fills shorter elements up; batch takes elements of one shape"


def _stacked_objects(values: Sequence[Any]) -> Any:
    """Strings or variants: a scalar one is no array."""
    first = values[0]
    shape = first.shape if isinstance(first, np.ndarray) else ()
    out = np.empty((len(values), *shape), object)
    for i, value in enumerate(values):
        if isinstance(value, np.ndarray) and value.shape != shape:
            raise _differ(value, first, i)
        out[i] = value
    return out


def batches(passed: Elements, size: int, drop: bool, join: Callable[[list[Element]], Any]) -> Elements:
    """What `join` makes of each `size` consecutive elements. An error ends the batch to which its element belongs."""
    while True:
        group = list(islice(passed, size))
        if not group:
            return
        if Failure in map(type, group):
            at = next(i for i, element in enumerate(group) if type(element) is Failure)
            yield group[at]
            passed = _chain(group[at + 1 :], passed)
            continue
        if len(group) < size and drop:
            return
        try:
            yield join(group)
        except errors.OpError as error:
            yield Failure(error)


def _chain(first: list[Any], then: Elements) -> Elements:
    yield from first
    yield from then


def size_of(value: Any) -> int:
    """The number of elements in a batch: the `batch_size` input of a dataset's node.

    Raises: InvalidArgumentError for one below 1.
    """
    if int(value) < 1:
        raise invalid("Batch size must be greater than zero.")
    return int(value)


@op("BatchDatasetV2", out="handle", shape=scalars_at(1, 2), commutes=True)
def batch_dataset_v2(
    run: Any, input_dataset: variant, batch_size: int64, drop_remainder: boolean, *, parallel_copy: bool = False,
    output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """Batches of `batch_size` consecutive elements; the last one may be shorter, unless it is dropped.

    Raises: InvalidArgumentError for a size below 1; in a pass, for elements of different shapes.
    """
    size, drop = size_of(batch_size), bool(drop_remainder)

    def elements(walk: Walk, input: Dataset) -> Elements:
        source, kinds, calls = before_maps(walk, input)

        def join(group: list[Element]) -> Element:
            try:
                batch = tuple([stacked(values, dtype) for values, dtype in zip(zip(*group), kinds or output_types)])
            except errors.OpError:
                # TF makes one stage of a map and a batch, which says it in other words.
                failure = None if input.node.type in _MAPS else _other_shape_in(group)
                if failure is not None:
                    raise failure.error from None
                raise
            for call in calls:
                result = call(*batch)
                batch = tuple(result) if type(result) is list else (result,)
            return batch

        return batches(walk(source), size, drop, join)

    return Dataset(run, elements, input_dataset, batch_size=size, drop_remainder=drop)


@op("BatchDataset", out="handle", shape=scalars_at(1), commutes=True)
def batch_dataset(
    run: Any, input_dataset: variant, batch_size: int64, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """Batches of `batch_size` consecutive elements; the last one may be shorter. Raises: as BatchDatasetV2."""
    return batch_dataset_v2.definition.kernel(
        run, input_dataset, batch_size, False, output_types=output_types, output_shapes=output_shapes
    )


@op("PaddedBatchDatasetV2", out="handle", shape=scalars_at(1, 4), commutes=True)
def padded_batch_dataset_v2(
    run: Any, input_dataset: variant, batch_size: int64, padded_shapes: Many[int64],
    padding_values: Each["Toutput_types"], drop_remainder: boolean, *,  # noqa: F821
    parallel_copy: bool = False, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """Batches whose elements are filled up to one shape: `padded_shapes` has a vector for each component, in which -1 stands
    for the largest size in the batch; `padding_values` a scalar.

    Raises: InvalidArgumentError for a batch size below 1 and a padded size below -1; in a pass, for another rank,
    DataLossError for an element that is larger.
    """
    size, drop = size_of(batch_size), bool(drop_remainder)
    wanted = [tuple(np.asarray(shape).tolist()) for shape in padded_shapes]
    for padded in chain(*wanted):
        if padded < -1:
            raise invalid(f"Dimension {padded} must be >= -1")
    fills = [value if isinstance(value, bytes) else np.asarray(value)[()] for value in padding_values]

    def join(group: list[Element]) -> Element:
        return tuple(map(_padded, zip(*group), wanted, fills, range(len(wanted))))

    return Dataset(
        run, lambda walk, input: batches(walk(input), size, drop, join), input_dataset, batch_size=size, drop_remainder=drop
    )


@op("PaddedBatchDataset", out="handle", shape=scalars_at(1), commutes=True)
def padded_batch_dataset(
    run: Any, input_dataset: variant, batch_size: int64, padded_shapes: Many[int64],
    padding_values: Each["Toutput_types"], *, output_shapes: Shapes,  # noqa: F821
) -> variant:  # fmt: skip
    """As PaddedBatchDatasetV2, and keeps a shorter last batch."""
    return padded_batch_dataset_v2.definition.kernel(
        run, input_dataset, batch_size, padded_shapes, padding_values, False, output_shapes=output_shapes
    )


def _padded(values: Sequence[Any], wanted: tuple[int, ...], fill: Any, component: int) -> Any:
    found = [value.shape if isinstance(value, np.ndarray) else () for value in values]
    for shape in found:
        if len(shape) != len(wanted):
            raise invalid(
                f"All elements in a batch must have the same rank as the padded shape for component{component}: expected rank "
                f"{len(wanted)} but got element with rank {len(shape)}"
            )
    sizes = [max(of) if size < 0 else size for size, of in zip(wanted, zip(*found))]
    kind = object if isinstance(fill, bytes) else np.asarray(fill).dtype
    out = np.full((len(values), *sizes), fill, kind)
    for i, (value, shape) in enumerate(zip(values, found)):
        if any(own > most for own, most in zip(shape, sizes)):
            raise errors.DataLossError(None, None, "Attempted to pad to a smaller size than the input element.")
        out[(i, *map(slice, shape))] = value
    return out


@op("UnbatchDataset", out="handle", shape=scalar, commutes=True)
def unbatch_dataset(
    run: Any, input_dataset: variant, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The slices of each element along the first axis, one by one.

    Raises, in a pass: InvalidArgumentError for components of different lengths or without an axis.
    """

    def elements(walk: Walk, input: Dataset) -> Elements:
        for element in walk(input):
            if type(element) is Failure:
                yield element
            elif not all(isinstance(part, np.ndarray) for part in element):
                yield Failure(invalid("Input element must have a non-scalar value in each component."))
            elif len({len(part) for part in element}) > 1:
                first = len(element[0])
                index, other = next((i, len(part)) for i, part in enumerate(element) if len(part) != first)
                text = "Input element must have the same batch size in each component. Component 0 had size "
                yield Failure(invalid(f"{text}{first} but component {index} had size, {other}."))
            else:
                yield from zip(*element)

    return Dataset(run, elements, input_dataset)


@op("WindowDataset", out="handle", shape=scalars_at(1, 2, 3, 4), commutes=True)
def window_dataset(
    run: Any, input_dataset: variant, size: int64, shift: int64, stride: int64, drop_remainder: boolean, *,
    output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """Windows: datasets of `size` elements, `stride` apart; each window begins `shift` elements after the one before.

    Raises: InvalidArgumentError for numbers below 1.
    """
    length, shift_by, step, drop = int(size), int(shift), int(stride), bool(drop_remainder)
    for name, value in (("size", length), ("shift", shift_by), ("stride", step)):
        if value < 1:
            raise invalid(f"Window {name} must be greater than zero.")

    def elements(walk: Walk, input: Dataset) -> Elements:
        for group in _windows(walk(input), length, shift_by, step, drop):
            failure = _failure_in(group)
            yield failure or tuple([_of_values(run, part) for part in zip(*group)])

    return Dataset(run, elements, input_dataset, size=length, window=(length, shift_by, step, drop))


@op("SlidingWindowDataset", out="handle", shape=scalars_at(1, 2, 3), commutes=True)
def sliding_window_dataset(
    run: Any, input_dataset: variant, window_size: int64, window_shift: int64, window_stride: int64, *,
    drop_remainder: bool = True, output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """Batches of `window_size` elements, `window_stride` apart; each begins `window_shift` elements after the one before.

    Raises: InvalidArgumentError for numbers below 1; in a pass, for elements of different shapes.
    """
    size, shift, stride = int(window_size), int(window_shift), int(window_stride)
    for name, value in (("Window size", size), ("Window shift", shift), ("window_stride", stride)):
        if value < 1:
            raise invalid(f"{name} must be greater than zero.")

    def elements(walk: Walk, input: Dataset) -> Elements:
        for group in _windows(walk(input), size, shift, stride, drop_remainder):
            failure = _failure_in(group) or _other_shape_in(group)
            yield failure or tuple([stacked(values, dtype) for values, dtype in zip(zip(*group), output_types)])

    return Dataset(run, elements, input_dataset, size=size)


def _windows(passed: Elements, size: int, shift: int, stride: int, drop: bool) -> Iterator[list[Any]]:
    """`size` elements, `stride` apart, and again from `shift` elements later on; drop: not where there are fewer."""
    span = (size - 1) * stride + 1
    waiting: list[Any] = []
    while True:
        waiting += islice(passed, max(span - len(waiting), 0))
        group = waiting[:span:stride]
        if not group or (drop and len(group) < size):
            return
        yield group
        missing = shift - len(waiting)
        waiting = waiting[shift:]
        if missing > 0:
            for _ in islice(passed, missing):
                pass


def _other_shape_in(group: Sequence[Element]) -> Failure | None:
    for component, values in enumerate(zip(*group)):
        for index, value in enumerate(values):
            if np.shape(value) != np.shape(values[0]):
                return Failure(_other_shapes(component, value, values[0], index))
    return None


def _failure_in(group: Sequence[Any]) -> Failure | None:
    return next((element for element in group if type(element) is Failure), None)


def _of_values(run: Any, values: Sequence[Any]) -> Dataset:
    """A dataset with one component, of these values."""
    return Dataset(run, lambda walk: ((value,) for value in values))


__all__ = ["batches", "size_of", "stacked"]
