"""Ops that ask for shapes, make new ones, and cut, join, move and pick elements.

Where a shape, an axis or a size is an input, the rule reads its constant value, also where only parts of it are known:
`reshape(x, [shape(x)[0], 320])` keeps the 320.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from ..base import dtypes, shapes
from ..base.dtypes import DType
from ..base.shapes import Shape, ShapeMismatch
from .define import Many, ShapeAttr, Sym, op, same_shape, typevar
from .rules import (
    INDEX,
    WIDE_INDEX,
    Any_,
    Real,
    Tidx,
    as_array,
    at_least,
    ints_of,
    invalid,
    kinds,
    of_rank,
    same,
    scalar,
    size_of,
    sizes_of,
    text_of,
    unwrapped,
    vector,
    with_value,
)  # fmt: skip

OutType = typevar("out_type", INDEX)


# -- questions about a shape ---------------------------------------------------------------------------------------


@op(
    "Shape", shape=lambda input, *, out_type: (None if input.shape is None else len(input.shape),), fresh=True
)
def shape(xp: Any, input: Any_, *, out_type: OutType = dtypes.int32) -> "out_type":  # noqa: F821
    """The sizes [rank] of the input."""
    return np.array(np.shape(input), out_type.numpy)


@op("ShapeN", fresh=True)
def shape_n(xp: Any, input: Many[Any_], *, out_type: OutType = dtypes.int32) -> Many["out_type"]:  # noqa: F821
    """The sizes of each input."""
    return [np.array(np.shape(x), out_type.numpy) for x in input]


@shape_n.shape
def _(input: list[Sym], *, out_type: DType) -> list[Shape]:
    return [(None if x.shape is None else len(x.shape),) for x in input]


@op("Size", shape=lambda input, *, out_type: (), fresh=True)
def size(xp: Any, input: Any_, *, out_type: OutType = dtypes.int32) -> "out_type":  # noqa: F821
    """How many elements the input has."""
    return out_type.numpy.type(1 if isinstance(input, bytes) else np.size(input))


@op("Rank", shape=lambda input: (), fresh=True)
def rank(xp: Any, input: Any_) -> dtypes.int32:
    """How many axes the input has."""
    return np.int32(np.ndim(input))


# -- the same elements in another shape ----------------------------------------------------------------------------


_CANNOT_INFER = "reshape cannot infer the missing input size for an empty tensor unless all specified input sizes are non-zero"


@op("Reshape", views="tensor")
def reshape(xp: Any, tensor: Any_, shape: typevar("Tshape", INDEX, default=dtypes.int32)) -> Any_:
    """The elements in row-major order in another shape; one size of -1 is computed."""
    array = tensor if isinstance(tensor, np.ndarray) else as_array(tensor)
    sizes = ints_of(shape)
    try:
        out = array.reshape(sizes)
    except ValueError:
        raise invalid(_refused(array.size, sizes)) from None
    if sizes and min(sizes) < -1:
        raise invalid(_refused(array.size, sizes))
    return out if sizes else out[()]


def _refused(count: int, sizes: tuple[int, ...]) -> str:
    """Why `count` elements have no shape of these sizes, in TF's words."""
    known, left = 1, [i for i, n in enumerate(sizes) if n == -1]
    for i, n in enumerate(sizes):
        if n < -1:
            return f"Size {i} must be non-negative, not {n}"
        known *= 1 if n == -1 else n
    if len(left) > 1:
        return f"Only one input size may be -1, not both {left[0]} and {left[1]}"
    if not left:
        return f"Input to reshape is a tensor with {count} values, but the requested shape has {known}"
    if known == 0:
        return _CANNOT_INFER
    return f"Input to reshape is a tensor with {count} values, but the requested shape requires a multiple of {known}"


