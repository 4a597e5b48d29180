"""The marks of a picture: the outline of each role, curves of lines, arrow heads, colours.

The functions turn coordinates of the layout into SVG text; they know no names of a record. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ..records import Role
from .layout import Point
from .layout_levels import Rect

# The colours of the front end (widgets/src/theme/colours.css), which a test compares.
# role -> fill, stroke on light paper; fill, stroke on dark paper. The outline tells the role without colour, too.
_NODE: Final = ("#ffffff", "#7a838d", "#1e252d", "#78838f")
ROLE_COLOURS: Final[dict[Role, tuple[str, str, str, str]]] = {
    "constant": ("#eef1f4", "#7a838d", "#283039", "#78838f"),
    "placeholder": _NODE,
    "variable": ("#f4effd", "#6a3cc0", "#2b2440", "#bb9cf8"),
    "read": _NODE,
    "update": _NODE,
    "noop": _NODE,
    "control": _NODE,
    "op": _NODE,
}
LINE_COLOURS: Final = {
    "data": ("#3d4d5e", "#b3c2d2"),
    "control": ("#b04a00", "#f5a05a"),
    "reference": ("#6a3cc0", "#bb9cf8"),
    "waits": ("#7a838d", "#78838f"),
}
# Dash, a second line and the arrow head tell the kinds apart without colour.
DASHES: Final = {"data": "", "control": "5 4", "reference": "", "waits": "1 4"}
ARROW: Final = 9.0

LIGHT: Final = {
    "paper": "#fafbfc",
    "ink": "#1c2128",
    "muted": "#57606a",
    "frame": "#d0d7de",
    "scope": "#f7f8fa",
    "alarm": "#b04a00",
    "alarm-fill": "#ffffff",
    "mark": "#b4166b",
    "active": "#0a58ca",
}
DARK: Final = {
    "paper": "#11151a",
    "ink": "#e8edf3",
    "muted": "#a3adb8",
    "frame": "#39424d",
    "scope": "#171c22",
    "alarm": "#f5a05a",
    "alarm-fill": "#1e252d",
    "mark": "#ff8fc4",
    "active": "#6cb2ff",
}
# Nine steps from little to much, equally far apart in lightness as eyes see it; on light and on dark paper.
HEAT: Final = (
    ("#fdf8ee", "#26221b"), ("#f4e2d3", "#3c3324"), ("#ebcdb8", "#54452d"), ("#e1b89e", "#6d5836"), ("#d7a384", "#866b3f"),
    ("#cc8e6a", "#a17f48"), ("#c1794f", "#bd9450"), ("#b56433", "#d9a959"), ("#a94e0a", "#f6bf62"),
)  # fmt: skip


def style(drawn: str) -> str:
    """The colours on dark paper; those on light paper are attributes of the elements, for viewers that drop style sheets.

    drawn: what is drawn with them, as SVG. Rules of classes that it does not have are left out.
    """
    rules = [
        f".tfedu-paper{{fill:{DARK['paper']}}}",
        f".tfedu-under-paper{{fill:{DARK['paper']}}}",
        f".tfedu-under-scope{{fill:{DARK['scope']}}}",
        f".tfedu-halo{{stroke:{DARK['paper']}}}",
        f".tfedu-ink{{fill:{DARK['ink']}}}",
        f".tfedu-muted{{fill:{DARK['muted']}}}",
        f".tfedu-scope{{fill:{DARK['scope']};stroke:{DARK['frame']}}}",
        f".tfedu-alarm{{fill:{DARK['alarm-fill']};stroke:{DARK['alarm']}}}",
        f".tfedu-alarm-ink{{fill:{DARK['alarm']}}}",
        f".tfedu-mark{{stroke:{DARK['mark']}}}",
        f".tfedu-mark-ink{{fill:{DARK['mark']}}}",
        f".tfedu-pill{{fill:{DARK['paper']};stroke:{DARK['muted']}}}",
    ]
    rules.extend(f".tfedu-heat-{level}{{fill:{dark}}}" for level, (_, dark) in enumerate(HEAT))
    for role, (_, _, fill, stroke) in ROLE_COLOURS.items():
        rules.append(f".tfedu-{role}{{fill:{fill};stroke:{stroke}}}")
    for kind, (_, dark) in LINE_COLOURS.items():
        rules.append(f".tfedu-line-{kind}{{stroke:{dark}}}")
        fill = "none" if kind == "control" else dark
        rules.append(f".tfedu-head-{kind}{{stroke:{dark};fill:{fill}}}")
    rules.append(f".tfedu-core{{stroke:{DARK['paper']}}}")
    selectors: dict[str, list[str]] = {}  # of the same colours, which stand once
    for rule in rules:
        name, colours = rule.split("{")
        if name[1:] in drawn:
            selectors.setdefault(colours, []).append(f".tfedu-svg {name}")
    return "@media (prefers-color-scheme:dark){" + "".join(f"{','.join(s)}{{{c}" for c, s in selectors.items()) + "}"


def number(value: float) -> str:
    """A coordinate as short text."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def outline(role: Role, rect: Rect) -> str:
    """The path of a node's outline, a different one for each role."""
    x, y, w, h = rect.x, rect.y, rect.width, rect.height
    n = number
    r, b = n(x + w), n(y + h)
    if role == "constant":
        a = h / 2
        arc = f"A{n(a)} {n(a)} 0 0 1"
        return f"M{n(x + a)} {n(y)}H{n(x + w - a)}{arc} {n(x + w - a)} {b}H{n(x + a)}{arc} {n(x + a)} {n(y)}Z"
    if role == "placeholder":
        return f"M{n(x + 12)} {n(y)}H{r}L{n(x + w - 12)} {b}H{n(x)}Z"
    if role == "variable":
        e = 8.0 if h > 20 else 4.0
        return (
            f"M{n(x)} {n(y + e)}A{n(w / 2)} {n(e)} 0 0 1 {r} {n(y + e)}V{n(y + h - e)}"
            f"A{n(w / 2)} {n(e)} 0 0 1 {n(x)} {n(y + h - e)}ZM{n(x)} {n(y + e)}A{n(w / 2)} {n(e)} 0 0 0 {r} {n(y + e)}"
        )
    if role == "update":
        return f"M{n(x)} {n(y)}H{r}V{b}H{n(x)}ZM{n(x + 6)} {n(y)}V{b}M{n(x + w - 6)} {n(y)}V{b}"
    if role == "noop":
        arc = f"A{n(w / 2)} {n(h / 2)} 0 0 1"
        return f"M{n(x)} {n(y + h / 2)}{arc} {r} {n(y + h / 2)}{arc} {n(x)} {n(y + h / 2)}Z"
    if role == "read":
        c = min(9.0, h * 0.35)
        return (
            f"M{n(x + c)} {n(y)}H{n(x + w - c)}L{r} {n(y + c)}V{n(y + h - c)}L{n(x + w - c)} {b}"
            f"H{n(x + c)}L{n(x)} {n(y + h - c)}V{n(y + c)}Z"
        )
    if role == "control":
        c, m = 12.0, y + h / 2
        return f"M{n(x + c)} {n(y)}H{n(x + w - c)}L{r} {n(m)}L{n(x + w - c)} {b}H{n(x + c)}L{n(x)} {n(m)}Z"
    return rounded(rect, 8)


