"""Ops that trade space for channels or examples: SpaceToDepth, SpaceToBatchND and their inverses.

Images are [n, h, w, c]. No state.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op.define import AtLeast, Sym, op, typevar
from ..op.shape_checks import (
    INDEX,
    Any_,
    at_least,
    invalid,
    needs_rank,
    of_rank,
    text_of,
)  # fmt: skip

# -- blocks of space -----------------------------------------------------------------------------------------------

Layout = Literal["NHWC", "NCHW", "NCHW_VECT_C"]


def _channels_last(data_format: str) -> None:
    if data_format != "NHWC":
        raise invalid(f"Only NHWC data_format supported on CPU. Got {data_format}")


@op("SpaceToDepth", fresh=True)
def space_to_depth(xp: Any, input: Any_, *, block_size: AtLeast[2], data_format: Layout = "NHWC") -> Any_:
    """Moves each block of pixels into the channels, b = block_size: [n, h, w, c] -> [n, h/b, w/b, b·b·c].

    Raises: InvalidArgumentError when b does not divide h and w.
    """
    _channels_last(data_format)
    needs_rank(input, 4, f"Input rank should be 4 instead of {np.ndim(input)}")
    n, h, w, c = input.shape
    b = block_size
    if h % b or w % b:
        raise invalid(f"Image width {w} and height {h} should be divisible by block_size: {b}")
    blocks = input.reshape(n, h // b, b, w // b, b, c)
    return xp.array(blocks.transpose(0, 1, 3, 2, 4, 5), order="C").reshape(n, h // b, w // b, b * b * c)


@space_to_depth.shape
def _(input: Sym, *, block_size: int, data_format: str) -> Shape:
    n, h, w, c = of_rank(input.shape, 4)
    for size in (h, w):
        if size is not None and size % block_size:
            raise ShapeMismatch(f"Dimension size must be evenly divisible by {block_size} but is {size}")
    b = block_size
    return n, None if h is None else h // b, None if w is None else w // b, None if c is None else b * b * c


@space_to_depth.grad
def _(op: Any, g: Any) -> Any:
    return depth_to_space(g, block_size=op.attrs["block_size"], data_format=op.attrs["data_format"])


@op("DepthToSpace", fresh=True)
def depth_to_space(xp: Any, input: Any_, *, block_size: AtLeast[2], data_format: Layout = "NHWC") -> Any_:
    """Moves channels into blocks of pixels, b = block_size: [n, h, w, b·b·c] -> [n, h·b, w·b, c].

    Raises: InvalidArgumentError when b·b does not divide the channels.
    """
    _channels_last(data_format)
    needs_rank(input, 4, f"Input rank should be: 4 instead of: {np.ndim(input)}")
    n, h, w, c = input.shape
    b = block_size
    if c % (b * b):
        raise invalid(f"Input depth dimension {c} should be divisible by: {b * b}")
    blocks = input.reshape(n, h, w, b, b, c // (b * b))
    return xp.array(blocks.transpose(0, 1, 3, 2, 4, 5), order="C").reshape(n, h * b, w * b, c // (b * b))


@depth_to_space.shape
def _(input: Sym, *, block_size: int, data_format: str) -> Shape:
    n, h, w, c = of_rank(input.shape, 4)
    square = block_size * block_size
    if c is not None and c % square:
        raise ShapeMismatch(f"Dimension size must be evenly divisible by {square} but is {c}")
    grown = [None if size is None else size * block_size for size in (h, w)]
    return n, *grown, None if c is None else c // square


@depth_to_space.grad
def _(op: Any, g: Any) -> Any:
    return space_to_depth(g, block_size=op.attrs["block_size"], data_format=op.attrs["data_format"])


def _pairs(value: Any) -> list[tuple[int, int]] | None:
    return None if value is None else [(int(b), int(a)) for b, a in value]


def _moved(input: Sym, block_shape: Sym, around: Sym, to_batch: bool) -> Shape:
    return _blocks_moved(input, block_shape.shape, block_shape, around, to_batch)


def _blocks_moved(input: Sym, shape: Shape, block_shape: Any, around: Sym, to_batch: bool) -> Shape:
    """The shape after SpaceToBatch (to_batch, around = paddings) or BatchToSpace (around = crops)."""
    if shape is None or len(shape) != 1:
        raise ShapeMismatch("block_shape must have rank 1.")
    count = shape[0]
    if count is None:
        raise ShapeMismatch("block_shape must have known size.")
    input_shape = at_least(input.shape, count + 1)
    shapes.merge(around.shape, (count, 2))
    blocks = block_shape.value if isinstance(block_shape, Sym) else block_shape
    batch = None if input_shape is None or (blocks is None and count) else input_shape[0]
    for b in () if blocks is None else blocks.tolist():
        if b < 1:
            raise ShapeMismatch("block_shape must be positive")
        batch = None if batch is None else batch * b if to_batch else _divided(batch, b)
    pairs = _pairs(around.value)
    sizes: list[int | None] = [None] * count
    for i, (start, end) in enumerate(pairs or ()):
        if start < 0 or end < 0:
            raise ShapeMismatch(f"{'paddings' if to_batch else 'crops'} cannot be negative")
        size = None if input_shape is None else input_shape[i + 1]
        if size is None or blocks is None:
            continue
        if to_batch:
            sizes[i] = _divided(size + start + end, int(blocks[i]))
            continue
        size *= int(blocks[i])
        for cut in (start, end):
            if cut > size:
                raise ShapeMismatch(f"Negative dimension size caused by subtracting {cut} from {size}")
            size -= cut
        sizes[i] = size
    return None if input_shape is None else (batch, *sizes, *input_shape[count + 1 :])


def _divided(size: int, by: int) -> int:
    if size % by:
        raise ShapeMismatch(f"Dimension size must be evenly divisible by {by} but is {size}")
    return size // by


Tpaddings = typevar("Tpaddings", INDEX, default=dtypes.int32)
Tblock_shape = typevar("Tblock_shape", INDEX, default=dtypes.int32)


@op("SpaceToBatchND", fresh=True)
def space_to_batch_nd(xp: Any, input: Any_, block_shape: Tblock_shape, paddings: Tpaddings) -> Any_:
    """Pads the m axes after the batch, cuts them into blocks and moves the positions in a block into the batch: input
    [n, s..., ...], block_shape [m], paddings [m, 2] -> [n · prod(block_shape), padded s / block_shape..., ...].

    Raises: InvalidArgumentError when a block does not divide its padded axis.
    """
    blocks = [int(b) for b in block_shape]
    m = len(blocks)
    padded = np.pad(input, [(0, 0), *(_pairs(paddings) or []), *[(0, 0)] * (input.ndim - m - 1)])
    for i, (size, b) in enumerate(zip(padded.shape[1:], blocks)):
        if size % b:
            raise invalid(f"padded_shape[{i}]={size} is not divisible by block_shape[{i}]={b}")
    split_shape: list[int] = [padded.shape[0]]
    for size, b in zip(padded.shape[1:], blocks):
        split_shape += [size // b, b]
    rest = padded.shape[m + 1 :]
    parts = padded.reshape(*split_shape, *rest)
    order = [*range(2, 2 * m + 1, 2), 0, *range(1, 2 * m, 2), *range(2 * m + 1, parts.ndim)]
    sizes = [size // b for size, b in zip(padded.shape[1:], blocks)]
    return xp.array(parts.transpose(order), order="C").reshape(padded.shape[0] * int(np.prod(blocks)), *sizes, *rest)


space_to_batch_nd.shape(lambda input, block_shape, paddings: _moved(input, block_shape, paddings, to_batch=True))
space_to_batch_nd.grad(lambda op, g: (batch_to_space_nd(g, *op.inputs[1:]), None, None))


@op("BatchToSpaceND", fresh=True)
def batch_to_space_nd(
    xp: Any, input: Any_, block_shape: Tblock_shape, crops: typevar("Tcrops", INDEX, default=dtypes.int32)
) -> Any_:
    """The inverse of SpaceToBatchND, then crops: input [n · prod(block_shape), s..., ...], block_shape [m], crops [m,
    2] -> [n, s · block_shape - crops..., ...].

    Raises: InvalidArgumentError when the blocks do not divide the batch.
    """
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
    uncropped = xp.array(parts.transpose(order), order="C").reshape(input.shape[0] // total, *sizes, *rest)
    cut = [slice(b, size - a) for (b, a), size in zip(_pairs(crops) or [], sizes)]
    return uncropped[(slice(None), *cut)]


batch_to_space_nd.shape(lambda input, block_shape, crops: _moved(input, block_shape, crops, to_batch=False))
batch_to_space_nd.grad(lambda op, g: (space_to_batch_nd(g, *op.inputs[1:]), None, None))


# -- the older forms: square blocks of images ----------------------------------------------------------------------


def _square(block_size: int) -> Any:
    return np.array([block_size, block_size], np.int64)


def _check_square(input: Any, around: Any, name: str, title: str) -> None:
    needs_rank(input, 4, f"Input rank should be: 4instead of: {np.ndim(input)}")
    if np.shape(around) != (2, 2):
        raise invalid(f"{name} should have shape [2, 2] instead of {text_of(np.shape(around))}")
    if (around < 0).any():
        raise invalid(f"{title} must be non-negative")


@op("SpaceToBatch", fresh=True)
def space_to_batch(
    xp: Any, input: Any_, paddings: typevar("Tpaddings", INDEX, default=dtypes.int32), *, block_size: AtLeast[2]
) -> Any_:
    """SpaceToBatchND of images with square blocks, b = block_size: input [n, h, w, c], paddings [2, 2] -> [n·b·b,
    padded h/b, padded w/b, c].
    """
    _check_square(input, paddings, "paddings", "Paddings")
    return space_to_batch_nd.definition.kernel(xp, input, _square(block_size), paddings)


@op("BatchToSpace", fresh=True)
def batch_to_space(
    xp: Any, input: Any_, crops: typevar("Tidx", INDEX, default=dtypes.int32), *, block_size: AtLeast[2]
) -> Any_:
    """BatchToSpaceND of images with square blocks, b = block_size: input [n·b·b, h, w, c], crops [2, 2] -> [n, h·b -
    crops, w·b - crops, c].
    """
    _check_square(input, crops, "crops", "Crops")
    for i in (0, 1):
        left = input.shape[i + 1] * block_size - int(crops[i].sum())
        if left < 0:
            raise invalid(f"cropped_shape[{i}]={left} must be non-negative")
    return batch_to_space_nd.definition.kernel(xp, input, _square(block_size), crops)


space_to_batch.shape(
    lambda input, paddings, *, block_size: _square_moved(input, paddings, block_size, to_batch=True)
)
space_to_batch.grad(lambda op, g: (batch_to_space(g, op.inputs[1], block_size=op.attrs["block_size"]), None))
batch_to_space.shape(lambda input, crops, *, block_size: _square_moved(input, crops, block_size, to_batch=False))
batch_to_space.grad(lambda op, g: (space_to_batch(g, op.inputs[1], block_size=op.attrs["block_size"]), None))


def _square_moved(input: Sym, around: Sym, block_size: int, to_batch: bool) -> Shape:
    of_rank(input.shape, 4)
    return _blocks_moved(input, (2,), _square(block_size), around, to_batch) or (None,) * 4
