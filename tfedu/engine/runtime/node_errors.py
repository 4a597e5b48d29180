"""What a failing node says: TF's class and words, and the node, from which the message takes the user's lines.

`node_error(op, error, values)` turns whatever a kernel raised into the error that the user sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..graph.nodes import Operation, Tensor
from ..op import shape_checks
from .store import Buffer, View


def node_error(op: Operation, error: Exception, values: Sequence[Any] = ()) -> errors.OpError:
    """The error of `op`: class and text from the kernel, the node and the places from the graph."""
    kind: type[errors.OpError]
    if isinstance(error, errors.OpError):
        if error.op is not None:
            return error
        kind, text = type(error), error.message.replace("{node}", op.name)
    else:
        kind, text = _translated(op, error, values)
    made: errors.OpError = kind(None, op, f"{text}\n\t [[{{{{node {op.name}}}}}]]")  # type: ignore[call-arg]
    made.fix = getattr(error, "fix", None)
    return made


def failure_key(error: errors.OpError) -> tuple[Any, ...]:
    """What tells one failure from another: its class, its node and its words.

    Not the words behind "Not found:", which say of a variable without a value also whether any other has one by then.
    """
    return type(error), error.op and error.op.name, error.message.partition("Not found:")[0]


def cause_of(raised: Exception) -> BaseException | None:
    """What the node's error names as its cause: nothing that it says itself already, so that a traceback tells it once."""
    return raised.__cause__ if isinstance(raised, errors.OpError) else raised


def _shape_text(value: Any) -> str:
    if isinstance(value, (Buffer, View)):
        value = value.value
    return str(list(np.shape(value))).replace(" ", "") if value is not None else ""


def _shapes(values: Sequence[Any]) -> list[str]:
    return [_shape_text(v) for v in values]


def _translated(op: Operation, error: Exception, values: Sequence[Any]) -> tuple[type[errors.OpError], str]:
    """NumPy's complaints in TF's words."""
    loaded = [v.value if isinstance(v, (Buffer, View)) else v for v in values]
    if isinstance(error, MemoryError):
        return errors.ResourceExhaustedError, f"OOM when running {op.type}: {error}"
    if any(t.dtype.base_dtype is dtypes.bfloat16 for t in op.inputs):
        missing = bool(dtypes.numpy_bfloat16().names)
        help = "pip install ml_dtypes, or cast to float32 first" if missing else "cast to float32 first"
        return errors.UnimplementedError, f"No kernel computes {op.type} with bfloat16: {help}."
    listed = _shapes(loaded)
    if op.type in ("MatMul", "BatchMatMul", "BatchMatMulV2") and len(listed) == 2:
        return (
            errors.InvalidArgumentError,
            f"Matrix size-incompatible: In[0]: {listed[0]}, In[1]: {listed[1]}",
        )
    if isinstance(error, ValueError) and "broadcast" in str(error) and len(listed) >= 2:
        return errors.InvalidArgumentError, f"Incompatible shapes: {listed[0]} vs. {listed[1]}"
    if isinstance(error, (ValueError, TypeError, IndexError, ZeroDivisionError, OverflowError)):
        return (
            errors.InvalidArgumentError,
            f"{op.type}: {error} (input shapes: {', '.join(listed) or 'none'})",
        )
    return errors.InternalError, f"{op.type}: {type(error).__name__}: {error}"


def uninitialized(name: str) -> errors.OpError:
    """What reading a variable that holds nothing raises; the reading node is filled in by the runner."""
    return shape_checks.uninitialized(f"Attempting to use uninitialized value {name}")


def unread(error: errors.OpError, fetches: Sequence[Tensor]) -> errors.OpError:
    """What is said when a run is over and one of the fetched tensors has no value: the error of that tensor's node."""
    assert error.fetch is not None
    made: errors.OpError = type(error)(None, fetches[error.fetch].op, error.message)  # type: ignore[call-arg]
    if isinstance(error, errors.InvalidArgumentError):
        made.fix = (
            "the run did not come to this value: it lies on a branch that was not taken, or in a loop that ended before. "
            "Fetch what tf.cond or tf.while_loop returned"
        )
    return made
