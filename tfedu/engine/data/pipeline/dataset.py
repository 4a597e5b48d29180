"""`tf.data.Dataset`: a node of the graph whose value tells how to produce elements, and the methods that build on it.

    dataset = tf.data.Dataset.from_tensor_slices(numbers).shuffle(100).repeat().map(f).batch(32)
    x = dataset.make_one_shot_iterator().get_next()

Each method adds one node of that name; nothing is computed before a session runs an iterator's `get_next`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.framework.type_specs import TypeSpec
from ...op.callers import nodes
from ...op.function_graph import FunctionGraph
from . import batches, iterators, ragged_components, sources, sparse_components, structure  # noqa: F401 - rows of the table of kinds
from .building import boolean, flat_facts, number, seeds
from .functions import StructuredFunction, structured
from .options import Options

AUTOTUNE = -1
"""Lets the runtime choose a number of parallel calls or a buffer's size."""


class Dataset:
    """Elements that a program passes over: nested tuples and dicts of tensors.

    variant: the tensor of the dataset's node. spec: the structure of its elements.
    """

    _label = "DatasetV1Adapter"

    def __init__(self, variant: Tensor, spec: Any, inputs: tuple[Dataset, ...] = (), options: Options | None = None) -> None:
        self._variant_tensor = variant
        self._spec = spec
        self._inputs_of = inputs
        self._given_options = options

    # -- what the elements are ------------------------------------------------------------------------------------------

    @property
    def element_spec(self) -> Any:
        """The type specs of an element's components, in its nest."""
        return self._spec

    @property
    def output_types(self) -> Any:
        """The dtypes of an element's components, in its nest."""
        return structure.types(self._spec)

    @property
    def output_shapes(self) -> Any:
        """The shapes of an element's components, in its nest."""
        return structure.shapes(self._spec)

    @property
    def output_classes(self) -> Any:
        """The classes of an element's components, in its nest."""
        return structure.classes(self._spec)

    @property
    def graph(self) -> Any:
        return self._variant_tensor.graph

    @property
    def functions(self) -> list[FunctionGraph]:
        """The functions of this dataset's own node, as graphs: `tf.show(dataset.functions[0])` draws one, and
        `tf.widgets.StepThrough(f.outputs, {f.arguments[0]: value})` steps through a call.
        """
        return [value for value in self._variant_tensor.op.attrs.values() if isinstance(value, FunctionGraph)]

    def _inputs(self) -> list[Dataset]:
        return list(self._inputs_of)

    def _derived(self, caller: Any, *inputs: Any, spec: Any = None, **attrs: Any) -> Dataset:
        """The dataset of a new node that reads from this one. spec: its elements' structure, where it is another one."""
        spec = self._spec if spec is None else spec
        return Dataset(caller(self._variant_tensor, *inputs, **attrs, **flat_facts(spec)), spec, (self,))

    def __repr__(self) -> str:
        return f"<{self._label} shapes: {_text(self.output_shapes)}, types: {_text(self.output_types)}>"

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError(
            error_text(
                "__iter__() is only supported inside of tf.function or when eager execution is enabled.",
                fix="x = dataset.make_one_shot_iterator().get_next(), then session.run(x) for each element",
            )
        )

    # -- sources ----------------------------------------------------------------------------------------------------------

    @staticmethod
    @atomic
    def from_tensors(tensors: Any) -> Dataset:
        """A dataset of one element: the nest of tensors."""
        element = structure.normalized(tensors)
        spec = structure.spec_of(element)
        facts = {"output_shapes": structure.flat_shapes(spec)}
        return Dataset(nodes.TensorDataset(structure.to_tensors(spec, element), **facts), spec)

    @staticmethod
    @atomic
    def from_tensor_slices(tensors: Any) -> Dataset:
        """A dataset of the slices along the first axis of each tensor in the nest.

        Raises: ValueError for a scalar, and for first axes of different sizes.
        """
        return sources.from_tensor_slices(Dataset, tensors)

    @staticmethod
    @atomic
    def from_sparse_tensor_slices(sparse_tensor: Any) -> Dataset:
        """A dataset of the rows of a sparse tensor.

        Raises: TypeError for another value.
        """
        return sources.from_sparse_tensor_slices(Dataset, sparse_tensor)

    @staticmethod
    @atomic
    def from_generator(
        generator: Callable[..., Any], output_types: Any, output_shapes: Any = None, args: Any = None
    ) -> Dataset:
        """A dataset of what a Python generator yields: `generator(*args)` begins each pass, args are tensors.

        Raises: TypeError for a generator that is not callable, or output_types that are no dtypes.
        """
        return sources.from_generator(Dataset, generator, output_types, output_shapes, args)

    @staticmethod
    @atomic
    def range(*args: Any) -> Dataset:
        """A dataset of the int64 numbers of Python's `range(*args)`.

        Raises: ValueError for another number of arguments than 1 to 3.
        """
        return sources.number_range(Dataset, args)

    @staticmethod
    @atomic
    def zip(datasets: Any) -> Dataset:
        """A dataset whose elements join one of each dataset in the nest, until one of them ends.

        Raises: TypeError for a list, ValueError for a leaf that is no dataset.
        """
        return sources.zipped(Dataset, datasets)

    @staticmethod
    @atomic
    def list_files(file_pattern: Any, shuffle: bool | None = None, seed: int | None = None) -> Dataset:
        """A dataset of the names of files that match a pattern, in random order unless `shuffle` is False.

        Raises, in a run: InvalidArgumentError when none matches.
        """
        return sources.listed_files(Dataset, file_pattern, shuffle, seed)

    # -- order ------------------------------------------------------------------------------------------------------------

    @atomic
    def repeat(self, count: Any = None) -> Dataset:
        """The elements `count` times over; None or -1: without end."""
        return self._derived(nodes.RepeatDataset, number("count", -1 if count is None else count))

    @atomic
    def take(self, count: Any) -> Dataset:
        """The first `count` elements; -1: all of them."""
        return self._derived(nodes.TakeDataset, number("count", count))

    @atomic
    def skip(self, count: Any) -> Dataset:
        """The elements after the first `count`; -1: none."""
        return self._derived(nodes.SkipDataset, number("count", count))

    @atomic
    def shard(self, num_shards: Any, index: Any) -> Dataset:
        """Every `num_shards`-th element, from number `index` on."""
        return self._derived(nodes.ShardDataset, number("num_shards", num_shards), number("index", index))

    @atomic
    def shuffle(self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = None) -> Dataset:
        """The elements in random order: each next one is drawn from a buffer of `buffer_size` elements.

        reshuffle_each_iteration: whether each pass has an order of its own (None: yes).
        """
        again = True if reshuffle_each_iteration is None else reshuffle_each_iteration
        size = number("buffer_size", buffer_size)
        return self._derived(nodes.ShuffleDataset, size, *seeds(seed), reshuffle_each_iteration=again)

    @atomic
    def cache(self, filename: Any = "") -> Dataset:
        """The elements of the first whole pass again in later passes, from memory or from a file of that name."""
        return self._derived(nodes.CacheDataset, number("filename", filename, dtypes.string))

    @atomic
    def concatenate(self, dataset: Dataset) -> Dataset:
        """The elements of this dataset, then those of the other one.

        Raises: TypeError for elements of other dtypes or nests.
        """
        return sources.concatenated(Dataset, self, dataset)

    @atomic
    def prefetch(self, buffer_size: Any) -> Dataset:
        """The same elements, up to `buffer_size` of them made ahead of the consumer."""
        return self._derived(nodes.PrefetchDataset, number("buffer_size", AUTOTUNE if buffer_size is None else buffer_size))

    @atomic
    def enumerate(self, start: Any = 0) -> Dataset:
        """Pairs of a number, from `start` on, and an element."""
        return Dataset.zip((Dataset.range(start, np.iinfo(np.int64).max), self))

    # -- batches ----------------------------------------------------------------------------------------------------------

    @atomic
    def unbatch(self) -> Dataset:
        """The slices of each element along its first axis, one by one.

        Raises: ValueError for components of different known lengths, or without an axis.
        """
        return batches.unbatch(self)  # type: ignore[no-any-return]

    @atomic
    def batch(self, batch_size: Any, drop_remainder: Any = False) -> Dataset:
        """Batches of `batch_size` consecutive elements along a new first axis. drop_remainder: no shorter last batch."""
        return batches.batch(self, batch_size, drop_remainder)

    @atomic
    def padded_batch(
        self, batch_size: Any, padded_shapes: Any, padding_values: Any = None, drop_remainder: Any = False
    ) -> Dataset:
        """Batches of elements of different sizes, filled up to `padded_shapes` (None or -1: the largest in the batch).

        padding_values: scalars, in the nest of an element; by default 0 and the empty string.
        """
        return batches.padded_batch(self, batch_size, padded_shapes, padding_values, drop_remainder)

    @atomic
    def window(self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: Any = False) -> Dataset:
        """Datasets of `size` elements each, `stride` apart; each begins `shift` elements after the one before."""
        length, moved = number("size", size), number("shift", size if shift is None else shift)
        apart, drop = number("stride", stride), boolean("drop_remainder", drop_remainder)
        spec = structure.mapped(DatasetSpec, self._spec)
        return self._derived(nodes.WindowDataset, length, moved, apart, drop, spec=spec)

    # -- functions of elements ----------------------------------------------------------------------------------------------

    @atomic
    def map(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Dataset:
        """What `map_func` returns for each element; it is called once, to build the graph that runs for each element.

        Raises: TypeError for a result that no element can be.
        """
        function = structured(map_func, "Dataset.map()", self._spec)
        if num_parallel_calls is None:
            return self._derived(nodes.MapDataset, function.captured, spec=function.output_spec, f=function.graph)
        calls = number("num_parallel_calls", num_parallel_calls, dtypes.int32)
        return self._derived(nodes.ParallelMapDataset, function.captured, calls, spec=function.output_spec, f=function.graph)

    def map_with_legacy_function(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Dataset:
        """As `map`."""
        return self.map(map_func, num_parallel_calls)

    @atomic
    def filter(self, predicate: Callable[..., Any]) -> Dataset:
        """The elements for which `predicate` is True.

        Raises: ValueError for a predicate whose result is no boolean scalar.
        """
        function = self._predicate(predicate, "Dataset.filter()")
        return self._derived(nodes.FilterDataset, function.captured, predicate=function.graph)

    filter_with_legacy_function = filter

    def _predicate(
        self, predicate: Callable[..., Any], transformation: str, refusal: str | None = None
    ) -> StructuredFunction:
        function = structured(predicate, transformation, self._spec)
        spec = function.output_spec
        if not isinstance(spec, TypeSpec) or getattr(spec, "dtype", None) is not dtypes.bool or spec.shape.ndims not in (0, None):
            text = f"`predicate` return type must be convertible to a scalar boolean tensor. Was {spec!r}."
            raise ValueError(error_text(refusal or text))
        return function

    @atomic
    def flat_map(self, map_func: Callable[..., Any]) -> Dataset:
        """The elements of the datasets that `map_func` returns, one dataset after the other.

        Raises: TypeError for a function that returns no dataset.
        """
        function, spec = self._of_datasets(map_func, "Dataset.flat_map()")
        return self._derived(nodes.FlatMapDataset, function.captured, spec=spec, f=function.graph)

    @atomic
    def interleave(
        self, map_func: Callable[..., Any], cycle_length: Any = AUTOTUNE, block_length: Any = 1, num_parallel_calls: Any = None
    ) -> Dataset:
        """`block_length` elements of each of `cycle_length` datasets in turn; `map_func` returns a dataset for each element.

        Raises: TypeError for a function that returns no dataset.
        """
        function, spec = self._of_datasets(map_func, "Dataset.interleave()")
        cycle, block = number("cycle_length", cycle_length), number("block_length", block_length)
        if num_parallel_calls is None:
            return self._derived(nodes.InterleaveDataset, function.captured, cycle, block, spec=spec, f=function.graph)
        calls = number("num_parallel_calls", num_parallel_calls)
        return self._derived(
            nodes.ParallelInterleaveDatasetV2, function.captured, cycle, block, calls, spec=spec, f=function.graph
        )

    def _of_datasets(self, map_func: Callable[..., Any], transformation: str) -> tuple[StructuredFunction, Any]:
        function = structured(map_func, transformation, self._spec)
        if not isinstance(function.output_spec, DatasetSpec):
            text = f"`map_func` must return a `Dataset` object. Got {type(function.output_spec)}"
            raise TypeError(error_text(text, fix="map takes a function that returns tensors"))
        return function, function.output_spec.element_spec

    @atomic
    def reduce(self, initial_state: Any, reduce_func: Callable[[Any, Any], Any]) -> Any:
        """The last state as tensors: `reduce_func(state, element)` returns the next one. One run passes over all elements.

        Raises: TypeError for a function whose result is no state.
        """
        state = structure.normalized(initial_state)
        function, spec = reducer(reduce_func, structure.spec_of(state), self._spec, "reduce()")
        flat = nodes.ReduceDataset(
            self._variant_tensor, structure.to_tensors(structure.spec_of(state), state), function.captured, f=function.graph,
            **flat_facts(spec),
        )  # fmt: skip
        return structure.from_tensors(spec, flat)

    def apply(self, transformation_func: Callable[[Dataset], Dataset]) -> Dataset:
        """What the function makes of this dataset.

        Raises: TypeError for a function that returns no dataset.
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, Dataset):
            raise TypeError(error_text(f"`transformation_func` must return a Dataset. Got {dataset!r}."))
        return dataset

    # -- options, iterators -------------------------------------------------------------------------------------------------

    def options(self) -> Options:
        """The options of this dataset and of those that it reads from."""
        merged = Options()
        for each in (*[input.options() for input in self._inputs_of], self._given_options):
            if each is not None:
                merged = merged.merge(each)
        return merged

    def with_options(self, options: Options) -> Dataset:
        """The same elements, with these options added.

        Raises: ValueError where an option is set to another value already.
        """
        dataset = Dataset(self._variant_tensor, self._spec, (self,), options)
        dataset.options()
        return dataset

    @atomic
    def make_one_shot_iterator(self) -> iterators.Iterator:
        """An iterator that passes over the elements once, in each session, and needs no initialization.

        Raises: ValueError for a dataset that uses a placeholder, a variable, or another node with state.
        """
        return iterators.one_shot(self)

    @atomic
    def make_initializable_iterator(self, shared_name: str | None = None) -> iterators.Iterator:
        """An iterator whose `initializer` begins a pass. shared_name: sessions' name for it."""
        return iterators.initializable(self, shared_name)


def reducer(
    func: Callable[[Any, Any], Any], state_spec: Any, element_spec: Any, transformation: str
) -> tuple[StructuredFunction, Any]:
    """A function of a state and an element that returns a state, and the state's structure, whose shapes get wider until a
    result of the function fits them.

    Raises: TypeError for a result of another nest or dtype.
    """
    while True:
        function = structured(func, transformation, (state_spec, element_spec), unpack=True)
        result = function.output_spec
        wanted, found = structure.classes(state_spec), structure.classes(result)
        classes = structure.flatten(wanted), structure.flatten(found)
        if len(classes[0]) == len(classes[1]) and classes[0] != classes[1]:
            text = f"The element classes for the new state must match the initial state. Expected {wanted}; got {found}."
            raise TypeError(error_text(text))
        if structure.flat_types(result) != structure.flat_types(state_spec):
            text = (
                f"The element types for the new state must match the initial state. Expected {structure.types(state_spec)}; got "
                f"{structure.types(result)}."
            )
            raise TypeError(error_text(text))
        wider = structure.widened(state_spec, result)
        if structure.flat_shapes(wider) == structure.flat_shapes(state_spec):
            return function, state_spec
        state_spec = wider


class DatasetSpec(TypeSpec):
    """The type of a dataset that is itself a component: the structure of its elements."""

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self.element_spec = element_spec
        self._shape = TensorShape(dataset_shape)

    @property
    def value_type(self) -> type:
        return Dataset

    def _serialize(self) -> tuple[Any, ...]:
        return self.element_spec, self._shape

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, {self._shape!r})"


structure.KINDS[DatasetSpec] = structure.Kind(
    Dataset,
    lambda dataset: DatasetSpec(dataset._spec),
    lambda spec: [(dtypes.variant, spec._shape.raw)],
    lambda spec, dataset: [dataset._variant_tensor],
    lambda spec, tensors: Dataset(tensors[0], spec.element_spec),
    lambda dataset: (DatasetSpec(dataset._spec), [dataset._variant_tensor]),
    lambda spec, size: DatasetSpec(spec.element_spec, TensorShape([size]).concatenate(spec._shape)),
)


def _text(nest: Any) -> str:
    """A nest of dtypes or shapes as TF prints it, without quotes."""
    return str(structure.mapped(lambda leaf: f"tf.{leaf.name}" if isinstance(leaf, DType) else str(leaf), nest)).replace("'", "")


__all__ = ["AUTOTUNE", "Dataset", "DatasetSpec", "reducer"]
