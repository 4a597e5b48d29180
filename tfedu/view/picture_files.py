"""Pictures as files: `write_picture(shown, "counter.svg")`, `write_frames(shown, "run.svg", Saving(frames=True))`.

The ending of the name chooses one of FORMATS. No state.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from .draw.dot import dot_source
from .draw.mermaid import mermaid_source
from .draw.playing import playing
from .draw.raster import SHARP, gif, pdf, png, pngs
from .record_kinds import KINDS, Graphs, frame_count, frames_of, graphs_of, picture, text_of
from .records import GraphRecord, Record, to_json
from .whole_files import json_text, write_bytes

MOST_FRAMES: Final = 400


class PictureError(ValueError):
    """A picture cannot be saved in that format."""


class Shown(NamedTuple):
    """A picture to write. name: what errors call it. options: of the picture function of the record's kind.

    whole: the record of all nodes where `record` leaves some out.
    """

    name: str
    record: Record
    title: str | None = None
    lang: str | None = None
    options: Mapping[str, Any] = MappingProxyType({})
    whole: GraphRecord | None = None

    @property
    def svg(self) -> str:
        return picture(self.record, title=self.title, lang=self.lang, **self.options)

    @property
    def graphs(self) -> Graphs:
        return graphs_of(self.record)


class Saving(NamedTuple):
    """How to write a picture. scale: pixels for each pixel of the picture, None: as is usual for the format.

    frames: which steps, numbered from 1, True for all; False for one picture of everything. play: whether an SVG plays its steps
    by itself. seconds: for each step that plays.
    """

    scale: float | None = None
    frames: bool | Sequence[int] = False
    play: bool = False
    seconds: float = 1.0


ONE_PICTURE: Final = Saving()


class Format(NamedTuple):
    """A format of files. write: the bytes. needs: what of a picture it shows, in a word; suits: whether a picture has that."""

    write: Callable[[Shown, Saving], bytes]
    needs: str
    suits: Callable[[Shown], bool]


def _has_picture(shown: Shown) -> bool:
    return KINDS[type(shown.record)].picture is not None


def _has_graph(shown: Shown) -> bool:
    return bool(shown.graphs)


def _has_text(shown: Shown) -> bool:
    return KINDS[type(shown.record)].text is not None


def _has_steps(shown: Shown) -> bool:
    return frame_count(shown.record) > 0


def _svg(shown: Shown, saving: Saving) -> bytes:
    return _svg_file(playing(_frames(shown, saving), saving.seconds) if saving.play else shown.svg)


def _svg_file(svg: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'.encode()


def _png(shown: Shown, saving: Saving) -> bytes:
    return png(shown.svg, SHARP if saving.scale is None else saving.scale)


def _pdf(shown: Shown, saving: Saving) -> bytes:
    return pdf(_frames(shown, saving) if saving.frames else [shown.svg])


def _gif(shown: Shown, saving: Saving) -> bytes:
    return gif(_frames(shown, saving), saving.seconds, 1.0 if saving.scale is None else saving.scale)


def _dot(shown: Shown, _saving: Saving) -> bytes:
    graphs = shown.graphs if shown.whole is None else (("", shown.whole),)
    return dot_source(*graphs, lang=shown.lang).encode()


def _mermaid(shown: Shown, _saving: Saving) -> bytes:
    options = {key: shown.options[key] for key in ("collapsed", "limit", "boxes", "orientation") if key in shown.options}
    return mermaid_source(shown.graphs, shown.lang, **options).encode()


def _text(shown: Shown, _saving: Saving) -> bytes:
    return f"{text_of(shown.record, shown.lang)}\n".encode()


def _json(shown: Shown, _saving: Saving) -> bytes:
    return f"{json_text(to_json(shown.record), indent=1)}\n".encode()


FORMATS: Final[dict[str, Format]] = {
    ".svg": Format(_svg, "picture", _has_picture),
    ".png": Format(_png, "picture", _has_picture),
    ".pdf": Format(_pdf, "picture", _has_picture),
    ".gif": Format(_gif, "steps", _has_steps),
    ".dot": Format(_dot, "graph", _has_graph),
    ".gv": Format(_dot, "graph", _has_graph),
    ".mmd": Format(_mermaid, "graph", _has_graph),
    ".txt": Format(_text, "text", _has_text),
    ".json": Format(_json, "record", lambda shown: True),
}
# Which endings each option is for.
SCALED: Final = (".png", ".gif")
PLAYED: Final = (".svg",)
FRAMED: Final = (".svg", ".png", ".pdf", ".gif")
A_FILE_EACH: Final = (".svg", ".png")


def numbers_of(shown: Shown, frames: bool | Sequence[int]) -> list[int]:
    """The numbers of the chosen frames, from 1.

    Raises: PictureError for a picture without steps, and for more than MOST_FRAMES; ValueError for a number that is no frame's.
    """
    count = frame_count(shown.record)
    if not count:
        raise PictureError(f"{shown.name} has no steps: it is one picture")
    chosen = list(range(1, count + 1)) if isinstance(frames, bool) else list(frames)
    for number in chosen:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= count:
            raise ValueError(f"frames are numbered from 1 to {count}; there is no frame {number!r:.40}")
    if not chosen:
        raise ValueError("frames names no frame")
    if len(chosen) > MOST_FRAMES:
        raise PictureError(f"{len(chosen)} frames are too many\n  fix: frames=range(1, {MOST_FRAMES + 1})")
    return chosen


def _frames(shown: Shown, saving: Saving) -> list[str]:
    numbers = numbers_of(shown, saving.frames)
    return frames_of(shown.record, [number - 1 for number in numbers], shown.title, shown.lang)


def _checked(shown: Shown, name: str, saving: Saving, others: Iterable[str]) -> Format:
    """The format of a file's name. Raises: as write_picture."""
    ending = Path(name).suffix.lower()
    format = FORMATS.get(ending)
    if format is None or not format.suits(shown):
        endings = [*others, *[known for known, each in FORMATS.items() if each.suits(shown)]]
        listed = ", ".join(endings[:-1]) + f" or {endings[-1]}"
        lacks = "" if format is None else f" has no {format.needs} and"
        raise PictureError(f"{shown.name}{lacks} is saved as {listed}, not as {name[-60:]!r}")
    is_given = {"scale": saving.scale is not None, "frames": saving.frames is not False, "play": saving.play}
    for option, formats in (("scale", SCALED), ("frames", FRAMED), ("play", PLAYED)):
        if is_given[option] and ending not in formats:
            raise PictureError(f"{option} is for {', '.join(formats)}, not for {ending}")
    if isinstance(saving.seconds, bool) or not isinstance(saving.seconds, int | float) or not 0.02 <= saving.seconds <= 60:
        raise ValueError(f"seconds must be from 0.02 to 60, not {saving.seconds!r:.40}")
    return format


