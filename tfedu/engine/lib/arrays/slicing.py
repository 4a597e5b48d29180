"""`x[1:, ::-1]`, `tf.slice`, `tf.split`, `tf.boolean_mask` …: parts of a tensor by position. No state."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import Dimension, dimension_value
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...ops import logic as logic_ops
from ...ops import math as math_ops
from ...ops import reduce as reduce_ops
from ...ops import slicing as slicing_ops
from ..framework.scope_blocks import named
from .array import as_vector, concat, ones_like, reshape, shape, squeeze, stack
from .selection import gather


@atomic
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str | None = "unstack") -> list[Tensor]:
    """The n slices along an axis, without that axis: [n, ...] with axis 0 -> n tensors [...].

    Raises: ValueError when n is unknown or the axis out of range.
    """
    if num is None:
        value = convert_to_tensor(value)
        raw = value.raw_shape
        if raw is not None:
            if not -len(raw) <= axis < len(raw):
                raise ValueError(f"axis = {axis} not in [{-len(raw)}, {len(raw)})")
            num = raw[axis]
        if num is None:
            raise ValueError(f"Cannot infer num from shape {value.shape}")
    out: list[Tensor] = slicing_ops.unpack(value, num=num, axis=axis, name=name)
    return out


@atomic
def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str | None = "split"
) -> list[Tensor]:
    """Parts along an axis: [n, ...] -> k tensors [n/k, ...] for an int k, or [sizes[i], ...] for a list of sizes.

    Raises: ValueError when the number of parts is unknown or below 1.
    """
    if isinstance(num_or_size_splits, int | np.integer | Dimension):
        count = (
            num_or_size_splits.value if isinstance(num_or_size_splits, Dimension) else int(num_or_size_splits)
        )
        if count is not None and count < 1:
            raise ValueError(f"Attr 'num_split' of 'Split' Op passed {count} less than minimum 1.")
        constant(count)  # as in TF 1.15: nothing reads it
        return list(slicing_ops.split(axis, value, num_split=count, name=name))
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes.raw_shape == ():
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: "
            f"{num_or_size_splits}"
        )
    if num is None:
        num = sizes.raw_shape[0] if sizes.raw_shape else None
        if num is None:
            raise ValueError(f"Cannot infer num from shape {num_or_size_splits}")
    return list(slicing_ops.split_v(value, sizes, axis, num_split=num, name=name))


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The block of the input that starts at begin [rank] and has the shape size [rank]; a size of -1 reaches to the
    end.
    """
    out: Tensor = slicing_ops.slice_(input_, as_vector(begin), as_vector(size), name=name)
    return out


@atomic
def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """input_[begin:end:strides] for vectors [k] of limits; the masks change the meaning of limit i with their bit i.

    begin_mask, end_mask: open limits; ellipsis_mask: `...`; new_axis_mask: None; shrink_axis_mask: a single index.
    var: the variable that input_ was read from; `assign(value)` of the result writes that part of it.
    """
    if strides is None:
        strides = ones_like(begin)
    masks = {
        "begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask, "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }  # fmt: skip
    part = slicing_ops.strided_slice(input_, begin, end, strides, **masks, name=name)
    part.assign = _refuse_assign if var is None else _assigner(var, (begin, end, strides), masks, name)
    return part


def _refuse_assign(val: Any, name: str | None = None) -> Any:
    raise ValueError(error_text("Sliced assignment is only supported for variables"))


def _assigner(var: Any, limits: tuple[Any, Any, Any], masks: dict[str, int], parent: str | None) -> Any:
    """The `assign` method for a slice of a variable."""

    def assign(val: Any, name: str | None = None) -> Any:
        if name is None and parent is not None:
            name = f"{parent}_assign"
        return var._strided_slice_assign(*limits, val, name=name, **masks)

    return assign


def _check_index(index: Any) -> None:
    """Raises: TypeError unless the index is an integer or a scalar int32 or int64 tensor."""
    if isinstance(index, int | Dimension):
        return
    dtype = getattr(index, "dtype", None)
    if dtype is not None:
        kind = as_dtype(dtype).base_dtype
        ndim = index.raw_shape if isinstance(index, Tensor) else np.shape(index)
        if kind in (dtypes.int32, dtypes.int64) and (ndim is None or len(ndim) == 0):
            return
    plain = index.item() if isinstance(index, np.generic) else index
    raise TypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are "
        f"valid indices, got {plain!r}"
    )


