"""The layers of a graph as records, one for each scope in which a layer was called: `layer_records(graph, scopes)`.

A layer of tf.layers, a recurrent cell and the like tell their class; a block around layers, as Mixed_0 of a network, tells its
output and its parameters. No state.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from ....engine.graph.graph import Graph
from ....engine.graph.nodes import Operation
from ....engine.lib.framework.graph_keys import GraphKeys
from ....engine.models.keras_layers.built_layers import BuiltLayer, built_layers
from ...records import GroupRecord, LayerRecord
from ..gradient_nodes import gradient_records
from ..scope_paths import parent_scope, parents_of
from ..tensor_texts import tensor_text

Row: TypeAlias = tuple[int, LayerRecord]
"""The id of a node, by which rows are sorted, and the record."""


def layer_records(graph: Graph, scopes: Collection[str]) -> tuple[LayerRecord, ...]:
    """The layers that were called in one of the scopes, and the blocks among the scopes: those around layers or variables."""
    calls = built_layers(graph)
    if not calls:
        return ()
    trained = trained_in(graph)
    layers = [record for _, record in rows_of(calls, trained)]
    blocks = _blocks(graph, scopes, {layer.scope for layer in layers}, trained)
    return (*[layer for layer in layers if layer.scope in scopes], *blocks)


def _blocks(
    graph: Graph, scopes: Collection[str], layers: Collection[str], trained: Collection[int]
) -> Iterator[LayerRecord]:
    """Yields a layer record without a kind for each scope that holds parameters, but is no layer and lies in no layer."""
    variables = parts_of_all(graph.get_collection(GraphKeys.GLOBAL_VARIABLES))
    parameters = parameters_of(graph, [one.op for one in variables])
    own: dict[str, list[Any]] = {}
    for variable in variables:
        if variable.op not in parameters:
            continue
        around = _scopes_around(variable.op.name)
        # Of a layer only the scopes around it; of a variable that is in no layer, all scopes.
        outermost = max((at for at, scope in enumerate(around) if scope in layers), default=-1)
        for scope in around[outermost + 1 :]:
            if scope in scopes:
                own.setdefault(scope, []).append(variable)
    ends = _ends(graph, own, {variable.op.name for variable in variables})
    for scope, held in own.items():
        outputs = (tensor_text(ends[scope].outputs[0]),) if scope in ends else ()
        yield LayerRecord(
            scope, "", outputs, count(held), count(one for one in held if id(one) in trained), False, 1
        )  # fmt: skip


def _ends(graph: Graph, scopes: Collection[str], variables: set[str]) -> dict[str, Operation]:
    """For each scope the last node in it whose value goes out of it, to another node than one of the gradients."""
    gradients = {record.node for record in gradient_records(graph.operations)}
    ends: dict[str, Operation] = {}
    for op in reversed(graph.operations):
        around = [scope for scope in _scopes_around(op.name) if scope in scopes and scope not in ends]
        if not around or op.id in gradients or not op.outputs or not op.outputs[0].dtype.is_floating:
            continue
        if op.name in variables or not variables.isdisjoint(_scopes_around(op.name)):
            continue
        consumers = [consumer for consumer in op.outputs[0].consumers() if consumer.id not in gradients]
        ends |= {scope: op for scope in around if any(not one.name.startswith(f"{scope}/") for one in consumers)}
    return ends


def _scopes_around(name: str) -> list[str]:
    """The scopes of a node, the innermost first."""
    scopes = []
    while name := parent_scope(name):
        scopes.append(name)
    return scopes


def trained_in(graph: Graph) -> set[int]:
    """The ids of the trainable variables."""
    return {id(variable) for variable in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)}


def parameters_of(graph: Graph, variables: Sequence[Operation]) -> set[Operation]:
    """Those of the graph's variables that are parameters of a model: trained ones, and variables of layers.

    A graph that was read without its collections does not tell which ones train: there all count but those that an optimizer
    keeps beside another one, whose names have that one's name and a part more.
    """
    if not graph.get_collection(GraphKeys.GLOBAL_VARIABLES):
        names = {op.name for op in variables}
        return {op for op in variables if names.isdisjoint(parents_of([parent_scope(op.name)]))}
    of_layers = [one for call in built_layers(graph) for one in parts_of_all(call.variables)]
    return {one.op for one in [*graph.get_collection(GraphKeys.TRAINABLE_VARIABLES), *of_layers]}


def rows_of(calls: Sequence[BuiltLayer], trained: Collection[int]) -> Iterator[Row]:
    """A row for each scope in which a layer was called."""
    by_scope: dict[str, list[BuiltLayer]] = {}
    for call in calls:
        by_scope.setdefault(call.scope, []).append(call)
    counted: set[int] = set()
    for scope, same in by_scope.items():
        first = same[0]
        variables = parts_of_all(first.variables)
        shared = bool(variables) and all(id(one) in counted for one in variables)
        counted.update(id(one) for one in variables)
        outputs = dict.fromkeys(tensor_text(output) for call in same for output in call.outputs)
        number = min((output.op.id for output in first.outputs), default=0)
        yield number, LayerRecord(
            scope, first.kind, tuple(outputs), count(variables),
            count(one for one in variables if id(one) in trained), shared, len(same),
        )  # fmt: skip


def layers_of_repeats(groups: Iterable[GroupRecord], layers: Iterable[LayerRecord]) -> Iterator[LayerRecord]:
    """For each group of repeated blocks that have layers, what these have in common."""
    by_scope = {layer.scope: layer for layer in layers}
    for group in groups:
        found = _repeated_layer(group, by_scope) if group.kind == "repeat" else None
        if found is not None:
            yield found


def _repeated_layer(group: GroupRecord, layers: Mapping[str, LayerRecord]) -> LayerRecord | None:
    """Kind and outputs of each block, and the parameters of all together.

    Of a block that is no layer itself, only the parameters of its outermost layers are known. None where there is no layer.
    """

    def inside(block: str) -> list[LayerRecord]:
        found = [layer for path, layer in layers.items() if path.startswith(f"{block}/")]
        return [layer for layer in found if not any(layer.scope.startswith(f"{other.scope}/") for other in found)]

    blocks = [layers.get(block) for block in group.scopes]
    all_layers = [one for path, own in zip(group.scopes, blocks, strict=True) for one in ([own] if own else inside(path))]
    holding = [layer for layer in all_layers if not layer.shared]
    if not holding:
        return None
    sizes = [layer.parameters for layer in holding]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    first = blocks[0]
    if first is None or any(own is None or own.kind != first.kind for own in blocks):
        return LayerRecord(group.path, "", (), total, total, False, len(blocks))
    return replace(first, scope=group.path, parameters=total, trainable=total, calls=len(blocks))


def parts_of_all(variables: Iterable[Any]) -> list[Any]:
    """The variables, with the parts of partitioned ones in their place."""
    return [part for one in variables for part in (one if hasattr(one, "as_tensor") else [one])]


def count(variables: Iterable[Any]) -> int | None:
    """How many numbers the variables hold."""
    total = 0
    for variable in variables:
        sizes: Any = variable.shape.as_list() if variable.shape.ndims is not None else [None]
        if None in sizes:
            return None
        total += math.prod(sizes)
    return total


__all__ = [
    "Row", "count", "layer_records", "layers_of_repeats", "parameters_of", "parts_of_all", "rows_of", "trained_in",
]  # fmt: skip
