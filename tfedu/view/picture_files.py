"""Pictures as files: `write_picture(shown, "counter.svg")`. The ending of the name chooses one of FORMATS. No state."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from .draw.dot import dot_source
from .draw.mermaid import mermaid_source
from .draw.raster import SHARP, pdf, png
from .record_kinds import KINDS, Graphs, graphs_of, picture, text_of
from .records import GraphRecord, Record, to_json
from .whole_files import write_bytes


class PictureError(ValueError):
    """A picture cannot be saved in that format."""


class Shown(NamedTuple):
    """A picture to write. name: what errors call it. options: of the picture function of the record's kind.

    whole: the record of all nodes where `record` leaves some out. scale: pixels of a PNG for each pixel of the picture.
    """

    name: str
    record: Record
    title: str | None = None
    lang: str | None = None
    options: Mapping[str, Any] = MappingProxyType({})
    whole: GraphRecord | None = None
    scale: float | None = None

    @property
    def svg(self) -> str:
        return picture(self.record, title=self.title, lang=self.lang, **self.options)

    @property
    def graphs(self) -> Graphs:
        return graphs_of(self.record)


class Format(NamedTuple):
    """A format of files. write: the bytes. needs: what of a picture it shows, in a word; suits: whether a picture has that."""

    write: Callable[[Shown], bytes]
    needs: str
    suits: Callable[[Shown], bool]


def _has_picture(shown: Shown) -> bool:
    return KINDS[type(shown.record)].picture is not None


def _has_graph(shown: Shown) -> bool:
    return bool(shown.graphs)


def _has_text(shown: Shown) -> bool:
    return KINDS[type(shown.record)].text is not None


def _svg(shown: Shown) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{shown.svg}\n'.encode()


def _png(shown: Shown) -> bytes:
    return png(shown.svg, SHARP if shown.scale is None else shown.scale)


def _pdf(shown: Shown) -> bytes:
    return pdf([shown.svg])


def _dot(shown: Shown) -> bytes:
    graphs = shown.graphs if shown.whole is None else (("", shown.whole),)
    return dot_source(*graphs, lang=shown.lang).encode()


def _mermaid(shown: Shown) -> bytes:
    options = {key: shown.options[key] for key in ("collapsed", "limit", "boxes", "orientation") if key in shown.options}
    return mermaid_source(shown.graphs, shown.lang, **options).encode()


def _text(shown: Shown) -> bytes:
    return f"{text_of(shown.record, shown.lang)}\n".encode()


def _json(shown: Shown) -> bytes:
    return (json.dumps(to_json(shown.record), ensure_ascii=False, indent=1) + "\n").encode()


FORMATS: Final[dict[str, Format]] = {
    ".svg": Format(_svg, "picture", _has_picture),
    ".png": Format(_png, "picture", _has_picture),
    ".pdf": Format(_pdf, "picture", _has_picture),
    ".dot": Format(_dot, "graph", _has_graph),
    ".gv": Format(_dot, "graph", _has_graph),
    ".mmd": Format(_mermaid, "graph", _has_graph),
    ".txt": Format(_text, "text", _has_text),
    ".json": Format(_json, "record", lambda shown: True),
}
SCALED: Final = (".png",)


def bytes_of(shown: Shown, name: str, others: Iterable[str] = ()) -> bytes:
    """The picture in the format of a file's name. others: further endings that the caller takes, for the error.

    Raises: PictureError for another ending, and for a format that shows what the picture does not have; ImportError where a
    format needs a package that is missing; ValueError for a wrong scale.
    """
    ending = Path(name).suffix.lower()
    format = FORMATS.get(ending)
    if format is None or not format.suits(shown):
        endings = [*others, *[known for known, each in FORMATS.items() if each.suits(shown)]]
        listed = ", ".join(endings[:-1]) + f" or {endings[-1]}"
        lacks = "" if format is None else f" has no {format.needs} and"
        raise PictureError(f"{shown.name}{lacks} is saved as {listed}, not as {name[-60:]!r}")
    if shown.scale is not None and ending not in SCALED:
        raise PictureError(f"scale is for {' and '.join(SCALED)}: what {ending} has is not in pixels")
    return format.write(shown)


def write_picture(shown: Shown, path: str | os.PathLike[str], others: Iterable[str] = ()) -> Path:
    """Writes the picture in the format of the path's ending, completely or not at all; returns the path.

    Raises: as bytes_of; OSError where the file cannot be written.
    """
    return write_bytes(path, bytes_of(shown, Path(path).name, others))


__all__ = ["FORMATS", "Format", "PictureError", "Shown", "bytes_of", "write_picture"]
