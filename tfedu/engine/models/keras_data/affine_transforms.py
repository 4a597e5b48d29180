"""Turned, shifted, sheared and zoomed pictures, and their random forms, which draw from `np.random`. No state.

Pixels between pixels are interpolated as SciPy's `ndimage.affine_transform` did at the time of TF 1.15 (1.4), for the orders 0
(the nearest pixel) and 1 (linear).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import error_text
from .picture_arrays import array_to_img, img_to_array, pillow

# -- interpolation -----------------------------------------------------------------------------------------------------


def _inside(places: Any, size: int, mode: str) -> Any:
    """Coordinates beyond an axis as coordinates in it; -1 where the mode is "constant"."""
    last = size - 1
    below, above = places < 0, places > last
    if mode == "nearest":
        return np.clip(places, 0, last)
    if mode == "constant":
        return np.where(below | above, -1.0, places)
    if size == 1:
        return np.where(below | above, 0.0, places)
    if mode == "wrap":
        places = np.where(below, places + last * (np.trunc(-places / last) + 1), places)
        return np.where(above, places - last * np.trunc(places / last), places)
    period = 2 * size
    far = np.where(places < -period, period * np.trunc(-places / period) + places, places)
    reflected = np.where(far < -size, far + period, -far - 1)
    folded = places - period * np.trunc(places / period)
    return np.where(
        below, reflected, np.where(above, np.where(folded >= size, period - folded - 1, folded), places)
    )


def _mirrored(index: Any, size: int) -> Any:
    """Pixels' numbers beyond an axis as those of their mirror images in it."""
    if size == 1:
        return np.zeros_like(index)
    period = 2 * size - 2
    index = np.abs(index) % period
    return np.where(index >= size, period - index, index)


def _resampled(channel: Any, matrix: Any, offset: Any, mode: str, cval: float, order: int) -> Any:
    """The pixels [h, w] at matrix · (row, column) + offset of a picture [h, w]."""
    rows, columns = np.indices(channel.shape, dtype=np.float64)
    places = [matrix[axis, 0] * rows + matrix[axis, 1] * columns + offset[axis] for axis in (0, 1)]
    places = [_inside(each, size, mode) for each, size in zip(places, channel.shape)]
    is_outside = (places[0] <= -1) | (places[1] <= -1)
    pixels = channel.astype(np.float64)
    if order == 0:
        index = [
            _mirrored(np.floor(each + 0.5).astype(int), size) for each, size in zip(places, channel.shape)
        ]
        found = pixels[index[0], index[1]]
    else:
        lower = [np.floor(each) for each in places]
        part = [each - floor for each, floor in zip(places, lower)]
        found = np.zeros(channel.shape)
        for i, row_weight in ((0, 1 - part[0]), (1, part[0])):
            for j, column_weight in ((0, 1 - part[1]), (1, part[1])):
                row = _mirrored((lower[0] + i).astype(int), channel.shape[0])
                column = _mirrored((lower[1] + j).astype(int), channel.shape[1])
                found += pixels[row, column] * row_weight * column_weight
    found = np.where(is_outside, cval, found)
    if channel.dtype.kind in "iu":
        found = np.trunc(found + np.copysign(0.5, found))
    return found.astype(channel.dtype)


# -- transforms --------------------------------------------------------------------------------------------------------


