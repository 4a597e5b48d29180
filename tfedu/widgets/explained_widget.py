"""Widgets that answer "why?": `Explained` has the programs that it shows, and tells of each node why it runs or not.

The front end's side is widgets/src/graph/reason.ts. No state but the programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from ..explain.explained_run import ExplainedRun
from ..view.record_kinds import message_of
from ..view.records import to_json
from .questions import Asked, answers


class Explained(Asked):
    """A widget whose nodes can be asked about.

    programs: what it shows, none as long as that is a secret. explains: whether the browser may ask.
    """

    programs: Sequence[ExplainedRun] = ()
    explains = traitlets.Bool(True).tag(sync=True)

    @answers("why")
    def _why(self, node: int, program: int = 0) -> Any:
        return to_json(self._program(program).why(node))

    @answers("try")
    def _try(self, node: int, change: int, program: int = 0) -> Any:
        return message_of(self._program(program).tried(node, change))

    def _program(self, number: int) -> ExplainedRun:
        if getattr(self, "locked", False) or number not in range(len(self.programs)):
            raise ValueError(f"no program with the number {number!r:.20} is shown here")
        return self.programs[number]


__all__ = ["Explained"]
