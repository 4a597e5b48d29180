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
    """A gradient: the tensor that holds it, its value in a run, and the health of that value ("" without a run).

    tensor: the place of the value among the record's tensors; None where `text` is the complete value.
    """

    name: str
    node: int | None
    text: str
    health: Health
    tensor: int | None = None


@dataclass(frozen=True, slots=True)
class ArrivalRecord:
    """The gradients that arrived at one output of a node, one for each use of the output; `total` is their sum."""

    output: int
    parts: tuple[GradientRecord, ...]
    total: GradientRecord | None


@dataclass(frozen=True, slots=True)
class ShareRecord:
    """The gradient of one input, which is an output of `node`.

    code: "passed" on, and that node has a turn; "aside": no x depends on that node; "integer": no gradient, since the input's
    dtype has none; "none": the rule returned none.
    """

    input: int
    node: int
    output: int
    code: ShareCode
    gradient: GradientRecord | None


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One node's turn in the backward sweep.

    kind: what the turn is, as the message `flow.live.<kind>`. reason: why the node is a "constant", as the message
    `flow.why.<reason>`, or the name of an overridden rule. sums, made: the nodes that added the arrivals, and the nodes that the
    rule created. pending: changed pending counts, as (node, count).
    """

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
    """The gradient of one x; or why it has none, and the node `at` which the path to it ends.

    reason: as in TurnRecord.
    """

    label: str
    node: int
    code: Literal["found", "unrelated", "integer", "stopped", "constant", "none"]
    gradient: GradientRecord | None
    at: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class GradientFlowRecord:
    """One call of `gradients`, turn by turn, and the graph after it."""

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
            tensors = [carrier.tensor for carrier in carriers if carrier is not None]
            check_ids(tensors, range(len(self.tensors)), f"{place}.arrivals")
            for share in turn.shares:
                check_ids((share.node,), nodes, f"{place}.shares")
                if not 0 <= share.output < nodes[share.node]:
                    raise RecordError(f"{place}.shares", "an output of the node", share.output)
        for index, result in enumerate(self.results):
            carrier_node = result.gradient.node if result.gradient is not None else None
            check_ids((result.node, carrier_node, result.at), nodes, f"results[{index}]")
