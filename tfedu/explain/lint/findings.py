"""Findings: what `lint` gives, with the words for it, and as a record for views. No state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ...engine.base.site import Site
from ...engine.graph.nodes import Operation
from ...view.make.graph_records import graph_record, site_record
from ...view.messages import has, message
from ...view.records import FindingRecord, FixRecord, GraphRecord, LintRecord, NoticeRecord
from ...view.words import lint_text as words
from .rules import RULES, Severity

_MOST_SITES: Final = 4
_MOST_NODES: Final = 12  # of one finding, that a picture is drawn of
_ROOM: Final = 30  # nodes around a finding; where there are more, only its neighbours are shown
_AT_ONCE: Final = 1_000  # nodes in all that a record carries; what is around the later findings is asked for


@dataclass(frozen=True)
class Finding:
    """One thing that was found.

    code: the rule (`tfedu.explain.RULES` is the catalogue). site: the line. nodes: which ones it is about. params: what the words
    name. fixes: (line, the line's new text), only where that is surely right.
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

    @property
    def severity(self) -> Severity:
        """How sure it is: "mistake", "suspicion" or "advice"."""
        return RULES[self.code].severity

    @property
    def sites(self) -> list[Site]:
        """The lines that it is about, the one to look at first."""
        found: dict[tuple[str, int], Site] = {}
        for site in (self.site, *(op.site for op in self.nodes[:50])):
            if site is not None:
                found.setdefault((site.file, site.line), site)
        return list(found.values())[:_MOST_SITES]

    @property
    def snippet(self) -> str:
        """Code that helps: the changed lines where they are known, else how such a line is written."""
        if self.fixes:
            return "\n".join(text for _, text in self.fixes)
        text = RULES[self.code].snippet
        for name, value in self.params.items():
            text = text.replace("{" + name + "}", value)
        return text

    def around(self) -> GraphRecord:
        """The nodes that it is about, and what is near them."""
        nodes = list(self.nodes[:_MOST_NODES])
        shown = graph_record(nodes, steps=2)
        return shown if len(shown.nodes) <= _ROOM else graph_record(nodes, steps=1)

    def record(self, around: GraphRecord | None = None) -> FindingRecord:
        """The finding as a record; with what is around it, where that is given."""
        own = f"{self.code}.{self.params.get('kind', '')}"
        return FindingRecord(
            self.code,
            own if has(f"lint.{own}") else self.code,
            self.severity,
            dict(self.params),
            tuple([found for found in map(site_record, self.sites) if found is not None]),
            tuple([FixRecord(line, text) for line, text in self.fixes]),
            self.snippet,
            tuple([op.id for op in self.nodes[:_MOST_NODES]]),
            around,
        )

    def text(self, lang: str | None = None) -> str:
        """The finding in words: what, the lines themselves, why it matters, and the fix."""
        return words.finding_text(self.record(), lang)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


class Findings(list[Finding]):
    """What was found, in the order of the program; printed one below the other."""

    def record(self, nodes: int, run: NoticeRecord | None = None) -> LintRecord:
        """The findings among so many nodes, the first of them with what is around them; run: of which reasons are told."""
        told, carried = [], 0
        for finding in self:
            around = finding.around() if carried < _AT_ONCE else None
            carried += 0 if around is None else len(around.nodes)
            told.append(finding.record(around))
        return LintRecord(nodes, len(RULES), tuple(told), run)

    def text(self, lang: str | None = None) -> str:
        return "\n".join(finding.text(lang) for finding in self) if self else message("lint.none", lang)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


__all__ = ["Finding", "Findings"]
