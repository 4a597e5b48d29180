"""Ops that return shapes, change them, repeat or reorder elements, and create tensors.

Where a shape, an axis or a size is an input, the shape rule reads its constant value, even if only parts of it are known:
`reshape(x, [shape(x)[0], 320])` keeps the 320. No state.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.dtypes import DType
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.composites import IndexedSlices
from ..op.define import Many, ShapeAttr, Sym, op, same_shape, typevar
from ..op.gradient_rules import NOT_OF_VALUES, reshaped_back, sum_of
from ..op.shape_checks import (
    INDEX,
    Any_,
    Tidx,
    as_array,
    at_least,
    at_most,
    axis_at,
    ints_of,
    invalid,
    kinds,
    needs_rank,
    of_rank,
    same,
    scalar,
    sizes_of,
    text_of,
    unwrapped,
    vector,
    with_value,
)  # fmt: skip

OutType = typevar("out_type", INDEX)


# -- the shape as a tensor ----------------------------------------------------------------------------------------


@op(
    "Shape", shape=lambda input, *, out_type: (None if input.shape is None else len(input.shape),), fresh=True,
    role="shape", not_differentiable=NOT_OF_VALUES,
)
def shape(xp: Any, input: Any_, *, out_type: OutType = dtypes.int32) -> "out_type":  # noqa: F821
    """The sizes of the input: any shape -> [rank]."""
    return np.array(np.shape(input), out_type.numpy)


@op("ShapeN", not_differentiable=NOT_OF_VALUES, fresh=True, role="shapes")
def shape_n(xp: Any, input: Many[Any_], *, out_type: OutType = dtypes.int32) -> Many["out_type"]:  # noqa: F821
    """The sizes of each input: any shapes -> a vector [rank] for each."""
    return [np.array(np.shape(x), out_type.numpy) for x in input]


@shape_n.shape
def _(input: list[Sym], *, out_type: DType) -> list[Shape]:
    return [(None if x.shape is None else len(x.shape),) for x in input]


@op("Size", not_differentiable=NOT_OF_VALUES, shape=lambda input, *, out_type: (), fresh=True, role="shape")
def size(xp: Any, input: Any_, *, out_type: OutType = dtypes.int32) -> "out_type":  # noqa: F821
    """How many elements the input has: any shape -> scalar."""
    return out_type.numpy.type(1 if isinstance(input, bytes) else np.size(input))


@op("Rank", not_differentiable=NOT_OF_VALUES, shape=lambda input: (), fresh=True, role="shape")
def rank(xp: Any, input: Any_) -> dtypes.int32:
    """How many axes the input has: any shape -> scalar."""
    return np.int32(np.ndim(input))


# -- the same elements in another shape ----------------------------------------------------------------------------


_CANNOT_INFER = "reshape cannot infer the missing input size for an empty tensor unless all specified input sizes are non-zero"


@op("Reshape", views="tensor", value_safe=True, gradient="dx = reshape(g)")
def reshape(xp: Any, tensor: Any_, shape: typevar("Tshape", INDEX, default=dtypes.int32)) -> Any_:
    """The elements in row-major order in another shape: tensor any shape, shape [rank] -> that shape; one size of -1 is
    computed.

    Raises: InvalidArgumentError when the shape has not as many elements as the tensor.
    """
    array = tensor if isinstance(tensor, np.ndarray) else as_array(tensor)
    if shape.ndim > 1:
        raise invalid(f"sizes input must be 1-D, not {text_of(shape.shape)}")
    sizes = ints_of(shape)
    try:
        out = array.reshape(sizes)
    except ValueError:
        if sizes.count(-1) == 1 and 0 in sizes and 0 in array.shape and min(sizes) == -1:
            # For an empty tensor, TF computes the size of -1 from the sizes that are not 0.
            have = int(np.prod([n for n in array.shape if n]))
            want = int(np.prod([n for n in sizes if n > 0]))
            return array.reshape([have // want if n == -1 else n for n in sizes])
        raise invalid(_refused(array.size, sizes)) from None
    if sizes and min(sizes) < -1:
        raise invalid(_refused(array.size, sizes))
    return out if sizes else out[()]


_MOST_ELEMENTS = (1 << 63) - 1  # of a tensor


def _refused(count: int, sizes: tuple[int, ...]) -> str:
    """TF's text for sizes that do not hold `count` elements."""
    known, left = 1, [i for i, n in enumerate(sizes) if n == -1]
    if 0 not in sizes and abs(math.prod(sizes)) > _MOST_ELEMENTS:
        return f"Shape {list(sizes)} has too many elements"
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
    wanted, input_shape = sizes_of(shape), tensor.shape
    if wanted is None or input_shape is None:
        return wanted
    left = [i for i, n in enumerate(wanted) if n is None]
    have, want = _known_count(input_shape), _known_count(wanted)
    unknown = input_shape.count(None)
    if not left and not unknown:
        if have != want:
            raise ShapeMismatch(
                f"Cannot reshape a tensor with {have} elements to shape {shapes.fmt(wanted)} ({want} elements)"
            )
    elif not left and unknown == 1:
        if not have and want:
            raise ShapeMismatch(
                f"Cannot reshape a tensor with 0 elements to shape {shapes.fmt(wanted)} ({want} elements)"
            )
        if have and want % have:
            raise ShapeMismatch(f"Dimension size must be evenly divisible by {have} but is {want}")
    elif len(left) == 1 and not unknown:
        if not want and have:
            raise ShapeMismatch(
                f"Cannot reshape a tensor with {have} elements to shape {shapes.fmt(wanted)} (0 elements)"
            )
        if not want:
            return wanted
        if have % want:
            raise ShapeMismatch(f"Dimension size must be evenly divisible by {want} but is {have}")
        return tuple(have // want if n is None else n for n in wanted)
    return wanted


reshape.grad(reshaped_back)


def _known_count(shape: tuple[int | None, ...]) -> int:
    """The product of the known sizes."""
    return shapes.num_elements(tuple(n for n in shape if n is not None)) or 0


@op("ExpandDims", views="input", value_safe=True, raw_names={"dim": "axis"}, gradient="dx = reshape(g)")
def expand_dims(xp: Any, input: Any_, dim: typevar("Tdim", INDEX, default=dtypes.int32)) -> Any_:
    """Inserts an axis of size 1: input [d...], dim scalar -> [d..., 1, d...]; dim may count from the end.

    Raises: InvalidArgumentError for an axis outside [-rank - 1, rank].
    """
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
    input_shape, at = input.shape, dim.value
    if input_shape is None:
        return None
    if at is None:
        return None
    if np.size(at) != 1:
        raise ShapeMismatch("'dim' input must be a tensor with a single value")
    at = int(np.ravel(at)[0])
    if not -len(input_shape) - 1 <= at <= len(input_shape):
        raise ShapeMismatch(f"dim {at} not in the interval [{-len(input_shape) - 1}, {len(input_shape)}].")
    if at < 0:
        at += len(input_shape) + 1
    return (*input_shape[:at], 1, *input_shape[at:])


expand_dims.grad(reshaped_back)


@op("Squeeze", views="input", value_safe=True, raw_names={"squeeze_dims": "axis"}, gradient="dx = reshape(g)")
def squeeze(xp: Any, input: Any_, *, squeeze_dims: list[int] = []) -> Any_:  # noqa: B006 - the attribute's default
    """Drops axes of size 1: [1, d..., 1] -> [d...]; all of them, or those in squeeze_dims.

    Raises: InvalidArgumentError when a named axis does not have size 1.
    """
    array = as_array(input)
    for i in squeeze_dims:
        if not -array.ndim <= i < array.ndim:
            raise invalid(f"Tried to squeeze dim index {i} for tensor with {array.ndim} dimensions.")
        if array.shape[i] != 1:
            raise invalid(f"Can not squeeze dim[{i % array.ndim}], expected a dimension of 1, got {array.shape[i]}")
    # An axis that is named twice goes once.
    return unwrapped(array.squeeze(tuple({i % array.ndim for i in squeeze_dims}) or None))


@squeeze.shape
def _(input: Sym, *, squeeze_dims: list[int]) -> Shape:
    input_shape = input.shape
    if input_shape is None:
        return None
    rank = len(input_shape)
    if not squeeze_dims:
        # An unknown size may be 1.
        return None if None in input_shape else tuple(n for n in input_shape if n != 1)
    removed = set()
    for place, i in enumerate(squeeze_dims):
        if not -rank <= i < rank:
            raise ShapeMismatch(f"squeeze_dims[{place}] not in [{-rank},{rank}).")
        removed.add(i % rank)
    for i in removed:
        if input_shape[i] not in (1, None):
            raise ShapeMismatch(f"Can not squeeze dim[{i}], expected a dimension of 1, got {input_shape[i]}")
    return tuple(n for i, n in enumerate(input_shape) if i not in removed)


squeeze.grad(reshaped_back)


@op("EnsureShape", views="input")
def ensure_shape(xp: Any, input: Any_, *, shape: ShapeAttr) -> Any_:
    """The input, of any shape that fits the partly known attribute `shape`.

    Raises: InvalidArgumentError when the shape does not fit.
    """
    if not shapes.is_compatible(np.shape(input), shape):
        raise invalid(
            f"Shape of tensor {{input}} {text_of(np.shape(input))} is not compatible with expected shape {shapes.fmt(shape)}."
        )
    return input


@ensure_shape.shape
def _(input: Sym, *, shape: Shape) -> Shape:
    # As in TF, a shape of unknown rank only fits an input of unknown rank.
    if input.shape is not None:
        of_rank(input.shape, -1 if shape is None else len(shape))
    return shapes.merge(shape, input.shape)


ensure_shape.grad(reshaped_back)


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
    """The same bytes as another dtype: any shape -> the same shape; a smaller dtype appends an axis, a larger one takes
    the last: [..., ratio].
    """
    array = xp.ascontiguousarray(input).reshape(np.shape(input))
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
    input_shape, have, want = input.shape, input.dtype.size, type.size
    if input_shape is None or have == want:
        return input_shape
    if have > want:
        return (*input_shape, have // want)
    if not input_shape:
        at_least(input_shape, 1)
    if input_shape[-1] not in (None, want // have):
        kinds_of = f"{input.dtype.base_dtype.as_datatype_enum} to {type.as_datatype_enum}"
        raise ShapeMismatch(f"Cannot bitcast from {kinds_of} due to shape. {input_shape[-1]} does not match {want // have}")
    return input_shape[:-1]


# -- repeating, turning --------------------------------------------------------------------------------------------


@op("Tile", fresh=True, value_safe=True)
def tile(xp: Any, input: Any_, multiples: typevar("Tmultiples", INDEX, default=dtypes.int32)) -> Any_:
    """Repeats the input along each axis: input [d...], multiples [rank] -> [d · multiples...].

    Raises: InvalidArgumentError for a wrong number of multiples or a negative one.
    """
    needs_rank(multiples, 1, "Expected multiples to be 1-D, but got shape {shape}")
    array, times = as_array(input), [int(n) for n in multiples]
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
    times = sizes_of(multiples)
    if times is None:
        if input.shape is not None:
            return (None,) * len(input.shape)
        return None if count is None else (None,) * count
    input_shape = of_rank(input.shape, len(times))
    return tuple(
        0 if n == 0 or k == 0 else None if n is None or k is None else n * k for n, k in zip(input_shape, times)
    )


@tile.grad
def _(op: Any, g: Any) -> Any:
    x, multiples = op.inputs
    sizes = functions.shape(x, out_type=multiples.dtype)
    # [repeats of axis 0, axis 0, repeats of axis 1, …]: every second axis is summed over.
    blocks = reshape(functions.transpose(functions.stack([multiples, sizes])), [-1])
    axes = functions.range(0, functions.size(blocks), 2)
    if isinstance(g, IndexedSlices):
        rows = functions.cast(sizes[0], g.indices.dtype)
        g = nodes.UnsortedSegmentSum(g.values, nodes.FloorMod(g.indices, rows), rows)
        blocks = functions.concat([[1], blocks[1:]], axis=0)
    dx = nodes.Sum(reshape(g, blocks), axes)
    dx.set_shape(x.raw_shape)
    return dx, None


@op("Transpose", out="y", gradient="dx = transpose(g)")
def transpose(xp: Any, x: Any_, perm: typevar("Tperm", INDEX, default=dtypes.int32)) -> Any_:
    """Reorders the axes: axis i of y is axis perm[i] of x: x [d...], perm [rank] -> y [d[perm[i]]...].

    Raises: InvalidArgumentError when perm is no permutation of the axes.
    """
    array = x if isinstance(x, np.ndarray) else as_array(x)
    return unwrapped(_turned(array, perm))


def _turned(array: Any, perm: Any) -> Any:
    needs_rank(perm, 1, "perm must be rank 1, got shape {shape}")
    order, rank = ints_of(perm), array.ndim
    # CuPy reverses the axes where none is named.
    if len(order) != rank:
        raise invalid(f"transpose expects a vector of size {rank}. But input(1) is a vector of size {len(order)}")
    try:
        return array.transpose(order)
    except ValueError:
        for i in order:
            if not -rank <= i < rank:
                raise invalid(f"{i + rank if i < 0 else i} is out of range [0 .. {rank})") from None
        for missing in set(range(rank)).difference(j % rank for j in order):
            raise invalid(f"{missing} is missing from {{{','.join(map(str, order))}}}.") from None
        raise


@transpose.shape
def _(x: Sym, perm: Sym) -> Shape:
    return _transposed(x, perm)


@transpose.grad
def _(op: Any, g: Any) -> Any:
    return functions.transpose(g, nodes.InvertPermutation(op.inputs[1])), None


@op("ConjugateTranspose", out="y", fresh=True)
def conjugate_transpose(xp: Any, x: Any_, perm: typevar("Tperm", INDEX, default=dtypes.int32)) -> Any_:
    """Transpose of the conjugated input: x [d...], perm [rank] -> y [d[perm[i]]...].

    Raises: InvalidArgumentError when perm is no permutation of the axes.
    """
    return _turned(np.conj(as_array(x)), perm)


conjugate_transpose.shape(lambda x, perm: _transposed(x, perm))


@conjugate_transpose.grad
def _(op: Any, g: Any) -> Any:
    return functions.transpose(g, nodes.InvertPermutation(op.inputs[1]), conjugate=True), None


def _transposed(x: Sym, perm: Sym) -> Shape:
    count = vector(perm)
    input_shape = x.shape
    if input_shape is not None:
        with_value(count, len(input_shape))
    if input_shape is None and count is not None and count < 2:
        # A perm of one element also fits a scalar.
        return None
    order = perm.value
    if order is None:
        if input_shape is not None:
            return (None,) * len(input_shape)
        return None if count is None else (None,) * count
    input_shape = of_rank(input_shape, len(order))
    for i in order.tolist():
        if not -len(order) <= i < len(order):
            raise ShapeMismatch(f"perm dim {i} is out of range of input rank {len(order)}")
    return tuple(input_shape[i] for i in order.tolist())


@op("ReverseV2", fresh=True)
def reverse_v2(
    xp: Any,
    tensor: typevar("T", kinds(
        "uint8 int8 uint16 int16 int32 uint32 int64 uint64 bool bfloat16 half float double complex64 complex128 string"
    )),
    axis: Tidx,
) -> "T":  # noqa: F821 # fmt: skip
    """Reverses the order along each axis listed: tensor [d...], axis [k] -> [d...].

    Raises: InvalidArgumentError for an axis outside the tensor or named twice.
    """
    array = as_array(tensor)
    if not array.ndim:
        return tensor
    needs_rank(axis, 1, "'dims' must be 1-dimension, not " + str(np.ndim(axis)))
    axes: list[int] = []
    for i in np.ravel(axis).tolist():
        at = axis_at(i, array.ndim, f"'axis'[0] = {i} is out of valid range [0, {array.ndim - 1}")
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
        axes = set()
        for i, at in enumerate(named.tolist()):
            if not -rank <= at < rank:
                raise ShapeMismatch(f"'axis'[{i}] = {at} is out of valid range [0, {rank - 1}")
            if at % rank in axes:
                raise ShapeMismatch(f"axis {at % rank} specified more than once.")
            axes.add(at % rank)
    return tensor.shape


@reverse_v2.grad
def _(op: Any, g: Any) -> Any:
    return reverse_v2(g, op.inputs[1]), None


@op("ReverseSequence", fresh=True)
def reverse_sequence(
    xp: Any,
    input: Any_,
    seq_lengths: typevar("Tlen", INDEX, default=dtypes.int64),
    *,
    seq_dim: int,
    batch_dim: int = 0,
) -> Any_:
    """Reverses the first seq_lengths[i] elements of example i: input [n, t, ...], seq_lengths [n] -> [n, t, ...];
    seq_dim and batch_dim say which axes are t and n.

    Raises: InvalidArgumentError for a length below 0 or above t.
    """
    rank = np.ndim(input)
    needs_rank(seq_lengths, 1, f"seq_lengths must be 1-dim, not {np.ndim(seq_lengths)}")
    for what, at in (("seq_dim", seq_dim), ("batch_dim", batch_dim)):
        if at < 0:
            raise invalid(f"Invalid {what} {at}")
        if at >= rank:
            raise invalid(f"{what} must be < input rank ( {at} vs. {rank})")
    if batch_dim == seq_dim:
        raise invalid(f"batch_dim == seq_dim == {seq_dim}")
    if len(seq_lengths) != input.shape[batch_dim]:
        both = f"({len(seq_lengths)} vs. {input.shape[batch_dim]})"
        raise invalid(f"Length of seq_lengths != input.dims({batch_dim}), {both}")
    array = np.moveaxis(xp.array(input, copy=True), (batch_dim, seq_dim), (0, 1))
    for i, n in enumerate(seq_lengths.tolist()):
        if n < 0:
            raise invalid(f"seq_lens({i}) < 0")
        if n > array.shape[1]:
            raise invalid(f"seq_lens({i}) > input.dims({seq_dim})")
        array[i, :n] = array[i, :n][::-1].copy()
    return np.moveaxis(array, (0, 1), (batch_dim, seq_dim))


@reverse_sequence.shape
def _(input: Sym, seq_lengths: Sym, *, seq_dim: int, batch_dim: int) -> Shape:
    count = vector(seq_lengths)
    input_shape = input.shape
    if input_shape is None:
        return None
    for what, at in (("batch_dim", batch_dim), ("seq_dim", seq_dim)):
        if at < 0 and what == "batch_dim":
            raise ShapeMismatch(f"{what} must be >=0, got {at}")
        if at >= len(input_shape):
            raise ShapeMismatch(f"{what} must be < input rank: {at} vs. {len(input_shape)}")
    examples = same(input_shape[batch_dim], count)
    return (*input_shape[:batch_dim], examples, *input_shape[batch_dim + 1 :])


@reverse_sequence.grad
def _(op: Any, g: Any) -> Any:
    return reverse_sequence(g, op.inputs[1], seq_dim=op.attrs["seq_dim"], batch_dim=op.attrs["batch_dim"]), None


@op("Roll", fresh=True)
def roll(xp: Any, input: Any_, shift: typevar("Tshift", INDEX), axis: typevar("Taxis", INDEX)) -> Any_:
    """Shifts the elements along axes, around the end: input [d...], shift and axis both scalars or both [k] -> [d...].

    Raises: InvalidArgumentError for an axis outside the input.
    """
    if not np.ndim(input):
        raise invalid("input must be 1-D or higher")
    for what, value in (("shift", shift), ("axis", axis)):
        if np.ndim(value) > 1:
            raise invalid(f"{what} must be a scalar or a 1-D vector. Found: {text_of(np.shape(value))}")
    if np.shape(shift) != np.shape(axis):
        raise invalid("shift and axis must have the same size")
    axes = np.ravel(axis).tolist()
    for at in axes:
        if not -input.ndim <= at < input.ndim:
            raise invalid(f"axis {at + input.ndim if at < 0 else at} is out of range")
    return np.roll(input, tuple(np.ravel(shift).tolist()), tuple(axes))


@roll.shape
def _(input: Sym, shift: Sym, axis: Sym) -> Shape:
    at_least(input.shape, 1)
    at_most(shift.shape, 1)
    at_most(axis.shape, 1)
    shapes.merge(shift.shape, axis.shape)
    return input.shape


@roll.grad
def _(op: Any, g: Any) -> Any:
    _, shift, axis = op.inputs
    return roll(g, -shift, axis), None, None


# -- making --------------------------------------------------------------------------------------------------------


@op("Fill", fresh=True)
def fill(xp: Any, dims: typevar("index_type", INDEX, default=dtypes.int32), value: Any_) -> Any_:
    """A tensor of one value: dims [rank], value scalar -> a tensor of shape `dims`.

    Raises: InvalidArgumentError for a negative size.
    """
    sizes, array = sizes_to_fill(dims, value), as_array(value).reshape(())
    return unwrapped(np.full(sizes, array, array.dtype))


def sizes_to_fill(dims: Any, value: Any) -> list[int]:
    """The shape that Fill gives.

    Raises: InvalidArgumentError for inputs of a wrong rank and for a negative size.
    """
    if np.ndim(dims) > 1:
        raise invalid(f"dims must represent a vector, got shape {text_of(np.shape(dims))}")
    if np.size(value) != 1:
        raise invalid(f"value must represent a scalar, got shape {text_of(np.shape(value))}")
    sizes: list[int] = np.ravel(dims).tolist()
    for n in sizes:
        if n < 0:
            raise invalid(f"Dimension {n} must be >= 0")
    return sizes


@fill.shape
def _(dims: Sym, value: Sym) -> Shape:
    vector(dims)
    scalar(value)
    known, wanted = dims.value, sizes_of(dims)
    if known is not None and (known < 0).any():
        raise ShapeMismatch("Fill dimensions must be >= 0")
    return wanted


fill.grad(lambda op, g: (None, sum_of(g)))


@op("ZerosLike", not_differentiable=NOT_OF_VALUES, out="y", shape=same_shape, fresh=True)
def zeros_like(xp: Any, x: Any_) -> Any_:
    """Zeros (empty strings, False) of the input's dtype."""
    if isinstance(x, bytes):
        return b""
    if x.dtype == object:
        return np.full(x.shape, b"", object)
    return xp.zeros(x.shape, x.dtype)[()]


@op("OnesLike", not_differentiable=NOT_OF_VALUES, out="y", shape=same_shape, fresh=True)
def ones_like(
    xp: Any,
    x: typevar("T", kinds(
        "bfloat16 half float double int8 uint8 int16 uint16 int32 uint32 int64 uint64 complex64 complex128 bool"
    )),
) -> "T":  # noqa: F821 # fmt: skip
    """Ones of the input's dtype."""
    return xp.ones(x.shape, x.dtype)[()]


@op("BroadcastTo")
def broadcast_to(xp: Any, input: Any_, shape: Tidx) -> Any_:
    """Repeats the input along axes of size 1 and new leading axes: input [d...], shape [rank] -> a tensor of that
    shape.

    Raises: InvalidArgumentError when the input does not broadcast to it.
    """
    needs_rank(shape, 1, "shape must be a vector of {{int32,int64}}, got shape {shape}")
    wanted = [int(n) for n in shape]
    for n in wanted:
        if n < 0:
            raise invalid(f"Dimension {n} must be >= 0")
    if math.prod(n or 1 for n in wanted) > _MOST_ELEMENTS:
        raise invalid(f"Shape {text_of(wanted)} would have more than 2**63 - 1 elements")
    if np.ndim(input) > len(wanted):
        raise invalid(
            f"Rank of input ({np.ndim(input)}) must be no greater than rank of output shape ({len(wanted)})."
        )
    try:
        return unwrapped(np.broadcast_to(as_array(input), wanted))
    except ValueError:
        raise invalid(f"Incompatible shapes: {text_of(np.shape(input))} vs. {text_of(wanted)}") from None


@broadcast_to.shape
def _(input: Sym, shape: Sym) -> Shape:
    vector(shape)
    wanted, input_shape = sizes_of(shape), input.shape
    if wanted is None or input_shape is None:
        return wanted
    at_most(input_shape, len(wanted))
    out = list(wanted)
    for i, (have, want) in enumerate(zip(input_shape[::-1], wanted[::-1]), 1):
        if have is not None and have > 1:
            out[-i] = same(have, want)
    return tuple(out)


@broadcast_to.grad
def _(op: Any, g: Any) -> Any:
    x, target = op.inputs
    sizes = functions.shape(x)
    _, axes = nodes.BroadcastGradientArgs(target, sizes)
    return reshape(nodes.Sum(g, axes, keep_dims=True), sizes), None


Sizes = typevar("T", INDEX, default=dtypes.int32)


@op("BroadcastArgs", out="r0", fresh=True)
def broadcast_args(xp: Any, s0: Sizes, s1: Sizes) -> Sizes:
    """The shape that two shapes broadcast to: s0 [m], s1 [n] -> r0 [max(m, n)].

    Raises: InvalidArgumentError when they do not broadcast.
    """
    needs_rank(s0, 1, "In[0] must be a vector.{shape}")
    needs_rank(s1, 1, "In[1] must be a vector.{shape}")
    try:
        return np.array(shapes.broadcast(tuple(s0.tolist()), tuple(s1.tolist())), s0.dtype).reshape(-1)
    except ShapeMismatch:
        raise invalid(f"Incompatible shapes: {text_of(s0.tolist())} vs. {text_of(s1.tolist())}") from None


@broadcast_args.shape
def _(s0: Sym, s1: Sym) -> Shape:
    a, b = vector(s0), vector(s1)
    return (None if a is None or b is None else max(a, b),)
