"""`tf.space_to_batch`, `tf.depth_to_space` and back: blocks of space move to the batch or to the depth. No state."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...base import dtypes
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.infer import constant_value
from ...ops import blocks as block_ops
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from .array import stack, zeros

space_to_batch_nd, batch_to_space_nd = block_ops.space_to_batch_nd, block_ops.batch_to_space_nd


@atomic
def space_to_batch(
    input: Any, paddings: Any, block_size: int | None = None, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """Blocks of an image's pixels [n, h, w, c] moved to the batch, after padding; `block_shape` is its newer name."""
    return _by_blocks(block_ops.space_to_batch_nd, input, paddings, block_size, block_shape, name)


@atomic
def batch_to_space(
    input: Any, crops: Any, block_size: int, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """The inverse of `space_to_batch`: blocks from the batch back into space, then cropped."""
    return _by_blocks(block_ops.batch_to_space_nd, input, crops, block_size, block_shape, name)


def _by_blocks(move: Any, input: Any, around: Any, block_size: Any, block_shape: Any, name: str | None) -> Tensor:
    size = renamed("block_shape", block_shape, "block_size", block_size)
    out: Tensor = move(input, np.array([size, size], np.int64), around, name=name)
    out.set_shape(out.shape.with_rank(4))
    return out


@atomic
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(paddings, crops) that make every size a multiple of its block's."""
    with named(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        sizes = convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
        blocks = convert_to_tensor(block_shape, dtype=dtypes.int32, name="block_shape")
        blocks.shape.assert_is_fully_defined()
        blocks.shape.assert_has_rank(1)
        count = (blocks.raw_shape or (0,))[0] or 0
        if not count:
            return zeros([0, 2], dtypes.int32), zeros([0, 2], dtypes.int32)
        sizes.shape.assert_is_compatible_with([count])
        if base_paddings is None:
            base = zeros([count, 2], dtypes.int32)
        else:
            base = convert_to_tensor(base_paddings, dtype=dtypes.int32, name="base_paddings")
            base.shape.assert_is_compatible_with([count, 2])
        known = [constant_value(t) for t in (sizes, blocks, base)]
        size, block, around = known if all(k is not None for k in known) else (sizes, blocks, base)
        start, end = around[:, 0], around[:, 1]  # type: ignore[index]
        extra = (block - (size + start + end) % block) % block
        end = end + extra
        paddings = [[start[i], end[i]] for i in builtins.range(count)]
        crops = [[0, extra[i]] for i in builtins.range(count)]
        return stack(paddings, name="paddings"), stack(crops, name="crops")


def space_to_depth(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Each block of pixels becomes the channels of one: [n, h, w, c] -> [n, h/b, w/b, b·b·c]."""
    out: Tensor = block_ops.space_to_depth(input, block_size=block_size, data_format=data_format, name=name)
    return out


def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """The channels of a pixel become a block of pixels: [n, h, w, b·b·c] -> [n, h·b, w·b, c]."""
    out: Tensor = block_ops.depth_to_space(input, block_size=block_size, data_format=data_format, name=name)
    return out
