"""The parts of a large graph: forward nodes, gradients, variables, and nodes drawn aside.

`places_of(operations, gradients, is_complete)` gives each node the scope that a picture draws it in. In a small graph that is
its name scope. In a large one initializers, slots of optimizers, savers, summaries and asserts leave the scopes in which their
names put them, so that a scope keeps the nodes that its layer computes with; a variable is drawn beside its scope. The path of
a part that no node name contains begins with a colon, which no node name may have. Declared roles and edges tell the part of a
node; only gradients and the `Assign` of a variable are told by their names. No state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from ...engine.graph.nodes import Operation
from ...engine.op.definition import definition_of, role_of
from ..records import GradientNodeRecord, PartKind, PartRecord
from .networks.repeated_blocks import COPIES, WORTH
from .scope_paths import scopes_of

MOST_IN_FULL: Final = 60
"""A graph of no more nodes than this has no parts: each of its nodes may be the point of the lesson."""

GRADIENTS: Final = ":gradients"
VARIABLES: Final = ":variables"

_SEEDS: Final[dict[str, PartKind]] = {
    "check": "asserts",
    "is_initialized": "init",
    "optimizer_step": "optimizer",
    "summary": "summaries",
}
"""The parts that ops of these roles begin."""


def places_of(
    operations: Sequence[Operation], gradients: Sequence[GradientNodeRecord], is_complete: bool
) -> tuple[dict[str, str], tuple[PartRecord, ...]]:
    """For each name the scope in which its node is drawn, and the parts among the scopes.

    gradients: those of `gradient_records`. is_complete: whether these are all nodes of a graph.
    """
    scope_of = scopes_of([op.name for op in operations])
    if not is_complete or len(operations) <= MOST_IN_FULL:
        return scope_of, ()
    parts = _Parts(operations, gradients, scope_of)
    return parts.places, tuple(parts.records.values())


_MOST_FORWARD: Final = 12
_SPANS: Final = 6


def _split(names: Sequence[str], around: str, spans: dict[str, str]) -> None:
    """Puts many names into a few spans, and these into spans again, each with its first and last name."""
    if len(names) <= _MOST_FORWARD:
        spans |= dict.fromkeys(names, around)
        return
    size = -(-len(names) // _SPANS)
    for start in range(0, len(names), size):
        part = names[start : start + size]
        path = f":{part[0]}…{part[-1]}"
        _split(part, f"{around}/{path}" if around else path, spans)


def _opens_files(op: Operation) -> bool:
    d = definition_of(op)
    return d is not None and d.resource == "file"


class _Parts:
    """The places and parts of one graph; nodes are numbered by their places among the operations."""

    def __init__(
        self, operations: Sequence[Operation], gradients: Sequence[GradientNodeRecord], scope_of: dict[str, str]
    ) -> None:
        self._operations = operations
        self.places = scope_of
        self.records: dict[str, PartRecord] = {}
        numbers = {op.id: i for i, op in enumerate(operations)}
        self._sources = [
            [numbers[id] for id in (*[t.op.id for t in op.inputs], *[c.id for c in op.control_inputs]) if id in numbers]
            for op in operations
        ]
        self._consumers: list[list[int]] = [[] for _ in operations]
        for target, sources in enumerate(self._sources):
            for source in sources:
                self._consumers[source].append(target)
        self._gradient_of = {numbers[pair.node]: None if pair.of is None else numbers[pair.of] for pair in gradients}
        self._variables = [i for i, op in enumerate(operations) if role_of(op) == "variable"]
        self._forward = self._ancestors(owner for owner in self._gradient_of.values() if owner is not None)
        self._kinds: list[PartKind | None] = [None] * len(operations)
        self._seeds: dict[int, PartKind] = {}
        self._seed()
        self._spread_down()
        self._spread_up()
        self._take_rests()
        self._span = self._spans()
        self._place_gradients()
        self._place_aside()
        self._place_variables()

    # -- what is aside -------------------------------------------------------------------------------------------------

    def _ancestors(self, starts: Iterable[int]) -> set[int]:
        found = set(starts)
        todo = list(found)
        while todo:
            target = todo.pop()
            values = len(self._operations[target].inputs)
            for place, source in enumerate(self._sources[target]):
                # A check that the loss only waits for is aside.
                is_check = place >= values and role_of(self._operations[source]) == "noop"
                if source not in found and not is_check:
                    found.add(source)
                    todo.append(source)
        return found

    def _seed(self) -> None:
        names = {self._operations[i].name for i in self._variables}
        for i, op in enumerate(self._operations):
            kind = _SEEDS.get(role_of(op))
            if op.name.endswith("/Assign") and op.name[:-7] in names:
                kind = "init"
            elif _opens_files(op):
                kind = "saver"
            if kind is not None and i not in self._gradient_of:
                self._kinds[i] = kind
                self._seeds[i] = kind

    def _spread_down(self) -> None:
        """What follows an optimizer's step or a restored value is of the same part; so is what only waits for one part."""
        for i, sources in enumerate(self._sources):
            if self._kinds[i] is not None or i in self._gradient_of or i in self._forward or not sources:
                continue
            kinds = {self._kinds[source] for source in sources}
            for kind in ("optimizer", "saver"):
                if kind in kinds:
                    self._kinds[i] = kind
            if len(kinds) == 1 and role_of(self._operations[i]) == "noop":
                self._kinds[i] = kinds.pop()

    def _spread_up(self) -> None:
        """A node that only one part uses belongs to it; a variable may also be initialized and saved."""
        variables = set(self._variables)
        for i in range(len(self._operations) - 1, -1, -1):
            if self._kinds[i] is not None or i in self._gradient_of or i in self._forward:
                continue
            users = [use for use in self._consumers[i] if self._consumers[use] or not self._is_read(use)]
            kinds = {self._kinds[use] for use in users}
            if i in variables:
                kinds -= {"init", "saver"}
            if "summaries" in kinds and self._outermost(i) not in {self._outermost(use) for use in users}:
                continue
            if len(kinds) == 1 or (kinds and None not in kinds):
                self._kinds[i] = "init" if "init" in kinds else min(kinds, key=str)
        for i in variables:
            kind = self._kinds[i]
            for use in self._consumers[i] if kind else ():
                if self._kinds[use] in (None, "init"):
                    self._kinds[use] = kind
            for use in self._consumers[i] if kind else ():
                for source in self._sources[use]:
                    self._follow_up(source, "init", kind)

    def _follow_up(self, start: int, old: PartKind, kind: PartKind | None) -> None:
        """The initializer of a slot goes with the slot."""
        todo = [start]
        while todo:
            i = todo.pop()
            if self._kinds[i] == old and all(self._kinds[use] == kind for use in self._consumers[i]):
                self._kinds[i] = kind
                todo.extend(self._sources[i])

    def _is_read(self, i: int) -> bool:
        return role_of(self._operations[i]) in ("identity", "read")

    def _take_rests(self) -> None:
        """In a graph with gradients, what the loss does not need is aside: entire outer scopes, and nodes in no scope."""
        if not self._forward:
            return
        needed = {self._outermost(i) for i in self._forward}
        for i in range(len(self._operations)):
            if self._kinds[i] is None and i not in self._gradient_of and self._outermost(i) not in needed:
                self._kinds[i] = "aside" if self.places[self._operations[i].name] else "rest"

    def _outermost(self, i: int) -> str:
        """The name of the node's outermost scope; the node's own name if no scope contains it."""
        name = self._operations[i].name
        return (self.places[name] or name).partition("/")[0]

    def _spans(self) -> dict[str, str]:
        """For each forward node that is in no scope or in a small one, its span, by the name that `_outermost` gives."""
        counts: dict[str, int] = {}
        feeds = [op.name for op in self._operations if role_of(op) == "placeholder"]
        own = {self._operations[i].name for i in self._variables} | set(feeds if len(feeds) <= _MOST_FORWARD else ())
        own |= self._in_series()
        types: dict[str, list[str]] = {}
        for i, op in enumerate(self._operations):
            top = self._outermost(i)
            if self._kinds[i] is None and i not in self._gradient_of and top not in own:
                counts[top] = counts.get(top, 0) + 1
                types.setdefault(top, []).append(op.type if self.places[op.name] else op.name)
        # Scopes of one structure are a group of their own.
        alike = Counter(map(tuple, types.values()))
        counts = {top: count for top, count in counts.items() if alike[tuple(types[top])] < COPIES}
        if len(counts) <= _MOST_FORWARD:
            return {}
        spans: dict[str, str] = {}
        _split([top for top, count in counts.items() if count <= _MOST_FORWARD], "", spans)
        for path in spans.values():
            if path:
                self._part(path.partition("/")[0], "span")
        for i, op in enumerate(self._operations):
            top = self._outermost(i)
            if self._kinds[i] is None and i not in self._gradient_of and spans.get(top):
                scope = self.places[op.name]
                self.places[op.name] = f"{spans[top]}/{scope}" if scope else spans[top]
        return spans

    def _in_series(self) -> set[str]:
        """The names of nodes in no scope that stand in a long chain, which is a group of its own."""
        follows: dict[int, int] = {}
        for i, sources in enumerate(map(set, self._sources)):
            if len(sources) > 2 or self.places[self._operations[i].name]:
                continue
            # Consumers are listed in their order: if the last one is the first, there is no other.
            before = [source for source in sources if self._consumers[source][0] == self._consumers[source][-1]]
            if len(before) == 1:
                follows[before[0]] = i
        found: set[int] = set()
        for start in follows.keys() - set(follows.values()):
            chain, beside = [start], None
            while chain[-1] in follows:
                node = follows[chain[-1]]
                other = set(self._sources[node]) - {chain[-1]}
                if len(chain) > 2 and other != beside:
                    found.update(chain if len(chain) > WORTH else ())
                    chain = [chain[-1]]
                chain.append(node)
                beside = other
            found.update(chain if len(chain) > WORTH else ())
        return {self._operations[i].name for i in found}

    # -- places --------------------------------------------------------------------------------------------------------

    def _part(self, path: str, kind: PartKind, of: str = "") -> str:
        self.records.setdefault(path, PartRecord(path, kind, of))
        return path

    def _place_gradients(self) -> None:
        """Each gradient stands in the lane of gradients, in the scope of what it is the gradient of."""
        cards: dict[int, str] = {}
        roots: dict[str, str] = {}
        for i, owner in self._gradient_of.items():
            if owner is None:
                continue
            name, own = self._operations[i].name, self._operations[owner].name
            root = name[: name.index(f"/{own}_grad/")]
            lane = roots.setdefault(root, root if "/" not in root else f"{GRADIENTS}/{root.replace('/', ':')}")
            scope = self.places[name].removeprefix(root)
            of = self._outermost(owner)
            card = f"{lane}/{of}" if of.startswith(":") else f"{lane}/{scope.split('/')[1]}"
            self.places[name] = f"{card}{scope}" if of.startswith(":") else lane + scope
            cards[i] = self._part(card, "gradient", of)
            for path in {lane, lane.partition("/")[0]}:
                self._part(path, "gradients")
        loose = [i for i, owner in self._gradient_of.items() if owner is None]
        # Sums and initial gradients stand with what they are made of, or else with what uses them.
        for near, order in ((self._sources, loose), (self._consumers, loose[::-1]), (self._sources, loose)):
            for i in order:
                known = [cards[other] for other in near[i] if other in cards]
                if i not in cards and known:
                    cards[i] = known[-1]
        # One that no gradient uses stands with the gradient of what it is made of.
        by_owner = {part.of: path for path, part in self.records.items() if part.kind == "gradient"}
        for i in loose:
            owners = [by_owner[top] for top in map(self._outermost, self._sources[i]) if top in by_owner]
            if i not in cards and owners:
                cards[i] = owners[-1]
        for i in loose:
            name = self._operations[i].name
            root = next((root for root in roots if name.startswith(root + "/")), "")
            scope = self.places[name].removeprefix(root)
            self.places[name] = roots[root] + scope if scope else cards.get(i, roots[root])

    def _place_aside(self) -> None:
        """All nodes of a part that stands aside are in one scope: that of its first seed, if it has nothing else."""
        main = {self._outermost(i) for i, kind in enumerate(self._kinds) if kind is None}
        bases: dict[PartKind, str] = {}
        for i, kind in enumerate(self._kinds):
            if kind is None:
                continue
            scope = self.places[self._operations[i].name]
            if kind == "aside":
                self._part(self._outermost(i), kind)
                continue
            top = self._outermost(i)
            if self._seeds.get(i) == kind and scope and kind != "init" and top not in main:
                bases.setdefault(kind, top)
        for i, kind in enumerate(self._kinds):
            if kind is None or kind == "aside":
                continue
            name = self._operations[i].name
            scope = self.places[name]
            base = self._part(bases.get(kind, f":{kind}"), kind)
            if scope.partition("/")[0] != base:
                self.places[name] = f"{base}/{scope}" if scope else base

    def _place_variables(self) -> None:
        """A variable stands beside the outermost scope that uses it; one with a scope of its own takes that along."""
        for i in self._variables:
            if self._kinds[i] is not None:
                continue
            name = self._operations[i].name
            scope = self.places[name]
            top = scope.partition("/")[0]
            if top == name:
                inside = [use for use in (i, *self._consumers[i]) if self.places[self._operations[use].name] == name]
                near = [use for i in inside for use in self._consumers[i] if self._kinds[use] is None and use not in inside]
                top = next((self._outermost(use) for use in near if use not in self._gradient_of), "")
                lane = self._part(f"{VARIABLES}/{top}", "variable", top) if top else VARIABLES
                for use in inside:
                    self.places[self._operations[use].name] = lane
            else:
                self.places[name] = self._part(f"{VARIABLES}/{top}", "variable", top) if top else VARIABLES
            self._part(VARIABLES, "variables")


__all__ = ["GRADIENTS", "MOST_IN_FULL", "VARIABLES", "places_of"]
