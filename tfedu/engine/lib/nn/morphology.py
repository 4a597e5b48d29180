"""`tf.nn.dilation2d` and `erosion2d`: the largest and the smallest value in a window, of grey-scale morphology. No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...ops import morphology as ops
from ..arrays import array
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..math import math


@atomic
def dilation2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The largest sum of image and filter in each window: input [n, h, w, c], filter [kh, kw, c] -> [n, places, places, c].

    strides, rates (how far apart the window's elements are): one for each axis. filters, dilations: the newer names of filter
    and rates.

    Raises: ValueError for shapes, strides or rates that do not fit.
    """
    filter = renamed("filters", filters, "filter", filter)
    rates = renamed("dilations", dilations, "rates", rates)
    out: Tensor = ops.dilation2d(input, filter, strides=strides, rates=rates, padding=padding, name=name)
    return out


@atomic
def erosion2d(value: Any, kernel: Any, strides: Any, rates: Any, padding: Any, name: str | None = None) -> Tensor:
    """The smallest difference of image and kernel in each window: value [n, h, w, c], kernel [kh, kw, c] -> [n, places,
    places, c].

    Raises: ValueError for shapes, strides or rates that do not fit.
    """
    with named(name, "erosion2d", [value, kernel]) as scope:
        negative, turned = math.negative(value), array.reverse_v2(kernel, [0, 1])
        largest = ops.dilation2d(negative, turned, strides=strides, rates=rates, padding=padding, name=scope)
        return math.negative(largest)


__all__ = ["dilation2d", "erosion2d"]
