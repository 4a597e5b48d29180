"""Reads a checkpoint in TensorFlow's V2 format: `Bundle("model.ckpt")`, then `names()`, `entry(name)`, `read(name)`.

A checkpoint is two kinds of files: `model.ckpt.index`, a table of the tensors, and `model.ckpt.data-00000-of-00001`, …, their
bytes. Whatever these files hold, one gets the tensors that were saved or a DataLossError; nothing is allocated before
its size was compared with the file's. State: the files that a Bundle has open, and the
entries that it has read.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ...base import dtypes, proto
from ...base.dtypes import DType
from ...base.errors import DataLossError, InvalidArgumentError, NotFoundError, UnimplementedError
from ..crc32c import crc32c, masked
from ..gfile import failed
from . import sorted_table, tensor_slices
from .tensor_slices import Slice
from .varint import varint

_MOST_AXES = 64  # of a NumPy array


class Entry(NamedTuple):
    """What the index tells about a tensor: where it lies, or of which slices it is made."""

    dtype: DType
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int
    crc: int
    slices: tuple[Slice, ...]


def index_path(prefix: str) -> str:
    """The file that says which tensors there are."""
    return f"{prefix}.index"


def data_path(prefix: str, shard: int, shards: int) -> str:
    """The file with the tensors of one shard."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def _lost(text: str) -> NoReturn:
    raise DataLossError(None, None, text)


