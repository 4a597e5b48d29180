"""The primitives of control flow: Switch and Merge of branches; Enter, Exit and NextIteration of loops.

`switch(data, pred)` and `merge([a, b])` are TF's own functions; the others choose the op for a reference or a value.
No state.
"""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...ops import control_flow
from ..framework.scope_blocks import named


def switch(data: Any, pred: Any, dtype: Any = None, name: str | None = None) -> Any:
    """(output_false, output_true): data [...] is alive on the output that the bool scalar `pred` selects; the other
    is dead.
    """
    with named(name, "Switch", [v for v in (data, pred) if isinstance(v, Tensor)]) as scope:
        data = convert_to_tensor(data, dtype=dtype, name="data", as_ref=True)
        pred = convert_to_tensor(pred, name="pred")
        return control_flow.switch(data, pred, name=scope)


def colocated_switch(data: Tensor, pred: Tensor) -> Any:
    """Both outputs [...] of a Switch on the device of its data; RefSwitch for a reference."""
    with get_default_graph().colocate_with(data, ignore_existing=True):
        op_caller = control_flow.ref_switch if data.dtype.is_ref else control_flow.switch
        return op_caller(data, pred, name="Switch")


def merge(inputs: Any, name: str | None = None) -> Any:
    """(output [...], value_index, a scalar): the input that is alive, and its index.

    Raises: ValueError when an input is None.
    """
    if any(value is None for value in inputs):
        raise ValueError(error_text(f"At least one of the merge inputs is None: {inputs}"))
    with named(name, "Merge", [v for v in inputs if isinstance(v, Tensor)]) as scope:
        tensors = [convert_to_tensor(value, as_ref=True) for value in inputs]
        op_caller = control_flow.ref_merge if all(t.dtype.is_ref for t in tensors) else control_flow.merge
        return op_caller(tensors, name=scope)


def enter(
    data: Tensor,
    frame_name: str,
    is_constant: bool = False,
    parallel_iterations: int = 10,
    keep_shape: bool = True,
    name: str | None = None,
) -> Tensor:
    """The data [...] in a frame. keep_shape: the static shape holds in every iteration."""
    op_caller = control_flow.ref_enter if data.dtype.is_ref else control_flow.enter
    entered: Tensor = op_caller(
        data, frame_name=frame_name, is_constant=is_constant, parallel_iterations=parallel_iterations, name=name
    )
    if keep_shape:
        entered.set_shape(data.shape)
    return entered


def exit_(data: Tensor, name: str | None = None) -> Tensor:
    """The data [...] outside of the frame, after the loop's last iteration."""
    exited: Tensor = (control_flow.ref_exit if data.dtype.is_ref else control_flow.exit_)(data, name=name)
    return exited


def next_iteration(data: Tensor, name: str | None = None) -> Tensor:
    """The data [...] in the next iteration."""
    op_caller = control_flow.ref_next_iteration if data.dtype.is_ref else control_flow.next_iteration
    following: Tensor = op_caller(data, name=name)
    return following
