"""Writes a checkpoint in TensorFlow's V2 format: `with Writer("model.ckpt") as w: w.add(b"w", array, dtype); w.finish()`.

At every instant a complete checkpoint of this name exists, the old one or the new one: data goes to temporary files, and one
`os.replace` of the index switches to them. Data files of an existing checkpoint cannot be replaced together with the index, so
the new data first gets unused names (`model.ckpt.data-00000-of-00002`), the index that names them replaces the old one, and
then data and index get TensorFlow's usual names, again without an incomplete state. `merge` combines checkpoints. No state.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import secrets
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from ...base import dtypes, proto
from ...base.dtypes import DType
from ...base.errors import InvalidArgumentError, NotFoundError, UnimplementedError
from ..atomic_write import Pending, locked, remove_leftovers, remove_unlocked, sync_folder
from ..crc32c import crc32c, masked
from ..gfile import op_error
from . import sorted_table, tensor_slices, variants
from .bundle_reader import Bundle, data_path, index_path
from .checkpoint import printable
from .tensor_slices import Part
from .varint import as_varint

_VERSION = 1
_DATA = re.compile(r"(.+)\.data-\d{5}-of-\d{5}", re.DOTALL)


class Writer:
    """A checkpoint that is being written; it exists once `finish` has been called.

    Raises: NotFoundError when the parent of its folder is missing, other OpErrors for errors of the disk.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._entries: dict[bytes, Any] = {}
        self._size = 0
        make_folder(prefix)
        try:
            remove_leftovers(os.path.dirname(prefix))
            _remove_orphans(os.path.dirname(prefix))
            self._data = Pending(data_path(prefix, 0, 1))
        except OSError as error:
            raise op_error(data_path(prefix, 0, 1), error) from None

    def add(self, name: bytes, value: Any, dtype: DType, part: Part | None = None) -> None:
        """Adds a tensor [...], or a slice of one.

        Raises: InvalidArgumentError for a name that comes twice, UnimplementedError for dtypes that no checkpoint holds.
        """
        if dtype is dtypes.resource:
            raise UnimplementedError(None, None, f"A checkpoint holds no tensors of type {dtype.name}")
        array = np.asarray(value, object if dtype in (dtypes.string, dtypes.variant) else None)
        key = name
        if part is not None:
            full_entry = self._entries.get(name)
            if full_entry is None:
                full_entry = self._entries[name] = _new_entry(dtype, part.full_shape)
            elif not full_entry.slices:
                raise InvalidArgumentError(None, None, f"Adding duplicate key: {printable(name)}")
            if full_entry != _new_entry(dtype, part.full_shape, full_entry.slices):
                raise InvalidArgumentError(
                    None, None, f"The slices of {printable(name)} are of tensors of several types or shapes"
                )
            tensor_slices.to_message(part.slice, full_entry.slices.add())
            key = tensor_slices.key(name, part.slice)
        if key in self._entries:
            raise InvalidArgumentError(None, None, f"Adding duplicate key: {printable(name)}")
        entry = _new_entry(dtype, array.shape)
        entry.offset = self._size
        try:
            size, crc = self._put_variants(array) if dtype is dtypes.variant else self._put(array)
        except OSError as error:
            raise op_error(self._data.path, error) from None
        entry.size = size
        entry.crc32c = masked(crc)
        self._size += size
        self._entries[key] = entry

    def _put(self, array: np.ndarray[Any, Any]) -> tuple[int, int]:
        if array.dtype == object:
            return self._put_strings(array)
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("<"))
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        self._data.write(flat)
        return flat.size, crc32c(flat)

    def _put_strings(self, array: np.ndarray[Any, Any]) -> tuple[int, int]:
        texts = [text.encode() if isinstance(text, str) else bytes(text) for text in array.reshape(-1)]
        lengths = b"".join(as_varint(len(text)) for text in texts)
        crc = crc32c(b"".join(len(t).to_bytes(4 if len(t) < 1 << 32 else 8, "little") for t in texts))
        check = masked(crc).to_bytes(4, "little")
        content = b"".join(texts)
        self._data.write(lengths + check)
        self._data.write(content)
        return len(lengths) + 4 + len(content), crc32c(content, crc32c(check, crc))

    def _put_variants(self, array: np.ndarray[Any, Any]) -> tuple[int, int]:
        content, crc = variants.encoded(array.reshape(-1).tolist())
        self._data.write(content)
        return len(content), crc

    def finish(self) -> None:
        """Replaces the checkpoint by the added tensors."""
        entries = {key: entry.SerializeToString() for key, entry in self._entries.items()}
        try:
            _replace(self.prefix, entries, 1, lambda _, path: self._data.commit(path))
        except OSError as error:
            raise op_error(self._data.path, error) from None

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._data.__exit__(kind, error, where)


def _new_entry(dtype: DType, shape: Sequence[int], parts: Any = ()) -> Any:
    entry = proto.BundleEntryProto(dtype=dtype.as_datatype_enum, slices=parts)
    entry.shape.SetInParent()
    for size in shape:
        entry.shape.dim.add().size = size
    return entry


