"""`tf.image`'s mirror images, always or at random, and turns by 90 degrees. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ..arrays import array
from ..control.case import case
from ..control.cond import cond
from ..framework.scope_blocks import named
from ..math import math, random
from .image_checks import checked_image


def _keep_shape(image: Tensor, result: Tensor) -> Tensor:
    """Gives the result the image's shape; an image of unknown rank is one image."""
    result.set_shape([None, None, None] if image.shape.ndims is None else image.shape)
    return result


def _axis(image: Tensor, axis: int) -> int:
    """An axis of one image, in a batch of them."""
    rank = image.shape.ndims
    if rank not in (None, 3, 4):
        raise ValueError(error_text("'image' must have either 3 or 4 dimensions.", [image]))
    return axis + (rank == 4)


@atomic
def _flip(image: Any, axis: int, scope: str) -> Tensor:
    with named(None, scope, [image]):
        image = checked_image(image)
        return _keep_shape(image, array.reverse(image, [_axis(image, axis)]))


def flip_left_right(image: Any) -> Tensor:
    """The image [h, w, c], or each image [n, h, w, c], mirrored left to right. Raises: ValueError for other ranks."""
    return _flip(image, 1, "flip_left_right")


def flip_up_down(image: Any) -> Tensor:
    """The image [h, w, c], or each image [n, h, w, c], mirrored top to bottom. Raises: ValueError for other ranks."""
    return _flip(image, 0, "flip_up_down")


@atomic
def _random_flip(image: Any, axis: int, seed: int | None, scope: str) -> Tensor:
    with named(None, scope, [image]) as scope_name:
        image = checked_image(image)
        flipped_axis = _axis(image, axis)
        if image.shape.ndims != 4:
            is_flipped = math.less(random.random_uniform([], 0, 1.0, seed=seed), 0.5)
            result = cond(is_flipped, lambda: array.reverse(image, [axis]), lambda: image, name=scope_name)
            return _keep_shape(image, result)
        count = array.shape(image)[0]
        draws = random.random_uniform([count], 0, 1.0, seed=seed)
        flips = math.round(array.reshape(draws, [count, 1, 1, 1]))
        flips = math.cast(flips, image.dtype)
        flipped = array.reverse(image, [flipped_axis])
        chosen: Tensor = flips * flipped + (1 - flips) * image
        return chosen


def random_flip_left_right(image: Any, seed: int | None = None) -> Tensor:
    """The image [h, w, c] mirrored left to right with probability 1/2; of a batch [n, h, w, c] each image by its own draw.

    Raises: ValueError for other ranks.
    """
    return _random_flip(image, 1, seed, "random_flip_left_right")


def random_flip_up_down(image: Any, seed: int | None = None) -> Tensor:
    """The image [h, w, c] mirrored top to bottom with probability 1/2; of a batch [n, h, w, c] each image by its own draw.

    Raises: ValueError for other ranks.
    """
    return _random_flip(image, 0, seed, "random_flip_up_down")


@atomic
def rot90(image: Any, k: Any = 1, name: str | None = None) -> Tensor:
    """The image [h, w, c], or each image [n, h, w, c], turned k times by 90 degrees, anticlockwise. k: an int32 scalar.

    Raises: ValueError for other ranks.
    """
    with named(name, "rot90", [image, k]) as scope:
        image = checked_image(image)
        k = convert_to_tensor(k, dtypes.int32, name="k")
        k.shape.assert_has_rank(0)
        k = math.mod(k, 4)
        rows = _axis(image, 0)
        columns = rows + 1
        swap = [0, 2, 1, 3] if rows else [1, 0, 2]
        turns = [
            (math.equal(k, 1), lambda: array.transpose(array.reverse(image, [columns]), swap)),
            (math.equal(k, 2), lambda: array.reverse(image, [rows, columns])),
            (math.equal(k, 3), lambda: array.reverse(array.transpose(image, swap), [columns])),
        ]
        turned = case(turns, default=lambda: image, exclusive=True, name=scope)
        if image.shape.ndims is None:
            turned.set_shape([None, None, None])
        else:
            static = image.shape.as_list()
            turned.set_shape([*static[:rows], None, None, static[-1]])
        return turned  # type: ignore[no-any-return]


@atomic
def transpose_image(image: Any, name: str | None = None) -> Tensor:
    """Rows and columns exchanged: the image [h, w, c] -> [w, h, c], or each image [n, h, w, c].

    Raises: ValueError for other ranks.
    """
    with named(name, "transpose", [image]):
        image = checked_image(image)
        swap = [0, 2, 1, 3] if _axis(image, 0) else [1, 0, 2]
        return array.transpose(image, swap, name=name or "transpose")


transpose = transpose_image

__all__ = [
    "flip_left_right", "flip_up_down", "random_flip_left_right", "random_flip_up_down", "rot90", "transpose", "transpose_image",
]  # fmt: skip