def rounded(rect: Rect, radius: float) -> str:
    """A rectangle with round corners, as a path."""
    x, y, w, h, a = rect.x, rect.y, rect.width, rect.height, min(radius, rect.width / 2, rect.height / 2)
    n = number
    arc = f"A{n(a)} {n(a)} 0 0 1"
    return (
        f"M{n(x + a)} {n(y)}H{n(x + w - a)}{arc} {n(x + w)} {n(y + a)}V{n(y + h - a)}{arc} {n(x + w - a)} {n(y + h)}"
        f"H{n(x + a)}{arc} {n(x)} {n(y + h - a)}V{n(y + a)}{arc} {n(x + a)} {n(y)}Z"
    )


def curve(points: Sequence[Point], turned: bool = False) -> str:
    """A path through the points: vertical between points of one x, else an S-curve that begins and ends vertically.

    turned: x and y exchanged, for a picture that flows to the right.
    """

    def pair(x: float, y: float) -> str:
        return f"{number(y)} {number(x)}" if turned else f"{number(x)} {number(y)}"

    points = exchanged(points) if turned else points
    path = [f"M{pair(*points[0])}"]
    for (ax, ay), (bx, by) in pairwise(points):
        if abs(ax - bx) < 0.2:
            path.append(f"{'H' if turned else 'V'}{number(by)}" if ax == bx else f"L{pair(bx, by)}")
        else:
            middle = (ay + by) / 2
            path.append(f"C{pair(ax, middle)} {pair(bx, middle)} {pair(bx, by)}")
    return "".join(path)


