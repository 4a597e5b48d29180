"""Pooling over cells of unequal sizes: FractionalMaxPool, FractionalAvgPool and their gradients.

A pooling sequence 0 = s[0] < s[1] < … = size cuts an axis into cells of two sizes, in random order: cell i has the elements from
s[i] up to s[i + 1], without it, or with it where cells overlap. Source: Graham, "Fractional max-pooling" (2014). No state.
"""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes, philox, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import AtLeast, Sym, op, typevar
from ..op.shape_checks import ints_of, invalid, kinds, of_rank, sizes_of, text_of, unimplemented
from .pooling import check_shape

Ratios = AtLeast[4, list[float]]
Poolable = typevar("T", kinds("float double int32 int64"))


# -- cells -----------------------------------------------------------------------------------------------------------------


def _random_sequence(size: int, count: int, generator: philox.Generator) -> list[int]:
    """Cells of size // count elements and, as often as it leaves a remainder, of one more, in random order."""
    least, remainder = divmod(size, count)
    cell_sizes = [least + 1] * remainder + [least] * (count - remainder)
    draws = philox.Draws(generator.reserve_numbers(count))
    for i in range(count - 1):
        j = i + draws.below(count - i)
        cell_sizes[i], cell_sizes[j] = cell_sizes[j], cell_sizes[i]
    return [0, *np.cumsum(cell_sizes).tolist()]


def _pseudo_random_sequence(size: int, count: int, generator: philox.Generator) -> list[int]:
    """The cells between the numbers ceil(ratio · (i + u)) for one random u."""
    ratio, least = size / count, size // count
    largest_u = min((least + 2) / ratio - 1, (size + 1 - least) / ratio - (count - 1))
    u = philox.Draws(generator.reserve_numbers(2)).unit() * largest_u
    return [0, *[math.ceil(ratio * (i + u)) - 1 for i in range(1, count)], size]


def _cells(sequence: Sequence[int], overlapping: bool) -> list[slice]:
    last = sequence[-1]
    return [slice(a, min(b + overlapping, last)) for a, b in itertools.pairwise(sequence)]


def _along(axis: int, cell: slice | int) -> tuple[Any, ...]:
    return (*(slice(None),) * axis, cell)


def _reduced(xp: Any, image: Any, ufunc: Any, sequences: Sequence[Sequence[int]], overlapping: bool) -> Any:
    """Each cell reduced to one number, along the rows, then along the columns."""
    for axis, sequence in zip((1, 2), sequences):
        cells = _cells(sequence, overlapping)
        out = xp.empty((*image.shape[:axis], len(cells), *image.shape[axis + 1 :]), image.dtype)
        for i, cell in enumerate(cells):
            out[_along(axis, i)] = ufunc.reduce(image[_along(axis, cell)], axis=axis)
        image = out
    return image


def _counts(sequences: Sequence[Sequence[int]], overlapping: bool) -> Any:
    """[windows h, windows w, 1]: how many elements each cell has."""
    rows, columns = ([c.stop - c.start for c in _cells(s, overlapping)] for s in sequences)
    return np.multiply.outer(rows, columns)[..., None]


