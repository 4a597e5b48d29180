"""Trainings drawn for pages without a kernel: `training_sheet(record)` has curves, histograms, the last images and texts.

A run looks as in the widget: it has a dash and a mark of its own, and a colour that repeats them. No state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

from ..labels import fit, shorten, visible, width
from ..messages import message
from ..records import CurveRecord, HistogramsRecord, ImagesRecord, NotesRecord, TrainingRecord
from ..words.training_text import axis_number, curve_texts, run_names
from .graph_drawing import SMALL, TITLE, Sheet, notice_text, write
from .layout import Point
from .marks import DARK, LIGHT, number


class RunLook(NamedTuple):
    """How the lines of a run are drawn: colours on light and on dark paper, and an SVG dash array."""

    light: str
    dark: str
    dash: str


class Scale(NamedTuple):
    """An axis: the pixel of a value, and the values that have a tick."""

    place: Callable[[float], float]
    ticks: list[float]


# The same as in the front end (widgets/src/theme.css and draw/run-style.ts).
RUNS: Final = (
    RunLook("#0a58ca", "#6cb2ff", ""),
    RunLook("#b04a00", "#f5a05a", "7 4"),
    RunLook("#1a7f37", "#5ccb78", "2 3"),
    RunLook("#6a3cc0", "#bb9cf8", "9 3 2 3"),
    RunLook("#b4166b", "#ff8fc4", "14 4"),
    RunLook("#57606a", "#a3adb8", "5 2 1 2 1 2"),
)
MOST: Final = 12  # charts of one kind
WIDTH: Final = 400.0  # of one chart, in pixels
HEIGHT: Final = 230.0
LEFT, RIGHT, TOP, BOTTOM = 58.0, 390.0, 34.0, 188.0  # the axes inside a chart
_MARKS: Final = 7  # marks on one curve


def training_sheet(record: TrainingRecord, lang: str | None = None) -> Sheet:
    """All charts on one sheet, two beside each other."""
    names = run_names(record, lang)
    by_tag: dict[str, list[CurveRecord]] = {}
    for curve in record.curves:
        by_tag.setdefault(curve.tag, []).append(curve)

    def title(series: HistogramsRecord | ImagesRecord | NotesRecord) -> str:
        if len(names) < 2:
            return shorten(series.tag, 60)
        return message("training.of_run", lang, tag=series.tag, run=names[series.run])

    charts = [_curves(tag, curves, lang) for tag, curves in list(by_tag.items())[:MOST]]
    charts += [_bands(title(series), series, lang) for series in record.histograms[:MOST]]
    charts += [_image(title(series), series, lang) for series in record.images[:MOST]]
    charts += [_text(title(series), series, lang) for series in record.texts[:MOST]]
    sentences = [notice_text(notice.code, notice.params, lang) for notice in record.notices]
    if not charts:
        sentences.append(message("training.empty", lang))
    hidden = sum(max(0, len(of_kind) - MOST) for of_kind in (by_tag, record.histograms, record.images, record.texts))
    if hidden:
        sentences.append(message("training.more", lang, n=hidden))
    sheet_width = WIDTH * min(2, max(1, len(charts)))
    legend, y = _legend(names, sheet_width)
    parts = [_style(), legend]
    for index, chart in enumerate(charts):
        x = WIDTH * (index % 2)
        parts.append(f'<g transform="translate({number(x)} {number(y + HEIGHT * (index // 2))})">{chart}</g>')
    y += HEIGHT * math.ceil(len(charts) / 2)
    for text in sentences:
        parts.append(write(16, y + 12, fit(text, sheet_width - 32, SMALL + 1), SMALL + 1, anchor="start"))
        y += 18
    return Sheet("".join(parts), sheet_width, y + 10, " ".join([*curve_texts(record, lang)[:40], *sentences]))


def _style() -> str:
    """The runs' colours on dark paper."""
    rules = [f".tfedu-run-{i}{{stroke:{run.dark};color:{run.dark}}}" for i, run in enumerate(RUNS)]
    rules += [f".tfedu-grid{{stroke:{DARK['frame']}}}"]
    return "<style>@media (prefers-color-scheme:dark){" + "".join(f".tfedu-svg {rule}" for rule in rules) + "}</style>"


