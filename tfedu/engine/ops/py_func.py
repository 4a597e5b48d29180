"""PyFunc: a Python function as a node. The node has a token; the function exists only in the process that built the graph.

`Token.of(function)` creates a token, which keeps the function alive as long as a node refers to it.
State: `_tokens`, text -> token, weakly referenced; `_numbers`, the counter of tokens.
"""

from __future__ import annotations

import itertools
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ..base import errors, threads
from ..base.dtypes import DType, as_dtype, runtime_name
from ..op.define import Each, Sym, op
from ..op.gradient_rules import EFFECT


class Token(str):
    """`pyfunc_0`, the text in a node's attribute, with a reference to the function, which the graph so keeps alive."""

    call: Callable[..., Any]

    @classmethod
    def of(cls, call: Callable[..., Any]) -> Token:
        """A new token for the function."""
        token = cls(f"pyfunc_{next(_numbers)}")
        token.call = call
        _tokens[str(token)] = token
        return token


_tokens: weakref.WeakValueDictionary[str, Token] = weakref.WeakValueDictionary()
_numbers = itertools.count()


# -- values on their way to Python and back ----------------------------------------------------------------------------


def _as_argument(value: Any) -> Any:
    """A value as the function receives it: bytes, a NumPy scalar, or a copy of the array, which it may change."""
    if isinstance(value, bytes):
        return bytes(value)
    return value.copy() if getattr(value, "ndim", 0) else value[()]


def _as_array(value: Any) -> Any:
    """One returned value as an array; text becomes bytes."""
    if isinstance(value, (bytes, str)):
        scalar = np.empty((), object)
        scalar[()] = value.encode() if isinstance(value, str) else value
        return scalar
    array = np.asarray(value)
    if array.dtype.kind not in "SUO":
        return array
    out = np.empty(array.shape, object)
    for place in np.ndindex(array.shape):
        item = array[place]
        if not isinstance(item, (bytes, str)):
            raise _Unsupported(f"Unsupported object type {type(item).__name__}")
        out[place] = item.encode() if isinstance(item, str) else bytes(item)
    return out


class _Unsupported(Exception):
    """A returned value that no tensor can hold."""


# (Python's exception, TF's error that the run raises): the first match counts. Other exceptions become UnknownError.
_CLASSES: tuple[tuple[type[Exception], type[errors.OpError]], ...] = (
    (TypeError, errors.InvalidArgumentError),
    (ValueError, errors.InvalidArgumentError),
    (StopIteration, errors.OutOfRangeError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError, errors.UnimplementedError),
    (_Unsupported, errors.InternalError),
)


_PACKAGE = str(Path(__file__).parents[2]) + os.sep

# No kernel raises these: in the function's hands they mean what the function says. TF makes UnknownError of them.
_KEPT = (errors.AbortedError, errors.CancelledError, errors.UnauthenticatedError, errors.UnavailableError)


def _fail(run: Any, error: Exception) -> NoReturn:
    """Raises TF's error for the function's exception, which becomes its cause."""
    import traceback

    kind: type[errors.OpError] = next((ours for theirs, ours in _CLASSES if isinstance(error, theirs)), errors.UnknownError)
    if isinstance(error, _KEPT):
        kind = errors.exception_type_from_error_code(error.error_code)
    if isinstance(error, _Unsupported):
        text = str(error)
    else:
        # The user's own lines: those of the package are in the traceback of the cause.
        stack = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_PACKAGE)]
        frames = ["Traceback (most recent call last):", "", *traceback.format_list(stack)] if stack else []
        last = "".join(traceback.format_exception_only(error))
        text = "\n".join([f"{type(error).__name__}: {error}", *frames, *[last] * bool(stack)])
    raise _at(run, kind, text) from error


def _at(run: Any, kind: type[errors.OpError], text: str) -> errors.OpError:
    node = run.node
    return kind(None, node, f"{text}\n\t [[{{{{node {node.name}}}}}]]")  # type: ignore[call-arg]


