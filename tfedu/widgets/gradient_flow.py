"""GradientFlow: the gradient graph as it grows, turn by turn. `GradientFlow(loss, [w, b])`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..explain.gradient_steps import explained_flow
from ..view.records import GradientFlowRecord
from .explained_widget import Explained
from .predict import Predict
from .prediction_gate import Gated


class GradientFlow(Explained, Gated):
    """What `tf.gradients(ys, xs, **options)` makes, and the numbers of one run; the graph stays as it was.

    feed_dict: for the numbers; without them where a placeholder is not fed. session: start from this session's variables;
    else they are initialized. Each node can be asked why it runs where the gradients are fetched.
    ask: the learner says which node has the next turn, and is told why another one has not. after: stay locked until that
    Predict is answered. `step` says how many turns are taken.
    Raises: as tf.gradients, and as Session.run does for wrong feeds.
    """

    KIND = "gradient-flow"
    _shown: GradientFlowRecord

    step = traitlets.Int(0).tag(sync=True)
    ask = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        ys: Any,
        xs: Any,
        feed_dict: Any = None,
        session: Any = None,
        *,
        ask: bool = False,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
        **options: Any,
    ) -> None:
        record, program = explained_flow(ys, xs, feed_dict, session, **options)
        self.programs = (program,)
        super().__init__(record, after=after, title=title, lang=lang, ask=bool(ask))

    def described(self) -> str:
        made = sum(len(turn.sums) + len(turn.made) for turn in self._shown.turns)
        return f"{len(self._shown.turns)} steps, {made} new nodes"
