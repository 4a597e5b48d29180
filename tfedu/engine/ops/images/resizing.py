"""New sizes for images [n, h, w, channels]: bilinear, bicubic, nearest neighbour, area, and scaling with any kernel. No state.

`taps.py` says which old pixels make a new one; a gradient multiplies by the same tables, transposed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends.ufunc_at import combine_at
from ...base import dtypes
from ...base.shapes import Shape
from ...op import tensor_functions as functions
from ...op.define import Sym, op, typevar
from ...op.shape_checks import invalid, kinds, of_rank, sizes_of, text_of, vector, with_value
from . import taps
from .taps import Taps

_NAMES = "int8 uint8 int16 uint16 int32 int64 half float double bfloat16"
Pixel = typevar("T", kinds(_NAMES))
float32 = dtypes.float32


def _two(size: Any) -> tuple[int, int]:
    if size.ndim != 1:
        raise invalid("shape_t must be 1-dimensional" + text_of(size.shape))
    if size.size != 2:
        raise invalid("shape_t must have two elements" + text_of(size.shape))
    height, width = size.tolist()
    if height <= 0 or width <= 0:
        raise invalid("output dimensions must be positive")
    return height, width


def _checked(images: Any, size: Any) -> tuple[int, int]:
    """The new height and width. Raises: InvalidArgumentError in TF's words."""
    if images.ndim != 4:
        raise invalid("input must be 4-dimensional" + text_of(images.shape))
    height, width = _two(size)
    if 0 in images.shape[1:3]:
        raise invalid("input image must be of non-zero size")
    if not images.shape[3]:
        raise invalid("image must have at least one channel")
    return height, width


def _resized_shape(images: Sym, size: Sym, **_: Any) -> Shape:
    n, _height, _width, channels = of_rank(images.shape, 4, "images are [n, h, w, channels]; tf.expand_dims adds an axis")
    length = vector(size)
    if length is not None:
        with_value(length, 2)
    new = sizes_of(size)
    return (n, *(new if new is not None and len(new) == 2 else (None, None)), channels)


def _check_corners(align_corners: bool, half_pixel_centers: bool) -> None:
    if align_corners and half_pixel_centers:
        raise invalid("If half_pixel_centers is True, align_corners must be False.")


def _pair(kind: Callable[..., Taps], old: Any, new: Any, *how: Any) -> tuple[Taps, Taps]:
    """The tables of rows and columns: old and new are (height, width)."""
    rows, columns = (kind(size, count, *how) for size, count in zip(old, new))
    return rows, columns


def _taken_back(grads: Any, tables: tuple[Taps, Taps], size: Any, dtype: Any) -> Any:
    """The gradient with respect to the old pixels: each new pixel's gradient goes to the pixels that it is made of."""
    rows, columns = (table.matrix(n, dtype) for table, n in zip(tables, size))
    n, height, width, channels = grads.shape
    back = np.matmul(rows.T, grads.astype(dtype, copy=False).reshape(n, height, width * channels))
    back = back.reshape(n, size[0], width, channels)
    return np.matmul(columns.T, back)


def _same_as(grads: Sym, original: Sym, **_: Any) -> Shape:
    return original.shape


# -- bilinear ------------------------------------------------------------------------------------------------------------


@op("ResizeBilinear", out="resized_images", shape=_resized_shape, fresh=True)
def resize_bilinear(
    xp: Any,
    images: typevar("T", kinds("int8 uint8 int16 uint16 int32 int64 bfloat16 half float double bfloat16")),
    size: dtypes.int32,
    *,
    align_corners: bool = False,
    half_pixel_centers: bool = False,
) -> float32:
    """Images resized with weights of the two nearest rows and columns: images [n, h, w, c], size [2] (new height, new width) ->
    float32 [n, height, width, c].

    align_corners: the centres of the corner pixels stay where they are. half_pixel_centers: a pixel's place is its centre.

    Raises: InvalidArgumentError for images without pixels and sizes that are not positive.
    """
    _check_corners(align_corners, half_pixel_centers)
    new = _checked(images, size)
    pixels = images.astype(np.float32, copy=False)
    if images.shape[1:3] == new:
        return pixels.copy()
    rows, columns = _pair(taps.linear, images.shape[1:3], new, align_corners, half_pixel_centers)
    return _between(xp, _between(xp, pixels, columns, 2), rows, 1)


def _between(xp: Any, pixels: Any, table: Taps, axis: int) -> Any:
    """low + (high - low) · share, which rounds otherwise than the sum of two products does."""
    shape = [1] * pixels.ndim
    shape[axis] = -1
    low, high = (xp.take(pixels, xp.asarray(neighbours), axis) for neighbours in table.pixels.T)
    high -= low
    high *= xp.asarray(table.weights[:, 1]).reshape(shape)
    high += low
    return high


