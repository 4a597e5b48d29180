"""Titles of boxes, `box_title(box)`, `group_title(group)`, and the outermost boxes, `outer_boxes(record)`. No state."""

from __future__ import annotations

from ..labels import leaf, shorten
from ..messages import message
from ..records import BoxRecord, GraphRecord, GroupRecord


def box_title(box: BoxRecord, lang: str | None = None, limit: int = 26) -> str:
    """If p, True, Loop while; of a name scope its name. Scoped names are cut to their last part."""
    label = shorten(leaf(box.label), limit)
    return message(f"box.{box.kind}", lang, label=label) if box.kind in ("cond", "loop") else label


def group_title(group: GroupRecord, lang: str | None = None, limit: int = 26) -> str:
    """layer_1 … layer_12 ×12: the first and last member, and how many there are."""
    first, _, last = leaf(group.path.rstrip("'")).partition("…")
    ends = {"first": shorten(first, limit // 2), "last": shorten(last, limit // 2)}
    return message(f"group.{group.kind}", lang, n=len(group.scopes or group.nodes), **ends)


def outer_boxes(record: GraphRecord, at: str = "") -> list[str]:
    """The paths of the conds and loops that are in no other one, or of those in the scope `at`."""
    boxes = [box for box in record.boxes if not at or box.path.startswith(f"{at}/")]
    kinds = {box.path: box.kind for box in boxes}
    inner: set[str] = set()
    for box in boxes:  # outer ones come first
        if box.parent in inner or kinds.get(box.parent, "scope") != "scope":
            inner.add(box.path)
    return [box.path for box in boxes if box.kind != "scope" and box.path not in inner]


__all__ = ["box_title", "group_title", "outer_boxes"]
