"""The record of what the engine does in `Session.run`, pass by pass. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import Params, RecordError, check_ids, check_unique, dataclass
from .graph import GraphRecord
from .trace import FetchRecord

PassCode = Literal["whole", "prune", "place", "order", "known", "needless", "fuse", "write"]


@dataclass(frozen=True, slots=True)
class FateRecord:
    """What a pass does to one node: the message `why.<code>` in the pass "prune", `passes.fate.<code>` in the others.

    leaves: whether the pass removes the node. lines: the node's lines of the plan, counted from 0.
    """

    node: int
    code: str
    leaves: bool
    params: Params
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PassRecord:
    """One pass: how many nodes there are before and after it, and what it does to each node.

    note: the message `passes.note.<note>` with these params; "" for none. The param `reason` stands for the message
    `refused.plan.<reason>`.
    """

    code: PassCode
    before: int
    after: int
    fates: tuple[FateRecord, ...]
    note: str
    params: Params


@dataclass(frozen=True, slots=True)
class PassesRecord:
    """The passes of one run. order: the nodes in the order in which they run; plan: the lines of the generated Python."""

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