@resize_bilinear.grad
def _(op: Any, g: Any) -> Any:
    return resize_bilinear_grad(g, op.inputs[0], **_how(op)), None


def _how(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in ("align_corners", "half_pixel_centers")}


@op("ResizeBilinearGrad", shape=_same_as, fresh=True)
def resize_bilinear_grad(
    xp: Any,
    grads: float32,
    original_image: typevar("T", kinds("float bfloat16 half double")),
    *,
    align_corners: bool = False,
    half_pixel_centers: bool = False,
) -> "T":  # noqa: F821
    """The gradient of ResizeBilinear with respect to its images: grads [n, height, width, c], original_image [n, h, w, c] ->
    [n, h, w, c].
    """
    return _smooth_gradient(taps.linear, grads, original_image, align_corners, half_pixel_centers)


def _smooth_gradient(kind: Callable[..., Taps], grads: Any, original_image: Any, *how: bool) -> Any:
    for array, name in ((grads, "input_grad"), (original_image, "original_image")):
        if array.ndim != 4:
            raise invalid(f"{name} must be 4-dimensional")
    old, new = original_image.shape[1:3], grads.shape[1:3]
    if 0 in (*old, *new):
        raise invalid("input image must be of non-zero size" if 0 in old else "output dimensions must be positive")
    if (grads.shape[0], grads.shape[3]) != (original_image.shape[0], original_image.shape[3]):
        raise invalid("grads and original_image must have the same batch and channels")
    wide = np.float64 if original_image.dtype == np.float64 else np.float32
    back = _taken_back(grads, _pair(kind, old, new, *how), old, wide)
    return back.astype(original_image.dtype, copy=False)


# -- bicubic -------------------------------------------------------------------------------------------------------------


@op("ResizeBicubic", out="resized_images", shape=_resized_shape, fresh=True)
def resize_bicubic(
    xp: Any, images: Pixel, size: dtypes.int32, *, align_corners: bool = False, half_pixel_centers: bool = False
) -> float32:
    """Images resized with weights of the four nearest rows and columns: images [n, h, w, c], size [2] -> float32 [n, height,
    width, c]. Source: Keys, 1981.

    Raises: InvalidArgumentError as resize_bilinear.
    """
    _check_corners(align_corners, half_pixel_centers)
    new = _checked(images, size)
    if images.shape[1:3] == new:
        return images.astype(np.float32)
    rows, columns = _pair(taps.cubic, images.shape[1:3], new, align_corners, half_pixel_centers)
    return columns.along(xp, rows.along(xp, images, 1), 2)


@resize_bicubic.grad
def _(op: Any, g: Any) -> Any:
    image = op.inputs[0]
    if image.dtype not in (dtypes.float32, dtypes.float64):
        return None, None
    return resize_bicubic_grad(g, image, **_how(op)), None


@op("ResizeBicubicGrad", shape=_same_as, fresh=True)
def resize_bicubic_grad(
    xp: Any,
    grads: float32,
    original_image: typevar("T", kinds("float double")),
    *,
    align_corners: bool = False,
    half_pixel_centers: bool = False,
) -> "T":  # noqa: F821
    """The gradient of ResizeBicubic with respect to its images: grads [n, height, width, c], original_image [n, h, w, c] ->
    [n, h, w, c].
    """
    return _smooth_gradient(taps.cubic, grads, original_image, align_corners, half_pixel_centers)


# -- nearest neighbour ---------------------------------------------------------------------------------------------------


@op(
    "ResizeNearestNeighbor", out="resized_images", shape=_resized_shape, fresh=True,
)
def resize_nearest_neighbor(
    xp: Any, images: Pixel, size: dtypes.int32, *, align_corners: bool = False, half_pixel_centers: bool = False
) -> Pixel:
    """Images resized by repeating or leaving out pixels: images [n, h, w, c], size [2] -> [n, height, width, c].

    Raises: InvalidArgumentError as resize_bilinear.
    """
    _check_corners(align_corners, half_pixel_centers)
    new = _checked(images, size)
    rows, columns = (
        taps.nearest(n, count, align_corners, half_pixel_centers) for n, count in zip(images.shape[1:3], new)
    )
    return xp.take(xp.take(images, xp.asarray(columns), 2), xp.asarray(rows), 1)


@resize_nearest_neighbor.grad
def _(op: Any, g: Any) -> Any:
    image = op.inputs[0]
    static = image.shape[1:3]
    size = static.as_list() if static.is_fully_defined() else functions.shape(image)[1:3]
    return resize_nearest_neighbor_grad(g, size, **_how(op)), None


