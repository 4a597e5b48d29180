"""The difference of two graphs: `print(graph_diff(before, after))`. No state."""

from __future__ import annotations

from typing import Any

from ..view import build
from ..view.make import graph_difference
from ..view.records import GraphDiffRecord, GraphRecord
from ..view.show import Picture, show


def graph_diff(before: Any, after: Any, *, title: str | None = None, lang: str | None = None) -> Picture:
    """The nodes added, removed, renamed, rewired and changed from `before` to `after`: a picture that is also a text.

    Both are graphs, tfedu's or another library's, or records of graphs: `tf.view.build.graph_record(graph)` keeps one as it is
    now. Nodes with the same name match, and of the others nodes with the same inputs or consumers. The result's `record` is the
    data.
    Raises: TypeError for any other argument.
    """
    return show(diff_record(before, after), title=title, lang=lang)


def diff_record(before: Any, after: Any) -> GraphDiffRecord:
    """The difference as data.

    Raises: as graph_diff.
    """
    sides = [side if isinstance(side, GraphRecord) else build.graph_record(side) for side in (before, after)]
    return graph_difference.graph_diff(*sides)


__all__ = ["diff_record", "graph_diff"]
