"""`tf.data.experimental.StatsAggregator`, `bytes_produced_stats`, `latency_stats`: statistics of a pipeline as summaries.

    aggregator = tf.data.experimental.StatsAggregator()
    options = tf.data.Options()
    options.experimental_stats.aggregator = aggregator
    dataset = dataset.apply(tf.data.experimental.latency_stats("seconds")).with_options(options)
    summary = aggregator.get_summary()

No state: the numbers are in the session (ops/pipeline/statistics.py).
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.callers import nodes
from .dataset import Dataset
from .transformations import Transformation


class StatsAggregator:
    """What the stages of datasets whose options name this aggregator count: distributions and counters.

    A dataset with it is read by an initializable iterator: a one-shot iterator takes no aggregator.
    """

    def __init__(self) -> None:
        self._resource: Tensor = nodes.StatsAggregatorHandle()

    def get_summary(self) -> Tensor:
        """A serialized Summary, a string scalar, of all that was counted in the session so far."""
        summary: Tensor = nodes.StatsAggregatorSummary(self._resource)
        return summary


def bytes_produced_stats(tag: Any) -> Transformation:
    """The same elements; the size in bytes of each goes into the distribution `tag`, a string scalar."""

    @atomic
    def applied(dataset: Dataset) -> Dataset:
        return dataset._derived(nodes.BytesProducedStatsDataset, convert_to_tensor(tag, dtypes.string))

    return applied


def latency_stats(tag: Any) -> Transformation:
    """The same elements; the microseconds that each takes go into the distribution `tag`, a string scalar."""

    @atomic
    def applied(dataset: Dataset) -> Dataset:
        return dataset._derived(nodes.LatencyStatsDataset, convert_to_tensor(tag, dtypes.string))

    return applied


__all__ = ["StatsAggregator", "bytes_produced_stats", "latency_stats"]
