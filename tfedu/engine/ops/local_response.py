"""Local response normalisation: LRN and its gradient. Each channel is divided by a norm of itself and its neighbours:

    y[k] = x[k] · norm[k]^-beta,   norm[k] = bias + alpha · Σ x[j]² over the channels j with |j - k| ≤ depth_radius

Source: Krizhevsky et al., 2012, section 3.3. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.shapes import Shape
from ..op.callers import nodes
from ..op.define import Sym, op, typevar
from ..op.shape_checks import HALF_FIRST, invalid, of_rank

Narrow = typevar("T", HALF_FIRST[:3], default=dtypes.float32)


def _neighbour_sums(xp: Any, array: Any, radius: int) -> Any:
    """[..., c]: for each channel the sum over itself and its neighbours, a product with a matrix of zeros and ones."""
    places = xp.arange(array.shape[-1])
    is_near = xp.abs(places[:, None] - places) <= radius
    return array @ is_near.astype(array.dtype)


def _norms(xp: Any, x: Any, radius: int, bias: float, alpha: float) -> Any:
    norms = _neighbour_sums(xp, xp.square(x), radius)
    norms *= alpha
    norms += bias
    return norms


def _inverse_power(xp: Any, norms: Any, beta: float) -> Any:
    """norms^-beta; by logarithms, which take a quarter of the time of a power."""
    return 1 / norms if beta == 1 else xp.exp(-beta * xp.log(norms))


def _check_radius(radius: int) -> None:
    if radius < 0:
        raise invalid(f"depth_radius = {radius} larger than int max", fix="depth_radius counts neighbours: 0 or more")


@op("LRN", fresh=True)
def lrn(
    xp: Any, input: Narrow, *, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5
) -> Narrow:
    """x / (bias + alpha · Σ x²)^beta, summed over the channels at most depth_radius away: [n, h, w, c] -> [n, h, w, c].

    Raises: InvalidArgumentError for a negative depth_radius.
    """
    _check_radius(depth_radius)
    if input.ndim != 4:
        raise invalid("in must be 4-dimensional")
    x = input.astype(np.float32, copy=False)
    norms = _norms(xp, x, depth_radius, bias, alpha)
    return (x * _inverse_power(xp, norms, beta)).astype(input.dtype, copy=False)


lrn.shape(lambda input, **attrs: of_rank(input.shape, 4))


@lrn.grad
def _(op: Any, g: Any) -> Any:
    attrs = {name: op.attrs[name] for name in ("depth_radius", "bias", "alpha", "beta")}
    return nodes.LRNGrad(g, op.inputs[0], op.outputs[0], **attrs)


@op("LRNGrad", fresh=True)
def lrn_grad(
    xp: Any, input_grads: Narrow, input_image: Narrow, output_image: Narrow, *,
    depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
) -> Narrow:  # fmt: skip
    """The gradient of LRN: three images [n, h, w, c] -> [n, h, w, c]."""
    _check_radius(depth_radius)
    if input_grads.ndim != 4:
        raise invalid("inputs must be 4-dimensional")
    if not input_grads.shape == input_image.shape == output_image.shape:
        raise invalid("input_grads, input_image, and out_image should have the same shape")
    g, x, y = (image.astype(np.float32, copy=False) for image in (input_grads, input_image, output_image))
    norms = _norms(xp, x, depth_radius, bias, alpha)
    through_norms = _neighbour_sums(xp, g * y / norms, depth_radius)
    slopes = g * _inverse_power(xp, norms, beta) - 2 * alpha * beta * x * through_norms
    return slopes.astype(input_grads.dtype, copy=False)


@lrn_grad.shape
def _(input_grads: Sym, input_image: Sym, output_image: Sym, **attrs: Any) -> Shape:
    return shapes.merge(shapes.merge(of_rank(input_grads.shape, 4), input_image.shape), output_image.shape)
