"""Fake quantization: floats moved to the steps that integers of few bits would have, so that a network trains for them.

The gradient passes where the range holds the number, and goes to the limit of the range where the number is beyond it.
Source: Jacob et al., 2018, section 3. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..op.callers import nodes
from ..op.define import Sym, op, same_shape
from ..op.quantized import limited
from ..op.shape_checks import invalid, of_rank
from .convolution import attrs_of


class _Nudged:
    """The range of a fake quantization, moved a little so that 0 is a step. Floats are float32, scalars or one a channel."""

    def __init__(self, low: Any, high: Any, num_bits: int, narrow_range: bool) -> None:
        first, last = np.float32(narrow_range), np.float32(2**num_bits - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.step = (high - low) / (last - first)
            zero = first - low / self.step
        # By NumPy's functions, which work where their arguments are: limits that are attributes are numbers of the host.
        whole = np.floor(np.clip(zero, first, last) + np.float32(0.5))
        self.low, self.high = (first - whole) * self.step, (last - whole) * self.step
        # A range of nothing is left alone: its results are 0, its gradients pass.
        self.is_empty = (low == 0) & (high == 0)

    def moved(self, xp: Any, x: Any, by_inverse: bool = False) -> Any:
        """x at the nearest step. by_inverse: the distance is multiplied by 1 / step, which decides some halves otherwise."""
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = limited(xp, x, self.low, self.high) - self.low
            steps = xp.floor((distance * (1 / self.step) if by_inverse else distance / self.step) + np.float32(0.5))
            return xp.where(self.is_empty, np.float32(0), steps * self.step + self.low)[()]

    def passed(self, xp: Any, g: Any, x: Any) -> tuple[Any, Any, Any]:
        """The parts of the gradient that go to the input, to its lower limit and to its upper one: each of g's shape."""
        below, above = x < self.low, x > self.high
        zero = np.float32(0)
        inside = xp.where((below | above) & ~self.is_empty, zero, g)[()]
        return inside, xp.where(below & ~self.is_empty, g, zero)[()], xp.where(above & ~self.is_empty, g, zero)[()]


def _check_bits(num_bits: int) -> None:
    if not 2 <= num_bits <= 16:
        raise invalid("num_bits must be between 2 and 16, inclusive", f"it is {num_bits}")


def _nudged_by_attributes(low: float, high: float, num_bits: int, narrow_range: bool) -> _Nudged:
    _check_bits(num_bits)
    if low >= high:
        raise invalid(f"min has to be smaller than max, was: {low:g} >= {high:g}")
    return _Nudged(np.float32(low), np.float32(high), num_bits, narrow_range)


@op("FakeQuantWithMinMaxArgs", out="outputs", shape=lambda inputs, **attrs: inputs.shape, fresh=True)
def fake_quant_with_min_max_args(
    xp: Any, inputs: dtypes.float32, *, min: float = -6.0, max: float = 6.0, num_bits: int = 8, narrow_range: bool = False
) -> dtypes.float32:
    """Floats moved to the nearest of 2^num_bits steps from min to max: any shape -> the same shape.

    Raises: InvalidArgumentError unless min < max and 2 <= num_bits <= 16.
    """
    return _nudged_by_attributes(min, max, num_bits, narrow_range).moved(xp, inputs, by_inverse=True)


fake_quant_with_min_max_args.grad(lambda op, g: nodes.FakeQuantWithMinMaxArgsGradient(g, op.inputs[0], **attrs_of(op)))


@op("FakeQuantWithMinMaxArgsGradient", out="backprops", shape=same_shape, fresh=True)
def fake_quant_with_min_max_args_gradient(
    xp: Any, gradients: dtypes.float32, inputs: dtypes.float32, *, min: float = -6.0, max: float = 6.0, num_bits: int = 8,
    narrow_range: bool = False,
) -> dtypes.float32:  # fmt: skip
    """The gradient of FakeQuantWithMinMaxArgs for its input: g where the range holds the input, else 0."""
    return _nudged_by_attributes(min, max, num_bits, narrow_range).passed(xp, gradients, inputs)[0]


# -- limits that are tensors: a program trains them ------------------------------------------------------------------------


def _limits(inputs: Sym, min: Sym, max: Sym, *, num_bits: int, narrow_range: bool) -> Shape:
    of_rank(min.shape, 0)
    of_rank(max.shape, 0)
    return inputs.shape