def _call(run: Any, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    # Runs suppress NumPy's warnings; in the user's function they are enabled as outside a run.
    with run.store.calling(run.node, function), np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
        return function(*arguments)


def _call_in_time(run: Any, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """What the function returns, in a thread of its own: nothing else ends the wait for a function that never returns.

    Raises: DeadlineExceededError when the time of the run is over; the function then goes on, and `Session.close` warns of it.
    """
    answers: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()

    def answer() -> None:
        try:
            answers.put((_call(run, function, arguments), None))
        except BaseException as error:
            answers.put((None, error))

    began = time.localtime()
    threading.Thread(target=answer, name=f"py_func {run.node.name}", daemon=True).start()
    try:
        returned, error = answers.get(timeout=run.store.seconds_left())
    except queue.Empty:
        overdue = errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
        overdue.fix = (
            f"the function {getattr(function, '__qualname__', repr(function))}, which node {run.node.name} called at "
            f"{time.strftime('%H:%M:%S', began)}, has not returned in the run's time limit; it goes on in a thread of its own"
        )
        raise _Overdue(overdue) from None
    if error is not None:
        raise error
    return returned


class _Overdue(Exception):
    """Has as its argument the error of a run whose time limit is over: no error of the function."""


def _called(run: Any, input: Sequence[Any], token: str, kinds: Sequence[DType]) -> list[Any]:
    known = _tokens.get(str(token))
    if known is None:
        raise _at(
            run, errors.InvalidArgumentError,
            f"ValueError: callback {token} is not found\n  a Python function is no part of a saved graph",
        )  # fmt: skip
    arguments = [_as_argument(value) for value in input]
    seconds = run.store.seconds_left()
    try:
        # Where there are no threads, the limit ends the run after the function has returned.
        call = _call if seconds is None or not threads.exist() else _call_in_time
        returned = call(run, known.call, arguments)
        several = list(returned) if isinstance(returned, (list, tuple)) else [] if returned is None else [returned]
        arrays = [_as_array(value) for value in several]
    except _Overdue as overdue:
        raise overdue.args[0] from None
    except Exception as error:
        _fail(run, error)
    if len(arrays) != len(kinds):
        raise _at(
            run, errors.InvalidArgumentError,
            f"{token} returns {len(arrays)} values, but expects to see {len(kinds)} values.",
        )  # fmt: skip
    results = []
    for i, (array, kind) in enumerate(zip(arrays, kinds)):
        try:
            dtype = as_dtype("string") if array.dtype == object else as_dtype(array.dtype)
        except TypeError:
            raise _at(run, errors.InternalError, _unsupported(array.dtype)) from None
        if dtype is not kind.base_dtype:
            raise _at(
                run, errors.InvalidArgumentError,
                f"{i}-th value returned by {token} is {runtime_name(dtype)}, but expects {runtime_name(kind)}",
            )  # fmt: skip
        # A copy, because the function may keep the array that it returned, and change it later.
        results.append(array.copy() if array.ndim else array[()])
    return results


def _unsupported(dtype: np.dtype[Any]) -> str:
    """TF's text for an array that no tensor can hold."""
    if dtype.kind == "V":
        return "Unsupported numpy data type" if dtype.names else "Unexpected numpy data type"
    names = {"M": "NPY_DATETIME", "m": "NPY_TIMEDELTA", "g": "NPY_LONGDOUBLE", "G": "NPY_CLONGDOUBLE"}
    return f"Unsupported numpy type: {names.get(dtype.char, dtype.name)}"


def _open_shapes(input: Sequence[Sym], *, token: str, Tout: list[DType]) -> list[None]:
    return [None] * len(Tout)


@op("PyFunc", not_differentiable=EFFECT, stateful=True, shape=_open_shapes, role="python")
def py_func(run: Any, input: Each["Tin", 0], *, token: str, Tout: list[DType]) -> Each["Tout"]:  # noqa: F821
    """Calls a Python function in every run; it may have effects: inputs of any shapes -> outputs of any shapes.

    Raises: the function's exception as UnknownError, InvalidArgumentError for TypeError and ValueError.
    """
    return _called(run, input, token, Tout)  # type: ignore[return-value]


@op("PyFuncStateless", not_differentiable=EFFECT, shape=_open_shapes, role="python", commutes=True)
def py_func_stateless(run: Any, input: Each["Tin", 0], *, token: str, Tout: list[DType]) -> Each["Tout"]:  # noqa: F821
    """Calls a Python function without effects, which returns the same for the same inputs: inputs of any shapes ->
    outputs of any shapes.

    Raises: as PyFunc.
    """
    return _called(run, input, token, Tout)  # type: ignore[return-value]
