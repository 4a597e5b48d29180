"""`tf.shape`, `tf.reshape`, `tf.concat`, `tf.zeros` …: functions of a tensor as a whole, as in TF 1.15.

Each function builds the nodes that TF builds, under the same names. Answers that are known already become constants:
`shape(x)` of a fully known shape is a Const. No state.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...base import dtypes, shapes
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_raw, as_shape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.composites import SparseTensor
from ...op.constant import constant
from ...ops import array as ops
from ...ops import basic as basic_ops
from ...ops import gather as gather_ops
from ...ops import math as math_ops
from ...ops import padding as padding_ops
from ...ops import reduce as reduce_ops
from ...ops import sequences as sequence_ops
from ..control.grouping import identity
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named

newaxis = None

# -- one op each ---------------------------------------------------------------------------------------------------

stop_gradient = basic_ops.stop_gradient
bitcast, broadcast_to, check_numerics = ops.bitcast, ops.broadcast_to, gather_ops.check_numerics
fill, tile, roll = ops.fill, ops.tile, ops.roll
reverse, reverse_v2 = ops.reverse_v2, ops.reverse_v2


# -- questions about a shape ---------------------------------------------------------------------------------------


@atomic
def shape(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The shape of the input as a vector [rank]; a Const where it is fully known."""
    with named(name, "Shape", [input]) as scope:
        if isinstance(input, SparseTensor):
            return math_ops.cast(input.dense_shape, DstT=as_dtype(out_type))
        input = convert_to_tensor(input)
        if shapes.is_full(input.raw_shape):
            return constant(list(input.raw_shape or ()), as_dtype(out_type), name=scope)
        return ops.shape(input, out_type=as_dtype(out_type), name=scope)


def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Tensor]:
    """The shapes of n inputs: n vectors [rank]."""
    out: list[Tensor] = ops.shape_n(input, out_type=as_dtype(out_type), name=name)
    return out


@atomic
def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The number of elements, a scalar; a Const where it is known."""
    with named(name, "Size", [input]) as scope:
        if isinstance(input, SparseTensor):
            sizes = math_ops.cast(input.dense_shape, DstT=as_dtype(out_type))
            return reduce_ops.prod(sizes, 0, name=scope)
        input = convert_to_tensor(input)
        raw = input.raw_shape
        if shapes.is_full(raw) or (raw and 0 in raw):
            return constant(shapes.num_elements(raw) or 0, as_dtype(out_type), name=scope)
        return ops.size(input, out_type=as_dtype(out_type), name=scope)


@atomic
def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes, a scalar; a Const where it is known."""
    with named(name, "Rank", [input]) as scope:
        if isinstance(input, SparseTensor):
            return ops.size(input.dense_shape, name=scope)
        input = convert_to_tensor(input)
        if input.raw_shape is not None:
            return constant(len(input.raw_shape), dtypes.int32, name=scope)
        return ops.rank(input, name=scope)


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two static shapes broadcast to: [3, 1] and [4] -> [3, 4].

    Raises: ValueError when they are incompatible.
    """
    first, second = as_shape(shape_x), as_shape(shape_y)
    try:
        return TensorShape.of(shapes.broadcast(first.raw, second.raw))
    except shapes.ShapeMismatch:
        raise ValueError(f"Incompatible shapes for broadcasting: {first} and {second}") from None


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape [max(m, n)] that the shape tensors [m] and [n] broadcast to."""
    out: Tensor = ops.broadcast_args(shape_x, shape_y)
    return out


# -- making --------------------------------------------------------------------------------------------------------

_SMALL = 1000  # elements; larger tensors become a Fill node instead of a Const, so that the graph stays small


def _filled(value: Any, shape: Any, dtype: Any, scope: str) -> Tensor:
    if not isinstance(shape, Tensor) and not hasattr(shape, "_as_graph_element"):
        try:
            raw = as_raw(shape)
            count = None if isinstance(shape, int) else shapes.num_elements(raw)
            if count is not None and count < _SMALL:
                return constant(value, shape=raw, dtype=dtype, name=scope)
            shape = convert_to_tensor(TensorShape.of(raw), dtypes.int32, name="shape_as_tensor")
        except (TypeError, ValueError):
            # There is a tensor among the sizes.
            shape = convert_to_tensor(shape, dtype=dtypes.int32)
    if not isinstance(shape, Tensor):
        shape = convert_to_tensor(shape)
    if shape.raw_shape is None or not shape.raw_shape:
        shape = reshape(shape, [-1])
    out: Tensor = ops.fill(shape, constant(value, dtype=dtype), name=scope)
    return out


