"""The history of a graph: the runs and the calls of `gradients` that the program made.

Explanations need it: no single node shows that a line created nodes between two runs, or that the program never ran an update
of a variable. A repeated run is kept once. State: `History`, of each graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ..base.site import RawSite
from .nodes import Operation, Tensor

# A program whose every run fetches other tensors must not fill the memory; the first runs explain the rest.
MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class Ran:
    """One run. session: a token of the session; position: the number of nodes in the graph at that time."""

    session: object
    position: int
    tensors: tuple[Tensor, ...]
    operations: tuple[Operation, ...]
    feeds: tuple[Tensor, ...]
    site: RawSite | None


@dataclass(frozen=True, slots=True)
class Differentiated:
    """One call of `gradients`. position: the number of nodes before the call; gradients: for each x its gradient or None."""

    position: int
    ys: tuple[Any, ...]
    xs: tuple[Any, ...]
    gradients: tuple[Any, ...]
    site: RawSite | None


class History:
    """The runs and the calls of `gradients` of one graph, each in the order of the calls."""

    def __init__(self) -> None:
        self.runs: list[Ran] = []
        self.gradients: list[Differentiated] = []

    def ran(self, run: Ran) -> None:
        if len(self.runs) < MOST:
            self.runs.append(run)

    def differentiated(self, call: Differentiated) -> None:
        if len(self.gradients) < MOST:
            self.gradients.append(call)

    def forget(self, call: Differentiated) -> None:
        """Removes a call whose nodes were removed."""
        if call in self.gradients:
            self.gradients.remove(call)
