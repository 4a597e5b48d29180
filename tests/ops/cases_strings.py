"""Rows of the op table: strings: joining and cutting, numbers as text, patterns, hashes, Unicode, raw bytes."""

import gzip
import zlib
from typing import Any

import numpy as np
from cases import array, case, form, inf, named, nan
from harness import raw


def words(*texts: Any) -> Any:
    """An array of byte strings."""
    made = np.empty(np.shape(texts), object)
    made[...] = texts
    return made


def sparse(value: Any) -> list[Any]:
    """The parts of a SparseTensor."""
    return [value.indices, value.values, value.dense_shape]


def ragged(value: Any) -> list[Any]:
    """The parts of a RaggedTensor."""
    return [value.flat_values, *value.nested_row_splits]


HELLO = words(b"Hello World", b"", b"ab\x00c", "größer".encode())
GRID = words([b"a", b"b", b"c"], [b"dd", b"", b"fff"])

# -- one string each -------------------------------------------------------------------------------------------------

for symbol in ("strings.lower", "strings.upper", "strings.strip", "strings.length"):
    f = named(symbol)
    form(symbol, "form", f, HELLO)
    form(symbol, "matrix", f, GRID)
    case(symbol, "scalar", f, np.array(b" x Y\n", object))
    case(symbol, "empty", f, np.empty((0, 2), object))
    case(symbol, "literal", lambda tf, f=f: f(tf, " A b "), nodes=True)
    case(symbol, "name", lambda tf, x, f=f: f(tf, x, name="mine"), HELLO, nodes=True)
    case(symbol, "of a number", f, np.int32(1))
    case(symbol, "of a literal number", lambda tf, f=f: f(tf, 1))
for symbol in ("strings.lower", "strings.upper"):
    f = named(symbol)
    form(symbol, "utf-8", lambda tf, x, f=f: f(tf, x, encoding="utf-8"), words("GRÖßE Éa Σ".encode(), b"q"))
    case(symbol, "unknown encoding", lambda tf, x, f=f: f(tf, x, encoding="latin"), HELLO)
    case(symbol, "utf-8, broken bytes", lambda tf, x, f=f: f(tf, x, encoding="utf-8"), words(b"\xffA"))
form("strings.length", "characters", lambda tf, x: tf.strings.length(x, unit="UTF8_CHAR"), HELLO)
case("strings.length", "unknown unit", lambda tf, x: tf.strings.length(x, unit="WORD"), HELLO)
case("strings.length", "text beside bytes", lambda tf: tf.strings.length(["a", b"\xff\xfe", "\u00e9"]), nodes=True)
case("strings.strip", "many blanks", named("strings.strip"), words(b"\t a b \r\n\v\f", b"   ", b"\xa0a"))
case("string_strip", "old name", named("string_strip"), words(b" a "))

# -- parts of strings ------------------------------------------------------------------------------------------------

for symbol in ("strings.substr", "substr"):
    form(symbol, "form", lambda tf, x, s=symbol: named(s)(tf, x, 1, 3), words(b"Hello", b"World"))
S = words(b"Hello", b"World")
U = words("größer".encode(), "日本語".encode(), b"abc")
form("strings.substr", "places of their own", lambda tf, x, p, n: tf.strings.substr(x, p, n), S, array("int32", 1, 2), array("int32", 2, 9))
form("strings.substr", "broadcast to", lambda tf, x, p, n: tf.strings.substr(x, p, n), np.array(b"thirteen", object), array("int64", 1, 5, 7), array("int64", 3, 2, 1))
form("strings.substr", "matrix and row", lambda tf, x, p, n: tf.strings.substr(x, p, n), words([b"ten", b"eleven"], [b"two", b"three"]), array("int32", 1, 2), array("int32", 1, 2))
form("strings.substr", "from the end", lambda tf, x: tf.strings.substr(x, -3, 2), S)
form("strings.substr", "characters", lambda tf, x: tf.strings.substr(x, 1, 2, unit="UTF8_CHAR"), U)
case("strings.substr", "characters from the end", lambda tf, x: tf.strings.substr(x, -2, 5, unit="UTF8_CHAR"), U)
case("strings.substr", "at the end", lambda tf, x: tf.strings.substr(x, 5, 1), S)
case("strings.substr", "beyond", lambda tf, x: tf.strings.substr(x, 6, 1), S)
case("strings.substr", "beyond the front", lambda tf, x: tf.strings.substr(x, -6, 1), S)
case("strings.substr", "beyond, characters", lambda tf, x: tf.strings.substr(x, 4, 1, unit="UTF8_CHAR"), U)
case("strings.substr", "beyond, in an array", lambda tf, x, p, n: tf.strings.substr(x, p, n), S, array("int32", 1, 7), array("int32", 1, 1))
case("strings.substr", "negative length", lambda tf, x: tf.strings.substr(x, 1, -1), S)
case("strings.substr", "shapes of pos and len differ", lambda tf, x: tf.strings.substr(x, [1, 2], 1), S)
case("strings.substr", "shapes differ", lambda tf, x: tf.strings.substr(x, [1, 2, 3], [1, 1, 1]), S)
case("strings.substr", "float places", lambda tf, x: tf.strings.substr(x, 1.0, 1), S)
case("strings.substr", "types of places differ", lambda tf, x, p, n: tf.strings.substr(x, p, n), S, np.int64(1), np.int32(1))
case("strings.substr", "unknown unit", lambda tf, x: tf.strings.substr(x, 1, 1, unit="x"), S)

# -- joining ---------------------------------------------------------------------------------------------------------

for symbol in ("strings.join", "string_join"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, y, f=f: f(tf, [x, y]), S, words(b"1", b"2"))
    form(symbol, "separator", lambda tf, x, y, f=f: f(tf, [x, y, x], "-"), S, words(b"1", b"2"))
    form(symbol, "with a scalar", lambda tf, x, f=f: f(tf, [x, "!"], separator=", ", name="mine"), S)
