"""Reads a checkpoint in TensorFlow's V2 format ("tensor bundle"): `Bundle("model.ckpt")`, then `names()`, `read(name)`.

A checkpoint consists of `model.ckpt.index`, a table of the tensors, and `model.ckpt.data-00000-of-00001`, …, their bytes.
State: a Bundle's open files and parsed entries.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...base import budget, dtypes, proto
from ...base.errors import DataLossError, NotFoundError, UnimplementedError
from ..crc32c import crc32c, masked
from ..gfile import op_error
from . import sorted_table, tensor_slices, variants
from .checkpoint import Checkpoint, Entry, damaged, printable
from .tensor_slices import Slice
from .varint import varint

_MOST_AXES = 64  # of a NumPy array
_OBJECTS = (dtypes.string, dtypes.variant)  # whose elements have lengths of their own


def index_path(prefix: str) -> str:
    """The file with the table of tensors."""
    return f"{prefix}.index"


def data_path(prefix: str, shard: int, shards: int) -> str:
    """The file with the bytes of one shard."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


class Bundle(Checkpoint):
    """A checkpoint in format V2.

    Raises: NotFoundError for a missing checkpoint, DataLossError for a damaged index.
    """

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
            raise op_error(self._path, error) from None
        try:
            self._table = sorted_table.read(data)
        except DataLossError as error:
            damaged(f"{error.message}\n  fix: {self._path} is damaged, or no part of a checkpoint: restore another one")
        self._read_header()

    def _read_header(self) -> None:
        stored = self._table.pop(b"", None)
        if stored is None:
            damaged(f"Unable to read file ({self._path}). Perhaps the file is corrupt: it has no header entry")
        try:
            header = proto.BundleHeaderProto.FromString(stored)
        except proto.DecodeError:
            damaged(f"Unable to parse header in {self._path}")
        if header.endianness != proto.BundleHeaderProto.LITTLE:
            raise UnimplementedError(None, None, f"{self._path} was written by a machine with another order of bytes")
        if header.version.min_consumer > 1:
            raise UnimplementedError(
                None, None, f"{self._path} needs a newer reader: its format is {header.version.min_consumer}, and this reads 1"
            )
        if not 0 <= header.num_shards <= 99_999:
            damaged(f"{self._path} claims {header.num_shards} files of data")
        self.shards: int = header.num_shards

    # -- entries ---------------------------------------------------------------------------------------------------

    def names(self) -> list[bytes]:
        # The key of a slice begins with a zero byte.
        return [key for key in self._table if not key.startswith(b"\x00")]

    def raw(self) -> Iterator[tuple[bytes, bytes]]:
        """All keys and serialized entries of the table."""
        return iter(self._table.items())

    def __contains__(self, name: bytes) -> bool:
        return name in self._table

    def entry(self, name: bytes) -> Entry:
        known = self._entries.get(name)
        if known is not None:
            return known
        stored = self._table.get(name)
        if stored is None:
            raise NotFoundError(None, None, f"Key {printable(name)} not found in checkpoint")
        self._entries[name] = known = self._parsed(name, stored)
        return known

    def _parsed(self, name: bytes, stored: bytes) -> Entry:
        at = f"Invalid tensor entry in {self._path}: key {printable(name)}"
        try:
            message = proto.BundleEntryProto.FromString(stored)
            dtype = dtypes.as_dtype(message.dtype)
        except (proto.DecodeError, TypeError):
            damaged(f"{at} cannot be read")
        if dtype._is_ref_dtype or dtype is dtypes.resource:
            damaged(f"{at} has the type {dtype.name}")
        shape = tuple(dim.size for dim in message.shape.dim)
        if message.shape.unknown_rank or any(size < 0 for size in shape) or len(shape) > _MOST_AXES:
            damaged(f"{at} has no sound shape")
        parts = tuple(map(tensor_slices.of_message, message.slices))
        if not parts:
            if not (0 <= message.shard_id < self.shards and message.offset >= 0 and message.size >= 0):
                damaged(f"{at} has no sound place")
            count = math.prod(shape)
            if dtype in _OBJECTS:
                fits = count <= message.size  # each length takes at least one byte
            else:
                assert dtype.numpy is not None
                fits = message.size == count * np.dtype(dtype.numpy).itemsize
            # a shape with size 0 may also have a size that no array can have
            if not fits or math.prod(size or 1 for size in shape) > 1 << 56:
                damaged(f"{at}: stored size {message.size}; its shape {list(shape)} of {dtype.name} needs another")
        elif len(set(parts)) < len(parts):
            damaged(f"{at} names a slice twice")
        return Entry(dtype, shape, message.shard_id, message.offset, message.size, message.crc32c, parts)

    # -- values ----------------------------------------------------------------------------------------------------

    def _read_slice(self, name: bytes, entry: Entry, part: Slice, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        at = f"Invalid tensor entry in {self._path}: key {printable(name)}: slice {tensor_slices.text(part)}"
        key = tensor_slices.key(name, part)
        stored = self._table.get(key)
        if stored is None:
            damaged(f"{at} is not there")
        part_entry = self._parsed(key, stored)
        if part_entry.slices or part_entry.dtype is not entry.dtype or part_entry.shape != shape:
            damaged(f"{at} has another type or shape")
        return self._read_whole(key, part_entry)

    def charge(self, keys: Iterable[bytes]) -> None:
        claimed = 0
        shards = set()
        for key in keys:
            entry = self._parsed(key, self._table.get(key, b""))
            claimed += entry.size
            shards.add(entry.shard)
        held = 0
        for shard in shards:
            path = data_path(self.prefix, shard, self.shards)
            held += os.path.getsize(path) if os.path.exists(path) else 0
        budget.current().account(f"The checkpoint {self.prefix}").take("bytes", max(0, claimed - held))

    def _read_whole(self, name: bytes, entry: Entry) -> np.ndarray[Any, Any]:
        path = data_path(self.prefix, entry.shard, self.shards)
        file = self._files.get(entry.shard)
        try:
            if file is None:
                file = self._files[entry.shard] = open(path, "rb")  # noqa: SIM115 - `close` closes it
            if entry.offset + entry.size > os.fstat(file.fileno()).st_size:
                damaged(f"{path} is too short for {printable(name)}: Read less bytes than requested")
            file.seek(entry.offset)
            if entry.dtype in _OBJECTS:
                read = self._strings if entry.dtype is dtypes.string else self._variants
                return read(path, name, entry, file.read(entry.size))
            value = np.empty(entry.shape, entry.dtype.numpy)
            got = file.readinto(value.reshape(-1).view(np.uint8).data) if entry.size else 0
        except OSError as error:
            raise op_error(path, error) from None
        if got != entry.size:
            damaged(f"{path} is too short for {printable(name)}: Read less bytes than requested")
        self._check(path, name, entry, crc32c(value) if entry.size else 0)
        if entry.dtype is dtypes.bool and value.size and value.view(np.uint8).max() > 1:
            value = value.view(np.uint8) != 0
        return value

    def _check(self, path: str, name: bytes, entry: Entry, crc: int) -> None:
        if masked(crc) != entry.crc:
            damaged(
                f"TensorBundle at {self.prefix} (file {path}, tensor {printable(name)}): Checksum does not match: stored "
                f"{entry.crc} vs. calculated on the restored bytes {masked(crc)}"
            )

    def _strings(self, path: str, name: bytes, entry: Entry, data: bytes) -> np.ndarray[Any, Any]:
        """Reads strings: the lengths, their checksum, the bytes."""
        lengths, at = [], 0
        try:
            for _ in range(math.prod(entry.shape)):
                length, at = varint(data, at)
                lengths.append(length)
        except ValueError:
            damaged(f"{path}: the lengths of the strings of {printable(name)} cannot be read")
        crc = crc32c(b"".join(n.to_bytes(4 if n < 1 << 32 else 8, "little") for n in lengths))
        stored = data[at : at + 4]
        if masked(crc) != int.from_bytes(stored, "little") or len(stored) < 4:
            damaged(
                f"The length checksum does not match: expected {int.from_bytes(stored, 'little')} but actual is {masked(crc)}"
            )
        at += 4
        if at + sum(lengths) != len(data):
            damaged(f"{path}: the strings of {printable(name)} have other lengths than their table says")
        self._check(path, name, entry, crc32c(data[at:], crc32c(stored, crc)))
        value = np.empty(len(lengths), object)
        for i, length in enumerate(lengths):
            value[i] = data[at : at + length]
            at += length
        return value.reshape(entry.shape)

    def _variants(self, path: str, name: bytes, entry: Entry, data: bytes) -> np.ndarray[Any, Any]:
        try:
            found, crc = variants.decoded(data, math.prod(entry.shape))
        except ValueError as cause:
            damaged(f"{path}: {printable(name)} cannot be read: {cause}")
        self._check(path, name, entry, crc)
        value = np.empty(len(found), object)
        value[:] = found
        return value.reshape(entry.shape)

    def close(self) -> None:
        files, self._files = self._files, {}
        for file in files.values():
            file.close()


__all__ = ["Bundle", "data_path", "index_path"]
