"""Checks of widgets' arguments, so that a wrong one is an error of its cell, with the fix. No state."""

from __future__ import annotations

from typing import Any

from ..view import messages

MOST_RUNS = 100


def checked_runs(runs: Any) -> int:
    """A number of runs.

    Raises: TypeError if it is not an integer, ValueError if it is out of range.
    """
    if isinstance(runs, bool) or not isinstance(runs, int):
        raise TypeError(f"runs must be a whole number, not {type(runs).__name__}")
    if not 1 <= runs <= MOST_RUNS:
        raise ValueError(f"runs must be from 1 to {MOST_RUNS}, not {runs}")
    return runs


def checked_pace(every: Any) -> float:
    """A number of seconds.

    Raises: TypeError if it is not a number, ValueError if it is not above 0.
    """
    if isinstance(every, bool) or not isinstance(every, int | float):
        raise TypeError(f"every must be a number of seconds, not {type(every).__name__}")
    if not every > 0:
        raise ValueError(f"every must be a number of seconds above 0, not {every}")
    return every


def checked_targets(targets: Any, example: str, count: int | None = None) -> dict[str, Any]:
    """A dict from titles to fetches, with `count` entries if that is given.

    Raises: TypeError if it is not such a dict, ValueError for a wrong count.
    """
    if not isinstance(targets, dict) or not all(isinstance(title, str) for title in targets):
        raise TypeError(f"expected a dict from titles to what is fetched, not {type(targets).__name__}\n  fix: {example}")
    if not targets or (count is not None and len(targets) != count):
        raise ValueError(f"expected {count or 'one or more'} titles with what is fetched, got {len(targets)}\n  fix: {example}")
    return dict(targets)


def checked_language(lang: Any) -> None:
    """A language, or "" or None for the default.

    Raises: TypeError if it is not a text, ValueError for a language without messages.
    """
    if lang is not None and not isinstance(lang, str):
        raise TypeError(f"lang must be a text such as 'ko', not {type(lang).__name__}")
    if lang and messages.pick(lang) != lang.lower().replace("_", "-").split("-")[0]:
        raise ValueError(f"lang must be one of {', '.join(messages.LANGUAGES)}, not {lang!r}")
