"""Widgets that answer why a node runs or not: `Explained`, with the runs that it explains.

The front end's side is widgets/src/graph/reason.ts. No state but the runs.
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
    """A widget whose reader can ask about nodes.

    programs: the runs that it explains; none while they are secret. explains: whether the reader can ask.
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
