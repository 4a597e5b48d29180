"""`tf.image`'s measures: how alike two images are (PSNR, SSIM), how much an image varies, and its edges. No state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ..arrays import array
from ..arrays.sequences import range as sequence
from ..arrays.slicing import unstack
from ..checks.asserts import Assert
from ..control.cond import cond
from ..control.grouping import identity
from ..framework.scope_blocks import control_dependencies, named
from ..math import math, reductions
from ..nn import activations, depthwise, pooling
from .image_colours import convert_image_dtype

# -- how alike two images are --------------------------------------------------------------------------------------------


def _alike(img1: Tensor, img2: Tensor) -> tuple[Tensor, Tensor, list[Operation]]:
    """The shapes of two batches of images as tensors, and the nodes that check that they fit. Raises: ValueError."""
    shape1, shape2 = img1.shape.with_rank_at_least(3), img2.shape.with_rank_at_least(3)
    shape1[-3:].assert_is_compatible_with(shape2[-3:])
    if shape1.ndims is not None and shape2.ndims is not None:
        for size1, size2 in zip(reversed(shape1.dims[:-3]), reversed(shape2.dims[:-3])):
            if not (size1 == 1 or size2 == 1 or size1.is_compatible_with(size2)):
                raise ValueError(error_text(f"Two images are not compatible: {shape1} and {shape2}", [img1, img2]))
    sizes1, sizes2 = array.shape_n([img1, img2])
    has_rank = Assert(math.greater_equal(array.size(sizes1), 3), [sizes1, sizes2], summarize=10)
    is_equal = reductions.reduce_all(math.equal(sizes1[-3:], sizes2[-3:]))
    return sizes1, sizes2, [has_rank, Assert(is_equal, [sizes1, sizes2], summarize=10)]


@atomic
def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Tensor:
    """The peak signal-to-noise ratio in decibels: images [..., h, w, c] -> float32 [...]. max_val: the largest pixel there can
    be, less the smallest.

    Raises: ValueError for shapes that do not fit.
    """
    with named(name, "PSNR", [a, b]):
        a, b = convert_to_tensor(a), convert_to_tensor(b)
        peak = convert_image_dtype(math.cast(max_val, a.dtype), dtypes.float32)
        a, b = convert_image_dtype(a, dtypes.float32), convert_image_dtype(b, dtypes.float32)
        error = reductions.reduce_mean(math.squared_difference(a, b), [-3, -2, -1])
        whole = 20 * math.log(peak) / math.log(10.0)
        ratio = math.subtract(whole, np.float32(10 / np.log(10)) * math.log(error), name="psnr")
        _, _, checks = _alike(a, b)
        with control_dependencies(checks):
            return identity(ratio)  # type: ignore[no-any-return]


def _structure(x: Tensor, y: Tensor, mean: Callable[[Tensor], Tensor], peak: Tensor, k1: float, k2: float) -> tuple[Any, Any]:
    """Likeness of brightness, and of contrast and structure, around each pixel."""
    c1, c2 = (k1 * peak) ** 2, (k2 * peak) ** 2
    mean_x, mean_y = mean(x), mean(y)
    product = mean_x * mean_y * 2.0
    squares = math.square(mean_x) + math.square(mean_y)
    brightness = (product + c1) / (squares + c1)
    both = mean(x * y) * 2.0
    each = mean(math.square(x) + math.square(y))
    c2 = c2 * 1.0
    return brightness, (both - product + c2) / (each - squares + c2)


def _gaussian(size: Tensor, sigma: Tensor) -> Tensor:
    """A Gaussian window [size, size, 1, 1], its elements add up to 1."""
    at = math.cast(sequence(size), sigma.dtype)
    at = at - math.cast(size - 1, sigma.dtype) / 2.0
    logits = math.square(at) * (-0.5 / math.square(sigma))
    logits = array.reshape(logits, shape=[1, -1]) + array.reshape(logits, shape=[-1, 1])
    window = activations.softmax(array.reshape(logits, shape=[1, -1]))
    return array.reshape(window, shape=[size, size, 1, 1])


def _ssim_per_channel(
    img1: Tensor, img2: Tensor, peak: Tensor, filter_size: Any, filter_sigma: Any, k1: float, k2: float
) -> tuple[Tensor, Tensor]:
    """SSIM and its factor of contrast and structure, for each channel: [..., c] each."""
    filter_size = constant(filter_size, dtype=dtypes.int32)
    filter_sigma = constant(filter_sigma, dtype=img1.dtype)
    sizes = array.shape_n([img1, img2])
    checks = [
        Assert(
            reductions.reduce_all(math.greater_equal(size[-3:-1], filter_size)), [size, filter_size], summarize=8
        )
        for size in sizes
    ]
    with control_dependencies(checks):
        img1 = identity(img1)
    window = _gaussian(filter_size, filter_sigma)
    window = array.tile(window, multiples=[1, 1, sizes[0][-1], 1])

    def mean(x: Tensor) -> Tensor:
        shape = array.shape(x)
        x = array.reshape(x, shape=array.concat([[-1], shape[-3:]], 0))
        y = depthwise.depthwise_conv2d(x, window, strides=[1, 1, 1, 1], padding="VALID")
        return array.reshape(y, array.concat([shape[:-3], array.shape(y)[1:]], 0))

    brightness, structure = _structure(img1, img2, mean, peak, k1, k2)
    axes = constant([-3, -2], dtype=dtypes.int32)
    return reductions.reduce_mean(brightness * structure, axes), reductions.reduce_mean(structure, axes)


def _floats(img1: Any, img2: Any, max_val: Any) -> tuple[Tensor, Tensor, Tensor, list[Tensor]]:
    """Two batches of images and the largest pixel as float32, computed after their checks, and the shapes of the images."""
    img1, img2 = convert_to_tensor(img1), convert_to_tensor(img2)
    sizes1, sizes2, checks = _alike(img1, img2)
    with control_dependencies(checks):
        img1 = identity(img1)
    peak = convert_image_dtype(math.cast(max_val, img1.dtype), dtypes.float32)
    one, other = convert_image_dtype(img1, dtypes.float32), convert_image_dtype(img2, dtypes.float32)
    return one, other, peak, [sizes1, sizes2]


@atomic
def ssim(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The structural similarity of images [..., h, w, c], at least filter_size high and wide: float32 [...], 1 for equal ones.

    max_val: the largest pixel there can be, less the smallest. Source: Wang et al., 2004.

    Raises: ValueError for shapes that do not fit.
    """
    one, other, peak, _ = _floats(img1, img2, max_val)
    per_channel, _ = _ssim_per_channel(one, other, peak, filter_size, filter_sigma, k1, k2)
    return reductions.reduce_mean(per_channel, [-1])  # type: ignore[no-any-return]


