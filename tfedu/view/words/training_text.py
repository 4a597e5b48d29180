"""Trainings in words: `training_text(record)` has the last value of each curve. No state."""

from __future__ import annotations

from ..labels import shorten
from ..messages import message
from ..records import TrainingRecord


def training_text(record: TrainingRecord, lang: str | None = None) -> str:
    """One line for each curve."""
    return "\n".join(curve_texts(record, lang)) or message("training.empty", lang)


def curve_texts(record: TrainingRecord, lang: str | None = None) -> list[str]:
    """For each curve a sentence with its last value."""
    names = run_names(record, lang)
    texts = []
    for curve in record.curves:
        points = [point for piece in curve.pieces for point in piece.points]
        last = "–"
        if points:
            step, _, value = points[-1]
            last = message("training.value_at", lang, value=axis_number(value), step=step)
        label = message("training.of_run", lang, tag=curve.tag, run=names[curve.run])
        texts.append(message("training.value", lang, run=label, value=last) + ".")
    return texts


def run_names(record: TrainingRecord, lang: str | None = None) -> list[str]:
    """The names of the runs; that of the log folder itself is translated."""
    return [message("training.root", lang) if run.name == "." else shorten(run.name, 40) for run in record.runs]


def axis_number(value: float, digits: int = 4) -> str:
    """A number as an axis writes it."""
    return f"{value:.{digits}g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")


__all__ = ["axis_number", "curve_texts", "run_names", "training_text"]
