"""Accesses of a traced run to tensor arrays: `ArrayAccesses` lists the elements that each turn read and wrote.

`Elements` is the state of an array at one time. An element without a value is None. State: `ArrayAccesses`, of one run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..graph.nodes import Operation
from ..ops.tensor_array import Array
from ..runtime.store import Buffer, Handle, View

Reads: TypeAlias = tuple[tuple[str, Any], ...]
Writes: TypeAlias = tuple[tuple[str, Any, Any], ...]


@dataclass(frozen=True)
class Elements:
    """A tensor array's elements at some time."""

    name: str
    values: tuple[Any, ...]


def array_behind(value: Any) -> Array | None:
    """The tensor array of a handle; None for other values."""
    array = value.buffer if isinstance(value, Handle) else None
    return array if isinstance(array, Array) else None


class ArrayAccesses:
    """The tensor arrays of one run: their names, after the nodes that created them, and their elements after the last turn."""

    def __init__(self) -> None:
        self._arrays: dict[Array, tuple[str, list[Any]]] = {}
        self._created: dict[str, int] = {}

    def elements(self, value: Any) -> Elements | None:
        """The elements of the array of a handle; None for other values."""
        array = array_behind(value)
        return Elements(self._arrays[array][0], _elements_of(array)) if array in self._arrays else None

    def step(self, op: Operation, inputs: Sequence[Any], outputs: Sequence[Any]) -> tuple[Reads, Writes]:
        """The elements that a finished turn read and wrote."""
        if op.definition.resource != "tensor_array":
            return (), ()
        for new in map(array_behind, outputs):
            if new is not None and new not in self._arrays:
                count = self._created[op.name] = self._created.get(op.name, 0) + 1
                name = op.name if count == 1 else f"{op.name} ({count})"
                self._arrays[new] = (name, list(_elements_of(new)))
        array = array_behind(inputs[0]) if inputs else None
        if array is None or array not in self._arrays:
            return (), ()
        name, before = self._arrays[array]
        now = _elements_of(array)
        before.extend([None] * (len(now) - len(before)))
        indices = _accessed_indices(op, inputs, before)
        reads = tuple([(f"{name}[{i}]", before[i]) for i in indices]) if op.definition.access["handle"] == "read" else ()
        # An element that is cleared on read counts as read, not as written.
        changed = [i for i in indices if i < len(now) and now[i] is not before[i] and now[i] is not None]
        writes = tuple([(f"{name}[{i}]", before[i], now[i]) for i in changed])
        before[: len(now)] = now
        return reads, writes


def _accessed_indices(op: Operation, inputs: Sequence[Any], elements: list[Any]) -> Iterable[int]:
    """The indices of the elements that the node may have read or written."""
    second_input = op.definition.inputs[1].name
    if second_input == "index":
        return [int(inputs[1])]
    if second_input == "indices":
        return dict.fromkeys(int(i) for i in np.asarray(inputs[1]).ravel())
    return range(len(elements))


def _elements_of(array: Array) -> tuple[Any, ...]:
    """The elements; None for one without a value."""
    return tuple([None if array.lacks(i) else _now(value) for i, value in enumerate(array.values)])


def _now(value: Any) -> Any:
    return value.value if isinstance(value, (Buffer, View)) else value


__all__ = ["Elements", "ArrayAccesses", "array_behind"]
