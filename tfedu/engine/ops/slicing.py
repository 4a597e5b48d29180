"""Slice, StridedSlice (what `x[1:, ::-1]` becomes), Split and Unpack.

A slice with constant ends has a known shape. State: a cache of slices as Python indices, one entry for each that ran.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import AtLeast, Many, Sym, op, typevar
from ..op.shape_checks import (
    INDEX,
    WIDE_INDEX,
    Any_,
    as_array,
    axis_at,
    invalid,
    kinds,
    needs_rank,
    of_rank,
    one_length,
    sizes_of,
    text_of,
    vector,
    with_value,
)  # fmt: skip

# -- cutting -------------------------------------------------------------------------------------------------------


@op("Slice")
def slice_(xp: Any, input: Any_, begin: typevar("Index", INDEX), size: "Index") -> Any_:  # noqa: F821
    """The block that begins at `begin`: input [d...], begin [rank], size [rank] -> [size...]; a size of -1 reaches to
    the end.

    Raises: InvalidArgumentError when the block reaches outside the input.
    """
    if np.shape(begin) != (input.ndim,) or np.shape(size) != (input.ndim,):
        both = f"{text_of(np.shape(begin))} and {text_of(np.shape(size))}"
        raise invalid(
            f"Expected begin and size arguments to be 1-D tensors of size {input.ndim}, but got shapes {both} instead."
        )
    picked = []
    for i, (start, count, length) in enumerate(
        zip(np.ravel(begin).tolist(), np.ravel(size).tolist(), input.shape)
    ):
        if count == -1:
            count = length - start
        if not length and (start or count):
            both = f"begin[{i}] == 0 (got {start}) and size[{i}] == 0 (got {count})"
            raise invalid(f"Expected {both} when input.dim_size({i}) == 0")
        if not 0 <= start <= length:
            raise invalid(f"Expected begin[{i}] in [0, {length}], but got {start}")
        if not 0 <= count <= length - start:
            raise invalid(f"Expected size[{i}] in [0, {length - start}], but got {count}")
        picked.append(slice(start, start + count))
    return input[tuple(picked)]


@slice_.shape
def _(input: Sym, begin: Sym, size: Sym) -> Shape:
    count = one_length(begin, size)
    starts = sizes_of(begin)
    sizes, known = size.value, sizes_of(size)
    if sizes is None:
        if count is None:
            return None if input.shape is None else (None,) * len(input.shape)
        of_rank(input.shape, count)
        return (None,) * count if known is None else known
    input_shape = of_rank(input.shape, len(sizes))
    starts = starts or (None,) * len(sizes)
    out: list[int | None] = []
    for start, n, length in zip(starts, sizes.tolist(), input_shape):
        if n != -1:
            out.append(n)
            continue
        if start is not None and length is not None and start > length:
            raise ShapeMismatch(f"Negative dimension size caused by subtracting {start} from {length}")
        out.append(None if start is None or length is None else length - start)
    return tuple(out)


@slice_.grad
def _(op: Any, g: Any) -> Any:
    x, begin, _ = op.inputs
    rank = functions.rank(x)
    size = functions.shape(op.outputs[0])
    column = functions.stack([rank, 1])
    before = nodes.Reshape(begin, column)
    after = nodes.Reshape(functions.shape(x) - size - begin, column)
    return nodes.Pad(g, functions.concat([before, after], 1)), None, None


MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


class Masks(NamedTuple):
    """Bit i says that item i of a slice has an open begin or end, or is `...`, a new axis, or one index."""

    begin: int
    end: int
    ellipsis: int
    new_axis: int
    shrink: int


# begin, end, strides
Limits = tuple[Any, Any, Any]


@lru_cache(maxsize=4096)
def _index(begin: bytes, end: bytes, strides: bytes, kind: str, masks: Masks) -> tuple[Any, ...]:
    """The slice as a Python index: slices, ints, None for a new axis, Ellipsis. Cached: most nodes repeat it each run."""
    limits = [np.frombuffer(part, kind).tolist() for part in (begin, end, strides)]
    items: list[Any] = []
    if masks.ellipsis & (masks.ellipsis - 1):
        raise IndexError
    for i, (start, stop, step) in enumerate(zip(*limits)):
        bit = 1 << i
        if masks.ellipsis & bit:
            items.append(Ellipsis)
        elif masks.new_axis & bit:
            items.append(None)
        elif masks.shrink & bit:
            if step < 0:
                raise IndexError
            items.append(start)
        else:
            items.append(slice(None if masks.begin & bit else start, None if masks.end & bit else stop, step))
    return tuple(items)


@op("StridedSlice")
def strided_slice(
    xp: Any,
    input: Any_,
    begin: typevar("Index", WIDE_INDEX),
    end: "Index",  # noqa: F821
    strides: "Index",  # noqa: F821
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Any_:
    """input[begin:end:strides] as Python writes it: input [d...], begin, end and strides [k] -> the shape of the slice.
    Bit i of a mask says that item i is an open begin or end, `...`, a new axis, or one index.

    Raises: InvalidArgumentError for a stride of 0 or an index outside the input.
    """
    masks = Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return cut(input if isinstance(input, np.ndarray) else as_array(input), (begin, end, strides), masks)[1]


def cut(array: Any, limits: Limits, masks: Masks) -> tuple[tuple[Any, ...], Any]:
    """(the slice as a Python index, that part of the array). Raises: InvalidArgumentError, with TF's text."""
    begin, end, strides = limits
    if not begin.shape == end.shape == strides.shape == (begin.size,):
        three = f"{text_of(begin.shape)}, {text_of(end.shape)}, and {text_of(strides.shape)}"
        raise invalid(f"Expected begin, end, and strides to be 1D equal size tensors, but got shapes {three} instead.")
    try:
        index = _index(begin.tobytes(), end.tobytes(), strides.tobytes(), begin.dtype.char, masks)
        return index, array[index]
    except (IndexError, ValueError):
        # The shape rule raises with TF's text.
        try:
            _slice_shape(array.shape, strides, masks, lambda: (begin, end))
        except ShapeMismatch as mismatch:
            raise invalid(mismatch.text) from None
        raise


