"""Gradients of ops that pass on, re-arrange, join, cut and pick: what went one way comes back the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtypes
from ...base.shapes import is_full
from ...lib.arrays import array, selection, sequences
from ...lib.arrays import slicing as lib_slicing
from ...lib.math import math, reductions
from ...lib.variables import scatter as lib_scatter
from ...lib.variables import state as lib_state
from ...op.composites import IndexedSlices
from ...op.constant import constant
from ...op.infer import constant_value
from ...ops import array as ops
from ...ops import basic, blocks, gradient_ops, scatter, slicing
from ...ops import gather as gather_ops
from ...ops import padding as padding_ops
from ...ops import reduce as ops_reduce
from ...ops import state as state_ops

# -- passing on ------------------------------------------------------------------------------------------------------------

for _caller in (basic.identity, basic.placeholder_with_default, state_ops.ref_identity):
    _caller.grad(lambda op, g: g)
basic.identity_n.grad(lambda op, *gs: gs)
state_ops.read_variable.grad(lambda op, g: g)


@basic.prevent_gradient.grad
def _(op: Any, g: Any) -> Any:
    raise LookupError(f"Gradient explicitly disabled. Reason: {op.attrs['message']!r}")


@gather_ops.check_numerics.grad
def _(op: Any, g: Any) -> Any:
    message = op.attrs["message"]
    text = message.decode("utf-8", "replace") if isinstance(message, bytes) else message
    return array.check_numerics(g, f"Not a number (NaN) or infinity (Inf) values detected in gradient. {text}")


# -- other shapes ------------------------------------------------------------------------------------------------------------


def _as_input(op: Any, g: Any) -> Any:
    return array.reshape(g, array.shape(op.inputs[0]))


ops.reshape.grad(lambda op, g: (_as_input(op, g), None))
ops.expand_dims.grad(lambda op, g: (_as_input(op, g), None))
ops.squeeze.grad(_as_input)
ops.fill.grad(lambda op, g: (None, reductions.reduce_sum(g)))


@ops.transpose.grad
def _(op: Any, g: Any) -> Any:
    return array.transpose(g, math.invert_permutation(op.inputs[1])), None


@ops.tile.grad
def _(op: Any, g: Any) -> Any:
    x, multiples = op.inputs
    shape = array.shape(x, out_type=multiples.dtype)
    # [repeats of axis 0, axis 0, repeats of axis 1, …]: every second axis is summed over.
    blocks = array.reshape(array.transpose(array.stack([multiples, shape])), [-1])
    axes = sequences.range(0, array.size(blocks), 2)
    if isinstance(g, IndexedSlices):
        rows = math.cast(shape[0], g.indices.dtype)
        g = reductions.unsorted_segment_sum(g.values, math.mod(g.indices, rows), rows)
        blocks = array.concat([[1], blocks[1:]], axis=0)
    dx = reductions.reduce_sum(array.reshape(g, blocks), axes)
    dx.set_shape(x.raw_shape)
    return dx, None


@ops.conjugate_transpose.grad
def _(op: Any, g: Any) -> Any:
    return array.transpose(g, math.invert_permutation(op.inputs[1]), conjugate=True), None


@ops.broadcast_to.grad
def _(op: Any, g: Any) -> Any:
    x, wanted = op.inputs
    shape = array.shape(x)
    _, axes = gradient_ops.broadcast_gradient_args(wanted, shape)
    return array.reshape(reductions.reduce_sum(g, axis=axes, keepdims=True), shape), None


@ops.reverse_v2.grad
def _(op: Any, g: Any) -> Any:
    return array.reverse_v2(g, op.inputs[1]), None


@ops.reverse_sequence.grad
def _(op: Any, g: Any) -> Any:
    batch, seq = op.attrs["batch_dim"], op.attrs["seq_dim"]
    return array.reverse_sequence(g, batch_axis=batch, seq_axis=seq, seq_lengths=op.inputs[1]), None


@ops.roll.grad
def _(op: Any, g: Any) -> Any:
    _, shift, axis = op.inputs
    return ops.roll(g, -shift, axis), None, None


@ops.ensure_shape.grad
def _(op: Any, g: Any) -> Any:
    return array.reshape(g, array.shape(op.inputs[0]))


blocks.space_to_batch_nd.grad(lambda op, g: (blocks.batch_to_space_nd(g, *op.inputs[1:]), None, None))
blocks.batch_to_space_nd.grad(lambda op, g: (blocks.space_to_batch_nd(g, *op.inputs[1:]), None, None))


def _opposite(caller: Any, other: Any) -> None:
    def rule(op: Any, g: Any) -> Any:
        return other(g, block_size=op.attrs["block_size"], data_format=op.attrs["data_format"])

    caller.grad(rule)


def _square(caller: Any, other: Any) -> None:
    def rule(op: Any, g: Any) -> Any:
        return other(g, op.inputs[1], block_size=op.attrs["block_size"]), None

    caller.grad(rule)


_square(blocks.space_to_batch, blocks.batch_to_space)
_square(blocks.batch_to_space, blocks.space_to_batch)
_opposite(blocks.space_to_depth, blocks.depth_to_space)
_opposite(blocks.depth_to_space, blocks.space_to_depth)


# -- joining and cutting -------------------------------------------------------------------------------------------------------


@basic.pack.grad
def _(op: Any, g: Any) -> Any:
    return lib_slicing.unstack(g, num=op.attrs["N"], axis=op.attrs["axis"])


@slicing.unpack.grad
def _(op: Any, *gs: Any) -> Any:
    return array.stack(gs, axis=op.attrs["axis"])


@slicing.split.grad
def _(op: Any, *gs: Any) -> Any:
    return None, array.concat(list(gs), op.inputs[0])


@slicing.split_v.grad
def _(op: Any, *gs: Any) -> Any:
    return array.concat(list(gs), op.inputs[2]), None, None


@slicing.slice_.grad
def _(op: Any, g: Any) -> Any:
    x, begin, _ = op.inputs
    rank = array.rank(x)
    size = array.shape(op.outputs[0])
    column = array.stack([rank, 1])
    before = array.reshape(begin, column)
    after = array.reshape(array.shape(x) - size - begin, column)
    return array.pad(g, array.concat([before, after], 1)), None, None


def _parts(op: Any, g: Any, axis: Any, values: Sequence[Any]) -> list[Any]:
    """The parts of a concatenation's gradient."""
    if len(values) == 1:
        return [g]
    at = axis % array.rank(values[0])
    if isinstance(g, IndexedSlices):
        return _parts_of_rows(g, axis, at, values)
    sizes: Any = []
    for value in values:
        sizes.append(array.shape(value))
        if not is_full(value.raw_shape):
            sizes = array.shape_n(values)  # TF leaves those that it has asked for by then
            break
    if len(sizes) > 16:
        lengths = array.squeeze(lib_slicing.slice(array.stack(sizes, axis=1), [at, 0], [1, -1]))
        found: list[Any] = lib_slicing.split(g, lengths, at)
        return found
    return [lib_slicing.slice(g, begin, size) for begin, size in zip(gradient_ops.concat_offset(at, sizes), sizes)]


