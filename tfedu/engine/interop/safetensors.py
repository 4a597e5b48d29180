"""Tensors in the safetensors format, which other libraries read: `save_safetensors("m.safetensors", {"w": array})`.

`load_safetensors` reads a file; `export_safetensors(checkpoint, path)` and `import_safetensors(path, checkpoint)` convert
from and to a checkpoint of a Saver. Writing replaces a file atomically. No state.

The format: the header's length (8 bytes), the header (JSON: for each tensor its dtype, shape and offsets), the bytes.
Source: huggingface/safetensors, README.md.
"""

from __future__ import annotations

import json
import math
import os
import re
from typing import Any, Final, NoReturn

import numpy as np

from ..base import budget, dtypes, errors
from ..base.dtypes import DType
from ..base.errors import error_text
from ..files import bundle, gfile
from ..files.atomic_write import Pending

_DTYPES: Final = {
    "BOOL": dtypes.bool, "U8": dtypes.uint8, "I8": dtypes.int8, "I16": dtypes.int16, "U16": dtypes.uint16,
    "F16": dtypes.float16, "BF16": dtypes.bfloat16, "I32": dtypes.int32, "U32": dtypes.uint32, "F32": dtypes.float32,
    "F64": dtypes.float64, "I64": dtypes.int64, "U64": dtypes.uint64, "C64": dtypes.complex64,
}  # fmt: skip
_NAMES: Final = {dtype.name: name for name, dtype in _DTYPES.items()}
_FOREIGN: Final = re.compile(r"(F8_\w+|F[46]\w*)")
_MAX_HEADER_BYTES: Final = 100 << 20  # the limit of the format
_MAX_TENSORS: Final = 100_000
_PARSED: Final = 32  # bytes of Python objects for a byte of JSON, at most: an empty list "[]," takes 64, an entry of it 8 more


def _raise_data_loss(path: str, text: str) -> NoReturn:
    raise errors.DataLossError(None, None, error_text(f"{path} is no sound safetensors file: {text}"))


