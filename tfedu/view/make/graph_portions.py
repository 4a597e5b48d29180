"""A large graph in portions: `Portions(part).record` is sent first, `more(path, opened)` when the reader opens a scope.

A record has at most MOST nodes: entire scopes, the outer ones first. A scope that it leaves out is *sealed*: a SealedRecord
counts its nodes and edges, and BundleRecords count the edges from and to it. When the reader opens a sealed scope, its nodes
are sent, and as many of its inner scopes as make a portion. State: the nodes and edges of the graph at construction.

A large graph has some 100,000 edges, and each request compares what was sent before and after it. Nodes, edges and scopes are
therefore numbered and held in arrays: a node by its place in `part.operations`, a scope by its place in `_paths`, outer scopes
first, 0 being the graph.
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
from .drawn_places import places_of
from .gradient_nodes import gradient_records
from .graph_records import (
    AttrTexts,
    Part,
    Sites,
    grouping,
    node_record,
    reference_inputs,
    reruns,
    site_record,
    sites_by_file,
    variable_records,
)
from .networks.layer_records import layer_records
from .programs.program_lines import code_records
from .scope_paths import parents_of
from .tensor_texts import tensor_text

MOST: Final = 20_000
PORTION: Final = 2_000
_DATA, _CONTROL, _REFERENCE = (EDGE_KINDS.index(kind) for kind in ("data", "control", "reference"))


class Portions:
    """The portions of one graph; nodes and scopes by their numbers (see the module's docstring)."""

    @collection_paused()
    def __init__(self, part: Part, most: int = MOST, portion: int = PORTION) -> None:
        self._operations = part.operations
        self._part = part
        self._most, self._portion = most, portion
        self._gradients = tuple(gradient_records(part.operations))
        self._variables = tuple(variable_records(part.graph, part.operations))
        scope_of, self._parts = places_of(part.operations, self._gradients, part.is_complete)
        self._scope_of = [scope_of[op.name] for op in part.operations]
        self._parents = parents_of(self._scope_of)
        self._paths = ["", *sorted(self._parents, key=lambda path: (path.count("/"), path))]
        number = {path: i for i, path in enumerate(self._paths)}
        self._above = np.array([0, *(number[self._parents[path]] for path in self._paths[1:])])
        self._home = np.array([number[path] for path in self._scope_of], dtype=np.int64)
        self._direct = np.bincount(self._home, minlength=len(self._paths))
        order = np.argsort(self._home, kind="stable")
        starts = np.cumsum(self._direct) - self._direct
        self._rank = np.empty(len(order), dtype=np.int64)  # a node's place among the nodes of its scope
        self._rank[order] = np.arange(len(order)) - starts[self._home[order]]
        self._number = number
        self._inner: list[list[int]] = [[] for _ in self._paths]
        for scope, above in enumerate(self._above.tolist()[1:], 1):
            self._inner[above].append(scope)
        self._under = self._direct.tolist()
        for scope in range(len(self._paths) - 1, 0, -1):
            self._under[self._above[scope]] += self._under[scope]
        self._edges = self._all_edges()
        self._groups = grouping(self._operations, self._scope_of, self._edges, self._parents)
        self._sites: Sites = {}

    def _all_edges(self) -> Any:
        """Rows of kind, source, output, target, input; of a control edge output and input are -1."""
        place = {op.id: i for i, op in enumerate(self._operations)}
        rows: list[tuple[int, int, int, int, int]] = []
        for target, op in enumerate(self._operations):
            inputs = op.inputs
            references = reference_inputs(op) if inputs else ()
            for index, tensor in enumerate(inputs):
                source = place.get(tensor.op.id)
                if source is not None:
                    rows.append((_REFERENCE if index in references else _DATA, source, tensor.index, target, index))
            for before in op.control_inputs:
                source = place.get(before.id)
                if source is not None:
                    rows.append((_CONTROL, source, -1, target, -1))
        return np.array(rows, dtype=np.int64).reshape(-1, 5)

    @property
    def record(self) -> GraphRecord:
        """The record that is sent first."""
        return self.record_with(())

    def record_with(self, opened: Sequence[str]) -> GraphRecord:
        """The record of what was sent after the reader opened these scopes in this order."""
        return self._difference(None, self._state(opened))

    @property
    def scopes(self) -> Mapping[str, str]:
        """For each scope of the graph the scope around it."""
        return self._parents

    def parents(self, opened: Sequence[str]) -> dict[str, str]:
        """For each scope and group that the reader knows after opening `opened`, the scope or group around it."""
        kept = self._state(opened)
        groups = [group for group in self._groups if self._can_tell(group, kept)]
        sent = {path: self._parents[path] for path in self._paths[1:] if kept[self._number[path]] >= 0}
        sent |= {group.path: group.parent for group in groups}
        return sent | {path: group.path for group in groups for path in group.scopes}

    def way_to(self, paths: Iterable[str], opened: Sequence[str] = ()) -> list[str]:
        """The scopes to open, one after the other, until `paths` are sent; begins with `opened`."""
        requests = list(opened)
        kept = self._state(requests)
        for path in paths:
            while kept[self._number[path]] < 0:
                target = path
                while kept[self._number[self._parents[target]]] < 0:
                    target = self._parents[target]
                requests.append(target)
                kept = self._state(requests)
        return requests

    def more(self, path: str, opened: Sequence[str]) -> GraphRecord:
        """What is sent when the reader opens the sealed scope `path`, after `opened` in that order.

        The record's edges, bundles and groups may name nodes that were sent before.
        Raises: ValueError for a path that is not sealed after `opened`.
        """
        before = self._state(opened)
        scope = self._sealed_number(path, before)
        gone = -1 - scope - (len(self._paths) if before[scope] >= 0 else 0)
        return self._difference(before, self._state((*opened, path)), gone)

    # -- what was sent ------------------------------------------------------------------------------------------------

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
        """Loads a scope and its inner scopes, the small ones first, while `room` nodes suffice; returns how many it loaded.

        It loads entire inner scopes, so that few scopes are sealed; scopes that are too large share the remaining room.
        """
        kept[scope] = min(self._direct[scope], room)
        remaining = room - int(kept[scope])
        children = sorted(self._inner[scope], key=self._under.__getitem__)
        for i, child in enumerate(children):
            share = remaining // (len(children) - i)
            if self._under[child] <= remaining:
                remaining -= self._under[child]
                todo = [child]
                while todo:
                    loaded = todo.pop()
                    kept[loaded] = self._direct[loaded]
                    todo.extend(self._inner[loaded])
            elif self._direct[child] <= share and share >= room // 20:
                remaining -= self._load(kept, child, share)
        return room - remaining

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

    def _drawn_as(self, kept: Any) -> Any:
        """For each node the id that it is drawn as: its own place, or that of the sealed scope or rest that it is in, below 0."""
        top = np.zeros(len(self._paths), dtype=np.int64)
        for scope in range(1, len(self._paths)):
            above = self._above[scope]
            top[scope] = 0 if kept[scope] >= 0 else scope if kept[above] >= 0 else top[above]
        rest = len(self._paths) + self._home
        left_out = np.where(kept[self._home] >= 0, rest, top[self._home])
        return np.where(self._rank < kept[self._home], np.arange(len(self._home)), -1 - left_out)

    # -- records -------------------------------------------------------------------------------------------------------

    @collection_paused()
    def _difference(self, before: Any, after: Any, gone: int = 0) -> GraphRecord:
        """What takes the reader from one state to another. gone: the sealed scope or rest that was opened; 0 for none."""
        before_ids = np.full(len(self._home), -1) if before is None else self._drawn_as(before)
        after_ids = self._drawn_as(after)
        added = np.flatnonzero((after_ids >= 0) & (before_ids < 0))
        touched = np.ones(len(after_ids), bool) if before is None else (before_ids != after_ids) | (before_ids == gone)
        kind, source, _, target, _ = self._edges.T
        near = touched[source] | touched[target]
        ends = np.stack([kind, after_ids[source], after_ids[target]], axis=1)
        is_drawn = (ends[:, 1] >= 0) & (ends[:, 2] >= 0)
        inside = ~is_drawn & (ends[:, 1] == ends[:, 2])
        groups = [group for group in self._groups if self._can_tell(group, after)]
        if before is not None:
            known_groups = {group.path for group in self._groups if self._can_tell(group, before)}
            groups = [group for group in groups if group.path not in known_groups]
        ids = [op.id for op in self._operations]
        operations = [self._operations[place] for place in added]
        new_ids = {op.id for op in operations}
        paths = {self._scope_of[place] for place in added}
        if before is None:
            paths |= {self._paths[scope] for scope in np.flatnonzero(after >= 0)}
        else:
            paths |= {self._paths[scope] for scope in np.flatnonzero((after >= 0) & (before < 0))}
        attrs = dict[int, AttrTexts]()
        nodes = tuple(
            [node_record(self._operations[place], self._scope_of[place], self._sites, attrs) for place in added.tolist()]
        )
        notices: list[NoticeRecord] = []
        if before is None:
            left_out: dict[str, str | int] = {name: int(np.sum(~is_drawn & (kind == i))) for i, name in enumerate(EDGE_KINDS)}
            notices = [*reruns(self._operations), NoticeRecord("sealed", {"nodes": len(ids) - len(added), **left_out})]
            if any(op._context is not None for op in self._operations):
                notices.insert(0, NoticeRecord("no_boxes", {"most": MOST}))
        blocks = tuple(self._blocks(after_ids, ids, None if before is None else set(added.tolist())))
        return GraphRecord(
            nodes=nodes,
            edges=tuple(self._edge_records(np.flatnonzero(near & is_drawn), ids)),
            scopes=tuple([ScopeRecord(path, self._parents[path]) for path in sorted(paths) if path]),
            blocks=blocks,
            variables=tuple([variable for variable in self._variables if variable.node in new_ids]),
            gradients=tuple([pair for pair in self._gradients if pair.node in new_ids]),
            notices=tuple(notices),
            groups=tuple([replace(group, nodes=tuple([ids[i] for i in group.nodes])) for group in groups]),
            sealed=tuple(self._sealed(after_ids, touched, ends[inside])),
            bundles=tuple(self._bundles(ends[near & ~is_drawn & ~inside], ids)),
            codes=code_records(sites_by_file(self._sites)) if before is None else (),
            parts=self._parts if before is None else (),
            layers=layer_records(self._part.graph, self._parents) if before is None else (),
        )

    def _can_tell(self, group: GroupRecord, kept: Any) -> bool:
        """Whether the reader knows every member of a group."""
        scope = self._number[group.parent]
        return bool(kept[scope] >= 0 and all(self._rank[node] < kept[scope] for node in group.nodes))

    def _edge_records(self, rows: Any, ids: list[int]) -> Iterator[EdgeRecord]:
        for id, (kind, source, output, target, input) in zip(rows.tolist(), self._edges[rows].tolist(), strict=True):
            if kind == _CONTROL:
                yield EdgeRecord(id, "control", ids[source], None, ids[target], None, "")
            else:
                text = tensor_text(self._operations[source].outputs[output])
                yield EdgeRecord(id, EDGE_KINDS[kind], ids[source], output, ids[target], input, text)

    def _sealed(self, drawn_as: Any, touched: Any, inner_edges: Any) -> Iterator[SealedRecord]:
        left_out = drawn_as[(drawn_as < 0) & touched]
        inside: dict[tuple[int, int], int] = {}
        for kind, id, _ in inner_edges.tolist():
            inside[id, kind] = inside.get((id, kind), 0) + 1
        for id, count in zip(*np.unique(left_out, return_counts=True), strict=True):
            scope = -1 - int(id)
            edge_counts = [inside.get((int(id), kind), 0) for kind in (_DATA, _CONTROL, _REFERENCE)]
            if scope < len(self._paths):
                path = self._paths[scope]
                yield SealedRecord(int(id), path, self._parents[path], "scope", int(count), *edge_counts)
            else:
                path = self._paths[scope - len(self._paths)]
                yield SealedRecord(int(id), f"{path}/…", path, "rest", int(count), *edge_counts)

    def _bundles(self, ends: Any, ids: list[int]) -> Iterator[BundleRecord]:
        rows, counts = np.unique(ends, axis=0, return_counts=True)
        for (kind, source, target), count in zip(rows.tolist(), counts.tolist(), strict=True):
            source, target = (ids[end] if end >= 0 else end for end in (source, target))
            yield BundleRecord(EDGE_KINDS[kind], source, target, count)

    def _blocks(self, drawn_as: Any, ids: list[int], added: set[int] | None) -> Iterator[BlockRecord]:
        """The blocks of nodes that are sent, and all empty blocks. added: the nodes sent now; None in the first record."""
        place = {id: i for i, id in enumerate(ids)}
        for id, block in enumerate(self._part.graph.blocks):
            created_places = [place[op.id] for op in block.created if op.id in place and drawn_as[place[op.id]] >= 0]
            if block.cleared or (block.created and not created_places):
                continue
            if added is not None and block.created and added.isdisjoint(created_places):
                continue
            control_inputs = dict.fromkeys(int(drawn_as[place[op.id]]) for op in block.control_inputs if op.id in place)
            input_ids = tuple([ids[end] if end >= 0 else end for end in control_inputs])
            created = tuple([ids[i] for i in created_places])
            yield BlockRecord(id, site_record(block.site, self._sites), input_ids, created, not block.created)


__all__ = ["MOST", "Portions"]
