"""BuildFilm: the graph grows with the lines that made it. `BuildFilm(tf.get_default_graph())`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..view.building import film_record
from ..view.records import BuildFilmRecord
from .gate import Gated
from .predict import Predict


class BuildFilm(Gated):
    """How each line of the program added nodes, edges and variables, forward and back.

    target: a graph, or a tensor or an operation in one; or a function of no arguments, which is called once in a graph of its own
    and watched line by line, so that loops and functions show each time that a line runs. code: the program's text, where
    Python does not have it any more. after: stay locked until that Predict is answered. `step` says how many steps are taken.
    Raises: TypeError for what is neither, and what the function raises.
    """

    KIND = "build-film"
    _shown: BuildFilmRecord

    step = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        target: Any,
        code: str | None = None,
        *,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        super().__init__(film_record(target, code), after=after, title=title, lang=lang)

    def described(self) -> str:
        return f"{len(self._shown.steps)} steps, {len(self._shown.graph.nodes)} nodes"
