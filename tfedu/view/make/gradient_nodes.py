"""The nodes that `gradients` created, told by their names. No state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...engine.graph.nodes import Operation
from ..records import GradientNodeRecord
from .scope_paths import parent_scope


def gradient_records(operations: Sequence[Operation]) -> Iterator[GradientNodeRecord]:
    """The nodes that `gradients` created, each with the node whose gradient it computes; imported graphs have them, too.

    Names tell: the gradient of `layer/mul` is in the scope "…gradients/layer/mul_grad", sums are in "…gradients".
    """
    by_name = {op.name: op for op in operations}
    owners: dict[str, tuple[str, Operation] | None] = {}
    differentiated: dict[int, Operation] = {}
    roots: set[str] = set()
    for op in operations:
        end = op.name.rfind("_grad/", 0, 4096)
        while end >= 0:  # the innermost of nested gradients counts
            path = op.name[:end]
            if path not in owners:
                owners[path] = _differentiated(path, by_name)
            owner = owners[path]
            if owner is not None:
                roots.add(owner[0])
                differentiated[op.id] = owner[1]
                break
            end = path.rfind("_grad/")
    within = dict.fromkeys(roots, True) | {"": False}  # for each scope whether it is in one of the roots
    for op in operations if roots else ():
        if op.id in differentiated:
            yield GradientNodeRecord(op.id, differentiated[op.id].id)
        elif _is_within(parent_scope(op.name), within):
            yield GradientNodeRecord(op.id, None)


def _is_within(path: str, known: dict[str, bool]) -> bool:
    """Whether the scope is in one of the roots: as the scope around it. Keeps the answer in `known`."""
    if path not in known:
        known[path] = _is_within(parent_scope(path), known)
    return known[path]


def _differentiated(path: str, by_name: Mapping[str, Operation]) -> tuple[str, Operation] | None:
    """The node whose name ends the path, and the scope before that name, in which `gradients` put its nodes."""
    cut = path.find("/")
    while cut >= 0:
        op = by_name.get(path[cut + 1 :])
        if op is not None:
            return path[:cut], op
        cut = path.find("/", cut + 1)
    return None
