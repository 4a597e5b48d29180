"""Exercises that check what a graph does: `print(exercises.fix_block(y, up))`; ready questions: `exercises.ask("counter")`.

An outcome is pass, fail, error or not attempted. A result that is right only by luck does not pass. No state of its own.
"""

from __future__ import annotations

from ..explain.tasks.check import Criterion, Outcome, check
from .items import ITEMS, Item, ask
from .kinds import build_graph, choose_fetch, fix_block, order_updates, play_executor

__all__ = [
    "ITEMS", "Criterion", "Item", "Outcome", "ask", "build_graph", "check", "choose_fetch", "fix_block", "order_updates",
    "play_executor",
]  # fmt: skip
