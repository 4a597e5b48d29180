"""Switch and Merge for branches; Enter, NextIteration and Exit for loops; Assert, Print and Abort, run for their effect.

`Switch(data, pred)` puts its data on one output and DEAD on the other; `Merge` passes its live input on. `Enter` passes a
value into the first iteration of a frame, `NextIteration` into the next one, `Exit` out of the frame. The executor decides
in which frame and iteration a value arrives; the kernels here only pass it on.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dead import DEAD
from ..base.shapes import Shape, ShapeMismatch
from ..op.define import Each, Many, Ref, Sym, op, same_shape, typevar
from ..op.definition import types_of_role
from ..op.gradient_rules import EFFECT
from ..op.shape_checks import invalid, needs_rank, scalar
from ..op.tensor_text import summary

T = typevar("T")
ONE_BOOL = (
    "a condition is one bool: compare, as in x > 0; tf.reduce_all or tf.reduce_any make one of several, and tf.where chooses "
    "element by element"
)


def truth(pred: Any) -> bool:
    """Whether a Switch's predicate holds. Raises: InvalidArgumentError when it is no scalar."""
    if np.ndim(pred):
        raise invalid(f"The second input must be a scalar, but it has shape {shapes.fmt(np.shape(pred))}", fix=ONE_BOOL)
    return bool(pred)


def _routed(data: Any, pred: Any) -> tuple[Any, Any]:
    return (DEAD, data) if truth(pred) else (data, DEAD)


def _switch_shapes(data: Sym, pred: Sym) -> list[Shape]:
    if pred.shape is not None and pred.shape != ():
        raise ShapeMismatch(f"Shape must be rank 0 but is rank {len(pred.shape)}")
    return [data.shape, data.shape]


@op("Switch", out="output_false output_true", aliases="data", shape=_switch_shapes, role="switch")
def switch(xp: Any, data: T, pred: dtypes.bool) -> tuple[T, T]:
    """Passes data (any shape) on to output_true or output_false, as pred (a scalar) says; the other output is dead.

    Raises: InvalidArgumentError when pred is no scalar.
    """
    return _routed(data, pred)


@op(
    "RefSwitch", out="output_false output_true", aliases="data", shape=_switch_shapes, allows_uninitialized=True,
    role="switch",
)
def ref_switch(xp: Any, data: Ref[T], pred: dtypes.bool) -> tuple[Ref[T], Ref[T]]:
    """Passes a variable of any shape on to output_true or output_false, as pred (a scalar) says; the other output is
    dead.

    Raises: InvalidArgumentError when pred is no scalar.
    """
    return _routed(data, pred)


def _live_input(inputs: list[Any]) -> tuple[Any, Any]:
    for index, value in enumerate(inputs):
        if value is not DEAD:
            return value, np.int32(index)
    return DEAD, DEAD


def _merged_shapes(inputs: list[Sym]) -> list[Shape]:
    """The shape common to all inputs; a size in which they differ is unknown."""
    common = inputs[0].shape
    for sym in inputs[1:]:
        if common is None or sym.shape is None or len(sym.shape) != len(common):
            common = None
            break
        common = tuple(a if a == b else None for a, b in zip(common, sym.shape))
    return [common, ()]


@op("Merge", out="output value_index", aliases="inputs", shape=_merged_shapes, role="merge")
def merge(xp: Any, inputs: Many[T]) -> tuple[T, dtypes.int32]:
    """Passes the one live input on: n inputs of any shapes -> output of its shape, value_index scalar, its position."""
    return _live_input(inputs)


@op("RefMerge", out="output value_index", aliases="inputs", shape=_merged_shapes, role="merge")
def ref_merge(xp: Any, inputs: Many[Ref[T]]) -> tuple[Ref[T], dtypes.int32]:
    """Passes the one live variable on: n variables of any shapes -> output, value_index scalar, its position."""
    return _live_input(inputs)


def _selected_shape(index: Sym, inputs: list[Sym]) -> Shape:
    """The inputs' shape if it is fully known and the same for all."""
    scalar(index)
    first = inputs[0].shape
    known = first is not None and None not in first and all(sym.shape == first for sym in inputs)
    return first if known else None


@op("RefSelect", shape=_selected_shape, role="select_reference")
def ref_select(xp: Any, index: dtypes.int32, inputs: Many[Ref[T]]) -> Ref[T]:
    """The variable at position `index`: index scalar, n variables of any shape -> one of them.

    Raises: InvalidArgumentError for an index outside [0, n).
    """
    needs_rank(index, 0, "Index must be a scalar, but it has shape {shape}")
    if not 0 <= index < len(inputs):
        raise invalid(f"Index must be in the range [0, {len(inputs)}) but got {index}")
    return inputs[index]


# -- loops ------------------------------------------------------------------------------------------------------------


