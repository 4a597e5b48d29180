"""DecodeProtoV2 and EncodeProto: fields of protocol messages as tensors, and tensors as messages.

The bytes of a message are read and written here, field by field; protobuf says which fields a message type has. No state.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape
from ..files import gfile
from ..files.example_wire import Broken, as_varint, varint
from ..op.define import AtLeast, Each, Sym, op
from ..op.gradient_rules import STRINGS
from ..op.shape_checks import as_array, at_least, invalid, kinds, text_of, unwrapped

string = dtypes.string

# -- the types of fields ---------------------------------------------------------------------------------------------------

VARINT, EIGHT, BYTES, GROUP, GROUP_END, FOUR = range(6)
"""How the bytes of a value lie: the low three bits of its tag."""


class Form(NamedTuple):
    """How a type of field, of this name, is written. wire: its kind. dtypes: those of a tensor of its values.

    read: from what stands in the bytes to the value; write: back.
    """

    name: str
    wire: int
    dtypes: str
    read: Callable[[Any], Any] = lambda value: value
    write: Callable[[Any], Any] = lambda value: value


def _signed(bits: int) -> Callable[[int], int]:
    half, whole = 1 << bits - 1, 1 << bits
    return lambda number: (number + half) % whole - half


def _unzigzag(number: int) -> int:
    return number >> 1 ^ -(number & 1)


def _zigzag(bits: int) -> Callable[[int], int]:
    return lambda number: (int(number) << 1 ^ int(number) >> bits - 1) & (1 << bits) - 1


def _packed(name: str, wire: int, kinds: str, code: str) -> Form:
    packer = struct.Struct("<" + code)
    return Form(name, wire, kinds, lambda data: packer.unpack(data)[0], packer.pack)


# by the numbers of protobuf's field types, from 1 on
FORMS: Final = dict(enumerate([
    _packed("double", EIGHT, "double", "d"), _packed("float", FOUR, "float double", "f"),
    Form("int64", VARINT, "int64", _signed(64)), Form("uint64", VARINT, "uint64"),
    Form("int32", VARINT, "int32 int64", _signed(32)), _packed("fixed64", EIGHT, "uint64", "Q"),
    _packed("fixed32", FOUR, "uint32 uint64", "I"), Form("bool", VARINT, "bool", bool, int), Form("string", BYTES, "string"),
    Form("group", GROUP, "string"), Form("message", BYTES, "string"), Form("bytes", BYTES, "string"),
    Form("uint32", VARINT, "uint32 uint64", lambda number: number & 0xFFFF_FFFF), Form("enum", VARINT, "int32", _signed(32)),
    _packed("sfixed32", FOUR, "int32 int64", "i"), _packed("sfixed64", EIGHT, "int64", "q"),
    Form("sint32", VARINT, "int32 int64", lambda number: _unzigzag(number & 0xFFFF_FFFF), _zigzag(32)),
    Form("sint64", VARINT, "int64", _unzigzag, _zigzag(64)),
], 1))  # fmt: skip
_DEEPEST: Final = 100  # messages and groups within each other


class Field(NamedTuple):
    """A field of a message type that a node reads or writes. at: its place among the node's fields."""

    at: int
    name: str
    number: int
    form: Form
    dtype: DType
    is_repeated: bool
    is_packed: bool
    default: Any


@lru_cache(maxsize=64)
def _fields(
    message_type: str, names: tuple[str, ...], types: tuple[DType, ...], source: str, reads: bool
) -> tuple[Any, list[Field]]:
    """The message type, and its fields of these names. reads: whether they are to be read. Raises: InvalidArgumentError."""
    from ..base.proto import descriptors

    try:
        message = descriptors.found(message_type, source, _content)
    except (descriptors.Unusable, errors.OpError, UnicodeDecodeError) as error:
        raise invalid("Source does not represent serialized file descriptor set proto.", fix=str(error)) from None
    if message is None:
        raise invalid(f"No descriptor found for message type {message_type}")
    labels = descriptors.labels(message)
    fields = []
    for at, (name, dtype) in enumerate(zip(names, types)):
        label = labels.get(name)
        if label is None:
            raise invalid(f"Unknown field: {name} in message type {message_type}", fix=f"it has the fields {', '.join(labels)}")
        form = FORMS[label.type]
        if dtype not in kinds(form.dtypes):
            kind = message.fields_by_name[name].cpp_type
            text = f"Unexpected output type for {message.full_name}.{name}: {kind} to {dtype.as_datatype_enum}"
            if not reads:
                text = f"Incompatible type for field {name}.  Saw dtype: {runtime_name(dtype)} but field type is: {form.name}"
            raise invalid(text, fix=f"the values of this field are {' or '.join(form.dtypes.split())}, not {dtype.name}")
        is_repeated = label.label == label.LABEL_REPEATED
        default = None if is_repeated else message.fields_by_name[name].default_value
        if form.dtypes == "string":
            default = default.encode() if isinstance(default, str) else default or b""
        is_packed = is_repeated and form.dtypes != "string" and descriptors.packs(message, label)
        fields.append(Field(at, name, label.number, form, dtype, is_repeated, is_packed, 0 if default is None else default))
    return message, fields


