"""Stages that call functions: map, filter, flat_map, interleave, scan, take_while, reduce."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtypes
from ...op.define import Each, FuncAttr, Sym, op
from ...op.gradient_rules import NO_RULE_IN_TF
from ...op.shape_checks import invalid
from .sources import Shapes, Types, scalar
from .values import Dataset, Elements, Failure, Walk, as_dataset, of_element

int32, int64, variant, boolean = dtypes.int32, dtypes.int64, dtypes.variant, dtypes.bool


def mapped(run: Any, function: FuncAttr, captured: Sequence[Any], input_dataset: Any, **facts: Any) -> Dataset:
    """The dataset of what a function gives for each element."""

    def elements(walk: Walk, input: Dataset) -> Elements:
        call, explain, is_single = walk.compiled(function, captured)
        for number, element in enumerate(walk(input)):
            if type(element) is Failure:
                yield element
                continue
            try:  # in line, since this loop is what most pipelines spend their time in
                result = call(*element)
            except Exception as raised:
                yield of_element(Failure(explain(raised)), run, number)
            else:
                yield (result,) if is_single else tuple(result)

    return Dataset(run, elements, input_dataset, function=function, captured=tuple(captured), **facts)


@op("MapDataset", out="handle", shape=scalar, commutes=True, stores="other_arguments")
def map_dataset(
    run: Any, input_dataset: variant, other_arguments: Each["Targuments", 0], *, f: FuncAttr,  # noqa: F821
    output_types: Types, output_shapes: Shapes, use_inter_op_parallelism: bool = True,
    preserve_cardinality: bool = False,
) -> variant:  # fmt: skip
    """What `f` returns for each element and the captured tensors. An error of `f` takes the place of its element."""
    return mapped(run, f, other_arguments, input_dataset)


@op("ParallelMapDataset", out="handle", shape=scalar, commutes=True, stores="other_arguments")
def parallel_map_dataset(
    run: Any, input_dataset: variant, other_arguments: Each["Targuments", 0], num_parallel_calls: int32, *,  # noqa: F821
    f: FuncAttr, output_types: Types, output_shapes: Shapes, use_inter_op_parallelism: bool = True,
    sloppy: bool = False, preserve_cardinality: bool = False,
) -> variant:  # fmt: skip
    """As MapDataset: the order is that of the input.

    Raises: InvalidArgumentError for a number of calls below 1 other than -1.

    Differs from TF: the calls come one after the other.
    """
    return mapped(run, f, other_arguments, input_dataset, calls=parallel_calls(num_parallel_calls))


def parallel_calls(value: Any) -> int:
    """Raises: InvalidArgumentError for a number below 1 other than -1."""
    number = int(value)
    if number < 1 and number != -1:
        raise invalid("num_parallel_calls must be greater than zero.")
    return number


@op("FilterDataset", out="handle", shape=scalar, commutes=True, stores="other_arguments")
def filter_dataset(
    run: Any, input_dataset: variant, other_arguments: Each["Targuments", 0], *, predicate: FuncAttr,  # noqa: F821
    output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """The elements for which `predicate` is True."""

    def elements(walk: Walk, input: Dataset) -> Elements:
        call, statistics = walk.function(predicate, other_arguments), walk.statistics
        for number, element in enumerate(walk(input)):
            answer = element if type(element) is Failure else call(element)
            if statistics is not None and type(answer) is not Failure:
                statistics.count(f"{run.node.name}::{'filtered' if answer[0] else 'dropped'}_elements")
            if type(answer) is Failure:
                yield of_element(answer, run, number)
            elif answer[0]:
                yield element
            elif not number % 1024:
                walk.check()

    return Dataset(run, elements, input_dataset, function=predicate)


@op("FlatMapDataset", out="handle", shape=scalar, commutes=True, stores="other_arguments")
def flat_map_dataset(
    run: Any, input_dataset: variant, other_arguments: Each["Targuments", 0], *, f: FuncAttr,  # noqa: F821
    output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """The elements of the datasets that `f` returns for each element, one dataset after the other."""

    def elements(walk: Walk, input: Dataset) -> Elements:
        for inner in _inner_datasets(run, walk, input, f, other_arguments):
            if type(inner) is Failure:
                yield inner
            else:
                yield from walk(inner)

    return Dataset(run, elements, input_dataset, function=f)


def _inner_datasets(run: Any, walk: Walk, input: Dataset, function: FuncAttr, captured: Sequence[Any]) -> Any:
    """The dataset that a function returns for each element, or a Failure."""
    call = walk.function(function, captured)
    for number, element in enumerate(walk(input)):
        result = element if type(element) is Failure else call(element)
        yield of_element(result, run, number) if type(result) is Failure else as_dataset(result[0])


@op("InterleaveDataset", out="handle", shape=scalar, commutes=True, stores="other_arguments")
def interleave_dataset(
    run: Any, input_dataset: variant, other_arguments: Each["Targuments", 0], cycle_length: int64,  # noqa: F821
    block_length: int64, *, f: FuncAttr, output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """`block_length` elements of each of `cycle_length` datasets in turn; a dataset that ends makes room for the next one.

    Raises: InvalidArgumentError for numbers below 1.
    """
    return _interleaved(run, input_dataset, other_arguments, cycle_length, block_length, f)


@op("ParallelInterleaveDatasetV2", out="handle", shape=scalar, commutes=True, stores="other_arguments")
def parallel_interleave_dataset_v2(
    run: Any, input_dataset: variant, other_arguments: Each["Targuments", 0], cycle_length: int64,  # noqa: F821
    block_length: int64, num_parallel_calls: int64, *, f: FuncAttr, output_types: Types,
    output_shapes: Shapes, sloppy: bool = False,
) -> variant:  # fmt: skip
    """As InterleaveDataset, with elements in the same order.

    Raises: InvalidArgumentError for numbers below 1, and for more calls than datasets. Differs from TF: the datasets are read one
    after the other.
    """
    calls = parallel_calls(num_parallel_calls)
    if calls > int(cycle_length) > 0:
        raise invalid("num_parallel_calls must less than or equal to cycle_length.")
    return _interleaved(run, input_dataset, other_arguments, cycle_length, block_length, f, calls=calls)


@op("ParallelInterleaveDataset", out="handle", shape=scalar, commutes=True, stores="other_arguments")
def parallel_interleave_dataset(
    run: Any, input_dataset: variant, other_arguments: Each["Targuments", 0], cycle_length: int64,  # noqa: F821
    block_length: int64, sloppy: boolean, buffer_output_elements: int64, prefetch_input_elements: int64, *, f: FuncAttr,
    output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """As InterleaveDataset. sloppy: any order is right, so that of InterleaveDataset, too.

    Raises: InvalidArgumentError for numbers below 1. Differs from TF: the datasets are read one after the other.
    """
    for name, value, least in (
        ("cycle_length", cycle_length, 1), ("block_length", block_length, 1),
        ("buffer_output_elements", buffer_output_elements, 1), ("prefetch_input_elements", prefetch_input_elements, 0)
    ):
        if int(value) < least:
            raise invalid(f"`{name}` must be {'> 0' if least else '>= 0'}")
    calls = int(cycle_length)
    return _interleaved(run, input_dataset, other_arguments, cycle_length, block_length, f, calls=calls)


def _interleaved(
    run: Any, input_dataset: Any, captured: Sequence[Any], cycle_length: Any, block_length: Any, function: FuncAttr, **facts: Any
) -> Dataset:
    width, block = int(cycle_length), int(block_length)
    if width < 1:
        raise invalid("cycle_length must be greater than zero.")
    if block < 1:
        raise invalid("block_length must be greater than zero.")
    # As in TF, what fails takes an element's turn where the datasets are read in parallel, and no turn elsewhere.
    is_parallel = "calls" in facts

    def elements(walk: Walk, input: Dataset) -> Elements:
        datasets = _inner_datasets(run, walk, input, function, captured)
        places: list[Elements | None] = [None] * width
        at, is_over = 0, False
        while True:
            passed = places[at]
            if passed is None and not is_over:
                inner = next(datasets, None)
                if type(inner) is Failure:
                    yield inner
                    at = (at + is_parallel) % width
                    continue
                is_over = inner is None
                passed = places[at] = None if inner is None else walk(inner)
            if passed is not None:
                taken = 0
                while taken < block:
                    element = next(passed, None)
                    if element is None:
                        places[at] = None
                        break
                    taken += is_parallel or type(element) is not Failure
                    yield element
            elif places.count(None) == width:
                return
            at = (at + 1) % width

    return Dataset(run, elements, input_dataset, function=function, cycle_length=width, block_length=block, **facts)


@op("ScanDataset", out="handle", shape=scalar, commutes=True, stores="other_arguments")
def scan_dataset(
    run: Any, input_dataset: variant, initial_state: Each["Tstate"], other_arguments: Each["Targuments", 0], *,  # noqa: F821
    f: FuncAttr, output_types: Types, output_shapes: Shapes, preserve_cardinality: bool = False,
) -> variant:  # fmt: skip
    """`f` gets a state and an element, and returns the next state and an element of the result."""
    start = tuple(initial_state)

    def elements(walk: Walk, input: Dataset) -> Elements:
        call, state = walk.function(f, other_arguments), start
        for number, element in enumerate(walk(input)):
            result = element if type(element) is Failure else call((*state, *element))
            if type(result) is Failure:
                yield of_element(result, run, number)
                continue
            state = result[: len(start)]
            yield result[len(start) :]

    return Dataset(run, elements, input_dataset, function=f)


@op("TakeWhileDataset", out="handle", shape=scalar, commutes=True, stores="other_arguments")
def take_while_dataset(
    run: Any, input_dataset: variant, other_arguments: Each["Targuments", 0], *, predicate: FuncAttr,  # noqa: F821
    output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """The elements before the first one for which `predicate` is False."""

    def elements(walk: Walk, input: Dataset) -> Elements:
        call = walk.function(predicate, other_arguments)
        for number, element in enumerate(walk(input)):
            answer = element if type(element) is Failure else call(element)
            if type(answer) is Failure:
                yield of_element(answer, run, number)
            elif not answer[0]:
                return
            else:
                yield element

    return Dataset(run, elements, input_dataset, function=predicate)


def _reduced_shapes(
    input_dataset: Sym, initial_state: Sequence[Sym], other_arguments: Sequence[Sym], *, f: Any, output_types: Any,
    output_shapes: Any, use_inter_op_parallelism: bool,
) -> list[Any]:  # fmt: skip
    return list(output_shapes)


@op(
    "ReduceDataset", not_differentiable=NO_RULE_IN_TF, out="components", shape=_reduced_shapes, stateful=True, commutes=True
)
def reduce_dataset(
    run: Any, input_dataset: variant, initial_state: Each["Tstate"], other_arguments: Each["Targuments", 0], *,  # noqa: F821
    f: FuncAttr, output_types: Types, output_shapes: Shapes, use_inter_op_parallelism: bool = True,
) -> Each["output_types"]:  # noqa: F821
    """The last state: `f` gets a state and an element, and returns the next state; all in one run. States of any shapes.

    Raises: the error of the first element that cannot be made.
    """
    walk = Walk(run)
    call, state = walk.function(f, other_arguments), tuple(initial_state)
    for number, element in enumerate(walk(as_dataset(input_dataset))):
        result: Any = element if type(element) is Failure else call((*state, *element))
        if type(result) is Failure:
            raise of_element(result, run, number).error
        state = result
        if not number % 1024:
            walk.check()
    return list(state)


__all__ = ["mapped", "of_element", "parallel_calls"]
