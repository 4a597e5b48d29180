"""Correlation of images with a kernel as matrix products: the arithmetic of every convolution, for any number of spatial axes.

`correlate(images, kernel)` is the sum, over the elements of a window, of image element times kernel element; its gradients with
respect to both are correlations again. Images are [n, s..., c] here and a kernel is [k..., c, o]; `along` has a `Slide` for each
spatial axis. What a window meets is copied into the rows of a matrix, a part at a time that stays in the processor's cache, so
that one matrix product computes all sums of that part.

Why not by Fourier or Winograd transforms, which halve the time of a large window: where an image is 0 they give noise of 1e-7,
not 0. Behind a relu, half of that noise passes a gradient where there is none: on the black background of digits, with biases
that begin at 0, other numbers than TensorFlow's come out from the first step on. No state.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ..op.windows import Layout, Slide, elements, padded, windows

PART = 1 << 20  # bytes of the rows that are in work at a time: what a core's second cache holds
FEW = 8  # channels of an image; a product with fewer columns than that is slow


def correlate(xp: Any, images: Any, kernel: Any, along: Sequence[Slide]) -> Any:
    """images [n, s..., c], kernel [k..., c, o] -> [n, p..., o], p the places of the window along each axis."""
    seen = _seen(xp, images, along)
    matrix = kernel.reshape(math.prod(kernel.shape[:-1]), kernel.shape[-1])
    out = xp.empty((*seen.shape[: len(along) + 1], matrix.shape[1]), images.dtype)
    for part in _parts(out.shape[:-1], len(matrix) * images.itemsize):
        rows = _rows(seen[part], len(along))
        xp.matmul(rows, matrix, out=out[part].reshape(len(rows), matrix.shape[1]))
    return out


def kernel_gradient(xp: Any, images: Any, g: Any, along: Sequence[Slide]) -> Any:
    """The gradient of `correlate` with respect to the kernel: images [n, s..., c], g [n, p..., o] -> [k..., c, o]."""
    seen = _seen(xp, images, along)
    shape = (*[s.window for s in along], images.shape[-1])
    total = xp.zeros((math.prod(shape), g.shape[-1]), g.dtype)
    for part in _parts(g.shape[:-1], len(total) * g.itemsize):
        rows = _rows(seen[part], len(along))
        total += rows.T @ g[part].reshape(len(rows), g.shape[-1])
    return total.reshape(*shape, g.shape[-1])


def images_gradient(xp: Any, kernel: Any, g: Any, along: Sequence[Slide]) -> Any:
    """The gradient of `correlate` with respect to the images: kernel [k..., c, o], g [n, p..., o] -> [n, s..., c].

    It is g correlated with the kernel turned round (see `_returns`): nothing has to be scattered. That meets the padding, too,
    where g is small beside the images: a window as large as an image would meet one element and 48 of padding for 7 by 7.
    """
    in_reach = math.prod(s.places * s.stride for s in along)
    if kernel.shape[-2] < FEW or math.prod(s.size for s in along) >= 2 * in_reach:
        return _spread(xp, kernel, g, along)
    turned = kernel[(slice(None, None, -1),) * len(along)].swapaxes(-1, -2)
    shares = [tuple(zip(*share)) for share in product(*map(_returns, along))]
    if all(s.stride == 1 for s in along):
        ((_, _, back),) = shares
        return correlate(xp, g, turned, back)
    out = xp.zeros((len(g), *[s.size for s in along], kernel.shape[-2]), g.dtype)
    for met, taps, back in shares:
        out[(slice(None), *met)] = correlate(xp, g, turned[taps], back)
    return out


def _returns(s: Slide) -> Iterator[tuple[slice, slice, Slide]]:
    """How the gradient flows back along one axis: (elements of the image, of the turned kernel, slide over g).

    Element i of the window met element x of the image at place (x + before - i·dilation) / stride. With stride 1 every i has such
    a place: one correlation gives all x. With a larger stride, only those i have one that leave the same remainder as x + before.
    They are equally far apart, so for each remainder a correlation of stride 1 gives the elements x that leave it. Elements that
    no window met are left out.
    """
    step = s.stride // math.gcd(s.stride, s.dilation)
    for first in range(min(step, s.window)):
        taps = range(first, s.window, step)
        x = (first * s.dilation - s.before) % s.stride
        count = len(range(x, s.size, s.stride))
        place = (x + s.before - first * s.dilation) // s.stride
        gap = step * s.dilation // s.stride
        before = (len(taps) - 1) * gap - place
        back = Slide(s.places, len(taps), 1, gap, before, count + place - s.places, count)
        yield slice(x, None, s.stride), slice(s.window - 1 - taps[-1], s.window - first, step), back


def _spread(xp: Any, kernel: Any, g: Any, along: Sequence[Slide]) -> Any:
    """`images_gradient` for few channels or places: what each element of the window passes back, added where it was met."""
    *window, channels, filters = kernel.shape
    matrix = kernel.reshape(math.prod(kernel.shape[:-1]), filters)
    # With the channels first, the runs in memory are long again.
    out = xp.zeros((channels, len(g), *[s.size for s in along]), g.dtype)
    met = elements(Layout(0, tuple(range(2, out.ndim))), tuple(along))
    images = max(PART // max(len(matrix) * math.prod(g.shape[1:-1]) * g.itemsize, 1), 1)
    for first in range(0, len(g), images):
        part = g[first : first + images]
        shares = matrix @ part.reshape(math.prod(part.shape[:-1]), filters).T
        shares = shares.reshape(math.prod(window), channels, *part.shape[:-1])
        for i, (places, element) in enumerate(met):
            out[:, first : first + images][element] += shares[i][places]
    return xp.ascontiguousarray(xp.moveaxis(out, 0, -1))


def _seen(xp: Any, images: Any, along: Sequence[Slide]) -> Any:
    """What the window meets at each place: images [n, s..., c] -> a view [n, p..., c, k...]."""
    layout = Layout(len(along) + 1, tuple(range(1, len(along) + 1)))
    return windows(xp, padded(xp, images, layout, along), layout, along)


def _rows(seen: Any, spatial: int) -> Any:
    """A part of the view [n, p..., c, k...] as a matrix [n·p, k·c]; copied, unless the window is a single element.

    With one channel, neighbours along a line of the image make the longest runs in memory, and the copy follows them.
    """
    places, channels = list(range(spatial + 1)), spatial + 1
    window = list(range(spatial + 2, seen.ndim))
    count, length = math.prod(seen.shape[: spatial + 1]), math.prod(seen.shape[spatial + 1 :])
    if seen.shape[channels] == 1:
        return seen.transpose(*window, channels, *places).reshape(length, count).T
    return seen.transpose(*places, *window, channels).reshape(count, length)


def _parts(places: tuple[int, ...], row_bytes: int) -> Iterator[tuple[slice, ...]]:
    """Cuts the places [n, p...] into parts whose rows fit into PART bytes: several images, or some lines of one."""
    images, lines = places[:2]
    line_bytes = max(row_bytes * math.prod(places[2:]), 1)
    if lines * line_bytes <= PART:
        step = PART // (max(lines, 1) * line_bytes)
        for n in range(0, images, step):
            yield (slice(n, n + step),)
    else:
        step = max(PART // line_bytes, 1)
        for n in range(images):
            for y in range(0, lines, step):
                yield slice(n, n + 1), slice(y, y + step)
