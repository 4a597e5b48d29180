"""GradientFlow: the gradient graph, which grows turn by turn. `GradientFlow(loss, [w, b])`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..explain.gradient_steps import explained_flow
from ..view.records import GradientFlowRecord
from .explained_widget import Explained
from .predict import Predict
from .prediction_gate import Gated


class GradientFlow(Explained, Gated):
    """The nodes that `tf.gradients(ys, xs, **options)` makes, with the values of one run; the graph stays unchanged.

    feed_dict: for the values, which need all placeholders. session: start from this session's variables; by default they are
    initialized. The reader can ask why a node runs when the gradients are fetched.
    ask: the learner chooses the node with the next turn; the answer to a wrong one says why. after: stay locked until that
    Predict is answered. `step` is the number of turns so far.
    Raises: as tf.gradients, and as Session.run for wrong feeds.
    """

    KIND = "gradient-flow"
    ELEMENT = "tfedu-gradients"
    _record: GradientFlowRecord

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
        record, run = explained_flow(ys, xs, feed_dict, session, **options)
        self.programs = (run,)
        super().__init__(record, after=after, title=title, lang=lang, ask=bool(ask))

    def described(self) -> str:
        new_nodes = sum(len(turn.sums) + len(turn.made) for turn in self._record.turns)
        return f"{len(self._record.turns)} steps, {new_nodes} new nodes"
