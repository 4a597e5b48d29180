"""A large graph in portions: `Portions(part).record` is what is sent at first, `more(path, opened)` what a scope then gives.

A record holds at most MOST nodes, whole scopes of them, the outer ones first. What it leaves out is sealed: told by its
numbers, edges from and to it in bundles. When the reader opens a sealed scope its nodes follow, and of the scopes in it as
many as make a portion. State: what the graph held when this was made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from ...engine.base.garbage_collection import collection_paused
from ..records import (
    EDGE_KINDS,
    BlockRecord,
    BundleRecord,
    EdgeRecord,
    GraphRecord,
    GroupRecord,
    NoticeRecord,
    ScopeRecord,
    SealedRecord,
)
from .graph_records import (
    AttrTexts,
    Part,
    Sites,
    gradient_records,
    grouping,
    node_record,
    parents_of,
    reference_inputs,
    reruns,
    scopes_of,
    site_record,
    tensor_text,
    variable_records,
)

MOST: Final = 20_000
PORTION: Final = 2_000
_DATA, _CONTROL, _REFERENCE = (EDGE_KINDS.index(kind) for kind in ("data", "control", "reference"))


class Portions:
    """A graph's nodes by their places (those of `part.operations`), scopes by their numbers, outer ones first, 0 the graph."""

    @collection_paused()
    def __init__(self, part: Part, most: int = MOST, portion: int = PORTION) -> None:
        self._operations = part.operations
        self._part = part
        self._most, self._portion = most, portion
        scope_of = scopes_of([op.name for op in part.operations])
        self._scope_of = [scope_of[op.name] for op in part.operations]
        self._parents = parents_of(self._scope_of)
        self._paths = ["", *sorted(self._parents, key=lambda path: (path.count("/"), path))]
        number = {path: i for i, path in enumerate(self._paths)}
        self._above = np.array([0, *(number[self._parents[path]] for path in self._paths[1:])])
        self._home = np.array([number[path] for path in self._scope_of], dtype=np.int64)
        self._direct = np.bincount(self._home, minlength=len(self._paths))
        order = np.argsort(self._home, kind="stable")
        starts = np.cumsum(self._direct) - self._direct
        self._turn = np.empty(len(order), dtype=np.int64)  # its place among the nodes of its scope
        self._turn[order] = np.arange(len(order)) - starts[self._home[order]]
        self._number = number
        self._inner: list[list[int]] = [[] for _ in self._paths]
        for scope, above in enumerate(self._above.tolist()[1:], 1):
            self._inner[above].append(scope)
        self._under = self._direct.tolist()
        for scope in range(len(self._paths) - 1, 0, -1):
            self._under[self._above[scope]] += self._under[scope]
        self._edges = self._all_edges()
        self._groups = grouping(self._operations, self._scope_of, self._edges, self._parents)
        self._gradients = tuple(gradient_records(self._operations))
        self._sites: Sites = {}

    def _all_edges(self) -> Any:
        """Rows of kind, source, output, target, input; of a control edge output and input are -1."""
        place = {op.id: i for i, op in enumerate(self._operations)}
        rows: list[tuple[int, int, int, int, int]] = []
        for target, op in enumerate(self._operations):
            inputs = op.inputs
            takes = reference_inputs(op) if inputs else ()
            for index, tensor in enumerate(inputs):
                source = place.get(tensor.op.id)
                if source is not None:
                    rows.append((_REFERENCE if index in takes else _DATA, source, tensor.index, target, index))
            for before in op.control_inputs:
                source = place.get(before.id)
                if source is not None:
                    rows.append((_CONTROL, source, -1, target, -1))
        return np.array(rows, dtype=np.int64).reshape(-1, 5)

    @property
    def record(self) -> GraphRecord:
        """What is sent at first."""
        return self.record_with(())

    def record_with(self, opened: Sequence[str]) -> GraphRecord:
        """The same, with what was asked for."""
        return self._difference(None, self._state(opened))

    @property
    def scopes(self) -> Mapping[str, str]:
        """All scopes of the graph, each with the one around it."""
        return self._parents

    def parents(self, opened: Sequence[str]) -> dict[str, str]:
        """What the reader can open by then, and what is around it: scopes that are sent, and groups of what repeats."""
        kept = self._state(opened)
        groups = [group for group in self._groups if self._can_tell(group, kept)]
        sent = {path: self._parents[path] for path in self._paths[1:] if kept[self._number[path]] >= 0}
        sent |= {group.path: group.parent for group in groups}
        return sent | {path: group.path for group in groups for path in group.scopes}

    def way_to(self, paths: Iterable[str], opened: Sequence[str] = ()) -> list[str]:
        """What is to be asked for, one after the other, until these scopes are sent; after `opened`, which it begins with."""
        way = list(opened)
        kept = self._state(way)
        for path in paths:
            while kept[self._number[path]] < 0:
                sealed = path
                while kept[self._number[self._parents[sealed]]] < 0:
                    sealed = self._parents[sealed]
                way.append(sealed)
                kept = self._state(way)
        return way

    def more(self, path: str, opened: Sequence[str]) -> GraphRecord:
        """What the sealed `path` gives, after those in `opened` were asked for in that order.

        The record speaks of what the reader has already: its edges, bundles and groups may lead there.
        Raises: ValueError for a path that is not sealed then.
        """
        before = self._state(opened)
        scope = self._sealed_number(path, before)
        gone = -1 - scope - (len(self._paths) if before[scope] >= 0 else 0)
        return self._difference(before, self._state((*opened, path)), gone)

    # -- what is loaded ------------------------------------------------------------------------------------------------

    def _state(self, opened: Iterable[str]) -> Any:
        """How many of the nodes directly in each scope are sent; -1 for a scope that is sealed."""
        kept = np.full(len(self._paths), -1, dtype=np.int64)
        self._load(kept, 0, self._most)
        for path in opened:
            scope = self._sealed_number(path, kept)
            if kept[scope] >= 0:
                kept[scope] = min(self._direct[scope], kept[scope] + self._most)
            else:
                self._load(kept, scope, max(self._portion, min(self._direct[scope], self._most)))
        return kept

    def _load(self, kept: Any, scope: int, room: int) -> int:
        """Loads a scope and, of those in it, the small ones first, all for which there is room; returns what it took.

        Whole ones, so that what is left out lies in few pieces; those that are too large share what room is left.
        """
        kept[scope] = min(self._direct[scope], room)
        left = room - int(kept[scope])
        row = sorted(self._inner[scope], key=self._under.__getitem__)
        for i, inner in enumerate(row):
            share = left // (len(row) - i)
            if self._under[inner] <= left:
                left -= self._under[inner]
                todo = [inner]
                while todo:
                    whole = todo.pop()
                    kept[whole] = self._direct[whole]
                    todo.extend(self._inner[whole])
            elif self._direct[inner] <= share and share >= room // 20:
                left -= self._load(kept, inner, share)
        return room - left

    def _sealed_number(self, path: str, kept: Any) -> int:
        rest = path.endswith("/…")
        scope = self._number.get(path.removesuffix("/…") if rest else path)
        if scope is not None and path == "/…":
            scope = 0
        is_sealed = scope is not None and (
            0 <= kept[scope] < self._direct[scope] if rest else kept[scope] < 0 <= kept[self._above[scope]]
        )
        if scope is None or not is_sealed:
            raise ValueError(f"nothing is left out of the picture under {path[:200]!r}")
        return scope

    def _stand(self, kept: Any) -> Any:
        """What stands for each node: its own place, or a number below 0, that of a sealed scope or rest."""
        top = np.zeros(len(self._paths), dtype=np.int64)
        for scope in range(1, len(self._paths)):
            above = self._above[scope]
            top[scope] = 0 if kept[scope] >= 0 else scope if kept[above] >= 0 else top[above]
        rest = len(self._paths) + self._home
        left_out = np.where(kept[self._home] >= 0, rest, top[self._home])
        return np.where(self._turn < kept[self._home], np.arange(len(self._home)), -1 - left_out)

    # -- records -------------------------------------------------------------------------------------------------------

    @collection_paused()
    def _difference(self, before: Any, after: Any, gone: int = 0) -> GraphRecord:
        """What a reader of one state needs for another; `gone` stands for nothing any more, or for less than before."""
        old = np.full(len(self._home), -1) if before is None else self._stand(before)
        new = self._stand(after)
        fresh = np.flatnonzero((new >= 0) & (old < 0))
        touched = np.ones(len(new), bool) if before is None else (old != new) | (old == gone)
        kind, source, _, target, _ = self._edges.T
        near = touched[source] | touched[target]
        ends = np.stack([kind, new[source], new[target]], axis=1)
        whole = (ends[:, 1] >= 0) & (ends[:, 2] >= 0)
        inside = ~whole & (ends[:, 1] == ends[:, 2])
        groups = [group for group in self._groups if self._can_tell(group, after)]
        if before is not None:
            told = {group.path for group in self._groups if self._can_tell(group, before)}
            groups = [group for group in groups if group.path not in told]
        ids = [op.id for op in self._operations]
        operations = [self._operations[place] for place in fresh]
        new_ids = {op.id for op in operations}
        paths = {self._scope_of[place] for place in fresh}
        if before is None:
            paths |= {self._paths[scope] for scope in np.flatnonzero(after >= 0)}
        else:
            paths |= {self._paths[scope] for scope in np.flatnonzero((after >= 0) & (before < 0))}
        scopes, attrs = self._scope_of, dict[int, AttrTexts]()
        notices: list[NoticeRecord] = []
        if before is None:
            left_out: dict[str, str | int] = {name: int(np.sum(~whole & (kind == i))) for i, name in enumerate(EDGE_KINDS)}
            notices = [*reruns(self._operations), NoticeRecord("sealed", {"nodes": len(ids) - len(fresh), **left_out})]
            if any(op._context is not None for op in self._operations):
                notices.insert(0, NoticeRecord("no_boxes", {"most": MOST}))
        return GraphRecord(
            tuple([node_record(op, scopes[place], self._sites, attrs) for op, place in zip(operations, fresh, strict=True)]),
            tuple(self._edge_records(np.flatnonzero(near & whole), ids)),
            tuple([ScopeRecord(path, self._parents[path]) for path in sorted(paths) if path]),
            tuple(self._blocks(new, ids, None if before is None else set(fresh.tolist()))),
            tuple(variable_records(operations)),
            tuple([pair for pair in self._gradients if pair.node in new_ids]),
            tuple(notices),
            (),
            tuple([replace(group, nodes=tuple([ids[i] for i in group.nodes])) for group in groups]),
            tuple(self._sealed(new, touched, ends[inside])),
            tuple(self._bundles(ends[near & ~whole & ~inside], ids)),
        )

    def _can_tell(self, group: GroupRecord, kept: Any) -> bool:
        """Whether all that a group holds is known to the reader."""
        scope = self._number[group.parent]
        return bool(kept[scope] >= 0 and all(self._turn[node] < kept[scope] for node in group.nodes))

    def _edge_records(self, rows: Any, ids: list[int]) -> Iterator[EdgeRecord]:
        for id, (kind, source, output, target, input) in zip(rows.tolist(), self._edges[rows].tolist(), strict=True):
            if kind == _CONTROL:
                yield EdgeRecord(id, "control", ids[source], None, ids[target], None, "")
            else:
                text = tensor_text(self._operations[source].outputs[output])
                yield EdgeRecord(id, EDGE_KINDS[kind], ids[source], output, ids[target], input, text)

    def _sealed(self, stand: Any, touched: Any, inner: Any) -> Iterator[SealedRecord]:
        left_out = stand[(stand < 0) & touched]
        inside: dict[tuple[int, int], int] = {}
        for kind, id, _ in inner.tolist():
            inside[id, kind] = inside.get((id, kind), 0) + 1
        for id, count in zip(*np.unique(left_out, return_counts=True), strict=True):
            scope = -1 - int(id)
            edges = [inside.get((int(id), kind), 0) for kind in (_DATA, _CONTROL, _REFERENCE)]
            if scope < len(self._paths):
                path = self._paths[scope]
                yield SealedRecord(int(id), path, self._parents[path], "scope", int(count), *edges)
            else:
                path = self._paths[scope - len(self._paths)]
                yield SealedRecord(int(id), f"{path}/…", path, "rest", int(count), *edges)

    def _bundles(self, ends: Any, ids: list[int]) -> Iterator[BundleRecord]:
        rows, counts = np.unique(ends, axis=0, return_counts=True)
        for (kind, source, target), count in zip(rows.tolist(), counts.tolist(), strict=True):
            source, target = (ids[end] if end >= 0 else end for end in (source, target))
            yield BundleRecord(EDGE_KINDS[kind], source, target, count)

    def _blocks(self, stand: Any, ids: list[int], fresh: set[int] | None) -> Iterator[BlockRecord]:
        """Blocks of what is known; an empty one is always told, whatever it waits for."""
        place = {id: i for i, id in enumerate(ids)}
        for id, block in enumerate(self._part.graph.blocks):
            made = [place[op.id] for op in block.created if op.id in place and stand[place[op.id]] >= 0]
            if block.cleared or (block.created and not made):
                continue
            if fresh is not None and block.created and fresh.isdisjoint(made):
                continue
            waits = dict.fromkeys(int(stand[place[op.id]]) for op in block.control_inputs if op.id in place)
            inputs = tuple([ids[end] if end >= 0 else end for end in waits])
            created = tuple([ids[i] for i in made])
            yield BlockRecord(id, site_record(block.site, self._sites), inputs, created, not block.created)


__all__ = ["MOST", "Portions"]
