"""Trainings drawn: `training_sheet(record)` has charts of curves and histograms and the last images, where there is no kernel.

A run looks as in the widget: a dash and a mark of its own, which its colour repeats. No state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Final

from ..labels import fit, shorten, visible, width
from ..messages import message
from ..records import CurveRecord, HistogramsRecord, ImagesRecord, NotesRecord, TrainingRecord
from .graph_drawing import SMALL, TITLE, notice_text, write
from .marks import DARK, LIGHT, number

# light, dark, dash: the front end's own (widgets/src/theme.css, draw/run-style.ts)
RUNS: Final = (
    ("#0a58ca", "#6cb2ff", ""),
    ("#b04a00", "#f5a05a", "7 4"),
    ("#1a7f37", "#5ccb78", "2 3"),
    ("#6a3cc0", "#bb9cf8", "9 3 2 3"),
    ("#b4166b", "#ff8fc4", "14 4"),
    ("#57606a", "#a3adb8", "5 2 1 2 1 2"),
)
MOST: Final = 12  # charts of a kind
WIDE: Final = 400.0
HIGH: Final = 230.0
LEFT, RIGHT, TOP, BOTTOM = 58.0, 390.0, 34.0, 188.0
_MARKS: Final = 7

_Scale = Callable[[float], float]


def training_sheet(record: TrainingRecord, lang: str | None = None) -> tuple[str, float, float, str]:
    """SVG of all charts, width, height, and a description in words."""
    names = _names(record, lang)
    by_tag: dict[str, list[CurveRecord]] = {}
    for curve in record.curves:
        by_tag.setdefault(curve.tag, []).append(curve)

    def of(series: HistogramsRecord | ImagesRecord | NotesRecord) -> str:
        if len(names) < 2:
            return shorten(series.tag, 60)
        return message("training.of_run", lang, tag=series.tag, run=names[series.run])

    charts = [_curves(tag, curves, lang) for tag, curves in list(by_tag.items())[:MOST]]
    charts += [_bands(of(series), series, lang) for series in record.histograms[:MOST]]
    charts += [_image(of(series), series, lang) for series in record.images[:MOST]]
    charts += [_text(of(series), series, lang) for series in record.texts[:MOST]]
    told = [notice_text(notice.code, notice.params, lang) for notice in record.notices]
    if not charts:
        told.append(message("training.empty", lang))
    hidden = sum(max(0, len(found) - MOST) for found in (by_tag, record.histograms, record.images, record.texts))
    if hidden:
        told.append(message("training.more", lang, n=hidden))
    wide = WIDE * min(2, max(1, len(charts)))
    legend, y = _legend(names, wide)
    parts = [_style(), legend]
    for index, chart in enumerate(charts):
        x = WIDE * (index % 2)
        parts.append(f'<g transform="translate({number(x)} {number(y + HIGH * (index // 2))})">{chart}</g>')
    y += HIGH * math.ceil(len(charts) / 2)
    for text in told:
        parts.append(write(16, y + 12, fit(text, wide - 32, SMALL + 1), SMALL + 1, anchor="start"))
        y += 18
    return "".join(parts), wide, y + 10, " ".join([*curve_texts(record, lang)[:40], *told])


def _names(record: TrainingRecord, lang: str | None) -> list[str]:
    return [message("training.root", lang) if run.name == "." else shorten(run.name, 40) for run in record.runs]


def curve_texts(record: TrainingRecord, lang: str | None = None) -> list[str]:
    """For each curve its last value, in words."""
    names = _names(record, lang)
    texts = []
    for curve in record.curves:
        points = [point for piece in curve.pieces for point in piece.points]
        last = message("training.value_at", lang, value=short(points[-1][2]), step=points[-1][0]) if points else "–"
        label = message("training.of_run", lang, tag=curve.tag, run=names[curve.run])
        texts.append(message("training.value", lang, run=label, value=last) + ".")
    return texts


def _style() -> str:
    rules = [f".tfedu-run-{i}{{stroke:{dark};color:{dark}}}" for i, (_, dark, _) in enumerate(RUNS)]
    rules += [f".tfedu-grid{{stroke:{DARK['frame']}}}"]
    return "<style>@media (prefers-color-scheme:dark){" + "".join(f".tfedu-svg {rule}" for rule in rules) + "}</style>"


def short(value: float, digits: int = 4) -> str:
    """A number as an axis writes it."""
    return f"{value:.{digits}g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")


def _legend(names: Sequence[str], room: float) -> tuple[str, float]:
    if len(names) < 2:
        return "", 8.0
    parts = []
    x, y = 16.0, 18.0
    for run, name in enumerate(names[:40]):
        wide = 44 + width(name, SMALL + 1) + 16
        if x > 16 and x + wide > room:
            x, y = 16.0, y + 20
        line = f'<path d="M{number(x)} {number(y)}h34"/>{_mark(run, x + 17, y)}'
        parts.append(_in_run(run, line) + write(x + 42, y, name, SMALL + 1, anchor="start"))
        x += wide
    return "".join(parts), y + 14


def _in_run(run: int, body: str) -> str:
    colour, _, dash = RUNS[run % len(RUNS)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<g class="tfedu-run-{run % len(RUNS)}" fill="none" stroke="{colour}" color="{colour}" stroke-width="1.6" '
        f'stroke-linejoin="round"{dashed}>{body}</g>'
    )


def _mark(run: int, x: float, y: float) -> str:
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


def _scale(values: Iterable[float], start: float, end: float) -> tuple[_Scale, list[float]]:
    """Where a value stands, and which values are marked."""
    found = list(values)
    low, high = (min(found), max(found)) if found else (0.0, 1.0)
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-300):
        pad = abs(low) * 0.1 or 1.0
        low, high = low - pad, high + pad
    room = high / 4 - low / 4
    power = 10.0 ** math.floor(math.log10(room))
    wide = next((factor * power for factor in (1, 2, 5, 10) if factor * power >= 0.999 * room), room)
    first = math.ceil(low / wide - 1e-9)
    ticks = [tick for i in range(6) if (tick := float(f"{(first + i) * wide:.12g}")) <= high + wide * 1e-9]
    return lambda value: start + (value / 2 - low / 2) / (high / 2 - low / 2) * (end - start), ticks


def _title(text: str) -> str:
    return write(LEFT - 42, 18, fit(text, RIGHT - LEFT + 42, TITLE), TITLE, anchor="start", weight=600)


def _at_step(step: int, lang: str | None) -> str:
    return write(LEFT - 42, BOTTOM + 28, message("training.at_step", lang, at=step), SMALL, tone="muted", anchor="start")


def _frame(title: str, across: tuple[_Scale, list[float]], up: tuple[_Scale, list[float]], below: str) -> str:
    parts = [_title(title)]
    grid = []
    for tick in up[1]:
        y = up[0](tick)
        grid.append(f"M{number(LEFT)} {number(y)}H{number(RIGHT)}")
        parts.append(write(LEFT - 6, y, short(tick), SMALL, tone="muted", anchor="end"))
    for tick in across[1]:
        x = across[0](tick)
        grid.append(f"M{number(x)} {number(BOTTOM)}v4")
        parts.append(write(x, BOTTOM + 12, short(tick, 6), SMALL, tone="muted", anchor="end" if x > RIGHT - 20 else "middle"))
    grid.append(f"M{number(LEFT)} {number(TOP)}V{number(BOTTOM)}H{number(RIGHT)}")
    parts.insert(1, f'<path class="tfedu-grid" fill="none" stroke="{LIGHT["frame"]}" d="{"".join(grid)}"/>')
    parts.append(write(LEFT, BOTTOM + 28, fit(below, RIGHT - LEFT, SMALL), SMALL, tone="muted", anchor="start"))
    return "".join(parts)


def _curves(tag: str, curves: Sequence[CurveRecord], lang: str | None) -> str:
    pieces = [piece for curve in curves for piece in curve.pieces]
    steps = [point[0] for piece in pieces for point in (*piece.points, *piece.odd)]
    x, ticks = _scale(steps, LEFT + 4, RIGHT - 4)
    y, up = _scale((point[2] for piece in pieces for point in piece.points), BOTTOM - 6, TOP + 4)
    total = sum(curve.total for curve in curves)
    below = [message("training.shown", lang, shown=len(steps), total=total)]
    if any(curve.odd for curve in curves):
        below.insert(0, f"{message('training.th_odd', lang)}: {sum(curve.odd for curve in curves)}")
    parts = [_frame(shorten(tag, 60), (x, ticks), (y, up), " · ".join(below))]
    for curve in curves:
        path, spots, odd = "", [], ""
        signs: dict[str, float] = {}
        pen: int | None = None
        for piece in curve.pieces:
            for step, _, value in piece.points:
                place = (x(step), y(value))
                path += f"{'L' if pen is not None and step >= pen else 'M'}{number(place[0])} {number(place[1])}"
                path += "" if pen is not None and step >= pen else "h0"
                pen = step
                spots.append(place)
            for step, _, kind in piece.odd:
                at = x(step)
                if abs(at - signs.get(kind, -99.0)) < 9:
                    continue  # a row of signs, not a wall
                signs[kind] = at
                odd += {
                    "nan": f"M{number(at)} {number(BOTTOM)}m-4 -9l8 8m0 -8l-8 8",
                    "inf": f"M{number(at)} {number(TOP)}l5 9h-10z",
                    "-inf": f"M{number(at)} {number(BOTTOM)}l5 -9h-10z",
                }[kind]
            if piece.odd:
                pen = None
        # each run has its marks at places of its own
        apart = max(1, math.ceil(len(spots) / _MARKS))
        chosen = spots[curve.run % 6 * apart // 6 :: apart]
        marks = "".join(_mark(curve.run, *place) for place in chosen)
        odd = f'<path stroke-dasharray="none" d="{odd}"/>' if odd else ""
        parts.append(_in_run(curve.run, f'<path d="{path}"/>{marks}{odd}'))
    return "".join(parts)


def _bands(title: str, series: HistogramsRecord, lang: str | None) -> str:
    items = series.items
    x, ticks = _scale((item.step for item in items), LEFT + 4, RIGHT - 4)
    y, up = _scale((value for item in items for value in (item.low, item.high)), BOTTOM - 6, TOP + 4)

    def line(quantile: int) -> list[str]:
        return [f"{number(x(item.step))} {number(y(item.quantiles[quantile]))}" for item in items]

    bands = [
        f'<path fill="currentColor" fill-opacity="0.16" stroke="none" d="M{"L".join([*line(8 - low), *reversed(line(low))])}Z"/>'
        for low in range(4)
    ]
    below = message("training.kept", lang, shown=len(items), total=series.total)
    body = _in_run(series.run, f'{"".join(bands)}<path stroke-dasharray="none" d="M{"L".join(line(4))}h0"/>')
    return _frame(title, (x, ticks), (y, up), below) + body


def _image(title: str, series: ImagesRecord, lang: str | None) -> str:
    item = series.items[-1]
    most = min(RIGHT - LEFT, 300.0), BOTTOM - TOP
    ratio = min(most[0] / max(item.width, 1), most[1] / max(item.height, 1))
    size = f'width="{number(item.width * ratio)}" height="{number(item.height * ratio)}"'
    look = ' style="image-rendering:pixelated"' if item.width < 96 else ""
    source = f"data:image/{item.format};base64,{escape(item.data)}"
    return (
        _title(title) + f'<image x="{number(LEFT - 42)}" y="{number(TOP)}" {size} href="{source}"{look} '
        f'role="img" aria-label="{escape(title)}"/>' + _at_step(item.step, lang)
    )


def _text(title: str, series: NotesRecord, lang: str | None) -> str:
    item = series.items[-1]
    lines = [visible(line)[:200] for line in item.text.splitlines()[:9]]
    parts = [_title(title), _at_step(item.step, lang)]
    parts += [
        write(LEFT - 42, TOP + 8 + 16 * i, fit(line, RIGHT - LEFT + 20, SMALL + 1), SMALL + 1, anchor="start", mono=True)
        for i, line in enumerate(lines)
    ]
    return "".join(parts)
