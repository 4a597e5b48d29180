"""Kinds of exercise, each one line for a notebook: `fix_block(y, up)`, `choose_fetch(...)`, `order_updates(...)`.

All of them are `check` with what that kind of exercise asks. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .check import Outcome, check


def fix_block(y: Any, update: Any, expected: Sequence[Any] = (1, 2, 3), start: Any = None) -> Outcome:
    """The learner mends a `control_dependencies` block: each run of `y` makes `update` run first, and gives `expected`.

    start: what `y` was before the exercise; the same thing again is no attempt.
    """
    return check(y, expected, must_run=[update], start=start)


def choose_fetch(
    chosen: Any,
    expected: Sequence[Any] | None = None,
    *,
    must_run: Iterable[Any] = (),
    must_not_run: Iterable[Any] = (),
    runs: int | None = None,
    after: Mapping[Any, Sequence[Any]] | None = None,
) -> Outcome:
    """The learner chooses what to fetch, so that these nodes run and those do not, and the values are as expected."""
    return check(chosen, expected, runs=runs, must_run=must_run, must_not_run=must_not_run, after=after)


def order_updates(
    fetches: Any, updates: Iterable[Any], after: Mapping[Any, Sequence[Any]], start: Any = None
) -> Outcome:
    """The learner makes one update wait for another: all of them run, and every legal order leaves the same values.

    updates: the nodes that have to run. after: what each variable holds after each run.
    """
    return check(fetches, must_run=updates, after=after, start=start)


__all__ = ["choose_fetch", "fix_block", "order_updates"]
