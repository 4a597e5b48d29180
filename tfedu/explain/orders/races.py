"""Races: pairs of unordered nodes whose order changes the result. `print(races([write, c]))`.

Two schedules show each race, and a `control_dependencies` block ends it. No state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

from ...engine.base import errors
from ...engine.graph.nodes import Operation
from ...engine.lib.control.contexts import WhileContext
from ...engine.replay.explore import BUDGET, Edge, Exploration, Point
from ...engine.runtime.session import Session
from ...view.labels import shorten
from ...view.messages import message
from ..mental_models.diagnose import text_of
from .outcomes import Outcomes, Start, failure_text, nested, quoted, search


@dataclass(eq=False)
class Witness:
    """The result of one of the two orders. start, path: the run and its turns; key: of the result; order: the racing turns."""

    value: Any
    error: errors.OpError | None
    start: Start = field(repr=False)
    path: Sequence[str] = field(repr=False)
    key: Any = field(repr=False)
    order: tuple[str, str] = field(repr=False)

    @cached_property
    def schedule(self) -> str:
        """A short schedule with this result that has the racing turns in this order."""
        return self.start.schedule(self.path, self.key, self.order)

    def text(self) -> str:
        """The value, or the error."""
        return text_of(self.value) if self.error is None else failure_text(self.error)


@dataclass(frozen=True)
class Race:
    """Two unordered nodes, the older one first.

    kind: "write/write", "read/write" (the first reads) or "write/read". variable: the one that both access. one: the result
    with the first node before the second; other: with the second before the first. apart: their turns are of different
    iterations.
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
        """Whether different iterations of one loop race; within an iteration the two may be ordered."""
        return self.apart and loop_around(self.first, self.second) is loop_around(self.second, self.first) is None

    @property
    def advice(self) -> Literal["fix", "fix_whole", "fix_loop", "fix_around"]:
        """What ends the race: `fix`; `fix` around a whole loop ("fix_whole"); iterations that wait for each other ("fix_loop");
        or to wait for the result of a branch or loop ("fix_around").
        """
        if self.is_across:
            return "fix_loop"
        if not self.fix:
            return "fix_around"
        return "fix_whole" if loop_around(self.second, self.first) else "fix"

    @property
    def fix(self) -> str | None:
        """The block in which to make the second node, or the loop that only it is in; None where no block helps."""
        if self.is_across or _is_inside(self.first, self.second):
            return None
        return f'with tf.control_dependencies(["{self.first.name}"]):'

    def text(self, lang: str | None = None) -> str:
        """The race in words: the lines, the two results, and how to end it."""
        first, second = self.first.name, self.second.name
        itself = self.first is self.second
        code = "itself" if itself else self.kind.replace("/", "_")
        lines = [message(f"race.{code}", lang, first=first, second=second, variable=self.variable)]
        lines.extend(_line(op, lang) for op in dict.fromkeys((self.first, self.second)))
        for before, after, witness in ((first, second, self.one), (second, first, self.other)):
            order = message("outcomes.before", lang, first=before, second=after)
            lines.append(f"  {order}: {shorten(witness.text(), 200)}")
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
    """The outermost loop around the node that the other one is outside of: its nodes cannot be waited for from there."""
    outer = set(_around(other))
    return next((c for c in reversed(list(_around(op))) if isinstance(c, WhileContext) and c not in outer), None)


def _around(op: Operation) -> Iterator[Any]:
    """The contexts around a node, the innermost first."""
    context: Any = op._context
    while context is not None:
        yield context
        context = context.outer


def _is_inside(op: Operation, other: Operation) -> bool:
    """Whether the node is in a branch or loop in which the other one is not."""
    return op._context is not None and op._context not in _around(other)


class Races(list[Race]):
    """Races in program order. exact: whether the search tried every order."""

    exact: bool = True

    def text(self, lang: str | None = None) -> str:
        """The races in words, or that there are none."""
        texts = [race.text(lang) for race in self]
        if not self.exact:
            texts.append(message("race.at_least", lang))
        return "\n".join(texts) if texts else message("race.none", lang)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def races(
    fetches: Any, feed_dict: Any = None, runs: int = 1, session: Session | None = None, budget: int = BUDGET
) -> Races:
    """The pairs of unordered nodes whose order changes the result.

    Arguments as of `outcomes`; with several runs, what a run leaves to the next one is part of its result.
    Raises: as `outcomes`.
    """
    return races_of(search(fetches, [feed_dict] * runs, session, budget))


