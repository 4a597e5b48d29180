"""Which pixels of an axis each new pixel is made of, and how much of each: every way to resize an image is two such tables.

Numbers are float32, computed step by step as TF computes them, so that results agree to the last place. No state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

ONE, HALF = np.float32(1), np.float32(0.5)


class Taps(NamedTuple):
    """New pixel i of an axis is the sum over k of weights[i, k] times the old pixel pixels[i, k]: both arrays [count, taps].

    Where pixels[i, k] is -1, nothing is added, not even 0 times an infinite pixel.
    """

    pixels: Any
    weights: Any

    def along(self, xp: Any, image: Any, axis: int) -> Any:
        """The image resized along an axis: float32, the taps added in their order."""
        shape = [1] * image.ndim
        shape[axis] = len(self.pixels)
        total: Any = None
        for pixels, weights in zip(self.pixels.T, self.weights.T):
            term = xp.take(image, xp.asarray(pixels), axis).astype(np.float32, copy=False)
            term = term * xp.asarray(weights).reshape(shape)
            if (pixels < 0).any():
                term = xp.where(xp.asarray(pixels).reshape(shape) < 0, np.float32(0), term)
            total = term if total is None else xp.add(total, term, out=total)
        return total

    def matrix(self, size: int, dtype: Any = np.float32) -> Any:
        """The same table as a matrix [count, size] that an axis of that size is multiplied by."""
        matrix = np.zeros((len(self.pixels), size), dtype)
        np.add.at(matrix, (np.arange(len(self.pixels))[:, None], self.pixels), self.weights)
        return matrix


def scale_of(size: int, count: int, align_corners: bool) -> Any:
    """How many old pixels one new pixel is wide. align_corners: the centres of the corner pixels stay where they are."""
    if align_corners and count > 1:
        return np.float32(size - 1) / np.float32(count - 1)
    return np.float32(size) / np.float32(count)


def places(size: int, count: int, align_corners: bool, half_pixel_centers: bool) -> Any:
    """Where each new pixel lies on the old axis, float32 [count]. half_pixel_centers: a pixel's place is its centre."""
    scale, new = scale_of(size, count, align_corners), np.arange(count, dtype=np.float32)
    return (new + HALF) * scale - HALF if half_pixel_centers else new * scale


def linear(size: int, count: int, align_corners: bool, half_pixel_centers: bool) -> Taps:
    """The two neighbours of each place, weighted by how near they are."""
    at = places(size, count, align_corners, half_pixel_centers)
    below = np.floor(at)
    share = (at - below).astype(np.float32)
    pixels = np.stack([np.maximum(below, 0), np.minimum(np.ceil(at), size - 1)], 1).astype(np.intp)
    return Taps(pixels, np.stack([ONE - share, share], 1))


def nearest(size: int, count: int, align_corners: bool, half_pixel_centers: bool) -> Any:
    """The number of the old pixel that each new one repeats, [count]."""
    scale, new = scale_of(size, count, align_corners), np.arange(count, dtype=np.float32)
    at = (new + HALF) * scale if half_pixel_centers else new * scale
    # halves are rounded away from zero, and no place is negative
    near = np.floor(at + HALF) if align_corners else np.floor(at)
    return np.clip(near.astype(np.intp), 0, size - 1)


_STEPS: Final = 1024  # into so many steps the table of the cubic kernel divides a pixel


@lru_cache(maxsize=2)
def _cubic_table(a: float) -> tuple[Any, Any]:
    """The cubic kernel at distances 0 to 1 and 1 to 2, [steps + 1] each. Source: Keys, 1981."""
    x = np.arange(_STEPS + 1, dtype=np.float32) / np.float32(_STEPS)
    wide, a = x.astype(np.float64), float(a)
    near = ((a + 2) * wide - (a + 3)) * wide * wide + 1
    wide = (x + ONE).astype(np.float64)
    far = ((a * wide - 5 * a) * wide + 8 * a) * wide - 4 * a
    return near.astype(np.float32), far.astype(np.float32)


def cubic(size: int, count: int, align_corners: bool, half_pixel_centers: bool) -> Taps:
    """The four neighbours of each place. With half_pixel_centers those outside the image do not count, else the border counts
    for them, and the kernel is a sharper one (a = -0.75 instead of -0.5).
    """
    near, far = _cubic_table(-0.5 if half_pixel_centers else -0.75)
    at = places(size, count, align_corners, half_pixel_centers)
    first = np.floor(at)
    step = np.rint((at - first).astype(np.float32) * np.float32(_STEPS)).astype(np.intp)
    weights = np.stack([far[step], near[step], near[_STEPS - step], far[_STEPS - step]], 1)
    wanted = first.astype(np.intp)[:, None] + np.arange(-1, 3)
    pixels = np.clip(wanted, 0, size - 1)
    if half_pixel_centers:
        weights = np.where(pixels == wanted, weights, np.float32(0))
        total = ((weights[:, 0] + weights[:, 1]) + weights[:, 2]) + weights[:, 3]
        weights = _normalized(weights, total)
    return Taps(pixels, weights)


def _normalized(weights: Any, total: Any) -> Any:
    """Rows of weights divided by their sums, but for sums of almost 0."""
    is_large = np.abs(total) >= 1000 * np.finfo(np.float32).tiny
    factor = np.where(is_large, ONE / np.where(is_large, total, ONE), ONE)
    return weights * factor[:, None]


