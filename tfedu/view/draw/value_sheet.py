"""A value's look where there is no kernel: `value_text_of(record)` for a terminal, `value_sheet(record)` as a drawing.

Both show the first look that the record has the numbers of, and say of what: how many rows of how many, means of which
blocks. Signs tell what is no finite number. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..labels import cells, fit, shorten, visible, width
from ..messages import message
from ..records import GalleryRecord, GridRecord, Look, StatsRecord, TensorRecord
from .graph_drawing import SMALL, TITLE, wrapped, write
from .marks import LIGHT, number

# What stands in a cell of a heat map that is no finite number; the front end's own (widgets/src/draw/heat-cell.ts).
SIGNS: Final = {-1: "×", -2: "±∞", -3: "−∞", -4: "+∞", -5: "–"}
WIDE: Final = 480.0
CELL: Final = 20.0
BAR: Final = 17.0
LINE: Final = 48  # characters of a string in a line: Chinese ones take two places
STRING: Final = 20 * LINE


def shown_look(record: TensorRecord) -> Look:
    """The first look that the record has the numbers of."""
    has = {"table": record.table, "heat": record.heat, "image": record.gallery, "histogram": record.bars}
    found = [look for look in record.looks if look not in has or has[look] is not None]
    return found[0] if found else "name"


def head_text(record: TensorRecord, lang: str | None = None) -> str:
    """Dtype, shape, and how long a string is."""
    if not record.dtype:
        return record.text
    sizes = ", ".join(map(str, record.shape)) + ("," if len(record.shape) == 1 else "")
    text = message("value.dtype", lang, dtype=record.dtype, shape=f"({sizes})")
    return text if record.length is None else f"{text}, {message('value.length', lang, n=record.length)}"


def stats_texts(stats: StatsRecord | None, lang: str | None = None) -> list[str]:
    """All elements in a few numbers, in words."""
    if stats is None:
        return []
    if not stats.low:
        texts = [message("value.none_finite" if stats.count else "value.empty", lang, n=stats.count)]
    else:
        params = {"n": stats.count, "low": stats.low, "high": stats.high, "mean": stats.mean, "std": stats.std}
        texts = [message("value.stats", lang, **params)]
    odd = [("nan", stats.nan), ("inf", stats.inf), ("zero", stats.zero)]
    texts.extend(message(f"value.{what}", lang, n=n) for what, n in odd if n)
    return texts


def grid_texts(grid: GridRecord, lang: str | None = None) -> list[str]:
    """Which elements a table or heat map shows, in words."""
    texts = [message("value.part", lang, part=grid.part)] if grid.part else []
    if grid.block != (1, 1):
        rows, columns = grid.block
        texts.append(message("value.block", lang, rows=rows, columns=columns))
    elif grid.cells and (len(grid.rows), len(grid.columns)) != (grid.all_rows, grid.all_columns):
        shown = {"rows": len(grid.rows), "columns": len(grid.columns)}
        texts.append(message("value.first", lang, **shown, all_rows=grid.all_rows, all_columns=grid.all_columns))
    return texts


def gallery_texts(gallery: GalleryRecord, lang: str | None = None) -> list[str]:
    """What an image's greys mean, and what of it is left out, in words."""
    texts = [message("value.black_white", lang, black=gallery.black, white=gallery.white)]
    if len(gallery.images) < gallery.total:
        texts.append(message("value.images", lang, n=len(gallery.images), total=gallery.total))
    every = max(image.every for image in gallery.images)
    return [*texts, message("value.every", lang, n=every)] if every > 1 else texts


def _captions(record: TensorRecord, look: Look, lang: str | None) -> list[str]:
    grid = record.heat if look == "heat" else record.table if look == "table" else None
    texts = stats_texts(record.stats, lang)
    if grid is not None:
        texts.extend(grid_texts(grid, lang))
    if look == "image" and record.gallery is not None:
        texts.extend(gallery_texts(record.gallery, lang))
    return texts


# -- text ------------------------------------------------------------------------------------------------------------


