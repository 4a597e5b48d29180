"""`tf.shape`, `tf.reshape`, `tf.concat`, `tf.zeros` …: functions of a tensor as a whole, as in TF 1.15.

Each function builds the nodes that TF builds, under the same names. Answers that are known already become constants:
`shape(x)` of a fully known shape is a Const. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes, shapes
from ...base.dtypes import as_dtype
from ...base.shapes import TensorShape, as_raw, as_shape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op import matrix_functions
from ...op import tensor_functions as functions
from ...op.infer import partial_rows
from ...ops import array as ops
from ...ops import basic as basic_ops
from ...ops import gather as gather_ops
from ...ops import joining as joining_ops
from ...ops import padding as padding_ops
from ..framework.dispatch import takes_ragged
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named

newaxis = None

# -- one op each ---------------------------------------------------------------------------------------------------

stop_gradient = basic_ops.stop_gradient
bitcast, broadcast_to, check_numerics = ops.bitcast, ops.broadcast_to, takes_ragged(gather_ops.check_numerics)
fill, tile, roll = ops.fill, takes_ragged(ops.tile), ops.roll
reverse, reverse_v2 = ops.reverse_v2, ops.reverse_v2

# -- those that gradient rules use too -----------------------------------------------------------------------------

shape, size, rank = functions.shape, takes_ragged(functions.size), takes_ragged(functions.rank)
zeros, ones = functions.zeros, functions.ones
zeros_like, ones_like = map(takes_ragged, (functions.zeros_like, functions.ones_like))
concat, stack, transpose = takes_ragged(functions.concat), takes_ragged(functions.stack), functions.transpose
matrix_transpose = matrix_functions.matrix_transpose


# -- questions about a shape ---------------------------------------------------------------------------------------


def size_along(tensor: Any, axis: int) -> Any:
    """The size of an axis: a number where the shape is known, else a tensor."""
    known = as_raw(tensor.shape)
    size = None if known is None else known[axis]
    return shape(tensor)[axis] if size is None else size


def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Tensor]:
    """The shapes of n inputs: n vectors [rank]."""
    out: list[Tensor] = ops.shape_n(input, out_type=as_dtype(out_type), name=name)
    return out


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


@takes_ragged
def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """The input with a new axis of size 1: [h, w] with axis 0 -> [1, h, w].

    Raises: ValueError without an axis.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    out: Tensor = ops.expand_dims(input, axis, name=name)
    return out


@takes_ragged
def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    """The input without all axes of size 1, or without the listed ones: [n, 1, c] -> [n, c].

    Raises: TypeError for an axis that is not an int, ValueError for a listed axis of another size.
    """
    axis = renamed("axis", axis, "squeeze_dims", squeeze_dims)
    if np.isscalar(axis):
        axis = [axis]
    axes = [] if axis is None else list(axis)
    for listed_axis in axes:
        if not isinstance(listed_axis, int | np.integer):
            raise TypeError(f"Expected int for argument 'axis' not {listed_axis!r}.")
    out: Tensor = ops.squeeze(input, squeeze_dims=axes, name=name)
    return out


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """`x` with the static shape merged with `shape`, such as [None, 3]; the run checks it.

    Raises: ValueError when the static shapes are incompatible.
    """
    out: Tensor = ops.ensure_shape(x, shape=as_raw(shape), name=name)
    return out


# -- joining -------------------------------------------------------------------------------------------------------


def parallel_stack(values: Any, name: str | None = "parallel_stack") -> Tensor:
    """k tensors of one known shape [...], joined along a new first axis: [k, ...]."""
    with named(name, "parallel_stack"):
        first = convert_to_tensor(values[0])
        stacked_shape = TensorShape([len(values)]).concatenate(first.shape)
        return joining_ops.parallel_concat([expand_dims(value, 0) for value in values], shape=stacked_shape)


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
    padded: Tensor
    if kind == "CONSTANT":
        if (
            isinstance(constant_values, Tensor)
            or np.ndim(constant_values)
            or constant_values not in (0, "", b"")
        ):
            padded = padding_ops.pad_v2(tensor, paddings, constant_values, name=name)
        else:
            padded = padding_ops.pad(tensor, paddings, name=name)
    elif kind in ("REFLECT", "SYMMETRIC"):
        padded = padding_ops.mirror_pad(tensor, paddings, mode=kind, name=name)
    else:
        raise ValueError(f"Unknown padding mode: {mode}")
    _keep_known_sizes(padded)
    return padded


def _keep_known_sizes(padded: Tensor) -> None:
    """Sets the sizes that follow from those rows of packed paddings [rank, 2] that are constant."""
    input_shape, rows = padded.op.inputs[0].raw_shape, partial_rows(padded.op.inputs[1])
    if shapes.is_full(padded.raw_shape) or input_shape is None or rows is None:
        return
    sizes: list[int | None] = []
    for size, around in zip(input_shape, rows):
        open_row = size is None or around is None or None in around
        sizes.append(None if open_row else size + sum(around))  # type: ignore[arg-type, operator]
    padded.set_shape(sizes)


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