form("strings.join", "matrix", lambda tf, x, y: tf.strings.join([x, y, "z"]), GRID, GRID)
case("strings.join", "scalars", lambda tf: tf.strings.join(["a", "b"], "+"), nodes=True)
case("strings.join", "one", lambda tf, x: tf.strings.join([x], "+"), S)
case("strings.join", "empty", lambda tf, x: tf.strings.join([x, "a"]), np.empty(0, object))
case("strings.join", "shapes differ", lambda tf, x: tf.strings.join([x, ["a", "b", "c"]]), S)
case("strings.join", "ranks differ", lambda tf, x, y: tf.strings.join([x, y]), S, GRID)
case("strings.join", "no strings", lambda tf, x: tf.strings.join([x, "a"]), np.int32(1))
case("strings.join", "no list", lambda tf, x: tf.strings.join(x), S)

for symbol in ("strings.reduce_join", "reduce_join"):
    f = named(symbol)
    form(symbol, "form", f, GRID)
    form(symbol, "axis 0", lambda tf, x, f=f: f(tf, x, 0), GRID)
    form(symbol, "axis -1", lambda tf, x, f=f: f(tf, x, axis=-1, separator="."), GRID)
    form(symbol, "axes", lambda tf, x, f=f: f(tf, x, [1, 0], name="mine"), GRID)
    form(symbol, "keep", lambda tf, x, f=f: f(tf, x, axis=1, keep_dims=True), GRID)
    form(symbol, "old names", lambda tf, x, f=f: f(tf, x, reduction_indices=[0]), GRID)
form("strings.reduce_join", "keepdims", lambda tf, x: tf.strings.reduce_join(x, axis=[0], keepdims=True), GRID)
form("strings.reduce_join", "no axes", lambda tf, x: tf.strings.reduce_join(x, []), GRID)
form("strings.reduce_join", "axis tensor", lambda tf, x, a: tf.strings.reduce_join(x, a), GRID, np.int32(1))
case("strings.reduce_join", "vector", named("strings.reduce_join"), S)
case("strings.reduce_join", "scalar", named("strings.reduce_join"), np.array(b"a", object))
case("strings.reduce_join", "empty", lambda tf, x: tf.strings.reduce_join(x, 0), np.empty((0, 2), object))
case("strings.reduce_join", "three axes", lambda tf, x: tf.strings.reduce_join(x, [2, 0], separator=","), words([[b"a", b"b"]], [[b"c", b"d"]]))
case("strings.reduce_join", "beyond", lambda tf, x: tf.strings.reduce_join(x, 2), GRID)
case("strings.reduce_join", "beyond in the run", lambda tf, x, a: tf.strings.reduce_join(x, a), GRID, np.int32(5))
case("strings.reduce_join", "twice", lambda tf, x: tf.strings.reduce_join(x, [0, -2]), GRID)
case("strings.reduce_join", "numbers", lambda tf: tf.strings.reduce_join([1, 2]))

J = "strings.unsorted_segment_join"
form(J, "form", lambda tf, x, s: tf.strings.unsorted_segment_join(x, s, 3, ":"), words(b"a", b"b", b"c", b"d"), array("int32", 0, 2, 0, -1))
form(J, "matrix", lambda tf, x, s: tf.strings.unsorted_segment_join(x, s, 2), GRID, array("int64", 1, 1))
form(J, "ids of all", lambda tf, x, s: tf.strings.unsorted_segment_join(x, s, 2, name="mine"), GRID, np.array([[0, 1, 0], [1, 1, 0]], np.int32))
form(J, "number tensor", lambda tf, x, s, n: tf.strings.unsorted_segment_join(x, s, n), GRID, array("int32", 1, 0), np.int32(4))
case(J, "beyond", lambda tf, x, s: tf.strings.unsorted_segment_join(x, s, 2), S, array("int32", 0, 2))
case(J, "shapes differ", lambda tf, x, s: tf.strings.unsorted_segment_join(x, s, 2), S, array("int32", 0, 1, 1))
case(J, "negative number", lambda tf, x, s: tf.strings.unsorted_segment_join(x, s, -1), S, array("int32", 0, 1))
case(J, "float ids", lambda tf, x: tf.strings.unsorted_segment_join(x, [0.0, 1.0], 2), S)

# -- cutting ---------------------------------------------------------------------------------------------------------

T = words(b"hello world", b" a  b c ", b"", b"x")
C = words(b"a,b,,c", b",", b"", b"abc")
form("string_split", "form", lambda tf, x: sparse(tf.string_split(x)), T)
form("string_split", "delimiter", lambda tf, x: sparse(tf.string_split(x, ",")), C)
form("string_split", "keep empty", lambda tf, x: sparse(tf.string_split(x, ",", False)), C)
form("string_split", "old name", lambda tf, x: sparse(tf.string_split(x, delimiter=",")), C)
case("string_split", "two delimiters", lambda tf, x: sparse(tf.string_split(x, ",b")), C)
case("string_split", "each byte", lambda tf, x: sparse(tf.string_split(x, "")), C, nodes=True)
case("string_split", "list", lambda tf: sparse(tf.string_split(["a b"], name="mine")), nodes=True)
case("string_split", "ragged", lambda tf, x: ragged(tf.string_split(x, result_type="RaggedTensor")), T)
case("string_split", "tensor delimiter", lambda tf, x, d: sparse(tf.string_split(x, d)), C, np.array(b",", object))
case("string_split", "delimiter of rank 1", lambda tf, x: sparse(tf.string_split(x, [",", ";"])), C)
case("string_split", "scalar", lambda tf, x: sparse(tf.string_split(x)), np.array(b"a b", object))
case("string_split", "matrix", lambda tf, x: sparse(tf.string_split(x)), GRID)
case("string_split", "nothing", lambda tf, x: sparse(tf.string_split(x)), np.empty(0, object))
case("string_split", "wrong result_type", lambda tf, x: sparse(tf.string_split(x, result_type="x")), T)
case("string_split", "number", lambda tf: sparse(tf.string_split([1])))

