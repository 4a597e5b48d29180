"""`tf.image.resize_images` and its kinds: new sizes for images. No state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.infer import constant_value_as_shape
from ...ops.images import resizing as ops
from ..control.grouping import with_dependencies
from ..framework.scope_blocks import named
from ..math import math
from .image_checks import as_batch, check, check_is_image, sizes_of_batch, without_batch
from .image_crops import _larger, pad_to_bounding_box

resize_area, resize_bicubic = ops.resize_area, ops.resize_bicubic
resize_bilinear, resize_nearest_neighbor = ops.resize_bilinear, ops.resize_nearest_neighbor


class ResizeMethod:
    """How pixels of the new size come from those of the old one."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


_RESIZERS: Final[Mapping[Any, Callable[..., Tensor]]] = {
    ResizeMethod.BILINEAR: resize_bilinear,
    ResizeMethod.NEAREST_NEIGHBOR: resize_nearest_neighbor,
    ResizeMethod.BICUBIC: resize_bicubic,
    ResizeMethod.AREA: resize_area,
}


@atomic
def resize_images(
    images: Any,
    size: Any,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Tensor:
    """The image [h, w, c], or each image [n, h, w, c], in another size: float32, but for NEAREST_NEIGHBOR. Images that have the
    size already are returned as they are.

    size: int32 [2], new height and width. align_corners: the centres of the corner pixels stay where they are.
    preserve_aspect_ratio: the largest size inside `size` with the image's ratio of height to width.

    Raises: ValueError for other ranks, another method and a size that is no vector of two.
    """
    with named(name, "resize", [images, size]):
        images = convert_to_tensor(images, name="images")
        if images.shape.ndims is None:
            raise ValueError(error_text("'images' contains no shape.", [images], fix="set_shape says what it is"))
        if images.shape.ndims not in (3, 4):
            raise ValueError(error_text("'images' must have either 3 or 4 dimensions.", [images]))
        images, is_batch = as_batch(images, "images")
        _, height, width, _ = images.shape.as_list()
        try:
            size = convert_to_tensor(size, dtypes.int32, name="size")
        except (TypeError, ValueError):
            raise ValueError(error_text("'size' must be a 1-D int32 Tensor")) from None
        if not size.shape.is_compatible_with([2]):
            raise ValueError(error_text("'size' must be a 1-D Tensor of 2 elements: new_height, new_width", [size]))
        if preserve_aspect_ratio:
            size = _in_ratio(images, size)
        new = constant_value_as_shape(size) or (None, None)
        if None not in (height, width) and new == (height, width):
            return without_batch(images, is_batch)
        resize = _RESIZERS.get(method)
        if resize is None:
            raise ValueError(error_text("Resize method is not implemented.", fix="one of tf.image.ResizeMethod"))
        resized = resize(images, size, align_corners=align_corners)
        resized.set_shape([None, *new, None])
        return without_batch(resized, is_batch)


resize = resize_images


def _in_ratio(images: Tensor, size: Tensor) -> Tensor:
    """The size [2] that keeps the images' ratio of height to width and fits into `size`."""
    _, height, width, _ = sizes_of_batch(images)
    known = constant_value_as_shape(size) or (None, None)
    wanted = [size[i] if n is None else n for i, n in enumerate(known)]
    factors = [
        math.cast(new, dtypes.float32) / math.cast(old, dtypes.float32) for new, old in zip(wanted, (height, width))
    ]
    factor = math.minimum(*factors)
    scaled = [
        math.cast(math.round(factor * math.cast(old, dtypes.float32)), dtypes.int32) for old in (height, width)
    ]
    return convert_to_tensor(scaled, dtypes.int32, name="size")


@atomic
def resize_image_with_pad(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
) -> Tensor:
    """The image [h, w, c], or each image [n, h, w, c], as large as fits into the target in its own ratio of height to width, with
    zeros around it.

    Raises: ValueError for other ranks and targets that are not positive.
    """
    with named(None, "resize_image_with_pad", [image]):
        image, is_batch = as_batch(image)
        checks = check_is_image(image)
        checks += check(target_width > 0, "target_width must be > 0.")
        checks += check(target_height > 0, "target_height must be > 0.")
        image = with_dependencies(checks, image)
        _, height, width, _ = sizes_of_batch(image)
        height, width, wanted_height, wanted_width = (
            math.cast(side, dtypes.float64) for side in (height, width, target_height, target_width)
        )
        ratio = math.maximum(width / wanted_width, height / wanted_height)
        new_height, new_width = height / ratio, width / ratio
        rows = math.cast(math.floor(new_height), dtypes.int32)
        columns = math.cast(math.floor(new_width), dtypes.int32)
        above, left = (wanted_height - new_height) / 2, (wanted_width - new_width) / 2
        above, left = math.floor(above), math.floor(left)
        above = _larger(0, math.cast(above, dtypes.int32))
        left = _larger(0, math.cast(left, dtypes.int32))
        resized = resize_images(image, [rows, columns], method, align_corners)
        return without_batch(pad_to_bounding_box(resized, above, left, target_height, target_width), is_batch)


__all__ = [
    "ResizeMethod", "resize", "resize_area", "resize_bicubic", "resize_bilinear", "resize_image_with_pad", "resize_images",
    "resize_nearest_neighbor",
]  # fmt: skip
