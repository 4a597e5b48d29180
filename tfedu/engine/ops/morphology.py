"""Grey-scale morphology: Dilation2D, the largest sum of image and filter in each window, and its two gradients. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..backends.ufunc_at import combine_at
from ..base.shapes import Shape, ShapeMismatch
from ..op.define import AtLeast, Sym, op, same_shape
from ..op.shape_checks import Real, invalid, of_rank, same, text_of, unimplemented
from ..op.windows import Slide, elements, layout_of, slide
from .convolution import Padding

Four = AtLeast[4, list[int]]
LAST = layout_of("NHWC")


def _slides(
    image: Sequence[int], window: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str, refuse: Any = invalid
) -> tuple[Slide, ...]:
    for stride in LAST.pick(strides):
        if stride <= 0:
            raise refuse(f"Stride must be > 0, but got {stride}")
    axes = zip(LAST.pick(image), window, LAST.pick(strides), LAST.pick(rates))
    return tuple([slide(*axis, padding, refuse=refuse) for axis in axes])


def _checked(input: Any, filter: Any, strides: Sequence[int], rates: Sequence[int], padding: str) -> tuple[Slide, ...]:
    """The slides of the filter. Raises: InvalidArgumentError, UnimplementedError in TF's words."""
    for values, name in ((strides, "Stride"), (rates, "Rate")):
        if LAST.others(values) != (1, 1):
            raise unimplemented(f"{name} is only supported across spatial dimensions.", "[1, h, w, 1]: 1 for batch and channels")
    if input.ndim != 4:
        raise invalid(f"input must be 4-dimensional{text_of(input.shape)}")
    if filter.ndim != 3:
        raise invalid(f"filter must be 3-dimensional: {text_of(filter.shape)}")
    if input.shape[3] != filter.shape[2]:
        raise invalid(f"input and filter must have the same depth: {input.shape[3]} vs {filter.shape[2]}")
    return _slides(input.shape, filter.shape, strides, rates, padding)


def _lowest(dtype: Any) -> Any:
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _largest(xp: Any, input: Any, filter: Any, along: tuple[Slide, ...]) -> Any:
    """The largest sum in each window [n, p, p, c], and which element of the window has it, -1 for none.

    The search begins at the smallest finite number, and the first of equal sums counts: NaN and minus infinity never do.
    """
    largest = xp.full((len(input), *[s.places for s in along], input.shape[3]), _lowest(input.dtype), input.dtype)
    which = xp.full(largest.shape, -1, np.int32)
    weights = filter.reshape(filter.shape[0] * filter.shape[1], filter.shape[2])
    for i, (places, met) in enumerate(elements(LAST, along)):
        sums, best = input[met] + weights[i], largest[places]
        is_larger = sums > best
        xp.copyto(best, sums, where=is_larger)
        xp.copyto(which[places], i, where=is_larger)
    return largest, which


@op("Dilation2D", fresh=True, value_safe=True)
def dilation2d(
    xp: Any, input: Real, filter: Real, *, strides: Four, rates: Four, padding: Padding
) -> Real:
    """The largest sum of image and filter in each window: input [n, h, w, c], filter [kh, kw, c] -> [n, places, places, c].

    rates: how far apart the elements of the window are; they and strides have one entry for each axis.

    Raises: InvalidArgumentError when the numbers of channels differ.
    """
    return _largest(xp, input, filter, _checked(input, filter, strides, rates, padding))[0]


@dilation2d.shape
def _(input: Sym, filter: Sym, *, strides: Sequence[int], rates: Sequence[int], padding: str) -> Shape:
    shape = of_rank(input.shape, 4, "the input is [n, h, w, c]; tf.reshape and tf.expand_dims make it so")
    window = of_rank(filter.shape, 3, "the filter is [kh, kw, c], without an axis of filters")
    for values, name in ((strides, "stride"), (rates, "rates")):
        if len(values) != 4:
            raise ShapeMismatch(f"Dilation2D requires the {name} attribute to contain 4 values, but got: {len(values)}")
    channels = same(shape[3], window[2])
    if None in (shape[1], shape[2], window[0], window[1]):
        return shape[0], None, None, channels
    along = _slides(shape, window, strides, rates, padding, ShapeMismatch)  # type: ignore[arg-type]
    return (shape[0], *[s.places for s in along], channels)


@dilation2d.grad
def _(op: Any, g: Any) -> Any:
    input, filter = op.inputs
    attrs = {name: op.attrs[name] for name in op.definition.kernel_attrs}
    return (
        dilation2d_backprop_input(input, filter, g, **attrs),
        dilation2d_backprop_filter(input, filter, g, **attrs),
    )


def _needs_places(g: Any, which: Any) -> None:
    if g.shape != which.shape:
        raise invalid("out_backprop has incompatible size.")


@op("Dilation2DBackpropInput", out="in_backprop", shape=same_shape, fresh=True)
def dilation2d_backprop_input(
    xp: Any, input: Real, filter: Real, out_backprop: Real, *, strides: Four, rates: Four, padding: Padding
) -> Real:
    """The gradient of Dilation2D with respect to its input: input [n, h, w, c], filter [kh, kw, c], out_backprop [n,
    places, places, c] -> [n, h, w, c].

    Raises: InvalidArgumentError for shapes that do not belong together.
    """
    along = _checked(input, filter, strides, rates, padding)
    _, which = _largest(xp, input, filter, along)
    _needs_places(out_backprop, which)
    out = xp.zeros(input.shape, input.dtype)
    zero = input.dtype.type(0)
    for i, (places, met) in enumerate(elements(LAST, along)):
        out[met] += xp.where(which[places] == i, out_backprop[places], zero)
    # Where nothing counted, the window's first place inside the image has the gradient. (A GPU does not say first whether there
    # is such a window.)
    is_left = which < 0
    if xp is not np or is_left.any():
        rows, columns = (xp.maximum(xp.arange(s.places) * s.stride - s.before, 0) for s in along)
        combine_at(xp, "add", out, (slice(None), rows[:, None], columns), xp.where(is_left, out_backprop, zero))
    return out


@op("Dilation2DBackpropFilter", out="filter_backprop", fresh=True)
def dilation2d_backprop_filter(
    xp: Any, input: Real, filter: Real, out_backprop: Real, *, strides: Four, rates: Four, padding: Padding
) -> Real:
    """The gradient of Dilation2D with respect to its filter: input [n, h, w, c], filter [kh, kw, c], out_backprop [n,
    places, places, c] -> [kh, kw, c].

    Raises: InvalidArgumentError for shapes that do not belong together.
    """
    along = _checked(input, filter, strides, rates, padding)
    _, which = _largest(xp, input, filter, along)
    _needs_places(out_backprop, which)
    out = xp.zeros((filter.shape[0] * filter.shape[1], filter.shape[2]), input.dtype)
    zero = input.dtype.type(0)
    xp.maximum(which, 0, out=which)  # where nothing counted, the filter's first element has the gradient
    for i, sums in enumerate(out):
        sums += xp.where(which == i, out_backprop, zero).sum((0, 1, 2), input.dtype)
    return out.reshape(filter.shape)


dilation2d_backprop_filter.shape(lambda input, filter, out_backprop, **attrs: filter.shape)
