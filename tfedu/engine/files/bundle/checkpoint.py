"""The base of checkpoint readers: `names()`, `entry(name)`, `read(name)` of a tensor or a slice of it.

For any content of the files, a reader returns the saved tensors or raises DataLossError, and allocates memory only after
comparing sizes with the files'. The formats are in bundle_reader.py (V2) and checkpoint_v1.py (V1). No state.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, Self

import numpy as np

from ...base.dtypes import DType
from ...base.errors import DataLossError, InvalidArgumentError
from . import tensor_slices
from .tensor_slices import Slice


class Entry(NamedTuple):
    """The index's entry of a tensor: the place of its bytes, or its slices."""

    dtype: DType
    shape: tuple[int, ...]
    shard: int  # the number of the data file
    offset: int  # bytes
    size: int  # bytes
    crc: int  # the masked CRC-32C of the bytes
    slices: tuple[Slice, ...]


def printable(name: bytes) -> str:
    """A tensor's name for messages."""
    return name.decode("utf-8", "backslashreplace")


def damaged(text: str) -> NoReturn:
    """Raises: DataLossError."""
    raise DataLossError(None, None, text)


class Checkpoint:
    """A checkpoint on disk. is_v1: whether its format is V1."""

    is_v1 = False
    prefix: str
    _path: str  # the current file, for messages

    def names(self) -> list[bytes]:
        """The tensors' names, in order."""
        raise NotImplementedError

    def __contains__(self, name: bytes) -> bool:
        raise NotImplementedError

    def entry(self, name: bytes) -> Entry:
        """The entry of a tensor.

        Raises: NotFoundError for a missing tensor, DataLossError for an invalid entry.
        """
        raise NotImplementedError

    def _read_whole(self, name: bytes, entry: Entry) -> np.ndarray[Any, Any]:
        """The value of a tensor that is not stored in slices."""
        raise NotImplementedError

    def _read_slice(self, name: bytes, entry: Entry, part: Slice, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """The value of a stored slice."""
        raise NotImplementedError

    def charge(self, keys: Iterable[bytes]) -> None:
        """Takes the budget's bytes for tensors and slices that together are larger than the files, since they share their bytes.

        Raises: ResourceExhaustedError past the budget.
        """

    def read(self, name: bytes, requested: Slice | None = None) -> np.ndarray[Any, Any]:
        """A tensor, or a slice of it, [...].

        Raises: NotFoundError, DataLossError; InvalidArgumentError for a slice that the checkpoint does not have;
        ResourceExhaustedError for slices that share their bytes and are larger than the budget.
        """
        entry = self.entry(name)
        try:
            if entry.slices:
                everything = tensor_slices.full_slice(len(entry.shape))
                return self._assembled(name, entry, everything if requested is None else requested)
            value = self._read_whole(name, entry)
            if requested is None:
                return value
            return value[tuple(slice(a, b) for a, b in tensor_slices.bounds(requested, entry.shape))].copy()
        except (MemoryError, OverflowError):
            damaged(f"Invalid tensor entry in {self._path}: key {printable(name)} is larger than the memory")

    def _assembled(self, name: bytes, entry: Entry, requested: Slice) -> np.ndarray[Any, Any]:
        """The requested slice, assembled from the stored slices that overlap it."""
        at = f"Invalid tensor entry in {self._path}: key {printable(name)}"
        target = tensor_slices.bounds(requested, entry.shape)
        shape = tuple(end - start for start, end in target)
        pieces = []
        for part in entry.slices:
            if len(part) != len(entry.shape) or any(s < 0 or n == 0 or n < tensor_slices.WHOLE for s, n in part):
                damaged(f"{at} has no sound slices")
            extent = tensor_slices.bounds(part, entry.shape)
            if any(end > size for (_, end), size in zip(extent, entry.shape)):
                damaged(f"{at} has slices outside of it")
            overlap = tensor_slices.overlap(target, extent)
            if overlap is not None:
                pieces.append((part, tuple(end - start for start, end in extent), overlap))
        if sum(count for _, _, (_, _, count) in pieces) < math.prod(shape):
            self._refuse_incomplete(name, requested)
        self.charge([tensor_slices.key(name, part) for part, _, _ in pieces])
        # Memory is allocated after reading a slice: only then is the file known to be as large as its index claims.
        value: np.ndarray[Any, Any] | None = None
        covered: np.ndarray[Any, Any] | None = None
        for part, part_shape, (into, source, _) in pieces:
            stored = self._read_slice(name, entry, part, part_shape)
            if stored.shape == shape and len(pieces) == 1:
                return stored
            if value is None or covered is None:
                value, covered = np.empty(shape, stored.dtype), np.zeros(shape, np.bool_)
            value[into] = stored[source]
            covered[into] = True
        if value is None or covered is None:
            return np.empty(shape, entry.dtype.numpy)
        if not covered.all():
            self._refuse_incomplete(name, requested)
        return value

    def _refuse_incomplete(self, name: bytes, requested: Slice) -> NoReturn:
        raise InvalidArgumentError(
            None, None,
            f"Does not have sufficient slices for partitioned tensor {printable(name)} to restore in slice_spec: "
            f"{tensor_slices.text(requested)}",
        )  # fmt: skip

    def close(self) -> None:
        """Closes the data files; the next read opens them again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


__all__ = ["Checkpoint", "Entry", "damaged", "printable"]
