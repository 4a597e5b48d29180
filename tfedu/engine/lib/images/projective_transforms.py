"""`tf.contrib.image`: pictures that are rotated, moved, or taken through any projective map. No state.

A map of a picture's points is a row [8]: a0, a1, a2, b0, b1, b2, c0, c1. The pixel (x, y) of the result is the picture's point
((a0·x + a1·y + a2) / k, (b0·x + b1·y + b2) / k) with k = c0·x + c1·y + 1.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, selection, sequences
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import named
from ..math import clip, math, products

_DTYPES = {dtypes.uint8, dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32, dtypes.float64}


@atomic
def rotate(images: Any, angles: Any, interpolation: str = "NEAREST", name: str | None = None) -> Tensor:
    """Pictures turned about their middle, counter-clockwise: images [n, h, w, c], [h, w, c] or [h, w]; angles in radians, one
    or [n]. What lies outside a picture is 0.

    Raises: as `transform`.
    """
    with named(name, "rotate"):
        images = convert_to_tensor(images)
        batch, _ = _as_batch(images, "Images should have rank between 2 and 4.")
        height, width = (
            math.cast(array.shape(batch)[axis], dtypes.float32)[None] for axis in (1, 2)
        )
        maps = angles_to_projective_transforms(angles, height, width)
        return transform(images, maps, interpolation=interpolation)


@atomic
def translate(images: Any, translations: Any, interpolation: str = "NEAREST", name: str | None = None) -> Tensor:
    """Pictures moved by (dx, dy) pixels: images [n, h, w, c], [h, w, c] or [h, w]; translations [2] or [n, 2].

    Raises: as `transform`.
    """
    with named(name, "translate"):
        return transform(images, translations_to_projective_transforms(translations), interpolation=interpolation)


@atomic
def transform(
    images: Any, transforms: Any, interpolation: str = "NEAREST", output_shape: Any = None, name: str | None = None
) -> Tensor:
    """Pictures whose pixels come from the points that projective maps give: images [n, h, w, c], [h, w, c] or [h, w];
    transforms [8], [1, 8] or [n, 8], one for all pictures or one for each.

    interpolation: "NEAREST" or "BILINEAR". output_shape: (height, width) of the result; by default those of the images. What
    lies outside a picture is 0.
    Raises: TypeError for another dtype or rank, ValueError for another interpolation and another output_shape.
    Differs from TF: several ops compute it, and a gradient also reaches the maps.
    """
    with named(name, "transform", [images, transforms, output_shape]):
        images = convert_to_tensor(images, name="images")
        maps = convert_to_tensor(transforms, name="transforms", dtype=dtypes.float32)
        if images.dtype.base_dtype not in _DTYPES:
            raise TypeError(error_text(f"Invalid dtype {images.dtype.base_dtype}.", [images]))
        if interpolation not in ("NEAREST", "BILINEAR"):
            raise ValueError(error_text(f"interpolation must be NEAREST or BILINEAR, not {interpolation!r}."))
        batch, axes = _as_batch(images, "Images should have rank between 2 and 4.")
        maps = _as_rows(maps, 8, "Transforms should have rank 1 or 2.", "transforms")
        rows, count = maps.shape[0].value, batch.shape[0].value
        if rows not in (None, 1) and count is not None and rows != count:
            raise ValueError(
                error_text(f"transforms must have one row, or one for each of {count} images, not {rows}", [images, maps])
            )
        if output_shape is None:
            known = batch.shape[1:3]
            size: Any = known.as_list() if known.is_fully_defined() else array.shape(batch)[1:3]
        else:
            size = convert_to_tensor(output_shape, dtype=dtypes.int32, name="output_shape")
            if not size.shape.is_compatible_with([2]):
                raise ValueError(error_text("output_shape must be a 1-D Tensor of 2 elements: new_height, new_width", [size]))
        result = _sampled(batch, maps, size[0], size[1], interpolation)
        result.set_shape([batch.shape[0], None, None, batch.shape[3]])
        for axis in reversed(axes):
            result = array.squeeze(result, [axis])
        return result


def _as_batch(images: Tensor, message: str) -> tuple[Tensor, list[int]]:
    """(images [n, h, w, c], the axes that they did not have)."""
    rank = images.shape.rank
    if rank is None:
        raise TypeError(error_text("image_or_images rank must be statically known", [images]))
    if rank == 2:
        return images[None, :, :, None], [0, 3]
    if rank == 3:
        return images[None, :, :, :], [0]
    if rank == 4:
        return images, []
    raise TypeError(error_text(message, [images]))


def _as_rows(rows: Tensor, size: int, message: str, label: str) -> Tensor:
    """Rows [n, size], out of one or several."""
    if rows.shape.rank is None:
        raise TypeError(error_text(f"{label} rank must be statically known", [rows]))
    if rows.shape.rank not in (1, 2):
        raise TypeError(error_text(message, [rows]))
    rows = rows[None] if rows.shape.rank == 1 else rows
    if not rows.shape[1:].is_compatible_with([size]):
        raise ValueError(error_text(f"{label} must have {size} numbers in a row, not {rows.shape[1]}", [rows]))
    return rows


def _sampled(images: Tensor, maps: Tensor, height: Any, width: Any, interpolation: str) -> Tensor:
    """The pixels [n, height, width, c] at the points that maps [1 or n, 8] give."""
    y = math.cast(sequences.range(height), dtypes.float32)[None, :, None]
    x = math.cast(sequences.range(width), dtypes.float32)[None, None, :]
    a0, a1, a2, b0, b1, b2, c0, c1 = (maps[:, i, None, None] for i in range(8))
    k = c0 * x + c1 * y + 1.0
    is_finite = math.not_equal(k, 0.0)
    k = selection.where_v2(is_finite, k, array.ones_like(k))
    at_x, at_y = (a0 * x + a1 * y + a2) / k, (b0 * x + b1 * y + b2) / k
    if interpolation == "NEAREST":
        return _pixels(images, _rounded(at_y), _rounded(at_x), is_finite)
    left, top = math.floor(at_x), math.floor(at_y)
    real = math.cast(images, dtypes.float32)
    of_x, of_y = (at_x - left)[..., None], (at_y - top)[..., None]

    def row(y: Tensor) -> Tensor:
        return (1.0 - of_x) * _pixels(real, y, left, is_finite) + of_x * _pixels(real, y, left + 1.0, is_finite)

    return math.cast((1.0 - of_y) * row(top) + of_y * row(top + 1.0), images.dtype)


def _rounded(x: Tensor) -> Tensor:
    """The nearest whole number [...]; halves are rounded away from 0."""
    return math.sign(x) * math.floor(math.abs(x) + 0.5)


def _pixels(images: Tensor, y: Tensor, x: Tensor, is_finite: Tensor) -> Tensor:
    """images[i, y[i], x[i]] for whole numbers y, x [1 or n, h, w]; 0 outside of the images [n, H, W, c]."""
    shape = array.shape(images)
    count, rows, columns = shape[0], shape[1], shape[2]
    last_row, last_column = (math.cast(side - 1, dtypes.float32) for side in (rows, columns))
    is_inside = math.logical_and(
        math.logical_and(math.logical_and(y >= 0.0, y <= last_row), math.logical_and(x >= 0.0, x <= last_column)), is_finite
    )
    row = math.cast(clip.clip_by_value(y, 0.0, last_row), dtypes.int32)
    column = math.cast(clip.clip_by_value(x, 0.0, last_column), dtypes.int32)
    of_image = sequences.range(count)[:, None, None] * (rows * columns)
    flat = array.reshape(images, [-1, shape[3]])
    pixels = selection.gather(flat, of_image + row * columns + column)
    return selection.where_v2(is_inside[..., None], pixels, array.zeros_like(pixels))


@atomic
def angles_to_projective_transforms(angles: Any, image_height: Any, image_width: Any, name: str | None = None) -> Tensor:
    """The maps [n, 8] that turn pictures of a size about their middle: angles in radians, one or [n].

    Raises: TypeError for angles of higher rank.
    """
    with named(name, "angles_to_projective_transforms"):
        angles = convert_to_tensor(angles, name="angles", dtype=dtypes.float32)
        if angles.shape.rank is None:
            raise TypeError(error_text("angles rank must be statically known", [angles]))
        if angles.shape.rank > 1:
            raise TypeError(error_text("Angles should have rank 0 or 1.", [angles]))
        angles = angles[None] if angles.shape.rank == 0 else angles
        cos, sin = math.cos(angles), math.sin(angles)
        right, bottom = image_width - 1.0, image_height - 1.0
        dx = (right - (cos * right - sin * bottom)) / 2.0
        dy = (bottom - (sin * right + cos * bottom)) / 2.0
        zeros = array.zeros_like(angles)
        return array.stack([cos, -sin, dx + zeros, sin, cos, dy + zeros, zeros, zeros], axis=1)


@atomic
def translations_to_projective_transforms(translations: Any, name: str | None = None) -> Tensor:
    """The maps [n, 8] that move pictures by (dx, dy) pixels: translations [2] or [n, 2].

    Raises: TypeError for translations of higher rank, ValueError for other sizes.
    """
    with named(name, "translations_to_projective_transforms"):
        moves = convert_to_tensor(translations, name="translations", dtype=dtypes.float32)
        moves = _as_rows(moves, 2, "Translations should have rank 1 or 2.", "translations")
        one, zero = array.ones_like(moves[:, 0]), array.zeros_like(moves[:, 0])
        return array.stack([one, zero, -moves[:, 0], zero, one, -moves[:, 1], zero, zero], axis=1)


@atomic
def compose_transforms(*transforms: Any) -> Tensor:
    """The maps [n, 8] that do the given ones in order, the last one first on the points of the result.

    transforms: [8] or [n, 8] each. Raises: ValueError for none.
    """
    if not transforms:
        raise ValueError(error_text("transforms cannot be empty"))
    with named(None, "compose_transforms"):
        composed = flat_transforms_to_matrices(transforms[0])
        for other in transforms[1:]:
            composed = products.matmul(composed, flat_transforms_to_matrices(other))
        return matrices_to_flat_transforms(composed)


@atomic
def flat_transforms_to_matrices(transforms: Any) -> Tensor:
    """Maps [8] or [n, 8] as matrices [n, 3, 3], whose last entry is 1.

    Raises: ValueError for other shapes.
    """
    with named(None, "flat_transforms_to_matrices"):
        maps = convert_to_tensor(transforms, name="transforms", dtype=dtypes.float32)
        if maps.shape.rank not in (1, 2):
            raise ValueError(error_text(f"Transforms should be 1D or 2D, got: {maps}"))
        maps = array.reshape(maps, [-1, 8])
        whole = array.concat([maps, array.ones([array.shape(maps)[0], 1])], axis=1)
        return array.reshape(whole, [-1, 3, 3])


@atomic
def matrices_to_flat_transforms(transform_matrices: Any) -> Tensor:
    """Matrices [3, 3] or [n, 3, 3] as maps [n, 8]: divided by their last entry.

    Raises: ValueError for other shapes.
    """
    with named(None, "matrices_to_flat_transforms"):
        matrices = convert_to_tensor(transform_matrices, name="transform_matrices", dtype=dtypes.float32)
        if matrices.shape.rank not in (2, 3):
            raise ValueError(error_text(f"Matrices should be 2D or 3D, got: {matrices}"))
        rows = array.reshape(matrices, [-1, 9])
        return (rows / rows[:, 8:9])[:, :8]  # type: ignore[no-any-return]
