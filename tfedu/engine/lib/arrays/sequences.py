"""`tf.range`, `tf.linspace`, `tf.cumsum` …: sequences of numbers and running totals. No state."""

from __future__ import annotations

import builtins
from typing import Any

from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor, register_tensor_conversion_function
from ...graph.nodes import Tensor
from ...op import tensor_functions as functions
from ...ops import sequences as sequence_ops
from ..framework.scope_blocks import named

range = functions.range


def linspace(start: Any, stop: Any, num: Any, name: str | None = None) -> Tensor:
    """num numbers [num] from start to stop, both included."""
    out: Tensor = sequence_ops.lin_space(start, stop, num, name=name)
    return out


lin_space = linspace


@atomic
def _cumulative(
    op_caller: Any, label: str, x: Any, axis: Any, exclusive: builtins.bool, reverse: builtins.bool, name: str | None
) -> Tensor:
    with named(name, label, [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return op_caller(x, axis, exclusive=exclusive, reverse=reverse, name=scope)  # type: ignore[no-any-return]


def cumsum(
    x: Any,
    axis: Any = 0,
    exclusive: builtins.bool = False,
    reverse: builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """The running sums along an axis; the shape [...] stays. exclusive: without the element itself; reverse: from
    the end.
    """
    return _cumulative(sequence_ops.cumsum, "Cumsum", x, axis, exclusive, reverse, name)


def cumprod(
    x: Any,
    axis: Any = 0,
    exclusive: builtins.bool = False,
    reverse: builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """The running products along an axis; the shape [...] stays. exclusive: without the element itself; reverse:
    from the end.
    """
    return _cumulative(sequence_ops.cumprod, "Cumprod", x, axis, exclusive, reverse, name)


def cumulative_logsumexp(
    x: Any,
    axis: Any = 0,
    exclusive: builtins.bool = False,
    reverse: builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """log of the running sums of exp(x) along an axis; the shape [...] stays. exclusive, reverse: as for `cumsum`."""
    return _cumulative(sequence_ops.cumulative_logsumexp, "CumulativeLogsumexp", x, axis, exclusive, reverse, name)


def _from_range(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: builtins.bool = False
) -> Tensor:
    return range(value.start, value.stop, value.step, dtype=dtype, name=name or "range")


register_tensor_conversion_function(builtins.range, _from_range)
