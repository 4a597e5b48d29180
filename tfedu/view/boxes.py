"""What the boxes of a picture are called, `box_title(box)`, and which hold all others, `outer_boxes(record)`. No state."""

from __future__ import annotations

from .labels import leaf, shorten
from .messages import message
from .records import BoxRecord, GraphRecord


def box_title(box: BoxRecord, lang: str | None = None, limit: int = 26) -> str:
    """If p, True, Loop while; of a name scope its name. Of a name in scopes the last part is told."""
    label = shorten(leaf(box.label), limit)
    return message(f"box.{box.kind}", lang, label=label) if box.kind in ("cond", "loop") else label


def outer_boxes(record: GraphRecord) -> list[str]:
    """The paths of the conds and loops that lie in no other."""
    kinds = {box.path: box.kind for box in record.boxes}
    inner: set[str] = set()
    for box in record.boxes:  # outer ones come first
        if box.parent in inner or kinds.get(box.parent, "scope") != "scope":
            inner.add(box.path)
    return [box.path for box in record.boxes if box.kind != "scope" and box.path not in inner]


__all__ = ["box_title", "outer_boxes"]
