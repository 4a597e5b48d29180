"""Tensors in the format safetensors, which the rest of the world reads: `save_safetensors("m.safetensors", {"w": array})`.

`load_safetensors` gives them back; `export_safetensors(checkpoint, path)` and `import_safetensors(path, checkpoint)` go between
such a file and a checkpoint of a Saver. A file is replaced as a whole or not at all. No state.

The format: the header's length (8 bytes), the header (JSON: for each tensor its type, shape and place), the bytes.
Source: huggingface/safetensors, README.md.
"""

from __future__ import annotations

import json
import math
import os
import re
from typing import Any, Final, NoReturn

import numpy as np

from ..base import dtypes, errors
from ..base.dtypes import DType
from ..base.errors import error_text
from ..files import bundle, gfile
from ..files.atomic_write import Pending

_KINDS: Final = {
    "BOOL": dtypes.bool, "U8": dtypes.uint8, "I8": dtypes.int8, "I16": dtypes.int16, "U16": dtypes.uint16,
    "F16": dtypes.float16, "BF16": dtypes.bfloat16, "I32": dtypes.int32, "U32": dtypes.uint32, "F32": dtypes.float32,
    "F64": dtypes.float64, "I64": dtypes.int64, "U64": dtypes.uint64, "C64": dtypes.complex64,
}  # fmt: skip
_NAMES: Final = {dtype.name: name for name, dtype in _KINDS.items()}
_FOREIGN: Final = re.compile(r"(F8_\w+|F[46]\w*)")
_LONGEST: Final = 100 << 20  # of a header, as the format has it
_MOST: Final = 100_000  # tensors


def _lost(path: str, text: str) -> NoReturn:
    raise errors.DataLossError(None, None, error_text(f"{path} is no sound safetensors file: {text}"))


def save_safetensors(path: Any, tensors: dict[str, Any], metadata: dict[str, str] | None = None) -> None:
    """Writes arrays by name; metadata: texts that go with them.

    Raises: TypeError for names and texts that are none, UnimplementedError for strings and other types that the format lacks.
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
        # The format has no strides: what is written must be what is meant.
        array = np.ascontiguousarray(value).reshape(np.shape(value))
        kind = _kind(name, array)
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("<"))
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
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
        failed = gfile.failed(path, error)
        raise type(failed)(None, None, error_text(failed.message)) from None  # type: ignore[call-arg]


def _kind(name: str, array: Any) -> str:
    try:
        found = "string" if array.dtype.kind in "OSU" else dtypes.as_dtype(array.dtype).name
    except TypeError:
        found = str(array.dtype)
    if found not in _NAMES:
        raise errors.UnimplementedError(
            None, None, error_text(f"A safetensors file holds no tensors of type {found}, which '{name}' is")
        )
    return _NAMES[found]


def load_safetensors(path: Any) -> dict[str, Any]:
    """The arrays of a file by name, in the file's order.

    Raises: NotFoundError, DataLossError for what is no such file, UnimplementedError for types that TensorFlow 1 lacks.
    """
    path = os.fsdecode(path)
    try:
        with open(path, "rb") as file:
            length = os.fstat(file.fileno()).st_size
            size = int.from_bytes(file.read(8), "little")
            if length < 8 or size > min(length - 8, _LONGEST):
                _lost(path, f"a header of {size} bytes in a file of {length}")
            header = _header(path, file.read(size))
            found = {}
            at = 0
            # What is allocated is in the file: each tensor's bytes follow those of the one before.
            for name, (dtype, shape, start, end) in sorted(header.items(), key=lambda item: item[1][2:]):
                if start != at or end > length - 8 - size:
                    _lost(path, f"the bytes of '{name}' are not behind those of the tensor before, or not there")
                value = np.empty(shape, dtype.numpy)
                if file.readinto(value.reshape(-1).view(np.uint8).data) != end - start:  # type: ignore[attr-defined]
                    _lost(path, f"'{name}' is cut off")
                found[name] = value[()] if value.ndim == 0 else value
                at = end
            if at != length - 8 - size:
                _lost(path, f"{length - 8 - size - at} bytes belong to no tensor")
            return found
    except OSError as error:
        failed = gfile.failed(path, error)
        raise type(failed)(None, None, error_text(failed.message)) from None  # type: ignore[call-arg]
    except (MemoryError, OverflowError):
        _lost(path, "it is larger than the memory")


def _header(path: str, data: bytes) -> dict[str, tuple[DType, tuple[int, ...], int, int]]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            raise ValueError("a name stands twice")
        return made

    try:
        parsed = json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        _lost(path, f"its header is no JSON ({error})")
    if not data.startswith(b"{") or len(parsed) > _MOST:
        _lost(path, f"its header must be of {_MOST} tensors at most")
    found = {}
    for name, told in parsed.items():
        if name == "__metadata__":
            continue
        try:
            kind, shape, (start, end) = told["dtype"], tuple(told["shape"]), told["data_offsets"]
        except (KeyError, TypeError, ValueError):
            _lost(path, f"what it tells of '{name}' lacks something")
        if isinstance(kind, str) and _FOREIGN.fullmatch(kind) and kind not in _KINDS:
            raise errors.UnimplementedError(
                None, None, error_text(f"{path}: '{name}' has the type {kind}, which TensorFlow 1 lacks")
            )
        whole_numbers = all(type(number) is int and 0 <= number < 1 << 56 for number in (*shape, start, end))
        if not isinstance(kind, str) or kind not in _KINDS or not whole_numbers or len(shape) > 64:
            _lost(path, f"what it tells of '{name}' makes no sense")
        dtype = _KINDS[kind]
        assert dtype.numpy is not None
        fits = end - start == math.prod(shape) * np.dtype(dtype.numpy).itemsize
        if not fits or math.prod(size or 1 for size in shape) > 1 << 56:
            _lost(path, f"the shape of '{name}' does not fit its bytes")
        found[name] = (dtype, shape, start, end)
    return found


def export_safetensors(checkpoint: Any, path: Any, metadata: dict[str, str] | None = None) -> None:
    """Writes the tensors of a checkpoint of a Saver as a safetensors file.

    Raises: NotFoundError, DataLossError for a damaged checkpoint; see save_safetensors.
    """
    try:
        with bundle.opened(os.fsdecode(checkpoint)) as found:
            tensors = {name.decode("utf-8", "surrogateescape"): found.read(name) for name in found.names()}
    except errors.OpError as error:
        raise type(error)(None, None, error_text(error.message)) from None  # type: ignore[call-arg]
    save_safetensors(path, tensors, metadata)


def import_safetensors(path: Any, checkpoint: Any) -> None:
    """Writes the tensors of a safetensors file as a checkpoint, which a Saver restores. Raises: see load_safetensors."""
    tensors = load_safetensors(path)
    try:
        with bundle.Writer(os.fsdecode(checkpoint)) as made:
            for name, value in sorted(tensors.items()):
                made.add(name.encode("utf-8", "surrogateescape"), value, dtypes.as_dtype(value.dtype))
            made.finish()
    except errors.OpError as error:
        raise type(error)(None, None, error_text(error.message)) from None  # type: ignore[call-arg]


__all__ = ["export_safetensors", "import_safetensors", "load_safetensors", "save_safetensors"]
