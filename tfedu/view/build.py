"""Engine objects in, records out: `graph_record`, `trace_record`, `compare_record`. Widgets and explanations call these.

No state.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..engine.base.garbage_collection import collection_paused
from ..engine.replay.recorder import Trace
from .make.graph_comparison import differences
from .make.graph_portions import MOST, Portions
from .make.graph_records import Part, graph_record, part_of, record_of, same_in, value_text
from .make.trace_records import trace_record
from .records import CompareRecord, SideRecord, TraceRecord


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
    "graph_record",
    "part_of",
    "same_in",
    "record_of",
    "trace_record",
    "value_text",
]
