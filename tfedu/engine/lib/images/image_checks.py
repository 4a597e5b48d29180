"""What the functions of images check, when a graph is built as far as shapes are known, else by nodes at run time. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ..arrays import array, slicing
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import is_tensor


def check(condition: Any, text: str) -> list[Operation]:
    """The nodes that check the condition: one for a tensor, none for a bool, which is checked now. Raises: ValueError."""
    if is_tensor(condition):
        return [asserts.Assert(condition, [text])]
    if not condition:
        raise ValueError(error_text(text))
    return []


def check_is_image(image: Tensor) -> list[Operation]:
    """The nodes that check for three axes or more, none of them empty. Raises: ValueError where the shape says it already."""
    shape = image.shape
    try:
        known = shape.with_rank(3) if shape.ndims is None else shape.with_rank_at_least(3)
    except ValueError:
        fix = f"an image is [h, w, channels], this one {shape}; tf.expand_dims adds an axis"
        raise ValueError(error_text("'image' must be at least three-dimensional.", [image], fix=fix)) from None
    if any(size.value == 0 for size in known):
        raise ValueError(error_text(f"all dims of 'image.shape' must be > 0: {known}", [image]))
    if known.is_fully_defined():
        return []
    return [
        asserts.assert_positive(array.shape(image), ["all dims of 'image.shape' must be > 0."]),
        asserts.assert_greater_equal(array.rank(image), 3, message="'image' must be at least three-dimensional."),
    ]


def checked_image(image: Any) -> Tensor:
    """The image as a tensor that is computed after its checks."""
    image = convert_to_tensor(image, name="image")
    checked: Tensor = with_dependencies(check_is_image(image), image)
    return checked


def checked_grayscale(images: Any) -> Tensor:
    """The images [..., 1], computed after the check for one channel. Raises: ValueError where the shape says it already."""
    images = convert_to_tensor(images, name="images")
    text = "Last dimension of a grayscale image should be size 1."
    try:
        shape = images.shape.with_rank_at_least(2) if images.shape.ndims is not None else TensorShape([None, None, None])
    except ValueError:
        raise ValueError(error_text("A grayscale image must be at least two-dimensional.", [images])) from None
    checks: list[Operation] = []
    if not shape.is_fully_defined():
        checks = [
            asserts.assert_equal(array.shape(images)[-1], 1, message=text),
            asserts.assert_greater_equal(array.rank(images), 3, message="A grayscale image must be at least two-dimensional."),
        ]
    elif shape[-1] != 1:
        raise ValueError(error_text(text, [images]))
    checked: Tensor = with_dependencies(checks, images)
    return checked


def as_batch(image: Any, what: str = "image") -> tuple[Tensor, bool]:
    """The images with an axis for the batch [n, h, w, channels], and whether they had it. Raises: ValueError for other ranks."""
    image = convert_to_tensor(image, name=what)
    rank = image.shape.ndims
    if rank == 4:
        return image, True
    if rank not in (3, None):
        raise ValueError(error_text(f"'{what}' must have either 3 or 4 dimensions.", [image]))
    image = array.expand_dims(image, 0)
    if rank is None:
        image.set_shape([None] * 4)
    return image, False


def sizes_of_batch(images: Tensor) -> list[Any]:
    """[n, h, w, channels]: numbers where they are known, else tensors."""
    shape = images.shape
    if shape.is_fully_defined():
        return shape.as_list()  # type: ignore[no-any-return]
    static = shape.with_rank(4).as_list()
    dynamic = slicing.unstack(array.shape(images), 4)
    return [dynamic[i] if size is None else size for i, size in enumerate(static)]


def without_batch(images: Tensor, is_batch: bool) -> Tensor:
    """The images as the caller gave them: without the axis that `as_batch` added."""
    return images if is_batch else array.squeeze(images, axis=[0])
