"""Input pipelines drawn for pages without a kernel: the stages as boxes, what the consumer received, and who works when.

No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def pipeline_sheet(
    record: PipelineRecord,
    title: str,
    lang: str | None = None,
    moments: Sequence[int] | None = None,
    time: float = 0.0,
    texts: Sequence[str] = (),
) -> Sheet:
    """The pipelines one under the other, on the same clock, each with its sentences.

    moments: for each pipeline how many of its moments have passed at `time`; then each stage has the elements that it holds, the
    clock the work so far, and `texts` stand for the sentences about the whole.
    """
    parts = [write(MARGIN, 18, fit(title, WIDTH - 28, TITLE), TITLE, anchor="start", weight=600)]
    y = 34.0
    total = max((pipe.total for pipe in record.pipes), default=0.0)
    described: list[str] = []
    if moments is not None:
        y = _sentences(texts, y, parts, 2, 3)
        described.extend(texts)
    for at, pipe in enumerate(record.pipes):
        passed = None if moments is None else moments[at]
        if len(record.pipes) > 1:
            parts.append(write(MARGIN, y + 8, fit(pipe.title, WIDTH - 28, SMALL + 1), SMALL + 1, anchor="start", weight=600))
            y += 24
        y = _boxes(pipe, y, lang, parts, passed)
        consumed = [each for each in pipe.elements if pipe.stages[each.to].kind == "consumer"]
        received = [element_text(each, has_epochs(pipe)) for each in consumed if passed is None or each.comes < passed]
        line = f"{message('pipeline.received', lang)} {', '.join(received) or message('pipeline.nothing_received', lang)}"
        findings = [finding_text(found, lang) for found in pipe.findings] if passed is None else []
        y = _sentences([line], y, parts, LINES, 0 if passed is None else LINES + 1)
        y = _clock(pipe, total, y, lang, parts, None if passed is None else time)
        y = _sentences(findings, y, parts) + 10
        described.extend([f"{pipe.title}.", *findings])
    if moments is not None:
        return Sheet("".join(parts), WIDTH, y + 6, " ".join(described)[:2000])
    differs = [finding_text(found, lang) for found in record.differs]
    y = _sentences(differs, y, parts)
    return Sheet("".join(parts), WIDTH, y + 6, " ".join([*described, *differs])[:2000])


def _boxes(pipe: PipeRecord, y: float, lang: str | None, parts: list[str], passed: int | None) -> float:
    """The stages in rows, with a line to the next one. passed: as many moments, after which elements are where they are."""
    shown = [stage for stage in pipe.stages if not stage.inner]
    x = MARGIN
    for at, stage in enumerate(shown):
        name = stage_name(pipe, stage.id, lang)
        across = min(max(BOX_LEAST, width(name, SMALL + 1) + 20), 220.0)
        if x + across > WIDTH - MARGIN and x > MARGIN:
            x, y = MARGIN, y + BOX_HEIGHT + BOX_GAP
        is_slowest = passed is None and stage.id == pipe.bottleneck
        stroke = f'class="tfedu-op" fill="#ffffff" stroke="{LIGHT["ink" if is_slowest else "muted"]}"'
        thick = ' stroke-width="2.5"' if is_slowest else ""
        parts.append(f'<path {stroke}{thick} d="{rounded(Rect(x, y, across, BOX_HEIGHT), 8)}"/>')
        parts.append(write(x + across / 2, y + 17, fit(name, across - 12, SMALL + 1), SMALL + 1, weight=600))
        below = f"{stage.busy:g} ms"
        if is_slowest:
            below = message("pipeline.time.pace", lang, stage=below)
        if passed is not None:
            below = _held_text(pipe, stage.id, passed)
        parts.append(write(x + across / 2, y + 35, fit(below, across - 8, SMALL), SMALL, tone="muted"))
        if at + 1 < len(shown):
            points = [(x + across + 2, y + BOX_HEIGHT / 2), (x + across + BOX_GAP - 2, y + BOX_HEIGHT / 2)]
            line = f'stroke="{LIGHT["ink"]}" fill="none"'
            parts.append(f'<path class="tfedu-line-data" {line} d="{curve(points, True)}"/>')
            parts.append(f'<path class="tfedu-head-data" fill="{LIGHT["ink"]}" d="{head("data", points, True)}"/>')
        x += across + BOX_GAP
    return y + BOX_HEIGHT + 12


def _held_text(pipe: PipeRecord, stage: int, passed: int) -> str:
    """The elements in a stage after so many moments, the newest first."""
    came = [each for each in pipe.elements if each.to == stage and each.comes < passed]
    if pipe.stages[stage].kind == "consumer":
        return element_text(came[-1], has_epochs(pipe)) if came else ""
    held = [each for each in came if each.goes is None or each.goes >= passed]
    return " ".join(element_text(each, has_epochs(pipe)) for each in reversed(held))


def _clock(pipe: PipeRecord, total: float, y: float, lang: str | None, parts: list[str], until: float | None) -> float:
    """A line for each lane, with the work in it. until: the time at which the work is cut off."""
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
        end = work.end if until is None else min(work.end, until)
        if place is not None and (until is None or work.start < until):
            across = max((end - work.start) * scale - 1, 0.8)
            rect = f'x="{number(left + work.start * scale)}" y="{number(place + 2)}" width="{number(across)}"'
            parts.append(f'<rect class="tfedu-heat-6" fill="#c1794f" {rect} height="{number(LANE - 4)}"/>')
    y += LANE * len(rows)
    for time, anchor in ((0.0, "start"), (total, "end")):
        parts.append(write(left + time * scale, y + 8, f"{time:g} ms", SMALL, tone="muted", anchor=anchor))
    return y + 24


def _sentences(texts: Iterable[str], y: float, parts: list[str], most: int | None = None, least: int = 0) -> float:
    """most: lines of each text; least: lines that there is room for."""
    top = y
    for text in texts:
        lines = wrapped(text, WIDTH - 28, SMALL + 1)
        for line in lines[:most]:
            parts.append(write(MARGIN, y + 8, line, SMALL + 1, anchor="start"))
            y += 17
        if most is not None and len(lines) > most:
            parts.append(write(MARGIN, y + 8, "…", SMALL + 1, anchor="start"))
            y += 17
    return max(y, top + 17 * least) + 4


__all__ = ["pipeline_sheet"]
