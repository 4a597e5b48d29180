"""The difference of two graphs in words: `diff_text(record)`, in the catalogue's languages. No state."""

from __future__ import annotations

from typing import Final

from ..labels import shorten
from ..messages import message
from ..records import Change, GraphDiffRecord, InputChangeRecord, NodeChangeRecord

SIGNS: Final[dict[Change, str]] = {"added": "+", "removed": "−", "renamed": "≈", "rewired": "↷", "changed": "≠"}
LISTED: Final = 40
NAME: Final = 60


def counts_text(record: GraphDiffRecord, lang: str | None = None) -> str:
    """How many nodes were added, removed, renamed, rewired and changed, and how many are the same."""
    counts = {change: sum(change in node.changes for node in record.nodes) for change in SIGNS}
    return message("diff.counts", lang, same=record.same, **counts)


def change_lines(change: NodeChangeRecord, type: str, lang: str | None = None) -> list[str]:
    """What changed at a node of this op type, one line each; the first line begins with the sign of the change."""
    name, op_type = shorten(change.after or change.before, NAME), shorten(type, NAME)
    lines = []
    for code in change.changes:
        words = message(f"diff.{code}", lang, name=name, type=op_type, before=shorten(change.before, NAME))
        lines.append(f"{SIGNS[code]} {words}")
        if code == "rewired":
            lines.extend(f"    {input_text(item, lang)}" for item in change.inputs)
        if code == "changed":
            for key, before, after in change.attrs:
                lines.append(f"    {shorten(key, NAME)}: {shorten(before, NAME) or '–'} → {shorten(after, NAME) or '–'}")
    return lines


def input_text(item: InputChangeRecord, lang: str | None = None) -> str:
    """One input of a node before and after."""
    before, after = shorten(item.before, NAME) or "–", shorten(item.after, NAME) or "–"
    if item.input is None:
        return message("diff.control_input", lang, before=before, after=after)
    return message("diff.input", lang, n=item.input, before=before, after=after)


def diff_text(record: GraphDiffRecord, lang: str | None = None, limit: int = LISTED) -> str:
    """The counts, then the changes of the first `limit` nodes."""
    types = {node.id: node.type for node in record.graph.nodes}
    if not (record.nodes or record.edges or record.blocks):
        return message("diff.none", lang)
    lines = [counts_text(record, lang)]
    for change in record.nodes[:limit]:
        lines.extend(change_lines(change, types[change.node], lang))
    if len(record.nodes) > limit:
        lines.append(message("diff.more", lang, n=len(record.nodes) - limit))
    for block in record.blocks:
        lines.append(f"{SIGNS[block.change]} {message(f'diff.block_{block.change}', lang)}")
    return "\n".join(lines)


__all__ = ["SIGNS", "change_lines", "counts_text", "diff_text", "input_text"]
