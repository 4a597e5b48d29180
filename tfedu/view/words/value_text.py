"""A value in words: `value_lines(record)` for a terminal, and the sentences under its picture.

Text and picture show the first look that the record has numbers for, and say which part of the value that is: how many rows
of how many, or means over blocks of elements. No state.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..labels import cells, shorten
from ..messages import message
from ..records import BarRecord, GalleryRecord, GridRecord, Look, StatsRecord, TensorRecord


def first_look(record: TensorRecord) -> Look:
    """The first look that the record has numbers for."""
    numbers = {"table": record.table, "heat": record.heat, "image": record.gallery, "histogram": record.bars}
    return next((look for look in record.looks if look not in numbers or numbers[look] is not None), "name")


def head_text(record: TensorRecord, lang: str | None = None) -> str:
    """Dtype, shape, and the length of a string."""
    if not record.dtype:
        return record.text
    sizes = ", ".join(map(str, record.shape)) + ("," if len(record.shape) == 1 else "")
    text = message("value.dtype", lang, dtype=record.dtype, shape=f"({sizes})")
    return text if record.length is None else f"{text}, {message('value.length', lang, n=record.length)}"


def stats_texts(stats: StatsRecord | None, lang: str | None = None) -> list[str]:
    """The statistics of all elements as sentences."""
    if stats is None:
        return []
    if not stats.low:
        texts = [message("value.none_finite" if stats.count else "value.empty", lang, n=stats.count)]
    else:
        params = {"n": stats.count, "low": stats.low, "high": stats.high, "mean": stats.mean, "std": stats.std}
        texts = [message("value.stats", lang, **params)]
    counts = {"nan": stats.nan, "inf": stats.inf, "zero": stats.zero}
    texts.extend(message(f"value.{code}", lang, n=n) for code, n in counts.items() if n)
    return texts


def grid_texts(grid: GridRecord, lang: str | None = None) -> list[str]:
    """Which elements a table or heat map shows."""
    texts = [message("value.part", lang, part=grid.part)] if grid.part else []
    if grid.block != (1, 1):
        rows, columns = grid.block
        texts.append(message("value.block", lang, rows=rows, columns=columns))
    elif grid.cells and (len(grid.rows), len(grid.columns)) != (grid.all_rows, grid.all_columns):
        counts = {"rows": len(grid.rows), "columns": len(grid.columns)}
        texts.append(message("value.first", lang, **counts, all_rows=grid.all_rows, all_columns=grid.all_columns))
    return texts


def gallery_texts(gallery: GalleryRecord, lang: str | None = None) -> list[str]:
    """What an image's greys mean, and which images and pixels are left out."""
    texts = [message("value.black_white", lang, black=gallery.black, white=gallery.white)]
    if len(gallery.images) < gallery.total:
        texts.append(message("value.images", lang, n=len(gallery.images), total=gallery.total))
    every = max(image.every for image in gallery.images)
    return [*texts, message("value.every", lang, n=every)] if every > 1 else texts


def captions(record: TensorRecord, look: Look, lang: str | None = None) -> list[str]:
    """The sentences under a value that is shown in this look."""
    grid = {"heat": record.heat, "table": record.table}.get(look)
    texts = stats_texts(record.stats, lang)
    if grid is not None:
        texts.extend(grid_texts(grid, lang))
    if look == "image" and record.gallery is not None:
        texts.extend(gallery_texts(record.gallery, lang))
    return texts


def value_lines(record: TensorRecord, lang: str | None = None) -> str:
    """Dtype and shape, a table or the bars of a histogram, and the captions."""
    look = first_look(record)
    if look == "name":
        return record.text
    lines = [f"{shorten(record.name, 60)}: {head_text(record, lang)}" if record.name else head_text(record, lang)]
    if look in ("number", "string"):
        return "\n".join([*lines, f"  {record.text}"])
    if record.bars and look != "table":
        lines.extend(f"  {line}" for line in _bar_lines(record.bars))
        look = "histogram"
    elif record.table is not None:
        lines.extend(f"  {line}" for line in _table_lines(record.table))
        look = "table"
    else:
        lines.append(f"  {record.text}")
    return "\n".join([*lines, *captions(record, look, lang)])


def _table_lines(grid: GridRecord) -> Iterable[str]:
    columns = [[row[at] for row in grid.cells] for at in range(len(grid.columns))]
    widths = [max(map(cells, (head, *column))) for head, column in zip(grid.columns, columns, strict=True)]
    index = max(map(len, grid.rows), default=0)
    if any(grid.columns):
        yield " " * index + _table_line(grid.columns, widths)
    for name, row in zip(grid.rows, grid.cells, strict=True):
        yield name.rjust(index) + _table_line(row, widths)


def _table_line(texts: Iterable[str], widths: list[int]) -> str:
    """The texts of a row, each right-aligned in its column."""
    return "".join("  " + " " * (width - cells(text)) + text for text, width in zip(texts, widths, strict=True))


def _bar_lines(bars: tuple[BarRecord, ...]) -> Iterable[str]:
    most = max(bar.count for bar in bars)
    labels = [bar_label(bar) for bar in bars]
    room = max(map(len, labels))
    for label, bar in zip(labels, bars, strict=True):
        full = round(40 * bar.count / most) if most else 0
        yield f"{label.rjust(room)}  {'█' * full or ('▏' if bar.count else '')} {bar.count}".rstrip()


def bar_label(bar: BarRecord) -> str:
    """The interval of a histogram's bar."""
    return bar.low if bar.low == bar.high else f"{bar.low} … {bar.high}"


__all__ = ["bar_label", "captions", "first_look", "gallery_texts", "grid_texts", "head_text", "stats_texts", "value_lines"]