def make_folder(prefix: str) -> None:
    """Creates the folder of a checkpoint, but not its parents. Raises: NotFoundError, and other OpErrors of the disk."""
    folder = os.path.dirname(prefix)
    if folder and not os.path.isdir(folder):
        try:
            os.mkdir(folder)
        except FileExistsError:
            pass
        except OSError as error:
            raise op_error(folder, error) from None


def _index(entries: dict[bytes, bytes], shards: int) -> bytes:
    header = proto.BundleHeaderProto(num_shards=shards)
    header.version.producer = _VERSION
    return sorted_table.table_bytes([(b"", header.SerializeToString()), *sorted(entries.items())])


def _put_index(prefix: str, entries: dict[bytes, bytes], shards: int) -> None:
    with Pending(index_path(prefix)) as pending:
        pending.write(_index(entries, shards))
        pending.commit()
    sync_folder(os.path.dirname(prefix))


def _data_files(prefix: str) -> set[str]:
    """The data files of this prefix, in use or left over."""
    folder, name = os.path.split(prefix)
    pattern = re.compile(re.escape(name) + r"\.data-\d{5}-of-\d{5}")
    return {os.path.join(folder, file) for file in os.listdir(folder or ".") if pattern.fullmatch(file)}


def _replace(prefix: str, entries: dict[bytes, bytes], shards: int, put: Callable[[int, str], None]) -> None:
    """Replaces the checkpoint by the entries; `put(i, path)` moves the data of shard i to a path."""
    old_files = _data_files(prefix)
    names = [data_path(prefix, i, shards) for i in range(shards)]
    if old_files.isdisjoint(names):
        _put_new(prefix, entries, names, put)
    else:
        count = shards + 1
        while not old_files.isdisjoint(data_path(prefix, i, count) for i in range(shards)):
            count += 1
        unused_names = [data_path(prefix, i, count) for i in range(shards)]
        _put_new(prefix, entries, unused_names, put, count)
        # The new checkpoint exists now; the rest gives it its usual names.
        try:
            for name, unused_name in zip(names, unused_names):
                temporary = f"{name}.tmp-{secrets.token_hex(4)}"
                os.link(unused_name, temporary)
                os.replace(temporary, name)
            _put_index(prefix, entries, shards)
        except OSError:  # a disk without links, or a full one
            names = unused_names
    for name in _data_files(prefix).difference(names):
        with contextlib.suppress(OSError):
            os.remove(name)


def _put_new(
    prefix: str, entries: dict[bytes, bytes], names: Sequence[str], put: Callable[[int, str], None], count: int | None = None
) -> None:
    """Puts the data of each shard to a name that is not in use, then the index; a failure leaves none of these files.

    count: the number of shards that the names tell, if it is another.
    """
    try:
        for i, name in enumerate(names):
            put(i, name)
        _put_index(prefix, entries, count or len(names))
    except OSError:
        for name in names:
            with contextlib.suppress(OSError):
                os.remove(name)
        raise


def _remove_orphans(folder: str) -> None:
    """Deletes data files without an index, which killed processes leave; a save under way holds the lock of its file."""
    for name in os.listdir(folder or "."):
        found = _DATA.fullmatch(name)
        if found is not None:
            remove_unlocked(os.path.join(folder, name), functools.partial(_lacks_index, os.path.join(folder, found[1])))


def _lacks_index(prefix: str) -> bool:
    return not os.path.exists(index_path(prefix))


def merge(prefixes: Sequence[str], prefix: str, delete_old_dirs: bool = True) -> None:
    """Combines checkpoints into one, moves their data files, and deletes their folders if empty.

    Raises: NotFoundError for a missing one, InvalidArgumentError for a tensor that two of them have.
    """
    make_folder(prefix)
    merged: dict[bytes, Any] = {}
    sources: list[str] = []
    for one in prefixes:
        if not os.path.exists(index_path(one)):
            raise NotFoundError(None, None, f"{index_path(one)}; No such file or directory")
        with Bundle(one) as bundle:
            for key, stored in bundle.raw():
                entry = proto.BundleEntryProto.FromString(stored)
                known = merged.get(key)
                if not entry.slices:
                    entry.shard_id += len(sources)
                elif known is not None and known.slices:
                    known.slices.extend(entry.slices)
                    continue
                if known is not None:
                    raise InvalidArgumentError(None, None, f"Duplicate tensor keyed by {printable(key)} encountered")
                merged[key] = entry
            sources += [data_path(one, i, bundle.shards) for i in range(bundle.shards)]
    try:
        entries = {key: entry.SerializeToString() for key, entry in merged.items()}
        with contextlib.ExitStack() as locks:
            for source in sources:
                locks.enter_context(locked(source))
            _replace(prefix, entries, len(sources), lambda i, path: os.replace(sources[i], path))
        for one in prefixes:
            os.remove(index_path(one))
    except OSError as error:
        raise op_error(prefix, error) from None
    if delete_old_dirs:
        for folder in {os.path.dirname(one) for one in prefixes}:
            with contextlib.suppress(OSError):
                os.rmdir(folder)


__all__ = ["Writer", "make_folder", "merge"]
