"""Rows of the op table: functions that are loops over tensor arrays; as rows their graphs also go to TensorFlow and back."""

from typing import Any

import numpy as np
from cases import case, form

ROWS = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
WORDS = np.array(["a", "b", "c"])
N = np.int32(4)


def fibonacci(tf: Any, n: Any) -> Any:
    a = tf.TensorArray(tf.int32, n, clear_after_read=False).write(0, 1).write(1, 1)
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, a.read(i - 1) + a.read(i - 2))), [2, a])[1].stack()


def triangle(tf: Any, n: Any) -> Any:
    """Rows of different lengths, made by a loop in a loop with an array of its own."""

    def row(i: Any, table: Any) -> Any:
        inner = lambda j, r: (j + 1, r.write(j, 10 * i + j))
        cells = tf.while_loop(lambda j, r: j <= i, inner, (0, tf.TensorArray(tf.int32, i + 1)))[1]
        return i + 1, table.write(i, cells.stack())

    return tf.while_loop(lambda i, t: i < n, row, (0, tf.TensorArray(tf.int32, n, infer_shape=False)))[1].concat()


form("map_fn", "form", lambda tf, x: tf.map_fn(lambda row: 2 * row, x), ROWS)
form("foldl", "form", lambda tf, x: tf.foldl(lambda a, row: 2 * a + row, x), ROWS)
form("foldr", "form", lambda tf, x: tf.foldr(lambda a, row: 2 * a + row, x), ROWS)
form("scan", "form", lambda tf, x: tf.scan(lambda a, row: a + row, x), ROWS)
form("scan", "from the end", lambda tf, x, a: tf.scan(lambda a, row: a - row, x, a, reverse=True), ROWS, ROWS[0])
case("map_fn", "strings", lambda tf, x: tf.map_fn(lambda word: tf.strings.join([word, "!"]), x), WORDS)
case("map_fn", "two of two", lambda tf, x: tf.map_fn(lambda p: (p[0] + p[1], p[0] > p[1]), (x, 3.5 - x), dtype=(tf.float32, tf.bool)), ROWS)
case("map_fn", "in a map", lambda tf, x: tf.map_fn(lambda row: tf.map_fn(lambda v: v * tf.reduce_sum(row), row), x), ROWS)
case("map_fn", "of none", lambda tf, x: tf.map_fn(lambda row: 2 * row, x), ROWS[:0])
case("map_fn", "with its gradient", lambda tf, x: tf.gradients(tf.map_fn(lambda row: row * row, x), x)[0], ROWS)
case("scan", "with its gradient", lambda tf, x: tf.gradients(tf.scan(lambda a, row: a * row, x), x)[0], ROWS)
case("foldl", "with its gradient", lambda tf, x: tf.gradients(tf.foldl(lambda a, row: a * row + a, x), x)[0], ROWS)
case("TensorArray", "in a loop", fibonacci, N)
case("TensorArray", "in a loop in a loop", triangle, N)
case("TensorArray", "in a branch", lambda tf, x, p: tf.cond(
    p, lambda: tf.TensorArray(tf.float32, 2).write(0, x), lambda: tf.TensorArray(tf.float32, 2).write(1, x)
).size(), ROWS, np.array(True))  # fmt: skip
