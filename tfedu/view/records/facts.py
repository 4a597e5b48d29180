"""The record of what one run did at each node: how often, how long, how many bytes, what came out. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import RecordError, check_unique, dataclass
from .gradient import Health


@dataclass(frozen=True, slots=True)
class NodeFactsRecord:
    """What a run did at a node; of a node that is in no such record nothing was needed.

    turns: how often it ran, more than once in a loop. nanoseconds: what these turns took together; bytes: how large what it
    made was, together, without what was a variable's own buffer. values: what came out last, "" where nothing did.
    """

    node: int
    outcome: Literal["ran", "dead", "fed", "error"]
    turns: int
    nanoseconds: int
    bytes: int
    health: Health
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunFactsRecord:
    """One run, as what it did at each node; `fetches` says what was asked for."""

    KIND: ClassVar[str] = "run-facts"
    fetches: tuple[str, ...] = ()
    nodes: tuple[NodeFactsRecord, ...] = ()

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for a node that is there twice, and for a number below 0."""
        check_unique([facts.node for facts in self.nodes], f"{dot}nodes")
        for index, facts in enumerate(self.nodes):
            for name in ("turns", "nanoseconds", "bytes"):
                if getattr(facts, name) < 0:
                    raise RecordError(f"{dot}nodes[{index}].{name}", "0 or more", getattr(facts, name))