def apply_affine_transform(
    x: Any, theta: float = 0, tx: float = 0, ty: float = 0, shear: float = 0, zx: float = 1, zy: float = 1, row_axis: int = 0,
    col_axis: int = 1, channel_axis: int = 2, fill_mode: str = "nearest", cval: float = 0.0, order: int = 1,
) -> Any:  # fmt: skip
    """The picture turned by theta, shifted by tx rows and ty columns, sheared and zoomed about its centre; angles in degrees.

    fill_mode: what is beyond the edges: "nearest", "constant" (cval), "reflect" or "wrap". order: 0 the nearest pixel, 1 linear.

    Raises: ValueError for another mode or order.
    """
    if fill_mode not in ("nearest", "constant", "reflect", "wrap"):
        raise ValueError(error_text(f"fill_mode: one of nearest, constant, reflect, wrap, not {fill_mode!r}"))
    if order not in (0, 1):
        raise ValueError(
            error_text(
                f"interpolation_order: 0 or 1, not {order!r}",
                fix="splines of higher orders are not available in tfedu",
            )
        )
    steps = []
    if theta != 0:
        sine, cosine = np.sin(np.deg2rad(theta)), np.cos(np.deg2rad(theta))
        steps.append([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
    if tx != 0 or ty != 0:
        steps.append([[1, 0, tx], [0, 1, ty], [0, 0, 1]])
    if shear != 0:
        angle = np.deg2rad(shear)
        steps.append([[1, -np.sin(angle), 0], [0, np.cos(angle), 0], [0, 0, 1]])
    if zx != 1 or zy != 1:
        steps.append([[zx, 0, 0], [0, zy, 0], [0, 0, 1]])
    if not steps:
        return x
    matrix = np.array(steps[0], float)
    for step in steps[1:]:
        matrix = matrix @ np.array(step, float)
    centre = [x.shape[axis] / 2 + 0.5 for axis in (row_axis, col_axis)]
    there, back = np.eye(3), np.eye(3)
    there[:2, 2], back[:2, 2] = centre, np.negative(centre)
    matrix = there @ matrix @ back
    channels = np.moveaxis(x, channel_axis, 0)
    made = [
        _resampled(channel, matrix[:2, :2], matrix[:2, 2], fill_mode, cval, order) for channel in channels
    ]
    return np.moveaxis(np.stack(made), 0, channel_axis)


def apply_channel_shift(x: Any, intensity: float, channel_axis: int = 0) -> Any:
    """The picture with `intensity` added to all pixels, within the smallest and the largest value that it has."""
    x = np.asarray(x)
    return np.clip(x + intensity, np.min(x), np.max(x))


def apply_brightness_shift(x: Any, brightness: float) -> Any:
    """The picture brighter or darker: 1 leaves it (but for its range, which becomes 0 … 255).

    Raises: ImportError without Pillow.
    """
    enhance = pillow("ImageEnhance")
    return img_to_array(enhance.Brightness(array_to_img(x)).enhance(brightness))


# -- random forms ------------------------------------------------------------------------------------------------------


def random_rotation(
    x: Any, rg: float, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest", cval: float = 0.0,
    interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """The picture turned by up to rg degrees. Raises: as `apply_affine_transform`.

    row_axis, col_axis: unused, as in TF 1.15: the centre is that of the first two axes.
    """
    theta = np.random.uniform(-rg, rg)
    return apply_affine_transform(
        x, theta=theta, channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order
    )


def random_shift(
    x: Any, wrg: float, hrg: float, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest",
    cval: float = 0.0, interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """The picture shifted by up to the part wrg of its width and hrg of its height. Raises: as `apply_affine_transform`."""
    tx = np.random.uniform(-hrg, hrg) * x.shape[row_axis]
    ty = np.random.uniform(-wrg, wrg) * x.shape[col_axis]
    return apply_affine_transform(
        x, tx=tx, ty=ty, channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order
    )


def random_shear(
    x: Any, intensity: float, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest",
    cval: float = 0.0, interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """The picture sheared by up to `intensity` degrees. Raises: as `apply_affine_transform`."""
    shear = np.random.uniform(-intensity, intensity)
    return apply_affine_transform(
        x, shear=shear, channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order
    )


def random_zoom(
    x: Any, zoom_range: Any, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest",
    cval: float = 0.0, interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """The picture with rows and columns scaled by factors in zoom_range; below 1 it becomes larger.

    Raises: ValueError unless zoom_range is a pair; as `apply_affine_transform`.
    """
    zx, zy = random_factors(zoom_range)
    return apply_affine_transform(
        x, zx=zx, zy=zy, channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order
    )


def random_factors(zoom_range: Any) -> Any:
    """Two factors in a range; without a draw for the range 1, 1."""
    if len(zoom_range) != 2:
        raise ValueError(
            error_text(f"`zoom_range` should be a tuple or list of two floats. Received: {zoom_range}")
        )
    return (1, 1) if zoom_range[0] == zoom_range[1] == 1 else np.random.uniform(*zoom_range, 2)


def random_channel_shift(x: Any, intensity_range: float, channel_axis: int = 0) -> Any:
    """The picture with up to ± intensity_range added to all pixels."""
    return apply_channel_shift(
        x, np.random.uniform(-intensity_range, intensity_range), channel_axis=channel_axis
    )


def random_brightness(x: Any, brightness_range: Any) -> Any:
    """The picture brighter or darker by a factor in the range.

    Raises: ValueError unless brightness_range is a pair; ImportError without Pillow.
    """
    if len(brightness_range) != 2:
        raise ValueError(
            error_text(
                f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}"
            )
        )
    return apply_brightness_shift(x, np.random.uniform(*brightness_range))


__all__ = [
    "apply_affine_transform", "apply_brightness_shift", "apply_channel_shift", "random_brightness", "random_channel_shift",
    "random_factors", "random_rotation", "random_shear", "random_shift", "random_zoom",
]  # fmt: skip
