"""Stages that keep elements as they are: repeat, take, skip, shard, shuffle, cache, concatenate, zip, prefetch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any

import numpy as np

from ...base import dtypes
from ...op.define import Many, op
from ...op.shape_checks import invalid, scalars_at
from .cache_files import cached_in_file
from .sources import Shapes, Types, scalar
from .values import Dataset, Elements, Failure, Walk, as_dataset, random_numbers

int64, variant = dtypes.int64, dtypes.variant


@op("RepeatDataset", out="handle", shape=scalars_at(1), commutes=True)
def repeat_dataset(
    run: Any, input_dataset: variant, count: int64, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The elements `count` times over, -1: without end. An input without elements ends it."""
    times = int(count)

    def elements(walk: Walk, input: Dataset) -> Elements:
        epoch = 0
        while epoch != times:
            is_empty = True
            for element in walk(input):
                is_empty = False
                yield element
            if is_empty and times < 0:
                return
            epoch += 1
            walk.check()

    def after_shuffle(input: Dataset) -> Callable[..., Elements] | None:
        shuffle = input.facts.get("shuffled_epochs")
        if shuffle is None:
            return None
        return lambda walk, input: shuffle(walk, input, times)

    return Dataset(run, elements, input_dataset, together=after_shuffle, count=times)


