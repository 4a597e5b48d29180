"""The record of likely mistakes in a graph. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import Params, RecordError, check_ids, dataclass
from .graph import GraphRecord, NoticeRecord, SiteRecord

Severity = Literal["mistake", "suspicion", "advice"]


@dataclass(frozen=True, slots=True)
class FixRecord:
    """A line of the program, and the text that should replace it."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class FindingRecord:
    """One likely mistake. code: of the rule; text: which of the rule's messages, `lint.<text>`, describes it.

    sites: the lines that it is about, the most important first. snippet: code that helps. nodes: what it is about in `around`.
    around: the graph near them; None where the front end asks for it later.
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
    """The likely mistakes, in the order of the program. nodes, rules: how many nodes and rules were checked.

    run: the message `lint.run.<code>`, about the run that questions "why does this node run?" refer to.
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