def value_text_of(record: TensorRecord, lang: str | None = None) -> str:
    """Dtype and shape, the numbers about all elements, and a table, or bars of their counts."""
    look = shown_look(record)
    if look == "name":
        return record.text
    lines = [f"{shorten(record.name, 60)}: {head_text(record, lang)}" if record.name else head_text(record, lang)]
    if look in ("number", "string"):
        return "\n".join([*lines, f"  {record.text}"])
    if record.bars and look != "table":
        lines.extend(f"  {line}" for line in _bar_lines(record))
        look = "histogram"
    elif record.table is not None:
        lines.extend(f"  {line}" for line in _rows(record.table))
        look = "table"
    else:
        lines.append(f"  {record.text}")
    return "\n".join([*lines, *_captions(record, look, lang)])


def _rows(grid: GridRecord) -> Iterable[str]:
    columns = [[row[at] for row in grid.cells] for at in range(len(grid.columns))]
    heads = [grid.columns[at] for at in range(len(grid.columns))]
    wide = [max(cells(text) for text in (head, *column)) for head, column in zip(heads, columns, strict=True)]
    index = max((len(row) for row in grid.rows), default=0)
    if any(heads):
        yield " " * index + "".join("  " + _right(head, room) for head, room in zip(heads, wide, strict=True))
    for name, row in zip(grid.rows, grid.cells, strict=True):
        yield name.rjust(index) + "".join("  " + _right(cell, room) for cell, room in zip(row, wide, strict=True))


def _right(text: str, room: int) -> str:
    return " " * (room - cells(text)) + text


def _bar_lines(record: TensorRecord) -> Iterable[str]:
    bars = record.bars or ()
    most = max((bar.count for bar in bars), default=0)
    labels = [_span(bar.low, bar.high) for bar in bars]
    room = max((len(label) for label in labels), default=0)
    for label, bar in zip(labels, bars, strict=True):
        full = round(40 * bar.count / most) if most else 0
        yield f"{label.rjust(room)}  {'█' * full or ('▏' if bar.count else '')} {bar.count}".rstrip()


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low} … {high}"


# -- drawing ---------------------------------------------------------------------------------------------------------


def value_sheet(record: TensorRecord, title: str, lang: str | None = None) -> tuple[str, float, float, str]:
    """SVG of the value's look, width, height, and a description in words."""
    look = shown_look(record)
    words = [head_text(record, lang), *_captions(record, look, lang)]
    parts = [write(14, 18, fit(title, WIDE - 28, 13), 13, anchor="start", weight=600)] if title else []
    y = 30.0 if title else 8.0
    parts.append(write(14, y + 8, fit(words[0], WIDE - 28, SMALL + 1), SMALL + 1, tone="muted", anchor="start"))
    y += 24
    body: list[str]
    if look == "heat" and record.heat is not None:
        body, y, wide = _heat(record.heat, y)
    elif look == "table" and record.table is not None:
        body, y, wide = _table(record.table, y)
    elif look == "histogram" and record.bars is not None:
        body, y, wide = _histogram(record, y)
    elif look == "image" and record.gallery is not None:
        body, y, wide = _images(record.gallery, y)
    else:
        text = visible(record.text[:STRING])
        lines = [text[at : at + LINE] for at in range(0, len(text), LINE)]
        body = [write(14, y + 8 + 17 * at, line, TITLE, anchor="start", mono=True) for at, line in enumerate(lines)]
        y, wide = y + 17 * len(lines) + 4, WIDE
    wide = max(wide, WIDE)
    parts.extend(body)
    for text in words[1:]:
        for line in wrapped(text, wide - 28, SMALL + 1):
            parts.append(write(14, y + 10, line, SMALL + 1, anchor="start"))
            y += 16
    return "".join(parts), wide, y + 14, ". ".join(word.rstrip(".。") for word in words) + "."


