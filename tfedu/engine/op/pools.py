"""What pooling computes from an image and the slides of its windows: extremes, sums, the place of the first maximum, and the ways
back. An image is [n, h, w, c] or of any other layout; `along` has one Slide for each of its spatial axes.

A window is taken apart into its elements: an element meets the image at a strided slice, and each window's element there is one
element of the output. At a padded edge an element meets nothing for some windows, which are left out of its slice. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .windows import Index, Layout, Slide, elements, meetings

PART = 1 << 19  # bytes of the images that are in work at a time: they stay in a core's second cache


def pooled_shape(image: Any, layout: Layout, along: Sequence[Slide]) -> tuple[int, ...]:
    """The shape of the output: the image's with the number of windows along each spatial axis."""
    shape = list(image.shape)
    for axis, s in zip(layout.spatial, along):
        shape[axis] = s.places
    return tuple(shape)


# -- forward ---------------------------------------------------------------------------------------------------------------


def combined(
    xp: Any, image: Any, layout: Layout, along: Sequence[Slide], combine: Callable[..., Any], start: Any
) -> Any:
    """The elements of each window combined by a ufunc, one axis after the other. start: the value of a window of none."""
    result = image
    for axis, s in zip(layout.spatial, along):
        before = (slice(None),) * axis
        shape = (*result.shape[:axis], s.places, *result.shape[axis + 1 :])
        # What meets all windows comes first: it needs no start.
        met = sorted(meetings(s), key=lambda pair: pair[0].start - pair[0].stop)
        whole = [result[(*before, part)] for places, part in met[:2] if places == slice(0, s.places)]
        if len(whole) == 2:
            out = combine(*whole)
        elif whole:
            out = whole[0].copy()
        else:
            out = xp.full(shape, start, image.dtype)
        for places, part in met[len(whole) :]:
            target = out[(*before, places)]
            combine(target, result[(*before, part)], out=target)
        result = out
    return result


def counts(xp: Any, layout: Layout, along: Sequence[Slide], rank: int) -> Any:
    """How many elements of the image each window has: a number, or an array that broadcasts with the output."""
    total: Any = 1
    for axis, s in zip(layout.spatial, along):
        if s.before or s.after:
            ones = xp.zeros(s.places, np.int64)
            for places, _ in meetings(s):
                ones[places] += 1
            total = total * ones.reshape(-1, *[1] * (rank - 1 - axis))
        else:
            total = total * s.window
    return total


# -- the first maximum -----------------------------------------------------------------------------------------------------


