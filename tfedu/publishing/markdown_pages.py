"""Markdown whose fences for tfedu become figures: `render(source, target)`, the command `tfedu render`.

Into HTML: one page, with pictures and widgets in it. Into Markdown: for a generator of sites, with pictures in files beside it.
State: the kept figures, in a folder beside what is written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..view.draw.html import alternative, image
from ..view.labels import encodable
from ..view.whole_files import write_text
from ..widgets.pages.exported_page import PagePart, document, front_end_of, place
from .figure_options import MadeFigure, made_of_block, options_of_fence
from .figures import CACHE, FIGURES, BlockError, picture_file


class MarkdownError(Exception):
    """Fences that have no figure. problems: (line of the file, what is wrong)."""

    def __init__(self, problems: list[tuple[int, str]]) -> None:
        super().__init__("\n".join(f"line {line}: {text}" for line, text in problems))
        self.problems = problems


def render(source: str | os.PathLike[str], target: str | os.PathLike[str], lang: str | None = None) -> Path:
    """Writes a Markdown file with figures in place of its fences, completely or not at all; returns the target.

    target: a path that ends in .html or .md; of a .md, pictures stand beside it in the folder `tfedu-figures`. lang: of the page.
    Raises: MarkdownError for fences that fail; ValueError for another ending, for a target that is the source, and for text
    that is not UTF-8; OSError; ImportError without markdown-it-py.
    """
    source, target = Path(source), Path(target)
    if target.suffix not in (".html", ".md"):
        raise ValueError(f"the file to write must end in .html or .md, not {target.name!r}")
    if target.resolve() == source.resolve():
        raise ValueError(f"{target} is the source itself: name another file to write")
    text = source.read_text(encoding="utf-8")
    tokens, parser = _parsed(text)
    figures = _figures(tokens, target.parent / CACHE)
    if target.suffix == ".html":
        return write_text(target, _page(tokens, parser, figures, source.stem, lang))
    return write_text(target, _markdown(text, figures, target.parent))


def _parsed(text: str) -> tuple[list[Any], Any]:
    try:
        from markdown_it import MarkdownIt
    except ModuleNotFoundError as error:
        raise ImportError('Markdown needs markdown-it-py. This installs it:  pip install "tfedu[docs]"') from error
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return parser.parse(text), parser


def _figures(tokens: list[Any], cache: Path) -> list[tuple[Any, MadeFigure]]:
    """Makes the figure of each fence for tfedu; returns pairs of the fence's token and its figure."""
    figures, problems = [], []
    for token in tokens:
        options = options_of_fence(token.info) if token.type == "fence" else None
        if options is None:
            continue
        try:
            figures.append((token, made_of_block(token.content, options, cache)))
        except BlockError as error:
            problems.append((token.map[0] + 1 + (error.line or 0), str(error)))
    if problems:
        raise MarkdownError(problems)
    return figures


def _placed(
    figures: list[tuple[Any, MadeFigure]], lang: str | None, still: Callable[[MadeFigure], str]
) -> tuple[list[str], list[PagePart]]:
    """Returns the HTML that replaces each fence, and the page's parts of the figures that are widgets."""
    shown, parts = [], []
    for _, made in figures:
        if made.is_live:
            shown.append(place(made.figure.part, len(parts), lang, height=made.options.get("height")))
            parts.append(made.figure.part)
        else:
            shown.append(still(made))
    return shown, parts


def _page(tokens: list[Any], parser: Any, figures: list[tuple[Any, MadeFigure]], title: str, lang: str | None) -> str:
    def still(made: MadeFigure) -> str:
        width = f' style="width: {made.options["width"]}"' if "width" in made.options else ""
        return image(made.figure.svg, made.alt).replace("<img", f"<img{width}", 1)

    shown, parts = _placed(figures, lang, still)
    for (token, made), figure in zip(figures, shown, strict=True):
        caption = parser.renderInline(made.options["caption"]) if "caption" in made.options else ""
        listing = f'<pre><code class="language-python">{escape(made.code)}</code></pre>\n'
        legend = f"<figcaption>{caption}</figcaption>" if caption else ""
        if not made.options.get("show-code"):
            listing = ""
        token.type, token.content = "html_block", f"{listing}<figure>{figure}{legend}</figure>\n"
    heading = next((after for token, after in pairwise(tokens) if token.type == "heading_open" and token.tag == "h1"), None)
    if heading:
        title = "".join(each.content for each in heading.children)
    body = parser.renderer.render(tokens, parser.options, {})
    return document(encodable(body), parts, title, lang)


def _markdown(text: str, figures: list[tuple[Any, MadeFigure]], folder: Path) -> str:
    def still(made: MadeFigure) -> str:
        path = picture_file(made.figure, "svg", folder / FIGURES).relative_to(folder).as_posix()
        if "width" in made.options:
            return f'<img alt="{escape(alternative(made.alt))}" src="{path}" style="width: {made.options["width"]}">'
        return f"![{_plain(alternative(made.alt))}]({path})"

    shown, parts = _placed(figures, None, still)
    lines = text.split("\n")
    for (token, made), figure in reversed([*zip(figures, shown, strict=True)]):
        begin, end = token.map
        pieces = [figure]
        if made.options.get("show-code"):
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", made.code + "`")))
            pieces.insert(0, f"{fence}python\n{made.code.rstrip()}\n{fence}")
        if made.options.get("caption"):
            pieces.append(made.options["caption"])
        # What stands before the fence is of the list or the quotation around it.
        before = lines[begin][: lines[begin].index(token.markup)]
        inside = re.sub(r"[^>\s]", " ", before)
        new = "\n\n".join(pieces).split("\n")
        lines[begin:end] = [(before if i == 0 else inside) + line for i, line in enumerate(new)]
    if parts:
        lines += ["", front_end_of(parts, None)]
    return encodable("\n".join(lines).rstrip("\n") + "\n")


def _plain(text: str) -> str:
    """Text that Markdown takes as it is."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


__all__ = ["MarkdownError", "render"]
