"""A learner's task in words: the state of a game, the pieces of a puzzle, the program that they make. No state."""

from __future__ import annotations

from ..messages import message
from ..records import ArrangedRecord, PlayedRecord, PuzzleRecord


def played_text(record: PlayedRecord, lang: str | None = None) -> str:
    """The answer to the last move, and the score."""
    move = record.move
    lines = [] if move is None else [message(f"play.{move.code}", lang, **move.params)]
    lines.append(message("play.score", lang, legal=record.legal, illegal=record.illegal, hints=record.hints))
    return "\n".join(lines)


def puzzle_text(record: PuzzleRecord, lang: str | None = None) -> str:
    """The prompt, and the code of each piece."""
    return "\n".join([*([record.prompt] if record.prompt else []), *(piece.code for piece in record.pieces)])


def arranged_text(record: ArrangedRecord, lang: str | None = None) -> str:
    """The program that the pieces make."""
    return "\n".join("    " * line.indent + line.text for line in record.lines)


__all__ = ["arranged_text", "played_text", "puzzle_text"]
