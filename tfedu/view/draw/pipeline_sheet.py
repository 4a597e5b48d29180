"""Input pipelines drawn for pages without a kernel: the stages as boxes, what the consumer received, and who works when.

No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..labels import fit, width
from ..messages import message
from ..records import PipelineRecord, PipeRecord
from ..words.pipeline_text import element_text, finding_text, has_epochs, stage_name
from .graph_drawing import SMALL, TITLE, Sheet, wrapped, write
from .layout_levels import Rect
from .marks import LIGHT, curve, head, number, rounded

WIDTH: Final = 760.0
MARGIN: Final = 14.0
BOX_HEIGHT: Final = 50.0
BOX_GAP: Final = 22.0
BOX_LEAST: Final = 96.0
NAMES: Final = 190.0  # of lanes
LANE: Final = 15.0
LANES: Final = 24  # that are drawn
LINES: Final = 3  # of what was received


def pipeline_sheet(record: PipelineRecord, title: str, lang: str | None = None) -> Sheet:
    """The pipelines one under the other, on the same clock, each with its sentences."""
    parts = [write(MARGIN, 18, fit(title, WIDTH - 28, TITLE), TITLE, anchor="start", weight=600)]
    y = 34.0
    total = max((pipe.total for pipe in record.pipes), default=0.0)
    described: list[str] = []
    for pipe in record.pipes:
        if len(record.pipes) > 1:
            parts.append(write(MARGIN, y + 8, fit(pipe.title, WIDTH - 28, SMALL + 1), SMALL + 1, anchor="start", weight=600))
            y += 24
        y = _boxes(pipe, y, lang, parts)
        received = [element_text(each, has_epochs(pipe)) for each in pipe.elements if pipe.stages[each.to].kind == "consumer"]
        line = f"{message('pipeline.received', lang)} {', '.join(received) or message('pipeline.nothing_received', lang)}"
        texts = [finding_text(found, lang) for found in pipe.findings]
        y = _sentences([line], y, parts, LINES)
        y = _clock(pipe, total, y, lang, parts)
        y = _sentences(texts, y, parts) + 10
        described.extend([f"{pipe.title}.", *texts])
    differs = [finding_text(found, lang) for found in record.differs]
    y = _sentences(differs, y, parts)
    return Sheet("".join(parts), WIDTH, y + 6, " ".join([*described, *differs])[:2000])


def _boxes(pipe: PipeRecord, y: float, lang: str | None, parts: list[str]) -> float:
    """The stages in rows, with a line to the next one."""
    shown = [stage for stage in pipe.stages if not stage.inner]
    x = MARGIN
    for at, stage in enumerate(shown):
        name = stage_name(pipe, stage.id, lang)
        across = min(max(BOX_LEAST, width(name, SMALL + 1) + 20), 220.0)
        if x + across > WIDTH - MARGIN and x > MARGIN:
            x, y = MARGIN, y + BOX_HEIGHT + BOX_GAP
        is_slowest = stage.id == pipe.bottleneck
        stroke = f'class="tfedu-op" fill="#ffffff" stroke="{LIGHT["ink" if is_slowest else "muted"]}"'
        thick = ' stroke-width="2.5"' if is_slowest else ""
        parts.append(f'<path {stroke}{thick} d="{rounded(Rect(x, y, across, BOX_HEIGHT), 8)}"/>')
        parts.append(write(x + across / 2, y + 17, fit(name, across - 12, SMALL + 1), SMALL + 1, weight=600))
        below = f"{stage.busy:g} ms"
        if is_slowest:
            below = message("pipeline.time.pace", lang, stage=below)
        parts.append(write(x + across / 2, y + 35, fit(below, across - 8, SMALL), SMALL, tone="muted"))
        if at + 1 < len(shown):
            points = [(x + across + 2, y + BOX_HEIGHT / 2), (x + across + BOX_GAP - 2, y + BOX_HEIGHT / 2)]
            line = f'stroke="{LIGHT["ink"]}" fill="none"'
            parts.append(f'<path class="tfedu-line-data" {line} d="{curve(points, True)}"/>')
            parts.append(f'<path class="tfedu-head-data" fill="{LIGHT["ink"]}" d="{head("data", points, True)}"/>')
        x += across + BOX_GAP
    return y + BOX_HEIGHT + 12


def _clock(pipe: PipeRecord, total: float, y: float, lang: str | None, parts: list[str]) -> float:
    """A line for each lane, with the work in it."""
    lanes = sorted({(work.stage, work.lane) for work in pipe.work})[:LANES]
    scale = (WIDTH - 2 * MARGIN - NAMES) / (total or 1.0)
    left = MARGIN + NAMES
    rows = {lane: y + LANE * at for at, lane in enumerate(lanes)}
    for (stage, lane), top in rows.items():
        name = stage_name(pipe, stage, lang)
        text = name if lane == 0 else message("pipeline.lane", lang, stage=name, n=lane + 1)
        parts.append(write(left - 8, top + LANE / 2, fit(text, NAMES - 10, SMALL), SMALL, tone="muted", anchor="end"))
    for work in pipe.work:
        place = rows.get((work.stage, work.lane))
        if place is not None:
            across = max((work.end - work.start) * scale - 1, 0.8)
            rect = f'x="{number(left + work.start * scale)}" y="{number(place + 2)}" width="{number(across)}"'
            parts.append(f'<rect class="tfedu-heat-6" fill="#c1794f" {rect} height="{number(LANE - 4)}"/>')
    y += LANE * len(rows)
    for time, anchor in ((0.0, "start"), (total, "end")):
        parts.append(write(left + time * scale, y + 8, f"{time:g} ms", SMALL, tone="muted", anchor=anchor))
    return y + 24


def _sentences(texts: Iterable[str], y: float, parts: list[str], most: int | None = None) -> float:
    for text in texts:
        lines = wrapped(text, WIDTH - 28, SMALL + 1)
        for line in lines[:most]:
            parts.append(write(MARGIN, y + 8, line, SMALL + 1, anchor="start"))
            y += 17
        if most is not None and len(lines) > most:
            parts.append(write(MARGIN, y + 8, "…", SMALL + 1, anchor="start"))
            y += 17
    return y + 4


__all__ = ["pipeline_sheet"]
