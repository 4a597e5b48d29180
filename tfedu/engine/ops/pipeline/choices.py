"""Stages that choose among elements: windows by key, reducers by key, directed interleaving, unique elements, errors left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base import dtypes
from ...op.define import Each, FuncAttr, Many, op
from ...op.shape_checks import invalid, scalars_at
from .batches import stacked
from .maps import parallel_calls
from .sources import Shapes, Types, scalar
from .values import Dataset, Elements, Failure, Walk, as_dataset, of_element

int64, variant, boolean = dtypes.int64, dtypes.variant, dtypes.bool


@op("IgnoreErrorsDataset", out="handle", shape=scalar, commutes=True)
def ignore_errors_dataset(
    run: Any, input_dataset: variant, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The elements that can be made, without the others."""

    def elements(walk: Walk, input: Dataset) -> Elements:
        for element in walk(input):
            if type(element) is Failure:
                walk.check()  # a source may fail without end
            else:
                yield element

    return Dataset(run, elements, input_dataset)


@op("UniqueDataset", out="handle", shape=scalar, commutes=True)
def unique_dataset(run: Any, input_dataset: variant, *, output_types: Types, output_shapes: Shapes) -> variant:
    """The elements that did not come before in this pass."""

    def elements(walk: Walk, input: Dataset) -> Elements:
        seen: set[Any] = set()
        for element in walk(input):
            if type(element) is not Failure:
                key = tuple([_key(part) for part in element])
                if key in seen:
                    continue
                seen.add(key)
            yield element

    return Dataset(run, elements, input_dataset)


def _key(value: Any) -> Any:
    """What equal components have in common: bytes, or a shape and the elements' bits."""
    array = np.asarray(value, object if isinstance(value, bytes) else None)
    return array.shape, tuple(array.ravel().tolist()) if array.dtype == object else array.tobytes()


@op("MapAndBatchDataset", out="handle", shape=scalars_at(2, 3, 4), commutes=True)
def map_and_batch_dataset(
    run: Any, input_dataset: variant, other_arguments: Each["Targuments", 0], batch_size: int64,  # noqa: F821
    num_parallel_calls: int64, drop_remainder: boolean, *, f: FuncAttr, output_types: Types, output_shapes: Shapes,
    preserve_cardinality: bool = False,
) -> variant:  # fmt: skip
    """Batches of what `f` returns for `batch_size` consecutive elements; one that fails ends its batch, whose place is fixed.

    Raises: InvalidArgumentError for numbers below 1.
    """
    size, drop = int(batch_size), bool(drop_remainder)
    if size < 1:
        raise invalid("batch_size must be greater than zero.")
    calls = parallel_calls(num_parallel_calls)

    def elements(walk: Walk, input: Dataset) -> Elements:
        call = walk.function(f, other_arguments)
        group: list[Any] = []
        failed: Failure | None = None
        count = number = 0
        for number, element in enumerate(walk(input)):
            result = element if type(element) is Failure else call(element)
            if type(result) is Failure:
                failed = failed or of_element(result, run, number)
            else:
                group.append(result)
            count += 1
            if count == size:
                yield failed or _joined(group, output_types)
                group, failed, count = [], None, 0
        if count and not drop:
            yield failed or _joined(group, output_types)

    return Dataset(run, elements, input_dataset, function=f, batch_size=size, drop_remainder=drop, calls=calls)


def _joined(group: Sequence[Any], kinds: Sequence[Any]) -> Any:
    try:
        return tuple([stacked(values, kind) for values, kind in zip(zip(*group), kinds)])
    except Exception as error:
        return Failure(error)


# -- by key -----------------------------------------------------------------------------------------------------------------