@op("ResizeNearestNeighborGrad", shape=_resized_shape, fresh=True)
def resize_nearest_neighbor_grad(
    xp: Any,
    grads: typevar("T", kinds("uint8 int8 int32 half float double bfloat16")),
    size: dtypes.int32,
    *,
    align_corners: bool = False,
    half_pixel_centers: bool = False,
) -> "T":  # noqa: F821
    """The gradient of ResizeNearestNeighbor with respect to its images: grads [n, height, width, c], size [2] (h, w) -> [n, h, w,
    c].
    """
    if grads.ndim != 4:
        raise invalid("input must be 4-dimensional" + text_of(grads.shape))
    old = _two(size)
    n, height, width, channels = grads.shape
    rows, columns = (
        taps.nearest(n, count, align_corners, half_pixel_centers) for n, count in zip(old, (height, width))
    )
    out = xp.zeros((n, *old, channels), grads.dtype)
    combine_at(xp, "add", out, (slice(None), xp.asarray(rows)[:, None], xp.asarray(columns)), grads)
    return out


# -- area ----------------------------------------------------------------------------------------------------------------


@op("ResizeArea", out="resized_images", shape=_resized_shape, fresh=True)
def resize_area(xp: Any, images: Pixel, size: dtypes.int32, *, align_corners: bool = False) -> float32:
    """Images resized to the mean of all that a new pixel covers: images [n, h, w, c], size [2] -> float32 [n, height, width, c].

    Raises: InvalidArgumentError as resize_bilinear.
    """
    new = _checked(images, size)
    old = images.shape[1:3]
    rows, columns = _pair(taps.area, old, new, align_corners)
    height, width = (taps.scale_of(n, count, align_corners) for n, count in zip(old, new))
    sums = rows.along(xp, columns.along(xp, images, 2), 1)
    with np.errstate(divide="ignore", invalid="ignore"):  # a pixel that stays where it is covers nothing: 0 / 0
        sums *= np.float32(1) / (height * width)
    return sums


# -- any kernel ----------------------------------------------------------------------------------------------------------


def _moved(old: Any, new: Any, scale: Any, translation: Any, kernel_type: str, antialias: bool) -> tuple[Taps, Taps]:
    if kernel_type not in taps.KERNELS:
        raise invalid(f"Unrecognized kernel type: {kernel_type}", f"one of {', '.join(taps.KERNELS)}")
    for values, name in ((scale, "scale"), (translation, "translation")):
        if values.ndim != 1:
            raise invalid(f"{name} must be 1-dimensional")
        if values.size != 2:
            raise invalid(f"{name} must have two elements")
    if not (scale > 0).all():
        raise invalid("Scale must be greater than zero.")
    rows, columns = (
        taps.moved(size, count, s, t, kernel_type, antialias) for size, count, s, t in zip(old, new, scale, translation)
    )
    return rows, columns


@op("ScaleAndTranslate", out="resized_images", shape=lambda images, size, *_, **__: _resized_shape(images, size), fresh=True)
def scale_and_translate(
    xp: Any,
    images: typevar("T", kinds("int8 uint8 int16 uint16 int32 int64 bfloat16 half float double")),
    size: dtypes.int32,
    scale: float32,
    translation: float32,
    *,
    kernel_type: str = "lanczos3",
    antialias: bool = True,
) -> float32:
    """Images scaled and moved: images [n, h, w, c], size [2], scale [2] and translation [2] of rows and columns -> float32 [n,
    height, width, c].

    kernel_type: lanczos1, lanczos3, lanczos5, gaussian, box, triangle, keyscubic or mitchellcubic.

    Raises: InvalidArgumentError as resize_bilinear, and for a scale that is not positive.
    """
    new = _checked(images, size)
    rows, columns = _moved(images.shape[1:3], new, scale, translation, _text(kernel_type), antialias)
    return columns.along(xp, rows.along(xp, images, 1), 2)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else value


@scale_and_translate.grad
def _(op: Any, g: Any) -> Any:
    images, _size, scale, translation = op.inputs
    attrs = {name: op.attrs[name] for name in ("kernel_type", "antialias")}
    return scale_and_translate_grad(g, images, scale, translation, **attrs), None, None, None


@op(
    "ScaleAndTranslateGrad", fresh=True,
    shape=lambda grads, original_image, scale, translation, **_: original_image.shape,
)
def scale_and_translate_grad(
    xp: Any,
    grads: typevar("T", kinds("float")),
    original_image: "T",  # noqa: F821
    scale: float32,
    translation: float32,
    *,
    kernel_type: str = "lanczos3",
    antialias: bool = True,
) -> "T":  # noqa: F821
    """The gradient of ScaleAndTranslate with respect to its images: grads [n, height, width, c], original_image [n, h, w, c] ->
    [n, h, w, c].
    """
    old = original_image.shape[1:3]
    tables = _moved(old, grads.shape[1:3], scale, translation, _text(kernel_type), antialias)
    return _taken_back(grads, tables, old, np.float32)
