"""The sum of the contributions that arrive at one tensor, by the aggregation method that the program chose. No state."""

from __future__ import annotations

from collections.abc import Sequence

from ..base import dtypes
from ..graph.nodes import Operation
from ..lib.arrays import array
from ..lib.framework.scope_blocks import name_scope
from ..lib.math import math, products
from ..op.composites import IndexedSlices
from .arguments import AggregationMethod
from .backward_loop import Gradient


def summed(op: Operation, parts: Sequence[Gradient], method: int) -> Gradient:
    """The sum of several contributions to the gradient of an output of the node; sparse ones stay sparse if all are."""
    if all(isinstance(part, IndexedSlices) for part in parts):
        return _concatenated(parts)
    total: Gradient
    if any(isinstance(part, IndexedSlices) for part in parts):
        total = products.add_n(list(parts))
    elif method == AggregationMethod.EXPERIMENTAL_ACCUMULATE_N and len(parts) > 2 and (
        any(part.shape.is_fully_defined() for part in parts)
    ):
        total = products.accumulate_n(parts)
    elif method != AggregationMethod.ADD_N:
        total = _one_after_the_other(op, parts)
    else:
        total = _device_by_device(op, parts)
    return total


def _one_after_the_other(op: Operation, parts: Sequence[Gradient]) -> Gradient:
    with name_scope(f"{op.name}_gradient_sum"):
        total = parts[0]
        for part in parts[1:]:
            total = products.add_n([total, part])
        return total


def _device_by_device(op: Operation, parts: Sequence[Gradient]) -> Gradient:
    """Adds up where the contributions are, then the sums of the devices."""
    sums = []
    for device in sorted({part.op.device for part in parts}):
        there = [part for part in parts if part.op.device == device]
        with op.graph.colocate_with(there[0].op, ignore_existing=True):
            sums.append(products.add_n(there))
    total: Gradient = products.add_n(sums)
    return total


def _concatenated(parts: Sequence[IndexedSlices]) -> IndexedSlices:
    """Sparse gradients are added by listing the rows of all; a row may then occur several times."""
    indices = [part.indices for part in parts]
    if any(i.dtype is dtypes.int64 for i in indices):
        indices = [i if i.dtype is dtypes.int64 else math.cast(i, dtypes.int64) for i in indices]
    return IndexedSlices(
        array.concat([part.values for part in parts], axis=0), array.concat(indices, axis=0), parts[0].dense_shape
    )


__all__ = ["summed"]
