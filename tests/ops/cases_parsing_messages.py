"""Rows of the op table: fields of protocol messages as tensors, and tensors as messages."""

from __future__ import annotations

from typing import Any

import numpy as np
from cases import array, case
from google.protobuf import descriptor_pb2
from harness import raw

FIELD = descriptor_pb2.FieldDescriptorProto
# name: (number, type, whether it is repeated, default, whether it is packed)
FIELDS = {
    "i32": (1, "INT32", False, "7", None), "i64s": (2, "INT64", True, None, None), "f": (3, "FLOAT", False, "1.5", None),
    "ss": (4, "STRING", True, None, None), "s": (5, "STRING", False, "hi", None), "sub": (6, "MESSAGE", False, None, None),
    "b": (8, "BOOL", False, None, None), "u32": (9, "UINT32", False, None, None), "u64": (10, "UINT64", False, None, None),
    "d": (11, "DOUBLE", False, None, None), "fx32": (12, "FIXED32", False, None, None), "fx64": (13, "FIXED64", False, None, None),
    "sx32": (14, "SFIXED32", False, None, None), "sx64": (15, "SFIXED64", False, None, None),
    "z32": (16, "SINT32", False, None, None), "z64": (17, "SINT64", False, None, None), "by": (18, "BYTES", False, None, None),
    "pk": (20, "INT32", True, None, True), "fs": (21, "FLOAT", True, None, None), "zs": (22, "SINT32", True, None, True),
    "bs": (24, "BOOL", True, None, True),
}  # fmt: skip


def source() -> bytes:
    """The description of the message type my.M, of which the fields above are those of proto2."""
    files = descriptor_pb2.FileDescriptorSet()
    file = files.file.add(name="m.proto", package="my", syntax="proto2")
    message = file.message_type.add(name="M")
    for name, (number, kind, is_repeated, default, is_packed) in FIELDS.items():
        label = FIELD.LABEL_REPEATED if is_repeated else FIELD.LABEL_OPTIONAL
        field = message.field.add(name=name, number=number, type=getattr(FIELD, f"TYPE_{kind}"), label=label)
        if default is not None:
            field.default_value = default
        if is_packed is not None:
            field.options.packed = is_packed
        if kind == "MESSAGE":
            field.type_name = ".my.M"
    return b"bytes://" + files.SerializeToString()


SOURCE = source()
FULL = (
    b"\x08\xfd\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x01\x10\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x1d\x00\x00\x20\x40"
    b"\x22\x01a\x22\x01b\x2a\x01x\x32\x02\x08\x04\x40\x01\x48\xff\xff\xff\xff\x0f\x50\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
    b"\x59\x9a\x99\x99\x99\x99\x99\xb9\x3f\x65\xff\xff\xff\xff\x69\xff\xff\xff\xff\xff\xff\xff\xff\x75\xfb\xff\xff\xff"
    b"\x79\xfa\xff\xff\xff\xff\xff\xff\xff\x80\x01\x0d\x88\x01\x0f\x92\x01\x02\xff\x00\xa2\x01\x03\x01\xac\x02\xad\x01\x00\x00\x80\x3f"
    b"\xad\x01\x00\x00\x00\x40\xb2\x01\x02\x01\x04\xc2\x01\x02\x01\x00"
)
SPARSE = b"\x10\x09"
BOTH = np.array([FULL, SPARSE], object)
TYPES = {
    "INT32": "int32 int64", "INT64": "int64", "FLOAT": "float32 float64", "STRING": "string", "MESSAGE": "string", "BOOL": "bool",
    "UINT32": "uint32 uint64", "UINT64": "uint64", "DOUBLE": "float64", "FIXED32": "uint32 uint64", "FIXED64": "uint64",
    "SFIXED32": "int32 int64", "SFIXED64": "int64", "SINT32": "int32 int64", "SINT64": "int64", "BYTES": "string",
}  # fmt: skip


def decoded(names: str, kinds: str, message_type: str = "my.M", descriptor_source: Any = SOURCE, **options: Any) -> Any:
    def build(tf: Any, data: Any) -> Any:
        found = raw(
            tf, "DecodeProtoV2", bytes=data, message_type=message_type, field_names=names.split(),
            output_types=[getattr(tf, kind) for kind in kinds.split()], descriptor_source=descriptor_source, **options,
        )  # fmt: skip
        return (found.sizes, *found.values)

    return build


def encoded(names: str, message_type: str = "my.M", descriptor_source: Any = SOURCE) -> Any:
    def build(tf: Any, sizes: Any, *values: Any) -> Any:
        return raw(
            tf, "EncodeProto", sizes=sizes, values=list(values), field_names=names.split(), message_type=message_type,
            descriptor_source=descriptor_source,
        )  # fmt: skip

    return build


def strings(*values: Any) -> Any:
    return np.array(values, object)


