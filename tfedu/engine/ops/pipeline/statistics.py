"""Statistics of a pipeline: stages that count the bytes and the time of elements, and the aggregator that sums up.

SetStatsAggregatorDataset gives its aggregator to the stages before it through `walk.statistics`. State: the aggregators, in the
session's store.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np

from ...base import dtypes, proto
from ...op import shape_checks
from ...op.define import Sym, op
from ...op.shape_checks import as_array
from ..summary import Distribution
from .sources import Shapes, Types, scalar
from .values import Dataset, Elements, Failure, Statistics, Walk

variant, string = dtypes.variant, dtypes.string


class Aggregator:
    """Distributions and counters by name; several threads may add to them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._distributions: dict[str, Distribution] = {}
        self._counters: dict[str, float] = {}

    def add(self, name: str, value: float) -> None:
        with self._lock:
            self._distributions.setdefault(name, Distribution()).add(value)

    def count(self, name: str, number: int = 1) -> None:
        with self._lock:
            self._counters[name] = self._counters.get(name, 0.0) + number

    def summary(self) -> bytes:
        """All that was added so far, as a serialized Summary."""
        message = proto.Summary()
        with self._lock:
            for name, distribution in sorted(self._distributions.items()):
                distribution.write(message.value.add(tag=name).histo)
            for name, number in sorted(self._counters.items()):
                message.value.add(tag=name, simple_value=number)
        result: bytes = message.SerializeToString()
        return result


@op("StatsAggregatorHandle", out="handle", shape=lambda **_: (), stateful=True, resource="statistics")
def stats_aggregator_handle(run: Any, *, container: str = "", shared_name: str = "") -> dtypes.resource:
    """A handle of the session's aggregator of this name: scalar."""
    return run.handle(run.resource("statistics", container, shared_name, Aggregator))


@op(
    "StatsAggregatorSummary", out="summary", shape=lambda iterator: (), stateful=True, access={"iterator": "read"},
    resource="statistics",
)  # fmt: skip
def stats_aggregator_summary(run: Any, iterator: dtypes.resource) -> string:
    """What the aggregator holds, a serialized Summary: scalar."""
    return iterator.buffer.summary()


@op(
    "SetStatsAggregatorDataset", out="handle", shape=scalar, stateful=True, access={"stats_aggregator": "read"},
    resource="statistics", commutes=True,
)  # fmt: skip
def set_stats_aggregator_dataset(
    run: Any, input_dataset: variant, stats_aggregator: dtypes.resource, tag: string, counter_prefix: string, *,
    output_types: Types, output_shapes: Shapes,
) -> variant:  # fmt: skip
    """The same elements, about which the stages before this one tell the aggregator; `tag` begins all names: scalars."""
    prefix = _text(tag)
    mine = Statistics(stats_aggregator.buffer, f"{prefix}::" if prefix else "")

    def elements(walk: Walk, input: Dataset) -> Elements:
        passed = walk(input)
        while True:
            outer, walk.statistics = walk.statistics, mine
            try:
                element = next(passed, None)
            finally:
                walk.statistics = outer
            if element is None:
                return
            yield element

    return Dataset(run, elements, input_dataset)


def _with_scalar_tag(input_dataset: Sym, tag: Sym, **_: Any) -> tuple[int, ...]:
    shape_checks.scalar(tag)
    return ()


@op("BytesProducedStatsDataset", out="handle", shape=_with_scalar_tag, commutes=True)
def bytes_produced_stats_dataset(
    run: Any, input_dataset: variant, tag: string, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The same elements, whose sizes in bytes go into the distribution `tag`: dataset, tag scalars -> scalar."""
    name = _text(tag)

    def elements(walk: Walk, input: Dataset) -> Elements:
        statistics = walk.statistics
        for element in walk(input):
            if statistics is not None and type(element) is not Failure:
                statistics.add(name, sum(map(_size, element)))
            yield element

    return Dataset(run, elements, input_dataset)


@op("LatencyStatsDataset", out="handle", shape=_with_scalar_tag, commutes=True)
def latency_stats_dataset(
    run: Any, input_dataset: variant, tag: string, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The same elements; how many microseconds each takes goes into the distribution `tag`: dataset, tag scalars -> scalar."""
    name = _text(tag)

    def elements(walk: Walk, input: Dataset) -> Elements:
        statistics, passed = walk.statistics, walk(input)
        while True:
            start = time.perf_counter()
            element = next(passed, None)
            if element is None:
                return
            if statistics is not None:
                statistics.add(name, (time.perf_counter() - start) * 1e6)
            yield element

    return Dataset(run, elements, input_dataset)


_BYTES_OF_STRING = 8  # what TensorFlow counts for a string, without its characters


def _text(value: Any) -> str:
    return bytes(np.asarray(value, object)[()]).decode()


def _size(component: Any) -> int:
    """The bytes of a component's tensor as TensorFlow counts them; 0 for what is no plain array."""
    array = as_array(component)
    if array.dtype != object:
        return int(array.nbytes)
    return sum(_BYTES_OF_STRING + len(each) for each in array.ravel().tolist() if isinstance(each, bytes))


__all__ = ["Aggregator"]
