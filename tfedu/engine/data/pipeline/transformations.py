"""`tf.data.experimental`: transformations that are applied, `dataset.apply(unbatch())`, and further sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.checks import asserts
from ...lib.framework.scope_blocks import control_dependencies, name_scope
from ...lib.framework.type_specs import TensorSpec
from ...lib.math import math, random, reductions
from ...op.callers import nodes
from ...op.constant import constant
from . import structure
from .batches import known_size
from .building import boolean, flat_facts, number, seeds
from .dataset import Dataset, DatasetSpec, reducer
from .functions import StructuredFunction, structured

INFINITE_CARDINALITY: Final = -1
UNKNOWN_CARDINALITY: Final = -2

Transformation = Callable[[Dataset], Dataset]
_NUMBER = TensorSpec([], dtypes.int64)


def _atomic(transformation: Transformation) -> Transformation:
    """The transformation, which makes all of its nodes or none."""
    return atomic(transformation)


def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Transformation:
    """The elements of `count` epochs (None: without end) in random order, one epoch after the other."""

    def applied(dataset: Dataset) -> Dataset:
        size, times = number("buffer_size", buffer_size), number("count", -1 if count is None else count)
        return dataset._derived(nodes.ShuffleAndRepeatDataset, size, *seeds(seed), times)

    return _atomic(applied)


def in_epochs(dataset: Dataset, count: int | None, shuffle: bool, buffer_size: int, seed: Any) -> Dataset:
    """`count` epochs of a dataset (None: without end), each in random order where `shuffle` says so."""
    if not shuffle:
        return dataset if count == 1 else dataset.repeat(count)
    if count == 1:
        return dataset.shuffle(buffer_size, seed)
    return dataset.apply(shuffle_and_repeat(buffer_size, count, seed))


def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """Batches of what `map_func` returns for consecutive elements.

    Raises: ValueError when both numbers of parallel calls and of batches are set.
    """
    if num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError(
            error_text("The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive.")
        )
    calls = num_parallel_calls
    if calls is None:
        calls = batch_size if num_parallel_batches is None else batch_size * num_parallel_batches
        calls = 1 if num_parallel_batches is None and not isinstance(batch_size, int) else calls

    def applied(dataset: Dataset) -> Dataset:
        function = structured(map_func, "tf.data.experimental.map_and_batch()", dataset._spec)
        size = number("batch_size", batch_size)
        parallel, drop = number("num_parallel_calls", calls), boolean("drop_remainder", drop_remainder)
        spec = structure.batched(function.output_spec, known_size(size, drop))
        return dataset._derived(
            nodes.MapAndBatchDataset, function.captured, size, parallel, drop, spec=spec, f=function.graph,
            preserve_cardinality=True,
        )  # fmt: skip

    return _atomic(applied)


map_and_batch_with_legacy_function = map_and_batch


def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: Any = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Transformation:
    """`block_length` elements of each of `cycle_length` datasets in turn, as `Dataset.interleave` gives them."""

    def applied(dataset: Dataset) -> Dataset:
        function, spec = dataset._of_datasets(map_func, "tf.data.experimental.parallel_interleave()")
        cycle, block = number("cycle_length", cycle_length), number("block_length", block_length)
        ahead = 2 * block_length if buffer_output_elements is None else buffer_output_elements
        inputs = 2 * cycle_length if prefetch_input_elements is None else prefetch_input_elements
        rest = boolean("sloppy", sloppy), number("buffer_output_elements", ahead), number("prefetch_input_elements", inputs)
        return dataset._derived(
            nodes.ParallelInterleaveDataset, function.captured, cycle, block, *rest, spec=spec, f=function.graph
        )

    return _atomic(applied)


def ignore_errors() -> Transformation:
    """The elements that can be made, without the others."""
    return _atomic(lambda dataset: dataset._derived(nodes.IgnoreErrorsDataset))


def enumerate_dataset(start: Any = 0) -> Transformation:
    """`dataset.enumerate(start)`."""
    return lambda dataset: dataset.enumerate(start)


def unbatch() -> Transformation:
    """`dataset.unbatch()`."""
    return lambda dataset: dataset.unbatch()


def scan(initial_state: Any, scan_func: Callable[[Any, Any], Any]) -> Transformation:
    """`scan_func(state, element)` returns the next state and an element of the result.

    Raises: TypeError for a function that returns something else.
    """

    def applied(dataset: Dataset) -> Dataset:
        state = structure.normalized(initial_state)
        state_spec = structure.spec_of(state)
        while True:
            function = structured(scan_func, "tf.data.experimental.scan()", (state_spec, dataset._spec), unpack=True)
            result = function.output_spec
            if not isinstance(result, tuple) or len(result) != 2:
                raise TypeError(error_text("The scan function must return a pair comprising the new state and the output value."))
            if structure.flat_types(result[0]) != structure.flat_types(state_spec):
                expected, found = structure.types(state_spec), structure.types(result[0])
                text = f"The element types for the new state must match the initial state. Expected {expected}; got {found}."
                raise TypeError(error_text(text))
            wider = structure.widened(state_spec, result[0])
            if structure.flat_shapes(wider) == structure.flat_shapes(state_spec):
                break
            state_spec = wider
        flat = structure.to_tensors(state_spec, state)
        return dataset._derived(
            nodes.ScanDataset, flat, function.captured, spec=result[1], f=function.graph, preserve_cardinality=True
        )

    return _atomic(applied)


def take_while(predicate: Callable[..., Any]) -> Transformation:
    """The elements before the first one for which `predicate` is False.

    Raises: ValueError for a predicate whose result is no boolean scalar.
    """

    def applied(dataset: Dataset) -> Dataset:
        text = "`predicate` must return a scalar boolean tensor."
        function = dataset._predicate(predicate, "tf.data.experimental.take_while()", text)
        return dataset._derived(nodes.TakeWhileDataset, function.captured, predicate=function.graph)

    return _atomic(applied)


def unique() -> Transformation:
    """The elements that did not come before.

    Raises: TypeError for elements of other dtypes than int32, int64 and string.
    """

    def applied(dataset: Dataset) -> Dataset:
        kind = structure.types(dataset._spec)
        if kind not in (dtypes.int32, dtypes.int64, dtypes.string):
            text = (
                "`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` "
                "component."
            )
            raise TypeError(error_text(text))
        return dataset._derived(nodes.UniqueDataset)

    return _atomic(applied)


# -- by key -----------------------------------------------------------------------------------------------------------------


def group_by_window(
    key_func: Callable[..., Any],
    reduce_func: Callable[[Any, Any], Dataset],
    window_size: Any = None,
    window_size_func: Callable[[Any], Any] | None = None,
) -> Transformation:
    """The elements of the datasets that `reduce_func(key, window)` makes of windows of elements with the same key.

    Raises: ValueError unless one of `window_size` and `window_size_func` is set; TypeError, ValueError for functions that return
    something else than an int64 scalar or a dataset.
    """
    if (window_size is None) == (window_size_func is None):
        raise ValueError(error_text("Must pass either window_size or window_size_func."))

    def size_of(key: Any) -> Any:
        if window_size_func is None:
            return convert_to_tensor(window_size, dtypes.int64)
        return convert_to_tensor(window_size_func(key), dtypes.int64)

    def applied(dataset: Dataset) -> Dataset:
        def key_of(*element: Any) -> Tensor:
            return convert_to_tensor(key_func(*element), dtypes.int64)

        name = "tf.data.experimental.group_by_window()"
        keys = structured(key_of, name, dataset._spec)
        _check_number(keys, "`key_func` must return a single tf.int64 scalar tensor.")
        windows = structured(reduce_func, name, (_NUMBER, DatasetSpec(dataset._spec)), unpack=True)
        if not isinstance(windows.output_spec, DatasetSpec):
            raise TypeError(error_text("`reduce_func` must return a `Dataset` object."))
        sizes = structured(size_of, name, _NUMBER)
        _check_number(sizes, "`window_size_func` must return a single tf.int64 scalar tensor.")
        return dataset._derived(
            nodes.GroupByWindowDataset, keys.captured, windows.captured, sizes.captured, spec=windows.output_spec.element_spec,
            key_func=keys.graph, reduce_func=windows.graph, window_size_func=sizes.graph,
        )  # fmt: skip

    return _atomic(applied)


def _check_number(function: StructuredFunction, refusal: str) -> None:
    """Raises: ValueError unless the function returns an int64 scalar."""
    spec = function.output_spec
    if not isinstance(spec, TensorSpec) or not spec.is_compatible_with(_NUMBER):
        raise ValueError(error_text(refusal, fix="tf.cast(number, tf.int64), and tf.squeeze(…) of a vector of one"))


class Reducer:
    """Functions for `group_by_reducer`: `init_func(key)` gives a state, `reduce_func(state, element)` the next one,
    `finalize_func(state)` an element.
    """

    def __init__(self, init_func: Any, reduce_func: Any, finalize_func: Any) -> None:
        self.init_func = init_func
        self.reduce_func = reduce_func
        self.finalize_func = finalize_func


def group_by_reducer(key_func: Callable[..., Any], reducer_of_key: Reducer) -> Transformation:
    """One element for each key, which a reducer makes of the elements with this key."""

    def applied(dataset: Dataset) -> Dataset:
        name = "tf.data.experimental.group_by_reducer()"
        keys = structured(key_func, name, dataset._spec)
        types, shapes = structure.types(keys.output_spec), structure.shapes(keys.output_spec)
        _check_number(keys, f"`key_func` must return a single tf.int64 tensor. Got type={types} and shape={shapes}")
        begun = structured(reducer_of_key.init_func, name, _NUMBER)
        reduced, state = reducer(reducer_of_key.reduce_func, begun.output_spec, dataset._spec, name)
        finished = structured(reducer_of_key.finalize_func, name, state, unpack=isinstance(state, tuple) or None)
        return dataset._derived(
            nodes.ExperimentalGroupByReducerDataset, keys.captured, begun.captured, reduced.captured, finished.captured,
            spec=finished.output_spec, key_func=keys.graph, init_func=begun.graph, reduce_func=reduced.graph,
            finalize_func=finished.graph,
        )  # fmt: skip

    return _atomic(applied)


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int],
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Transformation:
    """Padded batches of elements of similar lengths: an element goes to the bucket between two of `bucket_boundaries` into which
    its length falls, and a bucket of `bucket_batch_sizes` elements is a batch.

    Raises: ValueError unless there is one batch size more than boundaries.
    """
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError(error_text("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1"))
    with name_scope("bucket_by_seq_length"):
        batch_sizes = constant(bucket_batch_sizes, dtypes.int64)
    ends = np.array([*bucket_boundaries, np.iinfo(np.int32).max], np.int32)
    starts = np.array([np.iinfo(np.int32).min, *bucket_boundaries], np.int32)

    def bucket_of(*element: Any) -> Tensor:
        length = element_length_func(*element)
        inside = math.logical_and(math.less_equal(starts, length), math.less(length, ends))
        return reductions.reduce_min(_where(inside))

    def size_of(bucket: Tensor) -> Tensor:
        return batch_sizes[bucket]

    def batched(bucket: Tensor, window: Dataset) -> Dataset:
        size = size_of(bucket)
        if no_padding:
            return window.batch(size, drop_remainder=drop_remainder)
        open_size = None
        if pad_to_bucket_boundary:
            last = constant(len(bucket_boundaries), dtypes.int64)
            with control_dependencies([asserts.assert_less(bucket, last, message=_TOO_LONG)]):
                open_size = math.subtract(constant(ends, dtypes.int64)[bucket], 1)
        shapes = _padded_shapes(padded_shapes or window.output_shapes, open_size)
        return window.padded_batch(size, shapes, padding_values, drop_remainder=drop_remainder)

    return lambda dataset: dataset.apply(group_by_window(bucket_of, batched, window_size_func=size_of))


_TOO_LONG = "When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries)."


def _where(condition: Tensor) -> Tensor:
    return nodes.Where(condition)  # type: ignore[no-any-return]


def _padded_shapes(shapes: Any, open_size: Tensor | None) -> Any:
    """The shapes, with the size of a bucket in place of what is open."""
    if open_size is None:
        return shapes

    def filled(shape: Any) -> Any:
        sizes = TensorShape(shape).as_list()
        if None not in sizes:
            return shape
        return array.stack([open_size if size is None else constant(size, dtypes.int64) for size in sizes])

    return structure.mapped(filled, shapes)


# -- several datasets ---------------------------------------------------------------------------------------------------------


def _directed(selector: Dataset, datasets: Sequence[Dataset]) -> Dataset:
    spec = datasets[0]._spec
    for other in datasets[1:]:
        if structure.flat_types(other._spec) != structure.flat_types(spec):
            raise TypeError(error_text("All datasets must have the same type and class."))
        spec = structure.widened(spec, other._spec)
    variants = [dataset._variant_tensor for dataset in datasets]
    variant = nodes.DirectedInterleaveDataset(selector._variant_tensor, variants, **flat_facts(spec))
    return Dataset(variant, spec, (selector, *datasets))


@atomic
def sample_from_datasets(datasets: Sequence[Dataset], weights: Any = None, seed: Any = None) -> Dataset:
    """Elements of datasets drawn at random. weights: their probabilities, one for each dataset, or a dataset of such lists.

    Raises: TypeError, ValueError for weights that do not fit.
    """
    if isinstance(weights, Dataset):
        logits = weights.map(lambda *weight: math.log(weight, name="logits"))
        return _directed(Dataset.zip((logits, RandomDataset(seed).batch(2))).map(_sampled), datasets)
    if weights is None:
        logits: Any = [[1.0] * len(datasets)]
    else:
        given = convert_to_tensor(weights, name="weights")
        if given.dtype not in (dtypes.float32, dtypes.float64):
            raise TypeError(error_text("`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` elements."))
        if not given.shape.is_compatible_with([len(datasets)]):
            raise ValueError(error_text("`weights` must be a vector of length `len(datasets)`."))
        logits = array.expand_dims(math.log(given, name="logits"), 0)
    selector = RandomDataset(seed).batch(2).map(lambda pair: _sampled(logits, pair))
    return _directed(selector, datasets)


def _sampled(logits: Any, pair: Tensor) -> Tensor:
    """A number drawn with these logits [1, n] and a pair of seeds."""
    return array.squeeze(random.stateless_multinomial(logits, 1, seed=pair), axis=[0, 1])


@atomic
def choose_from_datasets(datasets: Sequence[Dataset], choice_dataset: Dataset) -> Dataset:
    """The next element of the dataset whose number `choice_dataset` gives.

    Raises: TypeError for choices that are no int64 scalars.
    """
    if choice_dataset._spec != _NUMBER:
        raise TypeError(error_text("`choice_dataset` must be a dataset of scalar `tf.int64` tensors."))
    return _directed(choice_dataset, datasets)


class RandomDataset(Dataset):
    """Random int64 numbers of 32 bits, without end. seed: None follows the graph's seed."""

    _label = "RandomDatasetV1"

    @atomic
    def __init__(self, seed: Any = None) -> None:
        super().__init__(nodes.RandomDataset(*seeds(seed), **flat_facts(_NUMBER)), _NUMBER)


