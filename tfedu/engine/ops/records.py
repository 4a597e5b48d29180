"""DecodeCSV and DecodeJSONExample: tensors and messages out of texts; ParseTensor and SerializeTensor: tensors as messages.
No state.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape, ShapeMismatch
from ..base.text_bytes import as_bytes
from ..files import example_wire as wire
from ..graph.default_graph import get_default_graph
from ..op.define import Each, Sym, op, same_shape, typevar
from ..op.gradient_rules import STRINGS
from ..op.shape_checks import Any_, as_array, at_most, invalid, kinds, text_of, unwrapped
from .strings import display_text, each
from .text_conversion import number_in

string = dtypes.string
FIELDS = kinds("float double int32 int64 string")
_SHOWN = 1000  # bytes of a broken message that its error shows


# -- csv -------------------------------------------------------------------------------------------------------------


@op("DecodeCSV")
def decode_csv(
    xp: Any,
    records: string,
    record_defaults: Each["OUT_TYPE", 1, FIELDS],  # noqa: F821
    *,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: list[int] = [],  # noqa: B006 - read only
) -> Each["OUT_TYPE"]:  # noqa: F821
    """The fields of csv lines: records [...], for each field a default (scalar, [1], or [0] where it must not be missing)
    -> for each field a tensor [...].

    Raises: InvalidArgumentError for another number of fields, a missing field, a field that is no number, wrong quotes.
    """
    delimiter, missing = as_bytes(field_delim), as_bytes(na_value)
    if len(delimiter) != 1:
        raise invalid("field_delim should be only 1 char")
    lines = as_array(records)
    defaults = [as_array(default).reshape(-1) for default in record_defaults]
    for i, default in enumerate(defaults):
        if default.size > 1:
            raise invalid(f"There should only be 1 default per field but field {i} has {default.size}")
    typed = [(default, string if default.dtype == object else dtypes.as_dtype(default.dtype)) for default in defaults]
    rows = []
    for number, line in enumerate(lines.reshape(-1)):
        fields = csv_fields(line, delimiter, use_quote_delim)
        if select_cols:
            fields = [fields[column] for column in select_cols if column < len(fields)]
        if len(fields) != len(defaults):
            raise invalid(f"Expect {len(defaults)} fields but have {len(fields)} in record {number}")
        rows.append([csv_value(field, i, number, *of_column, missing) for i, (field, of_column) in enumerate(zip(fields, typed))])
    columns = zip(*rows) if rows else [()] * len(defaults)
    out = [_column(column, default.dtype).reshape(lines.shape) for column, default in zip(columns, defaults)]
    return [unwrapped(column) for column in out]  # type: ignore[return-value]


def _column(values: Sequence[Any], kind: Any) -> Any:
    out = np.empty(len(values), kind)
    out[:] = values
    return out


def csv_value(field: bytes, index: int, record: int | str, default: Any, dtype: DType, missing: bytes) -> Any:
    """The value of a field of that dtype: its default [1] if the field is empty or spells `missing`. record: for error texts.

    Raises: InvalidArgumentError for a missing field whose default is [0], and for a field that is no number.
    """
    if not field or field == missing:
        if not default.size:
            raise invalid(f"Field {index} is required but missing in {_record(record)}!")
        return default[0]
    if dtype is string:
        return field
    number = number_in(field, dtype)
    if number is None:
        raise invalid(f"Field {index} in {_record(record)} is not a valid {runtime_name(dtype)}: {display_text(field)}")
    return number


def _record(number: int | str) -> str:
    return f"record {number}".rstrip()


def csv_fields(line: bytes, delimiter: bytes, has_quotes: bool = True) -> list[bytes]:
    """The fields of one line; an empty line has none.

    Raises: InvalidArgumentError for quotes and line ends within a field without quotes, and for quotes that do not end.
    """
    if not line:
        return []
    if (has_quotes and b'"' in line) or b"\n" in line or b"\r" in line:
        return _quoted_fields(line, delimiter, has_quotes)
    return line.split(delimiter)


def _quoted_fields(line: bytes, delimiter: bytes, has_quotes: bool) -> list[bytes]:
    fields, at = [], 0
    while at < len(line):
        if has_quotes and line.startswith(b'"', at):
            field, at = _quoted(line, at + 1, delimiter)
        else:
            end = line.find(delimiter, at)
            end = len(line) if end < 0 else end
            field, at = line[at:end], end + 1
            if b"\n" in field or b"\r" in field or (has_quotes and b'"' in field):
                raise invalid("Unquoted fields cannot have quotes/CRLFs inside")
        fields.append(field)
    if line.endswith(delimiter):
        fields.append(b"")
    return fields


def _quoted(line: bytes, at: int, delimiter: bytes) -> tuple[bytes, int]:
    """The field behind a quote, and where the next one begins."""
    field = bytearray()
    while True:
        end = line.find(b'"', at)
        if end < 0:
            raise invalid("Quoted field has to end with quote followed by delim or end")
        field += line[at:end]
        after = line[end + 1 : end + 2]
        if after in (b"", delimiter):
            return bytes(field), end + 2
        if after != b'"':
            raise invalid("Quote inside a string has to be escaped by another quote")
        field += b'"'
        at = end + 2


@decode_csv.shape
def _(records: Sym, record_defaults: Sequence[Sym], **_: Any) -> list[Shape]:
    for default in record_defaults:
        shape = at_most(default.shape, 1)
        if shape and shape[0] is not None and shape[0] > 1:
            raise ShapeMismatch("Shape of a default must be a length-0 or length-1 vector, or a scalar.")
    return [records.shape] * len(record_defaults)


# -- json ------------------------------------------------------------------------------------------------------------


@op("DecodeJSONExample", out="binary_examples", shape=same_shape)
def decode_json_example(xp: Any, json_examples: string) -> string:
    """Examples in the JSON form of protocol messages as serialized ones, any shape -> the same shape.

    Raises: InvalidArgumentError for another text.
    """
    return each(_example_of, json_examples)


def _example_of(text: bytes) -> bytes:
    from ..base import proto

    try:
        message = proto.from_json(text, proto.Example())
    except ValueError as error:
        reason = str(error).partition("\n")[0]
        raise invalid(f"Error while parsing JSON: {reason}") from None
    # a message has no order of keys, the text has
    features = message.features.feature
    named = json.loads(text).get("features") or {}
    return _field(wire.ITEM, b"".join(_entry(key, features[key]) for key in named.get("feature") or {})) if features else b""


def _entry(key: str, feature: Any) -> bytes:
    kind = feature.WhichOneof("kind")
    content = b""
    if kind is not None:
        values = getattr(feature, kind).value
        tag = {"bytes_list": wire.BYTES, "float_list": wire.FLOATS, "int64_list": wire.INTS}[kind]
        content = _field(tag, b"".join(map(_WRITE[tag], values)))
    return _field(wire.ITEM, _field(wire.ITEM, key.encode()) + _field(wire.FLOATS, content))


def _field(tag: int, data: bytes) -> bytes:
    return bytes([tag]) + wire.as_varint(len(data)) + data


# As TensorFlow, which writes each number with a tag here.
_WRITE: dict[int, Any] = {
    wire.BYTES: lambda value: _field(wire.ITEM, value), wire.FLOATS: lambda value: b"\x0d" + np.float32(value).tobytes(),
    wire.INTS: lambda value: b"\x08" + wire.as_varint(value),
}  # fmt: skip


# -- tensors as messages -----------------------------------------------------------------------------------------------


@op("SerializeTensor", out="serialized", not_differentiable=STRINGS, shape=lambda tensor: ())
def serialize_tensor(xp: Any, tensor: Any_) -> string:
    """A tensor of any shape as serialized TensorProto -> scalar. Raises: UnimplementedError for handles."""
    from ..base import proto

    array = as_array(tensor)
    dtype = string if array.dtype == object else dtypes.as_dtype(array.dtype)
    message = proto.TensorProto(dtype=dtype.as_datatype_enum)
    message.tensor_shape.SetInParent()
    for size in array.shape:
        message.tensor_shape.dim.add().size = size
    if dtype is string:
        message.string_val.extend(array.reshape(-1).tolist())
    else:
        message.tensor_content = array.tobytes()
    data: bytes = message.SerializeToString()
    return data  # type: ignore[return-value]


@op("ParseTensor", not_differentiable=STRINGS, shape=lambda serialized, *, out_type: None)
def parse_tensor(xp: Any, serialized: string, *, out_type: typevar("out_type")) -> "out_type":  # type: ignore[valid-type] # noqa: F821
    """The tensor of a serialized TensorProto, a scalar -> any shape.

    Raises: InvalidArgumentError for bytes that are no TensorProto or one of another dtype, ResourceExhaustedError for a
    tensor that expands to more than the budget (tf.io.Budget).
    """
    from ..base import proto

    data = as_array(serialized)
    if data.ndim:
        raise invalid(f"Expected `serialized` to be a scalar, got shape: {text_of(data.shape)}")
    try:
        message = proto.TensorProto.FromString(data[()])
    except proto.DecodeError:
        raise invalid(f"Could not parse `serialized` as TensorProto: '{display_text(data[()][:_SHOWN])}'") from None
    kind: DType | None = None
    if message.dtype in proto.DATA_TYPES and message.dtype:
        kind = dtypes.as_dtype(message.dtype)
    if kind is not None and kind is not out_type:
        names = f"({runtime_name(kind)}) and dtype ({runtime_name(out_type)})"
        raise invalid(f"Type mismatch between parsed tensor {names}")
    try:
        value = get_default_graph()._read_tensor(message)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise invalid(f"Cannot parse tensor from proto: {str(message)[:_SHOWN]}") from None
    return unwrapped(value)
