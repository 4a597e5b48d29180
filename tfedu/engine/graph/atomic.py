"""`@atomic`: a function that creates several nodes creates all of them or none."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from .default_graph import get_default_graph

P = ParamSpec("P")
R = TypeVar("R")


def atomic(function: Callable[P, R]) -> Callable[P, R]:
    """Undoes what the call added to the default graph when it fails."""

    @functools.wraps(function)
    def in_transaction(*args: P.args, **kwargs: P.kwargs) -> R:
        return get_default_graph().attempt(function, *args, **kwargs)

    return in_transaction
