"""The findings that `lint` returns, as text and as records for the views. No state."""

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
_MOST_NODES: Final = 12  # of one finding, in its picture
_MOST_AROUND: Final = 30  # nodes in a finding's picture; beyond that it has direct neighbours only
_MOST_CARRIED: Final = 1_000  # nodes in the pictures of one record; the front end asks for the later pictures


@dataclass(frozen=True)
class Finding:
    """One place at which a rule matched.

    code: the rule's key in `RULES`. site: the program's line. nodes: the nodes at fault, the most telling first. params: the
    parameters of the rule's message. fixes: pairs (line, new text of the line), only where the new text is surely right.
    """

    code: str
    site: Site | None
    nodes: tuple[Operation, ...]
    params: Mapping[str, str]
    fixes: tuple[tuple[int, str], ...] = field(default=())

    @property
    def line(self) -> int | None:
        """The number of the program's line; None where it is unknown."""
        return None if self.site is None else self.site.line

    @property
    def severity(self) -> Severity:
        """The rule's severity: "mistake", "suspicion" or "advice"."""
        return RULES[self.code].severity

    @property
    def sites(self) -> list[Site]:
        """The lines of the finding's nodes, the most telling first."""
        by_line: dict[tuple[str, int], Site] = {}
        for site in (self.site, *(op.site for op in self.nodes[:50])):
            if site is not None:
                by_line.setdefault((site.file, site.line), site)
        return list(by_line.values())[:_MOST_SITES]

    @property
    def snippet(self) -> str:
        """Code that fixes it: the changed lines where they are known, else an example."""
        if self.fixes:
            return "\n".join(text for _, text in self.fixes)
        text = RULES[self.code].snippet
        for name, value in self.params.items():
            text = text.replace("{" + name + "}", value)
        return text

    def around(self) -> GraphRecord:
        """The finding's nodes and the nodes near them."""
        nodes = list(self.nodes[:_MOST_NODES])
        record = graph_record(nodes, steps=2)
        return record if len(record.nodes) <= _MOST_AROUND else graph_record(nodes, steps=1)

    def record(self, around: GraphRecord | None = None) -> FindingRecord:
        """The finding as a record. around: the picture that the record carries."""
        variant = f"{self.code}.{self.params.get('kind', '')}"
        return FindingRecord(
            self.code,
            variant if has(f"lint.{variant}") else self.code,
            self.severity,
            dict(self.params),
            tuple([record for record in map(site_record, self.sites) if record is not None]),
            tuple([FixRecord(line, text) for line, text in self.fixes]),
            self.snippet,
            tuple([op.id for op in self.nodes[:_MOST_NODES]]),
            around,
        )

    def text(self, lang: str | None = None) -> str:
        """The finding in words: the mistake, the lines, why it matters, and the fix."""
        return words.finding_text(self.record(), lang)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


class Findings(list[Finding]):
    """Findings in program order; prints as a list."""

    def record(self, nodes: int, run: NoticeRecord | None = None) -> LintRecord:
        """The findings as a record; the first of them carry their pictures.

        nodes: how many nodes the graph has. run: the message that names the run whose reasons the reader can ask for.
        """
        records, carried = [], 0
        for finding in self:
            around = finding.around() if carried < _MOST_CARRIED else None
            carried += 0 if around is None else len(around.nodes)
            records.append(finding.record(around))
        return LintRecord(nodes, len(RULES), tuple(records), run)

    def text(self, lang: str | None = None) -> str:
        """All findings in words, or that there are none."""
        return "\n".join(finding.text(lang) for finding in self) if self else message("lint.none", lang)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


__all__ = ["Finding", "Findings"]
