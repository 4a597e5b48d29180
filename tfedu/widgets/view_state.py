"""What a reader made of a picture, as a dict that a program can give and take: `GraphView(g, view=w.view)`.

State: the traits of a Viewed widget, which a notebook saves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any, Final

import traitlets

from ..view import build
from ..view.make.run_facts import facts_of_run, is_over
from ..view.make.scope_structures import structures
from ..view.record_kinds import message_of
from ..view.records import GraphRecord
from ..view.words.name_checks import known
from .explained_widget import Explained
from .prediction_gate import Gated
from .questions import answers

COLOURS: Final = ("none", "structure", "device", "scope", "part", "time", "memory", "health", "run")
# These tell of a run, so that there must be one.
OF_RUNS: Final = ("time", "memory", "health", "run")
ORIENTATIONS: Final = ("down", "right")
KEYS: Final = ("expand", "pin", "beside", "select", "search", "colour", "orientation")
PAGE: Final = 10_000  # nodes of a large graph in one message
MOST_LOADED: Final = 10


class Viewed(Explained, Gated):
    """A picture of a graph with what was opened, pinned, set beside, looked for and coloured.

    selected: the number of the chosen node, -1 for none; pinned, beside: nodes by number. search: as it is typed. colour: by
    what nodes are coloured, one of COLOURS. facts: what a run did; structures: scopes built alike, once that was asked for.
    """

    _shown: GraphRecord
    _part: build.Part
    _portions: build.Portions | None
    _ran: Mapping[str, Any] = {}
    _every: GraphRecord | None = None
    _opened: Sequence[str] = ()  # of a large graph: what the reader has asked for, in order

    collapsed = traitlets.List(traitlets.Unicode(), default_value=None, allow_none=True).tag(sync=True)
    boxes = traitlets.Bool(False).tag(sync=True)
    orientation = traitlets.Enum(ORIENTATIONS, "down").tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)
    pinned = traitlets.List(traitlets.Int()).tag(sync=True)
    beside = traitlets.List(traitlets.Int()).tag(sync=True)
    search = traitlets.Unicode().tag(sync=True)
    colour = traitlets.Enum(COLOURS, "none").tag(sync=True)
    # of a large graph: what the record has besides what it would have, since the program asked for it
    loaded = traitlets.List(traitlets.Unicode()).tag(sync=True)
    facts = traitlets.Dict().tag(sync=True)
    structures = traitlets.List().tag(sync=True)

    # -- a run -------------------------------------------------------------------------------------------------------

    def _begin(self, run: Any, feed_dict: Any, session: Any, view: Mapping[str, Any] | None) -> None:
        """What the program says of the picture. Raises: as GraphView."""
        if run is not None:
            # What is fed may be for the fetches, where the run is over.
            given = {} if is_over(run) and self.programs else {"feed_dict": feed_dict, "session": session}
            facts = facts_of_run(run, graph=self._part.graph, **given)
            shown = {op.id for op in self._part.operations}
            self._ran = message_of(replace(facts, nodes=tuple([each for each in facts.nodes if each.node in shown])))
            self._tell()
        elif not self.programs and (feed_dict is not None or session is not None):
            raise ValueError("feed_dict and session are for a run\n  fix: GraphView(graph, run=y, feed_dict={...})")
        if view is not None:
            self.view = view
        if self.colour in OF_RUNS and run is None:
            raise ValueError(f"the colours of {self.colour!r} tell of a run\n  fix: GraphView(graph, run=y, view={{...}})")

    def _unlock(self, change: Any) -> None:
        super()._unlock(change)
        self._tell()

    def _tell(self) -> None:
        """What a run did may be the answer to a question: like the record, it goes out when the lock is open."""
        if not self.locked:
            self.facts = self._ran

    # -- questions of the front end ------------------------------------------------------------------------------------

    @answers("structures")
    def _structures(self) -> list[list[Any]]:
        """The scopes that are built alike, with one number for each structure."""
        self._open()
        return [[path, number] for path, number in structures(self._part).items()]

    @answers("whole")
    def _whole(self, page: int) -> dict[str, Any]:
        """A page of the whole graph, what a large one's record leaves out included: what a search has to know of it."""
        self._open()
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

    def _open(self) -> None:
        if self.locked:
            raise ValueError("this picture is locked")

    def _all(self) -> GraphRecord:
        """The record of all nodes; of a large graph without what only the details of a node tell."""
        if self._portions is None:
            return self._shown
        if self._every is None:
            record = build.record_of(self._part)
            nodes = [replace(node, attrs=(), site=None) for node in record.nodes]
            self._every = replace(record, nodes=tuple(nodes), blocks=(), boxes=(), groups=())
        return self._every

    # -- the view ------------------------------------------------------------------------------------------------------

    @property
    def view(self) -> dict[str, Any]:
        """How the picture is now, as the `view` of a new widget: only what is not as it would come anyway."""
        names = {node.id: node.name for node in self._all().nodes}
        found: dict[str, Any] = {}
        if self.collapsed is not None:
            closed = set(self.collapsed)
            parents = self._parents()
            opened = [path for path in parents if closed.isdisjoint((path, *around(path, parents)))]
            told = {above for path in opened for above in around(path, parents)}
            found["expand"] = [path for path in opened if path not in told]
        for key, ids in (("pin", self.pinned), ("beside", self.beside)):
            if ids:
                found[key] = [names[id] for id in ids if id in names]
        if self.selected in names:
            found["select"] = names[self.selected]
        plain = {"search": "", "colour": "none", "orientation": "down"}
        return found | {key: getattr(self, key) for key, usual in plain.items() if getattr(self, key) != usual}

    @view.setter
    def view(self, view: Mapping[str, Any]) -> None:
        with self.hold_trait_notifications():
            for name, value in self._traits_of(view).items():
                setattr(self, name, value)

    def _parents(self) -> dict[str, str]:
        """The scopes, groups of what repeats, or boxes that can be opened, each with the one around it."""
        record = self._shown
        if self._portions is not None:
            return self._portions.parents(self._opened)
        if self.boxes:
            return {box.path: box.parent for box in record.boxes}
        parents = {place.path: place.parent for place in (*record.scopes, *record.groups)}
        return parents | {path: group.path for group in record.groups for path in group.scopes}

    def _traits_of(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """The traits that a view spells; what it does not name is as a new widget has it.

        Raises: TypeError, ValueError for what is no view, with the nearest name.
        """
        if not isinstance(view, Mapping):
            raise TypeError(f'view must be a dict such as {{"expand": ["layer1"]}}, not {type(view).__name__}')
        for key in view:
            known(key, KEYS, "no key")
        named = any(view.get(key) for key in ("pin", "beside", "select"))
        ids = {node.name: node.id for node in self._all().nodes} if named else {}
        traits: dict[str, Any] = {"selected": -1}
        for key, trait in (("pin", "pinned"), ("beside", "beside")):
            found = [ids[known(node_name(each), ids, "no node")] for each in listed(view.get(key, ()), key)]
            traits[trait] = list(dict.fromkeys(found))
        if view.get("select") is not None:
            traits["selected"] = ids[known(node_name(view["select"]), ids, "no node")]
        traits["search"] = view.get("search", "")
        if not isinstance(traits["search"], str):
            raise TypeError(f"search must be a text, not {type(traits['search']).__name__}")
        traits["colour"] = known(view.get("colour", "none"), COLOURS, "no colouring")
        if "orientation" in view:
            traits["orientation"] = known(view["orientation"], ORIENTATIONS, "no orientation")
        if "expand" in view:
            wanted = listed(view["expand"], "expand")
            if self._portions is not None:
                self._load(wanted)
            traits["collapsed"] = self._closed_but(wanted, (*traits["pinned"], traits["selected"]))
        return traits

    def _load(self, wanted: Iterable[Any]) -> None:
        """Sends what lies in scopes that the record of a large graph leaves out.

        Raises: ValueError for a name that no scope has, and for more scopes than a page takes.
        """
        assert self._portions is not None
        parents = self._parents()
        scopes = [known(path, {**self._portions.scopes, **parents}, "no scope") for path in wanted]
        way = self._portions.way_to([path for path in scopes if path not in parents], self._opened)
        if len(way) > MOST_LOADED:
            raise ValueError(
                f"of a graph of more than {build.MOST:,} nodes the scopes that are left out are sent when they are opened, and "
                f"at most {MOST_LOADED} of them at first\n  fix: expand fewer scopes"
            )
        if way == self.loaded:
            return
        self._shown, self._opened = self._portions.record_with(way), way
        with self.hold_sync():
            self.loaded = way
            if not self.locked:
                self.record = message_of(self._shown)

    def _closed_but(self, wanted: Iterable[Any], nodes: Collection[int]) -> list[str]:
        """All that is closed where these scopes and the ways to these nodes are open."""
        parents = self._parents()
        opened = [known(path, parents, "no scope") for path in wanted]
        record = self._shown
        if self.boxes:
            home = {id: box.path for box in record.boxes for id in box.nodes}
        else:
            home = {node.id: node.scope for node in record.nodes}
            home |= {id: group.path for group in record.groups for id in group.nodes}
        opened += [home[id] for id in nodes if home.get(id)]
        ways = {each for path in opened for each in (path, *around(path, parents))}
        return [path for path in parents if path not in ways]


def around(path: str, parents: Mapping[str, str]) -> list[str]:
    """The scopes around one, the nearest first."""
    found = []
    while path := parents.get(path, ""):
        found.append(path)
    return found


def listed(names: Any, key: str) -> list[Any]:
    """Raises: TypeError for what is no list; one name alone counts as a list of it."""
    if isinstance(names, (list, tuple)):
        return list(names)
    if isinstance(names, str) or hasattr(names, "name"):
        return [names]
    raise TypeError(f"{key} must be a list of names, not {type(names).__name__}")


def node_name(named: Any) -> Any:
    """The name of a node, from itself, or from a tensor or an operation."""
    name = getattr(named, "name", named)
    return name.partition(":")[0] if isinstance(name, str) else name


__all__ = ["COLOURS", "OF_RUNS", "Viewed"]
