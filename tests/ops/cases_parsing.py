"""Rows of the op table: Examples, SequenceExamples, csv lines and serialized tensors, and what is wrong with them."""

from __future__ import annotations

from typing import Any

import numpy as np
from cases import array, case, form
from example_bytes import entry, example, field, sequence, string, strings


def flat(found: Any) -> list[Any]:
    """The tensors of dictionaries in the order of their keys, sparse ones as their parts."""
    if isinstance(found, tuple):
        return [tensor for part in found for tensor in flat(part)]
    out: list[Any] = []
    for key in sorted(found):
        tensor = found[key]
        out += [tensor.indices, tensor.values, tensor.dense_shape] if hasattr(tensor, "dense_shape") else [tensor]
    return out


def parsed(label: str, features: Any, *examples: bytes, **options: Any) -> None:
    """Rows of parse_example, and of parse_single_example with the first example."""

    def batch(tf: Any, serialized: Any) -> Any:
        return flat(tf.io.parse_example(serialized, features(tf)))

    def single(tf: Any, serialized: Any) -> Any:
        return flat(tf.io.parse_single_example(serialized, features(tf)))

    case("io.parse_example", label, batch, strings(*examples), **options)
    case("io.parse_single_example", label, single, string(examples[0]), **options)


FULL = {"nodes": True, "shapes": True}
A = example(x=[1.0, 2.0], y=[3], z=[b"q"], n=[5, -1, 1 << 40])
B = example(n=[300], z=[b"r", b"s"], y=[200], x=[-0.5, 4.0])
# -- sound examples --
parsed("dense", lambda tf: {"x": tf.FixedLenFeature([2], tf.float32), "y": tf.FixedLenFeature([], tf.int64)}, A, B, **FULL)
parsed("dense strings", lambda tf: {"z": tf.FixedLenFeature([1], tf.string)}, A, A, **FULL)
parsed("dense matrix", lambda tf: {"x": tf.FixedLenFeature([1, 2], tf.float32)}, A, B)
parsed("sparse", lambda tf: {"z": tf.VarLenFeature(tf.string), "n": tf.VarLenFeature(tf.int64)}, A, B, **FULL)
parsed("sparse floats", lambda tf: {"x": tf.VarLenFeature(tf.float32)}, A, example(), B)
parsed("no such sparse feature", lambda tf: {"w": tf.VarLenFeature(tf.int64)}, A, B)
parsed("defaults", lambda tf: {"w": tf.FixedLenFeature([2], tf.float32, [7, 8])}, A, example(w=[1.0, 2.0]), **FULL)
parsed("a default string", lambda tf: {"w": tf.FixedLenFeature([], tf.string, "d")}, A, example(w=[b"e"]), **FULL)
parsed("a default tensor", lambda tf: {"w": tf.FixedLenFeature([1], tf.int64, tf.constant([4], tf.int64))}, A, B, **FULL)
parsed("rows", lambda tf: {"n": tf.FixedLenSequenceFeature([], tf.int64, True)}, A, B, example(), **FULL)
parsed("pairs of rows", lambda tf: {"n": tf.FixedLenSequenceFeature([2], tf.int64, True)}, example(n=[1, 2, 3, 4]), example(n=[5, 6]))
parsed("padded rows", lambda tf: {"z": tf.FixedLenSequenceFeature([], tf.string, True, "p")}, A, B, **FULL)
parsed("no rows", lambda tf: {"w": tf.FixedLenSequenceFeature([2], tf.float32, True)}, A, B)
parsed("indices", lambda tf: {"s": tf.SparseFeature("i", "v", tf.float32, 5)}, example(i=[3, 1], v=[1.0, 2.0]), **FULL)
parsed("sorted indices", lambda tf: {"s": tf.SparseFeature("i", "v", tf.int64, 5, True)}, example(i=[1, 3], v=[1, 2]), **FULL)
parsed(
    "indices of two axes", lambda tf: {"s": tf.SparseFeature(["i", "j"], "v", tf.float32, [5, 2])},
    example(i=[3, 1], j=[0, 1], v=[1.0, 2.0]),
)  # fmt: skip
parsed("an odd key", lambda tf: {"a b": tf.FixedLenFeature([], tf.int64, 3)}, field(10, entry("a b", b"")), **FULL)
parsed("a feature without a list", lambda tf: {"x": tf.FixedLenFeature([2], tf.float32, [5, 6])}, example(x=None))
parsed("a sparse feature without a list", lambda tf: {"x": tf.VarLenFeature(tf.float32)}, example(x=None), A)
parsed("an empty list", lambda tf: {"x": tf.VarLenFeature(tf.int64)}, example(x=[]), A[:0])
parsed("no bytes at all", lambda tf: {"x": tf.FixedLenFeature([2], tf.float32, [0, 1])}, b"")
parsed("the last of two", lambda tf: {"x": tf.FixedLenFeature([], tf.int64)}, example(x=[1]) + example(x=[2]))
parsed("the last of two lists", lambda tf: {"x": tf.VarLenFeature(tf.int64)}, example(x=[1]) + example(x=[2]))
parsed("unknown fields", lambda tf: {"y": tf.FixedLenFeature([], tf.int64)}, A + b"\x18\x05\x1d....\x19........\x22\x01a")
parsed("a key that is no text", lambda tf: {"x": tf.VarLenFeature(tf.int64)}, field(10, field(10, field(10, b"\xff") + b"\x12\0")))


