"""Learning rates that fall with the step: `exponential_decay(0.1, global_step, 1000, 0.96)` is a tensor for an optimizer.

Each run computes the rate from the step's value in that run. Rates, steps and the other arguments are scalars; the result
has learning_rate's dtype. No state.
"""

from __future__ import annotations

import math as numbers
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.control.case import case
from ...lib.control.cond import cond
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math, random
from ...op.constant import constant


def _rate(learning_rate: Any) -> Any:
    return convert_to_tensor(learning_rate, name="initial_learning_rate")


@atomic
def exponential_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False, name: str | None = None
) -> Tensor:
    """learning_rate · decay_rate ^ (global_step / decay_steps); staircase: with the quotient rounded down."""
    with name_scope(name or "ExponentialDecay") as scope:
        rate = _rate(learning_rate)
        steps, factor = math.cast(decay_steps, rate.dtype), math.cast(decay_rate, rate.dtype)
        times = math.cast(global_step, rate.dtype) / steps
        if staircase:
            times = math.floor(times)
        decayed: Tensor = math.multiply(rate, math.pow(factor, times), name=scope)
        return decayed


@atomic
def piecewise_constant(x: Any, boundaries: Any, values: Any, name: str | None = None) -> Tensor:
    """values[0] up to x = boundaries[0], then values[1] up to boundaries[1], …, and the last value after the last boundary.

    Raises: ValueError for boundaries that are not of x's dtype (int32 is cast to int64), for values of several dtypes, and
    unless there is one value more than boundaries.
    """
    edges = [convert_to_tensor(boundary) for boundary in boundaries]
    rates = [convert_to_tensor(value) for value in values]
    step = convert_to_tensor(x)
    for i, edge in enumerate(edges):
        edge_dtype, step_dtype = edge.dtype.base_dtype, step.dtype.base_dtype
        if edge_dtype is not step_dtype:
            if (edge_dtype, step_dtype) != (dtypes.int32, dtypes.int64):
                raise ValueError(error_text(f"Boundaries ({edge_dtype}) must have the same dtype as x ({step_dtype})."))
            edges[i] = math.cast(edge, step_dtype)
    for rate in rates[1:]:
        if rate.dtype.base_dtype is not rates[0].dtype.base_dtype:
            kinds = f"{rates[0].dtype.base_dtype} vs {rate.dtype.base_dtype}"
            raise ValueError(error_text(f"Values must have elements all with the same dtype ({kinds})."))
    if len(edges) != len(rates) - 1:
        raise ValueError(error_text("The length of boundaries should be 1 less than the length of values"))
    with name_scope(name or "PiecewiseConstant"):
        return rate_between(step, edges, rates)


def rate_between(step: Any, edges: list[Any], rates: list[Any]) -> Tensor:
    """rates[0] up to step = edges[0], then rates[1] up to edges[1], …, and the last rate after the last edge."""
    pairs = [(step <= edges[0], lambda: rates[0]), (step > edges[-1], lambda: rates[-1])]
    for low, high, rate in zip(edges, edges[1:], rates[1:-1]):
        pairs.append(((step > low) & (step <= high), lambda rate=rate: rate))
    between: Tensor = case(pairs, lambda: rates[0], exclusive=True)
    return between


@atomic
def natural_exp_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False, name: str | None = None
) -> Tensor:
    """learning_rate · e ^ (-decay_rate · global_step / decay_steps); staircase: with the quotient rounded down."""
    factor = math.exp(math.negative(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, factor, staircase, name)


@atomic
def inverse_time_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False, name: str | None = None
) -> Tensor:
    """learning_rate / (1 + decay_rate · global_step / decay_steps); staircase: with the quotient rounded down."""
    with name_scope(name or "InverseTimeDecay") as scope:
        rate = _rate(learning_rate)
        steps, factor = math.cast(decay_steps, rate.dtype), math.cast(decay_rate, rate.dtype)
        times = math.cast(global_step, rate.dtype) / steps
        if staircase:
            times = math.floor(times)
        one = math.cast(constant(1), rate.dtype)
        decayed: Tensor = math.divide(rate, math.add(one, math.multiply(factor, times)), name=scope)
        return decayed


@atomic
def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Tensor:
    """(learning_rate - end_learning_rate) · (1 - global_step / decay_steps) ^ power + end_learning_rate.

    The step stays at decay_steps from there on; cycle: decay_steps grows to its next multiple instead, so the rate jumps up.
    """
    with name_scope(name or "PolynomialDecay") as scope:
        rate = _rate(learning_rate)
        end, exponent = math.cast(end_learning_rate, rate.dtype), math.cast(power, rate.dtype)
        step, steps = math.cast(global_step, rate.dtype), math.cast(decay_steps, rate.dtype)
        if cycle:
            times = cond(math.equal(step, 0), lambda: 1.0, lambda: math.ceil(step / decay_steps))
            steps = math.multiply(steps, times)
        else:
            step = math.minimum(step, decay_steps)
        part = math.divide(step, steps)
        decayed: Tensor = math.add(math.multiply(rate - end, math.pow(1 - part, exponent)), end, name=scope)
        return decayed


