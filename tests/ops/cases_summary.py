"""Rows of the op table: summaries.

Of pictures the pixels are compared: how a PNG is packed is free. All other bytes are the oracle's.
"""

import struct
import zlib
from typing import Any

import numpy as np
from cases import REALS, SMALL_INTS, array, case, form, inf, nan
from harness import raw

PICTURE = np.array([[[[0.0, 1.0, 2.0], [3.0, 0.5, 0.25]]], [[[1e-3, 0, 0], [5.0, 1.0, 7.0]]]], np.float32)


def texts(*values: Any) -> Any:
    """An array of byte strings."""
    made = np.empty(len(values), object)
    made[...] = values
    return made


def message(tf: Any, *values: dict[str, Any]) -> bytes:
    """A serialized Summary."""
    return tf.Summary(value=[tf.Summary.Value(**v) for v in values]).SerializeToString()


def unpacked(png: bytes) -> Any:
    """The pixels of a PNG of 8 bits a channel, [h, w, channels]."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + size]
        assert zlib.crc32(kind + data) == struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0]
        chunks[kind] = chunks.get(kind, b"") + data
        at += 12 + size
    width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    assert depth == 8
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + width * channels)
    out = np.zeros((height + 1, width + 1, channels), int)  # a row and a column of zeros before the first
    for y, (kind, *row) in enumerate(rows.tolist(), 1):
        for i, byte in enumerate(row):
            x, c = i // channels + 1, i % channels
            left, up, corner = (int(v) for v in (out[y, x - 1, c], out[y - 1, x, c], out[y - 1, x - 1, c]))
            nearest = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
            out[y, x, c] = (byte + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
    return out[1:, 1:]


def pictures(tf: Any, value: bytes) -> Any:
    """What a Summary says of its pictures."""
    found = tf.Summary.FromString(value).value
    return [[v.tag, v.image.height, v.image.width, v.image.colorspace, unpacked(v.image.encoded_image_string)] for v in found]


# -- numbers -----------------------------------------------------------------------------------------------------------

case("summary.scalar", "usual", lambda tf, x: tf.summary.scalar("loss", x), np.float32(1.5), nodes=True, shapes=True)
for dtype in (*REALS, *SMALL_INTS, "uint16", "uint32", "uint64"):
    case("summary.scalar", dtype, lambda tf, x: tf.summary.scalar("loss", x), np.array(3, dtype))
case("summary.scalar", "bfloat16", lambda tf, x: tf.summary.scalar("loss", tf.cast(x, tf.bfloat16)), np.float32(3.14))
for label, value in (("nan", nan), ("inf", inf), ("beyond float32", 1e300)):
    case("summary.scalar", label, lambda tf, x: tf.summary.scalar("loss", x), np.float64(value))
case("summary.scalar", "literal", lambda tf: tf.summary.scalar("loss", 2), nodes=True)
case("summary.scalar", "family", lambda tf, x: tf.summary.scalar("loss", x, family="train"), np.float32(1), nodes=True)
case("summary.scalar", "clean", lambda tf, x: tf.summary.scalar("/my loss: (x)", x), np.float32(1), nodes=True)
case("summary.scalar", "vector", lambda tf, x: tf.summary.scalar("loss", x), array("float32", 1, 2))
case("summary.scalar", "vector of one", lambda tf, x: tf.summary.scalar("loss", x), array("float32", 1))
case("summary.scalar", "bool", lambda tf, x: tf.summary.scalar("loss", x), np.bool_(True))
case("summary.scalar", "complex", lambda tf, x: tf.summary.scalar("loss", x), np.complex64(1))
case("summary.scalar", "text", lambda tf: tf.summary.scalar("loss", "much"))
case("summary.scalar", "number as name", lambda tf: tf.summary.scalar(3, 1.0))
case("summary.scalar", "no name", lambda tf: tf.summary.scalar(None, 1.0))
case("summary.scalar", "empty name", lambda tf: tf.summary.scalar("", 1.0))
form("raw_ops.ScalarSummary", "several", lambda tf, t, x: raw(tf, "ScalarSummary", tags=t, values=x), texts(b"a", b"b"), array("int32", 1, 2))
case("raw_ops.ScalarSummary", "lengths differ", lambda tf, t, x: raw(tf, "ScalarSummary", tags=t, values=x), texts(b"a", b"b"), array("float32", 1, 2, 3))
case("raw_ops.ScalarSummary", "none", lambda tf, t, x: raw(tf, "ScalarSummary", tags=t, values=x), texts(), array("float32"))

# -- histograms --------------------------------------------------------------------------------------------------------

H = "summary.histogram"
case(H, "usual", lambda tf, x: tf.summary.histogram("w", x), array("float32", -3, 0, 0, 1e-13, 0.5, 0.55, 2, 1e19), nodes=True, shapes=True)
for dtype in (*REALS, *SMALL_INTS, "uint16", "uint32", "uint64"):
    case(H, dtype, lambda tf, x: tf.summary.histogram("w", x), np.array([[0, 1], [3, 100]], dtype))
case(H, "bfloat16", lambda tf, x: tf.summary.histogram("w", tf.cast(x, tf.bfloat16)), array("float32", 0.1, 7))
case(H, "scalar", lambda tf, x: tf.summary.histogram("w", x), np.float32(7))
case(H, "empty", lambda tf, x: tf.summary.histogram("w", x), np.zeros((0, 3), np.float32))
case(H, "large", lambda tf, x: tf.summary.histogram("w", x), np.array([1e20, -1e20, 1e150, -1e200, 1e-300], np.float64))
case(H, "many", lambda tf, x: tf.summary.histogram("w", x), (np.arange(500) * 7919 % 1000 - 500) / 97)
case(H, "borders", lambda tf, x: tf.summary.histogram("w", x), np.array([1e-12, -1e-12, 1.1e-12, 0.0], np.float64))
case(H, "nan", lambda tf, x: tf.summary.histogram("w", x), array("float32", 1, nan, inf))
case(H, "inf", lambda tf, x: tf.summary.histogram("w", x), array("float32", 1, -inf, nan))
case(H, "no name", lambda tf, x: tf.summary.histogram(None, x), array("float32", 1), nodes=True)
case(H, "family", lambda tf, x: tf.summary.histogram("w", x, family="f"), array("float32", 1), nodes=True)
case(H, "bool", lambda tf, x: tf.summary.histogram("w", x), np.array([True]))
case("raw_ops.HistogramSummary", "two tags", lambda tf, t, x: raw(tf, "HistogramSummary", tag=t, values=x), texts(b"a", b"b"), array("float32", 1))

# -- pictures ----------------------------------------------------------------------------------------------------------

I = "summary.image"
case(I, "usual", lambda tf, x: tf.summary.image("im", x), PICTURE, nodes=True, shapes=True, read=pictures)
case(I, "negative", lambda tf, x: tf.summary.image("im", x), PICTURE - 2, read=pictures)
case(I, "one is negative", lambda tf, x: tf.summary.image("im", x), PICTURE - 0.1, read=pictures)
case(I, "not finite", lambda tf, x: tf.summary.image("im", x), np.where(PICTURE == 3, np.float32(nan), np.where(PICTURE == 7, np.float32(inf), PICTURE)), read=pictures)
case(I, "none is finite", lambda tf, x: tf.summary.image("im", x), np.full((1, 2, 2, 1), nan, np.float32), read=pictures)
case(I, "black", lambda tf, x: tf.summary.image("im", x), np.zeros((1, 2, 3, 4), np.float32), read=pictures)
case(I, "nearly black", lambda tf, x: tf.summary.image("im", x), np.full((1, 2, 3, 4), -1e-7, np.float32), read=pictures)
case(I, "grey", lambda tf, x: tf.summary.image("im", x), np.arange(24, dtype=np.float32).reshape(2, 3, 4, 1), read=pictures)
case(I, "alpha", lambda tf, x: tf.summary.image("im", x), np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4), read=pictures)
case(I, "uint8", lambda tf, x: tf.summary.image("im", x), np.arange(24, dtype=np.uint8).reshape(2, 2, 2, 3), read=pictures)
case(I, "float16", lambda tf, x: tf.summary.image("im", x), (np.arange(24) / 7 - 1).astype(np.float16).reshape(2, 2, 2, 3), read=pictures)
case(I, "float64", lambda tf, x: tf.summary.image("im", x), (np.arange(24) / 7 - 1).reshape(2, 2, 2, 3), read=pictures)
case(I, "one at most", lambda tf, x: tf.summary.image("im", x, max_outputs=1), PICTURE, nodes=True, read=pictures)
case(I, "four of five", lambda tf, x: tf.summary.image("im", x, 4), np.ones((5, 1, 1, 1), np.float32), read=pictures)
case(I, "family", lambda tf, x: tf.summary.image("im", x, family="f"), PICTURE, nodes=True, read=pictures)
case(I, "no picture", lambda tf, x: tf.summary.image("im", x), np.zeros((0, 2, 2, 1), np.float32), read=pictures)
case(I, "none asked for", lambda tf, x: tf.summary.image("im", x, max_outputs=0), PICTURE, read=pictures)
case(I, "two channels", lambda tf, x: tf.summary.image("im", x), np.zeros((1, 2, 2, 2), np.float32), read=pictures)
case(I, "rank 3", lambda tf, x: tf.summary.image("im", x), np.zeros((2, 2, 1), np.float32), read=pictures)
case(I, "int32", lambda tf, x: tf.summary.image("im", x), np.zeros((1, 2, 2, 1), np.int32), read=pictures)
case("raw_ops.ImageSummary", "a tag in brackets", lambda tf, t, x: raw(tf, "ImageSummary", tag=t, tensor=x), texts(b"a"), PICTURE, read=pictures)

for label, colour in (
    ("another bad colour", np.array([1, 2, 3], np.uint8)),
    ("a bad colour too short", np.array([1, 2], np.uint8)),
    ("a bad colour of numbers", np.array([1, 2, 3], np.int32)),
    ("a bad colour of rank 2", np.array([[1, 2, 3]], np.uint8)),
):
    case("raw_ops.ImageSummary", label, lambda tf, x, c=colour: raw(tf, "ImageSummary", tag="a", tensor=x, bad_color=tf.make_tensor_proto(c)), np.where(PICTURE > 1, PICTURE, np.float32(nan)), read=pictures)

# -- sounds ------------------------------------------------------------------------------------------------------------

A = "summary.audio"
SOUND = np.array([[0, 0.5, -1, 1, 2, 0.99999, -3, 1e-5, 0.5 / 32768, 1.5 / 32768, -0.5 / 32768]], np.float32)
case(A, "usual", lambda tf, x: tf.summary.audio("a", x, 44100), SOUND, nodes=True, shapes=True)
case(A, "rate tensor", lambda tf, x, r: tf.summary.audio("a", x, r), SOUND, np.float32(8000.4), nodes=True)
case(A, "stereo", lambda tf, x: tf.summary.audio("a", x, 100.0, max_outputs=2), np.linspace(-1, 1, 24, dtype=np.float32).reshape(3, 4, 2))
case(A, "one at most", lambda tf, x: tf.summary.audio("a", x, 100.0, max_outputs=1, family="f"), SOUND, nodes=True)
case(A, "no frame", lambda tf, x: tf.summary.audio("a", x, 1.0), np.zeros((1, 0), np.float32))
case(A, "no sound", lambda tf, x: tf.summary.audio("a", x, 1.0), np.zeros((0, 2), np.float32))
case(A, "low rate", lambda tf, x: tf.summary.audio("a", x, 0.2), SOUND)
case(A, "rate in brackets", lambda tf, x: tf.summary.audio("a", x, [3.0]), SOUND)
case(A, "rate 0", lambda tf, x: tf.summary.audio("a", x, 0.0), SOUND)
case(A, "rate below 0", lambda tf, x: tf.summary.audio("a", x, -3.0), SOUND)
case(A, "no channel", lambda tf, x: tf.summary.audio("a", x, 3.0), np.zeros((1, 2, 0), np.float32))
case(A, "rank 1", lambda tf, x: tf.summary.audio("a", x, 3.0), np.zeros(3, np.float32))
case(A, "rank 4", lambda tf, x: tf.summary.audio("a", x, 3.0), np.zeros((1, 1, 1, 1), np.float32))
case(A, "nan", lambda tf, x: tf.summary.audio("a", x, 8.0), array("float32", nan, inf, -inf)[None])
case(A, "float64", lambda tf, x: tf.summary.audio("a", x, 3.0), np.zeros((1, 2), np.float64))
case("raw_ops.AudioSummaryV2", "a tag in brackets", lambda tf, t, x: raw(tf, "AudioSummaryV2", tag=t, tensor=x, sample_rate=1.0), texts(b"a"), SOUND)

# -- tensors and texts -------------------------------------------------------------------------------------------------

T = "summary.tensor_summary"
case(T, "usual", lambda tf, x: tf.summary.tensor_summary("t", x), np.array([[1, 2], [3, 4]], np.int32), nodes=True, shapes=True)
for dtype in (*REALS, *SMALL_INTS, "uint16", "uint32", "uint64", "bool", "complex64", "complex128"):
    case(T, dtype, lambda tf, x: tf.summary.tensor_summary("t", x), np.array([0, 1], dtype))
case(T, "bfloat16", lambda tf, x: tf.summary.tensor_summary("t", tf.cast(x, tf.bfloat16)), array("float32", 1, 2))
case(T, "strings", lambda tf, x: tf.summary.tensor_summary("t", x), texts(b"a", b"\xff", b""))
case(T, "scalar", lambda tf, x: tf.summary.tensor_summary("t", x), np.float32(3))
case(T, "empty", lambda tf, x: tf.summary.tensor_summary("t", x), np.zeros((2, 0), np.float32))
case(T, "described", lambda tf, x: tf.summary.tensor_summary("t", x, "long", display_name="short", family="f"), np.float32(3), nodes=True)
case(T, "metadata", lambda tf, x: tf.summary.tensor_summary("t", x, summary_metadata=tf.SummaryMetadata(display_name="d")), np.float32(3))
for label, arguments in (
    ("a tag in brackets", {"tag": ["a"], "serialized_summary_metadata": b""}),
    ("metadata in brackets", {"tag": "a", "serialized_summary_metadata": [b""]}),
    ("broken metadata", {"tag": "a", "serialized_summary_metadata": b"\xff"}),
):
    case("raw_ops.TensorSummaryV2", label, lambda tf, x, a=arguments: raw(tf, "TensorSummaryV2", tensor=x, **a), np.int32(1))
V1 = "raw_ops.TensorSummary"
case(V1, "form", lambda tf, x: raw(tf, "TensorSummary", "mine", tensor=x), np.array([[1, 2], [3, 4]], np.int32), nodes=True, shapes=True)
case(V1, "strings", lambda tf, x: raw(tf, "TensorSummary", tensor=x, labels=["a", "b"], description="d", display_name="n"), texts(b"a", b""))
case(V1, "empty", lambda tf, x: raw(tf, "TensorSummary", tensor=x), np.zeros((2, 0), np.float32))
case("summary.text", "usual", lambda tf, x: tf.summary.text("t", x), texts(b"# a", b"b"), nodes=True, shapes=True)
case("summary.text", "number", lambda tf, x: tf.summary.text("t", x), np.int32(1))
case("summary.text", "literal", lambda tf: tf.summary.text("t", "literal"))

# -- several in one ----------------------------------------------------------------------------------------------------

M = "summary.merge"
case(M, "usual", lambda tf, x: tf.summary.merge([tf.summary.scalar("a", x), tf.summary.scalar("a", x), tf.summary.histogram("h", x)]), np.float32(2), nodes=True)
case(M, "name", lambda tf, x: tf.summary.merge([tf.summary.scalar("a", x)], name="all of it"), np.float32(2), nodes=True)
case(M, "twice", lambda tf: tf.summary.merge([message(tf, {"tag": "a", "simple_value": 1})] * 2))
case(M, "without tags", lambda tf: tf.summary.merge([message(tf, {"simple_value": 1}, {"simple_value": 2})] * 2))
case(M, "broken", lambda tf, x: tf.summary.merge([x]), texts(b"", b"\x08zzz"))
case(M, "vector", lambda tf, x: tf.summary.merge([x, x]), texts(b"", b""))
case(M, "none", lambda tf: tf.summary.merge([]))
case(M, "no list", lambda tf: tf.summary.merge("a"))
case(M, "numbers", lambda tf: tf.summary.merge([1]))
case("summary.merge_all", "usual", lambda tf, x: [tf.summary.scalar("a", x), tf.summary.merge_all()], np.float32(2), nodes=True)
case("summary.merge_all", "scope", lambda tf, x: [tf.summary.scalar("b", x), tf.summary.scalar("a", x), tf.summary.merge_all(scope="a", name="m")], np.float32(2), nodes=True)
case("summary.merge_all", "key", lambda tf, x: [tf.summary.scalar("b", x, collections=["c"]), tf.summary.merge_all("c")], np.float32(2), nodes=True)
