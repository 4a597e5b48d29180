"""Checkpoints in TensorFlow's first format, V1: `CheckpointV1(prefix, paths)` reads one, `write(path, tensors)` writes one.

A V1 checkpoint is one table, or several that match a pattern (`model-?????-of-00002`). The empty key holds the list of tensors
and their slices; the key of a slice holds its elements in a TensorProto. No state.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...base import dtypes, proto
from ...base.dtypes import DType
from ...base.errors import (
    DataLossError,
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    UnimplementedError,
)
from ..atomic_write import Pending, remove_leftovers
from ..gfile import op_error
from . import sorted_table, tensor_slices
from .bundle_reader import index_path
from .checkpoint import Checkpoint, Entry, damaged, printable
from .tensor_slices import Part, Slice

_PART = re.compile(r"(.+)\.(?:index|meta|data-\d{5}-of-\d{5})", re.DOTALL)


class CheckpointV1(Checkpoint):
    """A checkpoint in format V1, in one file or several."""

    is_v1 = True

    def __init__(self, prefix: str, paths: list[str]) -> None:
        self.prefix = self._path = prefix
        self._entries: dict[bytes, Entry] = {}
        self._table: dict[bytes, bytes] = {}
        for path in paths:
            self._path = path
            table = _table(path)
            meta = table.pop(b"", None)
            if meta is None:
                damaged(f"{path} is no checkpoint: it has no list of its tensors")
            self._add(self._message(meta).meta.tensor)
            self._table.update(table)
        self._path = prefix

    def _add(self, tensors: Any) -> None:
        for tensor in tensors:
            name = tensor.name.encode("utf-8", "surrogateescape")
            at = f"Invalid tensor entry in {self._path}: key {tensor.name}"
            try:
                dtype = dtypes.as_dtype(tensor.type)
            except TypeError:
                damaged(f"{at} has an unknown type")
            shape = tuple(dim.size for dim in tensor.shape.dim)
            if tensor.shape.unknown_rank or any(size < 0 for size in shape) or dtype.name not in proto.VALUE_FIELDS:
                damaged(f"{at} has no sound shape or type")
            parts = tuple(tensor_slices.of_message(part) for part in tensor.slice)
            known = self._entries.get(name)
            if known is not None:
                if (known.dtype, known.shape) != (dtype, shape):
                    damaged(f"{at} has another type or shape in another file")
                parts = known.slices + parts
            if not parts or len(set(parts)) < len(parts):
                damaged(f"{at} has no slices, or one twice")
            self._entries[name] = Entry(dtype, shape, 0, 0, 0, 0, parts)

    def names(self) -> list[bytes]:
        return sorted(self._entries)

    def __contains__(self, name: bytes) -> bool:
        return name in self._entries

    def entry(self, name: bytes) -> Entry:
        try:
            return self._entries[name]
        except KeyError:
            text = f'Tensor name "{printable(name)}" not found in checkpoint files {self.prefix}'
            raise NotFoundError(None, None, text) from None

    def _message(self, stored: bytes) -> Any:
        try:
            return proto.SavedTensorSlices.FromString(stored)
        except proto.DecodeError:
            damaged(f"{self._path} holds what is no slice of a tensor")

    def _read_slice(self, name: bytes, entry: Entry, part: Slice, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        at = f"Invalid tensor entry in {self._path}: key {printable(name)}: slice {tensor_slices.text(part)}"
        stored = self._table.get(tensor_slices.key(name, part))
        if stored is None:
            damaged(f"{at} is not there")
        numbers = getattr(self._message(stored).data.data, proto.VALUE_FIELDS[entry.dtype.name])
        width = 2 if entry.dtype.is_complex else 1
        if len(numbers) != math.prod(shape) * width:
            damaged(f"{at} has {len(numbers)} numbers, its shape {list(shape)} another count")
        try:
            return _array(numbers, entry.dtype).reshape(shape)
        except (OverflowError, ValueError):
            damaged(f"{at} has numbers that are none of {entry.dtype.name}")


def _array(numbers: Any, dtype: DType) -> np.ndarray[Any, Any]:
    kind: Any = dtype.numpy
    if dtype is dtypes.string:
        value = np.empty(len(numbers), object)
        value[:] = list(numbers)
        return value
    if proto.VALUE_FIELDS[dtype.name] == "half_val":
        return np.array(numbers, np.uint16).view(kind)
    if dtype.is_complex:
        return np.array(numbers, np.float32 if dtype is dtypes.complex64 else np.float64).view(kind)
    return np.array(list(numbers), np.dtype(kind))


def _table(path: str) -> dict[bytes, bytes]:
    """The content of a table's file. Raises: DataLossError in TF's words, with a fix for a wrong name."""
    fix = ""
    part = _PART.fullmatch(path)
    if part is not None and os.path.exists(index_path(part[1])):
        fix = f"\n  fix: a checkpoint is named without the end of its files: {part[1]}"
    try:
        with open(path, "rb") as file:
            data = file.read()
        table = sorted_table.read(data)
        if not fix:
            return table
        reason = "Data loss: not an sstable (bad magic number)"  # but the table of a V2 checkpoint
    except IsADirectoryError:
        reason = f"Failed precondition: {path}; Is a directory"
    except DataLossError as error:
        reason = f"Data loss: {error.message}"
    except OSError as error:
        raise op_error(path, error) from None
    damaged(
        f"Unable to open table file {path}: {reason}: perhaps your file is in a different file format and you need to use a "
        f"different restore operator?{fix}"
    )


# -- writing -------------------------------------------------------------------------------------------------------


def write(path: str, tensors: Iterable[tuple[bytes, Part | None, Any, DType]]) -> None:
    """Writes a V1 checkpoint of one file; tensors: (name, slice or None, value, dtype).

    Raises: InvalidArgumentError for a slice that comes twice, UnimplementedError for dtypes that no checkpoint holds.
    """
    head = proto.SavedTensorSlices()
    descriptions: dict[bytes, Any] = {}
    content: dict[bytes, bytes] = {}
    for name, part, value, dtype in tensors:
        field = proto.VALUE_FIELDS.get(dtype.name)
        if field is None or dtype in (dtypes.resource, dtypes.variant):
            raise UnimplementedError(None, None, f"A checkpoint holds no tensors of type {dtype.name}")
        array = np.asarray(value, object if dtype is dtypes.string else None)
        part = part or Part(array.shape, tensor_slices.full_slice(array.ndim), array.shape)
        text_name = printable(name)
        description = descriptions.get(name)
        if description is None:
            description = descriptions[name] = head.meta.tensor.add(name=text_name, type=dtype.as_datatype_enum)
            description.shape.SetInParent()
            for size in part.full_shape:
                description.shape.dim.add(size=size)
        else:
            known = tuple(dim.size for dim in description.shape.dim)
            if known != part.full_shape:
                was, now = f"existing tensor = {tensor_slices.fmt(known)}", f"shape = {tensor_slices.fmt(part.full_shape)}"
                raise InternalError(None, None, f"Mismatching shapes: {was}, trying to add name {text_name}, {now}")
            if description.type != dtype.as_datatype_enum:
                was, now = dtypes.runtime_name(dtypes.as_dtype(description.type)), dtypes.runtime_name(dtype)
                text = f"Mismatching types: existing type = {was}, trying to add name {text_name}, type = {now}"
                raise InternalError(None, None, text)
        key = tensor_slices.key(name, part.slice)
        if key in content:
            raise InvalidArgumentError(None, None, f"Adding duplicate key: {text_name}")
        stored = proto.SavedTensorSlices()
        stored.data.name = text_name
        stored.data.slice.SetInParent()
        tensor_slices.to_message(part.slice, stored.data.slice)
        tensor_slices.to_message(part.slice, description.slice.add())
        getattr(stored.data.data, field).extend(_numbers(array, field))
        content[key] = stored.SerializeToString()
    head.meta.versions.producer = 1
    try:
        remove_leftovers(os.path.dirname(path))
        with Pending(path) as pending:
            pending.write(sorted_table.table_bytes([(b"", head.SerializeToString()), *sorted(content.items())]))
            pending.commit()
    except OSError as error:
        raise op_error(path, error) from None


def _numbers(array: np.ndarray[Any, Any], field: str) -> list[Any]:
    flat = array.reshape(-1)
    if field == "string_val":
        return [text.encode() if isinstance(text, str) else bytes(text) for text in flat]
    if field == "half_val":
        flat = np.ascontiguousarray(flat).view(np.uint16)
    elif flat.dtype.kind == "c":
        flat = np.ascontiguousarray(flat).view(np.float32 if field == "scomplex_val" else np.float64)
    numbers: list[Any] = flat.tolist()
    return numbers


__all__ = ["CheckpointV1", "write"]
