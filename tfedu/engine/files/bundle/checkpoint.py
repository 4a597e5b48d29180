"""A checkpoint to read, in either of TensorFlow's formats: `names()`, `entry(name)`, `read(name)` or a slice of a tensor.

Whatever the files hold, a reader gets the tensors that were saved or a DataLossError, and nothing is allocated before its
size was compared with the file's. The formats are in bundle_reader.py (V2) and checkpoint_v1.py (V1). No state.
"""

from __future__ import annotations

import math
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, Self

import numpy as np

from ...base.dtypes import DType
from ...base.errors import DataLossError, InvalidArgumentError
from . import tensor_slices
from .tensor_slices import Slice


class Entry(NamedTuple):
    """What the index tells about a tensor: where its bytes are, or of which slices it consists."""

    dtype: DType
    shape: tuple[int, ...]
    shard: int  # the number of the data file
    offset: int  # bytes
    size: int  # bytes
    crc: int  # the masked CRC-32C of the bytes
    slices: tuple[Slice, ...]


def printable(name: bytes) -> str:
    """A tensor's name as messages show it."""
    return name.decode("utf-8", "backslashreplace")


def damaged(text: str) -> NoReturn:
    """Raises: DataLossError."""
    raise DataLossError(None, None, text)


class Checkpoint:
    """A checkpoint on disk. is_v1: whether it has the first format."""

    is_v1 = False
    prefix: str
    _path: str  # the file that is being read, for messages

    def names(self) -> list[bytes]:
        """The tensors' names, in order."""
        raise NotImplementedError

    def __contains__(self, name: bytes) -> bool:
        raise NotImplementedError

    def entry(self, name: bytes) -> Entry:
        """What the index tells about a tensor.

        Raises: NotFoundError when there is no such tensor, DataLossError for an entry that makes no sense.
        """
        raise NotImplementedError

    def _read_whole(self, name: bytes, entry: Entry) -> np.ndarray[Any, Any]:
        """The value of a tensor that is stored in one piece."""
        raise NotImplementedError

    def _read_slice(self, name: bytes, entry: Entry, part: Slice, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """The slice of a tensor that is stored under a key of its own."""
        raise NotImplementedError

    def read(self, name: bytes, wanted: Slice | None = None) -> np.ndarray[Any, Any]:
        """A tensor, or a slice of it.

        Raises: NotFoundError, DataLossError; InvalidArgumentError for a slice that the checkpoint does not have.
        """
        entry = self.entry(name)
        try:
            if entry.slices:
                return self._assembled(name, entry, tensor_slices.whole(len(entry.shape)) if wanted is None else wanted)
            value = self._read_whole(name, entry)
            if wanted is None:
                return value
            return value[tuple(slice(a, b) for a, b in tensor_slices.bounds(wanted, entry.shape))].copy()
        except (MemoryError, OverflowError):
            damaged(f"Invalid tensor entry in {self._path}: key {printable(name)} is larger than the memory")

    def _assembled(self, name: bytes, entry: Entry, wanted: Slice) -> np.ndarray[Any, Any]:
        """The wanted slice, put together of the stored slices that overlap it."""
        at = f"Invalid tensor entry in {self._path}: key {printable(name)}"
        target = tensor_slices.bounds(wanted, entry.shape)
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
            self._refuse_incomplete(name, wanted)
        # Only once a slice was read is it sure that the file is as large as the index says: then memory is allocated.
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
            self._refuse_incomplete(name, wanted)
        return value

    def _refuse_incomplete(self, name: bytes, wanted: Slice) -> NoReturn:
        raise InvalidArgumentError(
            None, None,
            f"Does not have sufficient slices for partitioned tensor {printable(name)} to restore in slice_spec: "
            f"{tensor_slices.text(wanted)}",
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
