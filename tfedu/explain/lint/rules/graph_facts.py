"""Facts about a graph that several rules need, each computed once: `Facts(graph)`; and walks along its edges.

State: `Facts`, the cached facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from ....engine.graph.graph import Graph
from ....engine.graph.history import Differentiated, Ran
from ....engine.graph.nodes import Operation, Tensor
from ....engine.op.definition import role_of
from ....engine.ops.state import VARIABLES, is_variable_read
from ....engine.runtime.prune import prune
from ....view.make.graph_records import role_of as drawn_role
from ...mental_models.graph_parts import initializers


class Facts:
    """Cached facts about a graph, its runs and its calls of `gradients`."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.operations = graph.operations
        self.runs: list[Ran] = graph.history.runs
        self._executed: dict[int, frozenset[Operation]] = {}

    # -- nodes ---------------------------------------------------------------------------------------------------

    @cached_property
    def by_type(self) -> dict[str, list[Operation]]:
        """The nodes of each op type."""
        by_type: dict[str, list[Operation]] = {}
        for op in self.operations:
            by_type.setdefault(op.type, []).append(op)
        return by_type

    def of(self, *types: str) -> Iterator[Operation]:
        """The nodes of these op types, in program order."""
        if len(types) == 1:
            return iter(self.by_type.get(types[0], ()))
        return iter(sorted((op for type in types for op in self.by_type.get(type, ())), key=lambda op: op.id))

    def collected(self, name: str) -> list[Any]:
        """The items of a collection."""
        return self.graph.get_collection(name)

    @cached_property
    def in_collections(self) -> set[Operation]:
        """The nodes in collections, from which a program may fetch them; optimizers put each step into "train_op" themselves."""
        names = set(self.graph.collections) - {"train_op"}
        return {op for name in names for item in self.collected(name) if (op := operation_of(item)) is not None}

    # -- variables -----------------------------------------------------------------------------------------------

    @cached_property
    def initializers(self) -> set[Operation]:
        """The nodes that assign variables their initial values."""
        return initializers(self.graph)

    @cached_property
    def variables(self) -> dict[Operation, Any]:
        """The global and local variables by their nodes."""
        variables: dict[Operation, Any] = {}
        for name in ("variables", "local_variables"):
            for variable in self.collected(name):
                op = getattr(variable, "op", None)
                if isinstance(op, Operation) and op.type in VARIABLES:
                    variables.setdefault(op, variable)
        return variables

    @cached_property
    def trainable(self) -> list[Operation]:
        """The nodes of the trainable variables."""
        return [v.op for v in self.collected("trainable_variables") if getattr(v, "op", None) in self.variables]

    @cached_property
    def writers(self) -> dict[Operation, list[Operation]]:
        """The nodes that write each variable, without its initializers and restorers."""
        return self._writes[0]

    @cached_property
    def restorers(self) -> dict[Operation, list[Operation]]:
        """The nodes that assign each variable a value from a checkpoint."""
        return self._writes[1]

    @cached_property
    def _writes(self) -> tuple[dict[Operation, list[Operation]], dict[Operation, list[Operation]]]:
        written: dict[Operation, list[Operation]] = {}
        restored: dict[Operation, list[Operation]] = {}
        for op in self.operations:
            if drawn_role(op) != "update" or not op.inputs or op in self.initializers:
                continue
            restores = len(op.inputs) > 1 and reads_file(source(op.inputs[1]))
            for index in (0,) if op.definition is None else op.definition.written_inputs:
                variable = variable_of(op.inputs[index])
                if variable is not None:
                    (restored if restores else written).setdefault(variable, []).append(op)
        return written, restored

    @cached_property
    def applied(self) -> list[Operation]:
        """The nodes that apply an optimizer's update to a variable."""
        return [op for op in self.operations if role_of(op) == "optimizer_step"]

    # -- runs and gradients --------------------------------------------------------------------------------------

    @cached_property
    def calls(self) -> list[Differentiated]:
        """The calls of `gradients` so far."""
        return list(self.graph.history.gradients)

    @cached_property
    def executed(self) -> frozenset[Operation]:
        """The nodes that ran in some run of the program."""
        by_feeds: dict[tuple[Tensor, ...], set[Operation]] = {}
        for run in self.runs:
            by_feeds.setdefault(run.feeds, set()).update(_targets(run))
        pruned = [prune(self.graph, targets, feeds).operations for feeds, targets in by_feeds.items()]
        return frozenset().union(*pruned)

    def executed_in(self, run: Ran) -> frozenset[Operation]:
        """The nodes that ran in one run."""
        executed = self._executed.get(id(run))
        if executed is None:
            executed = self._executed[id(run)] = frozenset(prune(self.graph, _targets(run), run.feeds).operations)
        return executed

    def is_fed(self, tensor: Tensor) -> bool:
        """Whether some run fed the tensor."""
        return any(tensor in run.feeds for run in self.runs)


def _targets(run: Ran) -> set[Operation]:
    return {*(t.op for t in run.tensors if t not in run.feeds), *run.operations}


# -- single nodes -------------------------------------------------------------------------------------------------


def _passes_value_on(op: Operation) -> bool:
    """Whether the node's output has the elements of its first input."""
    return role_of(op) in ("identity", "enter") or (op.definition is not None and op.definition.view_index == 0)


def reads_file(op: Operation) -> bool:
    """Whether the node reads tensors from a file."""
    return op.definition is not None and op.definition.resource == "file" and bool(op.definition.read_inputs)


def source(tensor: Tensor) -> Operation:
    """The node that computes a tensor's value, past nodes that only pass it on."""
    while _passes_value_on(tensor.op) and tensor.op.inputs:
        tensor = tensor.op.inputs[0]
    return tensor.op


def variable_of(tensor: Tensor) -> Operation | None:
    """The variable of a reference, handle or read; None where the tensor is none of these."""
    op = source(tensor)
    if is_variable_read(op):
        op = source(op.inputs[0])
    return op if op.type in VARIABLES else None


def operation_of(item: Any) -> Operation | None:
    """The node of an item of a collection; None where it has none."""
    op = item if isinstance(item, Operation) else getattr(item, "op", None)
    return op if isinstance(op, Operation) else None


def listed_names(ops: Iterable[Operation], most: int = 4) -> str:
    """The first names, and how many more there are."""
    listed = [op.name for op in ops]
    more = f", … (+{len(listed) - most})" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more