def wire(value: bytes) -> bytes:
    """An Example with the bytes of its feature x."""
    return field(10, entry("x", value))


def of_bytes(label: str, value: bytes, kind: str = "int64") -> None:
    parsed(f"bytes, {label}", lambda tf: {"x": tf.VarLenFeature(getattr(tf, kind))}, wire(value))


of_bytes("numbers with tags", b"\x1a\x04\x08\x01\x08\x02")
of_bytes("numbers with tags and without", b"\x1a\x08\x08\x01\x08\x02\n\x02\x03\x04")
of_bytes("two packed lists", b"\x1a\x06\n\x01\x01\n\x01\x02")
of_bytes("an unknown kind", b"\x22\x03\n\x01\x01")
of_bytes("two kinds", b"\x1a\x03\n\x01\x01\n\x03\n\x01\x02")
of_bytes("half a float", b"\x12\x05\n\x03\x01\x01\x01", "float32")
of_bytes("a float with a tag", b"\x12\x05\x0d\x00\x00\x80?", "float32")
of_bytes("a list longer than the feature", b"\x12\x7f\n\x04\x01\x01\x01\x01", "float32")
of_bytes("floats longer than the list", b"\x12\x06\n\x7f\x01\x01\x01\x01", "float32")
of_bytes("numbers longer than the list", b"\x1a\x04\n\x7f\x01\x02")
of_bytes("a string longer than the list", b"\n\x04\n\x7fab", "string")
of_bytes("another tag in strings", b"\n\x03\x12\x01\x01", "string")
of_bytes("another tag in numbers", b"\x1a\x03\x12\x01\x01")
of_bytes("a number that is cut", b"\x1a\x03\n\x01\x81")
of_bytes("a number that is too long", b"\x1a\x0d\n\x0b" + b"\x81" * 10 + b"\x01")
of_bytes("the longest number", b"\x1a\x0c\n\x0a" + b"\xff" * 9 + b"\x7f")
of_bytes("a length in many bytes", b"\x1a\x84\x00\n\x02\x01\x02")
of_bytes("a huge length", b"\x1a\xff\xff\xff\xff\xff\x01\n\x02\x01\x02")
of_bytes("no length", b"\x1a")
of_bytes("an empty packed list", b"\x1a\x02\n\x00")
of_bytes("bytes after a packed list", b"\x1a\x06\n\x01\x01zzz")


# -- examples that do not fit --
def refused(label: str, feature: Any, *examples: bytes) -> None:
    parsed(f"refused, {label}", lambda tf: {"x": feature(tf)}, *examples)


