"""Gamma, Poisson and truncated normal numbers, as TensorFlow's CPU kernels draw them: by rejection.

Gamma and Poisson: each output has a stretch of its own; all are drawn side by side, those that are rejected go into the next
round. Truncated normal: one output after the other from one stretch. No state.

Source: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); Hörmann, "The transformed rejection
method for generating Poisson random variables" (1993), Knuth's method below a rate of 10; Robert, "Simulation of truncated
normal variables" (1995).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from . import dtypes, errors, float32_math, philox
from .philox import Start

Array: TypeAlias = "np.ndarray[Any, Any]"

_log_gamma = np.frompyfunc(math.lgamma, 1, 1)
_power = np.frompyfunc(math.pow, 2, 1)  # closer to the C library's power than NumPy's own


class _Streams:
    """`count` stretches of one sequence, each of which yields its next float64 of a kind."""

    def __init__(self, start: Start, first: Array) -> None:
        self._start = start
        self._next = first.astype(np.uint64)
        self._uniform = _Buffer(len(first), philox.uniform_pairs)
        self._normal = _Buffer(len(first), philox.normal_pairs)

    def uniform(self, which: Array) -> Array:
        """The next number in [0, 1) of each of these stretches."""
        return self._take(self._uniform, which)

    def normal(self, which: Array) -> Array:
        """The next standard normal number of each of these stretches."""
        return self._take(self._normal, which)

    def _take(self, buffer: _Buffer, which: Array) -> Array:
        empty = which[buffer.left[which] == 0]
        if empty.size:
            buffer.values[empty] = buffer.convert(philox.blocks_at(self._start, self._next[empty]))
            buffer.left[empty] = 2
            self._next[empty] += np.uint64(1)
        # A step yields two numbers, of which TF uses the last one first.
        buffer.left[which] -= 1
        return np.asarray(buffer.values[which, buffer.left[which]])


class _Buffer:
    def __init__(self, count: int, convert: Any) -> None:
        self.values = np.empty((count, 2))
        self.left = np.zeros(count, np.int8)
        self.convert = convert


def gamma(start: Start, count: int, alpha: Array, dtype: np.dtype[Any]) -> Array:
    """[count, n]: `count` numbers of each gamma distribution with shape parameter alpha [n] and scale 1."""
    total = count * len(alpha)
    a = np.repeat(alpha.astype(np.float64), count)
    streams = _Streams(start, np.arange(total) * philox.RESERVED)
    out = np.empty(total)
    small = a < 1
    with np.errstate(all="ignore"):
        d = a + np.where(small, 2.0 / 3, -1.0 / 3)
        c = 1.0 / 3 / np.sqrt(d)
        plain = np.flatnonzero(a == 1)
        out[plain] = -np.log1p(-streams.uniform(plain))
        left = np.flatnonzero(a != 1)
        while left.size:
            x = streams.normal(left)
            v = 1 + c[left] * x
            positive = ~(v <= 0)  # no number, of an alpha below -2/3, goes on as TF's does
            tried, x, v = left[positive], x[positive], v[positive]
            v = v * v * v
            u = streams.uniform(tried)
            limit = 0.5 * x * x + d[tried] * (1 - v + np.log(v))
            is_accepted = (u < 1 - 0.0331 * (x * x) * (x * x)) | (np.log(u) < limit)
            is_accepted |= np.isnan(v)  # else the loop would never end
            accepted = tried[is_accepted]
            out[accepted] = d[accepted] * v[is_accepted]
            below = accepted[small[accepted]]
            out[below] *= _power(streams.uniform(below), 1 / a[below]).astype(np.float64)
            left = np.concatenate([left[~positive], tried[~is_accepted]])
    # TF's threads flush denormal float32 and float64 numbers to 0.
    out[out < np.finfo(np.float64 if dtype.itemsize == 8 else np.float32).tiny] = 0
    return out.astype(dtype).reshape(len(alpha), count).T


def poisson(start: Start, count: int, rate: Array, highest: float) -> Array:
    """[count, n] float64: `count` numbers of each Poisson distribution with these rates [n], none above `highest`."""
    total = count * len(rate)
    rates = np.repeat(rate.astype(np.float64), count)
    streams = _Streams(start, np.arange(total) * philox.RESERVED)
    # TF never stops drawing where the type cannot hold the number.
    out = np.where(rates > highest, highest, np.nan)
    with np.errstate(all="ignore"):
        _by_products(streams, np.flatnonzero(rates < 10), rates, highest, out)
        _by_transformation(streams, np.flatnonzero((rates >= 10) & (rates <= highest)), rates, highest, out)
    return out.reshape(len(rate), count).T


def _by_products(streams: _Streams, left: Array, rates: Array, highest: float, out: Array) -> None:
    """How many uniform numbers can be multiplied before the product is at most e to the -rate."""
    product = np.ones(len(rates))
    steps = 0.0
    while left.size:
        product[left] *= streams.uniform(left)
        done = product[left] <= np.exp(-rates[left])
        out[left[done]] = min(steps, highest)
        left = left[~done]
        steps += 1


def _by_transformation(streams: _Streams, left: Array, rates: Array, highest: float, out: Array) -> None:
    while left.size:
        rate = rates[left]
        b = 0.931 + 2.53 * np.sqrt(rate)
        a = -0.059 + 0.02483 * b
        inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
        u = streams.uniform(left) - 0.5
        v = streams.uniform(left)
        shifted = 0.5 - np.abs(u)
        k = np.floor((2 * a / shifted + b) * u + rate + 0.43)
        possible = k <= highest
        quick = possible & (shifted >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        outside = (k < 0) | ((shifted < 0.013) & (v > shifted))
        slow = possible & ~quick & ~outside
        s = np.log(v * inverse_alpha / (a / (shifted * shifted) + b))
        t = -rate + k * np.log(rate)
        t[slow] -= _log_gamma(k[slow] + 1).astype(np.float64)
        is_accepted = quick | (slow & (s <= t))
        out[left[is_accepted]] = k[is_accepted]
        left = left[~is_accepted]


# -- truncated normal ----------------------------------------------------------------------------------------------

ATTEMPTS: Final = 1000  # the most rejected numbers in a row
_WIDE: Final = 1.3  # deviations inside the bounds from which on normal numbers are proposed


class Bounded(NamedTuple):
    """A normal distribution between two bounds; the fields are NumPy scalars of the type of the output."""

    mean: Any
    deviation: Any
    low: Any
    high: Any


def truncated_normal(start: Start, count: int, wanted: Bounded) -> tuple[Array, Start]:
    """[count] numbers of the distribution, and the place behind what was drawn for them.

    Raises: InternalError when none of very many proposals in a row is accepted.
    """
    mean, deviation, low, high = wanted
    if low == -np.inf or high < mean:
        # Mirrored, one bound at most is infinite, and it is the upper one.
        low, high, deviation = high, low, -deviation
    with np.errstate(all="ignore"):
        propose, group, limit, kind = _proposal((low - mean) / deviation, (high - mean) / deviation)
        rounds = count // group + 1
        while True:
            values, accepted = propose(start, rounds)
            places = np.flatnonzero(accepted)[:count]
            enough = len(places) == count
            stops = places if enough else np.append(places, len(accepted))
            if (np.diff(stops, prepend=-1) > limit).any():
                raise errors.InternalError(None, None, f"TruncatedNormal {kind} rejection sampler failed to accept a sample.")
            if enough:
                break
            rounds *= 3
        used = int(places[-1]) // group + 1 if count else 0
        return values[places] * deviation + mean, start.skip(used * (2 if kind == "uniform" else 1))


Propose: TypeAlias = Callable[[Start, int], tuple[Array, Array]]


def _proposal(low: Any, high: Any) -> tuple[Propose, int, int, str]:
    """How numbers between two bounds, in deviations from the mean, are proposed.

    Returns a function (start, rounds) -> numbers and which of them are accepted; how many one round gives; how far
    the accepted ones may lie apart; the name.
    """
    dtype = dtypes.as_dtype(low.dtype)
    real = low.dtype.type
    per_step = 2 if dtype is dtypes.float64 else 4
    wide, zero, two = real(_WIDE), real(0), real(2)

    def by_normal(start: Start, rounds: int) -> tuple[Array, Array]:
        values = philox.standard_normal(start, rounds * per_step, dtype)
        return values, (values >= low) & (values <= high)

    def by_uniform(start: Start, rounds: int) -> tuple[Array, Array]:
        drawn = philox.uniform(start, rounds * 2 * per_step, dtype).reshape(rounds, 2, per_step)
        values = drawn[:, 0] * (high - low) + low
        least = zero if low < zero else low * low
        return values.reshape(-1), (drawn[:, 1] <= np.exp((least - values * values) / two)).reshape(-1)

    def by_exponential(start: Start, rounds: int) -> tuple[Array, Array]:
        drawn = philox.uniform(start, rounds * per_step, dtype).reshape(-1, 2)
        rate = (low + root) / two
        values = -_log(drawn[:, 0]) / rate + low
        away = rate - values if low < rate else np.full_like(values, low - rate)
        return values, (drawn[:, 1] <= np.exp(-away * away / two)) & (values < high)

    root = np.sqrt(low * low + real(4))
    if (low < -wide and high >= zero) or (high > wide and low <= zero):
        return by_normal, per_step, ATTEMPTS + 1, "randn"
    if high - low < two * np.exp(real(0.5) + low * (low - root) / real(4)) / (low + root):
        return by_uniform, per_step, ATTEMPTS, "uniform"
    return by_exponential, per_step // 2, ATTEMPTS, "exponential distribution"


def _log(x: Array) -> Array:
    if x.dtype != np.float32:
        return np.asarray(np.log(x))
    return np.where(x > 0, float32_math.log(np.maximum(x, np.finfo(np.float32).tiny)), -np.inf).astype(np.float32)
