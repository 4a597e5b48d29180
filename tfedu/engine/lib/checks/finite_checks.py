"""Checks that numbers are finite, for one tensor and for a whole graph; and in which part of a range numbers lie. No state."""

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
from ..math import math
from ..math.clip import clip_by_value

_CHECKED = (dtypes.float16, dtypes.float32, dtypes.float64)


@atomic
def verify_tensor_all_finite(
    t: Any = None, msg: str | None = None, name: str | None = None, x: Any = None, message: str | None = None
) -> Tensor:
    """x, a run of which fails with the message when x has an infinite element or one that is no number.

    t, msg: the older names of x and message. Raises: ValueError when both names are given.
    """
    x = renamed("x", x, "t", t)
    message = renamed("message", message, "msg", msg)
    with named(name, "VerifyFinite", [x]):
        x = convert_to_tensor(x, name="x")
        with x.graph.colocate_with(x.op):
            checked = array.check_numerics(x, message=message)
            passed: Tensor = with_dependencies([checked], x)
    return passed


@atomic
def add_check_numerics_ops() -> Operation:
    """An operation that checks, one after the other, every tensor of floats that the graph has so far.

    Raises: ValueError for a graph with branches or loops.
    """
    before: list[Tensor] = []
    for op in list(get_default_graph().get_operations()):
        for output in op.outputs:
            if output.dtype not in _CHECKED:
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


@atomic
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """For each value the number of the part, of nbins equal parts of a range, in which it lies; the ends take what is outside."""
    with named(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = convert_to_tensor(values, name="values")
        sizes = array.shape(values)
        flat: Any = array.reshape(values, [-1])
        limits: Any = convert_to_tensor(value_range, name="value_range")
        count = convert_to_tensor(nbins, dtypes.int32, name="nbins")
        wide = math.cast(count, flat.dtype.base_dtype)
        scaled = math.truediv(flat - limits[0], limits[1] - limits[0], name="scaled_values")
        places = math.floor(wide * scaled, name="indices")
        inside = math.cast(clip_by_value(places, 0, wide - 1), dtypes.int32)
        return array.reshape(inside, sizes)


__all__ = ["add_check_numerics_ops", "histogram_fixed_width_bins", "verify_tensor_all_finite"]