class Bundle:
    """A checkpoint that is there.

    is_older: whether it is one of the format V1.

    Raises: NotFoundError when it is not, DataLossError when its index is damaged.
    """

    is_older = False

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._path = index_path(prefix)
        self._files: dict[int, Any] = {}
        self._entries: dict[bytes, Entry] = {}
        try:
            with open(self._path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            text = f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {prefix}"
            raise NotFoundError(None, None, text) from None
        except OSError as error:
            raise failed(self._path, error) from None
        try:
            self._table = sorted_table.read(data)
        except DataLossError as error:
            _lost(f"{error.message}\n  fix: {self._path} is damaged, or no part of a checkpoint: restore another one")
        self._read_header()

    def _read_header(self) -> None:
        stored = self._table.pop(b"", None)
        if stored is None:
            _lost(f"Unable to read file ({self._path}). Perhaps the file is corrupt: it has no header entry")
        try:
            header = proto.BundleHeaderProto.FromString(stored)
        except proto.DecodeError:
            _lost(f"Unable to parse header in {self._path}")
        if header.endianness != proto.BundleHeaderProto.LITTLE:
            raise UnimplementedError(None, None, f"{self._path} was written by a machine with another order of bytes")
        if header.version.min_consumer > 1:
            raise UnimplementedError(
                None, None, f"{self._path} needs a newer reader: its format is {header.version.min_consumer}, and this reads 1"
            )
        if not 0 <= header.num_shards <= 99_999:
            _lost(f"{self._path} claims {header.num_shards} files of data")
        self.shards: int = header.num_shards

    # -- what is there ---------------------------------------------------------------------------------------------

    def names(self) -> list[bytes]:
        """The tensors' names, in order."""
        # A slice's key begins with a number, which is a zero byte here.
        return [key for key in self._table if not key.startswith(b"\x00")]

    def raw(self) -> Iterator[tuple[bytes, bytes]]:
        """All keys and entries as they stand in the table."""
        return iter(self._table.items())

    def __contains__(self, name: bytes) -> bool:
        return name in self._table

    def entry(self, name: bytes) -> Entry:
        """What the index tells about a tensor.

        Raises: NotFoundError when there is no such tensor, DataLossError for what makes no sense.
        """
        known = self._entries.get(name)
        if known is not None:
            return known
        stored = self._table.get(name)
        if stored is None:
            raise NotFoundError(None, None, f"Key {_shown(name)} not found in checkpoint")
        self._entries[name] = known = self._parsed(name, stored)
        return known

    def _parsed(self, name: bytes, stored: bytes) -> Entry:
        at = f"Invalid tensor entry in {self._path}: key {_shown(name)}"
        try:
            found = proto.BundleEntryProto.FromString(stored)
            dtype = dtypes.as_dtype(found.dtype)
        except (proto.DecodeError, TypeError):
            _lost(f"{at} cannot be read")
        if dtype._is_ref_dtype or dtype is dtypes.resource:
            _lost(f"{at} has the type {dtype.name}")
        shape = tuple(dim.size for dim in found.shape.dim)
        if found.shape.unknown_rank or any(size < 0 for size in shape) or len(shape) > _MOST_AXES:
            _lost(f"{at} has no sound shape")
        if dtype is dtypes.variant:
            raise UnimplementedError(None, None, f"{at} has the type variant, which tfedu does not read")
        parts = tuple(map(tensor_slices.of_message, found.slices))
        if not parts:
            if not (0 <= found.shard_id < self.shards and found.offset >= 0 and found.size >= 0):
                _lost(f"{at} has no sound place")
            assert dtype.numpy is not None
            count = math.prod(shape)
            if dtype is dtypes.string:
                fits = count <= found.size  # the length of each takes a byte at least
            else:
                fits = found.size == count * np.dtype(dtype.numpy).itemsize
            # an axis of length 0 may stand beside one that no array can have
            if not fits or math.prod(size or 1 for size in shape) > 1 << 56:
                _lost(f"{at}: stored size {found.size}; its shape {list(shape)} of {dtype.name} needs another")
        elif len(set(parts)) < len(parts):
            _lost(f"{at} names a slice twice")
        return Entry(dtype, shape, found.shard_id, found.offset, found.size, found.crc32c, parts)

    # -- what it holds ---------------------------------------------------------------------------------------------

    def read(self, name: bytes, wanted: Slice | None = None) -> np.ndarray[Any, Any]:
        """A tensor, or a slice of it.

        Raises: NotFoundError, DataLossError; InvalidArgumentError for a slice that the checkpoint does not have.
        """
        entry = self.entry(name)
        try:
            if entry.slices:
                return self._assembled(name, entry, tensor_slices.whole(len(entry.shape)) if wanted is None else wanted)
            value = self._whole(name, entry)
            if wanted is None:
                return value
            return value[tuple(slice(a, b) for a, b in tensor_slices.bounds(wanted, entry.shape))].copy()
        except (MemoryError, OverflowError):
            _lost(f"Invalid tensor entry in {self._path}: key {_shown(name)} is larger than the memory")

    def _assembled(self, name: bytes, entry: Entry, wanted: Slice) -> np.ndarray[Any, Any]:
        at = f"Invalid tensor entry in {self._path}: key {_shown(name)}"
        target = tensor_slices.bounds(wanted, entry.shape)
        shape = tuple(end - start for start, end in target)
        needed = math.prod(shape)
        pieces = []
        for part in entry.slices:
            if len(part) != len(entry.shape) or any(s < 0 or n == 0 or n < tensor_slices.WHOLE for s, n in part):
                _lost(f"{at} has no sound slices")
            where = tensor_slices.bounds(part, entry.shape)
            if any(end > size for (_, end), size in zip(where, entry.shape)):
                _lost(f"{at} has slices outside of it")
            shared = tensor_slices.overlap(target, where)
            if shared is not None:
                pieces.append((part, where, shared))
        if sum(shared[2] for _, _, shared in pieces) < needed:
            self._lacks(name, wanted)
        out: np.ndarray[Any, Any] | None = None
        covered: np.ndarray[Any, Any] | None = None
        for part, where, (into, source, _) in pieces:
            value = self._piece(name, entry, part, tuple(end - start for start, end in where))
            if value.shape == shape and len(pieces) == 1:
                return value
            if out is None or covered is None:
                # the bytes of the slices are in the file, or `_whole` had raised
                if needed > sum(shared[2] for _, _, shared in pieces):
                    self._lacks(name, wanted)
                out = np.empty(shape, value.dtype)
                covered = np.zeros(shape, np.bool_)
            out[into] = value[source]
            covered[into] = True
        if out is None or covered is None:
            return np.empty(shape, entry.dtype.numpy)
        if not covered.all():
            self._lacks(name, wanted)
        return out

    def _piece(self, name: bytes, entry: Entry, part: Slice, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """The slice of a tensor that stands under a key of its own."""
        at = f"Invalid tensor entry in {self._path}: key {_shown(name)}: slice {tensor_slices.text(part)}"
        key = tensor_slices.key(name, part)
        stored = self._table.get(key)
        if stored is None:
            _lost(f"{at} is not there")
        found = self._parsed(key, stored)
        if found.slices or found.dtype is not entry.dtype or found.shape != shape:
            _lost(f"{at} has another type or shape")
        return self._whole(key, found)

    def _lacks(self, name: bytes, wanted: Slice) -> NoReturn:
        raise InvalidArgumentError(
            None, None,
            f"Does not have sufficient slices for partitioned tensor {_shown(name)} to restore in slice_spec: "
            f"{tensor_slices.text(wanted)}",
        )  # fmt: skip

    def _whole(self, name: bytes, entry: Entry) -> np.ndarray[Any, Any]:
        path = data_path(self.prefix, entry.shard, self.shards)
        file = self._files.get(entry.shard)
        try:
            if file is None:
                file = self._files[entry.shard] = open(path, "rb")  # noqa: SIM115 - `close` closes it
            if entry.offset + entry.size > os.fstat(file.fileno()).st_size:
                _lost(f"{path} is too short for {_shown(name)}: Read less bytes than requested")
            file.seek(entry.offset)
            if entry.dtype is dtypes.string:
                return self._strings(path, name, entry, file.read(entry.size))
            value = np.empty(entry.shape, entry.dtype.numpy)
            got = file.readinto(value.reshape(-1).view(np.uint8).data) if entry.size else 0
        except OSError as error:
            raise failed(path, error) from None
        if got != entry.size:
            _lost(f"{path} is too short for {_shown(name)}: Read less bytes than requested")
        self._check(path, name, entry, crc32c(value) if entry.size else 0)
        if entry.dtype is dtypes.bool and value.size and value.view(np.uint8).max() > 1:
            value = value.view(np.uint8) != 0
        return value

    def _check(self, path: str, name: bytes, entry: Entry, found: int) -> None:
        if masked(found) != entry.crc:
            _lost(
                f"TensorBundle at {self.prefix} (file {path}, tensor {_shown(name)}): Checksum does not match: stored "
                f"{entry.crc} vs. calculated on the restored bytes {masked(found)}"
            )

    def _strings(self, path: str, name: bytes, entry: Entry, data: bytes) -> np.ndarray[Any, Any]:
        """Strings: the length of each, a checksum of these, the bytes of all."""
        lengths, at = [], 0
        try:
            for _ in range(math.prod(entry.shape)):
                length, at = varint(data, at)
                lengths.append(length)
        except ValueError:
            _lost(f"{path}: the lengths of the strings of {_shown(name)} cannot be read")
        crc = crc32c(b"".join(n.to_bytes(4 if n < 1 << 32 else 8, "little") for n in lengths))
        stored = data[at : at + 4]
        if masked(crc) != int.from_bytes(stored, "little") or len(stored) < 4:
            _lost(
                f"The length checksum does not match: expected {int.from_bytes(stored, 'little')} but actual is {masked(crc)}"
            )
        at += 4
        if at + sum(lengths) != len(data):
            _lost(f"{path}: the strings of {_shown(name)} have other lengths than their table says")
        self._check(path, name, entry, crc32c(data[at:], crc32c(stored, crc)))
        value = np.empty(len(lengths), object)
        for i, length in enumerate(lengths):
            value[i] = data[at : at + length]
            at += length
        return value.reshape(entry.shape)

    def close(self) -> None:
        """Closes the files of data; the next read opens them again."""
        files, self._files = self._files, {}
        for file in files.values():
            file.close()

    def __enter__(self) -> Bundle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


def _shown(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")


__all__ = ["Bundle", "Entry", "data_path", "index_path"]