def save_safetensors(path: Any, tensors: dict[str, Any], metadata: dict[str, str] | None = None) -> None:
    """Writes arrays by name; metadata: strings by string.

    Raises: TypeError for names and metadata that are no strings, UnimplementedError for dtypes that the format lacks.
    """
    path = os.fsdecode(path)
    header: dict[str, Any] = {}
    if metadata is not None:
        if not all(isinstance(text, str) for pair in metadata.items() for text in pair):
            raise TypeError(error_text(f"metadata must be texts by texts, got {metadata!r}"))
        header["__metadata__"] = dict(metadata)
    arrays = []
    at = 0
    for name, value in tensors.items():
        if not isinstance(name, str) or name == "__metadata__":
            raise TypeError(error_text(f"{name!r} cannot be the name of a tensor in a safetensors file"))
        # The format has no strides: elements must be contiguous.
        array = np.ascontiguousarray(value).reshape(np.shape(value))
        dtype_name = _dtype_name(name, array)
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("<"))
        header[name] = {"dtype": dtype_name, "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
        arrays.append(array)
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    text += b" " * (-len(text) % 8)
    try:
        with Pending(path) as pending:
            pending.write(len(text).to_bytes(8, "little") + text)
            for array in arrays:
                pending.write(array.reshape(-1).view(np.uint8))
            pending.commit()
    except OSError as error:
        raise gfile.op_error(path, error) from None


def _dtype_name(name: str, array: Any) -> str:
    try:
        dtype_name = "string" if array.dtype.kind in "OSU" else dtypes.as_dtype(array.dtype).name
    except TypeError:
        dtype_name = str(array.dtype)
    if dtype_name not in _NAMES:
        raise errors.UnimplementedError(
            None, None, error_text(f"A safetensors file holds no tensors of type {dtype_name}, which '{name}' is")
        )
    return _NAMES[dtype_name]


def load_safetensors(path: Any) -> dict[str, Any]:
    """The arrays of a file by name, in the file's order.

    Raises: NotFoundError, DataLossError for an invalid file, UnimplementedError for dtypes that TensorFlow 1 lacks,
    ResourceExhaustedError for a header that parses to more than the budget.
    """
    path = os.fsdecode(path)
    try:
        with open(path, "rb") as file:
            length = os.fstat(file.fileno()).st_size
            size = int.from_bytes(file.read(8), "little")
            if length < 8 or size > min(length - 8, _MAX_HEADER_BYTES):
                _raise_data_loss(path, f"a header of {size} bytes in a file of {length}")
            budget.current().account(f"The header of {path}").take("bytes", size * _PARSED)
            header = _header(path, file.read(size))
            tensors = {}
            at = 0
            # Tensors must follow each other without gaps, so that no more memory is allocated than the file is long.
            for name, (dtype, shape, start, end) in sorted(header.items(), key=lambda item: item[1][2:]):
                if start != at or end > length - 8 - size:
                    _raise_data_loss(path, f"the bytes of '{name}' do not follow those of the tensor before, or are missing")
                value = np.empty(shape, dtype.numpy)
                if file.readinto(value.reshape(-1).view(np.uint8).data) != end - start:  # type: ignore[attr-defined]
                    _raise_data_loss(path, f"'{name}' is cut off")
                tensors[name] = value[()] if value.ndim == 0 else value
                at = end
            if at != length - 8 - size:
                _raise_data_loss(path, f"{length - 8 - size - at} bytes belong to no tensor")
            return tensors
    except OSError as error:
        raise gfile.op_error(path, error) from None
    except (MemoryError, OverflowError):
        _raise_data_loss(path, "it is larger than the memory")


def _header(path: str, data: bytes) -> dict[str, tuple[DType, tuple[int, ...], int, int]]:
    def unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name comes twice")
        return dict(pairs)

    try:
        parsed = json.loads(data.decode("utf-8"), object_pairs_hook=unique_names)
    except (ValueError, RecursionError) as error:
        _raise_data_loss(path, f"its header is no JSON ({error})")
    if not data.startswith(b"{") or len(parsed) > _MAX_TENSORS:
        _raise_data_loss(path, f"its header must describe at most {_MAX_TENSORS} tensors")
    entries = {}
    for name, entry in parsed.items():
        if name == "__metadata__":
            continue
        try:
            dtype_name, shape, (start, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
        except (KeyError, TypeError, ValueError):
            _raise_data_loss(path, f"the header's entry of '{name}' is incomplete")
        if isinstance(dtype_name, str) and _FOREIGN.fullmatch(dtype_name) and dtype_name not in _DTYPES:
            raise errors.UnimplementedError(
                None, None, error_text(f"{path}: '{name}' has the type {dtype_name}, which TensorFlow 1 lacks")
            )
        are_sizes = all(type(number) is int and 0 <= number < 1 << 56 for number in (*shape, start, end))
        if not isinstance(dtype_name, str) or dtype_name not in _DTYPES or not are_sizes or len(shape) > 64:
            _raise_data_loss(path, f"the header's entry of '{name}' is invalid")
        dtype = _DTYPES[dtype_name]
        assert dtype.numpy is not None
        fits = end - start == math.prod(shape) * np.dtype(dtype.numpy).itemsize
        if not fits or math.prod(size or 1 for size in shape) > 1 << 56:
            _raise_data_loss(path, f"the shape of '{name}' does not fit its bytes")
        entries[name] = (dtype, shape, start, end)
    return entries


def export_safetensors(checkpoint: Any, path: Any, metadata: dict[str, str] | None = None) -> None:
    """Writes the tensors of a checkpoint of a Saver as a safetensors file.

    Raises: NotFoundError, DataLossError for a damaged checkpoint; see save_safetensors.
    """
    try:
        with bundle.open_checkpoint(os.fsdecode(checkpoint)) as reader:
            reader.charge(name for name in reader.names() if not reader.entry(name).slices)
            tensors = {name.decode("utf-8", "surrogateescape"): reader.read(name) for name in reader.names()}
    except errors.OpError as error:
        raise type(error)(None, None, error_text(error.message)) from None  # type: ignore[call-arg]
    save_safetensors(path, tensors, metadata)


def import_safetensors(path: Any, checkpoint: Any) -> None:
    """Writes the tensors of a safetensors file as a checkpoint, which a Saver restores. Raises: see load_safetensors."""
    tensors = load_safetensors(path)
    try:
        with bundle.Writer(os.fsdecode(checkpoint)) as writer:
            for name, value in sorted(tensors.items()):
                writer.add(name.encode("utf-8", "surrogateescape"), value, dtypes.as_dtype(value.dtype))
            writer.finish()
    except errors.OpError as error:
        raise type(error)(None, None, error_text(error.message)) from None  # type: ignore[call-arg]


__all__ = ["export_safetensors", "import_safetensors", "load_safetensors", "save_safetensors"]
