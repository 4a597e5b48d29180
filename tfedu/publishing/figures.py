"""Figures of blocks of code: `figure_of(code, "steps", {"lang": "ko"}, cache)` runs a block once and keeps its figure.

No state but the files of the cache: one for each content of a block, its options and the version of tfedu.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..view.draw import raster
from ..view.records.codec import VERSION as RECORD_VERSION
from ..view.whole_files import write_bytes, write_text
from ..widgets.pages.exported_page import PagePart

WIDGETS: Final = ("graph", "steps", "outcomes")
SECONDS: Final = 300.0  # for one block
# The folders beside a rendered document: of pictures, which belong to it, and of kept figures, which do not.
FIGURES: Final = "tfedu-figures"
CACHE: Final = ".tfedu"


class BlockError(Exception):
    """A block failed. line: in the block, from 1; None where that is not known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class Figure(NamedTuple):
    """What a block shows. key: the name of its content. svg: the picture; part: of a page; text: in words."""

    key: str
    part: PagePart
    svg: str
    text: str


def figure_of(code: str, widget: str, options: dict[str, Any], cache: Path) -> Figure:
    """The figure of a block. widget: one of WIDGETS, for a last line that is no widget. options: of the widget.

    The block runs in a process of its own unless its figure is in the cache.
    Raises: BlockError where the code fails, cannot be shown, or takes more than SECONDS.
    """
    request = json.dumps({"code": code, "widget": widget, "options": options}, sort_keys=True)
    key = hashlib.sha256(f"{version('tfedu')}\0{RECORD_VERSION}\0{request}".encode()).hexdigest()[:32]
    kept = cache / f"{key}.json"
    if kept.is_file():
        return _figure(key, json.loads(kept.read_text("utf-8")))
    answer = _run(request)
    if "error" in answer:
        raise BlockError(answer["error"], answer["line"])
    cache.mkdir(parents=True, exist_ok=True)
    write_text(kept, json.dumps(answer))
    return _figure(key, answer)


def picture_file(figure: Figure, ending: str, folder: Path) -> Path:
    """The file of a figure's picture, which is written unless it is there. ending: "svg", "pdf" or "png"."""
    path = folder / f"tfedu-{figure.key}.{ending}"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        of_svg = {"svg": str.encode, "pdf": lambda svg: raster.pdf([svg]), "png": raster.png}
        write_bytes(path, of_svg[ending](figure.svg))
    return path


def _figure(key: str, answer: dict[str, Any]) -> Figure:
    return Figure(key, PagePart(answer["traits"], answer["still"]), answer["svg"], answer["text"])


def _run(request: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "request.json"), Path(folder, "answer.json")
        asked.write_text(request, encoding="utf-8")
        command = [sys.executable, "-m", "tfedu.publishing.block_run", str(asked), str(answered)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise BlockError(f"the block took more than {SECONDS:.0f} seconds") from None
        if not answered.is_file():
            raise BlockError(f"the process of the block ended: {done.stderr.strip()[-300:]}")
        answer: dict[str, Any] = json.loads(answered.read_text("utf-8"))
        return answer


__all__ = ["CACHE", "FIGURES", "SECONDS", "WIDGETS", "BlockError", "Figure", "figure_of", "picture_file"]