def bytes_of(shown: Shown, name: str, saving: Saving = ONE_PICTURE, others: Iterable[str] = ()) -> bytes:
    """The picture in the format of a file's name. others: further endings that the caller takes, for the error.

    Raises: PictureError for another ending, for a format or an option that needs what the picture does not have; ImportError
    where a format needs a package that is missing; ValueError for options out of range.
    """
    return _checked(shown, name, saving, others).write(shown, saving)


def write_picture(
    shown: Shown, path: str | os.PathLike[str], saving: Saving = ONE_PICTURE, others: Iterable[str] = ()
) -> Path | list[Path]:
    """Writes the picture in the format of the path's ending, completely or not at all; returns the path.

    Chosen frames of a .svg that does not play, or of a .png, are a file each: run-01.svg, run-02.svg for the path run.svg; then
    the paths are returned.
    Raises: as bytes_of; OSError where a file cannot be written, and none of the new files is left.
    """
    target = Path(path)
    format = _checked(shown, target.name, saving, others)
    ending = target.suffix.lower()
    if saving.frames is False or saving.play or ending not in A_FILE_EACH:
        return write_bytes(target, format.write(shown, saving))
    numbers = numbers_of(shown, saving.frames)
    digits = max(2, len(str(frame_count(shown.record))))
    paths = [target.with_name(f"{target.stem}-{number:0{digits}}{target.suffix}") for number in numbers]
    svgs = _frames(shown, saving)
    files = [_svg_file(svg) for svg in svgs] if ending == ".svg" else pngs(svgs, SHARP if saving.scale is None else saving.scale)
    made: list[Path] = []
    try:
        for each, data in zip(paths, files, strict=True):
            is_new = not each.exists()
            write_bytes(each, data)
            made += [each] if is_new else []
    except OSError:
        for each in made:
            each.unlink(missing_ok=True)
        raise
    return paths


__all__ = ["FORMATS", "Format", "PictureError", "Saving", "Shown", "bytes_of", "write_picture"]
