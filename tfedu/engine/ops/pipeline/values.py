"""Datasets as values: `Dataset` tells how to produce elements, a `Walk` is one pass of an iterator through a pipeline.

An element is a tuple of its components' values. Each op of tf.data returns a Dataset with a generator function, which takes the
walk and the datasets that it reads from: `for element in walk(input): yield element`. What fails does not end a pass, as in TF:
the element that cannot be made is a `Failure`, stages pass it on, and the iterator raises its error.
State: that of a Walk, its compiled functions, and of Seeds.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from ...base import errors
from ...base.philox import Start, blocks
from ...op.definition import FuncAttr
from ...op.shape_checks import invalid

Element: TypeAlias = tuple[Any, ...]


class Failure:
    """In place of an element: the error of making it."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


Elements: TypeAlias = Iterator["Element | Failure"]


def of_element(failure: Failure, run: Any, number: int) -> Failure:
    """The failure, which tells the element's number and the stage whose function failed."""
    if isinstance(failure.error, errors.OpError) and failure.error.during is None:
        failure.error.during = run.node, number
    return failure


class Dataset:
    """The value of a dataset's tensor.

    node: the node that made it. elements: called with a walk and the inputs, it returns a new pass over the elements. inputs: the
    datasets that it reads from. together: for an input with which this stage is one after optimization (repeat with a shuffle),
    how to pass over both, else None. facts: what pictures tell of the stage.
    """

    __slots__ = ("node", "elements", "inputs", "together", "facts")

    def __init__(
        self,
        run: Any,
        elements: Callable[..., Elements],
        *inputs: Dataset,
        together: Callable[[Dataset], Callable[..., Elements] | None] | None = None,
        **facts: Any,
    ) -> None:
        self.node = run.node
        self.elements = elements
        self.inputs = tuple(map(as_dataset, inputs))
        self.together = together
        self.facts = facts

    def optimized(self) -> Dataset:
        """The same elements as TF gives them after its default optimizations, which make one stage of shuffle and repeat."""
        copy = object.__new__(Dataset)
        copy.node, copy.elements, copy.facts, copy.together = self.node, self.elements, self.facts, self.together
        copy.inputs = tuple([each.optimized() for each in self.inputs])
        joined = None if self.together is None else self.together(self.inputs[0])
        if joined is not None:
            before = copy.inputs[0]
            copy.elements, copy.inputs = joined, before.inputs
            copy.facts = {**before.facts, **self.facts, "joined": before.node}
        return copy

    def __repr__(self) -> str:
        return f"<Dataset of {self.node.name}>"


def as_dataset(value: Any) -> Dataset:
    """Raises: InvalidArgumentError for a variant that is no dataset."""
    value = value[()] if getattr(value, "ndim", None) == 0 else value
    if not isinstance(value, Dataset):
        raise invalid("Tensor must be a Dataset object.")
    return value


class Statistics:
    """Where the stages of a pass add what they count: an aggregator (statistics.py), and how the names there begin."""

    __slots__ = ("aggregator", "prefix")

    def __init__(self, aggregator: Any, prefix: str) -> None:
        self.aggregator = aggregator
        self.prefix = prefix

    def add(self, name: str, value: float) -> None:
        self.aggregator.add(self.prefix + name, value)

    def count(self, name: str) -> None:
        self.aggregator.count(self.prefix + name)


class Seeds:
    """The seeds that a pass draws where the program gives none, in their order; one that repeats the pass takes the same."""

    __slots__ = ("drawn",)

    def __init__(self, drawn: Iterable[int] = ()) -> None:
        self.drawn = list(drawn)


class Walk:
    """One iterator's pass through a pipeline: `walk(dataset)` begins a pass over the elements of one stage.

    takes_whole_batches: whether a batch may be computed at once (whole_batches.py).
    """

    takes_whole_batches = True

    def __init__(self, run: Any, seeds: Seeds | None = None) -> None:
        self.run = run
        self.calls: dict[Any, Any] = {}  # function -> its compiled form
        self._seeds = seeds or Seeds()
        self._seed_count = 0  # how many of them this walk has used
        self.statistics: Statistics | None = None  # for the stage that begins or goes on now
        self.shared: dict[Any, Any] = {}  # what the passes of one dataset share: a cache, the seeds of the next shuffle

    def __call__(self, dataset: Dataset) -> Elements:
        return dataset.elements(self, *dataset.inputs)

    def compiled(self, function: FuncAttr, captured: Sequence[Any]) -> tuple[Callable[..., Any], Callable[..., Any], bool]:
        """The function of an element's components, what makes the node's error of its exception, and whether it returns one
        value and no list.
        """
        known = self.calls.get(function)
        if known is None:
            known = self.calls[function] = self.run.function_call(function)
        return self.bound(known, captured), known.explain, known.single

    @staticmethod
    def bound(compiled: Any, captured: Sequence[Any]) -> Callable[..., Any]:
        """The call of a compiled function with these captured values, of which references to variables are read each time."""
        call: Callable[..., Any] = compiled.call
        if any(hasattr(value, "value") for value in captured):
            return lambda *element: call(*[getattr(value, "value", value) for value in captured], *element)
        return partial(call, *captured) if captured else call

    def function(self, function: FuncAttr, captured: Sequence[Any]) -> Callable[[Element], Any]:
        """The function of an element, which returns the tuple of its results, or a Failure."""
        call, explain, is_single = self.compiled(function, captured)

        def called(element: Element) -> Any:
            try:
                return (call(*element),) if is_single else tuple(call(*element))
            except Exception as raised:
                return Failure(explain(raised))

        return called

    def seed(self) -> int:
        """A seed for a shuffle without one."""
        drawn = self._seeds.drawn
        if self._seed_count == len(drawn):
            drawn.append(secrets.randbits(64))
        self._seed_count += 1
        return drawn[self._seed_count - 1]

    def numbers(self, seed: int, seed2: int) -> Iterator[int]:
        """Random numbers of 32 bits, from both seeds as TF's kernels; seeds (0, 0): other ones in each walk."""
        if seed == seed2 == 0:
            seed, seed2 = self.seed(), self.seed()
        return random_numbers(seed, seed2)

    def check(self) -> None:
        """Raises: CancelledError, DeadlineExceededError when the run is over; long loops of a stage call it."""
        self.run.store.check_open()
        if self.run.store.seconds_left() == 0:
            raise errors.DeadlineExceededError(None, None, "Timed out waiting for notification")


_LOW = (1 << 32) - 1


def random_numbers(seed: int, seed2: int) -> Iterator[int]:
    """The sequence of TF's generator for these two seeds."""
    start = Start((seed & _LOW, seed >> 32 & _LOW), (seed2 & (1 << 64) - 1) << 64)
    steps = 2
    while True:
        yield from blocks(start, steps).ravel().tolist()
        start = start.skip(steps)
        steps = min(steps * 4, 1024)


__all__ = [
    "Dataset", "Element", "Elements", "Failure", "Seeds", "Statistics", "Walk", "as_dataset", "of_element", "random_numbers",
]  # fmt: skip
