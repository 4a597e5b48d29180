"""`show(obj)`: the picture of a graph, tensor, operation, variable, trace or record, for a notebook or a file.

    tfedu.show(graph).save("graph.svg")      also .dot and .mmd (Mermaid), .txt for the text, .json for the record
    tfedu.show([y, z], steps=2)              the surroundings of some tensors

No state.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

from ..engine.replay.recorder import Trace
from .build import drawable, focusable, focused, graph_record, part_of, trace_record
from .draw.html import image
from .draw.layout import Orientation
from .picture_files import Saving, Shown, bytes_of, write_picture
from .record_kinds import text_of
from .records import GraphRecord, MarksRecord, Record
from .words.name_checks import known


class Picture:
    """A picture and its text; `save` writes it to a file."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.svg = shown.svg

    @property
    def record(self) -> Record:
        return self.shown.record

    @property
    def title(self) -> str | None:
        return self.shown.title

    @property
    def lang(self) -> str | None:
        return self.shown.lang

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/html": image(self.svg, repr(self)), "text/plain": repr(self)}

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return text_of(self.record, self.lang)

    @property
    def dot(self) -> str:
        """The graph, or both graphs of a comparison, as DOT source.

        Raises: PictureError for a picture without a graph, ImportError where the graphviz package is missing.
        """
        return bytes_of(self.shown, "picture.dot").decode()

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        scale: float | None = None,
        frames: bool | Sequence[int] = False,
        play: bool = False,
        seconds: float = 1.0,
    ) -> Path | list[Path]:
        """Writes the picture to a file, completely or not at all; returns its path. The ending is one of picture_files.FORMATS.

        scale: of a .png or .gif, its pixels for each pixel of the picture, by default 2 and 1.
        frames: of a picture with steps, one picture a step: True for all, or their numbers from 1, which is the state before the
        first step. A .svg or .png is a file each (run-01.svg, …), whose paths are returned, a .pdf has a page for each, and a
        .gif always plays them. play: one .svg that plays the steps by itself. seconds: for each step that plays.
        Raises: PictureError for another ending, for .dot, .gv and .mmd of a picture without a graph, and for frames of one
        without steps; ValueError for options out of range; ImportError where a format needs a package that is missing; OSError
        where the file cannot be written.
        Warns: FontWarning where a .png or .pdf has characters that no font of this machine has.
        """
        return write_picture(self.shown, path, Saving(scale, frames, play, seconds))


def show(
    obj: Any,
    *,
    title: str | None = None,
    steps: int = 3,
    at: str = "",
    collapsed: Iterable[str] | None = None,
    limit: int | None = None,
    lang: str | None = None,
    marks: MarksRecord | None = None,
    boxes: bool = False,
    orientation: Orientation = "down",
) -> Picture:
    """The picture of `obj`; of tensors and operations, with their ancestors within `steps` edges and their consumers.

    obj: what tfedu makes (a graph, its nodes, a trace, a record), or a graph of another library (docs/other_graphs.md).
    at: a scope to show by itself, with what it reads from and gives to around it.
    collapsed: paths of scopes that stay closed; by default repeated blocks and series do. limit: how many boxes are drawn before
    scopes fold. boxes: each cond is one box with a box for each branch, and each loop is one box. orientation: whether values
    flow "down" or to the "right".
    Raises: TypeError for an object without a picture; ValueError for a scope that the graph does not have, and for a damaged
    graph of another library; ResourceExhaustedError for one beyond the budget (tf.io.Budget).
    """
    options: dict[str, Any] = {}
    if limit is not None:
        options["limit"] = limit
    if orientation not in get_args(Orientation):
        raise ValueError(f'orientation must be "down" or "right", not {orientation!r}')
    focus: tuple[int, ...] = ()
    record: Record
    if isinstance(obj, get_args(Record)):
        record = obj
    elif isinstance(obj, Trace):
        record = trace_record(obj)
    else:
        target = drawable(obj)
        record = graph_record(target, steps=steps)
        focus = () if target is record else part_of(target, steps=0).focus
    if isinstance(record, GraphRecord):
        if at:
            record, options["outside"] = focused(record, known(at, focusable(record), "no scope"))
        closed = collapsed
        if collapsed is not None:
            closed = _known_scopes(record, boxes, [collapsed] if isinstance(collapsed, str) else list(collapsed))
        options |= {"collapsed": closed, "focus": focus, "marks": marks or MarksRecord(), "boxes": boxes}
        options["orientation"] = orientation
        return _picture(record, title, lang, options)
    if at or collapsed is not None or marks is not None or boxes or orientation != "down":
        raise TypeError(
            f"at, collapsed, marks, boxes and orientation are for the picture of one graph, not of a {type(obj).__name__}"
        )
    return _picture(record, title, lang, options)


def _picture(record: Record, title: str | None, lang: str | None, options: dict[str, Any]) -> Picture:
    return Picture(Shown(f"The picture of a {type(record).__name__}", record, title, lang, options))


def _known_scopes(record: GraphRecord, boxes: bool, paths: list[str]) -> list[str]:
    places = {box.path for box in record.boxes}
    if not boxes:
        places = {scope.path for scope in record.scopes} | {group.path for group in record.groups}
    return [known(path, places, "no scope") for path in paths]