form("strings.split", "form", lambda tf, x: sparse(tf.strings.split(x)), T)
form("strings.split", "separator", lambda tf, x: sparse(tf.strings.split(x, ",")), C)
form("strings.split", "at most", lambda tf, x: sparse(tf.strings.split(x, sep=",", maxsplit=1)), C)
case("strings.split", "at most, blanks", lambda tf, x: sparse(tf.strings.split(x, maxsplit=1)), T)
case("strings.split", "long separator", lambda tf, x: sparse(tf.strings.split(x, "<>")), words(b"1<>2<>3", b"<><>4"))
case("strings.split", "ragged", lambda tf, x: ragged(tf.strings.split(x, ",", result_type="RaggedTensor")), C)
case("strings.split", "ragged of a matrix", lambda tf, x: ragged(tf.strings.split(x, ",", result_type="RaggedTensor")), words([b"a,b", b"c"], [b"", b"d,e,f"]))
case("strings.split", "a scalar", lambda tf, x: sparse(tf.strings.split(x, ",")), np.array(b"a,b", object))
case("strings.split", "source", lambda tf, x: sparse(tf.strings.split(source=x, name="mine")), T)
case("strings.split", "nothing to split", lambda tf: tf.strings.split())
case("strings.split", "number", lambda tf: sparse(tf.strings.split([1])))
case("strings.split", "separator of rank 1", lambda tf, x: sparse(tf.strings.split(x, [","])), C)
case("strings.bytes_split", "form", lambda tf, x: ragged(tf.strings.bytes_split(x)), T)
case("strings.bytes_split", "scalar", lambda tf, x: tf.strings.bytes_split(x), np.array(b"abc", object))
case("strings.bytes_split", "matrix", lambda tf, x: ragged(tf.strings.bytes_split(x)), GRID)

N = words(b"a", b"b", b"c", b"d")
G = "strings.ngrams"
case(G, "form", lambda tf, x: tf.strings.ngrams(x, 2), N)
case(G, "widths", lambda tf, x: tf.strings.ngrams(x, (1, 3), separator="-"), N)
case(G, "pads", lambda tf, x: tf.strings.ngrams(x, 3, pad_values=("<", ">")), N)
case(G, "pad width", lambda tf, x: tf.strings.ngrams(x, 3, pad_values="_", padding_width=1), N)
case(G, "short", lambda tf, x: tf.strings.ngrams(x, 5), N)
case(G, "short, kept", lambda tf, x: tf.strings.ngrams(x, 5, preserve_short_sequences=True), N)
case(G, "matrix", lambda tf, x: ragged(tf.strings.ngrams(tf.RaggedTensor.from_tensor(x), 2)), GRID)
case(G, "ragged", lambda tf: ragged(tf.strings.ngrams(tf.ragged.constant([["a", "b", "c"], [], ["d"]]), (2, 1), name="n")))
case(G, "ragged, pads", lambda tf: ragged(tf.strings.ngrams(tf.ragged.constant([["a", "b", "c"], [], ["d"]]), 2, pad_values=("L", "R"))))
case(G, "no width", lambda tf, x: tf.strings.ngrams(x, 0), N)
case(G, "wrong pads", lambda tf, x: tf.strings.ngrams(x, 2, pad_values=("a", "b", "c")), N)

# -- numbers and bytes -----------------------------------------------------------------------------------------------

for symbol in ("as_string", "strings.as_string"):
    f = named(symbol)
    form(symbol, "form", f, np.array([1.5, -2.25, 0, 1e10, nan, inf, 1e-7], np.float32))
    for dtype in ("float64", "int8", "int16", "int32", "int64", "uint8", "bool", "complex64"):
        case(symbol, dtype, f, np.array([0, 1, 3]).astype(dtype))
R = np.array([1.23456789, -123456.789, 0.000012345], np.float64)
F = named("as_string")
case("as_string", "precision", lambda tf, x: tf.as_string(x, 2), R, nodes=True)
case("as_string", "scientific", lambda tf, x: tf.as_string(x, scientific=True), R)
case("as_string", "scientific, precision", lambda tf, x: tf.as_string(x, precision=3, scientific=True), R)
case("as_string", "shortest", lambda tf, x: tf.as_string(x, shortest=True), R)
case("as_string", "shortest, precision", lambda tf, x: tf.as_string(x, precision=3, shortest=True), R)
case("as_string", "width", lambda tf, x: tf.as_string(x, width=12), R)
case("as_string", "fill", lambda tf, x: tf.as_string(x, width=12, precision=1, fill="0"), R)
case("as_string", "fill of ints", lambda tf, x: tf.as_string(x, width=5, fill="0", name="mine"), array("int32", 1, -20, 123456), nodes=True)
case("as_string", "left", lambda tf, x: tf.as_string(x, width=5, fill="-"), array("int32", 1, -20))
case("as_string", "plus", lambda tf, x: tf.as_string(x, fill="+"), array("int64", 1, -20))
case("as_string", "blank", lambda tf, x: tf.as_string(x, fill=" "), array("int64", 1, -20))
case("as_string", "scalar", F, np.int32(7))
case("as_string", "complex", lambda tf, x: tf.as_string(x, precision=2), np.array([1 + 2j, -0.5j], np.complex64))
case("as_string", "of strings", F, S)
case("as_string", "both notations", lambda tf, x: tf.as_string(x, scientific=True, shortest=True), R)
case("as_string", "scientific ints", lambda tf, x: tf.as_string(x, scientific=True), array("int32", 1))
case("as_string", "precision of ints", lambda tf, x: tf.as_string(x, precision=2), array("int32", 1))
case("as_string", "long fill", lambda tf, x: tf.as_string(x, fill="ab"), array("int32", 1))
case("as_string", "wrong fill", lambda tf, x: tf.as_string(x, fill="x"), array("int32", 1))
case("as_string", "bool with width", lambda tf, x: tf.as_string(x, width=6), np.array([True, False]))

