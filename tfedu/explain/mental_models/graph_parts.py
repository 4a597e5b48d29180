"""Parts of a graph that misconceptions distinguish (initializers, updates, a variable's nodes), and orders of nodes. No state."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ...engine.base import errors
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation, Tensor
from ...engine.ops.state import ASSIGNMENTS, VARIABLES, is_variable_read
from ...engine.runtime.frames import Item, Segment, has_loops
from ...engine.runtime.place import Placed
from ...engine.runtime.prune import prune
from ...engine.runtime.schedule import Schedule, schedule
from .story import Task

# -- orders of nodes -------------------------------------------------------------------------------------------------


def order_of(graph: Graph, targets: Iterable[Operation], task: Task) -> Sequence[Item]:
    """The nodes of a run of these targets, in the order of the task's schedule; a loop is one item.

    Raises: UnimplementedError for loops that are not nested, but wait for each other's nodes.
    """
    return items_of(schedule(Placed(prune(graph, targets, task.fed)), task.policy))


def items_of(scheduled: Schedule) -> Sequence[Item]:
    """The nodes and loops of a schedule. Raises: as order_of."""
    if scheduled.segment is not None:
        return scheduled.segment.items
    if scheduled.frames is not None:
        raise errors.UnimplementedError(None, None, "loops that wait for each other's nodes are no single story")
    return scheduled.order


def flat(items: Iterable[Item]) -> list[Operation]:
    """The nodes of the items, with those of loops."""
    return [op for item in items for op in (item.flat() if isinstance(item, Segment) else (item,))]


def restricted(items: Iterable[Item], nodes: Collection[Operation]) -> list[Item]:
    """The items without the nodes that are not in `nodes`."""
    remaining: list[Item] = []
    for item in items:
        if isinstance(item, Segment):
            inside = restricted(item.items, nodes)
            if inside:
                remaining.append(Segment(item.frame, tuple(inside)))
        elif item in nodes:
            remaining.append(item)
    return remaining


def program_order(graph: Graph, task: Task) -> Sequence[Item]:
    """All nodes in program order, each after what it needs; without those on a cycle.

    (Program order alone would not do: a node in a cond is older than the Switch that becomes its input.)
    """
    if has_loops(prune(graph, graph.operations)):
        return order_of(graph, graph.operations, task)
    pending: dict[int, int] = {}
    waiting: dict[int, list[Operation]] = {}
    for op in graph.operations:
        needed = {*(t.op.id for t in op.inputs if t not in task.fed), *(waited.id for waited in op.control_inputs)}
        pending[op.id] = len(needed)
        for id in needed:
            waiting.setdefault(id, []).append(op)
    ready = [id for id, count in pending.items() if not count]
    order: list[Item] = []
    while ready:
        op = graph.operations[heapq.heappop(ready)]
        order.append(op)
        for successor in waiting.get(op.id, ()):
            pending[successor.id] -= 1
            if not pending[successor.id]:
                heapq.heappush(ready, successor.id)
    return order


# -- sets of nodes ---------------------------------------------------------------------------------------------------


def updates(graph: Graph) -> set[Operation]:
    """The nodes that write a variable."""
    known = [op for op in graph.operations if op.definition is not None]
    return {op for op in known if op.definition.resource == "variable" and op.definition.written_inputs}


def initializers(graph: Graph) -> set[Operation]:
    """The nodes that assign variables their initial values, which a program runs once, before anything else."""
    nodes = set()
    for name in ("variables", "local_variables"):
        for variable in graph.get_collection(name):
            initializer = getattr(variable, "initializer", None)
            if isinstance(initializer, Operation):
                nodes.add(initializer)
    for op in graph.operations:
        if op.type in ASSIGNMENTS and op.inputs[0].op.type in VARIABLES:
            variable = op.inputs[0].op
            if op.site is not None and variable.site is not None and _line(op) == _line(variable):
                nodes.add(op)
    return nodes


def _line(op: Operation) -> tuple[Any, int] | None:
    return None if op.site is None else (op.site.code, op.site.line)


def variable_parts(graph: Graph) -> set[Operation]:
    """The nodes that a variable makes under its own name: its initial value, its read, its check."""
    variables = {op.name: op for op in graph.operations if op.type in VARIABLES}
    parts = set()
    for op in graph.operations:
        scope = op.name
        # An initial value may be some scopes deeper, as in Variable/Initializer/initial_value.
        for _ in range(4):
            scope = scope.rpartition("/")[0]
            if not scope:
                break
            variable = variables.get(scope)
            if variable is not None and _line(variable) == _line(op):
                parts.add(op)
                break
    return parts


def own_read(handle: Operation) -> Operation | None:
    """The read that a resource variable made with itself, and that fetching the variable fetches."""
    reads = [op for op in handle.outputs[0].consumers() if is_variable_read(op)]
    return min(reads, key=lambda op: op.id, default=None)


def variable_reads(tensors: Iterable[Tensor]) -> list[Operation]:
    """The reads among fetches that stand for a variable, as in `sess.run(x)` of a resource variable."""
    return [
        t.op
        for t in tensors
        if is_variable_read(t.op)
        and not t.op.control_inputs
        and t.op.inputs[0].op.type in VARIABLES
        and own_read(t.op.inputs[0].op) is t.op
    ]
