"""Findings: what `lint` gives, with the words for it. No state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..engine.base.site import Site
from ..engine.graph.nodes import Operation
from ..view.labels import shorten
from ..view.messages import message


@dataclass(frozen=True)
class Finding:
    """One thing that was found.

    code: "empty_block", "implied_block", "rerun" or one of control_flow.py's. nodes: which ones it is about. fixes: (line,
    the line's new text), only where that is surely right.
    """

    code: str
    site: Site | None
    nodes: tuple[Operation, ...]
    params: Mapping[str, str]
    fixes: tuple[tuple[int, str], ...] = field(default=())

    @property
    def line(self) -> int | None:
        """The program's line."""
        return None if self.site is None else self.site.line

    def text(self, lang: str | None = None) -> str:
        """The finding in words, the line itself, and the fix."""
        code = "notice.rerun" if self.code == "rerun" else f"lint.{self.code}"
        lines = [message(code, lang, **self.params)]
        if self.site is not None and self.site.source:
            lines.append(f"    {shorten(self.site.source, 120)}")
        lines.extend(message("lint.fix", lang, line=line, fix=fix) for line, fix in self.fixes)
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


class Findings(list[Finding]):
    """What was found, in the order of the program; printed one below the other."""

    def text(self, lang: str | None = None) -> str:
        return "\n".join(finding.text(lang) for finding in self) if self else message("lint.none", lang)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


__all__ = ["Finding", "Findings"]
