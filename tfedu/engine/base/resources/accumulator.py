"""Accumulators of gradients: `apply(step, gradient)` adds one, `take(count)` gives the mean or sum once there are so many.

A gradient of an older step than the accumulator's is left out; each take begins the next step.
State: `Accumulator`: the sum so far, the number of gradients in it, the step.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ..dtypes import DType
from ..errors import InvalidArgumentError
from ..shapes import Shape
from .attempts import Attempt, Meeting


def _invalid(text: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, text)


class Accumulator(Meeting):
    """An accumulator of arrays of one shape. shape: as far as it is known; the first gradient of a step completes it."""

    kind: ClassVar[str] = "ConditionalAccumulator"
    filling: ClassVar[str] = "apply_grad"

    def __init__(self, name: str, dtype: DType, shape: Shape, averages: bool) -> None:
        super().__init__(name)
        self.dtype = dtype
        self.shape = shape
        self.averages = averages
        self.sum: Any = None
        self.count = 0
        self.step = 0

    def __str__(self) -> str:
        return f"the accumulator {self.name} with {self.count} gradients"

    def content_text(self) -> str:
        """What it holds, in the notation of its attributes."""
        return f"count={self.count} step={self.step}"

    # -- gradients -------------------------------------------------------------------------------------------------------

    def apply(self, step: int, gradient: Any) -> None:
        """Adds a gradient, unless it is of an older step. Raises: InvalidArgumentError for one of another shape."""
        with self.lock:
            if step < self.step:
                return
            self._check(gradient)
            self._add(gradient)
            self.count += 1
            self._go_on()

    def take(self, count: int) -> Attempt:
        """Takes the mean or sum of at least `count` gradients. Raises: InvalidArgumentError for a count that is not positive."""
        if count <= 0:
            raise _invalid(f"Argument num_required must be positive, but was {count}")
        return self._begin(self.dequeues, Attempt(self, "TakeGrad", self._take, count))

    def can_take(self, count: int) -> bool:
        """Whether a take of so many gradients would end at once."""
        return count <= 0 or (not self.dequeues and self.count >= count)

    def _take(self, attempt: Attempt) -> bool:
        if self.count < attempt.missing:
            return False
        attempt.elements.append(self._total())
        self.sum, self.count, self.step = None, 0, self.step + 1
        return True

    def _check(self, gradient: Any) -> None:
        shape = self.shape if self.sum is None else np.shape(self.sum)
        given = np.shape(gradient)
        if shape is not None and not (len(shape) == len(given) and all(n in (None, m) for n, m in zip(shape, given))):
            raise _invalid(f"Shape mismatch: expected {_text(shape)}, got {_text(given)}")

    def _add(self, gradient: Any) -> None:
        self.sum = np.array(gradient) if self.sum is None else self.sum + gradient

    def _total(self) -> tuple[Any, ...]:
        total = self.sum / np.asarray(self.count, self.sum.dtype) if self.averages else self.sum
        return (total if np.ndim(total) else total[()],)

    # -- copies ----------------------------------------------------------------------------------------------------------

    def state(self) -> tuple[Any, ...]:
        """The sum, the number of gradients and the step."""
        return self.sum, self.count, self.step

    def restore(self, state: tuple[Any, ...] | None) -> None:
        """Gives the accumulator an earlier `state`; None: that of a new one."""
        self.sum, self.count, self.step = state or (None, 0, 0)

    def copied(self) -> Accumulator:
        """An accumulator with the same sum, at which nothing waits."""
        twin = copy.copy(self)
        Meeting.__init__(twin, self.name)
        return twin


class SparseAccumulator(Accumulator):
    """An accumulator of rows: indices, values and, where the gradient tells it, the shape. Each row has its own number of parts.

    The rows of a gradient are merged into those before as in a merge of two sorted lists; indices in another order, or twice in
    one gradient, may remain twice, as in TF.
    """

    kind = "SparseConditionalAccumulator"

    def _check(self, gradient: Any) -> None:
        indices, values, shape = gradient
        if indices.ndim != 1:
            raise _invalid(f"Input indices should be vector but received shape: {_text(indices.shape)}")
        if not np.ndim(values):
            raise _invalid("Values cannot be 0-dimensional.")
        if len(indices) != len(values):
            raise _invalid(f"Expected {len(indices)} non-empty input values, got {len(values)}")
        known = self._known_shape()
        if shape is not None:
            for axis, (wanted, given) in enumerate(zip(known or (), shape)):
                if wanted not in (None, given):
                    raise _invalid(f"Shape mismatch: expected shape dim {axis} to be {wanted}, got {given}")
            for position, index in enumerate(indices.tolist()):
                if index >= shape[0]:
                    limits = f"index is {index} exceeded {shape[0]}"
                    raise _invalid(f"Shape mismatch: index of slice {position} exceeded limits of shape; {limits}")
        for axis, (wanted, given) in enumerate(zip(known or (), values.shape)):
            if axis and wanted not in (None, given):
                raise _invalid(f"Shape mismatch: expected values dim {axis} to be {wanted}, got {given}")

    def _known_shape(self) -> Sequence[int | None] | None:
        if self.sum is None:
            return self.shape
        values, shape = self.sum[1], self.sum[3]
        return shape if shape is not None else self.shape or (None, *values[0].shape) if values else self.shape

    def _add(self, gradient: Any) -> None:
        indices, values, shape = gradient
        new = list(zip(indices.tolist(), [row.copy() for row in values], [1] * len(indices)))
        before = [] if self.sum is None else list(zip(*self.sum[:3]))
        merged: list[tuple[int, Any, int]] = []
        i = j = 0
        while i < len(before) and j < len(new):
            if before[i][0] == new[j][0]:
                merged.append((before[i][0], before[i][1] + new[j][1], before[i][2] + 1))
                i, j = i + 1, j + 1
            elif before[i][0] < new[j][0]:
                merged.append(before[i])
                i += 1
            else:
                merged.append(new[j])
                j += 1
        merged += [*before[i:], *new[j:]]
        earlier = None if self.sum is None else self.sum[3]
        known = earlier if shape is None else tuple(shape.tolist())
        self.sum = (*([list(part) for part in zip(*merged)] or ([], [], [])), known, values.shape[1:])

    def _total(self) -> tuple[Any, ...]:
        indices, values, counts, shape, row = self.sum
        rows = [value / value.dtype.type(count) for value, count in zip(values, counts)] if self.averages else values
        stacked = np.array(rows, self.dtype.as_numpy_dtype).reshape(len(rows), *row)
        known = shape if self.shape is None else [n if n is not None else m for n, m in zip(self.shape, (-1, *row))]
        return np.array(indices, np.int64), stacked, np.array(known if known is not None else (-1, *row), np.int64)


def _text(shape: Sequence[int | None]) -> str:
    return "[" + ",".join("?" if n is None else str(n) for n in shape) + "]"


__all__ = ["Accumulator", "SparseAccumulator"]
