"""Prune: the nodes that a run needs. `prune(graph, targets, fed)` walks back from the fetched nodes and stops at fed tensors.

The first stage of a run: prune → place → schedule → compile → execute, with partition after place on several devices. Each is
a module, and a function from record to record; each record prints itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..base import dtypes, errors
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..ops.basic import PLACEHOLDERS


@dataclass(frozen=True)
class Pruned:
    """The nodes that a run needs, in creation order, and for each the consumer through which `prune` reached it."""

    graph: Graph
    targets: tuple[Operation, ...]
    fed: tuple[Tensor, ...]
    operations: tuple[Operation, ...]
    needed_by: dict[Operation, Operation | None]

    def __str__(self) -> str:
        lines = [f"{len(self.operations)} of {len(self.graph.operations)} nodes are needed"]
        for op in self.operations:
            consumer = self.needed_by[op]
            lines.append(f"  {op.name}  {'fetched' if consumer is None else f'needed by {consumer.name}'}")
        return "\n".join(lines)


def data_inputs(op: Operation, fed: frozenset[Tensor] | set[Tensor]) -> Iterable[Operation]:
    """The nodes whose values this node takes, without the fed tensors."""
    if not fed:
        return (tensor.op for tensor in op.inputs)
    return (tensor.op for tensor in op.inputs if tensor not in fed)


def waits_for(op: Operation, fed: frozenset[Tensor] | set[Tensor]) -> Iterable[Operation]:
    """The nodes that this node waits for through control edges, without fed placeholders, which do not run."""
    if not fed:
        return op.waits
    return (
        waited
        for waited in op.waits
        if not (waited.type in PLACEHOLDERS and waited.outputs[0] in fed)
    )


def prune(graph: Graph, targets: Iterable[Operation], fed: Iterable[Tensor] = ()) -> Pruned:
    """The targets and their ancestors that no fed tensor cuts off.

    Raises: InvalidArgumentError for a fed value where a node takes a reference.
    """
    targets = tuple(dict.fromkeys(targets))
    fed_tuple = tuple(fed)
    cut = frozenset(fed_tuple)
    needed_by: dict[Operation, Operation | None] = dict.fromkeys(targets)
    stack = list(targets)
    while stack:
        op = stack.pop()
        if cut:
            above = [*data_inputs(op, cut), *waits_for(op, cut)]
        else:
            above = [tensor.op for tensor in op.inputs]
            if op.waits:
                above.extend(op.waits)
        for needed in above:
            if needed not in needed_by:
                needed_by[needed] = op
                stack.append(needed)
    operations = tuple(sorted(needed_by, key=_id))
    if cut:
        _check_references(operations, fed_tuple)
    return Pruned(graph, targets, fed_tuple, operations, needed_by)


def _check_references(operations: Iterable[Operation], fed: tuple[Tensor, ...]) -> None:
    """Refuses a fed value at an input that takes a reference: it is no variable."""
    for op in operations:
        for index, tensor in enumerate(op.inputs):
            if tensor in fed and op.definition is not None and op.definition.is_reference_input(index):
                kind = dtypes.runtime_name(tensor.dtype.base_dtype)
                raise errors.InvalidArgumentError(
                    None,
                    op,
                    f"Input {index} of node {op.name} was passed {kind} from _arg_{tensor.op.name}_0_{fed.index(tensor)}:0 "
                    f"incompatible with expected {kind}_ref.",
                )


def _id(op: Operation) -> int:
    return op.id
