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
    """The tensors that `func` returns, called with the values of `inp` in every run.

    func: gets NumPy arrays and scalars, strings as bytes, and returns one value for each dtype in Tout. stateful:
    False promises that func has no effects. Tout: a list of dtypes makes a list of tensors, one dtype one tensor, an
    empty list the operation, or no tensors where stateful is False.

    An exception of `func` ends the run: ValueError and TypeError as InvalidArgumentError, StopIteration as
    OutOfRangeError, MemoryError as ResourceExhaustedError, NotImplementedError as UnimplementedError, others as
    UnknownError. AbortedError, CancelledError, UnauthenticatedError and UnavailableError keep their class (in TF they
    become UnknownError).

    Raises: ValueError for a `func` that is not callable.
    """
    if not callable(func):
        raise ValueError(error_text(f"Expected func to be callable, got func of type {type(func)}"))
    several = isinstance(Tout, (list, tuple))
    kinds = [as_dtype(kind) for kind in (Tout if several else [Tout])]
    op_caller = stateful_op if stateful else stateless_op
    outputs = op_caller(inp, token=Token.of(func), Tout=kinds, name=name)
    if not kinds and not stateful:
        return []  # only the stateful op comes back in place of no tensors
    return outputs if several else outputs[0]


def numpy_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """`py_func` with stateful=True, under its later name."""
    return py_func(func, inp, Tout, True, name)


def py_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """Raises: UnimplementedError, always: the function would get eager tensors, and tfedu has graphs alone."""
    raise errors.UnimplementedError(
        None,
        None,
        error_text(
            "tf.py_function calls its function with eager tensors, but tfedu runs graphs only.",
            fix="tf.py_func(func, inp, Tout) calls it with NumPy arrays (without .numpy())",
        ),
    )


__all__ = ["numpy_function", "py_func", "py_function"]