def _legend(names: Sequence[str], room: float) -> tuple[str, float]:
    """The names of the runs with their lines, and the y below them; none for a single run."""
    if len(names) < 2:
        return "", 8.0
    parts = []
    x, y = 16.0, 18.0
    for run, name in enumerate(names[:40]):
        entry_width = 44 + width(name, SMALL + 1) + 16
        if x > 16 and x + entry_width > room:
            x, y = 16.0, y + 20
        line = f'<path d="M{number(x)} {number(y)}h34"/>{_mark(run, x + 17, y)}'
        parts.append(_in_run(run, line) + write(x + 42, y, name, SMALL + 1, anchor="start"))
        x += entry_width
    return "".join(parts), y + 14


def _in_run(run: int, svg: str) -> str:
    """Elements in the colour and dash of a run."""
    look = RUNS[run % len(RUNS)]
    dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    return (
        f'<g class="tfedu-run-{run % len(RUNS)}" fill="none" stroke="{look.light}" color="{look.light}" stroke-width="1.6" '
        f'stroke-linejoin="round"{dash}>{svg}</g>'
    )


def _mark(run: int, x: float, y: float) -> str:
    """The mark of a run: a disc, square, triangle, diamond, cross or plus."""
    kind = (run + run // len(RUNS)) % 6
    at, r = f"M{number(x)} {number(y)}", 3.2
    path = (
        f"{at}m-{r} 0a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 -{2 * r} 0z",
        f"{at}m-{r} -{r}h{2 * r}v{2 * r}h-{2 * r}z",
        f"{at}m0 -4l3.8 7h-7.6z",
        f"{at}m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z",
        f"{at}m-3 -3l6 6m0 -6l-6 6",
        f"{at}m-4 0h8m-4 -4v8",
    )[kind]
    fill = "none" if kind > 3 else "currentColor"
    return f'<path fill="{fill}" stroke-dasharray="none" d="{path}"/>'


def _scale(values: Iterable[float], start: float, end: float) -> Scale:
    """The axis from pixel `start` to pixel `end` that has room for all values."""
    known = list(values)
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-300):
        pad = abs(low) * 0.1 or 1.0
        low, high = low - pad, high + pad
    # Halves and quarters, since the difference of two large doubles may overflow.
    quarter = high / 4 - low / 4
    power = 10.0 ** math.floor(math.log10(quarter))
    step = next((factor * power for factor in (1, 2, 5, 10) if factor * power >= 0.999 * quarter), quarter)
    first = math.ceil(low / step - 1e-9)
    ticks = [tick for i in range(6) if (tick := float(f"{(first + i) * step:.12g}")) <= high + step * 1e-9]
    return Scale(lambda value: start + (value / 2 - low / 2) / (high / 2 - low / 2) * (end - start), ticks)


def _title(text: str) -> str:
    return write(LEFT - 42, 18, fit(text, RIGHT - LEFT + 42, TITLE), TITLE, anchor="start", weight=600)


def _at_step(step: int, lang: str | None) -> str:
    return write(LEFT - 42, BOTTOM + 28, message("training.at_step", lang, at=step), SMALL, tone="muted", anchor="start")


def _frame(title: str, x: Scale, y: Scale, caption: str) -> str:
    """A chart's title, grid, axes and caption."""
    parts = []
    grid = []
    for tick in y.ticks:
        height = y.place(tick)
        grid.append(f"M{number(LEFT)} {number(height)}H{number(RIGHT)}")
        parts.append(write(LEFT - 6, height, axis_number(tick), SMALL, tone="muted", anchor="end"))
    for tick in x.ticks:
        place = x.place(tick)
        grid.append(f"M{number(place)} {number(BOTTOM)}v4")
        anchor = "end" if place > RIGHT - 20 else "middle"
        parts.append(write(place, BOTTOM + 12, axis_number(tick, 6), SMALL, tone="muted", anchor=anchor))
    grid.append(f"M{number(LEFT)} {number(TOP)}V{number(BOTTOM)}H{number(RIGHT)}")
    lines = f'<path class="tfedu-grid" fill="none" stroke="{LIGHT["frame"]}" d="{"".join(grid)}"/>'
    below = write(LEFT, BOTTOM + 28, fit(caption, RIGHT - LEFT, SMALL), SMALL, tone="muted", anchor="start")
    return "".join([_title(title), lines, *parts, below])


