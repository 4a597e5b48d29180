"""MaxPoolWithArgmax, which also says where each maximum is, and its gradients. No state.

A place is the position of an element in its image [h, w, c], counted row by row; with include_batch_in_index in all images.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.shapes import Shape
from ..op import pools
from ..op.callers import nodes
from ..op.define import Sym, op, typevar
from ..op.shape_checks import INDEX, Real, invalid, of_rank, unimplemented
from ..op.windows import Layout, Slide
from .pooling import Four, Padding, check_shape, pooled_rule, slides_along

Place = typevar("Targmax", INDEX, default=dtypes.int64)
GivenPlace = typevar("Targmax", INDEX)
_shape_of_pooled = pooled_rule("MaxPool", over_channels=True)


def _windows(
    shape: Sequence[int], ksize: Sequence[int], strides: Sequence[int], padding: str
) -> tuple[Layout, tuple[Slide, ...]]:
    layout, along = slides_along(shape, ksize, strides, padding, "NHWC")
    if ksize[3] != 1:
        raise unimplemented("MaxPoolWithArgmax is not yet supported on the depth dimension.")
    return layout, along


def _first_places(shape: Sequence[int]) -> Any:
    """[n, 1, 1, 1]: the place of each image's first element in all images."""
    return (np.arange(shape[0]) * int(np.prod(shape[1:]))).reshape(-1, 1, 1, 1)


@op("MaxPoolWithArgmax", out="output argmax", fresh=True, gradient="dx = g at each window's first maximum, else 0")
def max_pool_with_argmax(
    xp: Any, input: Real, *, ksize: Four, strides: Four, Targmax: Place = dtypes.int64, padding: Padding,
    include_batch_in_index: bool = False,
) -> tuple[Real, "Targmax"]:  # noqa: F821  # fmt: skip
    """The first maximum of each window and its place: [n, h, w, c] -> twice [n, windows h, windows w, c].

    Raises: UnimplementedError for windows over the batch or the channels.
    """
    layout, along = _windows(input.shape, ksize, strides, padding)
    winner = pools.winners(xp, input, layout, along)
    places = pools.flat_places(xp, winner, input, layout, along) + _first_places(input.shape)
    largest = input.reshape(-1)[places]
    if not include_batch_in_index:
        places -= _first_places(input.shape)
    return largest, places.astype(Targmax.numpy)


@max_pool_with_argmax.shape
def _(input: Sym, **attrs: Any) -> list[Shape]:
    return [_shape_of_pooled(input, **attrs)] * 2


@max_pool_with_argmax.grad
def _(op: Any, g: Any, _: Any) -> Any:
    attrs = {name: op.attrs[name] for name in ("ksize", "strides", "padding", "include_batch_in_index")}
    return nodes.MaxPoolGradWithArgmax(op.inputs[0], g, op.outputs[1], **attrs)


def _checked_places(argmax: Any, shape: Sequence[int], include_batch: bool) -> Any:
    """The places [...] in all images.

    Raises: InvalidArgumentError for a place outside the images.
    """
    places = argmax.astype(np.int64)
    if not include_batch:
        places += _first_places(shape)
    size = int(np.prod(shape))
    if places.size and not 0 <= places.min() <= places.max() < size:
        bad = places[(places < 0) | (places >= size)].flat[0]
        raise invalid(f"Invalid input argmax index: {bad} is not in [0, {size})")
    return places


@op("MaxPoolGradWithArgmax", shape=lambda input, *_, **__: of_rank(input.shape, 4), fresh=True)
def max_pool_grad_with_argmax(
    xp: Any, input: Real, grad: Real, argmax: GivenPlace, *, ksize: Four, strides: Four, padding: Padding,
    include_batch_in_index: bool = False,
) -> Real:  # fmt: skip
    """The gradient of MaxPoolWithArgmax: each number goes to its place: input [n, h, w, c], grad and argmax [n, windows h,
    windows w, c] -> [n, h, w, c].

    Raises: InvalidArgumentError for a place outside the images.
    """
    layout, along = _windows(input.shape, ksize, strides, padding)
    wanted = pools.pooled_shape(input, layout, along)
    check_shape("grad", grad, wanted)
    check_shape("argmax", argmax, wanted)
    dx = xp.zeros(input.size, grad.dtype)
    xp.add.at(dx, _checked_places(argmax, input.shape, include_batch_in_index).reshape(-1), grad.reshape(-1))
    return dx.reshape(input.shape)


@op("MaxPoolGradGradWithArgmax", fresh=True)
def max_pool_grad_grad_with_argmax(
    xp: Any, input: Real, grad: Real, argmax: GivenPlace, *, ksize: Four, strides: Four, padding: Padding,
    include_batch_in_index: bool = False,
) -> Real:  # fmt: skip
    """The numbers of grad at the places: input and grad [n, h, w, c], argmax [n, windows h, windows w, c] -> the shape of argmax.

    Raises: InvalidArgumentError for a place outside the images.
    """
    layout, along = _windows(input.shape, ksize, strides, padding)
    check_shape("argmax", argmax, pools.pooled_shape(input, layout, along))
    check_shape("grad", grad, input.shape)
    return grad.reshape(-1)[_checked_places(argmax, input.shape, include_batch_in_index)]


@max_pool_grad_grad_with_argmax.shape
def _(input: Sym, grad: Sym, argmax: Sym, **attrs: Any) -> Shape:
    shape = _shape_of_pooled(input, **attrs)
    shapes.merge(input.shape, grad.shape)
    shapes.merge(argmax.shape, shape)
    return shape