def _content(path: str) -> bytes:
    with gfile.File(path, "rb") as file:
        return bytes(file.read())


# -- reading ---------------------------------------------------------------------------------------------------------------


@op("DecodeProtoV2", out="sizes values", not_differentiable=STRINGS)
def decode_proto_v2(
    xp: Any,
    bytes: string,  # the argument's name in TF
    *,
    message_type: str,
    field_names: list[str],
    output_types: AtLeast[0, list[DType]],
    descriptor_source: str = "local://",
    message_format: str = "binary",
    sanitize: bool = False,
) -> tuple[dtypes.int32, Each["output_types"]]:  # noqa: F821
    """Fields of serialized messages [...]: how many values each field has, [..., fields], and the values, [..., most of them].

    What is missing in values is the field's default.
    Raises: InvalidArgumentError for an unknown message type or field and for a dtype that does not go with a field; DataLossError
    for bytes that are no such message.
    """
    if message_format not in ("binary", "text"):
        raise invalid("format must be one of binary or text")
    if len(field_names) != len(output_types):
        raise invalid("field_names and output_types attributes must have the same length")
    message, fields = _fields(message_type, tuple(field_names), tuple(output_types), descriptor_source, True)
    texts = as_array(bytes)
    if not texts.size:
        raise invalid("Bufs argument must contain at least one value")
    rows = [_values(_binary(data, message, message_format, sanitize), fields) for data in texts.reshape(-1)]
    sizes = np.array([[len(values) for values in row] for row in rows], np.int32).reshape(*texts.shape, len(fields))
    return sizes, [_column(field, [row[field.at] for row in rows], texts.shape) for field in fields]


@decode_proto_v2.shape
def _(bytes: Sym, *, output_types: list[DType], **_: Any) -> list[Shape]:
    if bytes.shape is None:
        return [None] * (1 + len(output_types))
    return [(*bytes.shape, len(output_types)), *[(*bytes.shape, None)] * len(output_types)]


def _column(field: Field, rows: list[list[Any]], shape: tuple[int, ...]) -> Any:
    """The values of one field of all messages, filled up with its default."""
    width = max(1, *map(len, rows))
    kind = object if field.dtype is string else field.dtype.as_numpy_dtype
    out = np.full((len(rows), width), None, kind) if kind is object else np.zeros((len(rows), width), kind)
    out[...] = field.default
    for row, values in zip(out, rows):
        row[: len(values)] = values
    return unwrapped(out.reshape(*shape, width))


def _binary(data: bytes, message: Any, message_format: str, sanitize: bool) -> bytes:
    """The message's bytes, written anew where the format is text or the node asks for it."""
    if message_format == "binary" and not sanitize:
        return data
    from ..base.proto import DecodeError, descriptors

    parsed = descriptors.message_of(message)
    try:
        if message_format == "binary":
            parsed.ParseFromString(data)
        else:
            descriptors.text_format.Parse(data, parsed)
    except (DecodeError, descriptors.text_format.ParseError, UnicodeDecodeError) as error:
        raise _lost(f"Unable to parse {message_format} protobuf", str(error)) from None
    return parsed.SerializeToString(deterministic=True)


def _lost(text: str, fix: str | None = None) -> errors.DataLossError:
    error = errors.DataLossError(None, None, text)
    error.fix = fix
    return error


def _values(data: bytes, fields: Sequence[Field]) -> list[list[Any]]:
    """The values of each field in one message. Raises: DataLossError."""
    found: list[list[Any]] = [[] for _ in fields]
    by_number: dict[int, list[Field]] = {}
    for field in fields:
        by_number.setdefault(field.number, []).append(field)
    at, end = 0, len(data)
    try:
        while at < end:
            failed = "CountFields: Failed to consume entire buffer"
            tag, start = varint(data, at, end)
            known = by_number.get(tag >> 3, ())
            if tag >> 3 and tag & 7 != GROUP_END:
                failed = "ReadValue: Failed skipping field when counting" if known else "Failed skipping unrequested field"
            at, content = _after(data, start, end, tag)
            for field in known:
                values = _of_field(field, tag & 7, content)
                if field.is_repeated:
                    found[field.at] += values
                elif values:
                    found[field.at] = values[-1:]
    except Broken:
        raise _lost(failed, f"byte {at} begins no field of the message") from None
    return found