@strided_slice.shape
def _(
    input: Sym,
    begin: Sym,
    end: Sym,
    strides: Sym,
    *,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> Shape:
    count = one_length(begin, end, strides)
    steps = strides.value
    if input.shape is None or count is None or steps is None:
        return None
    masks = Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _slice_shape(input.shape, steps, masks, lambda: (begin.value, end.value))


@strided_slice.grad
def _(op: Any, g: Any) -> Any:
    x, begin, end, strides = op.inputs
    masks = {name: op.attrs[name] for name in MASKS}
    sizes = functions.shape(x, out_type=begin.dtype)
    return nodes.StridedSliceGrad(sizes, begin, end, strides, g, **masks), None, None, None


def _slice_shape(input_shape: tuple[int | None, ...], strides: Any, masks: Masks, limits: Any) -> Shape:
    """The slice's shape. limits() -> (begin, end), None for an unknown one; called only after the checks of the rank."""
    steps = strides.tolist()
    special = masks.new_axis | masks.ellipsis
    if masks.ellipsis & (masks.ellipsis - 1):
        raise ShapeMismatch("Multiple ellipses in slice spec not allowed")
    for i, step in enumerate(steps):
        if step == 0:
            raise ShapeMismatch(f"strides[{i}] must be non-zero")
        if step < 0 and masks.shrink & ~special & 1 << i:
            raise ShapeMismatch("only stride 1 allowed on non-range indexing.")
    rank = len(input_shape)
    named = len(steps) if not special else sum(1 for i in range(len(steps)) if not special >> i & 1)
    if named > rank:
        raise ShapeMismatch(f"Index out of range using input dim {rank}; input has only {rank} dims")
    begin, end = (None if part is None else part.tolist() for part in limits())
    if begin is None or end is None:
        # TF uses them only if both are constants.
        begin = end = None
    out: list[int | None] = []
    at = 0
    for i, step in enumerate(steps):
        bit = 1 << i
        if masks.ellipsis & bit:
            covered = rank - named
            out.extend(input_shape[at : at + covered])
            at += covered
        elif masks.new_axis & bit:
            out.append(1)
        else:
            length = input_shape[at]
            at += 1
            start = None if begin is None or masks.begin & bit else begin[i]
            if masks.shrink & bit:
                index = None if begin is None else begin[i]
                if index is not None and length is not None and not -length <= index < length:
                    counted = index + length if index < 0 else index
                    raise ShapeMismatch(f"slice index {counted} of dimension {at - 1} out of bounds.")
                continue
            open_start, open_stop = masks.begin & bit, masks.end & bit
            if (begin is None and not open_start) or (end is None and not open_stop) or length is None:
                out.append(None)
            else:
                stop = None if open_stop else end[i]
                out.append(len(range(*slice(start, stop, step).indices(length))))
    return (*out, *input_shape[at:])


@op("Split", raw_names={"split_dim": "axis"})
def split(xp: Any, split_dim: dtypes.int32, value: Any_, *, num_split: AtLeast[1]) -> Many[Any_, "num_split"]:  # noqa: F821
    """Cuts the input along an axis into num_split equal parts: split_dim scalar, value [n, ...] -> num_split times [n /
    num_split, ...].

    Raises: InvalidArgumentError when num_split does not divide n.
    """
    needs_rank(split_dim, 0, f"split_dim must be a scalar but has rank {np.ndim(split_dim)}")
    at = axis_at(
        split_dim, value.ndim, "-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {at}"
    )
    if value.shape[at] % num_split:
        raise invalid(
            f"Number of ways to split should evenly divide the split dimension, but got split_dim {at} "
            f"(size = {value.shape[at]}) and num_split {num_split}"
        )
    part = value.shape[at] // num_split
    return _parts(value, at, [part] * num_split)


def _parts(value: Any, at: int, lengths: list[int]) -> list[Any]:
    front = (slice(None),) * at
    parts, start = [], 0
    for length in lengths:
        parts.append(value[(*front, slice(start, start + length))])
        start += length
    return parts


@split.shape
def _(split_dim: Sym, value: Sym, *, num_split: int) -> list[Shape]:
    value_shape, axis = value.shape, _dim_value(split_dim)
    if value_shape is None:
        return [None] * num_split
    if axis is None:
        return [(None,) * len(value_shape)] * num_split
    at = _place_in(axis, len(value_shape))
    part = value_shape[at]
    if part is not None:
        if part % num_split:
            raise ShapeMismatch(
                f"Dimension size must be evenly divisible by {num_split} but is {part}\n"
                "\tNumber of ways to split should evenly divide the split dimension"
            )
        part //= num_split
    return [(*value_shape[:at], part, *value_shape[at + 1 :])] * num_split


@split.grad
def _(op: Any, *gs: Any) -> Any:
    return None, functions.concat(list(gs), op.inputs[0])


def _dim_value(sym: Sym) -> int | None:
    value = sym.value
    if value is None:
        return None
    if np.ndim(value):
        raise ShapeMismatch(f"Input must be scalar but has rank {np.ndim(value)}")
    return int(value)


def _place_in(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ShapeMismatch(
            f"Dimension size, given by scalar input {axis} must be in range [-{rank}, {rank})"
        )
    return axis % rank


@op("SplitV", raw_names={"split_dim": "axis"})
def split_v(
    xp: Any,
    value: Any_,
    size_splits: typevar("Tlen", kinds("int8 int32 int64"), default=dtypes.int64),
    split_dim: dtypes.int32,
    *,
    num_split: AtLeast[1],
) -> Many[Any_, "num_split"]:  # noqa: F821
    """Cuts the input along an axis into parts of the given sizes: value [n, ...], size_splits [k], split_dim scalar ->
    part i [size_splits[i], ...]; one size of -1 is computed.

    Raises: InvalidArgumentError when the sizes do not add up to n.
    """
    if np.size(split_dim) != 1:
        raise invalid("split_dim_tensor must have exactly one element.")
    at = axis_at(
        np.ravel(split_dim)[0], value.ndim, "-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {at}"
    )
    if np.shape(size_splits) != (num_split,):
        raise invalid(
            "size of the split_tensor must be 1-D and have the same elements as outputs got "
            f"{np.ndim(size_splits)} -D and {np.size(size_splits)} elements"
        )
    parts = [int(n) for n in size_splits]
    length = value.shape[at]
    if parts.count(-1) > 1:
        raise invalid("There can only be one -1 in the input.")
    if -1 in parts:
        parts[parts.index(-1)] = length - sum(parts) - 1
    if sum(parts) != length or min(parts, default=0) < 0:
        raise invalid(
            "Determined shape must either match input shape along split_dim exactly if fully specified, or be less than "
            f"the size of the input along split_dim if not fully specified.  Got: {sum(parts)}"
        )
    return _parts(value, at, parts)


@split_v.shape
def _(value: Sym, size_splits: Sym, split_dim: Sym, *, num_split: int) -> list[Shape]:
    value_shape, axis, sizes = value.shape, _dim_value(split_dim), size_splits.value
    if value_shape == ():
        raise ShapeMismatch("Can't split scalars")
    if vector(size_splits) not in (None, num_split):
        raise ShapeMismatch("Length of size_splits should be equal to num_outputs")
    if value_shape is None:
        return [None] * num_split
    if axis is None:
        return [(None,) * len(value_shape)] * num_split
    at = _place_in(axis, len(value_shape))
    parts: list[int | None] = [None] * num_split
    if sizes is not None:
        parts = [int(n) for n in sizes]
        for i, n in enumerate(parts):
            if n is not None and n < -1:
                raise ShapeMismatch(f"Split size at index {i} must be >= 0. Got: {n}")
        if parts.count(-1) > 1:
            raise ShapeMismatch("size_splits can only have one -1")
        length = value_shape[at]
        if length is not None:
            total = sum(n for n in parts if n is not None and n >= 0)
            if (-1 not in parts and total != length) or total > length:
                raise ShapeMismatch(
                    f"can't split axis of size {length} into pieces of size [{','.join(map(str, parts))}]"
                )
            parts = [length - total if n == -1 else n for n in parts]
        parts = [None if n == -1 else n for n in parts]
    return [(*value_shape[:at], n, *value_shape[at + 1 :]) for n in parts]


@split_v.grad
def _(op: Any, *gs: Any) -> Any:
    return functions.concat(list(gs), op.inputs[2]), None, None


@op("Unpack")
def unpack(xp: Any, value: Any_, *, num: AtLeast[0], axis: int = 0) -> Many[Any_, "num"]:  # noqa: F821
    """Cuts the input along an axis into `num` parts without that axis: value [num, d...] for axis 0 -> num times
    [d...].

    Raises: InvalidArgumentError when the axis has another size.
    """
    if not -value.ndim <= axis < value.ndim:
        raise invalid(f"axis = {axis} not in [{-value.ndim}, {value.ndim})")
    at = axis % value.ndim
    if value.shape[at] != num:
        raise invalid(f"Input shape axis {at} must equal {num}, got shape {text_of(value.shape)}")
    rows = value if at == 0 else np.moveaxis(value, at, 0)
    return [rows[i] for i in range(num)]


@unpack.shape
def _(value: Sym, *, num: int, axis: int) -> list[Shape]:
    value_shape = value.shape
    if value_shape is None:
        return [None] * num
    rank = len(value_shape)
    if not -rank <= axis < rank:
        raise ShapeMismatch(f"Invalid axis: {axis}; must be in [{-rank},{rank})")
    at = axis % rank
    with_value(value_shape[at], num)
    return [value_shape[:at] + value_shape[at + 1 :]] * num


@unpack.grad
def _(op: Any, *gs: Any) -> Any:
    return functions.stack(gs, axis=op.attrs["axis"])
