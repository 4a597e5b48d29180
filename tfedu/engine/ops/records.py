"""Records as text: lines of comma-separated values, JSON examples; tensors as messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..base import budget, dtypes
from ..base.dtypes import DType, as_dtype, runtime_name
from ..base.shapes import Shape
from ..op.define import Each, Sym, op, same_shape
from ..op.shape_checks import Any_, invalid, scalar

string = dtypes.string


# -- comma-separated values -----------------------------------------------------------------------------------------------


def fields_of(record: bytes, delimiter: bytes, quotes: bool) -> Iterator[bytes]:
    """The fields of a line. quotes: a field may stand in double quotes, in which a quote is doubled.

    Raises: InvalidArgumentError for quotes at wrong places.
    """
    if not record:
        return
    at, end = 0, len(record)
    while True:
        if quotes and record[at : at + 1] == b'"':
            parts, at = [], at + 1
            while True:
                close = record.find(b'"', at)
                if close < 0:
                    raise invalid("Quoted field has to end with quote followed by delim or end")
                parts.append(record[at:close])
                if record[close + 1 : close + 2] == b'"':
                    parts.append(b'"')
                    at = close + 2
                    continue
                at = close + 1
                break
            if at < end and record[at : at + 1] != delimiter:
                raise invalid("Quote inside a string has to be escaped by another quote")
            yield b"".join(parts)
        else:
            stop = record.find(delimiter, at)
            stop = end if stop < 0 else stop
            field = record[at:stop]
            if quotes and any(byte in b'"\n\r' for byte in field):
                raise invalid("Unquoted fields cannot have quotes/CRLFs inside")
            yield field
            at = stop
        if at >= end:
            return
        at += 1
        if at == end:
            yield b""
            return


def _number(kind: DType) -> Callable[[bytes], Any]:
    """Reads a field as a number of this dtype. Raises: ValueError, OverflowError."""
    if kind is string:
        return lambda text: text
    if kind in (dtypes.float32, dtypes.float64):
        return lambda text: float(_plain(text))
    bounds = np.iinfo(kind.as_numpy_dtype)

    def integer(text: bytes) -> int:
        number = int(_plain(text))
        if not bounds.min <= number <= bounds.max:
            raise OverflowError
        return number

    return integer


def _plain(text: bytes) -> bytes:
    if b"_" in text:  # Python's literals may have it
        raise ValueError
    return text.strip()


def _columns_like_records(
    records: Sym, record_defaults: Sequence[Sym], **_: Any
) -> list[Shape]:
    return [records.shape] * len(record_defaults)


@op("DecodeCSV", out="output", shape=_columns_like_records)
def decode_csv(
    xp: Any, records: string, record_defaults: Each["OUT_TYPE"], *, field_delim: str = ",",  # noqa: F821
    use_quote_delim: bool = True, na_value: str = "", select_cols: list[int] = (),  # type: ignore[assignment]
) -> Each["OUT_TYPE"]:  # noqa: F821
    """The columns of lines of comma-separated values: [...] -> the same shape for each column. record_defaults: a value for
    empty fields, [1], or [0] where a field is required.

    Raises: InvalidArgumentError for another number of fields, for a field that is no number, and for an empty required one.
    """
    if len(field_delim.encode()) != 1:
        raise invalid("field_delim should be only 1 char")
    lines = np.asarray(records, object)
    kinds = [string if np.asarray(each).dtype.kind in "OS" else as_dtype(np.asarray(each).dtype) for each in record_defaults]
    readers = [_number(kind) for kind in kinds]
    defaults = [np.asarray(each, object if kind is string else None).ravel() for each, kind in zip(record_defaults, kinds)]
    columns: list[list[Any]] = [[] for _ in kinds]
    chosen, missing = list(select_cols), na_value.encode()
    for number, line in enumerate(lines.ravel().tolist()):
        fields = list(fields_of(line, field_delim.encode(), use_quote_delim))
        if chosen:
            if len(fields) <= max(chosen):
                found = sum(each < len(fields) for each in chosen)
                raise invalid(f"Expect {len(kinds)} fields but have {found} in record {number}")
            fields = [fields[each] for each in chosen]
        if len(fields) != len(kinds):
            raise invalid(f"Expect {len(kinds)} fields but have {len(fields)} in record {number}")
        for at, field in enumerate(fields):
            if not field or field == missing:
                if not defaults[at].size:
                    fix = "a value in record_defaults instead of an empty tensor makes the field optional"
                    raise invalid(f"Field {at} is required but missing in record {number}!", fix=fix)
                columns[at].append(defaults[at][0])
                continue
            try:
                columns[at].append(readers[at](field))
            except (ValueError, OverflowError):
                text = field.decode("utf-8", "replace")
                raise invalid(f"Field {at} in record {number} is not a valid {runtime_name(kinds[at])}: {text}") from None
    results = []
    for column, kind in zip(columns, kinds):
        out = np.empty(len(column), kind.as_numpy_dtype)
        out[:] = column
        results.append(out.reshape(lines.shape)[()])
    return results  # type: ignore[return-value]


# -- JSON -----------------------------------------------------------------------------------------------------------------


@op("DecodeJSONExample", out="binary_examples", shape=same_shape)
def decode_json_example(xp: Any, json_examples: string) -> string:
    """Examples as JSON to serialized ones: any shape -> the same shape. Lists are packed, where TF 1.15 does not pack them.

    Raises: InvalidArgumentError for text that is no example.
    """
    from ..base import proto

    texts = np.asarray(json_examples, object)
    out = np.empty(texts.shape, object)
    for place in np.ndindex(texts.shape):
        try:
            message = proto.from_json(texts[place], proto.Example())
        except ValueError as error:
            raise invalid(f"Error while parsing JSON: {_reason(error)}") from None
        out[place] = message.SerializeToString(deterministic=True)
    return out[()]  # type: ignore[no-any-return]


def _reason(error: ValueError) -> str:
    is_json = not isinstance(error, UnicodeDecodeError) and "Failed to load JSON" not in str(error)
    return str(error).partition("\n")[0] if is_json else "Unexpected token."


# -- tensors as messages --------------------------------------------------------------------------------------------------

# Dtypes whose values stand in fields of other widths, by the field.
_FIELDS = {
    "float": "float_val", "double": "double_val", "int64": "int64_val", "bool": "bool_val", "string": "string_val",
    "uint32": "uint32_val", "uint64": "uint64_val", "half": "half_val", "bfloat16": "half_val", "complex64": "scomplex_val",
    "complex128": "dcomplex_val",
}  # fmt: skip


@op("SerializeTensor", out="serialized", shape=lambda tensor: ())
def serialize_tensor(xp: Any, tensor: Any_) -> string:
    """The tensor as a serialized TensorProto: any shape -> scalar."""
    from ..base import proto

    array = np.asarray(tensor, object if isinstance(tensor, bytes) else None)
    kind = string if array.dtype == object else as_dtype(array.dtype)
    message = proto.TensorProto(dtype=kind.as_datatype_enum)
    message.tensor_shape.SetInParent()
    for size in array.shape:
        message.tensor_shape.dim.add(size=size)
    if kind is string:
        message.string_val.extend(array.ravel().tolist())
    else:
        message.tensor_content = np.ascontiguousarray(array).tobytes()
    return message.SerializeToString()  # type: ignore[no-any-return]


@op("ParseTensor", out="output", shape=lambda serialized, *, out_type: _unknown(serialized))
def parse_tensor(xp: Any, serialized: string, *, out_type: DType) -> "out_type":  # noqa: F821
    """The tensor of a serialized TensorProto: scalar -> any shape.

    Raises: InvalidArgumentError for other bytes, and for another dtype.
    """
    from ..base import proto

    data = bytes(np.asarray(serialized, object)[()])
    try:
        message = proto.TensorProto.FromString(data)
        kind = as_dtype(message.dtype)
    except (proto.DecodeError, TypeError):
        raise invalid("Could not parse `serialized` as TensorProto, are you sure it is one?") from None
    if kind is not out_type:
        raise invalid(f"Type mismatch between parsed tensor ({runtime_name(kind)}) and dtype ({runtime_name(out_type)})")
    return _array_of(message, kind)  # type: ignore[no-any-return]


def _unknown(serialized: Sym) -> None:
    scalar(serialized)


def _array_of(message: Any, kind: DType) -> Any:
    shape = [dim.size for dim in message.tensor_shape.dim]
    count = 1
    for size in shape:
        count *= size
    if message.tensor_shape.unknown_rank or any(size < 0 for size in shape):
        raise invalid("Cannot parse tensor from proto: its shape is not known")
    dtype = np.dtype(kind.as_numpy_dtype)
    budget.current().account("A tensor").take("bytes", count * dtype.itemsize)
    if message.tensor_content and kind is not string:
        if len(message.tensor_content) != count * dtype.itemsize:
            raise invalid(f"Cannot parse tensor from proto: {len(message.tensor_content)} bytes for {count} elements")
        return np.frombuffer(message.tensor_content, dtype).reshape(shape)[()]
    field = _FIELDS.get(runtime_name(kind), "int_val")
    values = list(getattr(message, field))
    if field == "half_val":
        values = list(np.array(values, np.uint16).view(dtype))
    elif field in ("scomplex_val", "dcomplex_val"):
        values = [complex(*pair) for pair in zip(values[::2], values[1::2])]
    if len(values) > count:
        raise invalid(f"Cannot parse tensor from proto: {len(values)} values for {count} elements")
    out = np.zeros(count, dtype)
    if kind is string:
        out[:] = b""
    out[: len(values)] = values
    if values:  # the last one stands for those that follow
        out[len(values) :] = values[-1]
    return out.reshape(shape)[()]


__all__ = ["fields_of"]
