"""`arg_scope`: defaults for the arguments of layers, written once for all calls in a block.

    with arg_scope([conv2d, fully_connected], activation_fn=tf.nn.elu):
        net = conv2d(images, 32, 5)         # with elu
        net = conv2d(net, 64, 5, scope="b", activation_fn=None)

A function takes part after `@add_arg_scope`. State: `_per_thread`, the open scopes of each thread.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from ...base.errors import error_text

Function = TypeVar("Function", bound=Callable[..., Any])
Scope = dict[Any, dict[str, Any]]  # key of a function -> the defaults of its arguments


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.scopes: list[Scope] = [{}]


_per_thread = _PerThread()


def current_arg_scope() -> Scope:
    """The innermost open scope: for each function's key the defaults of its arguments."""
    return _per_thread.scopes[-1]


def arg_scope_func_key(op: Any) -> Any:
    """The key of a function in a scope; the text of a function that takes no part."""
    return getattr(op, "_key_op", str(op))


def has_arg_scope(func: Any) -> bool:
    """Whether a function takes part: `@add_arg_scope` was applied to it."""
    return hasattr(func, "_key_op")


def arg_scoped_arguments(func: Any) -> tuple[str, ...]:
    """The arguments of a function that a scope can set: those with defaults.

    Raises: ValueError for a function that takes no part.
    Differs from TF: all of them; TF leaves out some for a function with local variables.
    """
    _require_arg_scope(func)
    return tuple(p.name for p in inspect.signature(func).parameters.values() if p.default is not p.empty)


def _require_arg_scope(func: Any) -> None:
    if not has_arg_scope(func):
        name = f"{getattr(func, '__module__', None)}.{getattr(func, '__name__', func)}"
        raise ValueError(error_text(f"{name} is not decorated with @add_arg_scope"))


def add_arg_scope(func: Function) -> Function:
    """A function like `func` whose keyword arguments take their defaults from the open scope."""

    @functools.wraps(func)
    def with_scoped_defaults(*args: Any, **kwargs: Any) -> Any:
        defaults = current_arg_scope().get(key)
        return func(*args, **({**defaults, **kwargs} if defaults else kwargs))

    key = arg_scope_func_key(func)
    with_scoped_defaults._key_op = key
    return cast(Function, with_scoped_defaults)


@contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Iterator[Scope]:
    """`with arg_scope([f, g], a=1) as scope:` f and g called inside have a=1 unless the call says otherwise; scopes nest.

    list_ops_or_scope: functions; or a scope, which the block opens anew in place of the open ones.

    Raises: TypeError for neither a list nor a scope, ValueError for a function that takes no part.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError(
                error_text("When attempting to re-use a scope by suppling adictionary, kwargs must be empty.")
            )
        scope = dict(list_ops_or_scope)
    else:
        if not isinstance(list_ops_or_scope, (list, tuple)):
            raise TypeError(error_text("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)"))
        scope = dict(current_arg_scope())
        for op in list_ops_or_scope:
            _require_arg_scope(op)
            key = arg_scope_func_key(op)
            scope[key] = {**scope.get(key, {}), **kwargs}
    scopes = _per_thread.scopes
    depth = len(scopes)
    scopes.append(scope)
    try:
        yield scope
    finally:
        del scopes[depth:]


__all__ = [
    "add_arg_scope", "arg_scope", "arg_scope_func_key", "arg_scoped_arguments", "current_arg_scope", "has_arg_scope",
]  # fmt: skip
