"""Rows of the op table: bfloat16, which needs ml_dtypes. Each row casts to it, computes, and casts back to see the value."""

import numpy as np
from cases import case, inf, named, nan

X = np.float32([-2.5, -1.0, -0.3, 0.0, 0.1, 0.7, 1.0, 3.14159, 100.0])
UNIT = np.float32([-0.9, -0.3, 0.0, 0.2, 0.75])
POSITIVE = np.float32([0.01, 0.5, 1.0, 2.7, 300.0])
Y = np.float32([1.5, -2.0, 3.0, 0.25, -0.7, 7.0, 0.5, 2.0, -3.0])
MATRIX = np.float32([[1.1, 2, -3], [4.5, 0.5, 6]])


# What TF's kernels round in the middle, in their own way: compared with the tolerance that harness.py has for bfloat16.
ROUNDED = ("sigmoid", "nn.elu", "nn.selu", "nn.softplus", "nn.softmax", "matmul", "reduce_mean", "reduce_sum", "nn.log_softmax")


def row(symbol, label, call, *inputs, **options):
    """A row whose inputs become bfloat16, and whose outputs become float32, so that they are compared exactly."""

    def through(tf, *tensors):
        out = call(tf, *[tf.cast(t, tf.bfloat16) for t in tensors])
        outputs = list(out) if isinstance(out, (list, tuple)) else [out]
        exact = symbol not in ROUNDED
        return [tf.cast(o, tf.float32) if exact and o.dtype == tf.bfloat16 else o for o in outputs]

    case(symbol, "bfloat16, " + label, through, *inputs, **options)


for symbol in ("abs", "negative", "square", "exp", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asinh", "atan",
               "floor", "ceil", "sign", "round", "sigmoid", "is_nan", "is_inf", "is_finite", "nn.relu",
               "nn.relu6", "nn.elu", "nn.selu", "nn.softplus", "nn.softsign", "identity", "zeros_like", "ones_like",
               "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "argmax", "argmin",
               "cumsum", "nn.softmax", "nn.log_softmax", "nn.l2_loss", "erf", "erfc"):  # fmt: skip
    row(symbol, "one input", named(symbol), X[1:8] if symbol in ("sinh", "cosh", "exp", "expm1") else X)
for symbol in ("asin", "acos", "atanh"):
    row(symbol, "one input", named(symbol), UNIT)
for symbol in ("sqrt", "rsqrt", "log", "log1p", "reciprocal"):
    row(symbol, "one input", named(symbol), POSITIVE)
row("acosh", "one input", named("acosh"), POSITIVE[2:])
row("is_nan", "special", lambda tf, x: [tf.is_nan(x), tf.is_inf(x), tf.is_finite(x)], np.float32([nan, inf, -inf, 1]))
for symbol in ("add", "subtract", "multiply", "divide", "truediv", "maximum", "minimum", "less", "less_equal", "greater",
               "greater_equal", "equal", "not_equal", "squared_difference", "floordiv", "floormod", "div_no_nan", "atan2",
               "math.multiply_no_nan"):  # fmt: skip
    row(symbol, "two inputs", named(symbol), X, Y)
row("pow", "two inputs", named("pow"), POSITIVE[:4], np.float32([2, -1, 0.5, 3]))
row("add", "broadcast", lambda tf, x, y: x + y[:3], MATRIX, Y)
row("where", "choice", lambda tf, x, y: tf.where(x > y, x, y), X, Y)
row("add_n", "form", lambda tf, x, y: tf.add_n([x, y, x]), X, Y)
row("clip_by_value", "form", lambda tf, x: tf.clip_by_value(x, -1.0, 1.0), X)
row("matmul", "form", lambda tf, x: tf.matmul(x, x, transpose_b=True), MATRIX)
row("matmul", "batch", lambda tf, x: tf.matmul(x[None], x[None], transpose_a=True), MATRIX)
row("reduce_sum", "axes", lambda tf, x: [tf.reduce_sum(x, 0), tf.reduce_mean(tf.abs(x), 1, True), tf.reduce_max(x, [0, 1])], MATRIX)
row("reduce_sum", "many", lambda tf, x: tf.reduce_sum(x), np.full(1000, 0.1, np.float32))
row("reduce_mean", "many", lambda tf, x: tf.reduce_mean(x), np.full(1000, 0.1, np.float32))
row("cumsum", "reverse", lambda tf, x: tf.cumsum(x, 1, True, True), MATRIX)
row("nn.softmax", "rows", lambda tf, x: tf.nn.softmax(x), MATRIX)
row("nn.top_k", "form", lambda tf, x: list(tf.nn.top_k(x, 2)), MATRIX)
row("concat", "form", lambda tf, x, y: tf.concat([x, y], 0), X, Y)
row("transpose", "form", lambda tf, x: tf.transpose(x), MATRIX)
row("reshape", "form", lambda tf, x: tf.reshape(x, [3, 2])[1:], MATRIX)
row("gather", "form", lambda tf, x: tf.gather(x, [2, 0], axis=1), MATRIX)
row("tile", "form", lambda tf, x: tf.tile(x, [2, 1]), MATRIX)
row("pad", "form", lambda tf, x: tf.pad(x, [[1, 0], [0, 1]], constant_values=2.0), MATRIX)
row("one_hot", "form", lambda tf: tf.one_hot([1, 0], 3, dtype=tf.bfloat16))
row("range", "form", lambda tf: tf.fill([3], tf.constant(0.3, tf.bfloat16)))
row("constant", "form", lambda tf: tf.constant([1.00390625, 1.01171875, 1e30, nan, -inf], tf.bfloat16))
row("zeros", "form", lambda tf: [tf.zeros([2], tf.bfloat16), tf.ones([2], tf.bfloat16)])
row("unsorted_segment_sum", "form", lambda tf, x: tf.unsorted_segment_sum(x, [1, 0], 3), MATRIX)
row("segment_sum", "form", lambda tf, x: tf.segment_sum(x, [0, 0]), MATRIX)
row("unsorted_segment_max", "form", lambda tf, x: tf.unsorted_segment_max(x, [1, 1], 2), MATRIX)
for kind in ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool", "complex64"):
    case("cast", f"bfloat16 to {kind}", lambda tf, x, k=kind: tf.cast(tf.cast(x, tf.bfloat16), k), np.float32([-0.0, 1, 2.7, -3, 100]))
    case("cast", f"{kind} to bfloat16", lambda tf, x: tf.cast(tf.cast(x, tf.bfloat16), tf.float32), np.array([0, 1, 2, 3, 100]).astype(kind))
case("to_bfloat16", "form", lambda tf, x: tf.cast(tf.to_bfloat16(x), tf.float32), X, nodes=True)
for symbol in ("random_uniform", "random_normal", "truncated_normal"):
    row(symbol, "seed", lambda tf, s=symbol: named(s)(tf, [7], dtype=tf.bfloat16, seed=3))
row("random.stateless_normal", "seed", lambda tf: tf.random.stateless_normal([7], tf.constant([1, 2]), dtype=tf.bfloat16))
case("bitcast", "bfloat16 to uint16", lambda tf, x: tf.cast(tf.bitcast(tf.cast(x, tf.bfloat16), tf.uint16), tf.int32), X)
