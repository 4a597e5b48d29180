"""Exercises that mark what a graph does: `print(exercises.fix_block(y, up))`.

Four outcomes: pass, fail, error, not attempted. What is right by luck alone does not pass. No state.
"""

from __future__ import annotations

from .check import Criterion, Outcome, check
from .kinds import choose_fetch, fix_block, order_updates

__all__ = ["Criterion", "Outcome", "check", "choose_fetch", "fix_block", "order_updates"]
