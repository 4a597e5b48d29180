"""Long series in little room: `Curve` for numbers, `Kept` for a selection of other items, `distribution` for histograms.

A curve has at most MOST pieces; when they are full, each pair is merged. A piece keeps its first, last, least and largest number
and counts the rest, so that a picture shows every peak. State: that of each series.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from ..records import CurveRecord, DistributionRecord, Odd, PieceRecord

MOST: Final = 512
QUANTILES: Final = (0.0, 0.0668, 0.1587, 0.3085, 0.5, 0.6915, 0.8413, 0.9332, 1.0)
"""The least value; those at -1.5, -1, -0.5, 0, 0.5, 1 and 1.5 standard deviations of a normal distribution; the largest."""
BINS: Final = 32



class _Point(NamedTuple):
    """A number of a curve; `number` is its place in the curve."""

    number: int
    step: int
    time: float
    value: float


def odd_kind(value: float) -> Odd | None:
    """The kind of a number that is not finite; None for a finite one."""
    return None if math.isfinite(value) else "nan" if value != value else "inf" if value > 0 else "-inf"


class _Piece:
    __slots__ = ("count", "finite", "first", "high", "last", "low", "odd", "total")

    def __init__(self) -> None:
        self.count = self.finite = 0
        self.total = 0.0
        self.first: _Point | None = None
        self.odd: dict[Odd, tuple[int, float]] = {}

    def add(self, point: _Point) -> None:
        self.count += 1
        kind = odd_kind(point.value)
        if kind is not None:
            self.odd.setdefault(kind, (point.step, point.time))
            return
        if self.first is None:
            self.first = self.low = self.high = point
        elif point.value < self.low.value:
            self.low = point
        elif point.value > self.high.value:
            self.high = point
        self.last = point
        self.finite += 1
        self.total += point.value

    def merge(self, after: _Piece) -> None:
        self.count += after.count
        for kind, place in after.odd.items():
            self.odd.setdefault(kind, place)
        if after.first is None:
            return
        if self.first is None:
            self.first, self.low, self.high = after.first, after.low, after.high
        self.low = min(self.low, after.low, key=_value)
        self.high = max(self.high, after.high, key=_value)
        self.last = after.last
        self.finite += after.finite
        self.total += after.total

    def record(self) -> PieceRecord:
        odd = tuple([(step, time, kind) for kind, (step, time) in self.odd.items()])
        if self.first is None:
            return PieceRecord(self.count, None, (), odd)
        kept = sorted({self.first, self.low, self.high, self.last})
        # The sum of large numbers may overflow; then the first number serves as the mean.
        mean = self.total / self.finite
        mean = short(mean) if math.isfinite(mean) else self.first.value
        return PieceRecord(self.count, mean, tuple([(p.step, p.time, p.value) for p in kept]), odd)


def _value(point: _Point) -> float:
    return point.value


def short(value: float) -> float:
    """The number with nine digits, which distinguish any two float32 numbers."""
    return float(f"{value:.9g}")


class Series:
    """The items of one tag. same: how many of the first items did not change since it was set."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.total = self.same = 0

    def record(self, run: int, tag: str, at: int) -> Any:
        """The record of the items from number `at` on."""
        raise NotImplementedError


class Curve(Series):
    """Numbers; the items are pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.odd = 0
        self._room = 1  # how many numbers fit into a piece

    def add(self, step: int, time: float, value: float) -> None:
        if not self.items or self.items[-1].count >= self._room:
            if len(self.items) == MOST:
                self._halve()
            self.items.append(_Piece())
        self.items[-1].add(_Point(self.total, step, time, short(value)))
        self.total += 1
        self.odd += not math.isfinite(value)
        self.same = min(self.same, len(self.items) - 1)

    def _halve(self) -> None:
        for left, right in zip(self.items[::2], self.items[1::2], strict=True):
            left.merge(right)
        self.items = self.items[::2]
        self._room *= 2
        self.same = 0

    def record(self, run: int, tag: str, at: int) -> CurveRecord:
        pieces = tuple([piece.record() for piece in self.items[at:]])
        return CurveRecord(run, tag, self.total, self.odd, at, pieces)


class Kept(Series):
    """An even selection of at most `most` items, and the last item."""

    def __init__(self, kind: Callable[..., Any], most: int) -> None:
        super().__init__()
        self._kind, self._most = kind, most
        self._every = 1

    def add(self, item: Any) -> None:
        if self.total and (self.total - 1) % self._every:
            self.items.pop()  # it was kept only as the last item
        self.items.append(item)
        self.total += 1
        self.same = min(self.same, len(self.items) - 1)
        if len(self.items) > self._most:
            chosen = self.items[:-1] if (self.total - 1) % self._every else self.items
            self._every *= 2
            last = [item] if (self.total - 1) % self._every else []
            self.items = chosen[::2] + last
            self.same = 0

    def record(self, run: int, tag: str, at: int) -> Any:
        return self._kind(run, tag, self.total, at, tuple(self.items[at:]))


def distribution(step: int, time: float, histogram: Any) -> DistributionRecord | None:
    """The record of a HistogramProto; None for one that cannot be drawn."""
    limits = np.asarray(histogram.bucket_limit, dtype=float)
    counts = np.asarray(histogram.bucket, dtype=float)
    low, high, number = histogram.min, histogram.max, histogram.num
    fits = limits.shape == counts.shape and limits.size and np.all(counts >= 0) and not np.any(np.isnan(limits))
    if not fits or not all(map(math.isfinite, (low, high, high - low, number, histogram.sum, counts.sum()))):
        return None
    if low > high or number <= 0 or counts.sum() <= 0 or np.any(np.diff(limits) < 0):
        return None
    edges = np.concatenate([[low], np.clip(limits, low, high)])
    below = np.concatenate([[0.0], np.cumsum(counts)])
    wide = BINS if high > low else 1
    bins = np.diff(np.interp(np.linspace(low, high, wide + 1), edges, below)) if wide > 1 else below[-1:]
    middle = np.interp(np.multiply(QUANTILES[1:-1], below[-1]), below, edges)
    quantiles = (low, *np.clip(middle, low, high).tolist(), high)
    return DistributionRecord(
        step=step,
        time=time,
        count=short(number),
        mean=short(histogram.sum / number),
        low=short(low),
        high=short(high),
        quantiles=tuple(map(short, quantiles)),
        bins=tuple(map(short, bins.tolist())),
    )
