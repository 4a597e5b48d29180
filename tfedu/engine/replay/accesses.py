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

# ("variable", container, name), ("temporary", node), ("generator", node), ("outside",)
Place: TypeAlias = tuple[str, ...]
OUTSIDE: Final[Place] = ("outside",)

_NOTHING: Final[frozenset[Place]] = frozenset()
# They live for one run, and their flow (or a control edge) orders who needs an order.
_ORDERED_BY_FLOW: Final = ("tensor_array", "stack")


@dataclass(frozen=True)
class Access:
    """The places that a node's turn reads and writes; a write counts as a read too."""

    reads: frozenset[Place] = _NOTHING
    writes: frozenset[Place] = _NOTHING

    def conflicts(self, other: Access) -> frozenset[Place]:
        """The places that one of the two writes and the other reads or writes: their order may matter."""
        return (self.writes & (other.reads | other.writes)) | (other.writes & self.reads)


@dataclass
class _Found:
    reads: set[Place] = field(default_factory=set)
    writes: set[Place] = field(default_factory=set)


def accesses(pruned: Pruned, is_unset: Callable[[Place], bool] = lambda place: False) -> dict[Operation, Access]:
    """The nodes with accesses, and these.

    is_unset: whether a place may be uninitialized: then a node that only passes a reference on reads whether it is.
    """
    behind, kept = _behind(pruned)
    found: dict[Operation, Access] = {}
    for op in pruned.operations:
        if op.definition is not None:
            its = _of(op, op.definition, behind, is_unset)
            if op.definition.resource in _ORDERED_BY_FLOW and not op.definition.gives_kept:
                its.reads.update(kept)
            if its.reads or its.writes:
                found[op] = Access(frozenset(its.reads), frozenset(its.writes))
    return found


def variable_of(op: Operation) -> Place | None:
    """The place of the variable whose reference or handle this node returns."""
    role = role_of(op)
    if role == "variable":
        return "variable", op.attrs["container"], op.attrs["shared_name"] or op.name
    return ("temporary", op.name) if role == "temporary" else None


def _behind(pruned: Pruned) -> tuple[dict[Tensor, frozenset[Place]], frozenset[Place]]:
    """The variables of which a tensor may be a reference or handle, and those of them that tensor arrays and stacks keep."""
    fed = frozenset(pruned.fed)
    behind: dict[Tensor, frozenset[Place]] = {}
    kept = _NOTHING
    giving = [op for op in pruned.operations if op.definition is not None and op.definition.gives_kept]
    row = dict.fromkeys(pruned.operations)
    while row:
        op = next(iter(row))
        del row[op]
        if op.definition is None:
            continue
        place = variable_of(op)
        d = op.definition
        given = frozenset((place,)) if place else _passed_on(op, d, behind)
        more = behind.get(op.inputs[d.keep_index], _NOTHING) if d.keep_index >= 0 else _NOTHING
        if more - kept:
            kept |= more
            row.update(dict.fromkeys(giving))
        if d.gives_kept:
            given |= kept
        if not given:
            continue
        # The second output of a Merge is a number.
        for tensor in op.outputs[:1] if d.role == "merge" else op.outputs:
            if tensor not in fed and behind.get(tensor) != given:
                behind[tensor] = given
                row.update(dict.fromkeys(c for c in tensor.consumers() if c in pruned.needed_by))
    return behind, kept


def _passed_on(op: Operation, d: OpDef, behind: dict[Tensor, frozenset[Place]]) -> frozenset[Place]:
    # A pure kernel that takes references gives one of them, as RefSelect does.
    parts = [
        behind[tensor]
        for i, tensor in enumerate(op.inputs)
        if tensor in behind and (d.passes(i) or i == d.view_index or (d.pure and d.takes_reference(i)))
    ]
    return parts[0].union(*parts[1:]) if parts else _NOTHING


def _of(
    op: Operation, d: OpDef, behind: dict[Tensor, frozenset[Place]], is_unset: Callable[[Place], bool]
) -> _Found:
    found = _Found()
    for i, tensor in enumerate(op.inputs):
        places = behind.get(tensor, _NOTHING)
        only_looks = i in d.accessed_inputs and i not in d.written_inputs
        if tensor.dtype.base_dtype is dtypes.resource:
            if d.passes(i) or d.resource in _ORDERED_BY_FLOW:
                continue
            places = places or frozenset((OUTSIDE,))
            (found.reads if only_looks else found.writes).update(places)
        elif not places:
            continue
        elif d.takes_reference(i) and not d.pure:
            (found.reads if only_looks else found.writes).update(places)
        elif d.takes_reference(i) or d.passes(i) or i in (d.view_index, d.keep_index):
            if not (d.takes_reference(i) and d.allows_uninitialized):
                found.reads.update(filter(is_unset, places))
        else:
            found.reads.update(places)
    if d.pure or d.takes_ref or variable_of(op) is not None or d.commutes:
        return found
    if any(attr.name == "seed2" for attr in d.attrs):
        found.writes.add(("generator", op.name))
    elif not any(tensor.dtype.base_dtype is dtypes.resource for tensor in (*op.inputs, *op.outputs)):
        found.writes.add(OUTSIDE)
    return found


def writes_files(op: Operation) -> bool:
    """Whether the node writes a file, which no copy of a session brings back."""
    d = op.definition
    return d is not None and d.resource == "file" and bool(d.written_inputs)


def outside(found: dict[Operation, Access]) -> Iterator[Operation]:
    """The nodes with effects outside the session: Python functions, files."""
    return (op for op, its in found.items() if OUTSIDE in its.writes)
