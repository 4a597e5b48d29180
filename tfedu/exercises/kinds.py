"""Kinds of exercise, each one line for a notebook: `fix_block(y, up)`, `choose_fetch(...)`, `order_updates(...)`.

Each calls `check` with the criteria of its kind. `play_executor(player)` and `build_graph(puzzle)` mark the work in a widget.
No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from ..explain.tasks.check import Criterion, Outcome, check, equal_values, values_text
from ..explain.tasks.game import Score


class Player(Protocol):
    """A game: a BeTheExecutor, or the Game inside it."""

    @property
    def score(self) -> Score: ...

    @property
    def done(self) -> bool: ...

    @property
    def values(self) -> list[Any]: ...


class Checkable(Protocol):
    """A program of pieces: a Parsons or Repair widget, or the Puzzle inside it."""

    def check(self) -> Outcome: ...


def fix_block(y: Any, update: Any, expected: Sequence[Any] = (1, 2, 3), start: Any = None) -> Outcome:
    """The learner fixes a `control_dependencies` block: in each run of `y`, `update` runs first, and `y` is as expected.

    start: the `y` before the exercise; the same object is no attempt. Raises: as check.
    """
    return check(y, expected, must_run=[update], start=start)


def choose_fetch(
    chosen: Any,
    expected: Sequence[Any] | None = None,
    *,
    must_run: Iterable[Any] = (),
    must_not_run: Iterable[Any] = (),
    runs: int | None = None,
    after: Mapping[Any, Sequence[Any]] | None = None,
) -> Outcome:
    """The learner chooses the fetches, so that some nodes run and others do not, and the values are as expected.

    Raises: as check.
    """
    return check(chosen, expected, runs=runs, must_run=must_run, must_not_run=must_not_run, after=after)


def order_updates(
    fetches: Any, updates: Iterable[Any], after: Mapping[Any, Sequence[Any]], start: Any = None
) -> Outcome:
    """The learner makes one update wait for another: all of them run, and every legal order leaves the same values.

    updates: the nodes that have to run. after: by variable, its value after each run. Raises: as check.
    """
    return check(fetches, must_run=updates, after=after, start=start)


def play_executor(player: Player, expected: Sequence[Any] | None = None, most_illegal: int | None = None) -> Outcome:
    """The learner takes every turn of the runs, and predicts the values rightly.

    expected: the values of the runs in the learner's order. most_illegal: how many illegal clicks may be made.
    """
    score = player.score
    if score == Score():
        return Outcome("not_attempted", in_widget=True)
    criteria = [Criterion("played", player.done and score.engine == 0)]
    if score.right or score.wrong:
        criteria.append(Criterion("told", score.wrong == 0, {"count": str(score.wrong)}))
    if most_illegal is not None:
        criteria.append(Criterion("illegal", score.illegal <= most_illegal, {"count": str(score.illegal)}))
    if expected is not None:
        met = player.done and equal_values(player.values, list(expected))
        criteria.append(Criterion("values", met, {"actual": values_text(player.values)}))
    passed = all(criterion.met for criterion in criteria)
    return Outcome("pass" if passed else "fail", tuple(criteria), in_widget=True)


def build_graph(puzzle: Checkable) -> Outcome:
    """The learner makes or repairs a program of pieces: in every legal order it does what the teacher's program does."""
    return puzzle.check()


__all__ = ["build_graph", "choose_fetch", "fix_block", "order_updates", "play_executor"]
