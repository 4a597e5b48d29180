"""A value drawn for pages without a kernel: `value_sheet(record, title)` shows the first look that the record has numbers for.

Signs stand for elements that are not finite. No state.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ..labels import fit, visible, width
from ..records import BarRecord, GalleryRecord, GridRecord, TensorRecord
from ..words.value_text import bar_label, captions, first_look, head_text
from .graph_drawing import SMALL, TITLE, Sheet, wrapped, write
from .marks import HEAT, LIGHT, number

# In a cell of a heat map without a finite element; the same as in the front end (widgets/src/draw/heat-cell.ts).
SIGNS: Final = {-1: "×", -2: "±∞", -3: "−∞", -4: "+∞", -5: "–"}
WIDTH: Final = 480.0  # of a sheet at least, in pixels
# The width of a heat map's cell where there are few; the whole is at most so wide.
CELL: Final = 20.0
HEAT_WIDTH: Final = 480.0
LEGIBLE: Final = 12.0  # a narrower cell has no room for a sign
BAR: Final = 17.0
LINE: Final = 48  # characters of a string in one line
STRING: Final = 20 * LINE


class Body(NamedTuple):
    """The elements of a look, and the right and lower edge of the room that they take."""

    parts: list[str]
    right: float
    bottom: float


def value_sheet(record: TensorRecord, title: str, lang: str | None = None) -> Sheet:
    """The value under its title, and the captions."""
    look = first_look(record)
    head = head_text(record, lang)
    sentences = captions(record, look, lang)
    parts = [write(14, 18, fit(title, WIDTH - 28, 13), 13, anchor="start", weight=600)] if title else []
    y = 30.0 if title else 8.0
    parts.append(write(14, y + 8, fit(head, WIDTH - 28, SMALL + 1), SMALL + 1, tone="muted", anchor="start"))
    y += 24
    if look == "heat" and record.heat is not None:
        body = _heat(record.heat, y)
    elif look == "table" and record.table is not None:
        body = _table(record.table, y)
    elif look == "histogram" and record.bars is not None:
        body = _histogram(record.bars, y)
    elif look == "image" and record.gallery is not None:
        body = _images(record.gallery, y)
    else:
        body = _string(record.text, y)
    sheet_width = max(body.right, WIDTH)
    y = body.bottom
    parts.extend(body.parts)
    for text in sentences:
        for line in wrapped(text, sheet_width - 28, SMALL + 1):
            parts.append(write(14, y + 10, line, SMALL + 1, anchor="start"))
            y += 16
    description = ". ".join(text.rstrip(".。") for text in (head, *sentences)) + "."
    return Sheet("".join(parts), sheet_width, y + 14, description)


def _string(text: str, y: float) -> Body:
    text = visible(text[:STRING])
    lines = [text[at : at + LINE] for at in range(0, len(text), LINE)]
    parts = [write(14, y + 8 + 17 * at, line, TITLE, anchor="start", mono=True) for at, line in enumerate(lines)]
    return Body(parts, WIDTH, y + 17 * len(lines) + 4)


def _table(grid: GridRecord, y: float) -> Body:
    columns = range(len(grid.columns))
    widths = [
        max(width(visible(text), SMALL + 1) for text in (grid.columns[at], *(row[at] for row in grid.cells))) + 16
        for at in columns
    ]
    left = 14 + max((width(row, SMALL + 1) for row in grid.rows), default=0) + 6
    ends = [left + sum(widths[: at + 1]) for at in columns]
    parts = [_small(end - 4, y + 8, grid.columns[at], "end") for at, end in zip(columns, ends, strict=True)]
    if any(grid.columns):
        y += 18
    for name, row in zip(grid.rows, grid.cells, strict=True):
        parts.append(_small(left - 6, y + 8, name, "end"))
        for end, cell in zip(ends, row, strict=True):
            parts.append(write(end - 4, y + 8, visible(cell), SMALL + 1, anchor="end", mono=True))
        y += 18
    return Body(parts, (ends[-1] if ends else left) + 14, y + 6)


def _small(x: float, y: float, text: str, anchor: str) -> str:
    return write(x, y, text, SMALL, tone="muted", anchor=anchor)


def _heat(grid: GridRecord, y: float) -> Body:
    left = 18 + max((width(row, SMALL) for row in grid.rows), default=0)
    parts = []
    cell = max(6.0, min(CELL, HEAT_WIDTH / max(1, len(grid.columns))))
    labelled = max(1, -(-len(grid.columns) // 8))  # every how many columns has a label
    for at in range(0, len(grid.columns), labelled):
        parts.append(_small(left + cell * (at + 0.5), y + 6, grid.columns[at].partition("–")[0], "middle"))
    y += 16
    for row, levels in enumerate(grid.levels):
        if row % max(1, -(-len(grid.rows) // 16)) == 0:
            parts.append(_small(left - 4, y + cell / 2, grid.rows[row], "end"))
        for column, level in enumerate(levels):
            parts.append(_heat_cell(left + cell * column, y, level, cell, cell))
        y += cell
    y += 10
    parts.append(_small(left, y + 6, grid.low, "start"))
    scale = left + width(grid.low, SMALL) + 8
    for level in range(9):
        parts.append(_heat_cell(scale + 14 * level, y, level, 14.0, 12.0))
    parts.append(_small(scale + 14 * 9 + 8, y + 6, grid.high, "start"))
    right = max(left + cell * len(grid.columns), scale + 14 * 9 + 12 + width(grid.high, SMALL)) + 14
    return Body(parts, right, y + 22)


def _heat_cell(x: float, y: float, level: int, cell_width: float, height: float) -> str:
    where = f'x="{number(x)}" y="{number(y)}" width="{number(cell_width)}" height="{number(height)}"'
    if level < 0:
        frame = f'<rect class="tfedu-pill" {where} fill="{LIGHT["paper"]}" stroke="{LIGHT["muted"]}"/>'
        if cell_width < LEGIBLE:
            return frame
        return frame + write(x + cell_width / 2, y + height / 2, SIGNS[level], SMALL, weight=600)
    return f'<rect class="tfedu-heat-{level}" {where} fill="{HEAT[level][0]}"/>'


def _histogram(bars: tuple[BarRecord, ...], y: float) -> Body:
    labels = [bar_label(bar) for bar in bars]
    left = 18 + max((width(label, SMALL) for label in labels), default=0)
    most = max((bar.count for bar in bars), default=0)
    parts = []
    for label, bar in zip(labels, bars, strict=True):
        length = 240 * bar.count / most if most else 0.0
        rect = f'x="{number(left)}" y="{number(y + 2)}" width="{number(max(length, 0.6))}" height="{number(BAR - 4)}"'
        parts.append(_small(left - 6, y + BAR / 2, label, "end"))
        parts.append(f'<rect class="tfedu-ink" {rect} fill="{LIGHT["ink"]}" fill-opacity="0.55"/>')
        parts.append(_small(left + length + 6, y + BAR / 2, str(bar.count), "start"))
        y += BAR
    return Body(parts, left + 320, y + 6)


def _images(gallery: GalleryRecord, y: float) -> Body:
    parts = []
    x, tallest = 14.0, 0.0
    for image in gallery.images:
        scale = max(1, int(112 / max(image.width, image.height)))
        size = f'width="{image.width * scale}" height="{image.height * scale}"'
        parts.append(
            f'<image x="{number(x)}" y="{number(y)}" {size} href="data:image/png;base64,{image.data}" '
            f'style="image-rendering:pixelated"/>'
        )
        if image.label:
            parts.append(_small(x, y + image.height * scale + 9, image.label, "start"))
        x += image.width * scale + 10
        tallest = max(tallest, image.height * scale + (18.0 if image.label else 4.0))
    return Body(parts, x + 4, y + tallest + 4)


__all__ = ["SIGNS", "value_sheet"]
