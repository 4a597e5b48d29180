"""Which elements an element is computed from, as the engine itself shows: change one, run again, and see what changed.

    probe = StageReads(elements, stage)
    probe.reads[3]              the elements that element 3 of the stage's tensor reads, as pairs (operand, element)
    probe.slopes(values)[3]     how much it rises for each element of each operand, by the gradient

An element counts as read if some change of it makes a difference: at the present values, or at random ones, so that a factor
that happens to be 0 hides nothing. State: what was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np

from ....engine.autodiff.sweep import gradients
from ....engine.base import errors
from ....engine.graph.conversion import convert_to_tensor
from ....engine.graph.nodes import Tensor
from ....engine.ops import basic
from .element_graph import ElementGraph, Stage

# A small change, and two that make an element the largest or the smallest of its window.
CHANGES: Final = (0.125, 16.0, -16.0)
# The random values lie in these ranges: one in which logarithms and roots have values, and two with other signs.
RANGES: Final = ((0.5, 1.5), (-1.5, 1.5), (-1.5, -0.5))

Element: TypeAlias = tuple[int, int]  # the number of the operand, and of the element in it
Values: TypeAlias = Mapping[Tensor, np.ndarray]


class StageReads:
    """What the elements of a stage's tensor read. bases: the values at which it was tried, the present ones first."""

    def __init__(self, elements: ElementGraph, stage: Stage) -> None:
        self.elements, self.stage = elements, stage
        present = {operand: elements.values[operand] for operand in stage.operands}
        self.bases: list[Values] = [present, *_random_values(present)]
        self.results = [self._result(base) for base in self.bases]

    def _result(self, operands: Values) -> np.ndarray:
        return self.elements.computed(self.stage.tensor, operands)

    @cached_property
    def reads(self) -> tuple[tuple[Element, ...], ...]:
        """For each element the elements that it reads, in their order."""
        found: list[dict[Element, None]] = [{} for _ in range(self.results[0].size)]
        for number, operand in enumerate(self.stage.operands):
            for at in range(self.bases[0][operand].size):
                for reader in np.flatnonzero(self._changed(operand, at)):
                    found[reader][number, at] = None
        return tuple([tuple(reads) for reads in found])

    def _changed(self, operand: Tensor, at: int) -> np.ndarray:
        """Which elements of the result some change of an element changes."""
        changed = np.zeros(self.results[0].size, np.bool_)
        for base, result in zip(self.bases, self.results, strict=True):
            for other in _others(base[operand], at):
                try:
                    after = self._result({**base, operand: other})
                except errors.OpError:
                    continue  # the op refuses this value, as an index out of range
                if after.shape == result.shape:
                    changed |= _differs(after, result).reshape(-1)
        return changed

    def slopes(self, operands: Values) -> list[list[np.ndarray | None]] | None:
        """For each element how much it rises per 1 of each element of each operand; None where there is no gradient."""
        made = self.elements.built(self.stage, self._gradient)
        if made is None:
            return None
        direction, found = made
        there = [gradient for gradient in found if gradient is not None]
        rows = []
        for at in range(self.results[0].size):
            chosen = np.zeros_like(self.results[0])
            chosen.reshape(-1)[at] = 1
            numbers = iter(self.elements.run(there, {**operands, direction: chosen}))
            rows.append([None if gradient is None else next(numbers).reshape(-1) for gradient in found])
        return rows

    def _gradient(self) -> tuple[Tensor, list[Tensor | None]] | None:
        """A placeholder for what arrives at the tensor, and the gradients of the operands."""
        tensor, operands = self.stage.tensor, list(self.stage.operands)
        if not tensor.dtype.is_floating:
            return None
        direction = basic.placeholder(dtype=tensor.dtype, shape=tensor.shape)
        try:
            floating = [operand for operand in operands if operand.dtype.is_floating]
            found = gradients(tensor, floating, grad_ys=[direction], stop_gradients=operands) if floating else []
        except LookupError:  # a node without a gradient
            return None
        gradient_of = dict(zip(floating, found, strict=True))
        known = [gradient_of.get(operand) for operand in operands]
        return direction, [None if gradient is None else convert_to_tensor(gradient) for gradient in known]


def gradient_of_sum(elements: ElementGraph) -> dict[Tensor, np.ndarray]:
    """The gradient of the sum of y for each shown tensor that has one."""

    def build() -> dict[Tensor, Tensor]:
        if not elements.y.dtype.is_floating:
            return {}
        try:
            floating = [tensor for tensor in elements.tensors if tensor.dtype.is_floating]
            found = gradients(elements.y, floating)
        except LookupError:
            return {}
        pairs = zip(floating, found, strict=True)
        return {tensor: convert_to_tensor(gradient) for tensor, gradient in pairs if gradient is not None}

    there = elements.built(gradient_of_sum, build)
    inputs = {tensor: elements.values[tensor] for tensor in elements.inputs}
    return dict(zip(there, elements.run(list(there.values()), inputs), strict=True))


def _random_values(present: Values) -> Iterator[Values]:
    """Other values of the same shapes. Whole numbers stay: they may be indices."""
    random = np.random.RandomState(7)
    for low, high in RANGES:
        yield {
            operand: random.uniform(low, high, value.shape).astype(value.dtype) if operand.dtype.is_floating else value
            for operand, value in present.items()
        }


def _others(value: np.ndarray, at: int) -> Iterator[np.ndarray]:
    """The array with another number at this place."""
    now = value.reshape(-1)[at]
    numbers: list[Any]
    if value.dtype.kind == "b":
        numbers = [not now]
    elif value.dtype.kind in "iu":
        numbers = [number for number in {*value.reshape(-1).tolist(), int(now) - 1, int(now) + 1} if number not in (now, -1)]
    else:
        numbers = [now + change for change in CHANGES]
    for number in numbers:
        other = value.copy()
        other.reshape(-1)[at] = number
        yield other


def _differs(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    same: np.ndarray = one == other
    if one.dtype.kind == "f":
        same |= np.isnan(one) & np.isnan(other)
    return ~same


__all__ = ["Element", "StageReads", "gradient_of_sum"]