_MSSSIM_WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


@atomic
def ssim_multiscale(
    img1: Any,
    img2: Any,
    max_val: Any,
    power_factors: Sequence[float] = _MSSSIM_WEIGHTS,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """SSIM on several scales, each half as large as the one before: images [..., h, w, c] -> float32 [...].

    power_factors: how much each scale counts. Source: Wang et al., "Multiscale structural similarity", 2003.

    Raises: ValueError for shapes that do not fit.
    """
    with named(None, "MS-SSIM", [img1, img2]):
        one, other, peak, sizes = _floats(img1, img2, max_val)
        images = [one, other]
        heads, tails = [size[:-3] for size in sizes], [size[-3:] for size in sizes]
        halves = [1, 2, 2, 1]
        divisor = constant(halves[1:], dtype=dtypes.int32)
        structures: list[Any] = []
        for scale in range(len(power_factors)):
            with named(None, f"Scale{scale}", images):
                if scale:
                    flat = [array.reshape(x, array.concat([[-1], tail], 0)) for x, tail in zip(images, tails)]
                    remainder = tails[0] % divisor
                    is_odd = reductions.reduce_any(math.not_equal(remainder, 0))
                    padded = cond(is_odd, lambda f=flat, r=remainder: _with_border(f, r), lambda f=flat: f)
                    smaller = [pooling.avg_pool(x, ksize=halves, strides=halves, padding="VALID") for x in padded]
                    tails = [size[1:] for size in array.shape_n(smaller)]
                    images = [
                        array.reshape(x, array.concat([head, tail], 0)) for x, head, tail in zip(smaller, heads, tails)
                    ]
                per_channel, structure = _ssim_per_channel(*images, peak, filter_size, filter_sigma, k1, k2)  # type: ignore[call-arg]
                structures.append(activations.relu(structure))
        # the last scale counts whole, the others only by contrast and structure
        factors = array.stack([*structures[:-1], activations.relu(per_channel)], axis=-1)
        product = reductions.reduce_prod(math.pow(factors, power_factors), [-1])
        return reductions.reduce_mean(product, [-1])  # type: ignore[no-any-return]


def _with_border(images: list[Tensor], remainder: Tensor) -> list[Tensor]:
    """Images [n, h, w, c] with their last row and column repeated where `remainder` says that a side is odd."""
    paddings = array.pad(array.expand_dims(remainder, -1), [[1, 0], [1, 0]])
    return [array.pad(x, paddings, mode="SYMMETRIC") for x in images]


# -- variation and edges -------------------------------------------------------------------------------------------------


@atomic
def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The sum of the absolute differences of neighbouring pixels: [h, w, c] -> a scalar, [n, h, w, c] -> [n].

    Raises: ValueError for other ranks.
    """
    with named(name, "total_variation"):
        images = convert_to_tensor(images)
        rank = images.shape.ndims
        if rank == 3:
            rows, columns = images[1:, :, :] - images[:-1, :, :], images[:, 1:, :] - images[:, :-1, :]
            axes = None
        elif rank == 4:
            rows, columns = images[:, 1:, :, :] - images[:, :-1, :, :], images[:, :, 1:, :] - images[:, :, :-1, :]
            axes = [1, 2, 3]
        else:
            raise ValueError(error_text("'images' must be either 3 or 4-dimensional.", [images]))
        sums = [reductions.reduce_sum(math.abs(differences), axis=axes) for differences in (rows, columns)]
        return sums[0] + sums[1]  # type: ignore[no-any-return]


@atomic
def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """The differences of each pixel to the one below and to the one on its right, 0 at the border: [n, h, w, c] -> two of them.

    Raises: ValueError for other ranks.
    """
    image = convert_to_tensor(image)
    if image.shape.ndims != 4:
        text = f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {image.shape}."
        raise ValueError(error_text(text, [image]))
    shape = array.shape(image)
    batch, height, width, depth = unstack(shape)
    dy = image[:, 1:, :, :] - image[:, :-1, :, :]
    dx = image[:, :, 1:, :] - image[:, :, :-1, :]
    last_row = array.zeros(array.stack([batch, 1, width, depth]), image.dtype)
    dy = array.reshape(array.concat([dy, last_row], 1), shape)
    last_column = array.zeros(array.stack([batch, height, 1, depth]), image.dtype)
    return dy, array.reshape(array.concat([dx, last_column], 2), shape)


@atomic
def sobel_edges(image: Any) -> Tensor:
    """How steeply brightness grows downwards and to the right, by Sobel's filters: [n, h, w, c] -> [n, h, w, c, 2]."""
    image = convert_to_tensor(image)
    static, shape = image.shape, array.shape(image)
    down = [[-1, -2, -1], [0, 0, 0], [1, 2, 1]]
    right = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]
    kernels = np.stack([down, right], -1)[:, :, None, :]
    filters = array.tile(constant(kernels, dtype=dtypes.float32), [1, 1, shape[-1], 1], name="sobel_filters")
    padded = array.pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    edges = depthwise.depthwise_conv2d(padded, filters, strides=[1, 1, 1, 1], padding="VALID")
    edges = array.reshape(edges, array.concat([shape, [2]], 0))
    edges.set_shape(static.concatenate([2]))
    return edges


__all__ = [
    "image_gradients", "psnr", "sobel_edges", "ssim", "ssim_multiscale", "total_variation",
]  # fmt: skip
