"""BuildFilm: the graph, which grows line by line. `BuildFilm(tf.get_default_graph())`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..explain.explained_run import ExplainedRun
from ..view.make.graph_film import filmed
from ..view.records import BuildFilmRecord
from .explained_widget import Explained
from .predict import Predict
from .prediction_gate import Gated


class BuildFilm(Explained, Gated):
    """The nodes, edges and variables that each line of the program added, forward and back.

    target: a graph, or a tensor or operation in one; or a function without parameters, which is called once in a graph of its
    own and traced line by line, so that each execution of a line is a step. code: the program's text, if Python no longer has
    it. after: stay locked until that Predict is answered. `step` is the number of steps so far.
    The reader can ask why a node runs or not in the run of `fetches`, by default of the target or of the function's result.
    Raises: TypeError for another target, ValueError for fetches of another graph, and what the function raises.
    """

    KIND = "build-film"
    ELEMENT = "tfedu-film"
    _record: BuildFilmRecord

    step = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        target: Any,
        code: str | None = None,
        *,
        fetches: Any = None,
        feed_dict: Any = None,
        session: Any = None,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        record, graph, default_fetches = filmed(target, code)
        run_fetches = default_fetches if fetches is None else fetches
        if run_fetches is not None:
            self.programs = (ExplainedRun(run_fetches, feed_dict, session=session).of(graph),)
        super().__init__(record, after=after, title=title, lang=lang, explains=run_fetches is not None)

    def described(self) -> str:
        return f"{len(self._record.steps)} steps, {len(self._record.graph.nodes)} nodes"