def _parts_of_rows(g: IndexedSlices, axis: Any, at: Any, values: Sequence[Any]) -> list[Any]:
    known = constant_value(axis)
    if known is None:
        raise ValueError("Can only compute IndexedSlices gradient with statically-known concat_dim")
    if known < 0:
        if values[0].raw_shape is None:
            raise ValueError(
                "Can only compute IndexedSlices gradient with negative concat_dim when first value rank is statically-known."
            )
        known %= len(values[0].raw_shape)
    sizes = [array.shape(v) for v in values]
    found: list[Any] = []
    if known > 0:
        rank = array.shape(sizes[0])
        mask = array.concat([array.fill(array.expand_dims(at, 0), 0), [1], array.fill(rank - at - 1, 0)], 0)
        begin = array.fill(rank, 0)
        for size in sizes:
            tail = array.concat([[-1], lib_slicing.slice(size, [1], [-1])], 0)
            found.append(IndexedSlices(lib_slicing.slice(g.values, begin, tail), g.indices, size))
            begin = math.add(begin, size * mask)
        return found
    start: Any = constant(0, dtype=g.indices.dtype.base_dtype)
    for size in sizes:
        end = start + math.cast(selection.gather(size, at), g.indices.dtype)
        chosen = array.squeeze(selection.where(math.logical_and(g.indices >= start, g.indices < end)), axis=[1])
        indices = selection.gather(g.indices, chosen) - start
        found.append(IndexedSlices(selection.gather(g.values, chosen), indices, size))
        start = end
    return found