@atomic
def Counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Dataset:
    """The numbers start, start + step, …, without end."""
    with name_scope("counter"):
        first, by = convert_to_tensor(start, dtype, name="start"), convert_to_tensor(step, dtype, name="step")
        return Dataset.from_tensors(0).repeat(None).apply(scan(first, lambda state, _: (state + by, state)))


@atomic
def get_single_element(dataset: Dataset) -> Any:
    """The only element of a dataset as tensors; its run fails where there are none or several.

    Raises: TypeError for what is no dataset.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(error_text("`dataset` must be a `tf.data.Dataset` object."))
    flat = nodes.DatasetToSingleElement(dataset._variant_tensor, **flat_facts(dataset._spec))
    return structure.from_tensors(dataset._spec, flat)


def cardinality(dataset: Dataset) -> Tensor:
    """The number of elements: INFINITE_CARDINALITY, or UNKNOWN_CARDINALITY where only a pass tells."""
    return nodes.DatasetCardinality(dataset._variant_tensor)  # type: ignore[no-any-return]


__all__ = [
    "Counter", "INFINITE_CARDINALITY", "RandomDataset", "Reducer", "UNKNOWN_CARDINALITY", "bucket_by_sequence_length",
    "cardinality", "choose_from_datasets", "enumerate_dataset", "get_single_element", "group_by_reducer", "group_by_window",
    "ignore_errors", "in_epochs", "map_and_batch", "map_and_batch_with_legacy_function", "parallel_interleave",
    "sample_from_datasets", "scan", "shuffle_and_repeat", "take_while", "unbatch", "unique",
]  # fmt: skip
