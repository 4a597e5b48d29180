"""Conds and loops as boxes: `boxes_of(operations, scopes)` nests a graph's nodes by control flow instead of by name scopes.

A cond is a box with a box for each branch, a loop is one box; name scopes inside and around them stay boxes. The contexts of
the nodes tell which nodes belong together. No state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...engine.graph.nodes import Operation, Tensor
from ...engine.lib.control.contexts import CondContext
from ...engine.op.definition import role_of
from ...engine.ops.control_flow import MERGES
from ..records import BoxKind, BoxRecord


@dataclass(frozen=True)
class Region:
    """A cond, a branch or a loop. of: identifies it: the predicate of a cond, the context of a branch or loop.

    scope: the name scope that the cond or loop opened.
    """

    kind: BoxKind
    of: Any
    label: str
    scope: str = ""

    @property
    def name(self) -> str:
        return self.scope.rpartition("/")[2] or self.label


Regions: TypeAlias = tuple[Region, ...]  # the outermost first


def boxes_of(operations: Sequence[Operation], scope_of: Mapping[str, str]) -> tuple[BoxRecord, ...]:
    """The boxes of the nodes, outer ones first; none for a graph without conds and loops.

    scope_of: for each node's name its name scope.
    """
    regions = _regions(operations)
    if not regions:
        return ()
    scopes = {op: scope_of[op.name].split("/") if scope_of[op.name] else [] for op in operations}
    anchors: dict[Region, list[str]] = {}  # for each region the innermost name scope around all its nodes
    own: set[str] = set()  # scopes that conds and loops opened: they get no box of their own
    for op in operations:
        for region in regions.get(op, ()):
            if region.kind == "branch":
                continue  # a branch is in its cond, in whatever scope its nodes are
            anchors[region] = _common(anchors[region], scopes[op]) if region in anchors else scopes[op]
            own.add(region.scope)

    boxes = _Boxes()
    for op in operations:
        at, depth, scope = "", 0, scopes[op]
        around: list[Region | None] = [*regions.get(op, ()), None]
        for here in around:
            end = len(scope) if here is None else len(anchors.get(here, scope[:depth]))
            for i in range(depth, end):
                if "/".join(scope[: i + 1]) not in own:
                    at = boxes.inside(at, "scope", scope[i], scope[i], scope[i])
            if here is not None:
                at = boxes.inside(at, here.kind, here.of, here.name, here.label)
            depth = end
        if at:
            boxes.nodes.setdefault(at, []).append(op.id)
    return tuple(boxes.records())


class _Boxes:
    """The boxes so far, by their paths."""

    def __init__(self) -> None:
        self.nodes: dict[str, list[int]] = {}
        self._path: dict[tuple[str, BoxKind, Any], str] = {}
        self._box: dict[str, tuple[str, BoxKind, str]] = {}

    def inside(self, parent: str, kind: BoxKind, of: Any, name: str, label: str) -> str:
        """The path of a box in another one; creates the box where it is new."""
        key = (parent, kind, of)
        if key not in self._path:
            path = f"{parent}/{name}" if parent else name
            while not path or path in self._box:
                path += "'"
            self._path[key] = path
            self._box[path] = (parent, kind, label)
        return self._path[key]

    def records(self) -> Iterator[BoxRecord]:
        below: dict[str, list[str]] = {}
        for path, (parent, _, _) in self._box.items():
            below.setdefault(parent, []).append(path)
        row = below.get("", [])[::-1]
        while row:
            path = row.pop()
            parent, kind, label = self._box[path]
            yield BoxRecord(path, parent, kind, label, tuple(self.nodes.get(path, ())))
            row.extend(reversed(below.get(path, ())))


def _regions(operations: Sequence[Operation]) -> dict[Operation, Regions]:
    """For each node in a cond or loop the regions around it."""
    known: dict[Any, Regions] = {None: ()}
    regions_of: dict[Operation, Regions] = {}
    merges: list[Operation] = []
    for op in operations:
        around = _around(op._context, known)
        if around:
            regions_of[op] = around
        if op.type in MERGES:
            merges.append(op)
    chosen = set(operations)
    for context, around in known.items():
        if isinstance(context, CondContext):
            # The nodes that pass the predicate to the branches are inside the cond, outside its branches.
            gates = {context.pivot.op.inputs[0].op, context.pred.op}
            regions_of.update((gate, around[:-1]) for gate in gates & chosen if len(regions_of.get(gate, ())) < len(around) - 1)
    for op in merges:
        around = regions_of.get(op, ())
        ends = [regions_of.get(tensor.op, ())[: len(around) + 1] for tensor in op.inputs]
        cond = ends[0]
        if len(cond) > len(around) and cond[-1].kind == "cond" and all(end == cond for end in ends):
            regions_of[op] = cond
    return regions_of


def _around(context: Any, known: dict[Any, Regions]) -> Regions:
    """The regions of a context and of the contexts around it."""
    inner = []
    while context not in known:
        inner.append(context)
        context = context.outer
    for context in reversed(inner):
        outer = known[context.outer]
        if isinstance(context, CondContext):
            scope = context.name.rpartition("/")[0]
            pred = condition_of(context.pred).name.removesuffix(":0")
            cond = Region("cond", context.pred, pred, scope)
            known[context] = (*outer, cond, Region("branch", context, str(bool(context.branch))))
        else:
            name = loop_name(context.name)
            known[context] = (*outer, Region("loop", context, name, name))
    return known[inner[0] if inner else context]


def condition_of(pred: Tensor) -> Tensor:
    """The predicate of a cond as the program created it; the cond itself uses an identity of it."""
    return pred.op.inputs[0] if role_of(pred.op) == "identity" and pred.op.name.endswith("pred_id") else pred


def loop_name(frame: str) -> str:
    """The name of a loop: that of its frame, while/while_context, without the last part."""
    return frame.rpartition("/")[0] or frame


def _common(one: list[str], other: list[str]) -> list[str]:
    length = 0
    for a, b in zip(one, other):
        if a != b:
            break
        length += 1
    return one[:length]


__all__ = ["boxes_of", "condition_of", "loop_name"]
