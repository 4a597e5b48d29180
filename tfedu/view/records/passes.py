"""The record of what the engine does between `run` and the numbers, pass by pass. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import Params, RecordError, check_ids, check_unique, dataclass
from .graph import GraphRecord
from .trace import FetchRecord

PassCode = Literal["whole", "prune", "place", "order", "known", "needless", "fuse", "write"]


@dataclass(frozen=True, slots=True)
class FateRecord:
    """What a pass does to one node: the message `why.<code>` in the pass "prune", `passes.fate.<code>` in others.

    leaves: whether the node takes no part from here on. lines: which lines of the plan are its own, counted from 0.
    """

    node: int
    code: str
    leaves: bool
    params: Params
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PassRecord:
    """One pass: how many nodes there are before and after it, and what becomes of each that it is about.

    note: the message `passes.note.<note>` with these params; "" for none. Among them `reason` is the message
    `refused.plan.<reason>`, with the others.
    """

    code: PassCode
    before: int
    after: int
    fates: tuple[FateRecord, ...]
    note: str
    params: Params


@dataclass(frozen=True, slots=True)
class PassesRecord:
    """From the whole graph to what runs. order: the nodes by their turns; plan: the lines of the generated Python."""

    KIND: ClassVar[str] = "passes"
    graph: GraphRecord
    fetches: tuple[FetchRecord, ...] = ()
    passes: tuple[PassRecord, ...] = ()
    order: tuple[int, ...] = ()
    plan: tuple[str, ...] = ()

    def check(self) -> None:
        """Raises: RecordError for ids and lines that do not exist, and for counts that do not follow from the fates."""
        self.graph.check("graph.")
        nodes = {node.id for node in self.graph.nodes}
        check_ids([fetch.node for fetch in self.fetches], nodes, "fetches")
        check_ids(self.order, nodes, "order")
        left = len(nodes)
        for index, step in enumerate(self.passes):
            place = f"passes[{index}]"
            check_unique([fate.node for fate in step.fates], f"{place}.fates")
            check_ids([fate.node for fate in step.fates], nodes, f"{place}.fates")
            check_ids([line for fate in step.fates for line in fate.lines], range(len(self.plan)), f"{place}.lines")
            going = sum(fate.leaves for fate in step.fates)
            if (step.before, step.after) != (left, left - going):
                raise RecordError(f"{place}.after", f"{left - going} nodes of {left}", step.after)
            left = step.after
