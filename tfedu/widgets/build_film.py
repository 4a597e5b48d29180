"""BuildFilm: the graph grows with the lines that made it. `BuildFilm(tf.get_default_graph())`."""

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
    """How each line of the program added nodes, edges and variables, forward and back.

    target: a graph, or a tensor or an operation in one; or a function of no arguments, which is called once in a graph of its own
    and watched line by line, so that loops and functions show each time that a line runs. code: the program's text, where
    Python does not have it any more. after: stay locked until that Predict is answered. `step` says how many steps are taken.
    Each node can be asked why it runs, or not, in the run of `fetches`: by default of the target, or of what the function gives.
    Raises: TypeError for what is neither, ValueError for fetches of another graph, and what the function raises.
    """

    KIND = "build-film"
    _shown: BuildFilmRecord

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
        record, graph, given = filmed(target, code)
        asked = given if fetches is None else fetches
        if asked is not None:
            self.programs = (ExplainedRun(asked, feed_dict, session=session).of(graph),)
        super().__init__(record, after=after, title=title, lang=lang, explains=asked is not None)

    def described(self) -> str:
        return f"{len(self._shown.steps)} steps, {len(self._shown.graph.nodes)} nodes"
