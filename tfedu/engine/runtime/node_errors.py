"""Errors of nodes: TF's class and text, and the node, whose site and inputs the message lists.

`node_error(op, error, values)` turns an exception of a kernel into the error that the user sees. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..backends import CPU, cupy
from ..base import dtypes, errors
from ..base import site as sites
from ..base.foreign import foreign
from ..graph.nodes import Operation, Tensor
from ..op import shape_checks
from .memory import exhausted, needed, too_large
from .store import Buffer, View


def node_error(op: Operation, error: BaseException, values: Sequence[Any] = ()) -> BaseException:
    """The error of `op`: class and text from the kernel, the node and the places from the graph; to be raised as it is.

    What the kernel did not raise (Ctrl-C, a signal handler's exception) is returned unchanged, with a note of the node.
    """
    if isinstance(error, errors.OpError) and error.op is not None:
        return error
    other = foreign(error)
    if other is not None:
        return _noted(op, other)
    assert isinstance(error, Exception)
    kind: type[errors.OpError]
    if isinstance(error, errors.OpError):
        # A kernel does not know its node: it writes "{node}" for its name, "{input}" for its first input's.
        kind, text = type(error), error.message.replace("{node}", op.name)
        if op.inputs:
            text = text.replace("{input}", op.inputs[0].name.removesuffix(":0"))
    else:
        kind, text = _translated(op, error, values)
    translated: errors.OpError = kind(None, op, f"{text}\n\t [[{{{{node {op.name}}}}}]]")  # type: ignore[call-arg]
    translated.fix = getattr(error, "fix", None)
    # An exception of NumPy or Python is the cause; a kernel's own error is not, so that a traceback shows each error once.
    translated.__cause__ = error.__cause__ if isinstance(error, errors.OpError) else error
    return translated


def _noted(op: Operation, error: BaseException) -> BaseException:
    error.add_note(errors.layout(f"This came while the node {op.name} ({op.type}) ran.", sites.describe(op.site)))
    return error


def failure_key(error: errors.OpError) -> tuple[Any, ...]:
    """A key of the failure: its class, its node and its text.

    The text behind "Not found:" is left out: for an uninitialized variable it also depends on the other variables.
    """
    return type(error), error.op and error.op.name, error.message.partition("Not found:")[0]


def _shape_text(value: Any) -> str:
    if isinstance(value, (Buffer, View)):
        value = value.value
    return str(list(np.shape(value))).replace(" ", "") if value is not None else ""


def _shapes(values: Sequence[Any]) -> list[str]:
    return [_shape_text(v) for v in values]


def _translated(op: Operation, error: Exception, values: Sequence[Any]) -> tuple[type[errors.OpError], str]:
    """The class and text of TF for an exception of NumPy or Python."""
    loaded = [v.value if isinstance(v, (Buffer, View)) else v for v in values]
    is_of_gpu = cupy.is_out_of_memory(error)
    if is_of_gpu or isinstance(error, MemoryError):
        size, tensor, shape = needed(op, loaded)
        if not size:
            return errors.ResourceExhaustedError, f"OOM when running {op.type}: {error}"
        device = cupy.DEVICE if is_of_gpu else CPU.device
        rest = f" ({error})" if str(error) else ""
        return errors.ResourceExhaustedError, exhausted(op, size, tensor, shape, rest, device).message
    if isinstance(error, TypeError) and any(t.dtype.base_dtype is dtypes.bfloat16 for t in op.inputs):
        missing = bool(dtypes.numpy_bfloat16().names)
        help = "pip install ml_dtypes, or cast to float32 first" if missing else "cast to float32 first"
        return errors.UnimplementedError, f"No kernel computes {op.type} with bfloat16: {help}."
    listed = _shapes(loaded)
    impossible = too_large(op, loaded) if isinstance(error, ValueError | OverflowError) else None
    if impossible is not None:
        return type(impossible), impossible.message
    if isinstance(error, ValueError) and len(listed) >= 2 and not shape_checks.fit(*map(np.shape, loaded)):
        return errors.InvalidArgumentError, f"Incompatible shapes: {listed[0]} vs. {listed[1]}"
    if isinstance(error, (ValueError, TypeError, IndexError, ZeroDivisionError, OverflowError)):
        return (
            errors.InvalidArgumentError,
            f"{op.type}: {error} (input shapes: {', '.join(listed) or 'none'})",
        )
    if isinstance(error, ImportError):
        return errors.UnimplementedError, f"{op.type}: {error}"
    return errors.InternalError, f"{op.type}: {type(error).__name__}: {error}"


def uninitialized(name: str) -> errors.OpError:
    """The error of reading an uninitialized variable; `node_error` adds the reading node."""
    return shape_checks.uninitialized(f"Attempting to use uninitialized value {name}")


def unread(error: errors.OpError, fetches: Sequence[Tensor]) -> errors.OpError:
    """The error of a fetched tensor that has no value when the run is over, with that tensor's node."""
    assert error.fetch is not None
    located: errors.OpError = type(error)(None, fetches[error.fetch].op, error.message)  # type: ignore[call-arg]
    located.fix = error.fix
    if error.message.startswith("Retval["):
        located.fix = (
            "the run did not come to this value: it lies on a branch that was not taken, or in a loop that ended before. "
            "Fetch what tf.cond or tf.while_loop returned"
        )
    return located
