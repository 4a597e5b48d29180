"""`tf.data.Iterator`: passes over a dataset; `get_next()` adds a node that takes the next element in each run."""

from __future__ import annotations

import warnings
from typing import Any, Final

from ...base import dtypes
from ...base import site as sites
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...op.callers import nodes
from ...op.function_graph import FunctionGraph
from . import structure
from .building import flat_facts
from .options import optimizations

GLOBAL_ITERATORS: Final = "iterators"
_MANY_CALLS: Final = 32
_HOST: Final = "/cpu:0"
_IN_LOOP: Final = (
    "An unusually high number of `Iterator.get_next()` calls was detected. This often indicates that `Iterator.get_next()` is "
    "being called inside a training loop, which will cause gradual slowdown and eventual resource exhaustion. If this is the "
    "case, restructure your code to call `next_element = iterator.get_next()` once outside the loop, and use `next_element` as "
    "the input to some computation that is invoked inside the loop."
)


class Iterator:
    """A pass over a dataset. Datasets make iterators: `make_one_shot_iterator()`, `make_initializable_iterator()`.

    initializer: the operation that begins a pass, None where there is none. spec: the structure of the elements.
    """

    def __init__(self, iterator_resource: Tensor, initializer: Operation | None, spec: Any, classes: Any = None) -> None:
        self._iterator_resource = iterator_resource
        self._initializer = initializer
        self._spec = spec
        self._calls = 0
        self._string_handle = nodes.IteratorToStringHandle(iterator_resource)
        get_default_graph().add_to_collection(GLOBAL_ITERATORS, iterator_resource)

    @staticmethod
    @atomic
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: str | None = None, output_classes: Any = None
    ) -> Iterator:
        """An iterator of no dataset yet: `make_initializer(dataset)` gives it one, whose elements have this structure."""
        spec = structure.of_legacy(output_types, output_shapes, output_classes)
        with get_default_graph().device(_HOST):
            resource = nodes.IteratorV2(shared_name=shared_name or "", container="", **flat_facts(spec))
        return Iterator(resource, None, spec)

    @staticmethod
    @atomic
    def from_string_handle(
        string_handle: Any, output_types: Any, output_shapes: Any = None, output_classes: Any = None
    ) -> Iterator:
        """The iterator whose `string_handle()` a run feeds: one graph takes elements of several iterators."""
        spec = structure.of_legacy(output_types, output_shapes, output_classes)
        handle = convert_to_tensor(string_handle, dtypes.string)
        with get_default_graph().device(_HOST):
            resource = nodes.IteratorFromStringHandleV2(handle, **flat_facts(spec))
        return Iterator(resource, None, spec)

    @property
    def initializer(self) -> Operation:
        """The operation that begins a pass.

        Raises: ValueError for an iterator that has none.
        """
        if self._initializer is None:
            raise ValueError(
                error_text("Iterator does not have an initializer.", fix="make_initializer(dataset) makes one for a dataset")
            )
        return self._initializer

    @atomic
    def make_initializer(self, dataset: Any, name: str | None = None) -> Operation:
        """An operation that begins a pass over a dataset.

        Raises: TypeError for elements of another structure.
        """
        _check_fits(self, dataset)
        graph = get_default_graph()
        with graph.colocate_with(self._iterator_resource):
            return nodes.MakeIterator(
                dataset._variant_tensor, self._iterator_resource, name=name or "make_initializer"
            )

    @atomic
    def get_next(self, name: str | None = None) -> Any:
        """The next element, as tensors in its nest: one node, which takes the next element in each run.

        Each call adds another node: call it once, before the loop that runs it.
        """
        self._calls += 1
        if self._calls > _MANY_CALLS:
            warnings.warn(_IN_LOOP, stacklevel=3)
        flat = nodes.IteratorGetNext(self._iterator_resource, name=name, **flat_facts(self._spec))
        return structure.from_tensors(self._spec, flat)

    def string_handle(self, name: str | None = None) -> Tensor:
        """A string that stands for this iterator in feeds; its value is that of one session."""
        if name is None:
            return self._string_handle
        return nodes.IteratorToStringHandle(self._iterator_resource, name=name)

    @property
    def element_spec(self) -> Any:
        return self._spec

    @property
    def output_types(self) -> Any:
        return structure.types(self._spec)

    @property
    def output_shapes(self) -> Any:
        return structure.shapes(self._spec)

    @property
    def output_classes(self) -> Any:
        return structure.classes(self._spec)


