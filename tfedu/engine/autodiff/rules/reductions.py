"""Gradients of reductions: what was summed gets the gradient of the sum, repeated over the axes that are gone."""

from __future__ import annotations

import weakref
from typing import Any, Final

import numpy as np

from ...base import dtypes
from ...base.shapes import is_full
from ...graph.graph import Graph
from ...lib.arrays import array, selection, sequences
from ...lib.math import math, reductions
from ...op.constant import constant
from ...op.infer import constant_value
from ...ops import gather as gather_ops
from ...ops import reduce
from ...ops import sequences as sequence_ops

# What is known for a graph of pairs of a full shape and axes: the nodes that tell are made once.
_known: Final[weakref.WeakKeyDictionary[Graph, dict[Any, Any]]] = weakref.WeakKeyDictionary()


def reduced_shape(shape: Any, axes: Any) -> Any:
    """The shape, with 1 along the axes, as nodes."""
    shape, axes = math.cast(shape, dtypes.int32), math.cast(axes, dtypes.int32)
    rank = array.size(shape)
    axes = (axes + rank) % rank
    sizes = array.shape(axes)
    return gather_ops.dynamic_stitch([sequences.range(rank), axes], [shape, array.fill(sizes, 1)])


def quotient(x: Any, y: Any) -> Any:
    """x / y of sizes, where 0 / 0 is 0."""
    return x // math.maximum(y, 1)


def _known_reduction(op: Any, shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[Any, Any]:
    graph = op.graph
    known = _known.setdefault(graph, {})
    if (shape, axes) not in known:
        kept = reduced_shape(list(shape), list(axes))
        quotient(list(shape), kept)
        sizes = [1 if i in {a % len(shape) for a in axes} else n for i, n in enumerate(shape)]
        known[shape, axes] = sizes, [n // max(k, 1) for n, k in zip(shape, sizes)]
        graph.on_failure(known.pop, (shape, axes), None)
    found: tuple[Any, Any] = known[shape, axes]
    return found


def _of_sum(op: Any, g: Any) -> Any:
    x, indices = op.inputs
    shape = x.raw_shape
    axes = None if shape is None else constant_value(indices)
    if shape is not None and axes is not None:
        if np.array_equal(axes, np.arange(len(shape))):
            g = array.reshape(g, [1] * len(shape))
            sizes = constant(list(shape), dtypes.int32) if is_full(shape) else array.shape(x)
            return array.tile(g, sizes), None
        if is_full(shape):
            kept, repeated = _known_reduction(op, shape, tuple(int(a) for a in np.ravel(axes)))
            return array.tile(array.reshape(g, kept), repeated), None
    sizes = array.shape(x)
    with op.graph.colocate_with(sizes):
        kept = reduced_shape(sizes, indices)
        repeated = quotient(sizes, kept)
    return array.tile(array.reshape(g, kept), repeated), None


reduce.sum_.grad(_of_sum)


@reduce.mean.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    spread = _of_sum(op, g)[0]
    if is_full(x.raw_shape) and is_full(y.raw_shape):
        count = int(np.prod(x.raw_shape)) // max(int(np.prod(y.raw_shape)), 1)
        factor = constant(count, dtype=spread.dtype)
    else:
        factor = quotient(reductions.reduce_prod(array.shape(x)), reductions.reduce_prod(array.shape(y)))
    return math.truediv(spread, math.cast(factor, spread.dtype)), None


def _of_extreme(op: Any, g: Any) -> Any:
    x, indices = op.inputs
    kept = reduced_shape(array.shape(x), indices)
    y = array.reshape(op.outputs[0], kept)
    g = array.reshape(g, kept)
    # Several largest elements share the gradient.
    found = math.cast(math.equal(y, x), g.dtype)
    count = array.reshape(reductions.reduce_sum(found, indices), kept)
    return math.divide(found, count) * g, None


reduce.max_.grad(_of_extreme)
reduce.min_.grad(_of_extreme)


@reduce.prod.grad
def _(op: Any, g: Any) -> Any:
    # Dividing the product by each element fails at 0; the product of all before and all after it does not.
    x = op.inputs[0]
    shape = array.shape(x)
    axes = array.reshape(op.inputs[1], [-1])
    kept = reduced_shape(shape, op.inputs[1])
    repeated = quotient(shape, kept)
    g = array.tile(array.reshape(g, kept), repeated)
    with op.graph.device("/cpu:0"):
        rank = array.rank(x)
        axes = (axes + rank) % rank
        reduced = math.cast(axes, dtypes.int32)
        other, _ = selection.setdiff1d(sequences.range(0, rank), reduced)
        order = array.concat([reduced, other], 0)
        reduced_count = reductions.reduce_prod(selection.gather(shape, reduced))
        other_count = reductions.reduce_prod(selection.gather(shape, other))
    moved = array.transpose(x, order)
    sizes = array.shape(moved)
    rows = array.reshape(moved, (reduced_count, other_count))
    before = sequences.cumprod(rows, axis=0, exclusive=True)
    after = sequences.cumprod(rows, axis=0, exclusive=True, reverse=True)
    y = array.reshape(math.conj(before) * math.conj(after), sizes)
    out = g * array.transpose(y, math.invert_permutation(order))
    return array.reshape(out, shape), None


@sequence_ops.cumsum.grad
def _(op: Any, g: Any) -> Any:
    reverse, exclusive = op.attrs["reverse"], op.attrs["exclusive"]
    return sequences.cumsum(g, op.inputs[1], exclusive=exclusive, reverse=not reverse), None


@sequence_ops.cumprod.grad
def _(op: Any, g: Any) -> Any:
    x, axis = op.inputs
    options = {"exclusive": op.attrs["exclusive"]}
    product = sequences.cumprod(x, axis, reverse=op.attrs["reverse"], **options)
    out = sequences.cumsum(product * g, axis, reverse=not op.attrs["reverse"], **options)
    return out / x, None
