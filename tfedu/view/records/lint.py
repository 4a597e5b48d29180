"""The record of what looks like a mistake in a graph. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import Params, RecordError, check_ids, dataclass
from .graph import GraphRecord, NoticeRecord, SiteRecord

Severity = Literal["mistake", "suspicion", "advice"]


@dataclass(frozen=True, slots=True)
class FixRecord:
    """A line of the program, and what should stand there."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class FindingRecord:
    """One place, by the rule's code: its words are in the catalogue of messages.

    text: which of the rule's sentences says what is there. sites: the lines that it is about, the one to look at first. snippet:
    code that helps. nodes: the nodes that it is about, as far as `around` shows them; around: what is near them, None where it
    is asked for later.
    """

    code: str
    text: str
    severity: Severity
    params: Params
    sites: tuple[SiteRecord, ...]
    fixes: tuple[FixRecord, ...]
    snippet: str
    nodes: tuple[int, ...]
    around: GraphRecord | None


@dataclass(frozen=True, slots=True)
class LintRecord:
    """What was found among so many nodes by so many rules, in the order of the program.

    run: the message `lint.run.<code>`, of which run it can be asked why a node runs there or does not.
    """

    KIND: ClassVar[str] = "lint"
    nodes: int
    rules: int
    findings: tuple[FindingRecord, ...]
    run: NoticeRecord | None = None

    def check(self) -> None:
        """Raises: RecordError for ids that do not exist."""
        for index, finding in enumerate(self.findings):
            place = f"findings[{index}]."
            if finding.around is not None:
                finding.around.check(f"{place}around.")
                check_ids(finding.nodes, {node.id for node in finding.around.nodes}, f"{place}nodes")
            elif not finding.nodes:
                raise RecordError(f"{place}nodes", "at least one node", 0)