def _cosine(angle: Any) -> Any:
    return 1.0 + math.cos(constant(numbers.pi) * angle)


@atomic
def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: Any = 0.0, name: str | None = None
) -> Tensor:
    """Half a cosine wave from learning_rate down to alpha · learning_rate at decay_steps. Source: Loshchilov and Hutter, 2016."""
    with name_scope(name or "CosineDecay"):
        rate = _rate(learning_rate)
        steps = math.cast(decay_steps, rate.dtype)
        step = math.minimum(math.cast(global_step, rate.dtype), steps)
        wave = 0.5 * _cosine(step / steps)
        decayed: Tensor = math.multiply(rate, (1 - alpha) * wave + alpha)
        return decayed


@atomic
def cosine_decay_restarts(
    learning_rate: Any,
    global_step: Any,
    first_decay_steps: Any,
    t_mul: Any = 2.0,
    m_mul: Any = 1.0,
    alpha: Any = 0.0,
    name: str | None = None,
) -> Tensor:
    """Cosine decays one after the other, each t_mul times as long and m_mul times as high as the one before.

    Source: Loshchilov and Hutter, 2016 (SGDR).
    """
    with name_scope(name or "SGDRDecay") as scope:
        rate = _rate(learning_rate)
        first, low, longer, higher = (math.cast(v, rate.dtype) for v in (first_decay_steps, alpha, t_mul, m_mul))
        part = math.cast(global_step, rate.dtype) / first

        def equal_periods() -> Any:
            restarts = math.floor(part)
            return restarts, part - restarts

        def growing_periods() -> Any:
            restarts = math.floor(math.log(1.0 - part * (1.0 - longer)) / math.log(longer))
            before = (1.0 - longer**restarts) / (1.0 - longer)
            return restarts, (part - before) / longer**restarts

        restarts, part = cond(math.equal(longer, 1.0), equal_periods, growing_periods)
        wave = 0.5 * higher**restarts * _cosine(part)
        decayed: Tensor = math.multiply(rate, (1 - low) * wave + low, name=scope)
        return decayed


@atomic
def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    num_periods: Any = 0.5,
    alpha: Any = 0.0,
    beta: Any = 0.001,
    name: str | None = None,
) -> Tensor:
    """learning_rate · ((alpha + line) · wave + beta): a line from 1 to 0 at decay_steps times num_periods cosine waves.

    Source: Bello and others, 2017 (Neural optimizer search).
    """
    with name_scope(name or "LinearCosineDecay") as scope:
        rate = _rate(learning_rate)
        steps, periods, low, end = (math.cast(v, rate.dtype) for v in (decay_steps, num_periods, alpha, beta))
        step = math.minimum(math.cast(global_step, rate.dtype), steps)
        line = (steps - step) / steps
        progress = step / steps
        wave = 0.5 * _cosine(2.0 * periods * progress)
        decayed: Tensor = math.multiply(rate, (low + line) * wave + end, name=scope)
        return decayed


@atomic
def noisy_linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    initial_variance: Any = 1.0,
    variance_decay: Any = 0.55,
    num_periods: Any = 0.5,
    alpha: Any = 0.0,
    beta: Any = 0.001,
    name: str | None = None,
) -> Tensor:
    """linear_cosine_decay with normal noise on the line, of variance initial_variance / (1 + global_step) ^ variance_decay.

    Source: Bello and others, 2017 (Neural optimizer search).
    """
    with name_scope(name or "NoisyLinearCosineDecay") as scope:
        rate = _rate(learning_rate)
        steps, variance, variance_exponent, periods, low, end = (
            math.cast(v, rate.dtype)
            for v in (decay_steps, initial_variance, variance_decay, num_periods, alpha, beta)
        )
        step = math.minimum(math.cast(global_step, rate.dtype), steps)
        line = (steps - step) / steps
        deviation = math.sqrt(variance / math.pow(1.0 + step, variance_exponent))
        line = line + random.random_normal(line.shape, stddev=deviation)
        progress = step / steps
        wave = 0.5 * _cosine(2.0 * periods * progress)
        decayed: Tensor = math.multiply(rate, (low + line) * wave + end, name=scope)
        return decayed


piecewise_constant_decay = piecewise_constant

__all__ = [
    "cosine_decay", "cosine_decay_restarts", "exponential_decay", "inverse_time_decay", "linear_cosine_decay",
    "natural_exp_decay", "noisy_linear_cosine_decay", "piecewise_constant", "rate_between", "piecewise_constant_decay",
    "polynomial_decay",
]  # fmt: skip
