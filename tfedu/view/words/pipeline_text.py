"""An input pipeline in words: `pipeline_text(record)`, `pipeline_table(pipe)`, and the sentence of each move.

The sentences are those of the widget's live line (widgets/src/panels/pipeline-sentences.ts). No state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from ..labels import cells, shorten
from ..messages import message
from ..records import FlowingRecord, PipelineRecord, PipeRecord, SentenceRecord

MOVES: Final = 60  # moves that a text lists
NAME: Final = 56
COLUMNS: Final = ("stage", "cost", "busy", "starved", "idle", "made", "per_second")


def pipeline_text(record: PipelineRecord, lang: str | None = None) -> str:
    """For each pipeline its moves, what it does to order and epochs, and its times; then how two of them differ."""
    lines: list[str] = []
    for pipe in record.pipes:
        lines.append(f"{pipe.title}:")
        texts = islice(moves(pipe, lang), MOVES)
        lines.extend(f"{moment.time:g} ms: {text}" for moment, text in zip(pipe.moments, texts, strict=False))
        if len(pipe.moments) > MOVES:
            lines.append(f"… +{len(pipe.moments) - MOVES}")
        lines.extend(finding_text(found, lang) for found in pipe.findings)
        lines.append(pipeline_table(pipe, lang))
    lines.extend(finding_text(found, lang) for found in record.differs)
    return "\n".join(lines)


def stage_name(pipe: PipeRecord, id: int, lang: str | None = None) -> str:
    """The call of a stage, or the name of the consumer."""
    return shorten(pipe.stages[id].label, NAME) or message("pipeline.consumer", lang)


def _brief_name(pipe: PipeRecord, id: int, lang: str | None) -> str:
    """Its name in the sentence of a move: the call without its arguments, or all of it where two stages would share a name."""
    briefs = [re.sub(r"\([^()]*\)", "", stage.label) for stage in pipe.stages]
    if briefs.count(briefs[id]) > 1:
        return stage_name(pipe, id, lang)
    return shorten(briefs[id], NAME) or message("pipeline.consumer", lang)


def finding_text(found: SentenceRecord, lang: str | None = None) -> str:
    """A sentence about a pipeline."""
    return message(f"pipeline.{found.code}", lang, **found.params)


def element_text(element: FlowingRecord, epochs: bool) -> str:
    """An element as its chip shows it. epochs: whether there are several."""
    epoch = f" ↻{element.epoch + 1}" if epochs and element.epoch is not None else ""
    return f"#{element.index} {shorten(element.text, 16)}{epoch}"


def has_epochs(pipe: PipeRecord) -> bool:
    """Whether elements of a second pass over the source came."""
    return any(element.epoch for element in pipe.elements)


def moves(pipe: PipeRecord, lang: str | None = None) -> Iterator[str]:
    """A sentence for each moment."""
    passes: dict[int, int] = {}
    epochs = has_epochs(pipe)
    for moment in pipe.moments:
        name = _brief_name(pipe, moment.stage, lang)
        if moment.code == "error":
            code = "skipped" if pipe.error is None else "error"
            yield message(f"pipeline.live.{code}", lang, stage=name, error=pipe.error or "")
        elif moment.code == "end":
            passes[moment.stage] = passes.get(moment.stage, 0) + 1
            is_source = not pipe.stages[moment.stage].inputs
            yield message(f"pipeline.live.{'pass_ends' if is_source else 'over'}", lang, stage=name, n=passes[moment.stage])
        else:
            assert moment.element is not None
            element = pipe.elements[moment.element]
            code = "move_epoch" if epochs and element.epoch is not None else "move"
            yield message(
                f"pipeline.live.{code}", lang, stage=name, n=element.index, value=element.text,
                epoch=(element.epoch or 0) + 1, to=_brief_name(pipe, element.to, lang),
            )  # fmt: skip


def pipeline_table(pipe: PipeRecord, lang: str | None = None) -> str:
    """How each stage spends the time, in milliseconds, as a table."""
    rows = [[message(f"pipeline.time.{name}", lang) for name in COLUMNS]]
    for stage in pipe.stages:
        name = stage_name(pipe, stage.id, lang)
        shown = message("pipeline.time.pace", lang, stage=name) if stage.id == pipe.bottleneck else name
        numbers = (stage.cost, stage.busy, stage.starved, stage.idle, stage.made, rate(stage.made, pipe.total))
        rows.append([shown, *(f"{number:g}" for number in numbers)])
    widths = [max(cells(row[at]) for row in rows) for at in range(len(COLUMNS))]
    lines = []
    for row in rows:
        padded = [" " * (width - cells(text)) + text for text, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([row[0] + " " * (widths[0] - cells(row[0])), *padded]))
    return "\n".join([*lines, message("pipeline.time.unit", lang, total=f"{pipe.total:g}")])


def rate(made: int, total: float) -> float:
    """Elements per second of the clock."""
    return round(1000 * made / total, 1) if total else 0.0


__all__ = ["element_text", "finding_text", "has_epochs", "moves", "pipeline_table", "pipeline_text", "rate", "stage_name"]
