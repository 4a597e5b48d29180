"""Assertions that numbers are finite, for one tensor and for a whole graph. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..control.grouping import group, with_dependencies
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named, waiting_for

_CHECKED_DTYPES = (dtypes.float16, dtypes.float32, dtypes.float64)


@atomic
def verify_tensor_all_finite(
    t: Any = None, msg: str | None = None, name: str | None = None, x: Any = None, message: str | None = None
) -> Tensor:
    """x [...]; a run fails with the message when an element is infinite or NaN.

    t, msg: the older names of x and message. Raises: ValueError when both names of an argument are passed.
    """
    x = renamed("x", x, "t", t)
    message = renamed("message", message, "msg", msg)
    with named(name, "VerifyFinite", [x]):
        x = convert_to_tensor(x, name="x")
        with x.graph.colocate_with(x.op):
            checked = array.check_numerics(x, message=message)
            output: Tensor = with_dependencies([checked], x)
    return output


@atomic
def add_check_numerics_ops() -> Operation:
    """An operation that checks all floating tensors of the graph, one after the other.

    Raises: ValueError for a graph with branches or loops.
    """
    before: list[Tensor] = []
    for op in list(get_default_graph().get_operations()):
        for output in op.outputs:
            if output.dtype not in _CHECKED_DTYPES:
                continue
            if op._context is not None:
                raise ValueError(
                    error_text(
                        "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow operations such as "
                        "`tf.cond()` or `tf.while_loop()`.",
                        [output],
                    )
                )
            with waiting_for(before):
                before = [array.check_numerics(output, message=f"{op.name}:{output.value_index}")]
    return group(*before)


__all__ = ["add_check_numerics_ops", "verify_tensor_all_finite"]