def _curves(tag: str, curves: Sequence[CurveRecord], lang: str | None) -> str:
    """The chart of one tag: a line for each run."""
    pieces = [piece for curve in curves for piece in curve.pieces]
    steps = [point[0] for piece in pieces for point in (*piece.points, *piece.odd)]
    x = _scale(steps, LEFT + 4, RIGHT - 4)
    y = _scale((value for piece in pieces for _, _, value in piece.points), BOTTOM - 6, TOP + 4)
    total = sum(curve.total for curve in curves)
    captions = [message("training.shown", lang, shown=len(steps), total=total)]
    if any(curve.odd for curve in curves):
        captions.insert(0, f"{message('training.th_odd', lang)}: {sum(curve.odd for curve in curves)}")
    lines = [_curve(curve, x, y) for curve in curves]
    return "".join([_frame(shorten(tag, 60), x, y, " · ".join(captions)), *lines])


def _curve(curve: CurveRecord, x: Scale, y: Scale) -> str:
    """One run's line with its marks, and a sign where a value is not finite."""
    path, odd = "", ""
    points: list[Point] = []
    signs: dict[str, float] = {}  # for each kind of sign the x of the last one
    pen: int | None = None  # the step at which the line ends so far; None after a gap
    for piece in curve.pieces:
        for step, _, value in piece.points:
            point = (x.place(step), y.place(value))
            goes_on = pen is not None and step >= pen
            path += f"{'L' if goes_on else 'M'}{number(point[0])} {number(point[1])}{'' if goes_on else 'h0'}"
            pen = step
            points.append(point)
        for step, _, kind in piece.odd:
            at = x.place(step)
            if abs(at - signs.get(kind, -99.0)) < 9:
                continue  # signs closer than this would overlap
            signs[kind] = at
            odd += {
                "nan": f"M{number(at)} {number(BOTTOM)}m-4 -9l8 8m0 -8l-8 8",
                "inf": f"M{number(at)} {number(TOP)}l5 9h-10z",
                "-inf": f"M{number(at)} {number(BOTTOM)}l5 -9h-10z",
            }[kind]
        if piece.odd:
            pen = None
    # Each run has its marks at other places, so that marks of equal curves stay visible.
    apart = max(1, math.ceil(len(points) / _MARKS))
    marks = "".join(_mark(curve.run, *point) for point in points[curve.run % 6 * apart // 6 :: apart])
    odd = f'<path stroke-dasharray="none" d="{odd}"/>' if odd else ""
    return _in_run(curve.run, f'<path d="{path}"/>{marks}{odd}')


def _bands(title: str, series: HistogramsRecord, lang: str | None) -> str:
    """The chart of histograms: the median as a line, and bands between pairs of quantiles."""
    items = series.items
    x = _scale((item.step for item in items), LEFT + 4, RIGHT - 4)
    y = _scale((value for item in items for value in (item.low, item.high)), BOTTOM - 6, TOP + 4)

    def line(quantile: int) -> list[str]:
        return [f"{number(x.place(item.step))} {number(y.place(item.quantiles[quantile]))}" for item in items]

    bands = [
        f'<path fill="currentColor" fill-opacity="0.16" stroke="none" d="M{"L".join([*line(8 - low), *reversed(line(low))])}Z"/>'
        for low in range(4)
    ]
    caption = message("training.kept", lang, shown=len(items), total=series.total)
    median = f'<path stroke-dasharray="none" d="M{"L".join(line(4))}h0"/>'
    return _frame(title, x, y, caption) + _in_run(series.run, f"{''.join(bands)}{median}")


def _image(title: str, series: ImagesRecord, lang: str | None) -> str:
    """The last image."""
    item = series.items[-1]
    ratio = min(min(RIGHT - LEFT, 300.0) / max(item.width, 1), (BOTTOM - TOP) / max(item.height, 1))
    size = f'width="{number(item.width * ratio)}" height="{number(item.height * ratio)}"'
    style = ' style="image-rendering:pixelated"' if item.width < 96 else ""
    source = f"data:image/{item.format};base64,{escape(item.data)}"
    return (
        _title(title) + f'<image x="{number(LEFT - 42)}" y="{number(TOP)}" {size} href="{source}"{style} '
        f'role="img" aria-label="{escape(title)}"/>' + _at_step(item.step, lang)
    )


def _text(title: str, series: NotesRecord, lang: str | None) -> str:
    """The last text."""
    item = series.items[-1]
    lines = [visible(line)[:200] for line in item.text.splitlines()[:9]]
    parts = [_title(title), _at_step(item.step, lang)]
    parts += [
        write(LEFT - 42, TOP + 8 + 16 * i, fit(line, RIGHT - LEFT + 20, SMALL + 1), SMALL + 1, anchor="start", mono=True)
        for i, line in enumerate(lines)
    ]
    return "".join(parts)