refused("missing", lambda tf: tf.FixedLenFeature([2], tf.float32), example(y=[1]))
refused("missing in the second", lambda tf: tf.FixedLenFeature([], tf.int64), example(x=[1]), example(y=[1]))
refused("another type", lambda tf: tf.FixedLenFeature([2], tf.int64), A)
refused("another sparse type", lambda tf: tf.VarLenFeature(tf.string), A)
refused("rows of another type", lambda tf: tf.FixedLenSequenceFeature([], tf.string, True), A)
refused("too few", lambda tf: tf.FixedLenFeature([3, 2], tf.float32), A)
refused("too many", lambda tf: tf.FixedLenFeature([], tf.float32), A)
refused("no values", lambda tf: tf.FixedLenFeature([1], tf.int64, [1]), example(x=[]))
refused("no multiple", lambda tf: tf.FixedLenSequenceFeature([2], tf.int64, True), example(x=[1, 2, 3]))
refused("garbage", lambda tf: tf.FixedLenFeature([2], tf.float32), b"garbage!")
refused("cut", lambda tf: tf.FixedLenFeature([2], tf.int64), example(x=[1, 2])[:-1])
refused("no key", lambda tf: tf.VarLenFeature(tf.int64), b"\n\x07\n\x05\x12\x03\x1a\x01\n")
refused("no value", lambda tf: tf.VarLenFeature(tf.int64), b"\n\x05\n\x03\n\x01x")
refused("the value first", lambda tf: tf.VarLenFeature(tf.int64), b"\n\x0a\n\x08\x12\x03\x1a\x01\n\n\x01x")
refused("a value longer than its entry", lambda tf: tf.VarLenFeature(tf.int64), b"\n\x7f\n\x7f\n\x01x\x12\x7f\x1a\x04\n\x02\x01\x02")
refused("a group", lambda tf: tf.VarLenFeature(tf.int64), b"\x1b\x1c")
refused("another field of the features", lambda tf: tf.VarLenFeature(tf.int64), b"\n\x02\x18\x05")
refused("the second is broken", lambda tf: tf.VarLenFeature(tf.int64), example(x=[1]), b"broken")
refused("a default of another shape", lambda tf: tf.FixedLenFeature([2], tf.int64, tf.constant([1, 2, 3], tf.int64)), A)
refused("padding of another shape", lambda tf: tf.FixedLenSequenceFeature([2], tf.int64, True, [1, 2]), A)
refused("an open size", lambda tf: tf.FixedLenFeature([None], tf.float32), A)
refused("int32", lambda tf: tf.FixedLenFeature([], tf.int32), A)
refused("sparse int32", lambda tf: tf.VarLenFeature(tf.int32), A)
refused("no type", lambda tf: tf.FixedLenFeature([], None), A)
refused("no shape", lambda tf: tf.FixedLenFeature(None, tf.float32), A)
refused("no feature", lambda tf: 3, A)
refused("rows that must be there", lambda tf: tf.FixedLenSequenceFeature([], tf.float32), A)
refused("indices of another type", lambda tf: tf.SparseFeature("x", "v", tf.float32, 4), A)
case("io.parse_example", "a scalar", lambda tf, s: flat(tf.io.parse_example(s, {"y": tf.VarLenFeature(tf.int64)})), string(A))
case(
    "io.parse_example", "no examples",
    lambda tf, s: flat(tf.io.parse_example(s, {"x": tf.FixedLenFeature([2], tf.float32), "v": tf.VarLenFeature(tf.int64)})), strings(),
)  # fmt: skip
case(
    "io.parse_example", "names",
    lambda tf, s, n: flat(tf.io.parse_example(s, {"x": tf.FixedLenFeature([3], tf.float32)}, example_names=n)),
    strings(A, B), strings(b"first", b"second"), nodes=True,
)  # fmt: skip
case(
    "io.parse_example", "too few names",
    lambda tf, s, n: flat(tf.io.parse_example(s, {"x": tf.FixedLenFeature([2], tf.float32)}, example_names=n)),
    strings(A, B), strings(b"first"),
)  # fmt: skip
form(
    "io.parse_single_example", "a name",
    lambda tf, s, n: flat(
        tf.io.parse_single_example(s, {"x y": tf.FixedLenFeature([2], tf.float32, [1, 2]), "n": tf.VarLenFeature(tf.int64)}, "p", n)
    ),
    string(A), string(b"me"),
)  # fmt: skip
case(
    "io.parse_single_example", "a name in an error",
    lambda tf, s, n: flat(tf.io.parse_single_example(s, {"x": tf.FixedLenFeature([3], tf.float32)}, example_names=n)),
    string(A), string(b"me"),
)  # fmt: skip


# -- sequences --
def sequences(label: str, context: Any, lists: Any, *examples: bytes, **options: Any) -> None:
    """Rows of parse_sequence_example, and of parse_single_sequence_example with the first example."""

    def batch(tf: Any, serialized: Any) -> Any:
        return flat(tf.io.parse_sequence_example(serialized, context(tf), lists(tf)))

    def single(tf: Any, serialized: Any) -> Any:
        return flat(tf.io.parse_single_sequence_example(serialized, context(tf), lists(tf)))

    case("io.parse_sequence_example", label, batch, strings(*examples), **options)
    case("io.parse_single_sequence_example", label, single, string(examples[0]), **options)


S = sequence({"n": [3], "s": [b"a", b"b"]}, x=[[1, 2], [3, 4], [5, 6]], v=[[1.0], [2.0, 3.0]], e=[])
T = sequence({"n": [4]}, v=[[7.0, 8.0, 9.0]], x=[[1, 2]], e=[])
none = lambda tf: {}