for symbol in ("string_to_number", "strings.to_number"):
    f = named(symbol)
    form(symbol, "form", f, words(b"1.5", b"-2", b" 3 ", b"1e3", b"inf", b"nan", b"-0"))
    for dtype in ("float64", "int32", "int64"):
        form(symbol, dtype, lambda tf, x, f=f, dtype=dtype: f(tf, x, getattr(tf, dtype)), words(b"12", b"-7", b" +5 "[:2]))
case("string_to_number", "keyword", lambda tf, x: tf.string_to_number(string_tensor=x, out_type=tf.int32, name="mine"), words(b"1"), nodes=True)
case("strings.to_number", "keyword", lambda tf, x: tf.strings.to_number(input=x, out_type=tf.int32), words(b"1"), nodes=True)
case("string_to_number", "scalar", named("string_to_number"), np.array(b"1", object))
for text in (b"abc", b"", b"1.5", b"99999999999", b"0x10", b"1_000", b"1 2", b"infinity", b"1e400", b"1.", b".5", b"+1", b"nan(1)", b"1f"):
    for dtype in ("float32", "float64", "int32", "int64"):
        case("string_to_number", f"{text.decode()} as {dtype}", lambda tf, x, dtype=dtype: tf.string_to_number(x, getattr(tf, dtype)), words(text))
case("string_to_number", "wrong type", lambda tf, x: tf.string_to_number(x, tf.uint8), words(b"1"))

RAW = words(b"\x00\x01\x02\x03\x04\x05\x06\x07", b"abcdefgh")
for symbol in ("decode_raw", "io.decode_raw"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, tf.uint8), RAW)
    for dtype in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint16"):
        case(symbol, dtype, lambda tf, x, f=f, dtype=dtype: f(tf, x, getattr(tf, dtype)), RAW)
form("decode_raw", "big endian", lambda tf, x: tf.decode_raw(x, tf.int16, little_endian=False, name="mine"), RAW)
case("decode_raw", "keyword", lambda tf, x: tf.decode_raw(bytes=x, out_type=tf.int16), RAW, nodes=True)
case("decode_raw", "scalar", lambda tf, x: tf.decode_raw(x, tf.int16), np.array(b"abcd", object))
case("decode_raw", "matrix", lambda tf, x: tf.decode_raw(x, tf.uint8), words([b"ab", b"cd"]))
case("decode_raw", "complex", lambda tf, x: tf.decode_raw(x, tf.complex64), RAW)
case("decode_raw", "bool", lambda tf, x: tf.decode_raw(x, tf.bool), words(b"\x00\x01"))
case("decode_raw", "nothing", lambda tf, x: tf.decode_raw(x, tf.int32), np.empty(0, object))
case("decode_raw", "empty strings", lambda tf, x: tf.decode_raw(x, tf.int32), words(b"", b""))
case("decode_raw", "lengths differ", lambda tf, x: tf.decode_raw(x, tf.uint8), words(b"ab", b"c"))
case("decode_raw", "not a multiple", lambda tf, x: tf.decode_raw(x, tf.int32), words(b"abcde"))
case("decode_raw", "wrong type", lambda tf, x: tf.decode_raw(x, tf.string), RAW)
case("decode_raw", "no type", lambda tf, x: tf.decode_raw(x), RAW)

for symbol in ("encode_base64", "io.encode_base64"):
    form(symbol, "form", named(symbol), words(b"", b"a", b"ab", b"abc", b"\xfb\xff\xfe"))
form("encode_base64", "pad", lambda tf, x: tf.encode_base64(x, True, name="mine"), words(b"", b"a", b"ab", b"abc"))
for symbol in ("decode_base64", "io.decode_base64"):
    form(symbol, "form", named(symbol), words(b"", b"YQ", b"YWI", b"YWJj", b"YQ==", b"-__-"))
for text in (b"Y", b"Y!Q=", b"+a==", b"YWJ", b"Y===", b"YQ=a", b"YQ\n"):
    case("decode_base64", f"wrong {text!r}", named("decode_base64"), words(text))
case("io.decode_compressed", "none", lambda tf, x: tf.io.decode_compressed(x), S)
case("io.decode_compressed", "zlib", lambda tf, x: tf.io.decode_compressed(x, "ZLIB"), words(zlib.compress(b"hello"), zlib.compress(b"")), nodes=True)
case("io.decode_compressed", "gzip", lambda tf, x: tf.io.decode_compressed(x, compression_type="GZIP", name="mine"), words(gzip.compress(b"hello", mtime=0)))
case("decode_compressed", "old name", lambda tf, x: tf.decode_compressed(x, "ZLIB"), words(zlib.compress(b"hello")))
case("io.decode_compressed", "unknown kind", lambda tf, x: tf.io.decode_compressed(x, "LZ4"), S)

# -- patterns --------------------------------------------------------------------------------------------------------

P = words(b"hello 123 world 45", b"", b"a.b.c", "grö".encode())
for symbol in ("regex_replace", "strings.regex_replace"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, "[0-9]+", "<N>"), P)
    form(symbol, "first", lambda tf, x, f=f: f(tf, x, r"\.", "!", replace_global=False, name="mine"), P)
