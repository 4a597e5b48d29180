"""BeTheExecutor: the learner clicks the next node; every legal order is right. `BeTheExecutor(y, runs=2)`."""

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
    """`session.run(fetches, feed_dict)`, `runs` times; the learner chooses the node that runs next.

    session: start from a copy of this session's variables; by default they are initialized. predict: nodes whose value the
    learner predicts. prompt: the task in words. after: stay locked until that Predict is answered. played: the game so far.
    Python decides which click is legal, so a page without a kernel shows the game as it is. When all runs are over, the reader
    can ask why a node ran or not.
    Raises: TypeError, ValueError as Session.run for wrong fetches and feeds, KeyError for an unknown name in predict.
    """

    KIND = "be-the-executor"
    _record: GameRecord

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
        self._explained_run = ExplainedRun(fetches, feed_dict, runs, session=session, partitioned=True)
        super().__init__(record, after=after, title=title, lang=lang, played=self._state(), explains=self.done)

    # -- for Python and graders ----------------------------------------------------------------------------------------

    @property
    def programs(self) -> tuple[ExplainedRun, ...]:
        """The run to ask about; none while the learner plays, since reasons have values."""
        return (self._explained_run,) if self.done else ()

    @property
    def score(self) -> Score:
        """Legal and illegal clicks, hints, right and wrong predictions; `score.share` is from 0 to 1."""
        return self.game.score

    @property
    def order(self) -> tuple[str, ...]:
        """The learner's order of each run that has begun, as a schedule for `tf.Session(schedule=…)`."""
        return self.game.order

    @property
    def done(self) -> bool:
        """Whether all runs are over."""
        return self.game.done

    @property
    def values(self) -> list[Any]:
        """The values of the finished runs, as Session.run returns them."""
        return self.game.values

    def take(self, node: Any, iteration: tuple[int, ...] | None = None) -> Move:
        """The same as a click on a node; returns the answer. iteration: if several are ready; by default the oldest.

        Raises: TypeError and KeyError for an unknown node.
        """
        move = self.game.take(node, iteration)
        self._show()
        return move

    def tell(self, value: str) -> Move:
        """The same as the learner's prediction of a value; returns the answer.

        Raises: ValueError if no node waits for a prediction.
        """
        move = self.game.tell(str(value))
        self._show()
        return move

    # -- for the browser -----------------------------------------------------------------------------------------------

    @answers("take")
    def _take(self, node: int, iteration: list[int] | None = None) -> None:
        names = {node_record.id: node_record.name for node_record in self._record.graph.nodes}
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
        state: dict[str, Any] = to_json(self.game.record())
        return state

    def _show(self) -> None:
        self.played, self.explains = self._state(), self.done

    def needs_python(self) -> str:
        return "Python checks each turn"

    def described(self) -> str:
        return f"a run for you to order, {self.score.legal} right and {self.score.illegal} wrong clicks so far"


__all__ = ["BeTheExecutor"]