def _is_open(s: Any) -> bool:
    return s is None or (isinstance(s, Dimension) and s.value is None)


@atomic
def getitem(tensor: Any, spec: Any) -> Tensor:
    """`tensor[spec]`: integers, slices, `...`, None for a new axis, scalar tensors; a bool mask [n, ...] selects
    elements.

    Raises: TypeError for other indices, ValueError for an index known to be out of range.
    """
    var = tensor if hasattr(tensor, "_strided_slice_assign") else None
    tensor = convert_to_tensor(tensor)
    if isinstance(spec, bool) or getattr(spec, "dtype", None) in (dtypes.bool, np.dtype(bool)):
        return boolean_mask(tensor, spec)
    items = list(spec) if isinstance(spec, list | tuple) else [spec]
    begin: list[Any] = []
    end: list[Any] = []
    strides: list[Any] = []
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    for i, item in enumerate(items):
        bit = 1 << i
        if isinstance(item, builtins.slice):
            for part, limits, mask in ((item.start, begin, "begin_mask"), (item.stop, end, "end_mask")):
                if _is_open(part):
                    limits.append(0)
                    masks[mask] |= bit
                else:
                    _check_index(part)
                    limits.append(part)
            if _is_open(item.step):
                strides.append(1)
            else:
                _check_index(item.step)
                strides.append(item.step)
        elif item is Ellipsis or item is None:
            begin.append(0)
            end.append(0)
            strides.append(1)
            masks["ellipsis_mask" if item is Ellipsis else "new_axis_mask"] |= bit
        else:
            _check_index(item)
            begin.append(item)
            end.append(item + 1)
            strides.append(1)
            masks["shrink_axis_mask"] |= bit
    with named(None, "strided_slice", [tensor]) as scope:
        if begin:
            packed = [_stacked_limits(limits) for limits in (begin, end, strides)]
            if any(p.dtype.base_dtype is dtypes.int64 for p in packed):
                packed = [
                    p if p.dtype.base_dtype is dtypes.int64 else math_ops.cast(p, DstT=dtypes.int64)
                    for p in packed
                ]
        else:
            packed = [constant([], dtype=dtypes.int32)] * 3
        part = slicing_ops.strided_slice(tensor, *packed, **masks, name=scope)
        part.assign = _refuse_assign if var is None else _assigner(var, (packed[0], packed[1], packed[2]), masks, scope)
        return part


def _stacked_limits(limits: list[Any]) -> Tensor:
    vector = as_vector(limits)
    if vector is not limits:
        return constant(vector, name="stack")
    return stack([dimension_value(x) for x in limits])


@atomic
def boolean_mask(tensor: Any, mask: Any, name: str | None = "boolean_mask", axis: Any = None) -> Tensor:
    """The elements where the mask is True: tensor [n, m, ...], mask [n, m] -> [count, ...].

    Raises: ValueError for a scalar mask, a mask of unknown rank, or incompatible shapes.
    """
    with named(name, "boolean_mask", [tensor, mask]):
        tensor = convert_to_tensor(tensor, name="tensor")
        mask = convert_to_tensor(mask, name="mask")
        if mask.raw_shape == ():
            raise ValueError("mask cannot be scalar.")
        if mask.raw_shape is None:
            raise ValueError(
                "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. shape=[None] is "
                "ok, but shape=None is not."
            )
        first_axis, count = 0 if axis is None else int(axis), len(mask.raw_shape)
        masked_shape = tensor.shape[first_axis : first_axis + count]
        masked_shape.assert_is_compatible_with(mask.shape)
        leading = reduce_ops.prod(getitem(shape(tensor), builtins.slice(first_axis, first_axis + count)), [0])
        sizes = [
            getitem(shape(tensor), builtins.slice(None, first_axis)),
            [leading],
            getitem(shape(tensor), builtins.slice(first_axis + count, None)),
        ]
        flat = reshape(tensor, concat(sizes, 0))
        if tensor.raw_shape is not None:
            flat.set_shape((*tensor.raw_shape[:first_axis], masked_shape.num_elements(), *tensor.raw_shape[first_axis + count :]))
        indices = squeeze(logic_ops.where(reshape(mask, [-1])), axis=[1])
        return gather(flat, indices, axis=first_axis)
