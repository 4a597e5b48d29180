"""The layers of a model: `layers_record(graph)`, or of a tensor those that it is computed by.

A layer of tf.layers, a recurrent cell and the like tell their class; a scope with trainable variables of its own is told by the
op types in it. No state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from ....engine.graph.default_graph import get_default_graph
from ....engine.graph.graph import Graph
from ....engine.graph.nodes import Operation
from ....engine.lib.framework.graph_keys import GraphKeys
from ....engine.models.keras_layers.built_layers import BuiltLayer, built_layers
from ...records import LayerRecord, LayersRecord
from ..gradient_nodes import gradient_records
from ..graph_records import role_of
from ..scope_paths import parent_scope
from ..tensor_texts import tensor_text
from .layer_records import Row, count, parts_of_all, rows_of, trained_in

TYPES: Final = 3
"""So many op types tell the kind of a scope that is no layer."""
_INITIAL: Final = "/Initializer/"


def layers_record(target: Any = None) -> LayersRecord:
    """The layers of a graph (by default the default graph), or those that a tensor, operation or list of them is computed by.

    Raises: TypeError for another target, ValueError for nodes of several graphs.
    """
    operations, graph = _operations(target)
    kept = None if operations is None else set(operations)
    calls = [
        call for call in built_layers(graph) if kept is None or any(output.op in kept for output in call.outputs)
    ]
    trained = trained_in(graph)
    rows = [*rows_of(calls, trained), *_loose(graph, calls, kept, trained)]
    variables = {id(one): one for one in [v for call in calls for v in parts_of_all(call.variables)]}
    variables |= {id(one): one for one in _loose_variables(graph, calls, kept)}
    return LayersRecord(
        _in_order(rows),
        count(variables.values()),
        count(one for key, one in variables.items() if key in trained),
    )


# -- which nodes -----------------------------------------------------------------------------------------------------


def _operations(target: Any) -> tuple[list[Operation] | None, Graph]:
    """The nodes that `target` is computed by, None for all nodes of a graph; and the graph."""
    if target is None or isinstance(target, Graph):
        return None, target or get_default_graph()
    items = target if isinstance(target, (list, tuple)) else [target]
    ends = [item if isinstance(item, Operation) else getattr(item, "op", None) for item in items]
    if not ends or not all(isinstance(end, Operation) for end in ends):
        raise TypeError(
            f"model_summary takes a graph, a tensor, an operation or a list of these, not a {type(target).__name__}"
        )
    found: dict[Operation, None] = {}
    waiting: list[Any] = list(ends)
    graph: Any = waiting[0].graph
    for op in waiting:
        if op.graph is not graph:
            raise ValueError(f"{op!r} must be from the same graph as {waiting[0]!r}.")
    while waiting:
        op = waiting.pop()
        if op not in found:
            found[op] = None
            waiting += [tensor.op for tensor in op.inputs] + list(op.control_inputs)
    return list(found), graph


# -- rows ------------------------------------------------------------------------------------------------------------

def _in_order(rows: Sequence[Row]) -> tuple[LayerRecord, ...]:
    """The rows by their first nodes, an outer layer before those inside."""
    first = {record.scope: number for number, record in rows}
    for number, record in rows:
        outer = parent_scope(record.scope)
        while outer:
            first[outer] = min(first.get(outer, number), number)
            outer = parent_scope(outer)
    records = [record for _, record in rows]
    return tuple(sorted(records, key=lambda record: (first[record.scope], record.scope.count("/"))))


def _loose(
    graph: Graph, calls: Sequence[BuiltLayer], kept: Collection[Operation] | None, trained: Collection[int]
) -> Iterator[Row]:
    """A row for each scope with variables that belong to no layer; for a variable in no scope one of its own."""
    by_scope: dict[str, list[Any]] = {}
    for variable in _loose_variables(graph, calls, kept):
        name = variable.op.name
        by_scope.setdefault(parent_scope(name) or name, []).append(variable)
    if not by_scope:
        return
    inside = _working_nodes(graph, by_scope, kept)
    for scope, variables in by_scope.items():
        nodes = inside[scope]
        types = list(dict.fromkeys(op.type for op in nodes))
        kind = ", ".join(types[:TYPES]) if types else variables[0].op.type
        ends = [op for op in nodes if all(_is_outside(c, scope) for t in op.outputs for c in t.consumers())]
        outputs = tuple(tensor_text(output) for op in ends[-1:] for output in op.outputs[:1])
        yield variables[0].op.id, LayerRecord(
            scope, kind, outputs, count(variables), count(one for one in variables if id(one) in trained), False, 1
        )  # fmt: skip


def _loose_variables(
    graph: Graph, calls: Sequence[BuiltLayer], kept: Collection[Operation] | None
) -> list[Any]:
    """The variables of no layer: those that train, and of a tensor's model all that it is computed by."""
    of_layers = {id(one) for call in calls for one in parts_of_all(call.variables)}
    keys = [GraphKeys.TRAINABLE_VARIABLES] if kept is None else [GraphKeys.GLOBAL_VARIABLES]
    variables = [one for key in keys for one in graph.get_collection(key)]
    return [one for one in variables if id(one) not in of_layers and (kept is None or one.op in kept)]


def _working_nodes(
    graph: Graph, scopes: Collection[str], kept: Collection[Operation] | None
) -> dict[str, list[Operation]]:
    """For each scope the nodes that compute in it: neither constants, variables and their reads, nor gradients."""
    gradients = {record.node for record in gradient_records(graph.operations)}
    inside: dict[str, list[Operation]] = {scope: [] for scope in scopes}
    for op in graph.operations:
        if role_of(op) != "op" or op.id in gradients or (kept is not None and op not in kept) or _INITIAL in op.name:
            continue
        scope = parent_scope(op.name)
        while scope and scope not in inside:
            scope = parent_scope(scope)
        if scope:
            inside[scope].append(op)
    return inside


def _is_outside(op: Operation, scope: str) -> bool:
    return not op.name.startswith(f"{scope}/")


__all__ = ["layers_record"]