sequences(
    "all kinds", lambda tf: {"n": tf.FixedLenFeature([], tf.int64), "s": tf.VarLenFeature(tf.string)},
    lambda tf: {"x": tf.FixedLenSequenceFeature([2], tf.int64), "v": tf.VarLenFeature(tf.float32)}, S, T, **FULL,
)  # fmt: skip
sequences("a default", lambda tf: {"m": tf.FixedLenFeature([2], tf.int64, [1, 2])}, none, S, T, **FULL)
sequences("lists that may be missing", none, lambda tf: {"w": tf.FixedLenSequenceFeature([2], tf.int64, True)}, S, T, **FULL)
sequences("no such list", none, lambda tf: {"w": tf.VarLenFeature(tf.int64)}, S, T)
sequences("empty lists", none, lambda tf: {"e": tf.FixedLenSequenceFeature([3], tf.int64)}, S, T)
sequences("strings", none, lambda tf: {"x": tf.FixedLenSequenceFeature([], tf.string)}, sequence({}, x=[[b"1"], [b"3"]]), sequence({}, x=[]))
sequences("a step without values", none, lambda tf: {"x": tf.VarLenFeature(tf.int64)}, sequence({}, x=[[1], None, [2]]))
sequences("no bytes", none, lambda tf: {"x": tf.VarLenFeature(tf.int64)}, b"")
sequences("refused, missing", lambda tf: {"m": tf.FixedLenFeature([], tf.int64)}, none, S)
sequences("refused, missing in the second", lambda tf: {"n": tf.FixedLenFeature([], tf.int64)}, none, S, sequence({}))
sequences("refused, another type", lambda tf: {"n": tf.FixedLenFeature([], tf.float32)}, none, S)
sequences("refused, another sparse type", lambda tf: {"n": tf.VarLenFeature(tf.float32)}, none, S)
sequences("refused, too few", lambda tf: {"n": tf.FixedLenFeature([2], tf.int64)}, none, S)
sequences("refused, fewer in the second", lambda tf: {"s": tf.FixedLenFeature([2], tf.string)}, none, S, sequence({"s": [b"a"]}))
sequences("refused, no such dense list", none, lambda tf: {"w": tf.FixedLenSequenceFeature([2], tf.int64)}, S)
sequences("refused, a list of another type", none, lambda tf: {"x": tf.FixedLenSequenceFeature([2], tf.float32)}, S)
sequences("refused, a sparse list of another type", none, lambda tf: {"x": tf.VarLenFeature(tf.float32)}, S)
sequences("refused, too few in a step", none, lambda tf: {"x": tf.FixedLenSequenceFeature([3], tf.int64)}, S)
sequences("refused, uneven steps", none, lambda tf: {"x": tf.FixedLenSequenceFeature([2], tf.int64)}, sequence({}, x=[[1, 2], [3]]))
sequences("refused, a step without a list", none, lambda tf: {"x": tf.FixedLenSequenceFeature([], tf.int64)}, sequence({}, x=[[1], None]))
sequences("refused, garbage", none, lambda tf: {"x": tf.VarLenFeature(tf.int64)}, b"garbage!")
sequences("refused, a kind for lists alone", lambda tf: {"x": tf.FixedLenSequenceFeature([], tf.int64)}, none, S)
sequences("refused, a kind for the context alone", none, lambda tf: {"x": tf.FixedLenFeature([], tf.int64)}, S)
sequences("refused, a default of a list", none, lambda tf: {"x": tf.FixedLenSequenceFeature([], tf.int64, default_value=3)}, S)
sequences("refused, nothing wanted", none, none, S)


# -- csv --
def csv(label: str, defaults: Any, *lines: bytes, options: Any = None, **checks: Any) -> None:
    case("io.decode_csv", label, lambda tf, r: tf.io.decode_csv(r, defaults, **(options or {})), strings(*lines), **checks)