def area(size: int, count: int, align_corners: bool) -> Taps:
    """All pixels that a new pixel covers, weighted by how much of each it covers, in pixels; a pixel is `scale` wide."""
    scale = scale_of(size, count, align_corners)
    new = np.arange(count, dtype=np.float32)
    start, end = new * scale, (new + ONE) * scale
    first, last = np.floor(start).astype(np.intp), np.ceil(end).astype(np.intp)
    pixels = first[:, None] + np.arange(max((last - first).max(), 1))
    left, right = pixels.astype(np.float32), pixels.astype(np.float32) + ONE
    start, end = start[:, None], end[:, None]
    covered = np.where(
        left < start,
        np.where(right > end, scale, right - start),
        np.where(right > end, end - left, ONE),
    )
    is_covered = pixels < last[:, None]
    return Taps(np.where(is_covered, np.minimum(pixels, size - 1), -1), np.where(is_covered, covered, 0).astype(np.float32))


# -- kernels of ScaleAndTranslate: how much a pixel counts at a distance from the new pixel's centre --------------------------


def _sinc_window(radius: float) -> Callable[[Any], Any]:
    def kernel(x: Any) -> Any:
        x = np.abs(x)
        safe = np.where(x <= 1e-3, ONE, x)
        scaled = safe * np.float32(math.pi)
        value = np.float32(radius) * np.sin(scaled) * np.sin(scaled / np.float32(radius)) / (scaled * scaled)
        return np.where(x > radius, np.float32(0), np.where(x <= 1e-3, ONE, value)).astype(np.float32)

    return kernel


def _gaussian(x: Any) -> Any:
    x, sigma = np.abs(x), np.float32(0.5)
    value = np.exp(-x * x / (np.float32(2) * sigma * sigma))
    return np.where(x >= 1.5, np.float32(0), value).astype(np.float32)


def _box(x: Any) -> Any:
    x = np.abs(x)
    return np.where(x < 0.5, ONE, np.where(x == 0.5, HALF, np.float32(0)))


def _triangle(x: Any) -> Any:
    x = np.abs(x)
    return np.where(x < 1, ONE - x, np.float32(0)).astype(np.float32)


def _keys_cubic(x: Any) -> Any:
    x = np.abs(x)
    near = ((np.float32(1.5) * x - np.float32(2.5)) * x) * x + ONE
    far = ((np.float32(-0.5) * x + np.float32(2.5)) * x - np.float32(4)) * x + np.float32(2)
    return np.where(x >= 2, np.float32(0), np.where(x >= 1, far, near)).astype(np.float32)


def _mitchell_cubic(x: Any) -> Any:
    x = np.abs(x)
    seven, two, twelve, third = np.float32(7 / 6), np.float32(2), np.float32(10 / 3), np.float32(16 / 9)
    near = (seven * x - two) * x * x + np.float32(8 / 9)
    far = ((np.float32(-7 / 18) * x + two) * x - twelve) * x + third
    return np.where(x >= 2, np.float32(0), np.where(x >= 1, far, near)).astype(np.float32)


# name -> (radius in pixels, kernel). Sources: Lanczos, 1950; Keys, 1981; Mitchell and Netravali, 1988.
KERNELS: Final[Mapping[str, tuple[float, Callable[[Any], Any]]]] = {
    "lanczos1": (1.0, _sinc_window(1.0)),
    "lanczos3": (3.0, _sinc_window(3.0)),
    "lanczos5": (5.0, _sinc_window(5.0)),
    "gaussian": (1.5, _gaussian),
    "box": (1.0, _box),
    "triangle": (1.0, _triangle),
    "keyscubic": (2.0, _keys_cubic),
    "mitchellcubic": (2.0, _mitchell_cubic),
}


def moved(size: int, count: int, scale: Any, translation: Any, kernel: str, antialias: bool) -> Taps:
    """An axis that is scaled and then moved, in pixels; a new pixel outside the old image is 0.

    antialias: when the image shrinks, the kernel grows as much, so that every old pixel counts.
    """
    radius, weigh = KERNELS[kernel]
    scale, translation = np.float32(scale), np.float32(translation)
    inverse = ONE / scale
    shift = -inverse * translation
    width = max(inverse, ONE) if antialias else ONE
    centre = (np.arange(count, dtype=np.float32) + HALF) * inverse + shift
    reach = np.float32(radius) * width
    first = np.clip(np.ceil(centre - reach - HALF), 0, size - 1).astype(np.intp)
    last = np.clip(np.floor(centre + reach - HALF), 0, size - 1).astype(np.intp)
    pixels = first[:, None] + np.arange(int((last - first).max()) + 1)
    weights = weigh((pixels.astype(np.float32) + HALF - centre[:, None]) * (ONE / width))
    is_inside = (centre >= 0) & (centre <= size)
    weights = np.where((pixels <= last[:, None]) & is_inside[:, None], weights, np.float32(0))
    total = np.zeros(count, np.float32)
    for column in weights.T:
        total = total + column
    return Taps(np.minimum(pixels, size - 1), _normalized(weights, total))


__all__ = ["KERNELS", "Taps", "area", "cubic", "linear", "moved", "nearest"]