def _check_fits(iterator: Iterator, dataset: Any) -> None:
    structure.nest.assert_same_structure(iterator.output_types, dataset.output_types)
    if iterator.output_types != dataset.output_types:
        raise TypeError(
            error_text(
                f"Expected output types {iterator.output_types!r} but got dataset with output types {dataset.output_types!r}."
            )
        )
    for wanted, found in zip(structure.flatten(iterator.output_shapes), structure.flatten(dataset.output_shapes)):
        if not wanted.is_compatible_with(found):
            raise TypeError(
                error_text(
                    f"Expected output shapes compatible with {iterator.output_shapes!r} but got dataset with output shapes "
                    f"{dataset.output_shapes!r}."
                )
            )


def with_options(dataset: Any, variant: Tensor) -> Tensor:
    """The tensor behind the nodes that apply the dataset's options. variant: the dataset's own tensor, or a copy of it."""
    options, facts = dataset.options(), flat_facts(dataset._spec)
    names = optimizations(options.experimental_optimization)
    if names:
        text = convert_to_tensor(names, dtypes.string, name="optimizations")
        configs = ["map_vectorization:use_choose_fastest:false"]
        variant = nodes.OptimizeDataset(variant, text, optimization_configs=configs, **facts)
    if options.experimental_optimization.autotune is not False:
        variant = nodes.ModelDataset(variant, **facts)
    statistics = options.experimental_stats
    if statistics.aggregator is not None:
        handle = statistics.aggregator._resource
        names = statistics.prefix, statistics.counter_prefix
        variant = nodes.SetStatsAggregatorDataset(variant, handle, *names, **facts)
    return variant


def initializable(dataset: Any, shared_name: str | None) -> Iterator:
    """`Dataset.make_initializable_iterator`."""
    variant, facts = with_options(dataset, dataset._variant_tensor), flat_facts(dataset._spec)
    resource = nodes.IteratorV2(shared_name=shared_name or "", container="", **facts)
    graph = get_default_graph()
    with graph.colocate_with(resource):
        initializer = nodes.MakeIterator(variant, resource)
    return Iterator(resource, initializer, dataset._spec)


def one_shot(dataset: Any) -> Iterator:
    """`Dataset.make_one_shot_iterator`: the iterator's node holds the nodes of the dataset as a function."""
    aggregator = dataset.options().experimental_stats.aggregator
    if aggregator is not None:
        _check_copied(aggregator._resource.op)
    body = FunctionGraph("_make_dataset", get_default_graph(), sites.capture())
    with body.as_default():
        body.close([with_options(dataset, _copied_into(body, dataset._variant_tensor))])
    return Iterator(nodes.OneShotIterator(dataset_factory=body, **flat_facts(dataset._spec)), None, dataset._spec)


def _copied_into(body: FunctionGraph, tensor: Tensor) -> Tensor:
    """The tensor in the body, with copies of all nodes whose values it needs.

    As in TF 1.15 the copies wait for nothing: the check that a pattern of `list_files` matches a file stays outside.
    Raises: ValueError for a placeholder or a node with state.
    """
    needed: set[Operation] = set()
    stack = [tensor.op]
    while stack:
        op = stack.pop()
        if op not in needed:
            _check_copied(op)
            needed.add(op)
            stack += [t.op for t in op.inputs]
    copies: dict[Operation, Operation] = {}
    for op in sorted(needed, key=lambda op: op.id):
        inputs = tuple([copies[t.op].outputs[t.index] for t in op.inputs])
        copies[op] = body.add_node(
            op.type, op.name, inputs, dict(op.attrs), [t.dtype for t in op.outputs], [t.raw_shape for t in op.outputs],
            op.definition, op._site,
        )  # fmt: skip
    return copies[tensor.op].outputs[tensor.index]


def _check_copied(op: Operation) -> None:
    d = op.definition
    if d is not None and d.role == "placeholder":
        fix = "make_initializable_iterator(), and feed the placeholder in the run of its initializer"
        raise ValueError(error_text(f"Cannot capture a placeholder (name:{op.name}, type:{op.type}) by value.", fix=fix))
    makes_dataset = len(op.outputs) == 1 and op.outputs[0].dtype is dtypes.variant
    has_state = d is None or d.stateful or any(tensor.dtype.is_ref for tensor in op.outputs)
    if has_state and not makes_dataset:
        text = (
            "Failed to create a one-shot iterator for a dataset. `Dataset.make_one_shot_iterator()` does not support datasets "
            "that capture stateful objects, such as a `Variable` or `LookupTable`. In these cases, use "
            "`Dataset.make_initializable_iterator()`. (Original error: Cannot capture a stateful node "
        )
        raise ValueError(error_text(f"{text}(name:{op.name}, type:{op.type}) by value.)"))


__all__ = ["GLOBAL_ITERATORS", "Iterator", "initializable", "one_shot"]