@ops.concat_v2.grad
def _(op: Any, g: Any) -> Any:
    return [*_parts(op, g, op.inputs[-1], op.inputs[:-1]), None]


@ops.concat.grad
def _(op: Any, g: Any) -> Any:
    return [None, *_parts(op, g, op.inputs[0], op.inputs[1:])]


def _of_pad(op: Any, g: Any) -> Any:
    x, paddings = op.inputs[:2]
    before = lib_slicing.slice(paddings, [0, 0], array.stack([array.rank(x), 1]))
    dx = lib_slicing.slice(g, array.reshape(before, [-1]), array.shape(x))
    return (dx, *[None] * (len(op.inputs) - 1))


padding_ops.pad.grad(_of_pad)
padding_ops.pad_v2.grad(_of_pad)


@padding_ops.mirror_pad.grad
def _(op: Any, g: Any) -> Any:
    return gradient_ops.mirror_pad_grad(g, op.inputs[1], mode=op.attrs["mode"]), None


@gradient_ops.mirror_pad_grad.grad
def _(op: Any, g: Any) -> Any:
    return padding_ops.mirror_pad(g, op.inputs[1], mode=op.attrs["mode"]), None


_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


@slicing.strided_slice.grad
def _(op: Any, g: Any) -> Any:
    x, begin, end, strides = op.inputs
    masks = {name: op.attrs[name] for name in _MASKS}
    shape = array.shape(x, out_type=begin.dtype)
    return gradient_ops.strided_slice_grad(shape, begin, end, strides, g, **masks), None, None, None


@gradient_ops.strided_slice_grad.grad
def _(op: Any, g: Any) -> Any:
    masks = {name: op.attrs[name] for name in _MASKS}
    return None, None, None, None, slicing.strided_slice(g, *op.inputs[1:4], **masks)


# -- placing -----------------------------------------------------------------------------------------------------------------


@scatter.scatter_nd.grad
def _(op: Any, g: Any) -> Any:
    return None, selection.gather_nd(g, op.inputs[0]), None


@scatter.tensor_scatter_update.grad
def _(op: Any, g: Any) -> Any:
    indices, updates = op.inputs[1:]
    zeros = array.zeros_like(updates, dtype=g.dtype.base_dtype)
    return scatter.tensor_scatter_update(basic.identity(g), indices, zeros), None, selection.gather_nd(g, indices)


scatter.tensor_scatter_add.grad(lambda op, g: (basic.identity(g), None, selection.gather_nd(g, op.inputs[1])))
scatter.tensor_scatter_sub.grad(lambda op, g: (basic.identity(g), None, -selection.gather_nd(g, op.inputs[1])))
scatter.scatter_nd_non_aliasing_add.grad(lambda op, g: (g, None, selection.gather_nd(g, op.inputs[1])))


@gather_ops.dynamic_partition.grad
def _(op: Any, *gs: Any) -> Any:
    data, partitions = op.inputs
    shape = array.shape(partitions)
    places = array.reshape(sequences.range(reductions.reduce_prod(shape)), shape)
    parts = selection.dynamic_partition(places, partitions, op.attrs["num_partitions"])
    return array.reshape(gather_ops.dynamic_stitch(parts, list(gs)), array.shape(data)), None


def _of_stitch(op: Any, g: Any) -> Any:
    count = len(op.inputs) // 2
    indices = [math.cast(i, dtypes.int32) for i in op.inputs[:count]]
    if isinstance(g, IndexedSlices):
        rows = op.outputs[0].raw_shape[0] if is_full(op.outputs[0].raw_shape) else array.shape(op.outputs[0])[0]
        g = reductions.unsorted_segment_sum(g.values, g.indices, rows)
    return [*[None] * count, *[selection.gather(g, i) for i in indices]]


gather_ops.dynamic_stitch.grad(_of_stitch)
gather_ops.parallel_dynamic_stitch.grad(_of_stitch)


