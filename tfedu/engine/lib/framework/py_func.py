"""`tf.py_func`: a Python function of NumPy arrays as a node of the graph. The node keeps the function alive. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import errors
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...ops.py_func import Token
from ...ops.py_func import py_func as stateful_op
from ...ops.py_func import py_func_stateless as stateless_op


@atomic
def py_func(func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None) -> Any:
    """The tensors that `func` returns when it is called with the values of `inp`, in every run.

    func: gets NumPy arrays and scalars, strings as bytes; returns one for each type in Tout. stateful: False for a function
    without effects. Tout: a list of types gives a list of tensors, a type alone one tensor, an empty list the operation.
    An exception of `func` ends the run: ValueError and TypeError as InvalidArgumentError, StopIteration as OutOfRangeError,
    MemoryError as ResourceExhaustedError, NotImplementedError as UnimplementedError, others as UnknownError.
    """
    if not callable(func):
        raise ValueError(error_text(f"Expected func to be callable, got func of type {type(func)}"))
    several = isinstance(Tout, (list, tuple))
    kinds = [as_dtype(kind) for kind in (Tout if several else [Tout])]
    make = stateful_op if stateful else stateless_op
    made = make(inp, token=Token.of(func), Tout=kinds, name=name)
    return made if several else made[0]


def numpy_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """`py_func` under its later name."""
    return py_func(func, inp, Tout, True, name)


def py_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """Raises: UnimplementedError: its function computes with eager tensors, and this library has graphs alone."""
    raise errors.UnimplementedError(
        None,
        None,
        error_text(
            "tf.py_function calls its function with eager tensors, which tfedu has not: it runs graphs.",
            fix="tf.py_func(func, inp, Tout) calls it with NumPy arrays (without .numpy())",
        ),
    )


__all__ = ["numpy_function", "py_func", "py_function"]