csv("numbers and texts", [[1], [2.0], [""]], b"1,2.5,a", b'3,,"x,""y"', **FULL)
case("io.decode_csv", "a matrix", lambda tf, r: tf.io.decode_csv(r, [[1], [0.5]]), np.array([[b"1,2"], [b"3,4"]], object), **FULL)
case("io.decode_csv", "a scalar", lambda tf, r: tf.io.decode_csv(r, [1, "d"]), string(b"1,a"), **FULL)
csv("all dtypes", [array("int32", 1), array("int64", 1), array("float32", 1), array("float64", 1), [""]], b"1,99999999999,1e3,-inf,e")
csv("spaces", [[1], [1.0], [""]], b" 1 , 2 , 3 ")
csv("defaults", [[7], [1.5], ["d"]], b",,", b'"","",""')
csv("another mark of missing fields", [[7], [1]], b"NA,1", options={"na_value": "NA"})
csv("another delimiter", [[7], [1]], b"1;2", options={"field_delim": ";"})
csv("quotes are letters", [[""], [""]], b'"a,b"', options={"use_quote_delim": False})
csv("a line end in quotes", [[""], [""]], b'"a\nb",c')
csv("two columns of three", [[7], [""]], b"1,2,3", options={"select_cols": [0, 2]}, **FULL)
csv("nothing behind the last delimiter", [[3], ["z"]], b"1,")
csv("no lines", [[3], [""]])
csv("refused, too few fields", [[1], [2.0], [""]], b"1,2,3", b"1,2")
csv("refused, too many fields", [[1]], b"1,2")
csv("refused, an empty line", [[1]], b"")
csv("refused, a field that must be there", [[1], array("float32")], b"1,")
csv("refused, no int32", [[1]], b"99999999999")
csv("refused, no float", [[1.0]], b"x")
csv("refused, a plus", [[1]], b"+1")
csv("refused, a quote within a field", [[""], [""]], b'a"b,c')
csv("refused, an open quote", [[""], [""]], b'"ab,c')
csv("refused, text behind a quote", [[""], [""]], b'"ab"x,c')
csv("refused, a line end", [[""]], b"a\r\n")
csv("refused, a long delimiter", [[1], [1]], b"1;;2", options={"field_delim": ";;"})
csv("refused, two defaults", [[1, 2]], b"1")
csv("refused, a default matrix", [[[1]]], b"1")
csv("refused, a default of another dtype", [[True]], b"1")
csv("refused, columns out of order", [[1], [1]], b"1,2,3", options={"select_cols": [2, 0]})
csv("refused, negative columns", [[1], [1]], b"1,2,3", options={"select_cols": [-1, 0]})
csv("refused, another number of columns", [[1], [1]], b"1,2,3", options={"select_cols": [0]})
csv("refused, a column that is not there", [[1], [1]], b"1,2,3", options={"select_cols": [0, 5]})

# -- json --
JSON = b'{"features": {"feature": {"x": {"int64List": {"value": ["1", -2]}}, "a": {"floatList": {"value": [1.5]}}, "e": {}}}}'
form("io.decode_json_example", "numbers", lambda tf, s: tf.io.decode_json_example(s), strings(JSON, b"{}"))
form("io.decode_json_example", "bytes", lambda tf, s: tf.io.decode_json_example(s),
     string(b'{"features": {"feature": {"x": {"bytes_list": {"value": ["YWI=", ""]}}}}}'))  # fmt: skip


# -- tensors as messages --
def serialized(label: str, value: Any, **checks: Any) -> None:
    case("io.serialize_tensor", label, lambda tf, t: tf.io.serialize_tensor(t), value, **checks)
    case("io.parse_tensor", label, lambda tf, t: tf.io.parse_tensor(tf.io.serialize_tensor(t), t.dtype), value, **checks)


serialized("float32", array("float32", 1, 2.5), **FULL)
serialized("a scalar", np.int32(3), **FULL)
serialized("strings", np.array([[b"a", b""], [b"\0", b"xyz"]], object), **FULL)
serialized("a string", string(b"ab"))
serialized("nothing", np.zeros((0, 3), "int64"))
for dtype in ("float64", "int32", "int64", "uint8", "int8", "int16", "uint16", "float16", "bool", "complex64", "complex128"):
    serialized(dtype, np.array([[0, 1], [1, 0]], dtype))


def message(label: str, data: bytes, dtype: str = "float32") -> None:
    case("io.parse_tensor", label, lambda tf, s: tf.io.parse_tensor(s, getattr(tf, dtype)), string(data))


message("one value for all", b"\x08\x01\x12\x04\x12\x02\x08\x03\x2a\x04\x00\x00\x00@")
message("no values", b"\x08\x01\x12\x04\x12\x02\x08\x03")
message("refused, another dtype", b"\x08\x01\x12\x04\x12\x02\x08\x03", "int32")
message("refused, garbage", b"garbage")
message("refused, no bytes", b"")
message("refused, too few bytes", b'\x08\x01\x12\x04\x12\x02\x08\x02"\x04abcd')
message("refused, more than there can be", b'\x08\x01\x12\x09\x12\x07\x08\xff\xff\xff\xff\xff\x1f"\x04abcd')
case("io.parse_tensor", "refused, a vector", lambda tf, s: tf.io.parse_tensor(s, tf.float32), strings(b""))