def _after(data: bytes, at: int, end: int, tag: int, depth: int = 0) -> tuple[int, Any]:
    """(the place after the value of a field, a number or the bytes of the value). Raises: Broken."""
    wire = tag & 7
    if not tag >> 3 or depth > _DEEPEST:
        raise Broken
    if wire == VARINT:
        number, after = varint(data, at, end)
        return after, number
    if wire == GROUP:
        start = at
        while True:
            inner, value = varint(data, at, end)
            if inner & 7 == GROUP_END:
                if inner >> 3 != tag >> 3:
                    raise Broken
                return value, data[start:at]
            at, _ = _after(data, value, end, inner, depth + 1)
    if wire == BYTES:
        length, at = varint(data, at, end)
        after = at + length
    elif wire in (FOUR, EIGHT):
        after = at + (4 if wire == FOUR else 8)
    else:
        raise Broken
    if after > end:
        raise Broken
    return after, data[at:after]


def _of_field(field: Field, wire: int, content: Any) -> list[Any]:
    """The values that the field has there: none where its bytes are of another kind. Raises: DataLossError."""
    read = field.form.read
    if wire == field.form.wire:
        return [read(content)]
    if wire != BYTES or not field.is_repeated or field.form.wire in (BYTES, GROUP):
        return []
    if field.form.wire == VARINT:
        values, at = [], 0
        try:
            while at < len(content):
                number, at = varint(content, at, len(content))
                values.append(read(number))
        except Broken:
            raise _lost("Corrupt packed varint") from None
        return values
    size = 4 if field.form.wire == FOUR else 8
    if len(content) % size:
        raise _lost(f"Illegal data length for packed fixed-size type: {len(content)}")
    return [read(content[i : i + size]) for i in range(0, len(content), size)]


# -- writing ---------------------------------------------------------------------------------------------------------------


@op("EncodeProto", out="bytes", not_differentiable=STRINGS)
def encode_proto(
    xp: Any,
    sizes: dtypes.int32,
    values: Each["Tinput_types"],  # noqa: F821
    *,
    field_names: list[str],
    message_type: str,
    descriptor_source: str = "local://",
) -> string:
    """Messages [...] as bytes: how many values each field has, [..., fields], and for each field its values, [..., n] -> [...].

    Raises: InvalidArgumentError for an unknown message type or field, a dtype that does not go with a field, and sizes that do
    not fit the values.
    """
    counts, columns = as_array(sizes), [as_array(column) for column in values]
    if len(field_names) != len(columns):
        raise invalid("Length of inputs list must match field_names")
    types = tuple([string if column.dtype == object else dtypes.as_dtype(column.dtype) for column in columns])
    _, fields = _fields(message_type, tuple(field_names), types, descriptor_source, False)
    for field, column in zip(fields, columns):
        if column.ndim < 2:
            found = text_of(column.shape)
            raise invalid(f"Invalid shape for field {field.name}.  Saw shape {found} but it should be at least a matrix.")
    shape = columns[0].shape[:-1]
    if any(column.shape[:-1] != shape for column in columns):
        raise invalid("Values must match up to the last dimension")
    if counts.shape != (*shape, len(fields)):
        wanted = text_of((*shape, len(fields)))
        raise invalid(f"sizes should be batch_size + [len(field_names)].  Saw: {text_of(counts.shape)} but expected: {wanted}")
    number = math.prod(shape)
    flat_counts = counts.reshape(number, len(fields)).tolist()
    flat = [column.reshape(number, column.shape[-1]).tolist() for column in columns]
    out = np.empty(number, object)
    for i, row in enumerate(flat_counts):
        out[i] = b"".join([
            _written(field, _first(flat[field.at][i], row[field.at], i, field.at))
            for field in sorted(fields, key=lambda field: field.number)
        ])  # fmt: skip
    return unwrapped(out.reshape(shape))  # type: ignore[no-any-return]


@encode_proto.shape
def _(sizes: Sym, values: Sequence[Sym], **_: Any) -> Shape:
    shape: Shape = None
    for each in values:
        known = at_least(each.shape, 2)
        shape = shapes.merge(shape, None if known is None else known[:-1])
    return shape


def _first(values: list[Any], count: int, message: int, field: int) -> list[Any]:
    if count > len(values):
        place = f"{count} > {len(values)} at message {message} field {field}"
        raise invalid(f"Size to write must not be larger than value tensor; but saw: {place}")
    return values[: max(count, 0)]


def _written(field: Field, values: list[Any]) -> bytes:
    """The values of one field behind their tags."""
    form = field.form
    if field.is_packed and values:
        return _tag(field, BYTES) + _with_length(b"".join([_value(form, value) for value in values]))
    if form.wire == GROUP:
        return b"".join([_tag(field, GROUP) + value + _tag(field, GROUP_END) for value in values])
    tag = _tag(field, form.wire)
    return b"".join([tag + _value(form, value) for value in values])


def _value(form: Form, value: Any) -> bytes:
    if form.wire == VARINT:
        return as_varint(form.write(value))
    return _with_length(value) if form.wire == BYTES else form.write(value)


def _tag(field: Field, wire: int) -> bytes:
    return as_varint(field.number << 3 | wire)


def _with_length(data: bytes) -> bytes:
    return as_varint(len(data)) + data