def _table(grid: GridRecord, y: float) -> tuple[list[str], float, float]:
    columns = range(len(grid.columns))
    rooms = [
        max(width(visible(text), SMALL + 1) for text in (grid.columns[at], *(row[at] for row in grid.cells))) + 16
        for at in columns
    ]
    left = 14 + max((width(row, SMALL + 1) for row in grid.rows), default=0) + 6
    ends = [left + sum(rooms[: at + 1]) for at in columns]
    parts = [_small(end - 4, y + 8, grid.columns[at], "end") for at, end in zip(columns, ends, strict=True)]
    if any(grid.columns):
        y += 18
    for name, row in zip(grid.rows, grid.cells, strict=True):
        parts.append(_small(left - 6, y + 8, name, "end"))
        for end, cell in zip(ends, row, strict=True):
            parts.append(write(end - 4, y + 8, visible(cell), SMALL + 1, anchor="end", mono=True))
        y += 18
    return parts, y + 6, (ends[-1] if ends else left) + 14


def _small(x: float, y: float, text: str, anchor: str) -> str:
    return write(x, y, text, SMALL, tone="muted", anchor=anchor)


def _heat(grid: GridRecord, y: float) -> tuple[list[str], float, float]:
    left = 18 + max((width(row, SMALL) for row in grid.rows), default=0)
    parts = []
    every = max(1, -(-len(grid.columns) // 8))
    for at in range(0, len(grid.columns), every):
        parts.append(_small(left + CELL * (at + 0.5), y + 6, grid.columns[at].partition("–")[0], "middle"))
    y += 16
    for row, levels in enumerate(grid.levels):
        if row % max(1, -(-len(grid.rows) // 16)) == 0:
            parts.append(_small(left - 4, y + CELL / 2, grid.rows[row], "end"))
        for column, level in enumerate(levels):
            parts.append(_heat_cell(left + CELL * column, y, level))
        y += CELL
    y += 10
    parts.append(_small(left, y + 6, grid.low, "start"))
    bar = left + width(grid.low, SMALL) + 8
    for level in range(9):
        parts.append(_heat_cell(bar + 14 * level, y, level, 14.0, 12.0))
    parts.append(_small(bar + 14 * 9 + 8, y + 6, grid.high, "start"))
    return parts, y + 22, max(left + CELL * len(grid.columns), bar + 14 * 9 + 12 + width(grid.high, SMALL)) + 14


def _heat_cell(x: float, y: float, level: int, wide: float = CELL, high: float = CELL) -> str:
    where = f'x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}"'
    if level < 0:
        frame = f'<rect class="tfedu-pill" {where} fill="{LIGHT["paper"]}" stroke="{LIGHT["muted"]}"/>'
        return frame + write(x + wide / 2, y + high / 2, SIGNS[level], SMALL, weight=600)
    return f'<rect class="tfedu-ink" {where} fill="{LIGHT["ink"]}" fill-opacity="{0.04 + 0.11 * level:.2f}"/>'


def _histogram(record: TensorRecord, y: float) -> tuple[list[str], float, float]:
    bars = record.bars or ()
    labels = [_span(bar.low, bar.high) for bar in bars]
    left = 18 + max((width(label, SMALL) for label in labels), default=0)
    most = max((bar.count for bar in bars), default=0)
    parts = []
    for label, bar in zip(labels, bars, strict=True):
        long = 240 * bar.count / most if most else 0.0
        rect = f'x="{number(left)}" y="{number(y + 2)}" width="{number(max(long, 0.6))}" height="{number(BAR - 4)}"'
        parts.append(_small(left - 6, y + BAR / 2, label, "end"))
        parts.append(f'<rect class="tfedu-ink" {rect} fill="{LIGHT["ink"]}" fill-opacity="0.55"/>')
        parts.append(_small(left + long + 6, y + BAR / 2, str(bar.count), "start"))
        y += BAR
    return parts, y + 6, left + 320


def _images(gallery: GalleryRecord, y: float) -> tuple[list[str], float, float]:
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
    return parts, y + tallest + 4, x + 4


__all__ = ["SIGNS", "gallery_texts", "grid_texts", "head_text", "shown_look", "stats_texts", "value_sheet",
           "value_text_of"]  # fmt: skip
