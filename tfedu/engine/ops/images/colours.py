"""Colours of images [..., 3]: RGB to HSV and back, and changes of hue, saturation and contrast. All channels lie in 0 to 1.

No state. Source of the HSV model: Smith, "Color gamut transform pairs", 1978.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import dtypes, errors
from ...base.shapes import Shape, ShapeMismatch
from ...op import tensor_functions as functions
from ...op.callers import nodes
from ...op.constant import constant
from ...op.define import Sym, op, typevar
from ...op.gradient_rules import NO_RULE_IN_TF
from ...op.shape_checks import at_least, invalid, kinds, scalar, text_of

Colour = typevar("T", kinds("half bfloat16 float double"), default=dtypes.float32)
Adjusted = typevar("T", kinds("half float"), default=dtypes.float32)
float32 = dtypes.float32

# -- RGB and HSV ---------------------------------------------------------------------------------------------------------


def _three(images: Sym) -> Shape:
    shape = at_least(images.shape, 1)
    if shape is None:
        return None
    if shape[-1] not in (None, 3):
        raise ShapeMismatch(f"Dimension must be 3 but is {shape[-1]}")
    return (*shape[:-1], 3)


def _check_colours(images: Any) -> None:
    if not images.ndim:
        raise invalid("input must be at least 1D" + text_of(images.shape))
    if images.shape[-1] != 3:
        text = f"input must have 3 channels but input only has {images.shape[-1]} channels."
        raise errors.FailedPreconditionError(None, None, text)


def _check_channels(images: Any) -> None:
    if images.shape[-1] != 3:
        raise invalid(f"input must have 3 channels but instead has {images.shape[-1]} channels.")


def _hsv(xp: Any, rgb: Any) -> tuple[Any, Any, Any]:
    """Hue, saturation and value of colours [..., 3]; grey has hue 0, black saturation 0."""
    red, green, blue = (rgb[..., i] for i in range(3))
    one = rgb.dtype.type(1)
    value = rgb.max(-1)
    spread = value - rgb.min(-1)
    is_grey = ~(spread > 0)
    saturation = xp.where(value > 0, spread / xp.where(value > 0, value, one), 0)
    unit = one / (rgb.dtype.type(6) * xp.where(is_grey, one, spread))
    third = rgb.dtype.type(2) / rgb.dtype.type(6)
    hue = xp.where(
        red == value,
        unit * (green - blue),
        xp.where(green == value, unit * (blue - red) + third, unit * (red - green) + (third + third)),
    )
    hue = xp.where(is_grey, 0, hue)
    hue = xp.where(hue < 0, hue + one, hue)
    return hue, saturation, value


@op("RGBToHSV", shape=_three, fresh=True)
def rgb_to_hsv(xp: Any, images: Colour) -> Colour:
    """RGB to HSV: images [..., 3] in 0 to 1 -> [..., 3] hue, saturation, value, each in 0 to 1.

    Raises: FailedPreconditionError for another number of channels.
    """
    _check_colours(images)
    return xp.stack(_hsv(xp, images), -1).astype(images.dtype, copy=False)


@rgb_to_hsv.grad
def _(op: Any, g: Any) -> Any:
    """With d = largest - smallest: value = largest, saturation = d / largest, hue = (a - b) / 6d + a constant, where a and b are
    the channels after the largest one. Of equal channels one counts as the largest and another as the smallest.
    """
    dtype = op.inputs[0].dtype
    red, green, blue = nodes.Unpack(op.inputs[0], num=3, axis=-1)
    d_hue, d_saturation, d_value = nodes.Unpack(g, num=3, axis=-1)

    def as_number(*conditions: Any) -> Any:
        both = conditions[0] if len(conditions) == 1 else nodes.LogicalAnd(*conditions)
        return functions.cast(both, dtype)

    largest = (
        as_number(red >= blue, red >= green), as_number(green > red, green >= blue), as_number(blue > red, blue > green)
    )  # fmt: skip
    smallest = (
        as_number(red < blue, red < green), as_number(green <= red, green < blue), as_number(blue <= red, blue <= green)
    )  # fmt: skip
    high = nodes.Maximum(nodes.Maximum(red, green), blue)
    low = nodes.Minimum(nodes.Minimum(red, green), blue)
    spread = high - low
    slope = nodes.DivNoNan((green - blue) * largest[0] + (blue - red) * largest[1] + (red - green) * largest[2], spread)
    six = nodes.DivNoNan(functions.ones_like(spread), spread * constant(6, dtype))
    gradients = []
    for i, channel in enumerate((red, green, blue)):
        d_spread = largest[i] - smallest[i]
        # channel i is a after channel i - 1, and b after channel i - 2
        d_difference = largest[i - 1] - largest[i - 2]
        of_saturation = nodes.DivNoNan(low * largest[i], high * high) - nodes.DivNoNan(smallest[i], high)
        of_saturation *= as_number(channel > 0)  # for TF, a channel of 0 does not change the saturation
        of_hue = (d_difference - slope * d_spread) * six
        gradients.append(d_hue * of_hue + d_saturation * of_saturation + d_value * largest[i])
    return functions.stack(gradients, -1)


@op("HSVToRGB", shape=_three, fresh=True, not_differentiable=NO_RULE_IN_TF)
def hsv_to_rgb(xp: Any, images: Colour) -> Colour:
    """HSV to RGB: images [..., 3] in 0 to 1 -> [..., 3] red, green, blue, each in 0 to 1.

    Raises: FailedPreconditionError for another number of channels.
    """
    _check_colours(images)
    number = images.dtype.type
    hue, saturation, value = (images[..., i] for i in range(3))
    six = hue * number(6)
    red = xp.clip(xp.abs(six - number(3)) - number(1), 0, 1)
    green = xp.clip(number(2) - xp.abs(six - number(2)), 0, 1)
    blue = xp.clip(number(2) - xp.abs(six - number(4)), 0, 1)
    rest = number(1) - saturation
    return xp.stack([(rest + saturation * share) * value for share in (red, green, blue)], -1).astype(images.dtype, copy=False)


# -- changes -------------------------------------------------------------------------------------------------------------


def _image_shape(images: Sym, *_: Sym) -> Shape:
    return at_least(images.shape, 3)


def _contrast_shape(images: Sym, contrast_factor: Sym) -> Shape:
    scalar(contrast_factor)
    return at_least(images.shape, 3)


def _check_adjusted(images: Any, factor: Any, name: str) -> None:
    if images.ndim < 3:
        raise invalid(f"input must be at least 3-D, got shape{text_of(images.shape)}")
    if factor.ndim:
        raise invalid(f"{name} must be scalar: {text_of(factor.shape)}")


def _in_float32(images: Any, change: Callable[[Any], Any]) -> Any:
    return change(images.astype(np.float32, copy=False)).astype(images.dtype, copy=False)


@op("AdjustHue", shape=_image_shape, fresh=True)
def adjust_hue(xp: Any, images: Adjusted, delta: float32) -> Adjusted:
    """Turns the hue by delta, a scalar in turns: images [..., h, w, 3] RGB -> the same shape.

    Raises: InvalidArgumentError for another number of channels.
    """
    _check_adjusted(images, delta, "delta")
    _check_channels(images)
    return _in_float32(images, lambda rgb: _turned(xp, rgb, np.float32(delta)))


def _turned(xp: Any, rgb: Any, delta: Any) -> Any:
    red, green, blue = (rgb[..., i] for i in range(3))
    is_rising = red < green
    first, second = xp.where(is_rising, blue < red, blue < green), xp.where(is_rising, blue > green, blue > red)

    def chosen(*values: Any) -> Any:
        """One of six values by the order of the three channels, compared as TF does: with NaN no comparison holds."""
        rising, falling = (xp.where(first, a, xp.where(second, b, c)) for a, b, c in (values[:3], values[3:]))
        return xp.where(is_rising, rising, falling)

    # The six sectors of the colour circle: which channel is the largest and which the smallest says in which one a colour lies.
    sector = chosen(1, 3, 2, 0, 4, 5)
    high, middle = chosen(green, blue, green, red, blue, red), chosen(red, green, blue, green, red, blue)
    low = chosen(blue, red, red, blue, green, green)
    is_grey = high == low
    share = (middle - low) / xp.where(is_grey, np.float32(1), high - low)
    hue = sector + xp.where(sector % 2 == 0, share, np.float32(1) - share)
    hue = xp.where(is_grey, np.float32(0), hue.astype(np.float32)) + delta * np.float32(6)
    six = np.float32(6)
    # Turn by turn, as often as the smallest and the largest hue need, which delta alone says.
    lowest, highest = delta * six, delta * six + six
    while lowest < 0:
        lowest, hue = lowest + six, xp.where(hue < 0, hue + six, hue)
    while highest >= six:
        highest, hue = highest - six, xp.where(hue >= six, hue - six, hue)
    sector = xp.where(xp.isnan(hue), np.float32(5), hue).astype(np.int32)
    share = hue - sector.astype(np.float32)
    share = xp.where(sector % 2 == 0, share, np.float32(1) - share)
    middle = low + share * (high - low)
    return _by_sector(xp, sector, high, middle, low)


def _by_sector(xp: Any, sector: Any, high: Any, middle: Any, low: Any) -> Any:
    """Red, green and blue [..., 3] in each of the six sectors of the colour circle; others count as the nearest one."""
    rgb = (
        (high, middle, low), (middle, high, low), (low, high, middle),
        (low, middle, high), (middle, low, high), (high, low, middle),
    )  # fmt: skip
    return xp.stack([xp.choose(sector, xp.stack(channel), mode="clip") for channel in zip(*rgb)], -1)


@op("AdjustSaturation", shape=_image_shape, fresh=True)
def adjust_saturation(xp: Any, images: Adjusted, scale: float32) -> Adjusted:
    """Multiplies the saturation by scale, a scalar, and clips it to 0 to 1: images [..., h, w, 3] RGB -> the same shape.

    Raises: InvalidArgumentError for another number of channels.
    """
    _check_adjusted(images, scale, "scale")
    _check_channels(images)
    return _in_float32(images, lambda rgb: _saturated(xp, rgb, np.float32(scale)))


def _saturated(xp: Any, rgb: Any, scale: Any) -> Any:
    hue, saturation, value = _hsv(xp, rgb)
    saturation = xp.clip(saturation * scale, 0, 1)
    colour = saturation * value
    rest = value - colour
    six = hue * np.float32(6)
    sector = six.astype(np.int32)
    second = colour * (np.float32(1) - xp.abs(xp.mod(six, np.float32(2)) - np.float32(1)))
    zero = xp.zeros_like(colour)
    return _by_sector(xp, sector, colour, second, zero) + rest[..., None]


@op("AdjustContrastv2", shape=_contrast_shape, fresh=True)
def adjust_contrast_v2(xp: Any, images: Adjusted, contrast_factor: float32) -> Adjusted:
    """(x - mean) · contrast_factor + mean, with the mean of each channel of each image: images [..., h, w, c] -> the same
    shape.
    """
    _check_adjusted(images, contrast_factor, "contrast_factor")
    return _in_float32(images, lambda pixels: _contrasted(pixels, np.float32(contrast_factor)))


def _contrasted(pixels: Any, factor: Any) -> Any:
    mean = pixels.mean((-3, -2), keepdims=True)
    return (pixels - mean) * factor + mean