def _share(xp: Any, total: Any, counts: Any) -> Any:
    """The quotients; those of integers are rounded towards 0."""
    if total.dtype.kind == "f":
        return total / counts.astype(total.dtype)
    return (xp.sign(total) * (xp.abs(total) // counts)).astype(total.dtype)


def _check_attrs(ratios: Sequence[float], is_deterministic: bool, seeds: tuple[int, int], words: str) -> None:
    if ratios[0] != 1 or ratios[3] != 1:
        raise unimplemented(f"Fractional {words} pooling is not yet supported on the batch nor channel dimension.")
    if not is_deterministic and seeds != (0, 0):
        raise invalid("Both seed and seed2 should be 0 if deterministic is false.", fix="set deterministic=True")


def _sequences(
    image: Any, ratios: Sequence[float], is_pseudo_random: bool, generator: philox.Generator
) -> list[list[int]]:
    if image.ndim != 4:
        raise invalid("tensor_in must be 4-dimensional")
    sequences = []
    # A copy of the node's generator: as in TF, each run of a session draws the same sequences.
    generator = copy.copy(generator)
    for axis in (1, 2):
        size = image.shape[axis]
        if size < ratios[axis]:
            raise invalid(
                f"Pooling ratio is higher than input dimension size for dimension {axis}. Input dim size: {size} pooling "
                f"ratio: {ratios[axis]:g}"
            )
        draw = _pseudo_random_sequence if is_pseudo_random else _random_sequence
        sequences.append(draw(size, math.floor(size / ratios[axis]), generator))
    return sequences


def _pooled_shape(value: Sym, *, pooling_ratio: list[float], **_: Any) -> list[Shape]:
    known = of_rank(value.shape, 4)
    if len(pooling_ratio) != 4:
        raise ShapeMismatch("pooling_ratio field must specify 4 dimensions")
    for ratio in pooling_ratio:
        if ratio < 1:
            raise ShapeMismatch(f"pooling_ratio cannot be smaller than 1, got: {ratio:g}")
    pooled = tuple([None if size is None else math.floor(size / r) for size, r in zip(known, pooling_ratio)])
    # As in TF, one less than the sequences' lengths.
    return [pooled, pooled[1:2], pooled[2:3]]


# -- the ops ---------------------------------------------------------------------------------------------------------------


@op("FractionalMaxPool", out="output row_pooling_sequence col_pooling_sequence", shape=_pooled_shape, fresh=True)
def fractional_max_pool(
    run: Any, value: Poolable, *, pooling_ratio: Ratios, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0,
) -> tuple[Poolable, dtypes.int64, dtypes.int64]:  # fmt: skip
    """The largest number of each cell: [n, h, w, c], pooling_ratio [1, r, s, 1] -> [n, h / r, w / s, c] and the rows' and the
    columns' pooling sequences. All runs of a session draw the same ones.

    Raises: UnimplementedError for a ratio of the batch or the channels; InvalidArgumentError for seeds without deterministic.
    """
    _check_attrs(pooling_ratio, deterministic, (seed, seed2), "max")
    sequences = _sequences(value, pooling_ratio, pseudo_random, run.rng(seed, seed2))
    result = _reduced(np, value, np.fmax, sequences, overlapping)
    if value.dtype.kind == "f":
        result = np.fmax(result, np.finfo(value.dtype).min, out=result)
    return result, *[np.array(s, np.int64) for s in sequences]


@fractional_max_pool.grad
def _(op: Any, g: Any, *_: Any) -> Any:
    y, rows, columns = op.outputs
    return nodes.FractionalMaxPoolGrad(op.inputs[0], y, g, rows, columns, overlapping=op.attrs["overlapping"])


@op("FractionalMaxPoolGrad", fresh=True)
def fractional_max_pool_grad(
    xp: Any, orig_input: Poolable, orig_output: Poolable, out_backprop: Poolable, row_pooling_sequence: dtypes.int64,
    col_pooling_sequence: dtypes.int64, *, overlapping: bool = False,
) -> Poolable:  # fmt: skip
    """The gradient of FractionalMaxPool: each cell's number goes to its first maximum: orig_input [n, h, w, c], orig_output and
    out_backprop [n, cells h, cells w, c], two pooling sequences -> [n, h, w, c].
    """
    x, g = orig_input, out_backprop
    for name, image in (("orig_input", x), ("orig_output", orig_output), ("out_backprop", g)):
        if image.ndim != 4:
            raise invalid(f"{name} should be a tensor of rank 4, got {text_of(image.shape)}")
    rows, columns = (_cells(ints_of(s), overlapping) for s in (row_pooling_sequence, col_pooling_sequence))
    wanted = (x.shape[0], len(rows), len(columns), x.shape[3])
    check_shape("orig_output", orig_output, wanted)
    check_shape("out_backprop", g, wanted)
    dx = xp.zeros(x.shape, x.dtype)
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            cell = x[:, row, column]
            shape, flat = cell.shape, cell.reshape(cell.shape[0], -1, cell.shape[3])
            if flat.dtype.kind == "f":
                # A NaN at the first place wins, and none at another place.
                first = xp.where(xp.isnan(flat[:, :1]), np.inf, flat[:, :1])
                flat = xp.concatenate([first, xp.where(xp.isnan(flat[:, 1:]), -np.inf, flat[:, 1:])], axis=1)
            is_first = xp.arange(flat.shape[1])[:, None] == flat.argmax(axis=1)[:, None]
            dx[:, row, column] += xp.where(is_first, g[:, i, j][:, None], 0).reshape(shape).astype(x.dtype)
    return dx


fractional_max_pool_grad.shape(lambda orig_input, *_, **__: of_rank(orig_input.shape, 4))


@op("FractionalAvgPool", out="output row_pooling_sequence col_pooling_sequence", shape=_pooled_shape, fresh=True)
def fractional_avg_pool(
    run: Any, value: Poolable, *, pooling_ratio: Ratios, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0,
) -> tuple[Poolable, dtypes.int64, dtypes.int64]:  # fmt: skip
    """The mean of each cell: [n, h, w, c], pooling_ratio [1, r, s, 1] -> [n, h / r, w / s, c] and the rows' and the
    columns' pooling sequences. All runs of a session draw the same ones.

    Raises: UnimplementedError for a ratio of the batch or the channels; InvalidArgumentError for seeds without deterministic.
    """
    _check_attrs(pooling_ratio, deterministic, (seed, seed2), "average")
    sequences = _sequences(value, pooling_ratio, pseudo_random, run.rng(seed, seed2))
    total = _reduced(np, value, np.add, sequences, overlapping)
    return _share(np, total, _counts(sequences, overlapping)), *[np.array(s, np.int64) for s in sequences]


@fractional_avg_pool.grad
def _(op: Any, g: Any, *_: Any) -> Any:
    x = op.inputs[0]
    sizes = x.shape if shapes.is_full(x.raw_shape) else functions.shape(x, out_type=dtypes.int64)
    return nodes.FractionalAvgPoolGrad(sizes, g, *op.outputs[1:], overlapping=op.attrs["overlapping"])


@op("FractionalAvgPoolGrad", fresh=True)
def fractional_avg_pool_grad(
    xp: Any, orig_input_tensor_shape: dtypes.int64, out_backprop: Poolable, row_pooling_sequence: dtypes.int64,
    col_pooling_sequence: dtypes.int64, *, overlapping: bool = False,
) -> Poolable:  # fmt: skip
    """The gradient of FractionalAvgPool: each cell's number in equal parts to its elements: orig_input_tensor_shape [4],
    out_backprop [n, cells h, cells w, c], two pooling sequences -> [n, h, w, c].
    """
    if orig_input_tensor_shape.shape != (4,):
        raise invalid("original input tensor shape must be1-dimensional and 4 elements")
    if out_backprop.ndim != 4:
        raise invalid("out_backprop must be 4-dimensional")
    sequences = [ints_of(s) for s in (row_pooling_sequence, col_pooling_sequence)]
    sizes = ints_of(orig_input_tensor_shape)
    check_shape("out_backprop", out_backprop, (sizes[0], len(sequences[0]) - 1, len(sequences[1]) - 1, sizes[3]))
    slopes = out_backprop.astype(np.float64) / _counts(sequences, overlapping)
    for axis, sequence in ((2, sequences[1]), (1, sequences[0])):
        out = xp.zeros((*slopes.shape[:axis], sizes[axis], *slopes.shape[axis + 1 :]), slopes.dtype)
        for i, cell in enumerate(_cells(sequence, overlapping)):
            out[_along(axis, cell)] += xp.expand_dims(slopes[_along(axis, i)], axis)
        slopes = out
    return slopes.astype(out_backprop.dtype)


@fractional_avg_pool_grad.shape
def _(orig_input_tensor_shape: Sym, *_: Sym, **__: Any) -> Shape:
    return (None,) * 4 if orig_input_tensor_shape.value is None else sizes_of(orig_input_tensor_shape)
