"""Rows of the op table: reductions and products."""

import numpy as np
from cases import REALS, SMALL_INTS, case, form, inf, named, nan

NUMBERS = np.array([[1, -2, 3], [4, 5, -6]])
REDUCTIONS = {
    "reduce_sum": REALS + ("complex64",),
    "reduce_mean": REALS,
    "reduce_max": REALS + SMALL_INTS[:1],
    "reduce_min": REALS,
    "reduce_prod": REALS,
}
for symbol, dtypes in REDUCTIONS.items():
    f = named(symbol)
    for dtype in dtypes:
        values = np.abs(NUMBERS) if dtype == "uint8" else NUMBERS
        case(
            symbol, dtype, lambda tf, x, f=f: [f(tf, x), f(tf, x, 0), f(tf, x, 1, True)], values.astype(dtype)
        )
    case(
        symbol,
        "nan and inf",
        lambda tf, x, f=f: [f(tf, x), f(tf, x, 0)],
        np.array([[nan, 1], [inf, -inf], [1, 2]], np.float32),
    )
    case(
        symbol, "empty", lambda tf, x, f=f: [f(tf, x), f(tf, x, 0), f(tf, x, 1)], np.ones((0, 2), np.float32)
    )
    case(symbol, "wrong dtype", f, np.array([True]))
case("reduce_sum", "int32 wraps", named("reduce_sum"), np.array([2**31 - 1, 1], np.int32))
case(
    "reduce_mean",
    "integers round towards zero",
    lambda tf, x: [tf.reduce_mean(x), tf.reduce_mean(-x)],
    np.array([1, 2, 2, 2], np.int32),
)
case("reduce_mean", "int32 overflow", named("reduce_mean"), np.array([2**31 - 1, 2**31 - 1], np.int32))
case("reduce_mean", "float16 sums", named("reduce_mean"), np.full(4000, 30, np.float16))
for symbol in ("reduce_all", "reduce_any"):
    f = named(symbol)
    case(
        symbol,
        "bool",
        lambda tf, x, f=f: [f(tf, x), f(tf, x, 0), f(tf, x, [1], True)],
        np.array([[True, False], [True, True]]),
    )
    case(symbol, "empty", lambda tf, x, f=f: [f(tf, x), f(tf, x, 0)], np.ones((0, 2), bool))
    case(symbol, "wrong dtype", f, np.ones(2, np.float32))
for symbol in (*REDUCTIONS, "reduce_all", "reduce_any"):
    f = named(symbol)
    sample = np.ones((2, 3, 4), bool if symbol in ("reduce_all", "reduce_any") else np.float32)
    form(symbol, "all axes", f, sample)
    form(symbol, "axis", lambda tf, x, f=f: f(tf, x, 1), sample)
    form(symbol, "negative axis", lambda tf, x, f=f: f(tf, x, axis=-1, keepdims=True), sample)
    form(symbol, "axes", lambda tf, x, f=f: f(tf, x, [0, 2]), sample)
    case(symbol, "no axes", lambda tf, x, f=f: f(tf, x, []), sample)
    form(
        symbol,
        "old names",
        lambda tf, x, f=f: f(tf, x, reduction_indices=[1], keep_dims=True, name="mine"),
        sample,
    )
    form(symbol, "axis tensor", lambda tf, x, a, f=f: f(tf, x, a), sample, np.int32(1))
    form(
        symbol,
        "axis vector",
        lambda tf, x, a, f=f: f(tf, x, a, keepdims=True),
        sample,
        np.array([0, 1], np.int32),
    )
    form(symbol, "scalar", f, sample[0, 0, 0])
    case(symbol, "axis beyond", lambda tf, x, f=f: f(tf, x, 3), sample)
    case(symbol, "axis twice", lambda tf, x, f=f: f(tf, x, [0, 0]), sample)
    case(symbol, "float axis", lambda tf, x, f=f: f(tf, x, 0.5), sample)
    case(
        symbol, "two names of one argument", lambda tf, x, f=f: f(tf, x, axis=0, reduction_indices=0), sample
    )
