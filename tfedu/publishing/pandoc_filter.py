"""A filter of Pandoc and of Quarto: `pandoc --filter tfedu-pandoc` shows a figure in place of each code block `{.tfedu-graph}`.

A filter reads a document as JSON and writes it as JSON; Pandoc's argument is the format to come. Pages get widgets where a block
says `live=true`, every other format pictures. State: the figures in the working folder, which is the document's under Quarto.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from ..view.draw.html import alternative
from ..widgets.pages.exported_page import PagePart, front_end_of, place
from .figure_options import NAME, MadeFigure, made_of_block
from .figures import CACHE, FIGURES, BlockError, picture_file

_PAGES: Final = {"html", "html4", "html5", "revealjs", "slidy", "dzslides", "s5", "slideous"}
_ENDINGS: Final = {
    **dict.fromkeys(("latex", "beamer", "context", "pdf"), "pdf"),
    **dict.fromkeys(("docx", "odt", "opendocument", "pptx", "rtf"), "png"),
}


class _Document:
    """A document whose blocks become figures. live: the widgets on its page; problems: of blocks that fail."""

    def __init__(self, format: str, folder: Path) -> None:
        self.format = format.partition("+")[0].partition("-")[0]
        self.folder = folder
        self.live: list[PagePart] = []
        self.problems: list[str] = []
        self.blocks = 0

    def with_figures(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self.with_figures(each) for each in node]
        if not isinstance(node, dict):
            return node
        if node.get("t") == "CodeBlock" and NAME in node["c"][0][1]:
            return self._figure(node)
        return {name: self.with_figures(value) for name, value in node.items()}

    def _figure(self, node: Any) -> Any:
        (identifier, _, attributes), text = node["c"]
        self.blocks += 1
        try:
            made = made_of_block(text, [tuple(each) for each in attributes], self.folder / CACHE)
        except BlockError as error:
            self.problems.append(f"block {self.blocks} of {NAME}, line {error.line or 1}: {error}")
            return node
        listing = [_node("CodeBlock", [["", ["python"], []], made.code])] if made.options.get("show-code") else []
        shown = self._shown(made)
        caption = made.options.get("caption")
        if caption:
            shown = _node("Figure", [[identifier, [], []], [None, [_node("Plain", _inlines(caption))]], [shown]])
            identifier = ""
        return _node("Div", [[identifier, [NAME], []], [*listing, shown]])

    def _shown(self, made: MadeFigure) -> Any:
        if made.is_live and self.format in _PAGES:
            self.live.append(made.figure.part)
            widget = place(made.figure.part, len(self.live) - 1, None, height=made.options.get("height"))
            return _node("RawBlock", ["html", widget])
        path = picture_file(made.figure, _ENDINGS.get(self.format, "svg"), self.folder / FIGURES)
        width = [["width", made.options["width"]]] if "width" in made.options else []
        target = path.relative_to(self.folder).as_posix()
        image = _node("Image", [["", [], width], _inlines(alternative(made.alt)), [target, ""]])
        return _node("Plain", [image])


def _node(kind: str, content: Any) -> dict[str, Any]:
    return {"t": kind, "c": content}


def _inlines(text: str) -> list[dict[str, Any]]:
    inlines: list[dict[str, Any]] = []
    for word in text.split():
        inlines += [{"t": "Space"}] * bool(inlines) + [_node("Str", word)]
    return inlines


def filtered(document: dict[str, Any], format: str, folder: Path) -> tuple[dict[str, Any], list[str]]:
    """The document with figures in place of its blocks, and what is wrong with blocks that failed and stay code.

    document: as Pandoc's JSON; format: Pandoc's name of the format to come; folder: the document's, for its pictures.
    """
    work = _Document(format, folder)
    blocks = work.with_figures(document["blocks"])
    if work.live:
        blocks.append(_node("RawBlock", ["html", front_end_of(work.live, None)]))
    return {**document, "blocks": blocks}, work.problems


def main() -> int:
    """What Pandoc runs, with the format as the argument: 1, and messages on the standard error, where a block fails."""
    document, problems = filtered(json.load(sys.stdin.buffer), sys.argv[1] if len(sys.argv) > 1 else "html", Path.cwd())
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.stdout.buffer.write(json.dumps(document).encode())
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())


__all__ = ["filtered"]