@reshape.shape
def _(tensor: Sym, shape: Sym) -> Shape:
    at = shape.shape
    if at is not None and len(at) != 1:
        raise ShapeMismatch(f"Shape must be rank 1 but is rank {len(at)}")
    wanted, given = sizes_of(shape), tensor.shape
    if wanted is None or given is None:
        return wanted
    left = [i for i, n in enumerate(wanted) if n is None]
    have, want = _known_count(given), _known_count(wanted)
    unknown = given.count(None)
    if not left and not unknown:
        if have != want:
            raise ShapeMismatch(
                f"Cannot reshape a tensor with {have} elements to shape {shapes.fmt(wanted)} ({want} elements)"
            )
    elif not left and unknown == 1:
        if have and want % have:
            raise ShapeMismatch(f"Dimension size must be evenly divisible by {have} but is {want}")
    elif len(left) == 1 and not unknown and want:
        if have % want:
            raise ShapeMismatch(f"Dimension size must be evenly divisible by {want} but is {have}")
        return tuple(have // want if n is None else n for n in wanted)
    return wanted


def _known_count(shape: tuple[int | None, ...]) -> int:
    """The product of the sizes that are known."""
    return shapes.num_elements(tuple(n for n in shape if n is not None)) or 0


@op("ExpandDims", views="input")
def expand_dims(xp: Any, input: Any_, dim: typevar("Tdim", INDEX, default=dtypes.int32)) -> Any_:
    """The input with a new axis of size 1."""
    array = as_array(input)
    axes = np.ravel(dim)
    if axes.size != 1:
        raise invalid("'dim' must be a tensor with a single value")
    at = int(axes[0])
    if not -array.ndim - 1 <= at <= array.ndim:
        raise invalid(f"Tried to expand dim index {at} for tensor with {array.ndim} dimensions.")
    sizes = list(array.shape)
    sizes.insert(at if at >= 0 else at + array.ndim + 1, 1)
    return array.reshape(sizes)


@expand_dims.shape
def _(input: Sym, dim: Sym) -> Shape:
    given, at = input.shape, dim.value
    if given is None:
        return None
    if at is None:
        return None
    if np.size(at) != 1:
        raise ShapeMismatch("'dim' input must be a tensor with a single value")
    at = int(np.ravel(at)[0])
    if not -len(given) - 1 <= at <= len(given):
        raise ShapeMismatch(f"dim {at} not in the interval [{-len(given) - 1}, {len(given)}].")
    if at < 0:
        at += len(given) + 1
    return (*given[:at], 1, *given[at:])


@op("Squeeze", views="input")
def squeeze(xp: Any, input: Any_, *, squeeze_dims: list[int] = []) -> Any_:  # noqa: B006 - the attribute's default
    """The input without its axes of size 1, or without the named ones."""
    array = as_array(input)
    try:
        return unwrapped(array.squeeze(tuple(squeeze_dims) if squeeze_dims else None))
    except ValueError:
        for i in squeeze_dims:
            if not -array.ndim <= i < array.ndim:
                raise invalid(
                    f"Tried to squeeze dim index {i} for tensor with {array.ndim} dimensions."
                ) from None
            if array.shape[i] != 1:
                at = i % array.ndim
                raise invalid(
                    f"Can not squeeze dim[{at}], expected a dimension of 1, got {array.shape[i]}"
                ) from None
        raise


@squeeze.shape
def _(input: Sym, *, squeeze_dims: list[int]) -> Shape:
    given = input.shape
    if given is None:
        return None
    rank = len(given)
    if not squeeze_dims:
        # An open size may turn out to be 1.
        return None if None in given else tuple(n for n in given if n != 1)
    gone = set()
    for place, i in enumerate(squeeze_dims):
        if not -rank <= i < rank:
            raise ShapeMismatch(f"squeeze_dims[{place}] not in [{-rank},{rank}).")
        gone.add(i % rank)
    for i in gone:
        if given[i] not in (1, None):
            raise ShapeMismatch(f"Can not squeeze dim[{i}], expected a dimension of 1, got {given[i]}")
    return tuple(n for i, n in enumerate(given) if i not in gone)


@op("EnsureShape", views="input")
def ensure_shape(xp: Any, input: Any_, *, shape: ShapeAttr) -> Any_:
    """The input, which must fit a partly known shape."""
    if not shapes.is_compatible(np.shape(input), shape):
        raise invalid(
            f"Shape of tensor input {text_of(np.shape(input))} is not compatible with expected shape {shapes.fmt(shape)}."
        )
    return input


ensure_shape.shape(lambda input, *, shape: shapes.merge(input.shape, shape))


@op("Bitcast")
def bitcast(
    xp: Any,
    input: typevar("T", kinds(
        "bfloat16 half float double int64 int32 uint8 uint16 uint32 uint64 int8 int16 complex64 complex128 qint8 quint8 "
        "qint16 quint16 qint32"
    )),
    *,
    type: typevar("type", kinds(
        "bfloat16 half float double int64 int32 uint8 uint16 uint32 uint64 int8 int16 complex64 complex128 qint8 quint8 "
        "qint16 quint16 qint32"
    )),
) -> "type":  # fmt: skip
    """The same bytes read as another dtype; a last axis makes up for another size."""
    array = np.ascontiguousarray(input).reshape(np.shape(input))
    have, want = array.dtype.itemsize, type.numpy.itemsize
    if have == want:
        return array.view(type.numpy)[()]
    if have > want:
        return array.reshape(*array.shape, 1).view(type.numpy)
    if not array.ndim or array.shape[-1] != want // have:
        raise invalid(
            f"Cannot bitcast from {dtypes.as_dtype(array.dtype).name} to {type.name}: shape {text_of(array.shape)}"
        )
    return array.view(type.numpy)[..., 0]


@bitcast.shape
def _(input: Sym, *, type: DType) -> Shape:
    given, have, want = input.shape, input.dtype.size, type.size
    if given is None or have == want:
        return given
    if have > want:
        return (*given, have // want)
    if not given:
        raise ShapeMismatch("Cannot bitcast due to shape: a scalar has no last axis")
    if given[-1] not in (None, want // have):
        raise ShapeMismatch(f"Cannot bitcast due to shape. {given[-1]} does not match {want // have}")
    return given[:-1]


# -- cutting -------------------------------------------------------------------------------------------------------


@op("Slice")
def slice_(xp: Any, input: Any_, begin: typevar("Index", INDEX), size: "Index") -> Any_:  # noqa: F821
    """A block of the input that begins at `begin`; a size of -1 reaches to the end."""
    picked = []
    for i, (start, count, length) in enumerate(
        zip(np.ravel(begin).tolist(), np.ravel(size).tolist(), input.shape)
    ):
        if count == -1:
            count = length - start
        if not 0 <= start <= length:
            raise invalid(f"Expected begin[{i}] in [0, {length}], but got {start}")
        if not 0 <= count <= length - start:
            raise invalid(f"Expected size[{i}] in [0, {length - start}], but got {count}")
        picked.append(slice(start, start + count))
    if len(picked) != input.ndim:
        raise invalid(f"Expected begin and size arguments to be 1-D tensors of size {input.ndim}")
    return input[tuple(picked)]


@slice_.shape
def _(input: Sym, begin: Sym, size: Sym) -> Shape:
    count = same(vector(begin), vector(size))
    sizes, known = size.value, sizes_of(size)
    if sizes is None:
        if count is None:
            return None if input.shape is None else (None,) * len(input.shape)
        of_rank(input.shape, count)
        return (None,) * count if known is None else known
    given = of_rank(input.shape, len(sizes))
    starts = begin.as_shape or (None,) * len(sizes)
    out: list[int | None] = []
    for start, n, length in zip(starts, sizes.tolist(), given):
        if n != -1:
            out.append(n)
            continue
        if start is not None and length is not None and start > length:
            raise ShapeMismatch(f"Negative dimension size caused by subtracting {start} from {length}")
        out.append(None if start is None or length is None else length - start)
    return tuple(out)


class _Masks(NamedTuple):
    """What each item of a slice is, one bit an item: an open end, `...`, a new axis, one index."""

    begin: int
    end: int
    ellipsis: int
    new_axis: int
    shrink: int


@lru_cache(maxsize=4096)
def _index(begin: bytes, end: bytes, strides: bytes, kind: str, masks: _Masks) -> tuple[Any, ...]:
    """The slice as Python writes it: slices, ints, None for a new axis, Ellipsis. Most nodes slice the same each run."""
    limits = [np.frombuffer(part, kind).tolist() for part in (begin, end, strides)]
    items: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(*limits)):
        bit = 1 << i
        if masks.ellipsis & bit:
            items.append(Ellipsis)
        elif masks.new_axis & bit:
            items.append(None)
        elif masks.shrink & bit:
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
    """input[begin:end:strides]; bit i of a mask says what item i is: an open end, `...`, a new axis, one index."""
    masks = _Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    array = input if isinstance(input, np.ndarray) else as_array(input)
    try:
        return array[_index(begin.tobytes(), end.tobytes(), strides.tobytes(), begin.dtype.char, masks)]
    except (IndexError, ValueError):
        # Say in TF's words what NumPy refused.
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
    count = same(same(vector(begin), vector(end)), vector(strides))
    steps = strides.value
    if input.shape is None or count is None or steps is None:
        return None
    masks = _Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _slice_shape(input.shape, steps, masks, lambda: (begin.value, end.value))


def _slice_shape(given: tuple[int | None, ...], strides: Any, masks: _Masks, limits: Any) -> Shape:
    """The slice's shape. limits: gives (begin, end), None for what is not known; asked only when the rank is right."""
    steps = strides.tolist()
    special = masks.new_axis | masks.ellipsis
    if masks.ellipsis & (masks.ellipsis - 1):
        raise ShapeMismatch("Multiple ellipses in slice spec not allowed")
    for i, step in enumerate(steps):
        if step == 0:
            raise ShapeMismatch(f"strides[{i}] must be non-zero")
        if step < 0 and masks.shrink & ~special & 1 << i:
            raise ShapeMismatch("only stride 1 allowed on non-range indexing.")
    rank = len(given)
    named = len(steps) if not special else sum(1 for i in range(len(steps)) if not special >> i & 1)
    if named > rank:
        raise ShapeMismatch(f"Index out of range using input dim {rank}; input has only {rank} dims")
    begin, end = (None if part is None else part.tolist() for part in limits())
    out: list[int | None] = []
    at = 0
    for i, step in enumerate(steps):
        bit = 1 << i
        if masks.ellipsis & bit:
            taken = rank - named
            out.extend(given[at : at + taken])
            at += taken
        elif masks.new_axis & bit:
            out.append(1)
        else:
            length = given[at]
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
    return (*out, *given[at:])


def _axis(value: Any, rank: int, text: str) -> int:
    at = int(value)
    if not -rank <= at < rank:
        raise invalid(text.format(at=at, rank=rank))
    return at % rank


@op("Split")
def split(xp: Any, split_dim: dtypes.int32, value: Any_, *, num_split: int) -> Many[Any_, "num_split"]:  # noqa: F821
    """The input cut along an axis into num_split equal parts."""
    at = _axis(split_dim, value.ndim, "-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {at}")
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
    given, axis = value.shape, _dim_value(split_dim)
    if given is None:
        return [None] * num_split
    if axis is None:
        return [(None,) * len(given)] * num_split
    at = _place_in(axis, len(given))
    part = given[at]
    if part is not None:
        if part % num_split:
            raise ShapeMismatch(
                f"Dimension size must be evenly divisible by {num_split} but is {part}\n"
                "\tNumber of ways to split should evenly divide the split dimension"
            )
        part //= num_split
    return [(*given[:at], part, *given[at + 1 :])] * num_split


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


@op("SplitV")
def split_v(
    xp: Any,
    value: Any_,
    size_splits: typevar("Tlen", kinds("int8 int32 int64"), default=dtypes.int64),
    split_dim: dtypes.int32,
    *,
    num_split: int,
) -> Many[Any_, "num_split"]:  # noqa: F821
    """The input cut along an axis into parts of given sizes; one of -1 is computed."""
    at = _axis(split_dim, value.ndim, "-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {at}")
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
    with_value(vector(size_splits), num_split)
    given, axis, sizes = value.shape, _dim_value(split_dim), size_splits.value
    if given is None:
        return [None] * num_split
    if axis is None:
        return [(None,) * len(given)] * num_split
    at = _place_in(axis, len(given))
    parts: list[int | None] = [None] * num_split
    if sizes is not None:
        parts = [int(n) for n in sizes]
        length = given[at]
        if length is not None:
            total = sum(n for n in parts if n is not None and n >= 0)
            if (-1 not in parts and total != length) or total > length:
                raise ShapeMismatch(
                    f"can't split axis of size {length} into pieces of size [{','.join(map(str, parts))}]"
                )
            parts = [length - total if n == -1 else n for n in parts]
        parts = [None if n == -1 else n for n in parts]
    return [(*given[:at], n, *given[at + 1 :]) for n in parts]


@op("Unpack")
def unpack(xp: Any, value: Any_, *, num: int, axis: int = 0) -> Many[Any_, "num"]:  # noqa: F821
    """The input cut along an axis into `num` parts without that axis."""
    at = _axis(axis, value.ndim, "axis = {at} not in [-{rank}, {rank})")
    if value.shape[at] != num:
        raise invalid(f"Input shape axis {at} must equal {num}, got shape {text_of(value.shape)}")
    return list(value if at == 0 else np.moveaxis(value, at, 0))


@unpack.shape
def _(value: Sym, *, num: int, axis: int) -> list[Shape]:
    given = value.shape
    if given is None:
        return [None] * num
    rank = len(given)
    if not -rank <= axis < rank:
        raise ShapeMismatch(f"axis = {axis} not in [-{rank}, {rank})")
    at = axis % rank
    with_value(given[at], num)
    return [given[:at] + given[at + 1 :]] * num


# -- joining -------------------------------------------------------------------------------------------------------


def _joined(values: list[Any], axis: Any) -> Any:
    try:
        return np.concatenate(values, axis)
    except (ValueError, IndexError):
        # Say in TF's words what NumPy refused.
        pass
    arrays = [as_array(v) for v in values]
    first, rank = arrays[0].shape, arrays[0].ndim
    text = "ConcatOp : Expected concatenating dimensions in the range [-{rank}, {rank}), but got {at}"
    at = _axis(axis, rank, text)
    for i, array in enumerate(arrays):
        both = f"shape[0] = {text_of(first)} vs. shape[{i}] = {text_of(array.shape)}"
        if array.ndim != rank:
            raise invalid(f"ConcatOp : Ranks of all input tensors should match: {both}")
        if array.shape[:at] + array.shape[at + 1 :] != first[:at] + first[at + 1 :]:
            place = next(d for d in range(rank) if d != at and first[d] != array.shape[d])
            raise invalid(f"ConcatOp : Dimension {place} in both shapes must be equal: {both}")
    return np.concatenate(arrays, at)


def _joined_shape(values: list[Sym], axis: Sym) -> Shape:
    scalar(axis)
    known = next((v.shape for v in values if v.shape is not None), None)
    if known is not None:
        for v in values:
            of_rank(v.shape, len(known))
        if not known:
            raise ShapeMismatch("Can't concatenate scalars (use tf.stack instead)")
    at = axis.value
    if at is None:
        return None if known is None else (None,) * len(known)
    needed = int(at) + 1 if at >= 0 else -int(at)
    for v in values:
        at_least(v.shape, max(needed, 1))
    if known is None:
        return None
    at = int(at) % len(known)
    before: Shape = None
    after: Shape = None
    total: int | None = 0
    for v in values:
        given = v.shape
        if given is None:
            total = None
            continue
        length = given[at]
        total = None if total is None or length is None else total + length
        before = shapes.merge(before, given[:at])
        after = shapes.merge(after, given[at + 1 :])
    return (*(before or ()), total, *(after or ()))


@op("ConcatV2", shape=_joined_shape, fresh=True)
def concat_v2(xp: Any, values: Many[Any_], axis: Tidx) -> Any_:
    """The inputs one after the other along an axis."""
    return _joined(values, axis)


@op("Concat", shape=lambda concat_dim, values: _joined_shape(values, concat_dim), fresh=True)
def concat(xp: Any, concat_dim: dtypes.int32, values: Many[Any_]) -> Any_:
    """The inputs one after the other along an axis."""
    return _joined(values, concat_dim)


# -- repeating, padding, turning -----------------------------------------------------------------------------------


@op("Tile", fresh=True)
def tile(xp: Any, input: Any_, multiples: typevar("Tmultiples", INDEX, default=dtypes.int32)) -> Any_:
    """The input repeated along each axis."""
    array, times = as_array(input), [int(n) for n in np.ravel(multiples)]
    if len(times) != array.ndim:
        raise invalid(
            f"Expected multiples argument to be a vector of length {array.ndim} but got length {len(times)}"
        )
    for i, n in enumerate(times):
        if n < 0:
            raise invalid(f"Expected multiples[{i}] >= 0, but got {n}")
    return unwrapped(np.tile(array, times))


@tile.shape
def _(input: Sym, multiples: Sym) -> Shape:
    count = vector(multiples)
    if input.shape is not None and count is not None and count != len(input.shape):
        raise ShapeMismatch(f"Shape must be rank {len(input.shape)} but is rank {count}")
    times = multiples.as_shape
    if times is None:
        if input.shape is not None:
            return (None,) * len(input.shape)
        return None if count is None else (None,) * count
    given = of_rank(input.shape, len(times))
    return tuple(
        0 if n == 0 or k == 0 else None if n is None or k is None else n * k for n, k in zip(given, times)
    )


Tpaddings = typevar("Tpaddings", INDEX, default=dtypes.int32)


def _pad_shape(input: Sym, paddings: Sym) -> Shape:
    table = of_rank(paddings.shape, 2)
    with_value(table[1], 2)
    given = input.shape
    if table[0] is not None:
        given = of_rank(given, table[0])
    around = paddings.value
    if around is None:
        return None if given is None else (None,) * len(given)
    given = of_rank(given, len(around))
    for before, after in around.tolist():
        if before < 0 or after < 0:
            raise ShapeMismatch("Paddings must be non-negative")
    return tuple(None if n is None else n + int(b) + int(a) for n, (b, a) in zip(given, around))


def _check_paddings(input: Any, paddings: Any) -> list[tuple[int, int]]:
    if np.shape(paddings) != (input.ndim, 2):
        raise invalid(
            f"The first dimension of paddings must be the rank of inputs{text_of(np.shape(paddings))} {text_of(input.shape)}"
        )
    around = list(map(tuple, paddings.tolist()))
    for b, a in around:
        if b < 0 or a < 0:
            raise invalid(f"Paddings must be non-negative: {b} {a}")
    return around


@op("Pad", shape=_pad_shape, fresh=True)
def pad(xp: Any, input: Any_, paddings: Tpaddings) -> Any_:
    """The input with zeros around it: paddings [rank, 2] says how many before and after along each axis."""
    array = as_array(input)
    fill = b"" if array.dtype == object else 0
    return _padded(array, _check_paddings(array, paddings), fill)


def _padded(array: Any, around: list[tuple[int, int]], fill: Any) -> Any:
    out = np.full([b + n + a for n, (b, a) in zip(array.shape, around)], fill, array.dtype)
    out[tuple(slice(b, b + n) for n, (b, _) in zip(array.shape, around))] = array
    return unwrapped(out)


@op("PadV2", shape=lambda input, paddings, constant_values: _pad_shape(input, paddings), fresh=True)
def pad_v2(xp: Any, input: Any_, paddings: Tpaddings, constant_values: Any_) -> Any_:
    """The input with a value of choice around it."""
    array = as_array(input)
    return _padded(array, _check_paddings(array, paddings), constant_values)


@op("MirrorPad", shape=lambda input, paddings, *, mode: _pad_shape(input, paddings), fresh=True)
def mirror_pad(xp: Any, input: Any_, paddings: Tpaddings, *, mode: Literal["REFLECT", "SYMMETRIC"]) -> Any_:
    """The input with its own mirror image around it; REFLECT leaves out the edge itself."""
    around = _check_paddings(input, paddings)
    edge = 1 if mode == "REFLECT" else 0
    for i, (b, a) in enumerate(around):
        if max(b, a) > input.shape[i] - edge:
            raise invalid(
                f"paddings must be {'less than' if edge else 'no greater than'} the dimension size: "
                f"{b}, {a} {'not less than' if edge else 'greater than'} {input.shape[i]}"
            )
    return np.pad(input, around, mode="reflect" if edge else "symmetric")


@op("Transpose", out="y")
def transpose(xp: Any, x: Any_, perm: typevar("Tperm", INDEX, default=dtypes.int32)) -> Any_:
    """The input with its axes in another order."""
    order = ints_of(perm)
    array = x if isinstance(x, np.ndarray) else as_array(x)
    try:
        return unwrapped(array.transpose(order))
    except ValueError:
        # Say in TF's words what NumPy refused.
        pass
    rank = array.ndim
    if len(order) != rank:
        raise invalid(
            f"transpose expects a vector of size {rank}. But input(1) is a vector of size {len(order)}"
        )
    for i in order:
        if not -rank <= i < rank:
            raise invalid(f"{i} is out of range [0 .. {rank})")
    missing = next(i for i in range(rank) if i not in {j % rank for j in order})
    raise invalid(f"{missing} is missing from {{{','.join(map(str, order))}}}.")


@transpose.shape
def _(x: Sym, perm: Sym) -> Shape:
    return _transposed(x, perm)


@op("ConjugateTranspose", out="y", fresh=True)
def conjugate_transpose(xp: Any, x: Any_, perm: typevar("Tperm", INDEX, default=dtypes.int32)) -> Any_:
    """The conjugated input with its axes in another order."""
    return np.conj(as_array(x)).transpose(np.ravel(perm).tolist())


conjugate_transpose.shape(lambda x, perm: _transposed(x, perm))


def _transposed(x: Sym, perm: Sym) -> Shape:
    count = vector(perm)
    given = x.shape
    if given is not None:
        with_value(count, len(given))
    order = perm.value
    if order is None:
        if given is not None:
            return given if len(given) <= 1 else (None,) * len(given)
        return None if count is None else (None,) * count
    given = of_rank(given, len(order))
    for i in order.tolist():
        if not -len(order) <= i < len(order):
            raise ShapeMismatch(f"perm dim {i} is out of range of input rank {len(order)}")
    return tuple(given[i] for i in order.tolist())


@op("ReverseV2", fresh=True)
def reverse_v2(
    xp: Any,
    tensor: typevar("T", kinds(
        "uint8 int8 uint16 int16 int32 uint32 int64 uint64 bool bfloat16 half float double complex64 complex128 string"
    )),
    axis: Tidx,
) -> "T":  # noqa: F821 # fmt: skip
    """The input backwards along each named axis."""
    array = as_array(tensor)
    axes = []
    for i in np.ravel(axis).tolist():
        at = _axis(i, array.ndim, "'axis'[0] = {at} is out of valid range [0, {rank}")
        if at in axes:
            raise invalid(f"axis {at} specified more than once.")
        axes.append(at)
    return unwrapped(np.flip(array, tuple(axes)).copy())


@reverse_v2.shape
def _(tensor: Sym, axis: Sym) -> Shape:
    vector(axis)
    named = axis.value
    if named is not None and tensor.shape is not None:
        rank = len(tensor.shape)
        for i, at in enumerate(np.ravel(named).tolist()):
            if not -rank <= at < rank:
                raise ShapeMismatch(f"'axis'[{i}] = {at} is out of valid range [0, {rank - 1}")
    return tensor.shape


@op("ReverseSequence", fresh=True)
def reverse_sequence(
    xp: Any,
    input: Any_,
    seq_lengths: typevar("Tlen", INDEX, default=dtypes.int64),
    *,
    seq_dim: int,
    batch_dim: int = 0,
) -> Any_:
    """The first seq_lengths[i] elements of example i backwards, the others as they are."""
    array = np.moveaxis(np.array(input, copy=True), (batch_dim, seq_dim), (0, 1))
    for i, n in enumerate(seq_lengths.tolist()):
        if not 0 <= n <= array.shape[1]:
            raise invalid(f"seq_lengths({i}) > input.dims({seq_dim})")
        array[i, :n] = array[i, :n][::-1].copy()
    return np.moveaxis(array, (0, 1), (batch_dim, seq_dim))


@reverse_sequence.shape
def _(input: Sym, seq_lengths: Sym, *, seq_dim: int, batch_dim: int) -> Shape:
    count = vector(seq_lengths)
    given = input.shape
    if given is None:
        return None
    for what, at in (("batch_dim", batch_dim), ("seq_dim", seq_dim)):
        if at >= len(given):
            raise ShapeMismatch(f"{what} must be < input rank: {at} vs. {len(given)}")
    same(given[batch_dim], count)
    return given


@op("Roll", fresh=True)
def roll(xp: Any, input: Any_, shift: typevar("Tshift", INDEX), axis: typevar("Taxis", INDEX)) -> Any_:
    """The elements moved along axes; what falls off the end comes in at the front."""
    return np.roll(input, tuple(np.ravel(shift).tolist()), tuple(np.ravel(axis).tolist()))


roll.shape(lambda input, shift, axis: at_least(input.shape, 1))


# -- picking -------------------------------------------------------------------------------------------------------


def _taken(params: Any, indices: Any, axis: int) -> Any:
    wanted = np.asarray(indices)
    if not (wanted < 0).any():
        try:
            return params.take(wanted, axis)
        except IndexError:
            # Say in TF's words which one it is.
            pass
    length = params.shape[axis]
    bad = (wanted < 0) | (wanted >= length)
    place = tuple(int(i) for i in np.argwhere(bad)[0]) if wanted.ndim else ()
    where = f"indices[{','.join(map(str, place))}]" if place else "indices"
    raise invalid(f"{where} = {wanted[place]} is not in [0, {length})")


Tparams = typevar("Tparams")


@op("Gather", fresh=True)
def gather(
    xp: Any, params: Tparams, indices: typevar("Tindices", INDEX), *, validate_indices: bool = True
) -> Tparams:
    """The rows of params that indices name: [n, …] and [i…] -> [i…, …]."""
    return _taken(params, indices, 0)


@gather.shape
def _(params: Sym, indices: Sym, *, validate_indices: bool) -> Shape:
    rows = at_least(params.shape, 1)
    if rows is None or indices.shape is None:
        return None
    return (*indices.shape, *rows[1:])


@op("GatherV2", fresh=True)
def gather_v2(
    xp: Any,
    params: Tparams,
    indices: typevar("Tindices", WIDE_INDEX),
    axis: typevar("Taxis", INDEX),
    *,
    batch_dims: int = 0,
) -> Tparams:
    """The slices of params along an axis that indices name; the first batch_dims axes of both go together."""
    at = _axis(axis, params.ndim, "Expected axis in the range [-{rank}, {rank}), but got {at}")
    batch = batch_dims + np.ndim(indices) if batch_dims < 0 else batch_dims
    if not batch:
        return _taken(params, indices, at)
    count = int(np.prod(params.shape[:batch]))
    rows = params.reshape(count, *params.shape[batch:])
    picks = indices.reshape(count, *indices.shape[batch:])
    taken = [np.asarray(_taken(row, pick, at - batch)) for row, pick in zip(rows, picks)]
    rest = (
        taken[0].shape
        if taken
        else (*params.shape[batch:at], *indices.shape[batch:], *params.shape[at + 1 :])
    )
    return np.array(taken, params.dtype).reshape(*params.shape[:batch], *rest)


@gather_v2.shape
def _(params: Sym, indices: Sym, axis: Sym, *, batch_dims: int) -> Shape:
    scalar(axis)
    given, picks = at_least(params.shape, 1), indices.shape
    if given is None or picks is None:
        return None
    at = axis.value
    batch = batch_dims + len(picks) if batch_dims < 0 else batch_dims
    if at is None:
        return (None,) * (len(given) - 1 + len(picks) - batch)
    at = int(at)
    at_least(given, at + 1 if at >= 0 else -at)
    at %= len(given)
    return (*given[:at], *picks[batch:], *given[at + 1 :])


@op("GatherNd", fresh=True)
def gather_nd(xp: Any, params: Tparams, indices: typevar("Tindices", WIDE_INDEX)) -> Tparams:
    """The slices of params at the places that the last axis of indices names."""
    depth = indices.shape[-1]
    if depth > params.ndim:
        raise invalid(
            f"index innermost dimension length must be <= params rank; saw: {depth} vs. {params.ndim}"
        )
    sizes = np.array(params.shape[:depth], np.int64)
    bad = ((indices < 0) | (indices >= sizes)).any(axis=-1)
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise invalid(
            f"indices{list(place) if place else ''} = {text_of(indices[place].tolist()).replace(',', ', ')} does not index into "
            f"param shape {text_of(params.shape)}"
        )
    return unwrapped(np.asarray(params[tuple(np.moveaxis(indices, -1, 0))]))


@gather_nd.shape
def _(params: Sym, indices: Sym) -> Shape:
    given, picks = params.shape, at_least(indices.shape, 1)
    if given is None or picks is None or picks[-1] is None:
        return None
    depth = picks[-1]
    if depth > len(given):
        raise ShapeMismatch(
            f"indices.shape[-1] must be <= params.rank, but saw indices shape: {shapes.fmt(picks)} and params shape: "
            f"{shapes.fmt(given)}"
        )
    return (*picks[:-1], *given[depth:])


def _scattered(out: Any, indices: Any, updates: Any, how: str) -> Any:
    depth = indices.shape[-1]
    flat = indices.reshape(-1, depth)
    sizes = np.array(out.shape[:depth], np.int64)
    bad = ((flat < 0) | (flat >= sizes)).any(axis=1)
    if bad.any():
        at = int(np.argmax(bad))
        place = text_of(flat[at].tolist()).replace(",", ", ")
        raise invalid(f"indices[{at}] = {place} does not index into shape {text_of(out.shape)}")
    rows = np.asarray(updates).reshape(flat.shape[0], *out.shape[depth:])
    places = tuple(flat.T)
    if how == "add":
        np.add.at(out, places, rows)
    elif how == "sub":
        np.subtract.at(out, places, rows)
    else:
        out[places] = rows
    return out


@op("ScatterNd", fresh=True)
def scatter_nd(xp: Any, indices: typevar("Tindices", WIDE_INDEX), updates: Any_, shape: "Tindices") -> Any_:  # noqa: F821
    """Zeros of a shape with the updates added at the places that indices name."""
    return _scattered(np.zeros([int(n) for n in shape], updates.dtype), indices, updates, "add")


@scatter_nd.shape
def _(indices: Sym, updates: Sym, shape: Sym) -> Shape:
    return shape.as_shape


@op("TensorScatterUpdate", shape=lambda tensor, indices, updates: tensor.shape, fresh=True)
def tensor_scatter_update(
    xp: Any, tensor: Any_, indices: typevar("Tindices", kinds("int16 int32 int64 uint16")), updates: Any_
) -> Any_:
    """A copy of the tensor with the updates at the places that indices name."""
    return _scattered(np.array(tensor, copy=True), indices, updates, "set")


@op("TensorScatterAdd", shape=lambda tensor, indices, updates: tensor.shape, fresh=True)
def tensor_scatter_add(xp: Any, tensor: Any_, indices: typevar("Tindices", INDEX), updates: Any_) -> Any_:
    """A copy of the tensor with the updates added at the places that indices name."""
    return _scattered(np.array(tensor, copy=True), indices, updates, "add")


@op("TensorScatterSub", shape=lambda tensor, indices, updates: tensor.shape, fresh=True)
def tensor_scatter_sub(xp: Any, tensor: Any_, indices: typevar("Tindices", INDEX), updates: Any_) -> Any_:
    """A copy of the tensor with the updates taken off at the places that indices name."""
    return _scattered(np.array(tensor, copy=True), indices, updates, "sub")


@op("InvertPermutation", out="y", fresh=True)
def invert_permutation(xp: Any, x: typevar("T", INDEX, default=dtypes.int32)) -> "T":  # noqa: F821
    """y with y[x[i]] = i."""
    out = np.full(x.shape, -1, x.dtype)
    for i, at in enumerate(x.tolist()):
        if not 0 <= at < len(x):
            raise invalid(f"{at} is not between 0 and {len(x)}")
        if out[at] != -1:
            raise invalid(f"{at} is duplicated in the input.")
        out[at] = i
    return out


@invert_permutation.shape
def _(x: Sym) -> Shape:
    return (vector(x),)


@op("OneHot", fresh=True)
def one_hot(
    xp: Any,
    indices: typevar("TI", kinds("uint8 int8 int32 int64"), default=dtypes.int64),
    depth: dtypes.int32,
    on_value: Any_,
    off_value: Any_,
    *,
    axis: int = -1,
) -> Any_:
    """on_value at the place along a new axis that each index names, off_value elsewhere."""
    if depth < 0:
        raise invalid(f"depth must be non-negative, got: {depth}")
    places = np.expand_dims(as_array(indices), axis)
    counter = np.arange(int(depth)).reshape(
        [-1 if i == axis % places.ndim else 1 for i in range(places.ndim)]
    )
    return np.where(places == counter, as_array(on_value), as_array(off_value))


@one_hot.shape
def _(indices: Sym, depth: Sym, on_value: Sym, off_value: Sym, *, axis: int) -> Shape:
    if axis < -1:
        raise ShapeMismatch(f"axis must be >= -1 but is {axis}")
    given, count = indices.shape, size_of(depth, 1)
    if given is None:
        return None
    at = len(given) if axis == -1 else axis
    if at > len(given):
        raise ShapeMismatch(f"axis must be at most {len(given)} but is {axis}")
    return (*given[:at], count, *given[at:])


# -- making --------------------------------------------------------------------------------------------------------


@op("Fill", fresh=True)
def fill(xp: Any, dims: typevar("index_type", INDEX, default=dtypes.int32), value: Any_) -> Any_:
    """A tensor of shape `dims` of one value."""
    for n in dims.tolist():
        if n < 0:
            raise invalid(f"Dimension {n} must be >= 0")
    array = as_array(value)
    return unwrapped(np.full([int(n) for n in dims], array, array.dtype))


@fill.shape
def _(dims: Sym, value: Sym) -> Shape:
    vector(dims)
    scalar(value)
    known, wanted = dims.value, sizes_of(dims)
    if known is not None and (known < 0).any():
        raise ShapeMismatch("Fill dimensions must be >= 0")
    return wanted


@op("ZerosLike", out="y", shape=same_shape, fresh=True)
def zeros_like(xp: Any, x: Any_) -> Any_:
    """Zeros of the input's shape and dtype (empty strings, False)."""
    if isinstance(x, bytes):
        return b""
    if x.dtype == object:
        return np.full(x.shape, b"", object)
    return xp.zeros(x.shape, x.dtype)[()]


@op("OnesLike", out="y", shape=same_shape, fresh=True)
def ones_like(
    xp: Any,
    x: typevar("T", kinds(
        "bfloat16 half float double int8 uint8 int16 uint16 int32 uint32 int64 uint64 complex64 complex128 bool"
    )),
) -> "T":  # noqa: F821 # fmt: skip
    """Ones of the input's shape and dtype."""
    return xp.ones(x.shape, x.dtype)[()]


@op("BroadcastTo")
def broadcast_to(xp: Any, input: Any_, shape: Tidx) -> Any_:
    """The input stretched to a shape."""
    wanted = [int(n) for n in np.ravel(shape)]
    try:
        return unwrapped(np.broadcast_to(as_array(input), wanted))
    except ValueError:
        raise invalid(f"Incompatible shapes: {text_of(np.shape(input))} vs. {text_of(wanted)}") from None


@broadcast_to.shape
def _(input: Sym, shape: Sym) -> Shape:
    vector(shape)
    wanted, given = sizes_of(shape), input.shape
    if wanted is None or given is None:
        return wanted
    if len(given) > len(wanted):
        raise ShapeMismatch(f"Shape must be at most rank {len(wanted)} but is rank {len(given)}")
    for have, want in zip(given, wanted[len(wanted) - len(given) :]):
        if have is not None and want is not None and have not in (1, want):
            raise ShapeMismatch(f"Dimensions must be equal, but are {have} and {want}")
    return wanted


Sizes = typevar("T", INDEX, default=dtypes.int32)


@op("BroadcastArgs", out="r0", fresh=True)
def broadcast_args(xp: Any, s0: Sizes, s1: Sizes) -> Sizes:
    """The shape that two shapes broadcast to."""
    try:
        return np.array(shapes.broadcast(tuple(s0.tolist()), tuple(s1.tolist())), s0.dtype).reshape(-1)
    except ShapeMismatch:
        raise invalid(f"Incompatible shapes: {text_of(s0.tolist())} vs. {text_of(s1.tolist())}") from None


@broadcast_args.shape
def _(s0: Sym, s1: Sym) -> Shape:
    a, b = vector(s0), vector(s1)
    return (None if a is None or b is None else max(a, b),)


# -- sets, order, partition ----------------------------------------------------------------------------------------


def _first_occurrences(x: Any) -> tuple[Any, Any, Any]:
    """(values in order of first appearance, the place of each element among them, how often each occurs)."""
    flat = as_array(x)
    _, first, inverse, counts = np.unique(flat, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return flat[first[order]], rank[inverse], counts[order]


@op("Unique", out="y idx", fresh=True)
def unique(xp: Any, x: Any_, *, out_idx: typevar("out_idx", INDEX) = dtypes.int32) -> tuple[Any_, "out_idx"]:  # noqa: F821
    """The different elements of a vector in order, and the place of each element among them."""
    values, places, _ = _first_occurrences(x)
    return values, places.astype(out_idx.numpy)


@unique.shape
def _(x: Sym, *, out_idx: DType) -> list[Shape]:
    return [(None,), (vector(x),)]


@op("UniqueWithCounts", out="y idx count", fresh=True)
def unique_with_counts(
    xp: Any, x: Any_, *, out_idx: typevar("out_idx", INDEX) = dtypes.int32
) -> tuple[Any_, "out_idx", "out_idx"]:  # noqa: F821
    """Unique, and how often each element occurs."""
    values, places, counts = _first_occurrences(x)
    return values, places.astype(out_idx.numpy), counts.astype(out_idx.numpy)


@unique_with_counts.shape
def _(x: Sym, *, out_idx: DType) -> list[Shape]:
    return [(None,), (vector(x),), (None,)]


@op("ListDiff", out="out idx", fresh=True)
def list_diff(
    xp: Any, x: Any_, y: Any_, *, out_idx: typevar("out_idx", INDEX) = dtypes.int32
) -> tuple[Any_, "out_idx"]:  # noqa: F821
    """The elements of x that are not in y, and their places."""
    gone = set(y.tolist())
    places = [i for i, value in enumerate(x.tolist()) if value not in gone]
    return x[places], np.array(places, out_idx.numpy)


@list_diff.shape
def _(x: Sym, y: Sym, *, out_idx: DType) -> list[Shape]:
    vector(x)
    vector(y)
    return [(None,), (None,)]


def _largest(input: Any, k: int) -> tuple[Any, Any]:
    if k < 0:
        raise invalid(f"Need k >= 0, got {k}")
    if not input.ndim:
        raise invalid("input must be >= 1-D, got shape []")
    if input.shape[-1] < k:
        raise invalid(f"input must have at least k columns. Had {input.shape[-1]}, needed {k}")
    # Stable on the negated order, so that of equal elements the first comes first.
    order = input.shape[-1] - 1 - np.argsort(input[..., ::-1], axis=-1, kind="stable")[..., ::-1][..., :k]
    return np.take_along_axis(input, order, -1), order


def _largest_shape(input: Sym, k: int | None) -> list[Shape]:
    given = at_least(input.shape, 1)
    if given is None:
        return [None, None]
    if k is not None:
        if k < 0:
            raise ShapeMismatch(f"Need k >= 0, got {k}")
        if given[-1] is not None and given[-1] < k:
            raise ShapeMismatch(f"input must have last dimension >= k = {k} but is {given[-1]}")
    return [(*given[:-1], k)] * 2


@op("TopK", out="values indices", fresh=True)
def top_k(xp: Any, input: Real, *, k: int, sorted: bool = True) -> tuple[Real, dtypes.int32]:
    """The k largest elements along the last axis, and their places."""
    values, order = _largest(input, k)
    return values, order.astype(np.int32)


top_k.shape(lambda input, *, k, sorted: _largest_shape(input, k))


@op("TopKV2", out="values indices", fresh=True)
def top_k_v2(
    xp: Any,
    input: Real,
    k: typevar("Tk", WIDE_INDEX, default=dtypes.int32),
    *,
    sorted: bool = True,
    index_type: typevar("index_type", WIDE_INDEX) = dtypes.int32,
) -> tuple[Real, "index_type"]:  # noqa: F821
    """The k largest elements along the last axis, and their places."""
    values, order = _largest(input, int(k))
    return values, order.astype(index_type.numpy)


@top_k_v2.shape
def _(input: Sym, k: Sym, *, sorted: bool, index_type: DType) -> list[Shape]:
    scalar(k)
    count = k.value
    return _largest_shape(input, None if count is None else int(count))


def _among_largest(predictions: Any, targets: Any, k: int) -> Any:
    rows, classes = predictions.shape
    inside = (targets >= 0) & (targets < classes)
    safe = np.where(inside, targets, 0)
    score = predictions[np.arange(rows), safe]
    better = (predictions > score[:, None]).sum(axis=1)
    finite = np.isfinite(predictions).all(axis=1)
    return inside & finite & (better < k)


def _among_shape(predictions: Sym, targets: Sym) -> Shape:
    return (same(of_rank(predictions.shape, 2)[0], vector(targets)),)


@op(
    "InTopK",
    out="precision",
    shape=lambda predictions, targets, *, k: _among_shape(predictions, targets),
    fresh=True,
)
def in_top_k(
    xp: Any, predictions: dtypes.float32, targets: typevar("T", INDEX, default=dtypes.int32), *, k: int
) -> dtypes.bool:
    """Whether each target is among the k best predictions of its row."""
    return _among_largest(predictions, targets, k)


@op(
    "InTopKV2",
    out="precision",
    shape=lambda predictions, targets, k: _among_shape(predictions, targets),
    fresh=True,
)
def in_top_k_v2(
    xp: Any,
    predictions: dtypes.float32,
    targets: typevar("T", INDEX, default=dtypes.int32),
    k: "T",  # noqa: F821
) -> dtypes.bool:
    """Whether each target is among the k best predictions of its row."""
    return _among_largest(predictions, targets, int(k))


@op("DynamicPartition", out="outputs", fresh=True)
def dynamic_partition(
    xp: Any, data: Any_, partitions: dtypes.int32, *, num_partitions: int
) -> Many[Any_, "num_partitions"]:  # noqa: F821
    """The slices of data by the partition that each belongs to."""
    array, parts = as_array(data), as_array(partitions)
    bad = (parts < 0) | (parts >= num_partitions)
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise invalid(f"partitions{list(at) if at else ''} = {parts[at]} is not in [0, {num_partitions})")
    return [array[parts == i] for i in range(num_partitions)]


@dynamic_partition.shape
def _(data: Sym, partitions: Sym, *, num_partitions: int) -> list[Shape]:
    given, parts = data.shape, partitions.shape
    if given is None or parts is None:
        return [None] * num_partitions
    shapes.merge(parts, given[: len(parts)])
    return [(None, *given[len(parts) :])] * num_partitions


def _stitched(indices: list[Any], data: list[Any]) -> Any:
    places = [as_array(i) for i in indices]
    rows = [as_array(d) for d in data]
    count = max((int(p.max()) + 1 for p in places if p.size), default=0)
    rest = rows[0].shape[places[0].ndim :]
    out = np.zeros((count, *rest), rows[0].dtype)
    for place, row in zip(places, rows):
        out[place.reshape(-1)] = row.reshape(-1, *rest)
    return out


def _stitched_shape(indices: list[Sym], data: list[Sym]) -> Shape:
    rest: Shape = None
    count: int | None = 0
    for place, row in zip(indices, data):
        value = place.value
        count = None if count is None or value is None else max(count, int(np.max(value, initial=-1)) + 1)
        if place.shape is not None and row.shape is not None:
            shapes.merge(place.shape, row.shape[: len(place.shape)])
            rest = shapes.merge(rest, row.shape[len(place.shape) :])
    return None if rest is None else (count, *rest)


@op("DynamicStitch", out="merged", shape=_stitched_shape, fresh=True)
def dynamic_stitch(xp: Any, indices: Many[dtypes.int32], data: Many[Any_]) -> Any_:
    """Puts the slices of data at the places that indices name; later ones win."""
    return _stitched(indices, data)


@op("ParallelDynamicStitch", out="merged", shape=_stitched_shape, fresh=True)
def parallel_dynamic_stitch(xp: Any, indices: Many[dtypes.int32], data: Many[Any_]) -> Any_:
    """Puts the slices of data at the places that indices name."""
    return _stitched(indices, data)


@op("CheckNumerics", shape=lambda tensor, *, message: tensor.shape, stateful=True)
def check_numerics(
    xp: Any, tensor: typevar("T", kinds("bfloat16 half float double")), *, message: str
) -> "T":  # noqa: F821
    """The input, which must hold neither infinities nor NaN."""
    if not xp.isfinite(tensor).all():
        found = [
            name for name, bad in (("Inf", xp.isinf(tensor).any()), ("NaN", xp.isnan(tensor).any())) if bad
        ]
        raise invalid(f"{message} : Tensor had {' and '.join(found)} values")
    return tensor


@op("SparseToDense", out="dense", fresh=True)
def sparse_to_dense(
    xp: Any,
    sparse_indices: typevar("Tindices", INDEX),
    output_shape: "Tindices",  # noqa: F821
    sparse_values: Any_,
    default_value: Any_,
    *,
    validate_indices: bool = True,
) -> Any_:
    """A tensor of one value with others at the places that indices name."""
    default = as_array(default_value)
    out = np.full([int(n) for n in output_shape], default, default.dtype)
    places = np.asarray(sparse_indices).reshape(-1, out.ndim)
    for i, place in enumerate(places.tolist()):
        if any(not 0 <= at < n for at, n in zip(place, out.shape)):
            raise invalid(
                f"indices[{i}] = {text_of(place)} is out of bounds: need 0 <= index < {text_of(out.shape)}"
            )
        if validate_indices and i and place <= places[i - 1].tolist():
            what = "repeated" if place == places[i - 1].tolist() else "out of order"
            raise invalid(f"indices[{i}] = {text_of(place)} is {what}")
    out[tuple(places.T)] = sparse_values
    return out


@sparse_to_dense.shape
def _(
    sparse_indices: Sym, output_shape: Sym, sparse_values: Sym, default_value: Sym, *, validate_indices: bool
) -> Shape:
    return output_shape.as_shape


@op("UnravelIndex", fresh=True)
def unravel_index(
    xp: Any,
    indices: typevar("Tidx", INDEX, default=dtypes.int32),
    dims: "Tidx",
) -> "Tidx":
    """The places [rank, n] that indices [n] into the flattened tensor stand for."""
    count = int(np.prod(dims))
    if ((indices < 0) | (indices >= count)).any():
        raise invalid("index is out of bound as with dims")
    return np.array(np.unravel_index(indices, [int(n) for n in dims]), indices.dtype)


@unravel_index.shape
def _(indices: Sym, dims: Sym) -> Shape:
    rank = vector(dims)
    if indices.shape is None:
        return None
    return (rank,) if not indices.shape else (rank, shapes.num_elements(indices.shape))


def _bounds(sorted_inputs: Any, values: Any, side: str, dtype: DType) -> Any:
    rows = [np.searchsorted(row, wanted, side=side) for row, wanted in zip(sorted_inputs, values)]
    return np.array(rows, dtype.numpy).reshape(values.shape)


@op("LowerBound", shape=lambda sorted_inputs, values, *, out_type: of_rank(values.shape, 2), fresh=True)
def lower_bound(
    xp: Any, sorted_inputs: Any_, values: Any_, *, out_type: OutType = dtypes.int32
) -> "out_type":  # noqa: F821
    """For each value [n, k] the first place in its sorted row [n, m] at which it could stand."""
    return _bounds(sorted_inputs, values, "left", out_type)


@op("UpperBound", shape=lambda sorted_inputs, values, *, out_type: of_rank(values.shape, 2), fresh=True)
def upper_bound(
    xp: Any, sorted_inputs: Any_, values: Any_, *, out_type: OutType = dtypes.int32
) -> "out_type":  # noqa: F821
    """For each value [n, k] the last place in its sorted row [n, m] at which it could stand."""
    return _bounds(sorted_inputs, values, "right", out_type)


# -- blocks of space -----------------------------------------------------------------------------------------------

Layout = Literal["NHWC", "NCHW", "NCHW_VECT_C"]


def _channels_last(data_format: str) -> None:
    if data_format != "NHWC":
        raise invalid(f"Only NHWC data_format supported on CPU. Got {data_format}")


@op("SpaceToDepth", fresh=True)
def space_to_depth(xp: Any, input: Any_, *, block_size: int, data_format: Layout = "NHWC") -> Any_:
    """Each block of pixels becomes the channels of one: [n, h, w, c] -> [n, h/b, w/b, b·b·c]."""
    _channels_last(data_format)
    n, h, w, c = input.shape
    b = block_size
    blocks = input.reshape(n, h // b, b, w // b, b, c)
    return blocks.transpose(0, 1, 3, 2, 4, 5).reshape(n, h // b, w // b, b * b * c)


@space_to_depth.shape
def _(input: Sym, *, block_size: int, data_format: str) -> Shape:
    n, h, w, c = of_rank(input.shape, 4)
    for size in (h, w):
        if size is not None and size % block_size:
            raise ShapeMismatch(f"Dimension size must be evenly divisible by {block_size} but is {size}")
    b = block_size
    return n, None if h is None else h // b, None if w is None else w // b, None if c is None else b * b * c


@op("DepthToSpace", fresh=True)
def depth_to_space(xp: Any, input: Any_, *, block_size: int, data_format: Layout = "NHWC") -> Any_:
    """The channels of a pixel become a block of pixels: [n, h, w, b·b·c] -> [n, h·b, w·b, c]."""
    _channels_last(data_format)
    n, h, w, c = input.shape
    b = block_size
    blocks = input.reshape(n, h, w, b, b, c // (b * b))
    return blocks.transpose(0, 1, 3, 2, 4, 5).reshape(n, h * b, w * b, c // (b * b))


@depth_to_space.shape
def _(input: Sym, *, block_size: int, data_format: str) -> Shape:
    n, h, w, c = of_rank(input.shape, 4)
    square = block_size * block_size
    if c is not None and c % square:
        raise ShapeMismatch(f"Dimension size must be evenly divisible by {square} but is {c}")
    grown = [None if size is None else size * block_size for size in (h, w)]
    return n, *grown, None if c is None else c // square


def _pairs(value: Any) -> list[tuple[int, int]] | None:
    return None if value is None else [(int(b), int(a)) for b, a in value]


Tblock_shape = typevar("Tblock_shape", INDEX, default=dtypes.int32)


@op("SpaceToBatchND", fresh=True)
def space_to_batch_nd(xp: Any, input: Any_, block_shape: Tblock_shape, paddings: Tpaddings) -> Any_:
    """Pads the axes after the first, cuts them into blocks, and moves each place in a block to the batch."""
    blocks = [int(b) for b in block_shape]
    m = len(blocks)
    padded = np.pad(input, [(0, 0), *(_pairs(paddings) or []), *[(0, 0)] * (input.ndim - m - 1)])
    for size, b in zip(padded.shape[1:], blocks):
        if size % b:
            raise invalid(f"padded_shape={size} is not divisible by block_shape={b}")
    split_shape: list[int] = [padded.shape[0]]
    for size, b in zip(padded.shape[1:], blocks):
        split_shape += [size // b, b]
    rest = padded.shape[m + 1 :]
    parts = padded.reshape(*split_shape, *rest)
    order = [*range(2, 2 * m + 1, 2), 0, *range(1, 2 * m, 2), *range(2 * m + 1, parts.ndim)]
    sizes = [size // b for size, b in zip(padded.shape[1:], blocks)]
    return parts.transpose(order).reshape(padded.shape[0] * int(np.prod(blocks)), *sizes, *rest)


@space_to_batch_nd.shape
def _(input: Sym, block_shape: Sym, paddings: Sym) -> Shape:
    count, blocks, around = vector(block_shape), block_shape.value, _pairs(paddings.value)
    given = input.shape if count is None else at_least(input.shape, count + 1)
    if given is None:
        return None
    if blocks is None or count is None:
        return (None,) * len(given)
    total = int(np.prod(blocks))
    out: list[int | None] = [None if given[0] is None else given[0] * total]
    for i, b in enumerate(blocks.tolist()):
        size = given[i + 1]
        if size is None or around is None:
            out.append(None)
            continue
        size += sum(around[i])
        if size % b:
            raise ShapeMismatch(f"Dimension size must be evenly divisible by {b} but is {size}")
        out.append(size // b)
    return (*out, *given[count + 1 :])


@op("BatchToSpaceND", fresh=True)
def batch_to_space_nd(
    xp: Any, input: Any_, block_shape: Tblock_shape, crops: typevar("Tcrops", INDEX, default=dtypes.int32)
) -> Any_:
    """The inverse of SpaceToBatchND: blocks from the batch back into space, then cropped."""
    blocks = [int(b) for b in block_shape]
    m, total = len(blocks), int(np.prod([int(b) for b in block_shape]))
    if input.shape[0] % total:
        raise invalid(
            f"Input batch dimension ({input.shape[0]}) is not divisible by product of block sizes ({total})"
        )
    rest = input.shape[m + 1 :]
    parts = input.reshape(*blocks, input.shape[0] // total, *input.shape[1 : m + 1], *rest)
    order = [m]
    for i in range(m):
        order += [m + 1 + i, i]
    order += range(2 * m + 1, parts.ndim)
    sizes = [size * b for size, b in zip(input.shape[1:], blocks)]
    whole = parts.transpose(order).reshape(input.shape[0] // total, *sizes, *rest)
    cut = [slice(b, size - a) for (b, a), size in zip(_pairs(crops) or [], sizes)]
    return whole[(slice(None), *cut)]


@batch_to_space_nd.shape
def _(input: Sym, block_shape: Sym, crops: Sym) -> Shape:
    count, blocks, around = vector(block_shape), block_shape.value, _pairs(crops.value)
    given = input.shape if count is None else at_least(input.shape, count + 1)
    if given is None:
        return None
    if blocks is None or count is None:
        return (None,) * len(given)
    total = int(np.prod(blocks))
    if given[0] is not None and given[0] % total:
        raise ShapeMismatch(f"Dimension size must be evenly divisible by {total} but is {given[0]}")
    out: list[int | None] = [None if given[0] is None else given[0] // total]
    for i, b in enumerate(blocks.tolist()):
        size = given[i + 1]
        out.append(None if size is None or around is None else size * b - sum(around[i]))
    return (*out, *given[count + 1 :])
