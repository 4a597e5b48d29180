"""`hessians(ys, xs)`: the matrix of second derivatives, a row of it in each iteration of a loop. No state."""

from __future__ import annotations

from typing import Any

from ..base import dtypes
from ..base.errors import advice
from ..graph.atomic import atomic
from ..graph.nodes import Tensor
from ..lib.arrays import array
from ..lib.control.tensor_array import TensorArray
from ..lib.control.while_loop import while_loop
from ..op.constant import constant
from .sweep import gradients


@atomic
def hessians(
    ys: Any,
    xs: Any,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
) -> list[Tensor]:
    """For each x [s…] the second derivatives [s…, s…] of the sum of the ys. name: of no meaning, as in TF.

    Raises: what `gradients` raises.
    """
    xs = list(xs) if isinstance(xs, (list, tuple)) else [xs]
    firsts = gradients(
        ys, xs, colocate_gradients_with_ops=colocate_gradients_with_ops, gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
    )  # fmt: skip
    return [_of_one(first, x) for first, x in zip(firsts, xs)]


def _of_one(first: Any, x: Any) -> Tensor:
    flat = array.reshape(first, [-1])
    count = array.size(x)

    def row(i: Tensor, rows: TensorArray) -> tuple[Any, TensorArray]:
        second = gradients(flat[i], x)[0]  # type: ignore[index]
        with advice("the first derivative does not depend on x: all second ones are 0"):
            return i + 1, rows.write(i, second)  # type: ignore[operator]

    start = [constant(0, dtypes.int32), TensorArray(x.dtype, count)]
    _, rows = while_loop(lambda i, _: i < count, row, start)
    shape = array.shape(x)
    matrix: Tensor = array.reshape(rows.stack(), array.concat((shape, shape), 0))
    return matrix


__all__ = ["hessians"]
