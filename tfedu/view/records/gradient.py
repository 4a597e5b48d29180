"""The record of one call of `gradients`, turn by turn. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import RecordError, check_ids, dataclass
from .graph import GraphRecord
from .trace import FetchRecord
from .value import TensorRecord

Health = Literal["", "fine", "zero", "tiny", "nan", "inf", "dead"]
ShareCode = Literal["passed", "aside", "integer", "none"]


@dataclass(frozen=True, slots=True)
class GradientRecord:
    """A gradient: the tensor that carries it, and in a run its value and how that is ("": there was no run).

    tensor: which of the record's tensors shows the value; None where the text says it all.
    """

    name: str
    node: int | None
    text: str
    health: Health
    tensor: int | None = None


@dataclass(frozen=True, slots=True)
class ArrivalRecord:
    """What came to one output of a node, over as many ways as there are parts; `total` is their sum."""

    output: int
    parts: tuple[GradientRecord, ...]
    total: GradientRecord | None


@dataclass(frozen=True, slots=True)
class ShareRecord:
    """What one input got, by the node and output that it comes from.

    "passed": its node has a turn; "aside": nothing that was asked for lies there; "integer", "none": no gradient, since
    the input holds whole numbers and such, or since the rule gives none.
    """

    input: int
    node: int
    output: int
    code: ShareCode
    gradient: GradientRecord | None


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One node's turn on the way back. `reason` is the engine's own word for a "constant"; `pending` the counts that changed."""

    kind: Literal["start", "rule", "reached", "stopped", "constant", "nothing"]
    node: int
    formula: str
    reason: str
    arrivals: tuple[ArrivalRecord, ...]
    sums: tuple[int, ...]
    made: tuple[int, ...]
    shares: tuple[ShareRecord, ...]
    pending: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DerivativeRecord:
    """The gradient of one x; or why there is none, and the node where the way to it breaks off."""

    label: str
    node: int
    code: Literal["found", "unrelated", "integer", "stopped", "constant", "none"]
    gradient: GradientRecord | None
    at: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class GradientFlowRecord:
    """One call of `gradients`, turn by turn, and the graph as it is after it."""

    KIND: ClassVar[str] = "gradient-flow"
    graph: GraphRecord
    ys: tuple[FetchRecord, ...] = ()
    turns: tuple[TurnRecord, ...] = ()
    results: tuple[DerivativeRecord, ...] = ()
    tensors: tuple[TensorRecord, ...] = ()

    def check(self) -> None:
        """Raises: RecordError for ids that do not exist."""
        self.graph.check("graph.")
        nodes = {node.id: len(node.outputs) for node in self.graph.nodes}
        check_ids([y.node for y in self.ys], nodes, "ys")
        for index, turn in enumerate(self.turns):
            place = f"turns[{index}]"
            carriers = [part for arrival in turn.arrivals for part in (*arrival.parts, arrival.total)]
            carriers.extend(share.gradient for share in turn.shares)
            check_ids((turn.node, *turn.sums, *turn.made), nodes, place)
            check_ids([node for node, _ in turn.pending], nodes, f"{place}.pending")
            check_ids([carrier.node for carrier in carriers if carrier is not None], nodes, f"{place}.arrivals")
            shown = [carrier.tensor for carrier in carriers if carrier is not None]
            check_ids(shown, range(len(self.tensors)), f"{place}.arrivals")
            for share in turn.shares:
                check_ids((share.node,), nodes, f"{place}.shares")
                if not 0 <= share.output < nodes[share.node]:
                    raise RecordError(f"{place}.shares", "an output of the node", share.output)
        for index, result in enumerate(self.results):
            found = result.gradient.node if result.gradient is not None else None
            check_ids((result.node, found, result.at), nodes, f"results[{index}]")
