"""Correlation of images with a kernel as matrix products: the arithmetic of every convolution, for any number of spatial axes.

`correlate(images, kernel)` is the sum, over the elements of a window, of image element times kernel element; its gradients with
respect to both are correlations again. Images are [n, s..., c] here and a kernel is [k..., c, o]; `along` has a `Slide` for each
spatial axis. What a window meets is copied into the rows of a matrix, a part at a time that stays in the processor's cache, so
that one matrix product computes all sums of that part.

Where the kernel is small, a row holds only what one line of the window meets: each line of the window has a product of its own,
and they are added. The next line meets the same rows one step further, so that fewer numbers are copied; and BLAS multiplies such
small matrices as they lie, where it would copy large ones once more.

Why not by Fourier or Winograd transforms, which halve the time of a large window: where an image is 0 they give noise of 1e-7,
not 0. Behind a relu, half of that noise passes a gradient where there is none: on the black background of digits, with biases
that begin at 0, other numbers than TensorFlow's come out from the first step on. No state.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from ..backends.blas import aligned
from ..op.windows import Layout, Slide, elements, padded, windows

PART = 1 << 20  # bytes of the rows that are in work at a time: what a core's second cache holds
PART_THERE = 1 << 28  # the same on a GPU, whose kernels need many rows to be worth their launch: a share of its memory
FEW = 8  # channels of an image; a product with fewer columns than that is slow
# A line of the window has a product of its own if it meets at least SHORT numbers and its share of the kernel has at most LIGHT,
# which a core's first cache holds. As many images take part as keep it at SMALL multiplications, which BLAS does without copies.
SHORT, LIGHT, SMALL = 32, 3 << 12, 1_000_000


def correlate(xp: Any, images: Any, kernel: Any, along: Sequence[Slide]) -> Any:
    """images [n, s..., c], kernel [k..., c, o] -> [n, p..., o], p the places of the window along each axis."""
    outer = _outer(xp, kernel.shape)
    lines, filters = math.prod(kernel.shape[:outer]), kernel.shape[-1]
    matrices = aligned(xp, kernel.reshape(lines, math.prod(kernel.shape[outer:-1]), filters))
    out = xp.empty((len(images), *[s.places for s in along], filters), images.dtype)
    in_order = xp.moveaxis(out, 0, outer)
    for part, met in _parts(xp, images, along, kernel.shape):
        target = in_order[part]
        if not outer:
            xp.matmul(met[0], matrices[0], out=target.reshape(len(met[0]), filters))
            continue
        total = met[0] @ matrices[0]
        for rows, matrix in zip(met[1:], matrices[1:]):
            total += rows @ matrix
        target[...] = total.reshape(target.shape)
    return out


def kernel_gradient(xp: Any, images: Any, g: Any, along: Sequence[Slide]) -> Any:
    """The gradient of `correlate` with respect to the kernel: images [n, s..., c], g [n, p..., o] -> [k..., c, o]."""
    shape = (*[s.window for s in along], images.shape[-1], g.shape[-1])
    outer = _outer(xp, shape)
    totals = xp.zeros((math.prod(shape[:outer]), math.prod(shape[outer:-1]), shape[-1]), g.dtype)
    g = xp.moveaxis(g, 0, outer)
    for part, met in _parts(xp, images, along, shape):
        slopes = g[part].reshape(math.prod(met[0].shape[:-1]), shape[-1])
        for total, rows in zip(totals, met):
            total += rows.reshape(len(slopes), rows.shape[-1]).T @ slopes
    return totals.reshape(shape)


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
    images = max(_part(xp) // max(len(matrix) * math.prod(g.shape[1:-1]) * g.itemsize, 1), 1)
    for first in range(0, len(g), images):
        part = g[first : first + images]
        shares = matrix @ part.reshape(math.prod(part.shape[:-1]), filters).T
        shares = shares.reshape(math.prod(window), channels, *part.shape[:-1])
        for i, (places, element) in enumerate(met):
            out[:, first : first + images][element] += shares[i][places]
    return xp.ascontiguousarray(xp.moveaxis(out, 0, -1))


def _outer(xp: Any, kernel: Sequence[int]) -> int:
    """How many of the window's axes lead from line to line, for a kernel of this shape; 0 where a row holds the whole window, as
    always on a GPU.
    """
    if xp is not np:
        return 0
    *window, channels, filters = kernel
    line = window[-1] * channels
    is_worth_it = math.prod(window[:-1]) > 1 and line >= SHORT and line * filters <= LIGHT
    return len(window) - 1 if is_worth_it else 0


def _part(xp: Any) -> int:
    return PART if xp is np else PART_THERE


def _parts(
    xp: Any, images: Any, along: Sequence[Slide], kernel: Sequence[int]
) -> Iterator[tuple[tuple[slice, ...], list[Any]]]:
    """What the window meets, for a part of the places at a time: (index of the part, the rows that each of its lines meets).

    The index is one of places [p outer..., n, p inner...], and a line's rows are [p outer..., n · p inner, k inner · c].
    """
    outer, spatial = _outer(xp, kernel), len(along)
    seen = _seen(xp, images, along, outer)
    # A part is some images, and some places along the first axis: they need the rows stride · y to stride · y + extent of it.
    first, stride, extent = (0, along[0].stride, along[0].extent) if outer else (1, 1, 1)
    line_bytes = math.prod(seen.shape) // max(len(images) * seen.shape[first], 1) * seen.itemsize
    # (What a large product copies of the kernel has to be worth it.)
    limit = max(_part(xp), 2 * math.prod(kernel) * seen.itemsize)
    at_once = limit // max(seen.shape[first] * line_bytes, 1)
    if outer:
        multiplications = math.prod(seen.shape[outer + 1 :]) * kernel[-1]
        at_once = min(at_once, SMALL // max(multiplications, 1))
    at_once = max(at_once, 1)
    lines = max((limit // max(at_once * line_bytes, 1) - extent) // stride + 1, 1)
    for n, y in product(range(0, len(images), at_once), range(0, along[0].places, lines)):
        count = min(lines, along[0].places - y)
        part = [slice(None)] * (spatial + 1)
        part[outer], part[first] = slice(n, n + at_once), slice(y, y + count)
        source = [*part]
        source[first] = slice(y * stride, (y + count - 1) * stride + extent)
        rows = _rows(xp, seen[tuple(source)], outer, spatial)
        if outer:
            inside = [s._replace(size=size, before=0, after=0) for s, size in zip(along, rows.shape[:outer])]
            inside[0] = inside[0]._replace(places=count)
            yield tuple(part), [rows[met] for _, met in elements(Layout(0, tuple(range(outer))), tuple(inside))]
        else:
            yield tuple(part), [rows]


def _seen(xp: Any, images: Any, along: Sequence[Slide], outer: int) -> Any:
    """What lines of the window meet: images [n, s..., c] -> a view [s outer..., n, p inner..., k inner..., c]."""
    spatial = tuple(range(1, len(along) + 1))
    image = padded(xp, images, Layout(len(along) + 1, spatial), along)
    met = windows(xp, image, Layout(len(along) + 1, spatial[outer:]), along[outer:])
    return xp.moveaxis(xp.moveaxis(met, len(along) + 1, -1), 0, outer)


def _rows(xp: Any, seen: Any, outer: int, spatial: int) -> Any:
    """A part of the view [s outer..., n, p inner..., k inner..., c] as matrices [s outer..., n · p inner, k inner · c].

    They are copied, unless the window is a single element. With one channel, neighbours along a line of the image make the
    longest runs in memory, and the copy follows them.
    """
    count, length = math.prod(seen.shape[outer : spatial + 1]), math.prod(seen.shape[spatial + 1 :])
    if seen.shape[-1] == 1 and not outer:
        places, window = range(spatial + 1), range(spatial + 1, seen.ndim)
        return seen.transpose(*window, *places).reshape(length, count).T
    return xp.ascontiguousarray(seen).reshape(*seen.shape[:outer], count, length)
