"""BeTheExecutor: the learner clicks the next node, every legal order is right. `BeTheExecutor(y, runs=2)`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import traitlets

from ..explain.explained_run import ExplainedRun
from ..explain.tasks.game import Game, Move, Score
from ..view.records import GameRecord, to_json
from .checked_arguments import checked_runs
from .explained_widget import Explained
from .predict import Predict
from .prediction_gate import Gated
from .questions import answers


class BeTheExecutor(Explained, Gated):
    """`session.run(fetches, feed_dict)`, `runs` times; the learner says which node has the next turn.

    session: start from this session's variables (a copy of them), else they are initialized. predict: nodes whose value is
    asked for before it is shown. prompt: what the learner is to find. after: stay locked until that Predict is answered.
    played: how far the learner is. Python decides which click is legal, so a page without a kernel shows the game as it stands.
    When all runs are over, each node can be asked why it ran or not.
    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds, KeyError for an unknown name in predict.
    """

    KIND = "be-the-executor"
    _shown: GameRecord

    played = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        fetches: Any,
        feed_dict: Any = None,
        runs: int = 1,
        session: Any = None,
        *,
        predict: Iterable[Any] = (),
        prompt: str = "",
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        self.game = Game(fetches, feed_dict, checked_runs(runs), session, predict)
        begun = self.game.begun
        record = GameRecord(prompt, begun.graph, begun.fetches, runs)
        self._later = ExplainedRun(fetches, feed_dict, runs, session=session)
        super().__init__(record, after=after, title=title, lang=lang, played=self._state(), explains=self.done)

    # -- for Python and graders ----------------------------------------------------------------------------------------

    @property
    def programs(self) -> tuple[ExplainedRun, ...]:
        """What can be asked about: nothing while the learner plays, since a reason tells values."""
        return (self._later,) if self.done else ()

    @property
    def score(self) -> Score:
        """Legal and illegal clicks, hints, and values told rightly and wrongly; `score.share` is from 0 to 1."""
        return self.game.score

    @property
    def order(self) -> tuple[str, ...]:
        """The learner's order of each run that has begun, as `tf.Session(schedule=…)` takes it."""
        return self.game.order

    @property
    def done(self) -> bool:
        """Whether all runs are over."""
        return self.game.done

    @property
    def values(self) -> list[Any]:
        """What each run that is over gave, as Session.run gives it."""
        return self.game.values

    def take(self, node: Any, iteration: tuple[int, ...] | None = None) -> Move:
        """As a click on a node does; its answer, as text in words. iteration: of the loops around, where several are ready,
        of which a click asks for one; else the oldest.

        Raises: TypeError and KeyError for what is no node of the graph.
        """
        move = self.game.take(node, iteration)
        self._show()
        return move

    def tell(self, value: str) -> Move:
        """As the learner's answer to what a node gives does.

        Raises: ValueError when nothing is asked.
        """
        move = self.game.tell(str(value))
        self._show()
        return move

    # -- for the browser -----------------------------------------------------------------------------------------------

    @answers("take")
    def _take(self, node: int, iteration: list[int] | None = None) -> None:
        names = {shown.id: shown.name for shown in self._shown.graph.nodes}
        if node not in names:
            raise ValueError(f"there is no node with the number {node}")
        if iteration is not None:
            self.take(names[node], tuple(iteration))
        else:
            self.game.click(names[node])
            self._show()

    @answers("tell")
    def _tell(self, value: str) -> None:
        self.tell(value)

    @answers("hint")
    def _hint(self) -> None:
        self.game.hint()
        self._show()

    @answers("go_on")
    def _go_on(self) -> None:
        self.game.go_on()
        self._show()

    @answers("restart")
    def _restart(self) -> None:
        self.game.restart()
        self._show()

    def _state(self) -> dict[str, Any]:
        found: dict[str, Any] = to_json(self.game.record())
        return found

    def _show(self) -> None:
        self.played, self.explains = self._state(), self.done

    def described(self) -> str:
        return f"a run for you to order, {self.score.legal} right and {self.score.illegal} wrong clicks so far"


__all__ = ["BeTheExecutor"]
