"""The values of one feature in all examples of a batch, as one array: what the ops of parsing.py put together.

A batch mostly has features of one form: the bytes before a feature's numbers are then the same in each example, and are
compared instead of read. The numbers of all examples are decoded at once. No state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, Final, NamedTuple

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType
from ..files import example_wire as wire
from ..op.shape_checks import text_of

Row = dict[bytes, bytes]
"""The features of one example by their keys, as bytes."""

NAMES: Final = {dtypes.string: "string", dtypes.float32: "float", dtypes.int64: "int64"}
_KIND: Final = {dtypes.string: wire.BYTES, dtypes.float32: wire.FLOATS, dtypes.int64: wire.INTS}

UNPARSED: Final = "Can't parse serialized Example."
OTHER_DENSE_TYPE: Final = "Data types don't match. Data type: {actual} but expected type: {expected}"
OTHER_SPARSE_TYPE: Final = "Data types don't match. Expected type: {expected}, Actual type: {actual}"


class Refused(Exception):
    """A feature that does not fit. index: the number of its example; kind: "", "datatype" or "missing"."""

    def __init__(self, index: int, key: bytes, text: str = "", kind: str = "") -> None:
        super().__init__(text)
        self.index, self.key, self.text, self.kind = index, key, text, kind


class Column(NamedTuple):
    """The values of all examples, one after the other, and how many each example has; None for an example without the feature."""

    values: Any
    counts: list[int | None]


def column(rows: Sequence[Row], key: bytes, dtype: DType, type_text: str) -> Column:
    """The values of the feature in each example. Raises: Refused."""
    features = rows.features(key) if isinstance(rows, wire.Batch) else [row.get(key) for row in rows]
    parts: list[Any] = []
    forms: dict[int, tuple[bytes, int]] = {}  # length of a feature -> the bytes before its values, and how many
    kind, read = _KIND[dtype], _string if dtype is dtypes.string else _packed
    for index, feature in enumerate(features):
        if not feature:
            parts.append(None)
            continue
        size = len(feature)
        if size in forms:
            header, begin = forms[size]
            if feature.startswith(header):
                parts.append(feature[begin:])
                continue
        if feature[0] != kind:
            raise _of_another_type(index, key, feature, dtype, type_text)
        try:
            part, begin, end = read(feature)
        except (wire.Broken, IndexError):
            raise Refused(index, key, UNPARSED) from None
        parts.append(part)
        if end == size:
            header = feature[:begin]
            forms[size] = header, begin
            if not index and _all_begin_with(header, size, features):
                parts = [each[begin:] for each in features]  # type: ignore[index] # none is missing
                break
    return _JOINED[dtype](parts, key)


def _all_begin_with(header: bytes, size: int, features: Sequence[Any]) -> bool:
    """Whether all features are there, of this size, and begin with these bytes."""
    if None in features or set(map(len, features)) != {size}:
        return False
    return all(map(bytes.startswith, features, repeat(header)))


def _of_another_type(index: int, key: bytes, feature: bytes, dtype: DType, text: str) -> Refused:
    if feature[0] not in wire.KINDS:
        return Refused(index, key, "Unsupported datatype.", "datatype")
    return Refused(index, key, text.format(actual=wire.KINDS[feature[0]], expected=NAMES[dtype]))


def _packed(feature: bytes) -> tuple[bytes, int, int]:
    """The bytes of a packed list of numbers, and where in the feature they begin and end, -1 where they are not packed."""
    end, at = wire.list_bounds(feature)
    if at == end:
        return b"", at, end
    if feature[at] != wire.ITEM:
        return wire.packed_again(feature, at, end), at, -1
    length, at = wire.varint(feature, at + 1, end)
    if at + length > end:
        if feature[0] == wire.FLOATS:
            raise wire.Broken
        length = end - at
    return feature[at : at + length], at, at + length


def _string(feature: bytes) -> tuple[Any, int, int]:
    """As _packed; a list of strings where there is not just one."""
    end, at = wire.list_bounds(feature)
    found = wire.strings(feature, at, end)
    if len(found) == 1:
        return found[0], end - len(found[0]), end
    return found, at, -1


def _joined_strings(parts: list[Any], key: bytes) -> Column:
    values: list[bytes] = []
    counts: list[int | None] = []
    for part in parts:
        if type(part) is bytes:
            values.append(part)
            counts.append(1)
        elif part is None:
            counts.append(None)
        else:
            values += part
            counts.append(len(part))
    return Column(objects(values), counts)


def objects(values: Sequence[bytes]) -> Any:
    """Strings as an array [n]."""
    out = np.empty(len(values), object)
    out[:] = values
    return out


def _joined_floats(parts: list[Any], key: bytes) -> Column:
    counts = [None if part is None else len(part) // 4 for part in parts]
    data = bytearray().join([part for part in parts if part])
    if len(data) != 4 * sum(filter(None, counts)):
        # what is left of a number at the end of a list is no number
        data = bytearray().join([part[: len(part) // 4 * 4] for part in parts if part])
    return Column(np.frombuffer(data, "<f4").astype(np.float32, copy=False), counts)


def _joined_ints(parts: list[Any], key: bytes) -> Column:
    data = b"".join([part for part in parts if part])
    if data.isascii():  # each number is one byte
        values = np.frombuffer(data, np.uint8).astype(np.int64)
        return Column(values, [None if part is None else len(part) for part in parts])
    for index, part in enumerate(parts):
        if part and part[-1] > 127:
            raise Refused(index, key, UNPARSED)
    try:
        values, is_last = wire.varints(data)
    except wire.Broken:
        index = next(i for i, part in enumerate(parts) if part and wire.has_long_number(part))
        raise Refused(index, key, UNPARSED) from None
    ends = np.cumsum([len(part or b"") for part in parts])
    totals = np.append(0, np.cumsum(is_last))[ends]
    found = np.diff(totals, prepend=0).tolist()
    return Column(values, [None if part is None else count for part, count in zip(parts, found)])


_JOINED: Final[dict[DType, Callable[[list[Any], bytes], Column]]] = {
    dtypes.string: _joined_strings, dtypes.float32: _joined_floats, dtypes.int64: _joined_ints,
}  # fmt: skip


# -- columns as tensors ------------------------------------------------------------------------------------------------


def dense(rows: Sequence[Row], key: bytes, dtype: DType, shape: tuple[int, ...], default: Any, is_single: bool = False) -> Any:
    """A value of that shape for each example: [n, *shape]. default: for examples without the feature, or empty.

    Raises: Refused.
    """
    values, counts = column(rows, key, dtype, OTHER_DENSE_TYPE)
    size = math.prod(shape)
    if counts.count(size) == len(counts):
        return values.reshape(len(rows), *shape)
    has_default = default.size > 0 or size == 0
    for index, count in enumerate(counts):
        if count is None:
            if not has_default:
                raise Refused(index, key, kind="missing")
        elif count != size:
            text = f"Number of {NAMES[dtype]} values != expected.  Values size: {count} but output shape: {text_of(shape)}"
            raise Refused(index, key, UNPARSED if is_single else text)
    out = np.empty((len(rows), *shape), values.dtype)
    is_present = np.array([count is not None for count in counts])
    out[is_present] = values.reshape(-1, *shape)
    out[~is_present] = default.reshape(shape)
    return out


def padded(
    rows: Sequence[Row], key: bytes, dtype: DType, shape: tuple[int | None, ...], default: Any, is_single: bool = False
) -> Any:
    """As many rows of that shape, whose first size is open, as the longest example has: [n, longest, *shape[1:]].

    default: the padding, a scalar. Raises: Refused.
    """
    values, counts = column(rows, key, dtype, OTHER_DENSE_TYPE)
    inner: Any = shape[1:]
    stride = math.prod(inner)
    lengths = [count or 0 for count in counts]
    for index, count in enumerate(lengths):
        if count % stride if stride else count:
            text = f"Number of {NAMES[dtype]} values is not a multiple of stride length. Saw {count} values but output shape "
            raise Refused(index, key, UNPARSED if is_single else f"{text}is: {open_text(shape)}")
    longest = max(lengths, default=0)
    if lengths.count(longest) == len(lengths):
        return values.reshape(len(rows), longest // (stride or 1), *inner)
    out = np.empty((len(rows), longest), values.dtype)
    is_value = np.arange(longest) < np.array(lengths)[:, None]
    out[is_value] = values
    out[~is_value] = default.reshape(-1)[0] if default.size else (b"" if dtype is dtypes.string else 0)
    return out.reshape(len(rows), longest // (stride or 1), *inner)


def open_text(shape: Iterable[int | None]) -> str:
    """A shape with open sizes as errors have it: `[?,2]`."""
    return "[" + ",".join("?" if size is None else str(size) for size in shape) + "]"


def sparse(rows: Sequence[Row], key: bytes, dtype: DType) -> tuple[Any, Any, Any]:
    """All values as a sparse tensor [n, longest]: its indices [m, 2], values [m] and shape [2]. Raises: Refused."""
    values, counts = column(rows, key, dtype, OTHER_SPARSE_TYPE)
    lengths = np.array([count or 0 for count in counts], np.intp)
    indices = np.empty((len(values), 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(len(rows)), lengths)
    indices[:, 1] = np.arange(len(values)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return indices, values, np.array([len(rows), lengths.max(initial=0)], np.int64)


__all__ = [
    "NAMES", "OTHER_DENSE_TYPE", "OTHER_SPARSE_TYPE", "UNPARSED", "Column", "Refused", "Row", "column", "dense", "objects",
    "open_text", "padded", "sparse",
]  # fmt: skip