form("strings.regex_replace", "tensors", lambda tf, x, p, r: tf.strings.regex_replace(x, p, r), P, np.array(b"[a-c]", object), np.array(rb"<\0>", object))
PATTERNS = [
    ("groups", r"(\w)(\w)", r"\2\1"), ("whole", r"l+", r"[\0]"), ("backslash", "o", r"\\"), ("empty pattern", "", "-"),
    ("star", "x*", "-"), ("alternatives", "a|b", "X"), ("lazy", "l.*?o", "_"), ("class", r"\pL+", "L"), ("negated", r"[^a-z]", ""),
    ("flags", "(?i)HELLO", "bye"), ("named", r"(?P<d>\d)", r"<\1>"), ("ascii words", r"\w+", "w"), ("dot", ".", "d"), ("anchor", r"\Ah", "H"),
    ("end", r"c$", "C"), ("end of text", r"c\z", "C"), ("posix", "[[:digit:]]", "#"), ("quote", r"\Q.b.\E", "!"), ("ungreedy", "(?U)l+", "L"),
]  # fmt: skip
for label, pattern, rewrite in PATTERNS:
    case("strings.regex_replace", label, lambda tf, x, p=pattern, r=rewrite: tf.strings.regex_replace(x, p, r), P)
for label, pattern, rewrite in [("open group", "(a", "b"), ("open class", "[a", "b"), ("star alone", "*", "b"), ("look ahead", "(?=a)", "b"), ("back reference", r"(a)\1", "b"), ("unknown group", "a", r"\1"), ("bad rewrite", "a", r"\x"), ("possessive", "a++", "b"), ("bad escape", r"\y", "b"), ("lone backslash", "\\", "b")]:
    case("strings.regex_replace", label, lambda tf, x, p=pattern, r=rewrite: tf.strings.regex_replace(x, p, r), words(b"aab"))
    case("strings.regex_replace", label + " in the run", lambda tf, x, p, r: tf.strings.regex_replace(x, p, r), words(b"aab"), np.array(pattern, object), np.array(rewrite, object))
case("strings.regex_replace", "pattern of rank 1", lambda tf, x, p: tf.strings.regex_replace(x, p, "b"), P, words(b"a"))
M = "strings.regex_full_match"
form(M, "form", lambda tf, x: tf.strings.regex_full_match(x, r".*\d.*"), P)
form(M, "tensor", lambda tf, x, p: tf.strings.regex_full_match(x, p, name="mine"), P, np.array(b"[a-c.]*", object))
case(M, "alternatives", lambda tf, x: tf.strings.regex_full_match(x, "a|ab"), words(b"ab", b"a", b"b"))
case(M, "scalar", lambda tf, x: tf.strings.regex_full_match(x, "a+"), np.array(b"aaa", object))
case(M, "new lines", lambda tf, x: tf.strings.regex_full_match(x, "a.b"), words(b"a\nb", b"a b"))
case(M, "end of text", lambda tf, x: tf.strings.regex_full_match(x, "ab$"), words(b"ab", b"ab\n"))
case(M, "open group", lambda tf, x: tf.strings.regex_full_match(x, "(a"), P)
case(M, "numbers", lambda tf: tf.strings.regex_full_match([1], "a"))

# -- hashes ----------------------------------------------------------------------------------------------------------

LENGTHS = words(*(bytes((7 * i + 3 * n) % 251 for i in range(n)) for n in [*range(70), 127, 128, 129, 200, 256, 1000]))
for symbol in ("strings.to_hash_bucket", "string_to_hash_bucket"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, 1000003), LENGTHS)
    case(symbol, "name", lambda tf, x, f=f: f(tf, string_tensor=x, num_buckets=10, name="mine"), S, nodes=True)
for symbol in ("strings.to_hash_bucket_fast", "string_to_hash_bucket_fast"):
    form(symbol, "form", lambda tf, x, s=symbol: named(s)(tf, x, 2**62 + 1), LENGTHS)
    case(symbol, "few", lambda tf, x, s=symbol: named(s)(tf, x, num_buckets=3, name="mine"), GRID, nodes=True)
for symbol in ("strings.to_hash_bucket_strong", "string_to_hash_bucket_strong"):
    form(symbol, "form", lambda tf, x, s=symbol: named(s)(tf, x, 2**62 + 1, [1, 2]), LENGTHS)
    case(symbol, "other key", lambda tf, x, s=symbol: named(s)(tf, x, 97, key=[-1, 2**40], name="mine"), GRID, nodes=True)
case("strings.to_hash_bucket_strong", "short key", lambda tf, x: tf.strings.to_hash_bucket_strong(x, 97, [1]), S)
for symbol in ("strings.to_hash_bucket", "strings.to_hash_bucket_fast"):
    case(symbol, "scalar", lambda tf, x, s=symbol: named(s)(tf, x, 97), np.array(b"a", object))
    case(symbol, "no bucket", lambda tf, x, s=symbol: named(s)(tf, x, 0), S)
    case(symbol, "numbers", lambda tf, s=symbol: named(s)(tf, [1], 2))
form("fingerprint", "form", lambda tf, x: tf.fingerprint(x), S)
form("fingerprint", "numbers", lambda tf, x: tf.fingerprint(x), np.arange(6, dtype=np.float32).reshape(2, 3))
case("fingerprint", "matrix of strings", lambda tf, x: tf.fingerprint(x, name="mine"), GRID, nodes=True)
case("fingerprint", "scalar", lambda tf: tf.fingerprint("a"))
case("fingerprint", "unknown method", lambda tf, x: tf.fingerprint(x, "md5"), S)

# -- Unicode ---------------------------------------------------------------------------------------------------------

W = words("größer".encode(), b"", "日本 😀".encode(), b"a\xffb\xe6\x97")
for encoding, texts in {
    "UTF-8": W,
    "UTF-16-BE": words("aö😀".encode("utf-16-be"), b""),
    "UTF-32-BE": words("aö😀".encode("utf-32-be"), b""),
    "latin-1": words(b"a\xf6"),
    "US-ASCII": words(b"ab\xf6"),
}.items():
    case("strings.unicode_decode", encoding, lambda tf, x, e=encoding: ragged(tf.strings.unicode_decode(x, e)), texts)
    case("strings.unicode_transcode", encoding, lambda tf, x, e=encoding: tf.strings.unicode_transcode(x, e, "UTF-8"), texts, nodes=True)