# -- picking -------------------------------------------------------------------------------------------------------------------


def _rows(params: Any, indices: Any, g: Any) -> IndexedSlices:
    """The gradient of picked rows: the rows that were picked."""
    with params.graph.colocate_with(params):
        shape = math.cast(array.shape(params, out_type=dtypes.int64), dtypes.int32)
    count = array.expand_dims(array.size(indices), 0)
    values = array.reshape(g, array.concat([count, shape[1:]], 0))
    return IndexedSlices(values, array.reshape(indices, count), shape)


gather_ops.gather.grad(lambda op, g: (_rows(op.inputs[0], op.inputs[1], g), None))


def _batched(shape: Any, values: Any, indices: Any, batch: int, length: Any) -> Any:
    """What went to which row, added up; the first `batch` axes of both go together."""
    count = array.expand_dims(array.size(indices), 0)
    if batch:
        sizes = array.shape(values)
        outer, inner = sizes[:batch], sizes[batch:][1:]
        flat = array.concat([[-1], inner], 0)
        length = length * ops_reduce.prod(outer, [0])
        indices = _offset(shape, indices, batch)
        values = array.reshape(values, flat)
    found = reductions.unsorted_segment_sum(values, array.reshape(indices, count), length)
    return array.reshape(found, array.concat([outer, flat], 0)) if batch else found


def _offset(shape: Any, indices: Any, batch: int) -> Any:
    """Indices of each batch's own rows, as indices of all rows under each other."""
    kind, rank = indices.dtype.base_dtype, len(indices.raw_shape)
    sizes = math.cast(shape, kind)
    found, step = indices, array.ones((), dtype=kind)
    for axis in range(batch, 0, -1):
        count = sizes[axis - 1]
        step = step * sizes[axis]
        starts = sequences.range(array.zeros((), dtype=kind), count, array.ones((), dtype=kind)) * step
        spread = array.stack([1] * (axis - 1) + [count] + [1] * (rank - axis), axis=0)
        found = found + array.reshape(starts, spread)
    return found


@gather_ops.gather_v2.grad
def _(op: Any, g: Any) -> Any:
    params, indices, axis = op.inputs
    batch = op.attrs["batch_dims"]
    if batch < 0:
        batch += len(indices.raw_shape)
    if constant_value(axis) == 0:
        return _rows(params, indices, g), None, None
    with params.graph.colocate_with(params):
        shape = math.cast(array.shape(params, out_type=dtypes.int64), dtypes.int32)
    outer, inner = shape[:axis], shape[axis:][1:]
    sizes = array.concat([outer, [-1], inner], 0)
    rank, place = array.size(sizes), array.size(outer)
    first, middle, last = sequences.range(batch), sequences.range(batch, place), sequences.range(place + 1, rank)
    values = array.reshape(g, sizes)
    moved = array.transpose(values, array.concat([first, [place], middle, last], 0))
    found = _batched(shape, moved, indices, batch, shape[axis])
    back = array.concat([first, middle + 1, [batch], last], 0)
    return array.transpose(found, back), None, None


def _places(shape: Any, indices: Any, g: Any) -> Any:
    """The gradient of what was picked by places."""
    known = indices.raw_shape
    if known is not None and len(known) == 2 and known[1] == 1:
        return IndexedSlices(g, array.squeeze(indices, axis=-1), shape)
    return lib_scatter.scatter_nd(indices, g, shape)


@gather_ops.gather_nd.grad
def _(op: Any, g: Any) -> Any:
    params, indices = op.inputs
    return _places(array.shape(params, out_type=indices.dtype), indices, g), None


@scatter.resource_gather_nd.grad
def _(op: Any, g: Any) -> Any:
    handle, indices = op.inputs
    return _places(state_ops.variable_shape(handle, out_type=indices.dtype), indices, g), None


@scatter.resource_gather.grad
def _(op: Any, g: Any) -> Any:
    handle, indices = op.inputs
    shape = lib_state.variable_shape(handle)
    count = array.expand_dims(array.size(indices), 0)
    values = array.reshape(g, array.concat([count, shape[1:]], 0))
    return IndexedSlices(values, array.reshape(indices, count), shape), None
