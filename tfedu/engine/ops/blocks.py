"""Ops that trade space for channels or examples: SpaceToDepth, SpaceToBatchND and their inverses.

Images are [n, h, w, c]. No state.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from .define import Sym, op, typevar
from .rules import (
    INDEX,
    Any_,
    at_least,
    invalid,
    of_rank,
    vector,
)  # fmt: skip

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
    return np.array(blocks.transpose(0, 1, 3, 2, 4, 5), order="C").reshape(n, h // b, w // b, b * b * c)


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
    return np.array(blocks.transpose(0, 1, 3, 2, 4, 5), order="C").reshape(n, h * b, w * b, c // (b * b))


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


Tpaddings = typevar("Tpaddings", INDEX, default=dtypes.int32)
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
    return np.array(parts.transpose(order), order="C").reshape(padded.shape[0] * int(np.prod(blocks)), *sizes, *rest)


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
    whole = np.array(parts.transpose(order), order="C").reshape(input.shape[0] // total, *sizes, *rest)
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
