"""Accesses: the nodes of a run that read or write state which outlives a turn, from the graph alone.

`accesses(pruned)` follows references (also through Identity, Reshape, Switch, Enter and the like) and handles to their
variables. The result is conservative: two nodes without a common place may take their turns in any order.
No state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ..base import dtypes
from ..graph.nodes import Operation, Tensor
from ..op.definition import OpDef, role_of
from ..runtime.prune import Pruned

# ("variable", container, name), also of mutexes, queues, tables, iterators; ("temporary", node), ("generator", node) and
# ("outside",)
Place: TypeAlias = tuple[str, ...]
OUTSIDE: Final[Place] = ("outside",)

_NOTHING: Final[frozenset[Place]] = frozenset()
# The resources of a session, beside variables, whose nodes have a name for them.
_NAMED: Final = ("iterator", "mutex", "queue", "reader", "table")
# These live for one run, and their flow (or a control edge) orders the nodes whose order matters.
_ORDERED_BY_FLOW: Final = ("tensor_array", "stack")
# Resources that each node finds by its shared name.
_STAGING: Final = ("staging", "map_staging", "ordered_map_staging")


@dataclass(frozen=True)
class Access:
    """The places that a node's turn reads and writes; a write counts as a read too."""

    reads: frozenset[Place] = _NOTHING
    writes: frozenset[Place] = _NOTHING

    def conflicts(self, other: Access) -> frozenset[Place]:
        """The places that one of the two writes and the other reads or writes: their order may matter."""
        return (self.writes & (other.reads | other.writes)) | (other.writes & self.reads)


@dataclass
class _Places:
    """The accesses of a node, as far as they are collected."""

    reads: set[Place] = field(default_factory=set)
    writes: set[Place] = field(default_factory=set)


def accesses(pruned: Pruned, is_unset: Callable[[Place], bool] = lambda place: False) -> dict[Operation, Access]:
    """The nodes with accesses, and these.

    is_unset: whether a place may be uninitialized: then a node that only passes a reference on reads whether it has a value.
    """
    variables_of, stored = _variables_behind(pruned)
    accesses_of: dict[Operation, Access] = {}
    for op in pruned.operations:
        if op.definition is not None:
            places = _places_of(op, op.definition, variables_of, is_unset)
            if op.definition.resource in _ORDERED_BY_FLOW and not op.definition.returns_stored:
                places.reads.update(stored)
            if places.reads or places.writes:
                accesses_of[op] = Access(frozenset(places.reads), frozenset(places.writes))
    return accesses_of


def variable_of(op: Operation) -> Place | None:
    """The place of the variable, mutex, queue, table or iterator whose reference or handle this node returns."""
    role = role_of(op)
    if role == "variable":
        return "variable", op.attrs["container"], op.attrs["shared_name"] or op.name
    if role == "temporary":
        return "temporary", op.name
    if op.definition is not None and op.definition.resource in _NAMED and "shared_name" in op.attrs:
        return op.definition.resource, op.attrs["container"], op.attrs["shared_name"] or op.name
    return None


def _variables_behind(pruned: Pruned) -> tuple[dict[Tensor, frozenset[Place]], frozenset[Place]]:
    """The variables of which a tensor may be a reference or handle, and those of them that tensor arrays and stacks store."""
    fed = frozenset(pruned.fed)
    variables_of: dict[Tensor, frozenset[Place]] = {}
    stored = _NOTHING
    readers = [op for op in pruned.operations if op.definition is not None and op.definition.returns_stored]
    queue = dict.fromkeys(pruned.operations)
    while queue:
        op = next(iter(queue))
        del queue[op]
        if op.definition is None:
            continue
        place = variable_of(op)
        d = op.definition
        variables = frozenset((place,)) if place else _passed_on(op, d, variables_of)
        newly_stored = _NOTHING.union(*[variables_of.get(t, _NOTHING) for i, t in enumerate(op.inputs) if d.stores_input(i)])
        if newly_stored - stored:
            stored |= newly_stored
            queue.update(dict.fromkeys(readers))
        if d.returns_stored:
            variables |= stored
        if not variables:
            continue
        # The second output of a Merge is a number.
        for tensor in op.outputs[:1] if d.role == "merge" else op.outputs:
            if tensor not in fed and variables_of.get(tensor) != variables:
                variables_of[tensor] = variables
                queue.update(dict.fromkeys(c for c in tensor.consumers() if c in pruned.needed_by))
    return variables_of, stored


def _passed_on(op: Operation, d: OpDef, variables_of: dict[Tensor, frozenset[Place]]) -> frozenset[Place]:
    """The variables whose references or handles the node passes on."""
    # A pure kernel that takes references gives one of them, as RefSelect does.
    parts = [
        variables_of[tensor]
        for i, tensor in enumerate(op.inputs)
        if tensor in variables_of and (d.passes_through(i) or i == d.view_index or (d.pure and d.is_reference_input(i)))
    ]
    return parts[0].union(*parts[1:]) if parts else _NOTHING


def _places_of(
    op: Operation, d: OpDef, variables_of: dict[Tensor, frozenset[Place]], is_unset: Callable[[Place], bool]
) -> _Places:
    """The places that the node reads and writes."""
    node_places = _Places()
    for i, tensor in enumerate(op.inputs):
        places = variables_of.get(tensor, _NOTHING)
        only_reads = i in d.accessed_inputs and i not in d.written_inputs
        if tensor.dtype.base_dtype is dtypes.resource:
            if d.passes_through(i) or d.resource in _ORDERED_BY_FLOW:
                continue
            places = places or frozenset((OUTSIDE,))
            (node_places.reads if only_reads else node_places.writes).update(places)
        elif not places:
            continue
        elif d.is_reference_input(i) and not d.pure:
            (node_places.reads if only_reads else node_places.writes).update(places)
        elif d.is_reference_input(i) or d.passes_through(i) or i == d.view_index or d.stores_input(i):
            if not (d.is_reference_input(i) and d.allows_uninitialized):
                node_places.reads.update(filter(is_unset, places))
        else:
            node_places.reads.update(places)
    if d.pure or d.has_reference_inputs or variable_of(op) is not None or d.commutes:
        return node_places
    if d.resource in _STAGING:
        node_places.writes.add((d.resource, op.attrs["container"], op.attrs["shared_name"]))
    elif any(attr.name == "seed2" for attr in d.attrs):
        node_places.writes.add(("generator", op.name))
    elif not any(tensor.dtype.base_dtype is dtypes.resource for tensor in (*op.inputs, *op.outputs)):
        node_places.writes.add(OUTSIDE)
    return node_places


def writes_files(op: Operation) -> bool:
    """Whether the node writes a file: a copy of the session does not undo that."""
    d = op.definition
    return d is not None and d.resource == "file" and bool(d.written_inputs)


def with_outside_effects(accesses_of: dict[Operation, Access]) -> Iterator[Operation]:
    """The nodes with effects outside the session: Python functions, files."""
    return (op for op, access in accesses_of.items() if OUTSIDE in access.writes)
