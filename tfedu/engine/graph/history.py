"""What was done with a graph besides building it: which runs were asked for, and which gradients.

Explanations read it: that a line made nodes between two runs, or that nothing was ever run to update a variable, no single
node tells. A run that is repeated is kept once. State: `History`, of each graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ..base.site import RawSite
from .nodes import Operation, Tensor

# A program that fetches ever new things must not fill the memory; the first runs tell what there is to tell.
MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that a session of the program was asked for. session: what stands for it. position: how many nodes there were."""

    session: object
    position: int
    tensors: tuple[Tensor, ...]
    operations: tuple[Operation, ...]
    feeds: tuple[Tensor, ...]
    site: RawSite | None


@dataclass(frozen=True, slots=True)
class Differentiated:
    """A call of `gradients`. position: how many nodes the graph had before; found: for each x its gradient or None."""

    position: int
    ys: tuple[Any, ...]
    xs: tuple[Any, ...]
    found: tuple[Any, ...]
    site: RawSite | None


class History:
    """The runs and the calls of `gradients` of one graph, each in the order in which they were asked for."""

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
        """Takes a call back whose nodes are taken back."""
        if call in self.gradients:
            self.gradients.remove(call)