def exchanged(points: Sequence[Point]) -> list[Point]:
    """The points with x and y exchanged."""
    return [(y, x) for x, y in points]


def shortened(points: Sequence[Point], by: float, turned: bool = False) -> list[Point]:
    """The points with the last one drawn back, where the arrow head goes."""
    if turned:
        return exchanged(shortened(exchanged(points), by))
    (ax, ay), (x, y) = points[-2], points[-1]
    back = y - by if y >= ay else y + by
    if abs(ax - x) < 0.2 and abs(y - ay) <= by:
        return [*points[:-2], (x, back)] if len(points) > 2 else [points[0], (x, back)]
    return [*points[:-1], (x, back)]


def strokes(kind: str, path: str, extra: float = 0.0) -> list[str]:
    """The line itself: plain, dashed, or for a reference a broad line with a narrow one in the colour of the paper on it."""
    if kind == "reference":
        broad, core = number(4.2 + 2 * extra), number(1.8 + extra)
        return [
            f'<path stroke-width="{broad}" d="{path}"/>',
            f'<path class="tfedu-core" stroke="{LIGHT["paper"]}" stroke-width="{core}" d="{path}"/>',
        ]
    dash = f' stroke-dasharray="{DASHES[kind]}"' if DASHES[kind] else ""
    wide = f' stroke-width="{number(1.3 + extra)}"' if extra else ""
    return [f'<path{dash}{wide} d="{path}"/>']


def head(kind: str, points: Sequence[Point], turned: bool = False) -> str:
    """The arrow head's path: full for data, an open V for control, a full square for a reference."""
    (_, ay), (x, y) = exchanged(points[-2:]) if turned else points[-2:]
    s = -1.0 if y >= ay else 1.0

    def at(aside: float, back: float) -> str:
        px, py = x + aside, y + s * back
        return f"{number(py)} {number(px)}" if turned else f"{number(px)} {number(py)}"

    if kind == "data":
        return f"M{at(0, 0)}L{at(-4, ARROW)}L{at(4, ARROW)}Z"
    if kind == "reference":
        return f"M{at(-4.5, 0)}L{at(4.5, 0)}L{at(4.5, ARROW)}L{at(-4.5, ARROW)}Z"
    return f"M{at(-4.5, 7)}L{at(0, 0)}L{at(4.5, 7)}"


def along(points: Sequence[Point], share: float, turned: bool = False) -> Point:
    """The point at a share of the way, from 0 to 1, for a badge."""
    if turned:
        y, x = along(exchanged(points), share)
        return (x, y)
    lengths = [abs(bx - ax) + abs(by - ay) for (ax, ay), (bx, by) in pairwise(points)]
    left = sum(lengths) * share
    for length, ((ax, ay), (bx, by)) in zip(lengths, pairwise(points), strict=True):
        if left <= length:
            part = left / length if length else 0.0
            smooth = part if abs(ax - bx) < 0.2 else part * part * (3 - 2 * part)  # as an S-curve runs
            return (ax + (bx - ax) * smooth, ay + (by - ay) * part)
        left -= length
    return points[-1]
