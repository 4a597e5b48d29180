"""The options of a figure, as authors write them in Sphinx, Markdown and Pandoc, and which code is for a figure. No state.

    ```{.tfedu-graph widget=steps live=true}         ```{tfedu-graph}
    tf.constant(1.0) * 2.0                           :widget: steps
    ```                                              :live:

                                                     tf.constant(1.0) * 2.0
                                                     ```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..view import messages
from ..view.labels import shorten
from .figures import WIDGETS, BlockError, Figure, figure_of

NAME: Final = "tfedu-graph"
# Units that paper has, too, and that pages have.
_UNITS: Final = "px|em|ex|cm|mm|in|pt|pc"
_LINE: Final = re.compile(r":([\w-]+):(?:[ \t]+(.*))?")
_ATTRIBUTE: Final = re.compile(r"""([.#]?[\w:-]+)(?:=("[^"]*"|'[^']*'|[^\s"']+))?""")


def _one_of(*choices: str) -> Callable[[str | None], str]:
    def checked(text: str | None) -> str:
        if (text or "").strip() not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}, not {shorten(text or '', 40)!r}")
        return (text or "").strip()

    return checked


def _flag(text: str | None) -> bool:
    return _one_of("", "true", "false")(text) != "false"


def _count(text: str | None) -> int:
    if not re.fullmatch(r"[1-9]\d{0,5}", (text or "").strip(), re.ASCII):
        raise ValueError(f"must be a whole number from 1 on, not {shorten(text or '', 40)!r}")
    return int(text or "")


def _length(more: str) -> Callable[[str | None], str]:
    def checked(text: str | None) -> str:
        found = re.fullmatch(rf"(\d+(?:\.\d+)?)\s*({_UNITS}|{more})?", (text or "").strip(), re.ASCII)
        if not found:
            known = f"{_UNITS}|{more}".replace("|", ", ")
            raise ValueError(f"must be a number of pixels or of {known}, not {shorten(text or '', 40)!r}")
        return found[1] + (found[2] or "px")

    return checked


def _text(text: str | None) -> str:
    return (text or "").strip()


# What turns the text of each option into its value; each raises ValueError for what it cannot be.
OPTIONS: Final[Mapping[str, Callable[[str | None], Any]]] = {
    "widget": _one_of(*WIDGETS),
    "live": _flag,
    "runs": _count,
    "lang": _one_of(*messages.LANGUAGES),
    "title": _text,
    "alt": _text,
    "caption": _text,
    "width": _length("%"),
    "height": _length("rem|vh"),
    "show-code": _flag,
}


class MadeFigure(NamedTuple):
    """A figure, the code that made it, and the checked values of OPTIONS by which its page places it."""

    figure: Figure
    code: str
    options: Mapping[str, Any]

    @property
    def is_live(self) -> bool:
        return bool(self.options.get("live"))

    @property
    def alt(self) -> str:
        return str(self.options.get("alt", self.figure.text))


def made(code: str, options: Mapping[str, Any], cache: Path) -> MadeFigure:
    """The figure of some code with checked options. Raises: BlockError, with the line of the code."""
    kind = options.get("widget", "graph")
    given = {name: options[name] for name in ("lang", "title") if name in options}
    if "runs" in options and kind != "graph":
        given["runs"] = options["runs"]
    return MadeFigure(figure_of(code, kind, given, cache), code, options)


def made_of_block(text: str, given: Iterable[tuple[str, str | None]], cache: Path) -> MadeFigure:
    """The figure of a block that may begin with lines `:option: value`. given: options from elsewhere, as texts.

    Raises: BlockError, with the line of the block; for an unknown option, too.
    """
    raw: dict[str, tuple[str | None, int | None]] = {name: (value, None) for name, value in given}
    lines = text.splitlines(keepends=True)
    at = 0
    while at < len(lines) and (found := _LINE.fullmatch(lines[at].rstrip())):
        raw[found[1]] = found[2], at + 1
        at += 1
    options = {}
    for name, (value, line) in raw.items():
        if name not in OPTIONS:
            raise BlockError(f"there is no option {shorten(name, 40)!r}; there are {', '.join(OPTIONS)}", line)
        try:
            options[name] = OPTIONS[name](value)
        except ValueError as error:
            raise BlockError(f"the option {name} {error}", line) from None
    begin = at + (at > 0 and at < len(lines) and not lines[at].strip())
    try:
        return made("".join(lines[begin:]), options, cache)
    except BlockError as error:
        raise BlockError(str(error), error.line and error.line + begin) from None


def options_of_fence(info: str) -> list[tuple[str, str | None]] | None:
    """The options after the opening ``` of a fence in Markdown, as texts; None where the fence is not for tfedu.

    The fence is `tfedu-graph` or `{tfedu-graph}`, with or without more after the name, or `{.tfedu-graph name=value …}`.
    """
    words = _ATTRIBUTE.findall(info.strip().strip("{}"))
    marks = [word for word, _ in words[:1]] + [word[1:] for word, _ in words if word.startswith(".")]
    if NAME not in marks:
        return None
    return [(name, value.strip("\"'")) for name, value in words if value]


__all__ = ["NAME", "OPTIONS", "MadeFigure", "made", "made_of_block", "options_of_fence"]