def winners(xp: Any, image: Any, layout: Layout, along: tuple[Slide, ...]) -> Any:
    """Which element of its window, counted row by row, is the first maximum, in the output's shape.

    As in TF a NaN at the first place of a window wins, and one at another place never does.
    """
    first, number = image, xp.zeros((1,) * image.ndim, np.int64)
    for axis, s in zip(layout.spatial, along):
        starts = xp.arange(s.places) * s.stride - s.before
        inside = -(xp.minimum(starts, 0) // s.dilation)
        first = first.take(starts + inside * s.dilation, axis) if s.before else first[_part(axis, s)]
        number = number * s.window + inside.reshape(-1, *[1] * (image.ndim - 1 - axis))
    kind = np.min_scalar_type(int(np.prod([s.window for s in along])))
    best, winner = first.copy(), xp.empty(pooled_shape(image, layout, along), kind)
    winner[...] = number
    if best.dtype.kind == "f":
        xp.copyto(best, np.inf, where=xp.isnan(best))
    parts = elements(layout, along)
    for i, (places, met) in enumerate(parts):
        if i == 0 and not any(s.before for s in along):
            continue  # the best so far
        candidate, target, place = image[met], best[places], winner[places]
        is_better = candidate > target
        # A later element has a greater number, so the maximum keeps the last improvement.
        xp.maximum(place, is_better * kind.type(i), out=place)
        if i + 1 < len(parts):
            xp.fmax(target, candidate, out=target)
    return winner


def _part(axis: int, s: Slide) -> Index:
    return (*(slice(None),) * axis, meetings(s)[0][1])


def flat_places(xp: Any, winner: Any, image: Any, layout: Layout, along: Sequence[Slide]) -> Any:
    """The position of each winner in its image [...] without the batch, flattened."""
    rest, steps = winner.astype(np.int64), 1
    shape, total = image.shape, xp.zeros((1,) * image.ndim, np.int64)
    at = {}
    for axis, s in reversed(list(zip(layout.spatial, along))):
        inside, rest = rest % s.window, rest // s.window
        starts = (xp.arange(s.places) * s.stride - s.before).reshape(-1, *[1] * (image.ndim - 1 - axis))
        at[axis] = starts + inside * s.dilation
    at[layout.channels] = xp.arange(shape[layout.channels]).reshape(-1, *[1] * (image.ndim - 1 - layout.channels))
    for axis in range(image.ndim - 1, 0, -1):
        total = total + at[axis] * steps
        steps *= shape[axis]
    return total


# -- backward --------------------------------------------------------------------------------------------------------------


def overlap(along: Sequence[Slide]) -> bool:
    """Whether an element of the image can be in several windows."""
    return any(s.stride < s.extent for s in along)


def spread(xp: Any, g: Any, layout: Layout, along: Sequence[Slide]) -> Any:
    """Each window's number added to all its elements: the way back from a sum, one axis after the other."""
    for axis, s in zip(reversed(layout.spatial), reversed(along)):
        before = (slice(None),) * axis
        out = xp.zeros((*g.shape[:axis], s.size, *g.shape[axis + 1 :]), g.dtype)
        for places, part in meetings(s):
            if s.stride < s.extent:
                out[(*before, part)] += g[(*before, places)]
            else:
                out[(*before, part)] = g[(*before, places)]
        g = out
    return g


def chosen(xp: Any, g: Any, is_chosen: Any, out: Any = None) -> Any:
    """g where it is chosen, else 0, also for infinite and NaN g: a product of its bits with 0 or 1, faster than a choice."""
    bits = np.dtype(f"i{g.dtype.itemsize}")
    if out is not None:
        xp.multiply(g.view(bits), is_chosen, out=out.view(bits))
        return out
    return xp.multiply(g.view(bits), is_chosen).view(g.dtype)


def routed(
    xp: Any, g: Any, layout: Layout, along: tuple[Slide, ...], shape: Sequence[int], is_chosen: Callable[[int, Index, Index], Any]
) -> Any:
    """An image of that shape to which each window's number was added at its chosen elements.

    is_chosen(element's number, windows, image): for the windows that have the element, whether it is chosen.
    """
    dx = xp.zeros(shape, g.dtype)
    adds = overlap(along)
    for i, (places, met) in enumerate(elements(layout, along)):
        chosen_here = is_chosen(i, places, met)
        if adds:
            dx[met] += chosen(xp, g[places], chosen_here)
        else:
            chosen(xp, g[places], chosen_here, dx[met])
    return dx


def routed_to_first_maximum(xp: Any, image: Any, g: Any, layout: Layout, along: tuple[Slide, ...]) -> Any:
    """An image to which each window's number was added at its first maximum: image [n, ...], g of the pooled shape.

    A NaN counts as `winners` says.
    """
    if any(s.before for s in along):  # a window's first element can be any one
        winner = winners(xp, image, layout, along)
        return routed(xp, g, layout, along, image.shape, lambda i, places, met: winner[places] == i)
    is_tiled = all(s.stride == s.extent and s.size == s.places * s.stride for s in along)
    dx = (xp.empty if is_tiled else xp.zeros)(image.shape, g.dtype)
    at_once = max(PART * len(image) // max(image.nbytes, 1), 1) if isinstance(image, np.ndarray) else max(len(image), 1)
    for n in range(0, len(image), at_once):
        part = slice(n, n + at_once)
        _route_to_first_maximum(xp, image[part], g[part], layout, along, dx[part])
    return dx


def _route_to_first_maximum(xp: Any, image: Any, g: Any, layout: Layout, along: tuple[Slide, ...], dx: Any) -> None:
    parts = elements(layout, along)
    # Each element of all windows, side by side in memory: NumPy works on long runs several times faster than on a few channels.
    values = xp.empty((len(parts), *g.shape), image.dtype)
    if any(s.after for s in along):
        values.fill(-np.inf if image.dtype.kind == "f" else np.iinfo(image.dtype).min)
    for value, (places, met) in zip(values, parts):
        value[places] = image[met]
    largest = values[0].copy()
    for value in values[1:]:
        xp.fmax(largest, value, out=largest)
    left = g.view(f"i{g.dtype.itemsize}").copy()  # of the windows whose maximum is still to come, as bits (see `chosen`)
    for i, (places, met) in enumerate(parts):
        share = left
        if i < len(parts) - 1:
            # The first element is the maximum also as NaN, which is not less; a NaN further on equals nothing.
            left = left * (values[i] != largest if i else values[i] < largest)
            share -= left
        if overlap(along):
            dx[met] += share.view(g.dtype)[places]
        else:
            dx[met] = share.view(g.dtype)[places]
