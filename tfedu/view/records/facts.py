"""The record of what one run did at each node: how often it ran, how long, how many bytes it produced, its values. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import RecordError, check_unique, dataclass
from .gradient import Health


@dataclass(frozen=True, slots=True)
class NodeFactsRecord:
    """What a run did at a node; a node without such a record was not needed.

    turns: how often it ran; in a loop more than once. nanoseconds: the time of all turns. bytes: the size of all values that it
    computed, without buffers of variables. values: its last outputs, "" for one without a value.
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
    """One run, and what it did at each node."""

    KIND: ClassVar[str] = "run-facts"
    fetches: tuple[str, ...] = ()
    nodes: tuple[NodeFactsRecord, ...] = ()

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for a node that occurs twice, and for a number below 0."""
        check_unique([facts.node for facts in self.nodes], f"{dot}nodes")
        for index, facts in enumerate(self.nodes):
            for name in ("turns", "nanoseconds", "bytes"):
                if getattr(facts, name) < 0:
                    raise RecordError(f"{dot}nodes[{index}].{name}", "0 or more", getattr(facts, name))
