"""Requirements on a program of pieces: `Behaviour.of(program, requirements).check(built, called)`. No state."""

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

# The exceptions of building or running a program of pieces.
FAILURES: Final = (TypeError, ValueError, KeyError, RuntimeError, AttributeError, NameError, IndexError, errors.OpError)
# A wrong piece may make an endless loop; it is then no distractor.
_SHORT_MS: Final = 1_000


@dataclass(frozen=True)
class Requirements:
    """Requirements on a program, by the names of its lines.

    feeds: for each run. must_run, must_not_run: nodes. watch: variables whose values after each run matter too. expected: the
    values of the runs; values_after: those of each watched variable after each run; by default the teacher's program's.
    """

    runs: int = 3
    feeds: Sequence[Mapping[str, Any]] = ()
    must_run: tuple[str, ...] = ()
    must_not_run: tuple[str, ...] = ()
    watch: tuple[str, ...] = ()
    expected: Sequence[Any] | None = None
    values_after: Sequence[Sequence[Any]] = ()

    def names(self) -> list[str]:
        """All names of lines in the requirements."""
        return [*self.must_run, *self.must_not_run, *self.watch, *(name for fed in self.feeds for name in fed)]

    def feeds_of(self, built: Built) -> list[dict[Any, Any]]:
        """The feeds of each run, by the placeholders that this program has."""
        feeds = self.feeds or [{}] * self.runs
        return [{built.names[name]: value for name, value in fed.items() if name in built.names} for fed in feeds]


@dataclass(frozen=True)
class Behaviour:
    """What a program does: its possible results, as pairs of the runs' values and the watched variables' values.

    exact: whether these are the results of all legal orders; else there is only that of the default order.
    """

    requirements: Requirements
    results: tuple[tuple[list[Any], list[Any]], ...]
    exact: bool

    @classmethod
    def stated(cls, program: Program, requirements: Requirements) -> Behaviour:
        """The behaviour that the requirements state. program: the learner's pieces.

        Raises: ValueError for names that no piece binds, and without expected values for each run.
        """
        _check_names(requirements.names(), {name for piece in program.pieces for name in piece.gives})
        if requirements.expected is None:
            raise ValueError(
                "what is asked? The program itself, or the values of the runs\n  fix: expected=[1, 2, 3], or program=…"
            )
        runs = requirements.runs
        if any(len(values) != runs for values in (requirements.expected, *requirements.values_after)):
            raise ValueError(f"expected and watch give one value for each of the {runs} runs")
        states = [[values[run] for values in requirements.values_after] for run in range(runs)]
        return cls(requirements, ((list(requirements.expected), states),), True)

    @classmethod
    def of(cls, program: Program, requirements: Requirements) -> Behaviour:
        """The behaviour of the teacher's program.

        Raises: ValueError for a program that fails or does not end, and for names that no line binds.
        """
        arrangement = Arrangement(frozenset(range(len(program.pieces))), frozenset(program.edges))
        try:
            built = build(program, arrangement)
            _check_names(requirements.names(), built.names)
            watched = [built.names[name] for name in requirements.watch]
            outcomes = search(built.fetches, requirements.feeds_of(built), None, BUDGET, watched)
        except FAILURES as raised:
            raise ValueError(f"{program.name} cannot be the answer: {first_line(raised)}") from raised
        if any(possible.error is not None for possible in outcomes):
            raise ValueError(f"{program.name} cannot be the answer: in some order it fails")
        if not outcomes:
            raise ValueError(f"{program.name} cannot be the answer: it did not end within {BUDGET} turns of nodes")
        results = tuple([(possible.values, possible.states) for possible in outcomes])
        return cls(requirements, results if outcomes.exact else results[:1], outcomes.exact)

    def check(self, built: Built, called: Mapping[str, str], longest_ms: int | None = None) -> Outcome:
        """Checks a learner's program. called: the teacher's name for each of its names, where they differ."""
        required = self.requirements
        names = {called.get(name, name): value for name, value in built.names.items()}
        built = replace(built, names=names)
        values, states = self.results[0]
        watch = [(index, name) for index, name in enumerate(required.watch) if name in names]
        is_single = len(self.results) == 1
        outcome = check(
            built.fetches,
            values if is_single else None,
            possible=None if is_single else [possible for possible, _ in self.results],
            runs=required.runs,
            feed_dict=required.feeds_of(built),
            must_run=[names[name] for name in required.must_run if name in names],
            must_not_run=[names[name] for name in required.must_not_run if name in names],
            after={names[name]: [state[index] for state in states] for index, name in watch} if is_single else None,
            deterministic=self.exact or is_single,
            longest_ms=longest_ms,
        )
        outcome = replace(outcome, criteria=tuple([_with_line_names(criterion, names) for criterion in outcome.criteria]))
        missing = [name for name in (*required.must_run, *required.watch) if name not in names]
        if outcome.grade not in ("pass", "fail") or not missing:
            return replace(outcome, in_widget=True)
        absent = [Criterion("absent", False, {"node": name}) for name in dict.fromkeys(missing)]
        return replace(outcome, grade="fail", criteria=(*outcome.criteria, *absent), in_widget=True)

    def model_of(self, program: Program) -> str | None:
        """The misconception in which a wrong program would be right; None if there is none, or the program is right."""
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


def _with_line_names(criterion: Criterion, names: Mapping[str, Any]) -> Criterion:
    """The criterion with the lines' names for nodes in its message."""
    if criterion.code not in ("must_run", "must_not_run"):
        return criterion
    line_names = {as_operation(value.graph, value).name: name for name, value in names.items()}
    params = {key: " → ".join(line_names.get(part, part) for part in text.split(" → ")) for key, text in criterion.params.items()}
    return replace(criterion, params=params)


__all__ = ["FAILURES", "Behaviour", "Requirements"]
