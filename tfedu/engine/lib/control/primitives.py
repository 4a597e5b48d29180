"""What leads a value from one part of a graph into another: switches and merges, and the gates of loops.

`switch(data, pred)` and `merge([a, b])` are TF's own functions of that name; the others take a reference as a reference and a
value as a value. No state.
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
    """(output_false, output_true): the data is on the one that `pred` names, the other is dead."""
    with named(name, "Switch", [v for v in (data, pred) if isinstance(v, Tensor)]) as scope:
        data = convert_to_tensor(data, dtype=dtype, name="data", as_ref=True)
        pred = convert_to_tensor(pred, name="pred")
        return control_flow.switch(data, pred, name=scope)


def switched(data: Tensor, pred: Tensor) -> Any:
    """Both outputs of a switch that goes where its data is; a reference stays one."""
    with get_default_graph().colocate_with(data, ignore_existing=True):
        make = control_flow.ref_switch if data.dtype.is_ref else control_flow.switch
        return make(data, pred, name="Switch")


def merge(inputs: Any, name: str | None = None) -> Any:
    """(output, value_index): the input that is alive, and which one it is.

    Raises: ValueError when an input is None.
    """
    if any(value is None for value in inputs):
        raise ValueError(error_text(f"At least one of the merge inputs is None: {inputs}"))
    with named(name, "Merge", [v for v in inputs if isinstance(v, Tensor)]) as scope:
        tensors = [convert_to_tensor(value, as_ref=True) for value in inputs]
        make = control_flow.ref_merge if all(t.dtype.is_ref for t in tensors) else control_flow.merge
        return make(tensors, name=scope)


def enter(
    data: Tensor,
    frame_name: str,
    is_constant: bool = False,
    parallel_iterations: int = 10,
    keep_shape: bool = True,
    name: str | None = None,
) -> Tensor:
    """The data in a frame. keep_shape: what is known of the data's shape holds in every iteration."""
    make = control_flow.ref_enter if data.dtype.is_ref else control_flow.enter
    made: Tensor = make(
        data, frame_name=frame_name, is_constant=is_constant, parallel_iterations=parallel_iterations, name=name
    )
    if keep_shape:
        made.set_shape(data.shape)
    return made


def exit_(data: Tensor, name: str | None = None) -> Tensor:
    """The data outside of the frame, once the loop has ended."""
    made: Tensor = (control_flow.ref_exit if data.dtype.is_ref else control_flow.exit_)(data, name=name)
    return made


def next_iteration(data: Tensor, name: str | None = None) -> Tensor:
    """The data in the next iteration."""
    make = control_flow.ref_next_iteration if data.dtype.is_ref else control_flow.next_iteration
    made: Tensor = make(data, name=name)
    return made