@op("GroupByWindowDataset", out="handle", shape=scalar, commutes=True)
def group_by_window_dataset(
    run: Any, input_dataset: variant, key_func_other_arguments: Each["Tkey_func_other_arguments", 0],  # noqa: F821
    reduce_func_other_arguments: Each["Treduce_func_other_arguments", 0],  # noqa: F821
    window_size_func_other_arguments: Each["Twindow_size_func_other_arguments", 0], *,  # noqa: F821
    key_func: FuncAttr, reduce_func: FuncAttr, window_size_func: FuncAttr, output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """The elements of the datasets that `reduce_func` makes of windows: up to `window_size_func(key)` elements with the same
    `key_func(element)`. At the end come the windows that are not full, in the order of their keys.

    Raises, in a pass: InvalidArgumentError for a window below 1.
    """

    def elements(walk: Walk, input: Dataset) -> Elements:
        key_of = walk.function(key_func, key_func_other_arguments)
        reduced = walk.function(reduce_func, reduce_func_other_arguments)
        size_of = walk.function(window_size_func, window_size_func_other_arguments)
        windows: dict[int, list[Any]] = {}
        sizes: dict[int, int] = {}

        def given(key: int) -> Elements:
            group = windows.pop(key)
            window = Dataset(run, lambda walk: iter(group))
            result = reduced((np.int64(key), window))
            if type(result) is Failure:
                yield result
            else:
                yield from walk(as_dataset(result[0]))

        for number, element in enumerate(walk(input)):
            key = element if type(element) is Failure else key_of(element)
            if type(key) is Failure:
                yield of_element(key, run, number)
                continue
            which = int(key[0])
            if which not in windows:
                size = size_of((np.int64(which),))
                if type(size) is Failure or int(size[0]) < 1:
                    text = "Window size must be greater than zero, but got "
                    yield size if type(size) is Failure else Failure(invalid(f"{text}{int(size[0])}."))
                    continue
                sizes[which] = int(size[0])
            windows.setdefault(which, []).append(element)
            if len(windows[which]) == sizes[which]:
                yield from given(which)
        for which in sorted(windows):
            yield from given(which)

    return Dataset(run, elements, input_dataset, function=key_func)


@op("ExperimentalGroupByReducerDataset", out="handle", shape=scalar, stateful=True, commutes=True)
def group_by_reducer_dataset(
    run: Any, input_dataset: variant, key_func_other_arguments: Each["Tkey_func_other_arguments", 0],  # noqa: F821
    init_func_other_arguments: Each["Tinit_func_other_arguments", 0],  # noqa: F821
    reduce_func_other_arguments: Each["Treduce_func_other_arguments", 0],  # noqa: F821
    finalize_func_other_arguments: Each["Tfinalize_func_other_arguments", 0], *,  # noqa: F821
    key_func: FuncAttr, init_func: FuncAttr, reduce_func: FuncAttr, finalize_func: FuncAttr, output_types: Types,
    output_shapes: Shapes,
) -> variant:  # fmt: skip
    """One element for each key, in the order of the keys: `init_func(key)` begins a state, `reduce_func` adds an element
    with this key, `finalize_func` makes the element of the result.
    """

    def elements(walk: Walk, input: Dataset) -> Elements:
        key_of = walk.function(key_func, key_func_other_arguments)
        begun = walk.function(init_func, init_func_other_arguments)
        reduced = walk.function(reduce_func, reduce_func_other_arguments)
        finished = walk.function(finalize_func, finalize_func_other_arguments)
        states: dict[int, Any] = {}
        for number, element in enumerate(walk(input)):
            key = element if type(element) is Failure else key_of(element)
            if type(key) is Failure:
                yield of_element(key, run, number)
                return
            which = int(key[0])
            state = states.get(which) or begun((np.int64(which),))
            state = state if type(state) is Failure else reduced((*state, *element))
            if type(state) is Failure:
                yield of_element(state, run, number)
                return
            states[which] = state
        for which in sorted(states):
            yield finished(states[which])

    return Dataset(run, elements, input_dataset, function=key_func)


# -- several datasets ---------------------------------------------------------------------------------------------------------


@op("DirectedInterleaveDataset", out="handle", shape=scalar, commutes=True)
def directed_interleave_dataset(
    run: Any, selector_input_dataset: variant, data_input_datasets: Many[variant], *, output_types: Types, output_shapes: Shapes,
    stop_on_empty_dataset: bool = False,
) -> variant:  # fmt: skip
    """The next element of the dataset whose number the selector gives; one that has ended is passed over.

    Raises, in a pass: InvalidArgumentError for a number of no dataset.
    """

    def elements(walk: Walk, selector: Dataset, *inputs: Dataset) -> Elements:
        passes: list[Any] = [walk(input) for input in inputs]
        for chosen in walk(selector):
            if type(chosen) is Failure:
                yield chosen
                continue
            which = int(chosen[0])
            if not 0 <= which < len(passes):
                text = f"Selector index out of range: {which} >= {len(passes)}"
                yield Failure(invalid(text))
                continue
            element = None if passes[which] is None else next(passes[which], None)
            if element is not None:
                yield element
                continue
            passes[which] = None
            if stop_on_empty_dataset or not any(passes):
                return

    return Dataset(run, elements, selector_input_dataset, *data_input_datasets)


@op("RandomDataset", out="handle", shape=scalar, stateful=True, commutes=True)
def random_dataset(run: Any, seed: int64, seed2: int64, *, output_types: Types, output_shapes: Shapes) -> variant:
    """Random int64 numbers of 32 bits without end; seeds (0, 0): other ones in each pass."""
    first, second = int(seed), int(seed2)

    def elements(walk: Walk) -> Elements:
        return ((np.int64(number),) for number in walk.numbers(first, second))

    return Dataset(run, elements)
