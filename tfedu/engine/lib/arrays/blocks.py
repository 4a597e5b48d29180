"""`tf.space_to_batch`, `tf.depth_to_space` and their inverses: blocks of pixels move into the batch or the channels.
No state.
"""

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
    """Pixels of each b x b block move into the batch, after padding: [n, h, w, c] -> [n·b·b, h/b, w/b, c].

    block_shape: the newer name of block_size b. paddings: [2, 2].
    """
    return _by_blocks(block_ops.space_to_batch_nd, input, paddings, block_size, block_shape, name)


@atomic
def batch_to_space(
    input: Any, crops: Any, block_size: int, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """The inverse of `space_to_batch`, then cropped: [n·b·b, h/b, w/b, c] -> [n, h, w, c]. crops: [2, 2]."""
    return _by_blocks(block_ops.batch_to_space_nd, input, crops, block_size, block_shape, name)


def _by_blocks(op_caller: Any, input: Any, paddings: Any, block_size: Any, block_shape: Any, name: str | None) -> Tensor:
    size = renamed("block_shape", block_shape, "block_size", block_size)
    out: Tensor = op_caller(input, np.array([size, size], np.int64), paddings, name=name)
    out.set_shape(out.shape.with_rank(4))
    return out


@atomic
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(paddings [m, 2], crops [m, 2]) that make every size of input_shape [m] a multiple of its block in block_shape
    [m].

    Raises: ValueError when the length of block_shape is unknown or the shapes do not fit.
    """
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
        size, block, padding = known if all(k is not None for k in known) else (sizes, blocks, base)
        start, end = padding[:, 0], padding[:, 1]  # type: ignore[index]
        extra = (block - (size + start + end) % block) % block
        end = end + extra
        paddings = stack([[start[i], end[i]] for i in builtins.range(count)], name="paddings")
        return paddings, stack([[0, extra[i]] for i in builtins.range(count)], name="crops")


def space_to_depth(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Each b x b block of pixels becomes the channels of one pixel: [n, h, w, c] -> [n, h/b, w/b, b·b·c]."""
    out: Tensor = block_ops.space_to_depth(input, block_size=block_size, data_format=data_format, name=name)
    return out


def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """The channels of each pixel become a b x b block of pixels: [n, h, w, b·b·c] -> [n, h·b, w·b, c]."""
    out: Tensor = block_ops.depth_to_space(input, block_size=block_size, data_format=data_format, name=name)
    return out