@atomic
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Zeros [shape]; False for bool, empty strings for string."""
    kind = as_dtype(dtype).base_dtype
    with named(name, "zeros", [shape]) as scope:
        return _filled(
            False if kind is dtypes.bool else "" if kind is dtypes.string else 0, shape, kind, scope
        )


@atomic
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Ones [shape]; True for bool."""
    kind = as_dtype(dtype).base_dtype
    with named(name, "ones", [shape]) as scope:
        return _filled(True if kind is dtypes.bool else 1, shape, kind, scope)


@atomic
def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Zeros of the tensor's shape [...] and, unless set, its dtype."""
    with named(name, "zeros_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        wanted = None if dtype is None else as_dtype(dtype)
        if optimize and shapes.is_full(tensor.raw_shape) and tensor.dtype.base_dtype is not dtypes.variant:
            return zeros(tensor.shape, dtype=wanted or tensor.dtype, name=scope)
        if wanted is not None and wanted is not tensor.dtype.base_dtype:
            out = zeros(_shape_of(tensor, optimize), dtype=wanted, name=scope)
            out.set_shape(tensor.shape)
            return out
        return ops.zeros_like(tensor, name=scope)


@atomic
def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Ones of the tensor's shape [...] and, unless set, its dtype."""
    with named(name, "ones_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        sizes = _shape_of(tensor, optimize)
        out = ones(sizes, dtype=tensor.dtype if dtype is None else dtype, name=scope)
        out.set_shape(tensor.shape)
        return out


def _shape_of(tensor: Tensor, optimize: bool) -> Tensor:
    if optimize:
        return shape(tensor)
    out: Tensor = ops.shape(tensor, out_type=dtypes.int32)
    return out


# -- the same elements in another shape ----------------------------------------------------------------------------


_INT32_LIMIT = 2**31  # the first index that does not fit into int32


def as_vector(value: Any) -> Any:
    """A list of plain ints as an int32 array, which converts to a constant faster; any other value unchanged."""
    if type(value) in (list, tuple) and value and all(type(x) is int and -_INT32_LIMIT <= x < _INT32_LIMIT for x in value):
        return np.array(value, np.int32)
    return value


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The elements [...] in row-major order as [shape]; one size may be -1 and is computed.

    Raises: ValueError when the numbers of elements differ.
    """
    out: Tensor = ops.reshape(tensor, as_vector(shape), name=name)
    return out


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """The input with a new axis of size 1: [h, w] with axis 0 -> [1, h, w].

    Raises: ValueError without an axis.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    out: Tensor = ops.expand_dims(input, axis, name=name)
    return out


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    """The input without all axes of size 1, or without the listed ones: [n, 1, c] -> [n, c].

    Raises: TypeError for an axis that is not an int, ValueError for a listed axis of another size.
    """
    axis = renamed("axis", axis, "squeeze_dims", squeeze_dims)
    if np.isscalar(axis):
        axis = [axis]
    axes = [] if axis is None else list(axis)
    for at in axes:
        if not isinstance(at, int | np.integer):
            raise TypeError(f"Expected int for argument 'axis' not {at!r}.")
    out: Tensor = ops.squeeze(input, squeeze_dims=axes, name=name)
    return out


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """`x` with the static shape merged with `shape`, such as [None, 3]; the run checks it.

    Raises: ValueError when the static shapes are incompatible.
    """
    out: Tensor = ops.ensure_shape(x, shape=as_raw(shape), name=name)
    return out


@atomic
def transpose(a: Any, perm: Any = None, name: str | None = "transpose", conjugate: bool = False) -> Tensor:
    """The axes in the order `perm` [rank], by default reversed: [m, n] -> [n, m].

    conjugate: also conjugate complex elements.
    """
    with named(name, "transpose", [a]) as scope:
        a = convert_to_tensor(a, name="a")
        if perm is None:
            if a.raw_shape:
                perm = np.arange(len(a.raw_shape))[::-1]
            else:
                count = ops.rank(a)
                last = math_ops.sub(count, 1, name="sub")
                perm = math_ops.sub(last, sequence_ops.range_(0, count, 1), name="sub")
        op_caller = ops.conjugate_transpose if conjugate and a.dtype.is_complex else ops.transpose
        return op_caller(a, perm, name=scope)


@atomic
def matrix_transpose(a: Any, name: str | None = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """The last two axes exchanged: [..., m, n] -> [..., n, m].

    Raises: ValueError for a rank below 2.
    """
    with named(name, "matrix_transpose", [a]):
        a = convert_to_tensor(a, name="a")
        raw = a.raw_shape
        if raw is not None:
            if len(raw) < 2:
                raise ValueError(
                    f"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: {a.shape}"
                )
            perm: Any = [*builtins.range(len(raw) - 2), len(raw) - 1, len(raw) - 2]
        else:
            count = rank(a)
            front = sequence_ops.range_(0, math_ops.sub(count, 2, name="sub"), 1)
            ends = [math_ops.sub(count, 1, name="sub"), math_ops.sub(count, 2, name="sub")]
            perm = concat((front, ends), 0)
        return transpose(a, perm=perm, conjugate=conjugate)


# -- joining -------------------------------------------------------------------------------------------------------


def concat(values: Any, axis: Any, name: str | None = "concat") -> Tensor:
    """The values joined along an existing axis: [a, n] and [b, n] with axis 0 -> [a + b, n].

    Raises: ValueError for an empty list and for incompatible shapes.
    """
    if not isinstance(values, list | tuple):
        values = [values]
    if not values:
        raise ValueError(
            "List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2."
        )
    if len(values) == 1:
        return _concat_one(values[0], axis, name)
    out: Tensor = ops.concat_v2(list(values), axis, name=name)
    return out


@atomic
def _concat_one(value: Any, axis: Any, name: str | None) -> Tensor:
    with named(name, "concat"):
        place = convert_to_tensor(axis, name="concat_dim", dtype=dtypes.int32)
        try:
            place.shape.assert_has_rank(0)
        except ValueError as error:
            raise ValueError(
                error_text(str(error), [place], fix="the values come first: tf.concat([a, b], axis)")
            ) from None
        return identity(value, name=name)


@atomic
def stack(values: Any, axis: int = 0, name: str | None = "stack") -> Tensor:
    """The values joined along a new axis: k values [...] with axis 0 -> [k, ...].

    Raises: ValueError for an axis outside the result's rank.
    """
    if axis == 0:
        try:
            return convert_to_tensor(values, name=name)
        except (TypeError, ValueError):
            # Not all are literals of one shape: the op says what is wrong.
            pass
    raw = convert_to_tensor(values[0], name=name).raw_shape
    if raw is not None and not -len(raw) - 1 <= axis <= len(raw):
        raise ValueError(f"axis = {axis} not in [{-len(raw) - 1}, {len(raw) + 1})")
    return basic_ops.pack(list(values), axis=axis, name=name)


def parallel_stack(values: Any, name: str | None = "parallel_stack") -> Tensor:
    """k tensors of one known shape [...], joined along a new first axis: [k, ...]."""
    with named(name, "parallel_stack"):
        first = convert_to_tensor(values[0])
        stacked_shape = TensorShape([len(values)]).concatenate(first.shape)
        return ops.parallel_concat([expand_dims(value, 0) for value in values], shape=stacked_shape)


# -- padding, turning ----------------------------------------------------------------------------------------------


@atomic
def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    """The tensor with paddings [rank, 2] before and after each axis: a constant, or its own reflection.

    mode: "CONSTANT", "REFLECT" (without the edge) or "SYMMETRIC" (with the edge).

    Raises: ValueError for another mode.
    """
    kind = mode.upper()
    if kind == "CONSTANT":
        if (
            isinstance(constant_values, Tensor)
            or np.ndim(constant_values)
            or constant_values not in (0, "", b"")
        ):
            return padding_ops.pad_v2(tensor, paddings, constant_values, name=name)
        return padding_ops.pad(tensor, paddings, name=name)
    if kind not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f"Unknown padding mode: {mode}")
    return padding_ops.mirror_pad(tensor, paddings, mode=kind, name=name)


def reverse_sequence(
    input: Any,
    seq_lengths: Any,
    seq_axis: Any = None,
    batch_axis: Any = None,
    name: str | None = None,
    seq_dim: Any = None,
    batch_dim: Any = None,
) -> Tensor:
    """Reverses the first seq_lengths[i] elements along seq_axis of example i; the shape [n, t, ...] stays."""
    seq_axis_value = renamed("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch_axis_value = renamed("batch_axis", batch_axis, "batch_dim", batch_dim)
    out: Tensor = ops.reverse_sequence(input, seq_lengths, seq_dim=seq_axis_value, batch_dim=batch_axis_value or 0, name=name)
    return out