def races_of(outcomes: Outcomes) -> Races:
    """The races in a search's runs."""
    by_pair: dict[tuple[Operation, Operation], Race] = {}
    for start in outcomes.starts:
        if len(start.exploration.results) > 1:
            for race in _races_in(start, set(by_pair)):
                by_pair.setdefault((race.first, race.second), race)
    in_order = Races(sorted(by_pair.values(), key=lambda race: (race.second.id, race.first.id)))
    in_order.exact = outcomes.exact and all(start.exploration.exact for start in outcomes.starts)
    return in_order


def _races_in(start: Start, known: set[tuple[Operation, Operation]]) -> Iterator[Race]:
    """The races of one run, except known pairs: at some point both are ready, and their order decides what can follow."""
    exploration = start.exploration
    for point in list(exploration.points.values()):
        edges = {edge.turn: edge for edge in point.edges}
        for one, two in combinations(edges, 2):
            if not exploration.conflict(one, two):
                continue
            first, then = (one, two) if exploration.node(one).id <= exploration.node(two).id else (two, one)
            pair = exploration.node(first), exploration.node(then)
            if pair in known:
                continue
            paths = [_edges(exploration, point, edges, a, b) for a, b in ((first, then), (then, first))]
            numbers = _distinguishing(*[_results(exploration, path) for path in paths])
            if numbers is None:
                continue
            known.add(pair)
            yield _race(start, point, first, then, paths, numbers)


def _edges(exploration: Exploration, point: Point, edges: dict[str, Edge], a: str, b: str) -> tuple[Edge, Edge]:
    """The edges of the turns `a` and then `b` from a point; twice the first where it has `b` in it or ends the run."""
    edge = edges[a]
    if b in edge.names or edge.target is None:
        return edge, edge
    for following in edge.target.edges:
        if following.turn == b:
            return edge, following
    return edge, exploration.after_turns((*point.path, a, b))


def _results(exploration: Exploration, path: tuple[Edge, Edge]) -> tuple[int, bool]:
    """The results that can follow two edges, as bits; and whether no others can."""
    bits, complete = exploration.results_after(path[1])
    for _, number in path[0].ends:
        bits |= 1 << number
    return bits, complete


def _distinguishing(one: tuple[int, bool], other: tuple[int, bool]) -> tuple[int, int] | None:
    """A result of each path, of which at least one surely cannot follow the other path; None where there are none."""
    (bits, complete), (other_bits, other_complete) = one, other
    if bits and other_bits and bits & ~other_bits and other_complete:
        return _lowest(bits & ~other_bits), _lowest(other_bits)
    if bits and other_bits and other_bits & ~bits and complete:
        return _lowest(bits), _lowest(other_bits & ~bits)
    return None


def _race(
    start: Start, point: Point, first: str, then: str, paths: list[tuple[Edge, Edge]], numbers: tuple[int, int]
) -> Race:
    exploration = start.exploration
    order = (first, then)
    one, other = [
        _witness(start, point, path, number, turns)
        for path, number, turns in zip(paths, numbers, (order, (then, first)))
    ]
    a, b = exploration.node(first), exploration.node(then)
    accesses = exploration.graph.accesses[a], exploration.graph.accesses[b]
    place = min(accesses[0].conflicts(accesses[1]))
    kind = "/".join("write" if place in access.writes else "read" for access in accesses)
    apart = first.partition(":")[2] != then.partition(":")[2]
    return Race(a, b, kind, place[-1], one, other, apart)


def _witness(
    start: Start, point: Point, edges: tuple[Edge, Edge], number: int, order: tuple[str, str]
) -> Witness:
    """The path to a result along two edges from a point."""
    exploration = start.exploration
    result = exploration.results[number]
    first, second = edges
    path = next(((*point.path, *turns) for turns, result_number in first.ends if result_number == number), None)
    if path is None:
        names = first.names if second is not first else []
        turns = exploration.path_to(second, number)
        path = (*point.path, *names, *turns) if second.source is not None or second is first else turns
    value = nested(start.call, result.values) if result.error is None else None
    return Witness(value, result.error, start, path, result.key, order)


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


__all__ = ["Race", "Races", "Witness", "loop_around", "races", "races_of"]
