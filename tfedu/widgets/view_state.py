"""The state of a graph's picture as a dict: `GraphView(g, view=w.view)`.

State: the traits of a Viewed widget, which a notebook saves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any, Final

import traitlets

from ..view import build
from ..view.make.runs.run_facts import facts_of_run, is_over
from ..view.make.scope_structures import structures, structures_of
from ..view.record_kinds import message_of
from ..view.records import GraphRecord
from ..view.words.name_checks import known
from .explained_widget import Explained
from .prediction_gate import Gated
from .questions import answers

COLOURS: Final = ("none", "structure", "device", "scope", "part", "time", "memory", "health", "run")
# The colourings that need a run.
OF_RUNS: Final = ("time", "memory", "health", "run")
ORIENTATIONS: Final = ("down", "right")
KEYS: Final = ("at", "expand", "pin", "beside", "select", "search", "colour", "orientation")
PAGE: Final = 10_000  # nodes of a large graph in one message
MOST_LOADED: Final = 10


class Viewed(Explained, Gated):
    """A picture of a graph, with its open scopes, its pinned, selected and coloured nodes, and its search.

    at: the scope that is looked at by itself, "" for none. selected: the number of the selected node, -1 for none; pinned,
    beside: nodes by number. search: the text. colour: one of COLOURS. facts: the facts of a run. structures: the scopes with
    equal structure, once the front end has asked for them. loaded: of a large graph, the scopes that the program added to the
    record.
    """

    _record: GraphRecord
    _part: build.Part | None = None  # None where the picture has a record alone
    _portions: build.Portions | None = None  # of a large graph
    _run_facts: Mapping[str, Any] = {}
    _whole_record: GraphRecord | None = None
    _opened: Sequence[str] = ()  # of a large graph: the scopes that the reader opened, in order

    collapsed = traitlets.List(traitlets.Unicode(), default_value=None, allow_none=True).tag(sync=True)
    boxes = traitlets.Bool(False).tag(sync=True)
    orientation = traitlets.Enum(ORIENTATIONS, "down").tag(sync=True)
    at = traitlets.Unicode().tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)
    pinned = traitlets.List(traitlets.Int()).tag(sync=True)
    beside = traitlets.List(traitlets.Int()).tag(sync=True)
    search = traitlets.Unicode().tag(sync=True)
    colour = traitlets.Enum(COLOURS, "none").tag(sync=True)
    loaded = traitlets.List(traitlets.Unicode()).tag(sync=True)
    facts = traitlets.Dict().tag(sync=True)
    structures = traitlets.List().tag(sync=True)

    # -- a run -------------------------------------------------------------------------------------------------------

    def _begin(self, run: Any, feed_dict: Any, session: Any, view: Mapping[str, Any] | None) -> None:
        """Sets the picture's first state. Raises: as GraphView."""
        if run is not None:
            # With a finished run, feed_dict and session are those of `fetches`.
            arguments = {} if is_over(run) and self.programs else {"feed_dict": feed_dict, "session": session}
            facts = facts_of_run(run, graph=self._part.graph, **arguments)
            ids = {op.id for op in self._part.operations}
            self._run_facts = message_of(replace(facts, nodes=tuple([fact for fact in facts.nodes if fact.node in ids])))
            self._show_facts()
        elif not self.programs and (feed_dict is not None or session is not None):
            raise ValueError("feed_dict and session are for a run\n  fix: GraphView(graph, run=y, feed_dict={...})")
        if view is not None:
            self.view = view
        if self.colour in OF_RUNS and run is None:
            raise ValueError(f"the colours of {self.colour!r} tell of a run\n  fix: GraphView(graph, run=y, view={{...}})")

    def _unlock(self, change: Any) -> None:
        super()._unlock(change)
        self._show_facts()

    def _show_facts(self) -> None:
        """Sends the facts of the run, which may be the answer to a question, unless the widget is locked."""
        if not self.locked:
            self.facts = self._run_facts

    # -- questions of the front end ------------------------------------------------------------------------------------

    @answers("structures")
    def _structures(self) -> list[list[Any]]:
        """The scopes whose structure repeats, each with the number of the structure."""
        self._check_unlocked()
        found = structures_of(self._record) if self._part is None else structures(self._part)
        return [[path, number] for path, number in found.items()]

    @answers("whole")
    def _whole(self, page: int) -> dict[str, Any]:
        """A page of the whole graph, for a search in what a large graph's record leaves out."""
        self._check_unlocked()
        record = self._all()
        pages = max(1, ceil(len(record.nodes) / PAGE))
        if isinstance(page, bool) or not isinstance(page, int) or not 0 <= page < pages:
            raise ValueError(f"page must be from 0 to {pages - 1}, not {page!r}")
        share = ceil(len(record.edges) / pages)
        part = replace(
            record,
            nodes=record.nodes[page * PAGE : (page + 1) * PAGE],
            edges=record.edges[page * share : (page + 1) * share],
        )
        if page:
            part = GraphRecord(part.nodes, part.edges)
        return {"pages": pages, "record": message_of(part)}

    def _check_unlocked(self) -> None:
        if self.locked:
            raise ValueError("this picture is locked")

    def _all(self) -> GraphRecord:
        """The record of all nodes; of a large graph without attributes, sites, blocks, boxes, loops and groups."""
        if self._portions is None:
            return self._record
        if self._whole_record is None:
            record = build.record_of(self._part)
            nodes = [replace(node, attrs=(), site=None) for node in record.nodes]
            self._whole_record = replace(record, nodes=tuple(nodes), blocks=(), boxes=(), loops=(), groups=())
        return self._whole_record

    # -- the view ------------------------------------------------------------------------------------------------------

    @property
    def view(self) -> dict[str, Any]:
        """The picture's state, for the `view` of a new widget, without what is as by default."""
        names = {node.id: node.name for node in self._all().nodes}
        view: dict[str, Any] = {}
        if self.collapsed is not None:
            closed = set(self.collapsed)
            parents = self._parents(self.at)
            opened = [path for path in parents if closed.isdisjoint((path, *around(path, parents)))]
            implied = {outer for path in opened for outer in around(path, parents)}
            view["expand"] = [path for path in opened if path not in implied]
        for key, ids in (("pin", self.pinned), ("beside", self.beside)):
            if ids:
                view[key] = [names[id] for id in ids if id in names]
        if self.selected in names:
            view["select"] = names[self.selected]
        defaults = {"at": "", "search": "", "colour": "none", "orientation": "down"}
        return view | {key: getattr(self, key) for key, default in defaults.items() if getattr(self, key) != default}

    @view.setter
    def view(self, view: Mapping[str, Any]) -> None:
        with self.hold_trait_notifications():
            for name, value in self._traits_of(view).items():
                setattr(self, name, value)

    def _drawn(self, at: str) -> GraphRecord:
        """What the picture shows: the record, or that of one scope."""
        return build.focused(self._record, at).record if at else self._record

    def _parents(self, at: str = "") -> dict[str, str]:
        """The scopes, groups and boxes that can be opened, each with the one around it."""
        record = self._drawn(at)
        if self._portions is not None and not at:
            return self._portions.parents(self._opened)
        if self.boxes:
            return {box.path: box.parent for box in record.boxes}
        parents = {scope.path: scope.parent for scope in (*record.scopes, *record.groups)}
        return parents | {path: group.path for group in record.groups for path in group.scopes}

    def _traits_of(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """The traits for a view; those that it does not name get their defaults.

        Raises: TypeError, ValueError for a wrong view, with the nearest name.
        """
        if not isinstance(view, Mapping):
            raise TypeError(f'view must be a dict such as {{"expand": ["layer1"]}}, not {type(view).__name__}')
        for key in view:
            known(key, KEYS, "no key")
        named = any(view.get(key) for key in ("pin", "beside", "select"))
        ids = {node.name: node.id for node in self._all().nodes} if named else {}
        traits: dict[str, Any] = {"selected": -1}
        for key, trait in (("pin", "pinned"), ("beside", "beside")):
            nodes = [ids[known(node_name(node), ids, "no node")] for node in listed(view.get(key, ()), key)]
            traits[trait] = list(dict.fromkeys(nodes))
        if view.get("select") is not None:
            traits["selected"] = ids[known(node_name(view["select"]), ids, "no node")]
        traits["search"] = view.get("search", "")
        if not isinstance(traits["search"], str):
            raise TypeError(f"search must be a text, not {type(traits['search']).__name__}")
        traits["colour"] = known(view.get("colour", "none"), COLOURS, "no colouring")
        if "orientation" in view:
            traits["orientation"] = known(view["orientation"], ORIENTATIONS, "no orientation")
        at = traits["at"] = self._known_scope(view.get("at") or "")
        if "expand" in view:
            wanted = listed(view["expand"], "expand")
            if self._portions is not None:
                self._load([*[at][: bool(at)], *wanted])
            traits["collapsed"] = self._closed_but(at, wanted, (*traits["pinned"], traits["selected"]))
        elif at != self.at:
            traits["collapsed"] = None
        return traits

    def _known_scope(self, at: Any) -> str:
        """A scope that the picture can show by itself; "" for the whole graph. Raises: as known."""
        if at == "":
            return at
        if self._portions is None:
            return known(at, build.focusable(self._record), "no scope")
        self._load([at])
        return at

    def _load(self, wanted: Iterable[Any]) -> None:
        """Adds scopes that the record of a large graph leaves out.

        Raises: ValueError for an unknown scope, and for more than MOST_LOADED scopes.
        """
        assert self._portions is not None
        parents = self._parents()
        scopes = [known(path, {**self._portions.scopes, **parents}, "no scope") for path in wanted]
        path_to_scopes = self._portions.way_to([path for path in scopes if path not in parents], self._opened)
        if len(path_to_scopes) > MOST_LOADED:
            raise ValueError(
                f"of a graph of more than {build.MOST:,} nodes the scopes that are left out are sent when they are opened, and "
                f"at most {MOST_LOADED} of them at first\n  fix: expand fewer scopes"
            )
        if path_to_scopes == self.loaded:
            return
        self._record, self._opened = self._portions.record_with(path_to_scopes), path_to_scopes
        with self.hold_sync():
            self.loaded = path_to_scopes
            if not self.locked:
                self.record = message_of(self._record)

    def _closed_but(self, at: str, wanted: Iterable[Any], nodes: Collection[int]) -> list[str]:
        """The scopes to close so that only these scopes, and the scopes around them and these nodes, are open."""
        parents = self._parents(at)
        opened = [known(path, parents, "no scope") for path in wanted]
        record = self._drawn(at)
        if self.boxes:
            home = {id: box.path for box in record.boxes for id in box.nodes}
        else:
            home = {node.id: node.scope for node in record.nodes}
            home |= {id: group.path for group in record.groups for id in group.nodes}
        opened += [home[id] for id in nodes if home.get(id)]
        opened += [at] if at in parents else []
        open_paths = {outer for path in opened for outer in (path, *around(path, parents))}
        return [path for path in parents if path not in open_paths]


def around(path: str, parents: Mapping[str, str]) -> list[str]:
    """The scopes around a scope, the innermost first."""
    outer = []
    while path := parents.get(path, ""):
        outer.append(path)
    return outer


def listed(names: Any, key: str) -> list[Any]:
    """Names as a list; a single name is a list of one. Raises: TypeError for any other object."""
    if isinstance(names, (list, tuple)):
        return list(names)
    if isinstance(names, str) or hasattr(names, "name"):
        return [names]
    raise TypeError(f"{key} must be a list of names, not {type(names).__name__}")


def node_name(named: Any) -> Any:
    """The name of a node, given by name or as a tensor or operation."""
    name = getattr(named, "name", named)
    return name.partition(":")[0] if isinstance(name, str) else name


__all__ = ["COLOURS", "OF_RUNS", "Viewed"]
