"""What is asked of a program of pieces, and whether one does it: `Behaviour.of(program, asked).check(…)`. No state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ...engine.base import errors
from ...engine.graph.elements import as_operation
from ..orders.outcomes import search
from .arrangement import Arrangement
from .arrangement_builder import Built, build
from .check import BUDGET, Criterion, Outcome, check, first_line
from .pieces import Program

# What a program of pieces may fail with when it is built or run.
FAILURES: Final = (TypeError, ValueError, KeyError, RuntimeError, AttributeError, NameError, IndexError, errors.OpError)
# A wrong piece may make a loop that never ends; that one is then not offered.
_SHORT_MS: Final = 1_000


@dataclass(frozen=True)
class Requirements:
    """What is asked of a program. feeds: by name, for each run; the others are names of lines.

    watch: whose values after each run count as well. expected, held: the values of the runs, and what each of `watch` holds
    after each; left out, they are what the teacher's program gives.
    """

    runs: int = 3
    feeds: Sequence[Mapping[str, Any]] = ()
    must_run: tuple[str, ...] = ()
    must_not_run: tuple[str, ...] = ()
    watch: tuple[str, ...] = ()
    expected: Sequence[Any] | None = None
    held: Sequence[Sequence[Any]] = ()

    def names(self) -> list[str]:
        """All names of lines that it speaks of."""
        return [*self.must_run, *self.must_not_run, *self.watch, *(name for fed in self.feeds for name in fed)]

    def feeds_of(self, built: Built) -> list[dict[Any, Any]]:
        """The feeds of each run, by the placeholders that this program has."""
        feeds = self.feeds or [{}] * self.runs
        return [{built.names[name]: value for name, value in fed.items() if name in built.names} for fed in feeds]


@dataclass(frozen=True)
class Behaviour:
    """What a program does: the results of its runs in every legal order, and the state that is watched.

    exact: whether these are all; else they are what the default order gives.
    """

    asked: Requirements
    results: tuple[tuple[list[Any], list[Any]], ...]
    exact: bool

    @classmethod
    def given(cls, program: Program, asked: Requirements) -> Behaviour:
        """What the teacher says it is. program: the pieces that the learner has.

        Raises: ValueError for names that no piece gives, and where no values are said or not those of each run.
        """
        _check_names(asked.names(), {name for piece in program.pieces for name in piece.gives})
        if asked.expected is None:
            raise ValueError(
                "what is asked? The program itself, or the values of the runs\n  fix: expected=[1, 2, 3], or program=…"
            )
        if any(len(values) != asked.runs for values in (asked.expected, *asked.held)):
            raise ValueError(f"expected and watch give one value for each of the {asked.runs} runs")
        states = [[held[run] for held in asked.held] for run in range(asked.runs)]
        return cls(asked, ((list(asked.expected), states),), True)

    @classmethod
    def of(cls, program: Program, asked: Requirements) -> Behaviour:
        """What the teacher's own program does.

        Raises: ValueError for a program that fails, and for names that it does not have.
        """
        arrangement = Arrangement(frozenset(range(len(program.pieces))), frozenset(program.edges))
        try:
            built = build(program, arrangement)
            _check_names(asked.names(), built.names)
            found = search(built.fetches, asked.feeds_of(built), None, BUDGET, [built.names[name] for name in asked.watch])
        except FAILURES as raised:
            raise ValueError(f"{program.name} cannot be the answer: {first_line(raised)}") from raised
        if any(possible.error is not None for possible in found):
            raise ValueError(f"{program.name} cannot be the answer: in some order it fails")
        results = tuple([(possible.values, possible.states) for possible in found])
        return cls(asked, results if found.exact else results[:1], found.exact)

    def check(self, built: Built, called: Mapping[str, str], longest_ms: int | None = None) -> Outcome:
        """Marks a program of the learner's. called: what its names are called in the teacher's."""
        asked = self.asked
        names = {called.get(name, name): value for name, value in built.names.items()}
        built = replace(built, names=names)
        values, states = self.results[0]
        watched = [name for name in asked.watch if name in names]
        single = len(self.results) == 1
        found = check(
            built.fetches,
            values if single else None,
            possible=None if single else [possible for possible, _ in self.results],
            runs=asked.runs,
            feed_dict=asked.feeds_of(built),
            must_run=[names[name] for name in asked.must_run if name in names],
            must_not_run=[names[name] for name in asked.must_not_run if name in names],
            after={names[name]: [state[asked.watch.index(name)] for state in states] for name in watched} if single else None,
            deterministic=self.exact or single,
            longest_ms=longest_ms,
        )
        found = replace(found, criteria=tuple([_by_lines(criterion, names) for criterion in found.criteria]))
        missing = [name for name in (*asked.must_run, *asked.watch) if name not in names]
        if found.grade not in ("pass", "fail") or not missing:
            return replace(found, in_widget=True)
        more = [Criterion("absent", False, {"node": name}) for name in dict.fromkeys(missing)]
        return replace(found, grade="fail", criteria=(*found.criteria, *more), in_widget=True)

    def model_of(self, program: Program) -> str | None:
        """The model in which a wrong program would be right; None where there is none, or the program is not wrong."""
        arrangement = Arrangement(frozenset(range(len(program.pieces))), frozenset(program.edges))
        try:
            built = build(program, arrangement)
            return next(iter(self.check(built, {}, _SHORT_MS).models), None)
        except FAILURES:
            return None


def _check_names(names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"no line gives the name {name!r}\n  fix: one of {', '.join(known)}")


def _by_lines(criterion: Criterion, names: Mapping[str, Any]) -> Criterion:
    """The criterion, in whose words nodes are called as the lines call them."""
    called = {as_operation(value.graph, value).name: name for name, value in names.items()}
    words = {key: " → ".join(called.get(part, part) for part in text.split(" → ")) for key, text in criterion.params.items()}
    return replace(criterion, params=words) if criterion.code in ("must_run", "must_not_run") else criterion


__all__ = ["FAILURES", "Behaviour", "Requirements"]
