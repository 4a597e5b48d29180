"""`tf.range`, `tf.linspace`, `tf.cumsum` …: sequences of numbers and running totals. No state."""

from __future__ import annotations

import builtins
from typing import Any

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor, register_tensor_conversion_function
from ...graph.nodes import Tensor
from ...ops import sequences as sequence_ops
from ..framework.scope_blocks import named
from ..math.math import cast

_RANGE_DTYPES = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@atomic
def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """start, start + delta, … below limit: [ceil((limit - start) / delta)]; `range(n)` counts from 0.

    dtype: by default the widest dtype of the three numbers.

    Raises: TypeError for a dtype that cannot be counted in.
    """
    if limit is None:
        start, limit = 0, start
    with named(name, "Range", [start, limit, delta]) as scope:
        wanted = None if dtype is None else as_dtype(dtype)
        values = [
            convert_to_tensor(value, dtype=wanted, name=label) if not isinstance(value, Tensor) else value
            for value, label in ((start, "start"), (limit, "limit"), (delta, "delta"))
        ]
        if wanted is None:
            argument_dtypes = [v.dtype.base_dtype for v in values]
            for kind in argument_dtypes:
                if kind not in _RANGE_DTYPES:
                    raise TypeError(f"range cannot count in {kind.name}: give a dtype")
            wanted = max(argument_dtypes, key=_RANGE_DTYPES.index)
        values = [cast(value, wanted) for value in values]
        return sequence_ops.range_(*values, name=scope)


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
