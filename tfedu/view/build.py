"""Graphs and runs in, records out: `graph_record`, `trace_record`, `compare_record`. Widgets and explanations call these.

No state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..engine.base.garbage_collection import collection_paused
from ..engine.replay.recorder import Trace
from .adapters.foreign_graphs import drawable
from .make import graph_records
from .make.graph_comparison import differences
from .make.graph_portions import MOST, Portions
from .make.graph_records import Part, record_of, same_in, value_text
from .make.runs.trace_records import trace_record
from .make.scope_focus import focusable, focused
from .records import CompareRecord, GraphRecord, SideRecord, TraceRecord


def graph_record(target: Any, *, steps: int = 3) -> GraphRecord:
    """The record of a graph; of a tensor, operation, variable or a list of them: their surroundings within `steps` edges.

    The graph may be another library's (docs/other_graphs.md).
    Raises: TypeError for what has no picture; ValueError for nodes of different graphs and for a damaged graph of another
    library; ResourceExhaustedError for one beyond the budget (tf.io.Budget).
    """
    known = drawable(target)
    return known if isinstance(known, GraphRecord) else graph_records.graph_record(known, steps=steps)


def part_of(target: Any, *, steps: int = 3) -> Part:
    """The nodes of tfedu's graph that a picture of `target` shows. Raises: as graph_record."""
    return graph_records.part_of(drawable(target), steps=steps)


def compare_record(traces: Mapping[str, Trace | TraceRecord]) -> CompareRecord:
    """Two traces by title, side by side, with the differences of their graphs marked.

    Raises: ValueError for more or fewer than two.
    """
    if len(traces) != 2:
        raise ValueError(f"a comparison has two sides, not {len(traces)}")
    (left, one), (right, other) = (
        (title, trace if isinstance(trace, TraceRecord) else trace_record(trace))
        for title, trace in traces.items()
    )
    of_left, of_right = differences(one, other)
    return CompareRecord((SideRecord(left, one, of_left), SideRecord(right, other, of_right)))


__all__ = [
    "MOST",
    "Part",
    "Portions",
    "collection_paused",
    "compare_record",
    "drawable",
    "focusable",
    "focused",
    "graph_record",
    "part_of",
    "same_in",
    "record_of",
    "trace_record",
    "value_text",
]
