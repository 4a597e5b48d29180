"""Sparse tensors as elements of queues: AddSparseToTensorsMap keeps one in the session and gives its number, a handle, which
TakeManySparseFromTensorsMap exchanges for the tensor. State: the maps, in the session's store.
"""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape
from ..op.define import Sym, op, typevar
from ..op.shape_checks import as_array, invalid, of_rank, text_of

T = typevar("T")
int64 = dtypes.int64


class SparseMap:
    """Sparse tensors by their numbers. A change replaces the dictionary, which copies of the session share."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.restore(None)

    def add(self, tensor: tuple[Any, Any, Any]) -> int:
        with self.lock:
            number = self.next
            self.tensors = {**self.tensors, number: tensor}
            self.next += 1
        return number

    def take(self, number: int) -> tuple[Any, Any, Any]:
        """The tensor of this number, which the map no longer has. Raises: InvalidArgumentError for an unknown one."""
        with self.lock:
            if number not in self.tensors:
                raise invalid(f"Unable to find SparseTensor: {number} in map: {self.name}")
            tensor = self.tensors[number]
            self.tensors = {key: each for key, each in self.tensors.items() if key != number}
        return tensor

    def state(self) -> Any:
        return self.next, self.tensors

    def restore(self, state: Any) -> None:
        self.next: int
        self.tensors: dict[int, tuple[Any, Any, Any]]
        self.next, self.tensors = state or (0, {})

    def copied(self) -> SparseMap:
        twin = SparseMap(self.name)
        twin.restore(self.state())
        return twin


def _sparse_map(run: Any, container: str, shared_name: str) -> SparseMap:
    return run.resource("sparse_map", container, shared_name, SparseMap)  # type: ignore[no-any-return]


def _checked(indices: Any, values: Any, shape: Any) -> None:
    if indices.ndim != 2:
        raise invalid(f"Input indices should be a matrix but received shape {text_of(indices.shape)}")
    if values.ndim != 1:
        raise invalid(f"Input values should be a vector but received shape {text_of(values.shape)}")
    if shape.ndim != 1:
        raise invalid(f"Input shape should be a vector but received shape {text_of(shape.shape)}")


def _stored_shape(sparse_indices: Sym, sparse_values: Sym, sparse_shape: Sym, **_: Any) -> Shape:
    of_rank(sparse_indices.shape, 2)
    of_rank(sparse_values.shape, 1)
    of_rank(sparse_shape.shape, 1)
    return ()


@op("AddSparseToTensorsMap", out="sparse_handle", stateful=True, shape=_stored_shape)
def add_sparse_to_tensors_map(
    run: Any, sparse_indices: int64, sparse_values: T, sparse_shape: int64, *, container: str = "", shared_name: str = ""
) -> int64:
    """Keeps a sparse tensor; its number: indices [n, rank], values [n], shape [rank] -> scalar."""
    parts = as_array(sparse_indices), as_array(sparse_values), as_array(sparse_shape)
    _checked(*parts)
    return np.int64(_sparse_map(run, container, shared_name).add(tuple(part.copy() for part in parts)))  # type: ignore[arg-type]


def _many_stored_shape(sparse_indices: Sym, sparse_values: Sym, sparse_shape: Sym, **_: Any) -> Shape:
    _stored_shape(sparse_indices, sparse_values, sparse_shape)
    return (None,)


@op("AddManySparseToTensorsMap", out="sparse_handles", stateful=True, shape=_many_stored_shape)
def add_many_sparse_to_tensors_map(
    run: Any, sparse_indices: int64, sparse_values: T, sparse_shape: int64, *, container: str = "", shared_name: str = ""
) -> int64:
    """Keeps the parts of a sparse tensor along its first axis; their numbers: indices [n, rank], values [n], shape [rank] -> [m].

    Raises: InvalidArgumentError for a tensor of rank below 2, and for indices out of order.
    """
    indices, values, shape = as_array(sparse_indices), as_array(sparse_values), as_array(sparse_shape)
    _checked(indices, values, shape)
    if len(shape) < 2:
        raise invalid(f"Rank of input SparseTensor should be > 1, but saw rank: {len(shape)}")
    if np.any(np.diff(indices[:, 0]) < 0):
        raise invalid("indices are out of order: the parts of a sparse tensor follow its first axis")
    sparse_map = _sparse_map(run, container, shared_name)
    bounds = np.searchsorted(indices[:, 0], np.arange(shape[0] + 1))
    numbers = [
        sparse_map.add((indices[a:b, 1:].copy(), values[a:b].copy(), shape[1:].copy()))
        for a, b in pairwise(bounds)
    ]
    return np.array(numbers, np.int64)


def _taken_shapes(sparse_handles: Sym, **_: Any) -> list[Shape]:
    of_rank(sparse_handles.shape, 1)
    return [(None, None), (None,), (None,)]


@op(
    "TakeManySparseFromTensorsMap", out="sparse_indices sparse_values sparse_shape", stateful=True,
    shape=_taken_shapes,
)
def take_many_sparse_from_tensors_map(
    run: Any, sparse_handles: int64, *, dtype: dtypes.DType, container: str = "", shared_name: str = ""
) -> tuple[int64, "dtype", int64]:  # noqa: F821
    """The sparse tensors of these numbers [m], one below the other: indices [n, rank + 1], values [n], shape [rank + 1].

    Raises: InvalidArgumentError for a number that the map does not have, and for tensors of different ranks.
    """
    sparse_map = _sparse_map(run, container, shared_name)
    tensors = [sparse_map.take(int(number)) for number in as_array(sparse_handles)]
    if not tensors:
        raise invalid("Must have at least 1 serialized SparseTensor, but input matrix has 0 rows")
    ranks = {len(shape) for _, _, shape in tensors}
    if len(ranks) > 1:
        raise invalid("Inconsistent rank across SparseTensors: " + ", ".join(map(str, sorted(ranks))))
    rows = [np.insert(indices, 0, row, axis=1) for row, (indices, _, _) in enumerate(tensors)]
    shape = np.concatenate([[len(tensors)], np.max([shape for _, _, shape in tensors], axis=0)]).astype(np.int64)
    return np.concatenate(rows), np.concatenate([values for _, values, _ in tensors]), shape