@op(
    "FakeQuantWithMinMaxVars", out="outputs", shape=_limits, fresh=True,
    gradient="dx = g · [min ≤ x] · [x ≤ max], dmin = Σ g · [x < min], dmax = Σ g · [x > max]",
)
def fake_quant_with_min_max_vars(
    xp: Any, inputs: dtypes.float32, min: dtypes.float32, max: dtypes.float32, *, num_bits: int = 8, narrow_range: bool = False
) -> dtypes.float32:
    """Floats moved to the nearest of 2^num_bits steps from min to max: any shape, two scalars -> the same shape.

    Raises: InvalidArgumentError unless 2 <= num_bits <= 16.
    """
    _check_bits(num_bits)
    return _Nudged(min, max, num_bits, narrow_range).moved(xp, inputs)


@fake_quant_with_min_max_vars.grad
def _(op: Any, g: Any) -> Any:
    return tuple(nodes.FakeQuantWithMinMaxVarsGradient(g, *op.inputs, **attrs_of(op)))


_OUTPUTS = "backprops_wrt_input backprop_wrt_min backprop_wrt_max"


@op(
    "FakeQuantWithMinMaxVarsGradient", out=_OUTPUTS, fresh=True,
    shape=lambda gradients, inputs, min, max, **attrs: (_limits(inputs, min, max, **attrs), (), ()),
)
def fake_quant_with_min_max_vars_gradient(
    xp: Any, gradients: dtypes.float32, inputs: dtypes.float32, min: dtypes.float32, max: dtypes.float32, *, num_bits: int = 8,
    narrow_range: bool = False,
) -> tuple[dtypes.float32, dtypes.float32, dtypes.float32]:  # fmt: skip
    """The gradients of FakeQuantWithMinMaxVars for the input, min and max: the input's shape, and two scalars."""
    _check_bits(num_bits)
    inside, below, above = _Nudged(min, max, num_bits, narrow_range).passed(xp, gradients, inputs)
    return inside, below.sum(), above.sum()


def _channel_limits(inputs: Sym, min: Sym, max: Sym, *, num_bits: int, narrow_range: bool) -> Shape:
    for limit in (min, max):
        (size,) = of_rank(limit.shape, 1)
        if inputs.shape and None not in (size, inputs.shape[-1]) and size != inputs.shape[-1]:
            raise ShapeMismatch(f"Dimensions must be equal, but are {inputs.shape[-1]} and {size}")
    return inputs.shape


@op(
    "FakeQuantWithMinMaxVarsPerChannel", out="outputs", shape=_channel_limits, fresh=True,
    gradient="dx = g · [min ≤ x] · [x ≤ max], dmin = Σ g · [x < min], dmax = Σ g · [x > max] a channel",
)
def fake_quant_with_min_max_vars_per_channel(
    xp: Any, inputs: dtypes.float32, min: dtypes.float32, max: dtypes.float32, *, num_bits: int = 8, narrow_range: bool = False
) -> dtypes.float32:
    """Floats moved to the steps of their channel: inputs [..., c], min and max [c] -> [..., c].

    Raises: InvalidArgumentError unless 2 <= num_bits <= 16, and for another number of limits than of channels.
    """
    _check_channels(inputs, min, max, num_bits)
    return _Nudged(min, max, num_bits, narrow_range).moved(xp, inputs)


@fake_quant_with_min_max_vars_per_channel.grad
def _(op: Any, g: Any) -> Any:
    return tuple(nodes.FakeQuantWithMinMaxVarsPerChannelGradient(g, *op.inputs, **attrs_of(op)))


def _check_channels(inputs: Any, low: Any, high: Any, num_bits: int) -> None:
    _check_bits(num_bits)
    for name, limit in (("min", low), ("max", high)):
        if limit.shape != inputs.shape[-1:]:
            raise invalid(f"{name} has incorrect size, expected {inputs.shape[-1]} was {limit.size}")


@op(
    "FakeQuantWithMinMaxVarsPerChannelGradient", out=_OUTPUTS, fresh=True,
    shape=lambda gradients, inputs, min, max, **attrs: (
        _channel_limits(inputs, min, max, **attrs), of_rank(min.shape, 1), of_rank(max.shape, 1),
    ),
)
def fake_quant_with_min_max_vars_per_channel_gradient(
    xp: Any, gradients: dtypes.float32, inputs: dtypes.float32, min: dtypes.float32, max: dtypes.float32, *, num_bits: int = 8,
    narrow_range: bool = False,
) -> tuple[dtypes.float32, dtypes.float32, dtypes.float32]:  # fmt: skip
    """The gradients of FakeQuantWithMinMaxVarsPerChannel for the input [..., c], min [c] and max [c]."""
    _check_channels(inputs, min, max, num_bits)
    inside, below, above = _Nudged(min, max, num_bits, narrow_range).passed(xp, gradients, inputs)
    others = tuple(range(inputs.ndim - 1))
    return inside, below.sum(axis=others), above.sum(axis=others)