case("strings.unicode_decode", "scalar", lambda tf, x: tf.strings.unicode_decode(x, "UTF-8"), np.array("aö".encode(), object))
case("strings.unicode_decode", "matrix", lambda tf, x: ragged(tf.strings.unicode_decode(x, "UTF-8")), GRID)
case("strings.unicode_decode", "ignore", lambda tf, x: ragged(tf.strings.unicode_decode(x, "UTF-8", errors="ignore")), W)
case("strings.unicode_decode", "replacement", lambda tf, x: ragged(tf.strings.unicode_decode(x, "UTF-8", replacement_char=63)), W)
case("strings.unicode_decode", "control characters", lambda tf, x: ragged(tf.strings.unicode_decode(x, "UTF-8", replace_control_characters=True)), words(b"a\x01\nb\x7f"))
case("strings.unicode_decode", "strict", lambda tf, x: ragged(tf.strings.unicode_decode(x, "UTF-8", errors="strict")), W)
case("strings.unicode_decode", "unknown encoding", lambda tf, x: ragged(tf.strings.unicode_decode(x, "klingon")), W)
case("strings.unicode_decode", "unknown errors", lambda tf, x: ragged(tf.strings.unicode_decode(x, "UTF-8", errors="x")), W)
case("strings.unicode_decode", "broken", lambda tf, x: ragged(tf.strings.unicode_decode(x, "UTF-8")), words(b"\xe6\x97", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\x80", b"\xf8\x88", b"\x80\x80", b"\xe6a", b"\xf4\x90\x80\x80"))


def offsets(pair: Any) -> list[Any]:
    """The parts of two RaggedTensors."""
    return [*ragged(pair[0]), *ragged(pair[1])]


case("strings.unicode_decode_with_offsets", "form", lambda tf, x: offsets(tf.strings.unicode_decode_with_offsets(x, "UTF-8")), W)
case("strings.unicode_decode_with_offsets", "scalar", lambda tf, x: list(tf.strings.unicode_decode_with_offsets(x, "UTF-8")), np.array("aöb".encode(), object))
case("strings.unicode_decode_with_offsets", "utf-16", lambda tf, x: offsets(tf.strings.unicode_decode_with_offsets(x, "UTF-16-BE")), words("aö😀b".encode("utf-16-be")))
case("strings.unicode_split", "form", lambda tf, x: ragged(tf.strings.unicode_split(x, "UTF-8")), W)
case("strings.unicode_split", "scalar", lambda tf, x: tf.strings.unicode_split(x, "UTF-8"), np.array("aöb".encode(), object))
case("strings.unicode_split", "utf-16", lambda tf, x: ragged(tf.strings.unicode_split(x, "UTF-16-BE")), words("aö".encode("utf-16-be")))
case("strings.unicode_split_with_offsets", "form", lambda tf, x: offsets(tf.strings.unicode_split_with_offsets(x, "UTF-8")), W)
for encoding in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
    case("strings.unicode_encode", encoding, lambda tf, e=encoding: tf.strings.unicode_encode(tf.ragged.constant([[97, 246], [], [128512]]), e))
case("strings.unicode_encode", "vector", lambda tf, x: tf.strings.unicode_encode(x, "UTF-8"), array("int32", 97, 246, 0x65E5))
case("strings.unicode_encode", "matrix", lambda tf, x: tf.strings.unicode_encode(x, "UTF-8"), np.array([[97, 98], [99, 100]], np.int32))
case("strings.unicode_encode", "surrogate", lambda tf, x: tf.strings.unicode_encode(x, "UTF-8"), array("int32", 97, 0xD800, 0x110000, -1))
case("strings.unicode_encode", "surrogate ignored", lambda tf, x: tf.strings.unicode_encode(x, "UTF-8", errors="ignore"), array("int32", 97, 0xD800, 98))
case("strings.unicode_encode", "surrogate strict", lambda tf, x: tf.strings.unicode_encode(x, "UTF-8", "strict"), array("int32", 97, 0xD800, 98))
case("strings.unicode_encode", "unknown encoding", lambda tf, x: tf.strings.unicode_encode(x, "latin-1"), array("int32", 97))
case("strings.unicode_encode", "scalar", lambda tf, x: tf.strings.unicode_encode(x, "UTF-8"), np.int32(97))
for encoding in ("UTF-16-BE", "UTF-32-BE"):
    form("strings.unicode_transcode", f"to {encoding}", lambda tf, x, e=encoding: tf.strings.unicode_transcode(x, "UTF-8", e), W)
case("strings.unicode_transcode", "ignore", lambda tf, x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-8", errors="ignore"), W)
case("strings.unicode_transcode", "replacement", lambda tf, x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-8", replacement_char=32, name="mine"), W, nodes=True)
case("strings.unicode_transcode", "strict", lambda tf, x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-8", "strict"), W)
case("strings.unicode_transcode", "control characters", lambda tf, x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-8", replace_control_characters=True), words(b"a\x01\nb\x7f"))
case("strings.unicode_transcode", "unknown encoding", lambda tf, x: tf.strings.unicode_transcode(x, "klingon", "UTF-8"), W)
case("strings.unicode_transcode", "unknown output", lambda tf, x: tf.strings.unicode_transcode(x, "UTF-8", "latin-1"), W)

SCRIPTS = array("int32", 65, 0x3B1, 0x44F, 0x5D0, 0x627, 0x3042, 0x30A2, 0x65E5, 0xAC00, 32, 0x378, 0xD800, 0xFFFF, 0x10FFFF, 0x110000, -1, 0x1F600)
form("strings.unicode_script", "form", named("strings.unicode_script"), SCRIPTS)
case("strings.unicode_script", "many", named("strings.unicode_script"), np.arange(0, 0x110000, 401, dtype=np.int32))
case("strings.unicode_script", "scalar", named("strings.unicode_script"), np.int32(65))
case("strings.unicode_script", "of int64", named("strings.unicode_script"), np.int64(1))

# -- format ----------------------------------------------------------------------------------------------------------

V = np.arange(10, dtype=np.int32)
Q = "strings.format"
form(Q, "form", lambda tf, x: tf.strings.format("x: {}, all", x), V)
form(Q, "several", lambda tf, x, y: tf.strings.format("{} and {}", (x, y), name="mine"), V, np.float32(1.5))
case(Q, "list", lambda tf, x, y: tf.strings.format("{} and {}", [x, y]), V, np.float32(1.5))
case(Q, "all", lambda tf, x: tf.strings.format("{}", x, summarize=-1), V)
case(Q, "one", lambda tf, x: tf.strings.format("{}", x, summarize=1), V)
case(Q, "matrix", lambda tf, x: tf.strings.format("{}", x), np.arange(100).reshape(10, 10))
case(Q, "small matrix", lambda tf, x: tf.strings.format("a {}", x), np.arange(6).reshape(2, 3))
case(Q, "cube", lambda tf, x: tf.strings.format("a {}", x, summarize=2), np.arange(125).reshape(5, 5, 5))
case(Q, "empty", lambda tf, x: tf.strings.format("{}", x), np.empty((0, 2), np.float32))
case(Q, "empty rows", lambda tf, x: tf.strings.format("{}", x), np.empty((2, 0), np.float32))
case(Q, "strings", lambda tf, x: tf.strings.format("{}", x), words(b"a\n", b"b\"", "ö".encode()))
case(Q, "string", lambda tf, x: tf.strings.format("{}", x), np.array(b"a\n'\"\xff", object))
case(Q, "bools", lambda tf, x: tf.strings.format("{}", x), np.array([True, False]))
case(Q, "floats", lambda tf, x: tf.strings.format("{}", x, summarize=10), np.array([1, 1.5, 1e10, 1e-7, nan, inf, 0.1, 123456789, -0.0], np.float32))
case(Q, "doubles", lambda tf, x: tf.strings.format("{}", x, summarize=10), np.array([1, 1.5, 1e20, 1e-7, nan, -inf, 0.1, 1 / 3], np.float64))
case(Q, "halves", lambda tf, x: tf.strings.format("{}", x), np.array([0.1, 2], np.float16))
case(Q, "complex", lambda tf, x: tf.strings.format("{}", x), np.array([1 + 2j, 0.5], np.complex64))
case(Q, "placeholder", lambda tf, x: tf.strings.format("%s {} %t", (x,), placeholder="%t"), V)
case(Q, "none", lambda tf: tf.strings.format("plain", []), nodes=True)
case(Q, "text with a percent", lambda tf, x: tf.strings.format("100% {}", x), V)
case(Q, "too few", lambda tf, x: tf.strings.format("{} {}", (x,)), V)
case(Q, "too many", lambda tf, x: tf.strings.format("{}", (x, x)), V)

# -- sequences -------------------------------------------------------------------------------------------------------


def distance(tf: Any, hypothesis: Any, truth: Any, **options: Any) -> Any:
    """The edit distance of two SparseTensors, each a triple."""
    return tf.edit_distance(tf.SparseTensor(*hypothesis), tf.SparseTensor(*truth), **options)


def pair(tf: Any, hypothesis: Any, truth: Any) -> Any:
    """Two SparseTensors, each of a triple."""
    return tf.SparseTensor(*hypothesis), tf.SparseTensor(*truth)


def distance_of(tf: Any, both: Any) -> Any:
    """The edit distance of a pair."""
    return tf.edit_distance(*both)


HYPOTHESIS: Any = ([[0, 0, 0], [1, 0, 0], [1, 0, 1]], ["a", "b", "c"], [2, 1, 2])
TRUTH: Any = ([[0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 0]], ["a", "b", "c", "a"], [2, 2, 2])
case("edit_distance", "form", lambda tf: distance(tf, HYPOTHESIS, TRUTH), nodes=True)
case("edit_distance", "counts", lambda tf: distance(tf, HYPOTHESIS, TRUTH, normalize=False, name="mine"), nodes=True)
WORDS: Any = [[([[0, j] for j in range(len(t))], list(t), [1, len(t)]) for t in pair] for pair in (("kitten", "sitting"), ("abc", "abc"), ("ab", "ba"))]
for one, other in WORDS:
    case("edit_distance", "".join(one[1]), lambda tf, one=one, other=other: distance(tf, one, other, normalize=False))
case("edit_distance", "numbers", lambda tf: distance(tf, ([[0, 0], [0, 1]], [1, 2], [2, 2]), ([[0, 0], [1, 0]], [1, 2], [2, 1])))
case("edit_distance", "types differ", distance_of, before=lambda tf: pair(tf, ([[0, 0]], [1], [1, 1]), ([[0, 0]], [1.0], [1, 1])))
case("edit_distance", "groups differ", lambda tf: distance(tf, ([[0, 0]], [1], [3, 1]), ([[0, 0]], [1], [1, 1])))
case("edit_distance", "ranks differ", distance_of, before=lambda tf: pair(tf, ([[0, 0, 0]], [1], [1, 1, 1]), ([[0, 0]], [1], [1, 1])))
case("edit_distance", "vectors", distance_of, before=lambda tf: pair(tf, ([[0]], [1], [1]), ([[0]], [1], [1])))
case("edit_distance", "no sparse tensor", lambda tf: tf.edit_distance([1], [2]))

# -- strings in ops that are not about strings ------------------------------------------------------------------------

D = words(b"b", b"a", b"b", b"c")
B = np.array([True, False, True, False])
TEXT_OPS: dict[str, Any] = {
    "gather": lambda tf, x: tf.gather(x, [0, 3]),
    "gather_nd": lambda tf, x: tf.gather_nd(x, [[1], [2]]),
    "where": lambda tf, x: tf.where(B, x, tf.reverse(x, [0])),
    "tile": lambda tf, x: tf.tile(x, [2]),
    "transpose": lambda tf, x: tf.transpose(tf.reshape(x, [2, 2])),
    "reverse": lambda tf, x: tf.reverse(x, [0]),
    "split": lambda tf, x: tf.split(x, 2),
    "unstack": lambda tf, x: tf.unstack(x),
    "unique": lambda tf, x: tf.unique(x),
    "unique_with_counts": lambda tf, x: tf.unique_with_counts(x),
    "equal": lambda tf, x: tf.equal(x, "b"),
    "not_equal": lambda tf, x: tf.not_equal(x, "b"),
    "less": lambda tf, x: tf.less(x, x),
    "add": lambda tf, x: tf.add(x, "!"),
    "add_n": lambda tf, x: tf.add_n([x, x]),
    "concat": lambda tf, x: tf.concat([x, ["z"]], 0),
    "stack": lambda tf, x: tf.stack([x, x], 1),
    "expand_dims": lambda tf, x: tf.expand_dims(x, 0),
    "squeeze": lambda tf, x: tf.squeeze(tf.reshape(x, [1, 4, 1])),
    "slice": lambda tf, x: tf.slice(x, [1], [2]),
    "strided_slice": lambda tf, x: x[1::2],
    "fill": lambda tf, x: tf.fill([2, 2], x[0]),
    "zeros_like": lambda tf, x: tf.zeros_like(x),
    "ones_like": lambda tf, x: tf.ones_like(x),
    "zeros": lambda tf, x: tf.zeros([2], tf.string),
    "shape": lambda tf, x: tf.shape(x),
    "size": lambda tf, x: tf.size(x),
    "identity": lambda tf, x: tf.identity(x),
    "dynamic_partition": lambda tf, x: tf.dynamic_partition(x, [0, 1, 0, 1], 2),
    "dynamic_stitch": lambda tf, x: tf.dynamic_stitch([[0, 2], [1, 3]], [x[:2], x[2:]]),
    "scatter_nd": lambda tf, x: tf.scatter_nd([[1], [3]], x[:2], [4]),
    "boolean_mask": lambda tf, x: tf.boolean_mask(x, B),
    "setdiff1d": lambda tf, x: tf.setdiff1d(x, tf.constant(["a"])),
    "sparse_to_dense": lambda tf, x: tf.sparse_to_dense([1, 3], [4], x[:2], default_value="-"),
    "one_hot": lambda tf, x: tf.one_hot([0, 1], 2, on_value="y", off_value="n"),
    "broadcast_to": lambda tf, x: tf.broadcast_to(x, [2, 4]),
    "pad": lambda tf, x: tf.pad(x, [[1, 1]], constant_values="_"),
    "reverse_sequence": lambda tf, x: tf.reverse_sequence(tf.reshape(x, [2, 2]), [2, 1], seq_axis=1),
    "roll": lambda tf, x: tf.roll(x, 1, 0),
    "cast": lambda tf, x: tf.cast(x, tf.float32),
    "cast to string": lambda tf, x: tf.cast([1], tf.string),
    "argmax": lambda tf, x: tf.argmax(x, 0),
    "reduce_max": lambda tf, x: tf.reduce_max(x),
    "sort": lambda tf, x: tf.sort(x),
    "random_shuffle": lambda tf, x: tf.shape(tf.random_shuffle(x)),
    "cond": lambda tf, x: tf.cond(tf.equal(x[0], "b"), lambda: x[1], lambda: x[2]),
}  # fmt: skip
for symbol, call in TEXT_OPS.items():
    case(symbol.split()[0], f"strings of {symbol}", call, D)

# -- nodes for their effect, and others that write nothing down -------------------------------------------------------

X = np.array([1.0, 2.0], np.float32)


def after(tf: Any, effect: Any, x: Any) -> Any:
    """x, when the effect has happened."""
    with tf.control_dependencies([effect]):
        return tf.identity(x)


case("print", "to a file", lambda tf, x: after(tf, tf.print("x:", x, output_stream="file:///dev/null"), x), X)
case("print", "text", lambda tf, x: after(tf, tf.print("x", output_stream="file:///dev/null", name="mine"), x), X, nodes=True)
case("py_func", "form", lambda tf, x: tf.py_func(np.square, [x], tf.float32), X)
case("py_func", "several", lambda tf, x: tf.py_func(lambda x: (x, x + 1), [x], [tf.float32, tf.float32]), X)
case("py_func", "stateless", lambda tf, x: tf.py_func(np.square, [x], tf.float32, stateful=False), X)
case("numpy_function", "form", lambda tf, x: tf.numpy_function(np.square, [x], tf.float32), X)
case("timestamp", "form", lambda tf: [tf.timestamp() > 1e9, tf.zeros_like(tf.timestamp(name="now"))])
form("guarantee_const", "form", named("guarantee_const"), X)
case("guarantee_const", "strings", lambda tf, x: tf.guarantee_const(x, name="mine"), S)
for size in (2, 4, 6):
    form("raw_ops.DecodePaddedRaw", f"{size} bytes", lambda tf, x, n=size: raw(tf, "DecodePaddedRaw", input_bytes=x, fixed_length=n, out_type=tf.int16), words(b"", b"ab", b"abcdefgh"))
case("raw_ops.DecodePaddedRaw", "big endian", lambda tf, x: raw(tf, "DecodePaddedRaw", input_bytes=x, fixed_length=4, out_type=tf.int16, little_endian=False), words(b"abc"))
case("raw_ops.DecodePaddedRaw", "odd", lambda tf, x: raw(tf, "DecodePaddedRaw", input_bytes=x, fixed_length=3, out_type=tf.int16), words(b"abc"))
case("raw_ops.DecodePaddedRaw", "nothing", lambda tf, x, n: raw(tf, "DecodePaddedRaw", input_bytes=x, fixed_length=n, out_type=tf.int16), words(b"abc"), np.int32(0))
