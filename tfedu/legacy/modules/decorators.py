"""Decorators that programs borrow from TensorFlow's private modules. They change nothing here. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def unchanged(function: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`@decorator` or `@decorator(…)`: the function, or class, as it is."""
    return function if callable(function) else lambda decorated: decorated


def unchanged_because(reason: str = "", function: Any = None) -> Any:
    """`@decorator("why")`: the function as it is."""
    return function if callable(function) else lambda decorated: decorated


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[Any], Any]:
    """`@deprecated(date, "use …")`: the function as it is."""
    return lambda decorated: decorated


def tf_export(*args: str, **kwargs: Any) -> Callable[[Any], Any]:
    """`@tf_export("name")`: the function as it is."""
    return lambda decorated: decorated
