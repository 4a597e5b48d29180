"""Gradients of tensor arrays: what is read forwards is written backwards, in an array of the gradient, and the other way round.

A write's gradient is a read of that array, so that all that was written there must come before: the *gradient of the flow* is
the flow of those writes. Each call of tf.gradients has an array of its own, named after the call.

These rules stand here and not at their ops: they are made of the methods of `lib/control/tensor_array.py`.
"""

from __future__ import annotations

from typing import Any

from ..base.errors import error_text
from ..graph.nodes import Tensor
from ..lib.control.tensor_array import TensorArray
from ..ops import tensor_array as ops


def _source(g: Tensor) -> str:
    """The name of the call of tf.gradients that makes `g`: the scope it stands in."""
    scopes = g.name.split("/")
    for at in range(len(scopes) - 1, -1, -1):
        if scopes[at].startswith("gradients"):
            return "/".join(scopes[: at + 1])
    raise ValueError(
        error_text(
            f"Expected op/tensor name to start with gradients (excluding scope), got: {g.name}. This means that a tf.gradients "
            "op with this op in its dependency path has a custom name that does not start with 'gradients'. Please make sure "
            "all calls to tf.gradients that have non-empty 'name' arguments use names that start with 'gradients'."
        )
    )


def _gradient(op: Any, attr: str, flow: Tensor, g: Tensor) -> TensorArray:
    """The array of the gradient of the node's array."""
    source = _source(g)
    array = TensorArray(op.attrs[attr], handle=op.inputs[0], flow=flow, colocate_with_first_write_call=False)
    return array.grad(source, flow=flow)


# The flow that a read takes comes after all writes that the array has had by then: a size that grows is known.


@ops.tensor_array_read_v3.grad
def _(op: Any, g: Any) -> Any:
    _, index, flow = op.inputs
    return None, None, _gradient(op, "dtype", flow, g).write(index, g).flow


@ops.tensor_array_gather_v3.grad
def _(op: Any, g: Any) -> Any:
    _, indices, flow = op.inputs
    return None, None, _gradient(op, "dtype", flow, g).scatter(indices, g).flow


@ops.tensor_array_concat_v3.grad
def _(op: Any, g: Any, _: Any) -> Any:
    return None, _gradient(op, "dtype", op.inputs[1], g).split(g, op.outputs[1]).flow


@ops.tensor_array_write_v3.grad
def _(op: Any, flow: Any) -> Any:
    return None, None, _gradient(op, "T", flow, flow).read(op.inputs[1]), flow


@ops.tensor_array_scatter_v3.grad
def _(op: Any, flow: Any) -> Any:
    return None, None, _gradient(op, "T", flow, flow).gather(op.inputs[1]), flow


@ops.tensor_array_split_v3.grad
def _(op: Any, flow: Any) -> Any:
    return None, _gradient(op, "T", flow, flow).concat(), None, flow