@op("TakeDataset", out="handle", shape=scalars_at(1), commutes=True)
def take_dataset(
    run: Any, input_dataset: variant, count: int64, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The first `count` elements; all of them for -1."""
    number = int(count)

    def elements(walk: Walk, input: Dataset) -> Elements:
        return walk(input) if number < 0 else _successes(walk(input), number)

    return Dataset(run, elements, input_dataset, count=number)


def _successes(elements: Elements, number: int) -> Elements:
    """The elements up to the `number`-th one that could be made."""
    while number:
        element = next(elements, None)
        if element is None:
            return
        number -= not isinstance(element, Failure)
        yield element


@op("SkipDataset", out="handle", shape=scalars_at(1), commutes=True)
def skip_dataset(
    run: Any, input_dataset: variant, count: int64, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The elements after the first `count` ones; none for -1."""
    number = int(count)

    def elements(walk: Walk, input: Dataset) -> Elements:
        if number < 0:
            return
        passed = walk(input)
        for element in _successes(passed, number):
            if isinstance(element, Failure):
                yield element
        yield from passed

    return Dataset(run, elements, input_dataset, count=number)


@op("ShardDataset", out="handle", shape=scalars_at(1, 2), commutes=True)
def shard_dataset(
    run: Any, input_dataset: variant, num_shards: int64, index: int64, *, require_non_empty: bool = False,
    output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """Every `num_shards`-th element, from number `index` on.

    Raises: InvalidArgumentError for numbers that do not fit.
    """
    count, first = int(num_shards), int(index)
    if count < 1:
        raise invalid(f"Number of shards must be greater than zero (currently num_shards = {count}).")
    if not 0 <= first < count:
        raise invalid(
            f"Index must be between 0 and {count - 1} (currently index = {first})."
        )

    def elements(walk: Walk, input: Dataset) -> Elements:
        number = 0
        for element in walk(input):
            if type(element) is Failure:
                yield element  # as in TF, it has no number
                continue
            if number % count == first:
                yield element
            number += 1

    return Dataset(run, elements, input_dataset, num_shards=count, index=first)


# -- shuffle ------------------------------------------------------------------------------------------------------------


def _shuffled(walk: Walk, epochs: Iterator[Dataset], size: int, numbers: Iterator[int]) -> Elements:
    """The elements of one epoch after the other, each in the order of TF's shuffle. An epoch without elements is the last one.

    The buffer is filled up to `size` elements, from the next epochs too, and each turn gives out a random one of the oldest
    epoch's. Elements have numbers, those of an epoch consecutive ones; element k stands at place k % size. The first one of its
    epoch takes the place of the one that leaves.
    """
    buffer: list[Any] = []
    start = end = 0  # the numbers of the first element in the buffer, and of the next one to come
    ends: deque[int] = deque()  # of the epochs in the buffer that are over
    epoch_start = -1
    passed: Elements = iter(())
    while True:
        while end - start < size:
            element = next(passed, None)
            if element is None:
                epoch = None if epoch_start == end else next(epochs, None)
                if epoch is None:
                    epochs, passed = iter(()), iter(())
                    break
                passed, epoch_start = walk(epoch), end
                ends.append(end)
                walk.check()
            elif type(element) is Failure:
                yield element
            elif end < size:
                buffer.append(element)
                end += 1
            else:
                buffer[end % size] = element
                end += 1
        if start == end:
            return
        while ends and ends[0] <= start:
            ends.popleft()
        last = ends[0] if ends else end
        chosen = (start + next(numbers) % (last - start)) % size
        element, buffer[chosen] = buffer[chosen], buffer[start % size]
        start += 1
        yield element


def _positive(value: Any, name: str, text: str) -> int:
    number = int(value)
    if number < 1:
        raise invalid(text)
    return number


@op("ShuffleDataset", out="handle", shape=scalars_at(1, 2, 3), commutes=True)
def shuffle_dataset(
    run: Any, input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, *,
    reshuffle_each_iteration: bool = True, output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """The elements in random order: each next one is drawn from a buffer of `buffer_size`. reshuffle_each_iteration: every pass
    over them has an order of its own.

    Raises: InvalidArgumentError for a buffer of no element.
    """
    size, first, second = _positive(buffer_size, "buffer_size", "buffer_size must be greater than zero."), int(seed), int(seed2)
    key = object()

    def elements(walk: Walk, input: Dataset) -> Elements:
        if key not in walk.shared:
            walk.shared[key] = _seeds(walk, first, second, reshuffle_each_iteration)
        return _shuffled(walk, iter((input,)), size, random_numbers(*next(walk.shared[key])))

    def of_epochs(walk: Walk, input: Dataset, times: int) -> Elements:
        return _shuffled(walk, _times(input, times), size, walk.numbers(first, second))

    facts: dict[str, Any] = {"buffer_size": size}
    if reshuffle_each_iteration:
        facts["shuffled_epochs"] = of_epochs
    return Dataset(run, elements, input_dataset, **facts)


def _seeds(walk: Walk, seed: int, seed2: int, change: bool) -> Iterator[tuple[int, int]]:
    """The seeds of each pass over a shuffled dataset."""
    if not change and (seed or seed2):
        return repeat((seed, seed2))
    numbers = walk.numbers(seed, seed2)
    pairs = zip(numbers, numbers)
    return pairs if change else repeat(next(pairs))


def _times(input: Dataset, times: int) -> Iterator[Dataset]:
    return repeat(input) if times < 0 else repeat(input, times)


@op("ShuffleAndRepeatDataset", out="handle", shape=scalars_at(1, 2, 3, 4), commutes=True)
def shuffle_and_repeat_dataset(
    run: Any, input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, count: int64, *,
    output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """The elements of `count` epochs in random order, one epoch after the other; the buffer never runs empty between them.

    Raises: InvalidArgumentError for a buffer of no element.
    """
    size, first, second = _positive(buffer_size, "buffer_size", "buffer_size must be greater than zero."), int(seed), int(seed2)
    times = int(count)
    if times < -1 or times == 0:
        raise invalid("count must be greater than zero or equal to -1.")

    def elements(walk: Walk, input: Dataset) -> Elements:
        return _shuffled(walk, _times(input, times), size, walk.numbers(first, second))

    return Dataset(run, elements, input_dataset, buffer_size=size, count=times)


# -- several datasets, caches, buffers ------------------------------------------------------------------------------------


@op("ConcatenateDataset", out="handle", shape=scalar, commutes=True)
def concatenate_dataset(
    run: Any, input_dataset: variant, another_dataset: variant, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The elements of the first dataset, then those of the second one."""

    def elements(walk: Walk, first: Dataset, second: Dataset) -> Elements:
        yield from walk(first)
        yield from walk(second)

    return Dataset(run, elements, input_dataset, another_dataset)


@op("ZipDataset", out="handle", shape=scalar, commutes=True)
def zip_dataset(
    run: Any, input_datasets: Many[variant], *, output_types: Types, output_shapes: Shapes
) -> variant:
    """Elements that join those of all datasets, as long as each has a next one."""

    def elements(walk: Walk, *inputs: Dataset) -> Elements:
        passes = [walk(input) for input in inputs]
        while passes:
            values: list[Any] = []
            for each in passes:
                part = next(each, None)
                if part is None:
                    return
                if type(part) is Failure:  # as in TF, the datasets after it keep their elements
                    yield part
                    break
                values += part
            else:
                yield tuple(values)

    return Dataset(run, elements, *input_datasets)


@op("PrefetchDataset", out="handle", shape=scalars_at(1), commutes=True)
def prefetch_dataset(
    run: Any, input_dataset: variant, buffer_size: int64, *, output_types: Types, output_shapes: Shapes,
    slack_period: int = 0, legacy_autotune: bool = True,
) -> variant:  # fmt: skip
    """The same elements, up to `buffer_size` of them ahead of the consumer: -1 lets the runtime choose.

    Raises: InvalidArgumentError for a size below -1.

    Differs from TF: one thread does all the work, so an element is made when it is asked for. PipelineView shows on a simulated
    clock what the buffer changes.
    """
    size = int(buffer_size)
    if size < -1:
        raise invalid("buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning")
    return Dataset(run, lambda walk, input: walk(input), input_dataset, buffer_size=size)


@op("ModelDataset", out="handle", shape=scalar, commutes=True)
def model_dataset(
    run: Any, input_dataset: variant, *, algorithm: int = 0, cpu_budget: int = 0, output_types: Types,
    output_shapes: Shapes,
) -> variant:  # fmt: skip
    """The same elements; TF tunes the stages below it."""
    return as_dataset(input_dataset)


@op("OptimizeDataset", out="handle", shape=scalar, commutes=True)
def optimize_dataset(
    run: Any, input_dataset: variant, optimizations: dtypes.string, *, output_types: Types,
    output_shapes: Shapes, optimization_configs: list[str] = (),
) -> variant:  # fmt: skip
    """The same elements; "shuffle_and_repeat_fusion" makes one stage of a shuffle and the repeat after it, which changes the
    order, as in TF.
    """
    dataset = as_dataset(input_dataset)
    fused = b"shuffle_and_repeat_fusion" in np.ravel(optimizations).tolist()
    return dataset.optimized() if fused else dataset


@op("CacheDataset", out="handle", shape=scalars_at(1), commutes=True)
def cache_dataset(
    run: Any, input_dataset: variant, filename: dtypes.string, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The elements of the first whole pass again in later ones. filename: where they are kept; "" in memory, for one iterator.

    Raises, in a pass: AlreadyExistsError when another one is writing the file.
    """
    name = bytes(np.asarray(filename, object)[()]).decode()
    key = object()

    def elements(walk: Walk, input: Dataset) -> Elements:
        kept = walk.shared.get(key)
        if kept is not None:
            yield from kept
            return
        kept = []
        for element in walk(input):
            if type(element) is not Failure:
                kept.append(element)
            yield element
        walk.shared[key] = kept

    def elements_of_file(walk: Walk, input: Dataset) -> Elements:
        return cached_in_file(name, output_types, lambda: walk(input))

    return Dataset(run, elements_of_file if name else elements, input_dataset)
