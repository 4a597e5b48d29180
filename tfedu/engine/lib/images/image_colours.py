"""`tf.image`'s colours: types of pixels, grey, HSV, YIQ and YUV, and changes of brightness, contrast, hue and saturation. No
state.

Pixels of a floating-point type lie in 0 to 1, those of an integer type between 0 and the type's largest number.
"""

from __future__ import annotations

from typing import Any, Final

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops.images import colours as ops
from ..arrays import array
from ..control.grouping import identity, with_dependencies
from ..framework.scope_blocks import named
from ..math import math, products, random, reductions
from .image_checks import check, checked_grayscale, checked_image

rgb_to_hsv, hsv_to_rgb = ops.rgb_to_hsv, ops.hsv_to_rgb

# -- types and colour models ---------------------------------------------------------------------------------------------


@atomic
def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> Tensor:
    """The image [...] in another type, its numbers scaled to the type's range: 0 to 1, or 0 to the largest integer.

    saturate: numbers that the type cannot hold become its smallest or largest one.
    """
    image = convert_to_tensor(image, name="image")
    dtype = dtypes.as_dtype(dtype)
    if dtype == image.dtype:
        return identity(image, name=name)  # type: ignore[no-any-return]
    cast = math.saturate_cast if saturate else math.cast
    with named(name, "convert_image", [image]) as scope:
        if image.dtype.is_floating and dtype.is_floating:
            return math.cast(image, dtype, name=scope)  # type: ignore[no-any-return]
        if not image.dtype.is_integer:
            return cast(math.multiply(image, dtype.max + 0.5, name="Mul"), dtype, name=scope)  # type: ignore[no-any-return]
        if not dtype.is_integer:
            return math.multiply(math.cast(image, dtype), 1.0 / image.dtype.max, name=scope)
        old, new = image.dtype.max, dtype.max
        if old > new:
            return cast(math.div(image, (old + 1) // (new + 1)), dtype, name=scope)  # type: ignore[no-any-return]
        return math.multiply(cast(image, dtype), (new + 1) // (old + 1), name=scope)


@atomic
def rgb_to_grayscale(images: Any, name: str | None = None) -> Tensor:
    """The brightness of RGB images: [..., 3] -> [..., 1] of the same type; 0.2989 red + 0.587 green + 0.114 blue."""
    with named(name, "rgb_to_grayscale", [images]) as scope:
        images = convert_to_tensor(images, name="images")
        floating = convert_image_dtype(images, dtypes.float32)
        grey = products.tensordot(floating, [0.2989, 0.5870, 0.1140], [-1, -1])
        return convert_image_dtype(array.expand_dims(grey, -1), images.dtype, name=scope)


@atomic
def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Grey images as RGB: [..., 1] -> [..., 3]. Raises: ValueError for another number of channels."""
    with named(name, "grayscale_to_rgb", [images]) as scope:
        images = checked_grayscale(images)
        axes = array.expand_dims(array.rank(images) - 1, 0)
        multiples = array.concat([array.ones(axes, dtype=dtypes.int32), array.expand_dims(3, 0)], 0)
        rgb: Tensor = array.tile(images, multiples, name=scope)
        rgb.set_shape(images.shape[:-1].concatenate([3]))
        return rgb


# rows: what each of the three old channels adds to the new ones. Sources: NTSC's YIQ, and YUV of ITU-R BT.601.
_RGB_TO_YIQ: Final = [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]]
_YIQ_TO_RGB: Final = [[1, 1, 1], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]]
_RGB_TO_YUV: Final = [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]]
_YUV_TO_RGB: Final = [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]]


@atomic
def _by_matrix(images: Any, matrix: Any) -> Tensor:
    images = convert_to_tensor(images, name="images")
    kernel = convert_to_tensor(matrix, dtype=images.dtype, name="kernel")
    return products.tensordot(images, kernel, axes=[[images.shape.ndims - 1], [0]])  # type: ignore[no-any-return]


def rgb_to_yiq(images: Any) -> Tensor:
    """RGB to YIQ: [..., 3] floating-point in 0 to 1 -> [..., 3], brightness and two differences of colours."""
    return _by_matrix(images, _RGB_TO_YIQ)


def yiq_to_rgb(images: Any) -> Tensor:
    """YIQ to RGB: [..., 3] -> [..., 3]; what is outside 0 to 1 no screen shows."""
    return _by_matrix(images, _YIQ_TO_RGB)


def rgb_to_yuv(images: Any) -> Tensor:
    """RGB to YUV: [..., 3] floating-point in 0 to 1 -> [..., 3], brightness and two differences of colours."""
    return _by_matrix(images, _RGB_TO_YUV)


def yuv_to_rgb(images: Any) -> Tensor:
    """YUV to RGB: [..., 3] -> [..., 3]; what is outside 0 to 1 no screen shows."""
    return _by_matrix(images, _YUV_TO_RGB)


# -- changes -------------------------------------------------------------------------------------------------------------


def _in_floating(image: Tensor) -> Tensor:
    return image if image.dtype in (dtypes.float16, dtypes.float32) else convert_image_dtype(image, dtypes.float32)


@atomic
def adjust_brightness(image: Any, delta: Any) -> Tensor:
    """The image [...] with delta, a scalar in -1 to 1, added to every channel; of the same type, saturated."""
    with named(None, "adjust_brightness", [image, delta]) as scope:
        image = convert_to_tensor(image, name="image")
        floating = _in_floating(image)
        brighter = math.add(floating, math.cast(delta, floating.dtype), name=scope)
        return convert_image_dtype(brighter, image.dtype, saturate=True)


@atomic
def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """(x - mean) · contrast_factor + mean, with the mean of each channel of each image: [..., h, w, c], of the same type,
    saturated.
    """
    with named(None, "adjust_contrast", [images, contrast_factor]) as scope:
        images = convert_to_tensor(images, name="images")
        adjusted = ops.adjust_contrast_v2(_in_floating(images), contrast_factor=contrast_factor, name=scope)
        return convert_image_dtype(adjusted, images.dtype, saturate=True)


@atomic
def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Tensor:
    """gain · image ^ gamma: [...], of the same type, saturated. Raises: ValueError for a negative gamma."""
    with named(None, "adjust_gamma", [image, gamma, gain]):
        image = convert_to_tensor(image, name="image")
        floating = _in_floating(image)
        checks = check(gamma >= 0, "Gamma should be a non-negative real number.")
        if checks:
            gamma = with_dependencies(checks, gamma)
        return convert_image_dtype(gain * floating**gamma, image.dtype, saturate=True)


@atomic
def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Tensor:
    """The hue turned by delta, a scalar in -1 to 1 turns: RGB [..., h, w, 3] of any type -> the same."""
    with named(name, "adjust_hue", [image]):
        image = convert_to_tensor(image, name="image")
        return convert_image_dtype(ops.adjust_hue(_in_floating(image), delta), image.dtype)


@atomic
def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Tensor:
    """The saturation multiplied by saturation_factor, a scalar: RGB [..., h, w, 3] of any type -> the same."""
    with named(name, "adjust_saturation", [image]):
        image = convert_to_tensor(image, name="image")
        return convert_image_dtype(ops.adjust_saturation(_in_floating(image), saturation_factor), image.dtype)


@atomic
def per_image_standardization(image: Any) -> Tensor:
    """(x - mean) / deviation, the mean and deviation of all pixels of the image [h, w, c], or of each image [n, h, w, c].

    The deviation counts as 1 / sqrt(number of pixels) at least. An integer image stays one, which is seldom what one wants.
    """
    with named(None, "per_image_standardization", [image]) as scope:
        image = checked_image(image)
        dtype, axes = image.dtype, [-1, -2, -3]
        if not dtype.is_floating:
            image = convert_image_dtype(image, dtypes.float32)
        count = reductions.reduce_prod(array.shape(image)[-3:])
        mean = reductions.reduce_mean(image, axis=axes, keepdims=True)
        deviation = reductions.reduce_std(image, axis=axes, keepdims=True)
        divisor = math.maximum(deviation, math.rsqrt(math.cast(count, image.dtype)))
        return convert_image_dtype(math.div(image - mean, divisor, name=scope), dtype, saturate=True)


# -- random changes ------------------------------------------------------------------------------------------------------


def _check_range(lower: float, upper: float) -> None:
    if upper <= lower:
        raise ValueError(error_text("upper must be > lower."))
    if lower < 0:
        raise ValueError(error_text("lower must be non-negative."))


@atomic
def random_brightness(image: Any, max_delta: float, seed: int | None = None) -> Tensor:
    """`adjust_brightness` by a random number in [-max_delta, max_delta). Raises: ValueError for a negative one."""
    if max_delta < 0:
        raise ValueError(error_text("max_delta must be non-negative."))
    return adjust_brightness(image, random.random_uniform([], -max_delta, max_delta, seed=seed))


@atomic
def random_contrast(image: Any, lower: float, upper: float, seed: int | None = None) -> Tensor:
    """`adjust_contrast` by a random number in [lower, upper). Raises: ValueError unless 0 <= lower < upper."""
    _check_range(lower, upper)
    return adjust_contrast(image, random.random_uniform([], lower, upper, seed=seed))


@atomic
def random_hue(image: Any, max_delta: float, seed: int | None = None) -> Tensor:
    """`adjust_hue` by a random number in [-max_delta, max_delta). Raises: ValueError unless 0 <= max_delta <= 0.5."""
    if max_delta > 0.5:
        raise ValueError(error_text("max_delta must be <= 0.5."))
    if max_delta < 0:
        raise ValueError(error_text("max_delta must be non-negative."))
    return adjust_hue(image, random.random_uniform([], -max_delta, max_delta, seed=seed))


@atomic
def random_saturation(image: Any, lower: float, upper: float, seed: int | None = None) -> Tensor:
    """`adjust_saturation` by a random number in [lower, upper). Raises: ValueError unless 0 <= lower < upper."""
    _check_range(lower, upper)
    return adjust_saturation(image, random.random_uniform([], lower, upper, seed=seed))


__all__ = [
    "adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue", "adjust_saturation", "convert_image_dtype",
    "grayscale_to_rgb", "hsv_to_rgb", "per_image_standardization", "random_brightness", "random_contrast", "random_hue",
    "random_saturation", "rgb_to_grayscale", "rgb_to_hsv", "rgb_to_yiq", "rgb_to_yuv", "yiq_to_rgb", "yuv_to_rgb",
]  # fmt: skip