def _entered_shape(data: Sym, *, is_constant: bool, **_: Any) -> Shape:
    """A loop variable may change its shape in each iteration; a constant of the loop may not."""
    return data.shape if is_constant else None


@op("Enter", aliases="data", shape=_entered_shape, role="enter")
def enter(
    xp: Any, data: T, *, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10
) -> T:
    """Passes data (any shape) on into iteration 0 of the frame `frame_name`, or into every iteration if is_constant."""
    return data


@op("RefEnter", aliases="data", shape=lambda data, **_: data.shape, role="enter")
def ref_enter(
    xp: Any, data: Ref[T], *, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10
) -> Ref[T]:
    """Passes a variable of any shape on into iteration 0 of the frame `frame_name`, or into every iteration if
    is_constant.
    """
    return data


@op("Exit", aliases="data", shape=same_shape, role="exit")
def exit_(xp: Any, data: T) -> T:
    """Passes data on from its frame to the parent frame."""
    return data


@op("RefExit", aliases="data", shape=same_shape, role="exit")
def ref_exit(xp: Any, data: Ref[T]) -> Ref[T]:
    """Passes a variable on from its frame to the parent frame."""
    return data


@op("NextIteration", aliases="data", shape=same_shape, role="next_iteration")
def next_iteration(xp: Any, data: T) -> T:
    """Passes data on to the next iteration of its frame."""
    return data


@op("RefNextIteration", aliases="data", shape=same_shape, role="next_iteration")
def ref_next_iteration(xp: Any, data: Ref[T]) -> Ref[T]:
    """Passes a variable on to the next iteration of its frame."""
    return data


def _condition_shape(input: Sym) -> Shape:
    scalar(input)
    return ()


@op("LoopCond", aliases="input", shape=_condition_shape, role="loop_cond")
def loop_cond(xp: Any, input: dtypes.bool) -> dtypes.bool:
    """Passes the loop's condition on, a scalar: whether the loop goes on."""
    return input


@op("ControlTrigger", role="trigger")
def control_trigger(xp: Any) -> None:
    """Does nothing, and runs even when nodes that it waits for are dead."""
    return ()  # type: ignore[return-value]


# The types of these nodes, for values and for references.
SWITCHES: Final = types_of_role("switch")
MERGES: Final = types_of_role("merge")
ENTERS: Final = types_of_role("enter")
EXITS: Final = types_of_role("exit")
NEXTS: Final = types_of_role("next_iteration")


# -- run for their effect ---------------------------------------------------------------------------------------------


@op("Assert", not_differentiable=EFFECT, stateful=True, role="check", commutes=True)
def assert_(run: Any, condition: dtypes.bool, data: Each["T"], *, summarize: int = 3) -> None:
    """Lets the run go on if the condition holds: condition scalar, data of any shapes.

    Raises: InvalidArgumentError with the data in its message if it does not.
    """
    if np.ndim(condition):
        raise errors.InvalidArgumentError(
            None, None, f"In[0] should be a scalar: {shapes.fmt(np.shape(condition))}"
        )
    if not condition:
        texts = " ".join(f"[{summary(value, summarize)}]" for value in data)
        raise errors.InvalidArgumentError(None, None, f"assertion failed: {texts}")
    return ()  # type: ignore[return-value]


@op("Abort", commutes=True)
def abort(run: Any, *, error_msg: str = "", exit_without_error: bool = False) -> None:
    """Ends the program.

    Raises: SystemExit for exit_without_error, else AbortedError. Differs from TF: which kills the process.
    """
    if exit_without_error:
        print(f"Exiting the process: {error_msg}", file=sys.stderr, flush=True)
        raise SystemExit(0)
    raise errors.AbortedError(None, None, f"Abort_op intentional failure; {error_msg}")


class _Calls:
    """The number of times that a Print node has printed in a session."""

    def __init__(self, count: int = 0) -> None:
        self.count = count

    def copy(self) -> _Calls:
        return _Calls(self.count)


@op(
    "Print", aliases="input", shape=lambda input, data, **_: input.shape, stateful=True,
    role="print", commutes=True,
    gradient="dx = g",
)
def print_(
    run: Any, input: T, data: Each["U", 0], *, message: str = "", first_n: int = -1, summarize: int = 3  # noqa: F821
) -> T:
    """The input itself; writes the message and the data to standard error the first `first_n` times: input and data of any
    shapes -> the input's shape.
    """
    calls = run.generator(_Calls)
    if first_n < 0 or calls.count < first_n:
        calls.count += 1
        texts = "".join(f"[{summary(value, summarize)}]" for value in data)
        print(f"{message}{texts}", file=sys.stderr, flush=True)
    return input


@print_.grad
def _(op: Any, g: Any) -> Any:
    return [g, *[None] * (len(op.inputs) - 1)]
