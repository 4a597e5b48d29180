"""What rules ask about a graph, each answer worked out once: `Facts(graph)`.

State: the graph and what was already asked about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from ....engine.graph.graph import Graph
from ....engine.graph.history import Differentiated, Ran
from ....engine.graph.nodes import Operation, Tensor
from ....engine.runtime.prune import prune
from ....view.make.graph_records import role_of
from ...models.misconceptions import initializers

VARIABLES: Final = ("Variable", "VariableV2", "VarHandleOp")
# What gives on what it gets: a value keeps its meaning on the way.
PASSED: Final = ("Identity", "RefIdentity", "Reshape", "Squeeze", "ExpandDims", "Enter", "RefEnter", "CheckNumerics", "Snapshot")
_APPLIED: Final = ("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply")


class Facts:
    """A graph as rules see it."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.operations = graph.operations
        self.runs: list[Ran] = graph.history.runs
        self._executed: dict[int, frozenset[Operation]] = {}

    # -- nodes ---------------------------------------------------------------------------------------------------

    @cached_property
    def by_type(self) -> dict[str, list[Operation]]:
        found: dict[str, list[Operation]] = {}
        for op in self.operations:
            found.setdefault(op.type, []).append(op)
        return found

    def of(self, *types: str) -> Iterator[Operation]:
        """The nodes of these types, in the order of the program."""
        if len(types) == 1:
            return iter(self.by_type.get(types[0], ()))
        return iter(sorted((op for type in types for op in self.by_type.get(type, ())), key=lambda op: op.id))

    def collected(self, name: str) -> list[Any]:
        return self.graph.get_collection(name)

    @cached_property
    def kept(self) -> set[Operation]:
        """The nodes that a collection names: a program may fetch them from there. (An optimizer puts each train op into one.)"""
        found: set[Operation] = set()
        for name in set(self.graph.collections) - {"train_op"}:
            for item in self.graph.get_collection(name):
                op = item if isinstance(item, Operation) else getattr(item, "op", None)
                if isinstance(op, Operation):
                    found.add(op)
        return found

    # -- variables -----------------------------------------------------------------------------------------------

    @cached_property
    def initializers(self) -> set[Operation]:
        return initializers(self.graph)

    @cached_property
    def variables(self) -> dict[Operation, Any]:
        """The variables of the collections by their nodes."""
        found = {}
        for name in ("variables", "local_variables"):
            for variable in self.collected(name):
                op = getattr(variable, "op", None)
                if isinstance(op, Operation) and op.type in VARIABLES:
                    found.setdefault(op, variable)
        return found

    @cached_property
    def trainable(self) -> list[Operation]:
        """The nodes of the variables that an optimizer takes by itself."""
        return [v.op for v in self.collected("trainable_variables") if getattr(v, "op", None) in self.variables]

    @cached_property
    def writers(self) -> dict[Operation, list[Operation]]:
        """By variable the nodes that write it, its initializers and what restores it left out."""
        return self._written[0]

    @cached_property
    def restorers(self) -> dict[Operation, list[Operation]]:
        """By variable the nodes that write what was read from a checkpoint."""
        return self._written[1]

    @cached_property
    def _written(self) -> tuple[dict[Operation, list[Operation]], dict[Operation, list[Operation]]]:
        written: dict[Operation, list[Operation]] = {}
        restored: dict[Operation, list[Operation]] = {}
        for op in self.operations:
            if role_of(op) != "update" or not op.inputs or op in self.initializers:
                continue
            variable = variable_of(op.inputs[0])
            if variable is not None:
                restores = len(op.inputs) > 1 and source(op.inputs[1]).type.startswith("Restore")
                (restored if restores else written).setdefault(variable, []).append(op)
        return written, restored

    @cached_property
    def applied(self) -> list[Operation]:
        """The nodes with which optimizers change variables."""
        return [op for op in self.operations if op.type.startswith(_APPLIED)]

    # -- runs and gradients --------------------------------------------------------------------------------------

    @cached_property
    def calls(self) -> list[Differentiated]:
        """The calls of `gradients`, as many as there were when it was asked."""
        return list(self.graph.history.gradients)

    @cached_property
    def executed(self) -> frozenset[Operation]:
        """The nodes that some run of the program took."""
        by_feeds: dict[tuple[Tensor, ...], set[Operation]] = {}
        for run in self.runs:
            by_feeds.setdefault(run.feeds, set()).update(_targets(run))
        found: set[Operation] = set()
        for feeds, targets in by_feeds.items():
            found.update(prune(self.graph, targets, feeds).operations)
        return frozenset(found)

    def taken_by(self, run: Ran) -> frozenset[Operation]:
        """The nodes that one run took."""
        found = self._executed.get(id(run))
        if found is None:
            found = self._executed[id(run)] = frozenset(prune(self.graph, _targets(run), run.feeds).operations)
        return found

    def is_fed(self, tensor: Tensor) -> bool:
        return any(tensor in run.feeds for run in self.runs)


def _targets(run: Ran) -> set[Operation]:
    return {*(t.op for t in run.tensors if t not in run.feeds), *run.operations}


# -- walking -----------------------------------------------------------------------------------------------------


def walk(roots: Iterable[Operation], after: Callable[[Operation], Iterable[Operation]]) -> dict[Operation, None]:
    """The roots and what `after` leads to from them, nearest first."""
    found = dict.fromkeys(roots)
    row = list(found)
    for op in row:
        for following in after(op):
            if following not in found:
                found[following] = None
                row.append(following)
    return found


def ancestors(roots: Iterable[Operation], control: bool = True) -> dict[Operation, None]:
    """The nodes and all that they need; without `control` only what they compute with."""

    def before(op: Operation) -> Iterable[Operation]:
        return (*(t.op for t in op.inputs), *(op.waits if control else ()))

    return walk(roots, before)


def successors(op: Operation) -> list[Operation]:
    """The nodes that take a value of the node or wait for it."""
    return [*(taker for tensor in op.outputs for taker in tensor.consumers()), *op.control_outputs]


def descendants(roots: Iterable[Operation]) -> dict[Operation, None]:
    """The nodes and all that takes their values or waits for them."""
    return walk(roots, successors)


def value_descendants(roots: Iterable[Operation]) -> dict[Operation, None]:
    """The nodes and all that computes with their values."""
    return walk(roots, lambda op: [taker for tensor in op.outputs for taker in tensor.consumers()])


def source(tensor: Tensor) -> Operation:
    """The node that made a value, past those that only pass it on."""
    while tensor.op.type in PASSED and tensor.op.inputs:
        tensor = tensor.op.inputs[0]
    return tensor.op


def variable_of(tensor: Tensor) -> Operation | None:
    """The variable that a reference, handle or read stands for."""
    op = source(tensor)
    if op.type == "ReadVariableOp":
        op = source(op.inputs[0])
    return op if op.type in VARIABLES else None


def operation_of(value: Any) -> Operation | None:
    """The node of an entry of a collection."""
    if isinstance(value, Operation):
        return value
    found = getattr(value, "op", None)
    return found if isinstance(found, Operation) else None


def listed_names(ops: Iterable[Operation], most: int = 4) -> str:
    """Some names, and how many there are besides."""
    listed = [op.name for op in ops]
    more = f", … (+{len(listed) - most})" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more
