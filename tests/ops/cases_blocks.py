"""Rows of the op table: blocks of space, sequences turned, elements rolled, bits and shapes read anew."""

import numpy as np
from cases import case, form, named
from harness import raw

I = np.arange(64, dtype=np.float32).reshape(2, 4, 4, 2)
D = np.arange(48, dtype=np.float32).reshape(1, 2, 3, 8)
A = np.arange(6, dtype=np.float32).reshape(2, 3)
T = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def i32(*values):
    return np.array(values, np.int32)


for symbol in ("space_to_depth", "nn.space_to_depth"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, 2), I)
    form(symbol, "name", lambda tf, x, f=f: f(tf, x, block_size=4, name="mine"), I)
    case(symbol, "uneven", lambda tf, x, f=f: f(tf, x, 3), I)
    case(symbol, "matrix", lambda tf, x, f=f: f(tf, x, 2), A)
    case(symbol, "block of one", lambda tf, x, f=f: f(tf, x, 1), I)
    case(symbol, "block of none", lambda tf, x, f=f: f(tf, x, 0), I)
    case(symbol, "other format", lambda tf, x, f=f: f(tf, x, 2, data_format="HWNC"), I)
for symbol in ("depth_to_space", "nn.depth_to_space"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, 2), D)
    case(symbol, "uneven", lambda tf, x, f=f: f(tf, x, 3), D)
    case(symbol, "matrix", lambda tf, x, f=f: f(tf, x, 2), A)
    case(symbol, "ints", lambda tf, x, f=f: f(tf, x, 2), D.astype(np.int32))
for symbol in ("space_to_batch_nd", "manip.space_to_batch_nd"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, [2, 2], [[0, 0], [2, 0]]), I)
    form(symbol, "tensors", lambda tf, x, b, p, f=f: f(tf, x, b, p, name="mine"), I, i32(2), i32([1, 1]))
    case(symbol, "uneven", lambda tf, x, f=f: f(tf, x, [3], [[0, 0]]), I)
    case(symbol, "uneven at run time", lambda tf, x, b, f=f: f(tf, x, b, [[0, 0]]), I, i32(3))
    case(symbol, "too many", lambda tf, x, f=f: f(tf, x, [2, 2], [[0, 0], [0, 0]]), A)
for symbol in ("batch_to_space_nd", "manip.batch_to_space_nd"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, [2], [[1, 0]]), I)
    form(symbol, "tensors", lambda tf, x, b, c, f=f: f(tf, x, b, c, name="mine"), I, i32(1, 2), i32([0, 0], [1, 1]))
    case(symbol, "uneven", lambda tf, x, f=f: f(tf, x, [3], [[0, 0]]), I)
    case(symbol, "uneven at run time", lambda tf, x, b, f=f: f(tf, x, b, [[0, 0]]), I, i32(3))
# 1.15 makes int32 of the block shape, 2.15 int64: nodes are not compared
case("space_to_batch", "form", lambda tf, x: tf.space_to_batch(x, [[0, 0], [2, 2]], block_size=2), I)
case("batch_to_space", "form", lambda tf, x: tf.batch_to_space(x, [[0, 0], [1, 0]], 2), np.concatenate([I, I]))
case(
    "required_space_to_batch_paddings",
    "form",
    lambda tf: tf.required_space_to_batch_paddings([5, 4], [2, 3], [[1, 0], [0, 1]]),
    nodes=True,
)
case("required_space_to_batch_paddings", "no base", lambda tf, s: tf.required_space_to_batch_paddings(s, [2, 3]), i32(5, 4))