case(
    "reduce_logsumexp",
    "form",
    lambda tf, x: tf.reduce_logsumexp(x, 1),
    np.array([[1.0, 2], [-1000, -1000]], np.float32),
)
form("count_nonzero", "form", lambda tf, x: tf.count_nonzero(x, 0), np.array([[1.0, 0], [2, 0]], np.float32))
for symbol in ("argmax", "argmin", "arg_max", "arg_min"):
    f = named(symbol)
    for dtype in (*REALS, "uint8"):
        case(
            symbol,
            dtype,
            lambda tf, x, f=f: [f(tf, x, 0), f(tf, x, 1)],
            np.array([[3, 1, 3], [3, 5, 0]], dtype),
        )
    case(symbol, "nan", lambda tf, x, f=f: f(tf, x, 0), np.array([1, nan, 3, 0], np.float32))
    form(symbol, "axis", lambda tf, x, f=f: f(tf, x, 1), np.array([[1.0, 2, 0], [0, 2, 2]], np.float32))
    form(symbol, "negative axis", lambda tf, x, f=f: f(tf, x, -1), np.ones((2, 3, 2), np.float32))
    form(
        symbol,
        "output type",
        lambda tf, x, f=f: f(tf, x, 0, output_type=tf.int32),
        np.ones((2, 3), np.float32),
    )
    form(symbol, "axis tensor", lambda tf, x, a, f=f: f(tf, x, a), np.ones((2, 3), np.float32), np.int32(0))
    case(symbol, "axis beyond", lambda tf, x, f=f: f(tf, x, 2), np.ones((2, 3), np.float32))
    case(symbol, "empty axis", lambda tf, x, f=f: f(tf, x, 0), np.ones((0, 3), np.float32))
    case(symbol, "name", lambda tf, x, f=f: f(tf, x, 0, name="mine"), np.ones(3, np.float32), nodes=True)
form("argmax", "default axis", lambda tf, x: tf.argmax(x), np.array([[1.0, 2], [3, 0]], np.float32))
form("argmax", "old name", lambda tf, x: tf.argmax(x, dimension=1), np.array([[1.0, 2], [3, 0]], np.float32))
case("nn.l2_loss", "form", named("nn.l2_loss"), np.array([[1.0, 2], [3, 4]], np.float32), nodes=True)
for count in (0, 1, 4096, 100_000):
    case("nn.l2_loss", f"of {count}", named("nn.l2_loss"), np.linspace(-1, 1, count, dtype=np.float32))
case("nn.zero_fraction", "form", named("nn.zero_fraction"), np.array([[1.0, 0], [3, 0]], np.float32))

# -- matmul ------------------------------------------------------------------------------------------------------

A, B = np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4)
for dtype in (*REALS, "complex64"):
    case("matmul", dtype, named("matmul"), A.astype(dtype), B.astype(dtype))
A, B = A.astype(np.float32), B.astype(np.float32)
form("matmul", "form", named("matmul"), A, B)
form("matmul", "transposed a", lambda tf, a, b: tf.matmul(a, b, transpose_a=True), A.T.copy(), B)
form("matmul", "transposed b", lambda tf, a, b: tf.matmul(a, b, False, True), A, B.T.copy())
form(
    "matmul",
    "both transposed",
    lambda tf, a, b: tf.matmul(a, b, transpose_a=True, transpose_b=True),
    A.T.copy(),
    B.T.copy(),
)
form("matmul", "batch", named("matmul"), np.stack([A, -A]), np.stack([B, B + 1]))
form("matmul", "batch broadcast", named("matmul"), np.stack([A, -A]), B)
form(
    "matmul",
    "batch transposed",
    lambda tf, a, b: tf.matmul(a, b, transpose_b=True),
    np.stack([A, A]),
    np.stack([B.T, B.T]),
)
form(
    "matmul",
    "adjoint",
    lambda tf, a, b: tf.matmul(a, b, adjoint_a=True),
    (A.T * 1j).astype(np.complex64),
    B.astype(np.complex64),
)
form("matmul", "sparse hints", lambda tf, a, b: tf.matmul(a, b, a_is_sparse=True, name="mine"), A, B)
case("matmul", "literal", lambda tf, a: tf.matmul(a, [[1.0], [2.0], [3.0]]), A, nodes=True)
case("matmul", "no rows", named("matmul"), A[:0], B)
case("matmul", "nothing to sum", named("matmul"), np.ones((2, 0), np.float32), np.ones((0, 3), np.float32))
case("matmul", "inner dimensions", named("matmul"), A, A)
case("matmul", "rank 1", named("matmul"), A[0], B)
case("matmul", "ranks differ", named("matmul"), np.stack([A, A]), np.stack([B, B, B]))
case("matmul", "dtypes differ", named("matmul"), A, B.astype(np.int32))
case("matmul", "bool", named("matmul"), np.ones((1, 1), bool), np.ones((1, 1), bool))
case(
    "matmul",
    "transpose and adjoint",
    lambda tf, a, b: tf.matmul(a, b, transpose_a=True, adjoint_a=True),
    A,
    A,
)
case("tensordot", "form", lambda tf, a, b: tf.tensordot(a, b, 1), A, B)
case("matrix_inverse", "form", named("matrix_inverse"), np.array([[2.0, 1], [1, 1]], np.float32))
