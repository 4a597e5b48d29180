"""`tf.one_hot`, `tf.sequence_mask`, `tf.meshgrid`, `tf.eye`: tensors computed from indices and sizes. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op import matrix_functions
from ...op.constant import constant
from ...ops import gather as gather_ops
from ...ops import logic as logic_ops
from ...ops import math as math_ops
from ...ops import reduce as reduce_ops
from ...ops import sequences as sequence_ops
from ..framework.dispatch import takes_ragged
from ..framework.scope_blocks import named
from .array import expand_dims, ones, rank, reshape, size, stack

eye = matrix_functions.eye


@takes_ragged
@atomic
def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """on_value (1) where an index points along a new axis, off_value (0) elsewhere: indices [...] -> [..., depth].

    Raises: TypeError when on_value, off_value and `dtype` disagree.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    with named(name, "one_hot", [indices, depth, on_value, off_value]) as scope:
        values = {}
        for label, value in (("on_value", on_value), ("off_value", off_value)):
            if value is None:
                continue
            values[label] = convert_to_tensor(value, preferred_dtype=wanted)
            value_dtype = values[label].dtype.base_dtype
            if wanted is not None and value_dtype is not as_dtype(wanted):
                raise TypeError(f"dtype {value_dtype} of {label} does not match dtype parameter {wanted}")
        if wanted is None:
            wanted = next((t.dtype.base_dtype for t in values.values()), dtypes.float32)
        for label, default in (("on_value", 1), ("off_value", 0)):
            if label not in values:
                values[label] = convert_to_tensor(default, wanted, name=label)
        on, off = values["on_value"], values["off_value"]
        if on.dtype.base_dtype is not off.dtype.base_dtype:
            raise TypeError(f"dtype {on.dtype} of on_value does not match dtype {off.dtype} of off_value")
        # TF converts a given value once more, for the node
        on, off = (on if on_value is None else on_value), (off if off_value is None else off_value)
        return gather_ops.one_hot(indices, depth, on, off, axis=-1 if axis is None else axis, name=scope)


@atomic
def sequence_mask(
    lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool, name: str | None = None
) -> Tensor:
    """True for the first lengths[...] places: lengths [...] -> [..., maxlen].

    Raises: ValueError for a maxlen that is not a scalar.
    """
    with named(name, "SequenceMask", [lengths, maxlen]):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            largest = reduce_ops.max_(lengths, all_axes(lengths))
            maxlen = math_ops.maximum(constant(0, largest.dtype), largest)
        else:
            maxlen = convert_to_tensor(maxlen)
        if maxlen.raw_shape is not None and maxlen.raw_shape != ():
            raise ValueError("maxlen must be scalar for sequence_mask")
        row = sequence_ops.range_(constant(0, maxlen.dtype), maxlen, constant(1, maxlen.dtype))
        matrix = math_ops.cast(expand_dims(lengths, -1), DstT=maxlen.dtype.base_dtype)
        mask: Tensor = logic_ops.less(row, matrix)
        wanted = dtypes.bool if dtype is None else as_dtype(dtype)
        return mask if wanted is dtypes.bool else math_ops.cast(mask, DstT=wanted)


def all_axes(tensor: Tensor) -> Tensor:
    """The indices [rank] of all axes."""
    if tensor.raw_shape is not None:
        return constant(np.arange(len(tensor.raw_shape)), dtype=dtypes.int32)
    out: Tensor = sequence_ops.range_(0, rank(tensor), 1)
    return out


@atomic
def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """The coordinates of a grid: vectors [m], [n] -> two tensors [n, m] ("xy") or [m, n] ("ij").

    Raises: ValueError for an indexing other than "xy" and "ij".
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    with named(name, "meshgrid", args):
        count = len(args)
        if not count:
            return []
        ahead = (1,) * count
        out = [reshape(stack(x), (*ahead[:i], -1, *ahead[i + 1 :])) for i, x in enumerate(args)]
        sizes = [size(x) for x in args]
        kind = convert_to_tensor(args[0]).dtype.base_dtype
        if indexing == "xy" and count > 1:
            out[0] = reshape(out[0], (1, -1, *(1,) * (count - 2)))
            out[1] = reshape(out[1], (-1, 1, *(1,) * (count - 2)))
            sizes[0], sizes[1] = sizes[1], sizes[0]
        factor = ones(sizes, kind)
        return [math_ops.mul(x, factor, name="mul") for x in out]