form("raw_ops.SpaceToBatch", "form", lambda tf, x: raw(tf, "SpaceToBatch", "mine", input=x, paddings=[[0, 0], [2, 2]], block_size=2), I)
form("raw_ops.BatchToSpace", "form", lambda tf, x: raw(tf, "BatchToSpace", "mine", input=x, crops=[[0, 0], [1, 0]], block_size=2), np.concatenate([I, I]))
case("raw_ops.BatchToSpace", "uneven", lambda tf, x: raw(tf, "BatchToSpace", input=x, crops=[[0, 0], [1, 0]], block_size=3), I)
form("reverse_sequence", "form", lambda tf, x, n: tf.reverse_sequence(x, n, 1, 0), T, np.array([2, 3]))
form("reverse_sequence", "axes", lambda tf, x, n: tf.reverse_sequence(x, n, seq_axis=2, batch_axis=1), T, i32(2, 3, 4))
form(
    "reverse_sequence",
    "old names",
    lambda tf, x, n: tf.reverse_sequence(x, n, seq_dim=0, batch_dim=2, name="mine"),
    T,
    i32(2, 1, 0, 1),
)
case("reverse_sequence", "both names", lambda tf, x, n: tf.reverse_sequence(x, n, seq_axis=1, seq_dim=1), T, i32(2, 3))
case("reverse_sequence", "too long", lambda tf, x, n: tf.reverse_sequence(x, n, 1, 0), T, i32(2, 4))
case("reverse_sequence", "lengths differ", lambda tf, x, n: tf.reverse_sequence(x, n, 1, 0), T, i32(2, 3, 1))
case("reverse_sequence", "beyond", lambda tf, x, n: tf.reverse_sequence(x, n, 3, 0), T, i32(2, 3))
for symbol in ("roll", "manip.roll"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, 1, 0), A)
    form(symbol, "axes", lambda tf, x, s, a, f=f: f(tf, x, s, a, name="mine"), T, i32(1, -5), i32(1, 2))
    case(symbol, "counts differ", lambda tf, x, f=f: f(tf, x, [1, 2], [0]), A)
    case(symbol, "beyond", lambda tf, x, f=f: f(tf, x, 1, 2), A)
    case(symbol, "scalar", lambda tf, x, f=f: f(tf, x, 1, 0), np.float32(1))
for symbol in ("reverse", "manip.reverse", "reverse_v2"):
    f = named(symbol)
    form(symbol, "axes", lambda tf, x, f=f: f(tf, x, [0, -1], name="mine"), T)
    form(symbol, "axis tensor", f, T, i32(1))
    case(symbol, "strings", lambda tf, x, f=f: f(tf, x, [0]), np.array([b"a", b"b"], object))
    case(symbol, "beyond", lambda tf, x, f=f: f(tf, x, [2]), A)
    case(symbol, "twice", lambda tf, x, f=f: f(tf, x, [0, 0]), A)
    case(symbol, "scalar axis", lambda tf, x, f=f: f(tf, x, 0), A)
form("bitcast", "same size", lambda tf, x: tf.bitcast(x, tf.int32), A)
form("bitcast", "smaller", lambda tf, x: tf.bitcast(x, tf.uint8, name="mine"), A)
form("bitcast", "larger", lambda tf, x: tf.bitcast(x, tf.float64), np.zeros((3, 2), np.float32))
case("bitcast", "no last axis", lambda tf, x: tf.bitcast(x, tf.float64), np.float32(1))
case("bitcast", "does not fit", lambda tf, x: tf.bitcast(x, tf.float64), A)
case("bitcast", "bool", lambda tf, x: tf.bitcast(x, tf.bool), A)
form("ensure_shape", "form", lambda tf, x: tf.ensure_shape(x, [None, 3]), A)
form("ensure_shape", "name", lambda tf, x: tf.ensure_shape(x, (2, 3), name="mine"), A)
case("ensure_shape", "differs", lambda tf, x: tf.ensure_shape(x, [3, 3]), A)
case(
    "ensure_shape",
    "differs at run time",
    lambda tf, x: tf.ensure_shape(tf.placeholder_with_default(x, [None, None]), [3, None]),
    A,
)
form("broadcast_dynamic_shape", "form", named("broadcast_dynamic_shape"), i32(2, 1), i32(3))
case("broadcast_dynamic_shape", "does not fit", named("broadcast_dynamic_shape"), i32(2, 2), i32(3))
form(
    "raw_ops.BroadcastArgs", "form", lambda tf, a, b: raw(tf, "BroadcastArgs", "mine", s0=a, s1=b), i32(2, 1), i32(3)
)
form("broadcast_to", "shape tensor", lambda tf, x, s: tf.broadcast_to(x, s, name="mine"), A[0], i32(2, 3))
case("broadcast_to", "does not fit", lambda tf, x: tf.broadcast_to(x, [3, 2]), A)
case("broadcast_to", "fewer", lambda tf, x: tf.broadcast_to(x, [3]), A)
