"""Parsons and Repair: the learner makes a program of pieces and edges, checked by what its graph does. `Parsons(program)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import traitlets

from ..explain.tasks.check import Outcome
from ..explain.tasks.pieces import names_of_caller
from ..explain.tasks.puzzle import Puzzle
from ..explain.tasks.requirements import Requirements
from ..view.picture_files import Shown
from ..view.records import PuzzleRecord, to_json
from .checked_arguments import checked_runs
from .predict import Predict
from .prediction_gate import Gated
from .questions import Asked, answers

Feeds: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class Puzzling(Asked, Gated):
    """The base of Parsons and Repair: pieces, edges, the code that they make, and the check.

    arranged: the present arrangement. Python makes the code and runs it, so a page without a kernel shows the puzzle as it is.
    """

    _record: PuzzleRecord

    arranged = traitlets.Dict().tag(sync=True)

    def __init__(self, puzzle: Puzzle, prompt: str, after: Predict | None, title: str | None, lang: str | None) -> None:
        self.puzzle = puzzle
        arranged = to_json(puzzle.record())
        super().__init__(puzzle.puzzle_record(prompt), after=after, title=title, lang=lang, arranged=arranged)

    # -- for Python and graders ----------------------------------------------------------------------------------------

    @property
    def code(self) -> str:
        """The program, with three dots in open holes."""
        return self.puzzle.code

    def check(self) -> Outcome:
        """Checks whether the program does what it has to, in every legal order; its text does not matter."""
        outcome = self.puzzle.check()
        self._show()
        return outcome

    def attach(self, source: str, target: str, hole: int | None = None) -> None:
        """Draws an edge, as the learner does. source, target: names in the picture. hole: from 0; None for an edge of order.

        Raises: ValueError for unknown names and holes.
        """
        start, output = self._source(source)
        self.puzzle.attach(start, output, self._piece(target), hole)
        self._show()

    def detach(self, source: str, target: str, hole: int | None = None) -> None:
        """Removes an edge. Raises: ValueError for an unknown one."""
        start, output = self._source(source)
        self.puzzle.detach(start, output, self._piece(target), hole)
        self._show()

    def _piece(self, name: str) -> int:
        matches = [piece.id for piece in self.puzzle.pieces if name in (piece.name, *piece.gives)]
        if not matches:
            names = ", ".join(piece.name for piece in self.puzzle.pieces)
            raise ValueError(f"no piece is called {name!r}\n  fix: one of {names}")
        return matches[0]

    def _source(self, name: str) -> tuple[int, int]:
        """The piece that binds the name, and the index of the name."""
        piece = self.puzzle.pieces[self._piece(name)]
        return piece.id, piece.gives.index(name) if name in piece.gives else 0

    # -- for the browser -----------------------------------------------------------------------------------------------

    @answers("attach")
    def _attach(self, source: int, output: int, target: int, hole: int | None) -> None:
        self.puzzle.attach(source, output, target, hole)
        self._show()

    @answers("detach")
    def _detach(self, source: int, output: int, target: int, hole: int | None) -> None:
        self.puzzle.detach(source, output, target, hole)
        self._show()

    @answers("put")
    def _put(self, piece: int) -> None:
        self.puzzle.put(piece)
        self._show()

    @answers("take_out")
    def _take_out(self, piece: int) -> None:
        self.puzzle.take_out(piece)
        self._show()

    @answers("undo")
    def _undo(self) -> None:
        self.puzzle.undo()
        self._show()

    @answers("restart")
    def _restart(self) -> None:
        self.puzzle.restart()
        self._show()

    @answers("check")
    def _check(self) -> None:
        self.check()

    def _show(self) -> None:
        self.arranged = to_json(self.puzzle.record())

    def shown(self, lang: str | None = None) -> Shown | None:
        shown = super().shown(lang)
        return None if shown is None else shown._replace(record=self.puzzle.record())

    def needs_python(self) -> str:
        return "Python runs and marks the program that the learner puts together"

    def described(self) -> str:
        now = self.puzzle.now
        return f"{len(now.placed)} of {len(self.puzzle.pieces)} pieces in the program, {len(now.edges)} edges"


class Parsons(Puzzling):
    """Loose pieces of a program, wrong ones among them; the learner draws the edges of values and of order.

    program: a function without parameters that builds a graph and returns the fetches: its lines are the pieces, its behaviour
    is the task, and at most `most_wrong` distractors are added, each right in one misconception. Or lines with three dots for
    each hole, with `expected`, the values of the runs. wrong: more wrong lines.
    runs, feed_dict, watch, must_run, must_not_run: the criteria, by the names of lines; feed_dict may be a list, one for each
    run, and watch a dict of the values after each run. prompt: the task in words. after: stay locked until that Predict is
    answered.
    Raises: TypeError and ValueError for a program that cannot be split into pieces or fails, and for unknown names.
    """

    KIND = "parsons"

    def __init__(
        self,
        program: Callable[[], Any] | Sequence[str],
        *,
        expected: Sequence[Any] | None = None,
        wrong: Iterable[str] = (),
        most_wrong: int = 3,
        runs: int | None = None,
        feed_dict: Feeds = None,
        must_run: Iterable[str] = (),
        must_not_run: Iterable[str] = (),
        watch: Iterable[str] | Mapping[str, Sequence[Any]] = (),
        prompt: str = "",
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        requirements = _requirements(expected, runs, feed_dict, must_run, must_not_run, watch)
        puzzle = Puzzle.parsons(program, requirements, wrong, most_wrong, names_of_caller())
        super().__init__(puzzle, prompt, after, title, lang)


class Repair(Puzzling):
    """The graph of `broken`, which the learner changes by edges and lines until it does what it has to.

    expected: the values of the runs; or program: a function with the right behaviour. spare: more lines that the learner can
    use. The other arguments are those of Parsons.
    Raises: TypeError and ValueError for programs that cannot be split into pieces, and for unknown names.
    """

    KIND = "repair"

    def __init__(
        self,
        broken: Callable[[], Any],
        program: Callable[[], Any] | None = None,
        *,
        expected: Sequence[Any] | None = None,
        spare: Iterable[str] = (),
        runs: int | None = None,
        feed_dict: Feeds = None,
        must_run: Iterable[str] = (),
        must_not_run: Iterable[str] = (),
        watch: Iterable[str] | Mapping[str, Sequence[Any]] = (),
        prompt: str = "",
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        requirements = _requirements(expected, runs, feed_dict, must_run, must_not_run, watch)
        super().__init__(Puzzle.repair(broken, requirements, program, spare), prompt, after, title, lang)


def _requirements(
    expected: Sequence[Any] | None, runs: int | None, feed_dict: Feeds, must_run: Iterable[str], must_not_run: Iterable[str],
    watch: Iterable[str] | Mapping[str, Sequence[Any]],
) -> Requirements:  # fmt: skip
    if runs is None:
        runs = len(expected) if expected is not None else len(feed_dict) if isinstance(feed_dict, Sequence) else 3
    feeds = tuple(feed_dict) if isinstance(feed_dict, Sequence) else (feed_dict or {},) * checked_runs(runs)
    if not all(isinstance(fed, Mapping) and all(isinstance(name, str) for name in fed) for fed in feeds):
        raise TypeError('feed_dict names lines of the program: feed_dict={"p": True}, or a list of such, one for each run')
    if len(feeds) != checked_runs(runs):
        raise ValueError(f"feed_dict gives the feeds of {len(feeds)} runs, not of {runs}")
    values_after = tuple(watch.values()) if isinstance(watch, Mapping) else ()
    return Requirements(runs, feeds, tuple(must_run), tuple(must_not_run), tuple(watch), expected, values_after)


__all__ = ["Parsons", "Repair"]