D, E = "raw_ops.DecodeProtoV2", "raw_ops.EncodeProto"
WIDE = {"u32", "u64", "fx32", "fx64"}
for name, (_, kind, _, _, _) in FIELDS.items():
    # 1.15 reads a packed int32 below zero as a large int64; the row has none
    for dtype in TYPES[kind].split():
        case(D, f"{name} {dtype}", decoded(name, dtype), BOTH)
        if dtype == "string":
            values = strings([b"a", b""])
        else:
            values = array(dtype, 3, 0) if kind == "BOOL" else array(dtype, 3, 5 if name in WIDE else -5)
            values = values.reshape(1, 2)
        case(E, f"{name} {dtype}", encoded(name), array("int32", 2).reshape(1, 1), values)

case(D, "several", decoded("s i64s i32", "string int64 int64"), strings([FULL], [SPARSE]), nodes=True, shapes=True)
case(D, "one", decoded("ss", "string"), np.array(SPARSE, object))
case(D, "of tensorflow", decoded("features", "string", "tensorflow.Example", "local://"), strings(b"\x0a\x07\x0a\x05\x0a\x01a\x12\x00"))
case(D, "as text", decoded("i32 ss sub", "int32 string string", message_format="text"), strings(b'i32: 5 ss: "a" ss: "b" sub { i32: 3 }'))
case(D, "broken text", decoded("i32", "int32", message_format="text"), strings(b"i32: x"))
case(D, "no format", decoded("i32", "int32", message_format="json"), strings(b"{}"))
case(D, "sanitized", decoded("i32 s", "int32 string", sanitize=True), strings(b"\x2a\x01a\x08\x05\xf8\x01\x01"))
case(D, "the last one", decoded("i32 s sub", "int32 string string"), strings(b"\x08\x05\x08\x06\x2a\x01a\x2a\x01b\x32\x02\x08\x05\x32\x03\x2a\x01z"))
case(D, "packed or not", decoded("pk i64s", "int32 int64"), strings(b"\xa0\x01\x05\x12\x02\x05\x06"))
case(D, "of another kind", decoded("i32 s", "int32 string"), strings(b"\x0d\x00\x00\x00\x00\x28\x01"))
case(D, "a group", decoded("i32", "int32"), strings(b"\xf3\x01\x08\x01\xf4\x01\x08\x05"))
case(D, "a long number", decoded("i32 b", "int32 bool"), strings(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x40\x02"))
case(D, "no bytes", decoded("s", "string"), np.empty(0, object))
case(D, "no field", decoded("zz", "string"), BOTH)
case(D, "no message", decoded("s", "string", "my.N"), BOTH)
case(D, "no local message", decoded("s", "string", "my.M", "local://"), BOTH)
case(D, "another dtype", decoded("u32", "int64"), BOTH)
case(D, "two names", decoded("s f", "string"), BOTH)
case(D, "no source", decoded("s", "string", "my.M", b"bytes://\x0a\xff"), BOTH)
case(D, "no file", decoded("s", "string", "my.M", "/no/such/file"), BOTH)
for name, data in {
    "in a text": b"\x2a\x05ab", "in a number": b"\x08\xff", "at a number": b"\x08", "in a tag": b"\x08\x01\xff",
    "in the unread": b"\x10\x09\x1d\x01", "of no kind": b"\x0c", "tag 0": b"\x00\x01",
}.items():  # fmt: skip
    case(D, f"broken {name}", decoded("i32 s", "int32 string"), strings(data))
case(D, "a broken list", decoded("fs", "float32"), strings(b"\xaa\x01\x03abc"))
case(D, "a broken list of numbers", decoded("pk", "int32"), strings(b"\xa2\x01\x02\xff\xff"))

SIZES = array("int32", 1, 2, 0, 0, 1, 1).reshape(2, 3)
case(E, "several", encoded("s i64s i32"), SIZES, strings([b"a"], [b"b"]), array("int64", 1, 2, 3, 4).reshape(2, 2), array("int32", 1, 2).reshape(2, 1),
     nodes=True, shapes=True)  # fmt: skip
case(E, "deep", encoded("s"), array("int32", 1, 1).reshape(2, 1, 1), strings([[b"a"]], [[b"b"]]))
case(E, "none", encoded("i64s"), array("int32", 0).reshape(1, 1), np.zeros((1, 0), np.int64))
case(E, "of tensorflow", encoded("features", "tensorflow.Example", "local://"), array("int32", 1).reshape(1, 1), strings([b""]))
ONE, A = array("int32", 1).reshape(1, 1), strings([b"a", b"b"])
case(E, "too many", encoded("ss"), array("int32", 3).reshape(1, 1), A)
case(E, "below zero", encoded("ss"), array("int32", -1).reshape(1, 1), A)
case(E, "other sizes", encoded("ss"), array("int32", 1, 1).reshape(1, 2), A)
case(E, "two names", encoded("ss s"), ONE, A)
case(E, "a vector", encoded("s"), array("int32", 1), strings(b"a"))
case(E, "other rows", encoded("s ss"), array("int32", 1, 1).reshape(1, 2), A, strings([b"c"], [b"d"]))
case(E, "no field", encoded("zz"), ONE, A)
case(E, "no message", encoded("s", "my.N"), ONE, A)
case(E, "another dtype", encoded("i32"), ONE, array("float32", 1).reshape(1, 1))
