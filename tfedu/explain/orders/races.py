"""Races: pairs of nodes that nothing orders and whose order changes what comes out. `print(races([write, c]))`.

For each pair two schedules show it, and one `control_dependencies` block ends it. No state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ...engine.base import errors
from ...engine.graph.nodes import Operation
from ...engine.lib.control.contexts import WhileContext
from ...engine.replay.explore import BUDGET, Edge, Exploration, Point
from ...engine.runtime.session import Session
from ...view.labels import shorten
from ...view.messages import message
from ..models.diagnose import text_of
from .outcomes import Outcomes, Start, failure_text, nested, quoted, search


@dataclass(eq=False)
class Witness:
    """What one of the two orders gives. start: the run that it is an order of; path: its turns; order: the two that race."""

    value: Any
    error: errors.OpError | None
    start: Start = field(repr=False)
    path: Sequence[str] = field(repr=False)
    key: Any = field(repr=False)
    order: tuple[str, str] = field(repr=False)

    @cached_property
    def schedule(self) -> str:
        """A short schedule that gives it, with the two in their order."""
        return self.start.schedule(self.path, self.key, self.order)

    def text(self) -> str:
        return text_of(self.value) if self.error is None else failure_text(self.error)


@dataclass(frozen=True)
class Race:
    """Two nodes in no order, the older one first.

    kind: "write/write", "read/write" (the first reads) or "write/read". variable: what both touch. one: with the first node
    before the second; other: the other way round. apart: their turns are of different iterations.
    """

    first: Operation
    second: Operation
    kind: str
    variable: str
    one: Witness
    other: Witness
    apart: bool = False

    @property
    def is_across(self) -> bool:
        """Whether iterations of one loop race with each other: in each of them the two may well be in order."""
        return self.apart and loop_around(self.first, self.second) is loop_around(self.second, self.first) is None

    @property
    def advice(self) -> Literal["fix", "fix_whole", "fix_loop", "fix_around"]:
        """What ends the race: `fix`, that around all of a loop, iterations that wait for each other, or to wait for what a
        branch or loop gives.
        """
        if self.is_across:
            return "fix_loop"
        if not self.fix:
            return "fix_around"
        return "fix_whole" if loop_around(self.second, self.first) else "fix"

    @property
    def fix(self) -> str | None:
        """The block in which the second node, or the loop around it alone, has to be made; None where that is no help."""
        if self.is_across or _is_inside(self.first, self.second):
            return None
        return f'with tf.control_dependencies(["{self.first.name}"]):'

    def text(self, lang: str | None = None) -> str:
        """The race in words: where, what it does, and how to end it."""
        first, second = self.first.name, self.second.name
        itself = self.first is self.second
        code = "itself" if itself else self.kind.replace("/", "_")
        lines = [message(f"race.{code}", lang, first=first, second=second, variable=self.variable)]
        lines.extend(_line(op, lang) for op in dict.fromkeys((self.first, self.second)))
        for before, after, witness in ((first, second, self.one), (second, first, self.other)):
            said = message("outcomes.before", lang, first=before, second=after)
            lines.append(f"  {said}: {shorten(witness.text(), 200)}")
            lines.append(f"     {quoted(witness.schedule)}")
        lines.append(f"  {message(f'race.{self.advice}', lang, first=first, second=second)}")
        if self.fix:
            lines.append(f"    {self.fix}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def _line(op: Operation, lang: str | None) -> str:
    site = op.site
    where = message("block.unknown_site", lang) if site is None else site.label
    source = "" if site is None or not site.source else f":  {shorten(site.source, 100)}"
    return f"  {op.name}  {where}{source}"


def loop_around(op: Operation, other: Operation) -> WhileContext | None:
    """The outermost loop that is around the node and not around the other one: from outside nothing in it can be waited for."""
    outer = set(_around(other))
    return next((c for c in reversed(list(_around(op))) if isinstance(c, WhileContext) and c not in outer), None)


def _around(op: Operation) -> Iterator[Any]:
    context: Any = op._context
    while context is not None:
        yield context
        context = context.outer


def _is_inside(op: Operation, other: Operation) -> bool:
    """Whether the node is in a branch or loop in which the other one is not."""
    return op._context is not None and op._context not in _around(other)


class Races(list[Race]):
    """The races, in the order of the program. exact: whether every order was tried."""

    exact: bool = True

    def text(self, lang: str | None = None) -> str:
        told = [race.text(lang) for race in self]
        if not self.exact:
            told.append(message("race.at_least", lang))
        return "\n".join(told) if told else message("race.none", lang)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def races(
    fetches: Any, feed_dict: Any = None, runs: int = 1, session: Session | None = None, budget: int = BUDGET
) -> Races:
    """The pairs of nodes whose order nothing sets and which of them comes first changes what comes out.

    Arguments as of `outcomes`; of several runs, what a run leaves to the next one counts as well.
    Raises: as `outcomes`.
    """
    return races_of(search(fetches, [feed_dict] * runs, session, budget))


def races_of(found: Outcomes) -> Races:
    """The races behind outcomes that were found."""
    told: dict[tuple[Operation, Operation], Race] = {}
    for start in found.starts:
        if len(start.exploration.results) > 1:
            for race in _of(start, set(told)):
                told.setdefault((race.first, race.second), race)
    made = Races(sorted(told.values(), key=lambda race: (race.second.id, race.first.id)))
    made.exact = found.exact and all(start.exploration.exact for start in found.starts)
    return made


def _of(start: Start, known: set[tuple[Operation, Operation]]) -> Iterator[Race]:
    """The races of one run: points where both nodes are ready, and what can follow differs by which goes first."""
    exploration = start.exploration
    for point in list(exploration.points.values()):
        edges = {edge.turn: edge for edge in point.edges}
        names = list(edges)
        for i, one in enumerate(names):
            for two in names[i + 1 :]:
                if not exploration.against(one, two):
                    continue
                pair = tuple(sorted((exploration.node(one), exploration.node(two)), key=lambda op: op.id))
                if pair in known:
                    continue
                first, then = (one, two) if exploration.node(one) is pair[0] else (two, one)
                ways = [_ways(exploration, point, edges, a, b) for a, b in ((first, then), (then, first))]
                ends = [_ends(exploration, way) for way in ways]
                numbers = _telling(*ends)
                if numbers is None:
                    continue
                known.add(pair)  # type: ignore[arg-type]
                yield _race(start, point, first, then, ways, numbers)


def _ways(exploration: Exploration, point: Point, edges: dict[str, Edge], a: str, b: str) -> tuple[Edge, Edge]:
    """From the point by `a`, and from there by `b`."""
    edge = edges[a]
    if b in edge.names or edge.target is None:
        return edge, edge
    for following in edge.target.edges:
        if following.turn == b:
            return edge, following
    return edge, exploration.after_turns((*point.path, a, b))


def _ends(exploration: Exploration, way: tuple[Edge, Edge]) -> tuple[int, bool]:
    """The results that can follow on a way, as bits; and whether nothing else can."""
    mask, whole = exploration.results_behind(way[1])
    for _, number in way[0].ends:
        mask |= 1 << number
    return mask, whole


def _telling(one: tuple[int, bool], other: tuple[int, bool]) -> tuple[int, int] | None:
    """A result of each of the two ways, of which one surely cannot follow on the other way; None where there are none."""
    (mine, mine_whole), (its, its_whole) = one, other
    if mine and its and mine & ~its and its_whole:
        return _lowest(mine & ~its), _lowest(its)
    if mine and its and its & ~mine and mine_whole:
        return _lowest(mine), _lowest(its & ~mine)
    return None


def _race(
    start: Start, point: Point, first: str, then: str, ways: list[tuple[Edge, Edge]], numbers: tuple[int, int]
) -> Race:
    exploration = start.exploration
    order = (first, then)
    one, other = [
        _witness(start, point, way, number, (a, b))
        for way, number, (a, b) in zip(ways, numbers, (order, order[::-1]))
    ]
    a, b = exploration.node(first), exploration.node(then)
    mine, its = exploration.graph.touch[a], exploration.graph.touch[b]
    shared = mine.conflicts(its)
    place = min(shared)
    kind = "/".join("write" if place in access.writes else "read" for access in (mine, its))
    apart = first.partition(":")[2] != then.partition(":")[2]
    return Race(a, b, kind, place[-1], one, other, apart)


def _witness(
    start: Start, point: Point, way: tuple[Edge, Edge], number: int, order: tuple[str, str]
) -> Witness:
    exploration = start.exploration
    result = exploration.results[number]
    begin, rest = way
    path = next(((*point.path, *turns) for turns, found in begin.ends if found == number), None)
    if path is None:
        names = begin.names if rest is not begin else []
        way_on = exploration.way_to(rest, number)
        path = (*point.path, *names, *way_on) if rest.source is not None or rest is begin else way_on
    value = nested(start.call, result.values) if result.error is None else None
    return Witness(value, result.error, start, path, result.key, order)


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


__all__ = ["Race", "Races", "Witness", "loop_around", "races", "races_of"]
