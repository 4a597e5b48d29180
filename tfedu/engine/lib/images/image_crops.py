"""`tf.image`'s parts of images and borders around them. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ..arrays import array, slicing
from ..control.grouping import with_dependencies
from ..framework.conversion import is_tensor
from ..framework.scope_blocks import named
from ..math import math
from .image_checks import as_batch, check, check_is_image, checked_image, sizes_of_batch, without_batch


def _number(size: Any) -> Any:
    """The size if it is a number, None for a tensor."""
    return None if is_tensor(size) else size


def _larger(x: Any, y: Any) -> Any:
    return math.maximum(x, y) if is_tensor(x) or is_tensor(y) else max(x, y)


def _smaller(x: Any, y: Any) -> Any:
    return math.minimum(x, y) if is_tensor(x) or is_tensor(y) else min(x, y)


def _equal(x: Any, y: Any) -> Any:
    return math.equal(x, y) if is_tensor(x) or is_tensor(y) else x == y


@atomic
def central_crop(image: Any, central_fraction: float) -> Tensor:
    """The middle of the image [h, w, c], or of each image [n, h, w, c]: that part of its height and of its width.

    Raises: ValueError unless 0 < central_fraction <= 1, and for other ranks.
    """
    with named(None, "central_crop", [image]):
        image = convert_to_tensor(image, name="image")
        if not 0 < central_fraction <= 1:
            raise ValueError(error_text("central_fraction must be within (0, 1]"))
        if central_fraction == 1:
            return image
        checked_image(image)
        rank = image.shape.ndims
        if rank not in (3, 4):
            text = f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {rank}."
            raise ValueError(error_text(text, [image]))
        sizes = [_size(image, axis) for axis in range(rank - 3, rank - 1)]
        starts = [_margin(size, central_fraction) for size in sizes]
        lengths = [size - start * 2 for size, start in zip(sizes, starts)]
        batch = rank - 3
        return slicing.slice(image, array.stack([0] * batch + [*starts, 0]), array.stack([-1] * batch + [*lengths, -1]))


def _size(image: Tensor, axis: int) -> Any:
    known = image.shape[axis].value
    return array.shape(image)[axis] if known is None else known


def _margin(size: Any, fraction: float) -> Any:
    """The first row or column of the middle part."""
    if not is_tensor(size):
        return int((size - size * fraction) / 2)
    wide = math.cast(size, dtypes.float64)
    return math.cast((wide - wide * fraction) / 2, dtypes.int32)


@atomic
def pad_to_bounding_box(image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any) -> Tensor:
    """The image [h, w, c], or each image [n, h, w, c], with zeros around it: its top left corner lies at the offsets in a result
    of the target's size.

    Raises: ValueError for offsets and targets that the image does not fit; InvalidArgumentError at run time.
    """
    with named(None, "pad_to_bounding_box", [image]):
        image, is_batch = as_batch(image)
        checks = check_is_image(image)
        batch, height, width, depth = sizes_of_batch(image)
        right = target_width - offset_width - width
        below = target_height - offset_height - height
        checks += check(offset_height >= 0, "offset_height must be >= 0")
        checks += check(offset_width >= 0, "offset_width must be >= 0")
        checks += check(right >= 0, "width must be <= target - offset")
        checks += check(below >= 0, "height must be <= target - offset")
        image = with_dependencies(checks, image)
        paddings = array.reshape(array.stack([0, 0, offset_height, below, offset_width, right, 0, 0]), [4, 2])
        padded = array.pad(image, paddings)
        padded.set_shape([_number(size) for size in (batch, target_height, target_width, depth)])
        return without_batch(padded, is_batch)


@atomic
def crop_to_bounding_box(image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any) -> Tensor:
    """The part of the target's size whose top left corner lies at the offsets in the image [h, w, c], or in each image [n, h, w,
    c].

    Raises: ValueError for a part that is not inside the image; InvalidArgumentError at run time.
    """
    with named(None, "crop_to_bounding_box", [image]):
        image, is_batch = as_batch(image)
        checks = check_is_image(image)
        batch, height, width, depth = sizes_of_batch(image)
        checks += check(offset_width >= 0, "offset_width must be >= 0.")
        checks += check(offset_height >= 0, "offset_height must be >= 0.")
        checks += check(target_width > 0, "target_width must be > 0.")
        checks += check(target_height > 0, "target_height must be > 0.")
        checks += check(width >= (target_width + offset_width), "width must be >= target + offset.")
        checks += check(height >= (target_height + offset_height), "height must be >= target + offset.")
        image = with_dependencies(checks, image)
        begin = array.stack([0, offset_height, offset_width, 0])
        cropped = slicing.slice(image, begin, array.stack([-1, target_height, target_width, -1]))
        cropped.set_shape([_number(size) for size in (batch, target_height, target_width, depth)])
        return without_batch(cropped, is_batch)


@atomic
def resize_image_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Tensor:
    """The image [h, w, c], or each image [n, h, w, c], in the target's size: its middle part, or with zeros around it.

    Raises: ValueError for targets that are not positive; InvalidArgumentError at run time.
    """
    with named(None, "resize_image_with_crop_or_pad", [image]):
        image, is_batch = as_batch(image)
        checks = check_is_image(image)
        checks += check(target_width > 0, "target_width must be > 0.")
        checks += check(target_height > 0, "target_height must be > 0.")
        image = with_dependencies(checks, image)
        # these checks come before those of the functions below, whose texts would not say what is wrong
        if is_tensor(target_height):
            target_height = with_dependencies(checks, target_height)
        if is_tensor(target_width):
            target_width = with_dependencies(checks, target_width)
        _, height, width, _ = sizes_of_batch(image)
        missing = target_width - width
        crop_left, pad_left = _larger(-missing // 2, 0), _larger(missing // 2, 0)
        missing = target_height - height
        crop_top, pad_top = _larger(-missing // 2, 0), _larger(missing // 2, 0)
        cropped = crop_to_bounding_box(
            image, crop_top, crop_left, _smaller(target_height, height), _smaller(target_width, width)
        )
        resized = pad_to_bounding_box(cropped, pad_top, pad_left, target_height, target_width)
        _, height, width, _ = sizes_of_batch(resized)
        checks = check(_equal(height, target_height), "resized height is not correct.")
        checks += check(_equal(width, target_width), "resized width is not correct.")
        return without_batch(with_dependencies(checks, resized), is_batch)


resize_with_crop_or_pad = resize_image_with_crop_or_pad

__all__ = [
    "central_crop", "crop_to_bounding_box", "pad_to_bounding_box", "resize_image_with_crop_or_pad", "resize_with_crop_or_pad",
]  # fmt: skip
