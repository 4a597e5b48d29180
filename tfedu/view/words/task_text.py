"""What a learner does in a widget, as text: `task_text(record)` for a game's state and for a program of pieces. No state."""

from __future__ import annotations

from ..messages import message
from ..records import ArrangedRecord, PlayedRecord, PuzzleRecord


def task_text(record: PlayedRecord | PuzzleRecord | ArrangedRecord, lang: str | None = None) -> str:
    """The last answer and the score; the pieces that there are; the program that they make."""
    if isinstance(record, PuzzleRecord):
        return "\n".join([*([record.prompt] if record.prompt else []), *(piece.code for piece in record.pieces)])
    if isinstance(record, ArrangedRecord):
        return "\n".join("    " * line.indent + line.text for line in record.lines)
    move = record.move
    said = [] if move is None else [message(f"play.{move.code}", lang, **move.params)]
    score = message("play.score", lang, legal=record.legal, illegal=record.illegal, hints=record.hints)
    return "\n".join([*said, score])


__all__ = ["task_text"]
