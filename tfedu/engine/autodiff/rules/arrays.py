"""Gradients of ops that pass on, re-arrange, join, cut and pick: what went one way comes back the other."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...lib import array, math
from ...ops import array as ops
from ...ops import basic, scatter, slicing
from ...ops import gather as gather_ops
from ...ops import state as state_ops
from ...ops.composites import IndexedSlices
from ...ops.infer import constant_value

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
ops.fill.grad(lambda op, g: (None, math.reduce_sum(g)))


@ops.transpose.grad
def _(op: Any, g: Any) -> Any:
    return array.transpose(g, math.invert_permutation(op.inputs[1])), None


@ops.tile.grad
def _(op: Any, g: Any) -> Any:
    x, multiples = op.inputs
    shape = array.shape(x, out_type=multiples.dtype)
    # [repeats of axis 0, axis 0, repeats of axis 1, …]: every second axis is summed over.
    blocks = array.reshape(array.transpose(array.stack([multiples, shape])), [-1])
    axes = math.range(0, array.size(blocks), 2)
    if isinstance(g, IndexedSlices):
        rows = math.cast(shape[0], g.indices.dtype)
        g = math.unsorted_segment_sum(g.values, math.mod(g.indices, rows), rows)
        blocks = array.concat([[1], blocks[1:]], axis=0)
    dx = math.reduce_sum(array.reshape(g, blocks), axes)
    dx.set_shape(x.raw_shape)
    return dx, None


# -- joining and cutting -------------------------------------------------------------------------------------------------------


@basic.pack.grad
def _(op: Any, g: Any) -> Any:
    return array.unstack(g, num=op.attrs["N"], axis=op.attrs["axis"])


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


# -- picking -------------------------------------------------------------------------------------------------------------------


def _rows(params: Any, indices: Any, g: Any) -> IndexedSlices:
    """The gradient of picked rows: the rows that were picked."""
    with params.graph.colocate_with(params):
        shape = math.cast(array.shape(params, out_type=dtypes.int64), dtypes.int32)
    count = array.expand_dims(array.size(indices), 0)
    values = array.reshape(g, array.concat([count, shape[1:]], 0))
    return IndexedSlices(values, array.reshape(indices, count), shape)


gather_ops.gather.grad(lambda op, g: (_rows(op.inputs[0], op.inputs[1], g), None))


@gather_ops.gather_v2.grad
def _(op: Any, g: Any) -> Any:
    params, indices, axis = op.inputs
    if constant_value(axis) == 0 and not op.attrs["batch_dims"]:
        return _rows(params, indices, g), None, None
    raise LookupError("The gradient of a gather along another axis than the first is not written yet.")


@scatter.resource_gather.grad
def _(op: Any, g: Any) -> Any:
    handle, indices = op.inputs
    while handle.op.type != "VarHandleOp":
        handle = handle.op.inputs[0]
    shape = state_ops.variable_shape(handle)
    count = array.expand_dims(array.size(indices), 0)
    values = array.reshape(g, array.concat([count, shape[1:]], 0))
    return IndexedSlices(values, array.reshape(indices, count), shape), None
