"""Tensors drawn element by element, for pages without a kernel: `element_sheet(record, title)`.

One element of the output is the example: frames are around what it reads, and its formula is below. Cells outside of a tensor
(padding, repeated elements) have dotted borders. The places of the tensors are the record's, their sizes are found here as in
widgets/src/layout/element-grids.ts. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ..labels import fit, shorten, visible, width
from ..records import CellsRecord, ReadsRecord
from ..words.reads_text import (
    answer_texts,
    element_texts,
    gradient_text,
    origin,
    question_text,
)
from .graph_drawing import SMALL, TITLE, Sheet, wrapped, write
from .layout_levels import Rect
from .marks import DARK, HEAT, LIGHT, number, rounded

CELL_WIDTH: Final = 50.0
CELL_HEIGHT: Final = 30.0
GAP: Final = 2.0  # between cells
BETWEEN: Final = 32.0  # columns, and panels with half of it
HEADING: Final = 38.0  # name and origin of a tensor
LABEL: Final = 16.0  # of a slice
LEAST: Final = 480.0  # the width of the sheet
WIDEST: Final = 120.0  # room for a tensor's name and origin
FAINTEST: Final = 3  # steps of the scale of colours: text stays legible on them


class Grid(NamedTuple):
    """A tensor's place: its corner, and that of each of its panels' cells."""

    x: float
    y: float
    panels: tuple[tuple[float, float], ...]


def element_sheet(record: ReadsRecord, title: str, lang: str | None = None) -> Sheet:
    """The tensors with the example, its formula, the question and the answers."""
    top = 30.0 if title else 10.0
    grids, right, bottom = _grids(record, 14.0, top + 4, lang)
    parts = [write(14, 18, fit(title, LEAST - 28, TITLE), TITLE, anchor="start", weight=600)] if title else []
    example = (len(record.tensors) - 1, record.example)
    element = record.tensors[-1].elements[record.example]
    read = {(item.tensor, item.at) for item in element.reads}
    for at, (tensor, grid) in enumerate(zip(record.tensors, grids, strict=True)):
        parts.extend(_heading(record, tensor, grid, lang))
        for panel, place in enumerate(grid.panels):
            parts.extend(_cells(tensor, at, panel, place, read, example))
    for frame in element.windows:
        x, y = grids[frame.tensor].panels[frame.panel]
        around = Rect(
            x + frame.column * (CELL_WIDTH + GAP) - GAP,
            y + frame.row * (CELL_HEIGHT + GAP) - GAP,
            frame.width * (CELL_WIDTH + GAP) + GAP,
            frame.height * (CELL_HEIGHT + GAP) + GAP,
        )
        parts.append(_frame(around, 4.0))
    sentences = [*element_texts(record, *example, lang), *_first_gradient(record)]
    for answer in record.answers:
        sentences.extend(answer_texts(record, answer, lang))
    if record.prompt:
        sentences.append(visible(record.prompt[:400]))
    if question := question_text(record, lang):
        sentences.append(question)
    sheet_width = max(right + 14, LEAST)
    y = bottom + 18
    for text in sentences:
        for line in wrapped(text, sheet_width - 28, SMALL + 1):
            parts.append(write(14, y, line, SMALL + 1, anchor="start"))
            y += 17
    parts.append(f"<style>@media (prefers-color-scheme:dark){{.tfedu-svg .tfedu-active{{stroke:{DARK['active']}}}}}</style>")
    description = " ".join([record.line, *sentences])
    return Sheet("".join(parts), sheet_width, y, description[:2000])


def _first_gradient(record: ReadsRecord) -> list[str]:
    """The gradient of the first element that the example reads."""
    for read in record.tensors[-1].elements[record.example].reads[:1]:
        if text := gradient_text(record, read.tensor, read.at):
            return [text]
    return []


# -- places --------------------------------------------------------------------------------------------------------


def _grids(record: ReadsRecord, left: float, top: float, lang: str | None) -> tuple[list[Grid], float, float]:
    """The places of all tensors, and the right and lower edge."""
    labelled = LABEL if any(panel.label for tensor in record.tensors for panel in tensor.panels) else 0.0
    sizes = [_size(record, tensor, labelled, lang) for tensor in record.tensors]
    columns = sorted({tensor.column for tensor in record.tensors})
    lanes = sorted({tensor.lane for tensor in record.tensors})
    x, y = left, top
    xs: dict[int, float] = {}
    ys: dict[int, float] = {}
    for column in columns:
        xs[column] = x
        x += max(size[0] for size, t in zip(sizes, record.tensors, strict=True) if t.column == column) + BETWEEN
    for lane in lanes:
        ys[lane] = y
        y += max(size[1] for size, t in zip(sizes, record.tensors, strict=True) if t.lane == lane) + BETWEEN / 2
    heights = {lane: max(s[1] for s, t in zip(sizes, record.tensors, strict=True) if t.lane == lane) for lane in lanes}
    grids = []
    for tensor, (_, height) in zip(record.tensors, sizes, strict=True):
        # In one lane alone, tensors stand in its middle; under a second factor, which stands near, rows and columns have to meet.
        spare = heights[tensor.lane] - height
        down = spare / 2 if len(lanes) == 1 else spare if tensor.lane < 0 else 0.0
        at_x, at_y = xs[tensor.column], ys[tensor.lane] + down
        panels = []
        panel_x = at_x
        for panel in tensor.panels:
            panels.append((panel_x, at_y + HEADING + labelled))
            panel_x += len(panel.cells[0]) * (CELL_WIDTH + GAP) - GAP + BETWEEN / 2
        grids.append(Grid(at_x, at_y, tuple(panels)))
    return grids, x - BETWEEN, y - BETWEEN / 2


def _size(record: ReadsRecord, tensor: CellsRecord, labelled: float, lang: str | None) -> tuple[float, float]:
    across = sum(len(panel.cells[0]) * (CELL_WIDTH + GAP) - GAP for panel in tensor.panels)
    across += BETWEEN / 2 * (len(tensor.panels) - 1)
    words = min(WIDEST, max(width(_name(tensor), TITLE) * 1.12, width(origin(record, tensor, lang), SMALL)))
    down = max(len(panel.cells) for panel in tensor.panels) * (CELL_HEIGHT + GAP) - GAP
    return max(across, words), HEADING + labelled + down


def _name(tensor: CellsRecord) -> str:
    return shorten(tensor.name, 24) + ("ᵀ" if tensor.turned else "")


# -- marks ---------------------------------------------------------------------------------------------------------


def _heading(record: ReadsRecord, tensor: CellsRecord, grid: Grid, lang: str | None) -> Iterable[str]:
    room = max(WIDEST, sum(len(panel.cells[0]) for panel in tensor.panels) * (CELL_WIDTH + GAP))
    yield write(grid.x, grid.y + 8, fit(_name(tensor), room, TITLE), TITLE, anchor="start", weight=600)
    yield write(grid.x, grid.y + 25, fit(origin(record, tensor, lang), room, SMALL), SMALL, tone="muted", anchor="start")
    for panel, (x, y) in zip(tensor.panels, grid.panels, strict=True):
        if panel.label:
            yield write(x, y - 9, panel.label, SMALL, tone="muted", anchor="start")


def _cells(
    tensor: CellsRecord,
    number_of_tensor: int,
    number_of_panel: int,
    place: tuple[float, float],
    read: set[tuple[int, int]],
    example: tuple[int, int],
) -> Iterable[str]:
    panel = tensor.panels[number_of_panel]
    top, left, height, across = panel.inside
    for r, row in enumerate(panel.cells):
        for c, at in enumerate(row):
            x, y = place[0] + c * (CELL_WIDTH + GAP), place[1] + r * (CELL_HEIGHT + GAP)
            is_inside = top <= r < top + height and left <= c < left + across
            rect = Rect(x, y, CELL_WIDTH, CELL_HEIGHT)
            text = "" if at < 0 else tensor.elements[at].text or "?"
            if is_inside and tensor.elements[at].text:
                level = max(0, tensor.elements[at].level) * FAINTEST // 8
                yield f'<path class="tfedu-heat-{level}" fill="{HEAT[level][0]}" d="{rounded(rect, 3)}"/>'
            else:
                yield (
                    f'<path class="tfedu-pill" fill="{LIGHT["paper"]}" stroke="{LIGHT["muted"]}" stroke-dasharray="2 3" '
                    f'd="{rounded(Rect(x + 0.5, y + 0.5, CELL_WIDTH - 1, CELL_HEIGHT - 1), 3)}"/>'
                )
            if text:
                tone, weight = ("ink", 600 if (number_of_tensor, at) == example else 400) if is_inside else ("muted", 400)
                yield write(x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2, fit(text, CELL_WIDTH - 2, SMALL + 1), SMALL + 1,
                            tone=tone, weight=weight)  # fmt: skip
            if is_inside and (number_of_tensor, at) == example:
                yield _frame(rect, 3.0)
            elif is_inside and (number_of_tensor, at) in read:
                yield _frame(rect, 3.0, 1.5)


def _frame(rect: Rect, radius: float, thick: float = 2.5) -> str:
    return (
        f'<path class="tfedu-active" fill="none" stroke="{LIGHT["active"]}" stroke-width="{number(thick)}" '
        f'd="{rounded(rect, radius)}"/>'
    )


__all__ = ["element_sheet"]
