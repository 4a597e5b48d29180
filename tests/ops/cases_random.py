"""Rows of the op table: random numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from cases import case, form, named
from harness import raw

SEEDS = (
    (None, 1),
    (1, None),
    (1, 2),
    (0, 0),
    (None, 0),
    (0, None),
    (2**31 - 1, 7),
    (-5, 3),
    (123456789012, 98765432109),
)


def seeded(
    graph_seed: int | None, op_seed: int | None, draw: Callable[[Any, int | None], Any]
) -> Callable[..., Any]:
    def call(tf: Any) -> Any:
        if graph_seed is not None:
            tf.set_random_seed(graph_seed)
        return draw(tf, op_seed)

    return call


RANDOM: dict[str, dict[str, Callable[[Any, int | None], Any]]] = {
    "random_uniform": {"float32": lambda tf, s: tf.random_uniform([5], seed=s)},
    "random_normal": {"float32": lambda tf, s: tf.random_normal([5], seed=s)},
    "truncated_normal": {"float32": lambda tf, s: tf.truncated_normal([5], seed=s)},
    "set_random_seed": {"int32": lambda tf, s: tf.random_uniform([5], 0, 1000, tf.int32, seed=s)},
}
for symbol, forms in RANDOM.items():
    for label, draw in forms.items():
        for graph_seed, op_seed in SEEDS:
            case(
                symbol,
                f"{label}, seeds {graph_seed} and {op_seed}",
                seeded(graph_seed, op_seed, draw),
                ulps=2,
            )


def drawn(symbol: str, label: str, draw: Callable[[Any], Any], **options: Any) -> None:
    case(symbol, label, lambda tf: draw(tf), ulps=2, **options)


for dtype in ("float16", "float32", "float64"):
    drawn("random_uniform", f"{dtype} shape", lambda tf, d=dtype: tf.random_uniform([3, 7], dtype=d, seed=3))
    drawn("random_normal", f"{dtype} shape", lambda tf, d=dtype: tf.random_normal([3, 7], dtype=d, seed=3))
    drawn(
        "truncated_normal", f"{dtype} shape", lambda tf, d=dtype: tf.truncated_normal([3, 7], dtype=d, seed=3)
    )
for dtype in ("int32", "int64"):
    drawn(
        "random_uniform", f"{dtype} range", lambda tf, d=dtype: tf.random_uniform([3, 7], -5, 100, d, seed=3)
    )
    drawn(
        "random_uniform",
        f"{dtype} wide",
        lambda tf, d=dtype: tf.random_uniform([9], tf.as_dtype(d).min, tf.as_dtype(d).max, d, seed=3),
    )
    drawn("random_uniform", f"{dtype} one value", lambda tf, d=dtype: tf.random_uniform([3], 4, 5, d, seed=3))
    case(
        "random_uniform", f"{dtype} empty range", lambda tf, d=dtype: tf.random_uniform([3], 4, 4, d, seed=3)
    )
drawn(
    "random_uniform", "range", lambda tf: tf.random_uniform([4], -2.0, 3.0, seed=3, name="mine"), nodes=True
)
drawn("random_uniform", "form", lambda tf: tf.random_uniform([2, 2], seed=1), nodes=True)
drawn(
    "random_uniform",
    "int form",
    lambda tf: tf.random_uniform([2, 2], maxval=10, dtype=tf.int32, seed=1),
    nodes=True,
)
drawn("random_uniform", "scalar", lambda tf: tf.random_uniform([], seed=1), nodes=True)
drawn("random_uniform", "empty", lambda tf: tf.random_uniform([0, 2], seed=1))
drawn(
    "random_uniform",
    "range of vectors",
    lambda tf: tf.random_uniform([2, 3], [0.0, 10.0, 20.0], [1.0, 11.0, 21.0], seed=1),
    nodes=True,
)
drawn("random_normal", "form", lambda tf: tf.random_normal([2, 2], seed=1), nodes=True)
drawn(
    "random_normal",
    "mean and deviation",
    lambda tf: tf.random_normal([6], 5.0, 0.1, seed=1, name="mine"),
    nodes=True,
)
drawn(
    "random_normal",
    "odd",
    lambda tf: [tf.random_normal([1], seed=1), tf.random_normal([3], seed=1), tf.random_normal([17], seed=1)],
)
drawn("truncated_normal", "form", lambda tf: tf.truncated_normal([2, 2], seed=1), nodes=True)
drawn(
    "truncated_normal",
    "mean and deviation",
    lambda tf: tf.truncated_normal([6], 5.0, 0.1, seed=1, name="mine"),
    nodes=True,
)
drawn("truncated_normal", "many", lambda tf: tf.truncated_normal([40], seed=1))
for symbol in ("random_uniform", "random_normal", "truncated_normal"):
    f = named(symbol)
    case(
        symbol,
        "large, summed in bands",
        lambda tf, f=f: tf.reduce_mean(tf.reshape(f(tf, [4096], seed=5), [16, 256]), 1),
    )
    drawn(
        symbol,
        "two ops of one graph seed",
        lambda tf, f=f: [tf.set_random_seed(9), f(tf, [3]), f(tf, [3])][1:],
    )
    drawn(
        symbol, "node count matters", lambda tf, f=f: [tf.set_random_seed(9), tf.constant(1), f(tf, [3])][2]
    )
    form(symbol, "shape tensor", lambda tf, s, f=f: f(tf, s, seed=1), np.array([2, 3], np.int32), ulps=2)
    form(symbol, "int64 shape", lambda tf, s, f=f: f(tf, s, seed=1), np.array([2, 3], np.int64), ulps=2)
    case(symbol, "bool", lambda tf, f=f: f(tf, [2], dtype=tf.bool))
    case(symbol, "negative shape", lambda tf, f=f: f(tf, [-1], seed=1))
    case(symbol, "shape no vector", lambda tf, s, f=f: f(tf, s, seed=1), np.int32(2))
case("random_uniform", "int without a limit", lambda tf: tf.random_uniform([2], dtype=tf.int32))
case("random_normal", "int", lambda tf: tf.random_normal([2], dtype=tf.int32))
drawn("random_shuffle", "form", lambda tf: tf.random_shuffle(tf.range(10), seed=1), nodes=True)
drawn("random_shuffle", "matrix", lambda tf: tf.random_shuffle(tf.reshape(tf.range(10), [5, 2]), seed=2))
drawn(
    "random_crop",
    "form",
    lambda tf: tf.random_crop(tf.reshape(tf.range(24), [4, 6]), [2, 3], seed=1),
    nodes=True,
)
drawn("random_crop", "whole", lambda tf: tf.random_crop(tf.reshape(tf.range(6), [2, 3]), [2, 3], seed=1))
case("random_crop", "too large", lambda tf: tf.random_crop(tf.zeros([2, 3]), [3, 3], seed=1))
drawn("multinomial", "form", lambda tf: tf.multinomial([[0.0, 1.0, 2.0]], 12, seed=1), nodes=True)

# -- truncated normal with parameters for each row ---------------------------------------------------------------------

BOUNDED = {
    "normal": (0.0, 1.0, -1.5, 2.0),
    "above": (0.5, 2.0, -9.0, 0.6),
    "below the mean": (3.0, 0.5, -2.0, 1.0),
    "narrow": (1.0, 3.0, 0.5, 1.5),
    "far away": (0.0, 1.0, 4.0, 9.0),
    "no upper bound": (0.0, 2.0, 3.0, np.inf),
    "no lower bound": (1.0, 0.25, -np.inf, -1.0),
    "no lower bound, wide": (1.0, 0.25, -np.inf, 3.0),
}


def bounded(tf: Any, shape: Any, mean: Any, deviation: Any, low: Any, high: Any) -> Any:
    return raw(
        tf, "ParameterizedTruncatedNormal", shape=shape, means=mean, stdevs=deviation, minvals=low, maxvals=high, seed=3, seed2=4
    )


def bounded_row(label: str, shape: Any, *parameters: Any, dtype: Any = np.float32, ulps: int | None = 2) -> None:
    given = [np.array(p, dtype) for p in parameters]
    case(
        "raw_ops.ParameterizedTruncatedNormal", label, lambda tf, *p: bounded(tf, shape, *p), *given, ulps=ulps
    )


for label, numbers in BOUNDED.items():
    for dtype in (np.float16, np.float32, np.float64):
        bounded_row(f"{label} {dtype.__name__}", [7, 5], *numbers, dtype=dtype)
    bounded_row(f"{label}, several hundred", [5, 43], *numbers)
bounded_row("a row each", [8, 9], *np.transpose(list(BOUNDED.values())))
bounded_row("a row each float64", [8, 9], *np.transpose(list(BOUNDED.values())), dtype=np.float64)
bounded_row("one of several for all", [4, 2, 3], [0.0], [1.0], [-1.0, -2.0, -3.0, 2.5], [3.0])
bounded_row("one axis", [9], 0.0, 1.0, -1.0, 1.0)
bounded_row("no rows", [0, 3], 0.0, 0.0, 1.0, 1.0)
bounded_row("empty rows", [2, 0], [0.0, 1.0], 1.0, 0.0, 1.0)
bounded_row("no deviation", [2, 3], 0.0, 0.0, -1.0, 2.0)
bounded_row("bounds exchanged", [2, 3], [0.0, 0.0], 1.0, [0.0, 2.0], 1.0)
bounded_row("no bounds", [2, 3], 0.0, 1.0, -np.inf, np.inf)
bounded_row("mean is no number", [2], np.nan, 1.0, 0.0, 1.0)
bounded_row("too many means", [2, 3], [0.0, 0.0, 0.0], 1.0, 0.0, 1.0)
bounded_row("too many bounds", [2, 3], 0.0, 1.0, 0.0, [1.0, 1.0, 1.0])
bounded_row("matrix of means", [2, 3], [[0.0]], 1.0, 0.0, 1.0)
bounded_row("negative shape", [-1], 0.0, 1.0, 0.0, 1.0)
form(
    "raw_ops.ParameterizedTruncatedNormal",
    "shape tensor",
    lambda tf, s: bounded(tf, s, [0.0, 1.0], 1.0, -1.0, 1.0),
    np.array([2, 3], np.int32),
    ulps=2,
)
case(
    "raw_ops.ParameterizedTruncatedNormal",
    "empty shape",
    lambda tf, s: bounded(tf, s, 0.0, 1.0, -1.0, 1.0),
    np.zeros([0], np.int32),
)
case(
    "raw_ops.ParameterizedTruncatedNormal",
    "int64 shape",
    lambda tf, s: bounded(tf, s, 0.0, 1.0, -1.0, 1.0),
    np.array([4], np.int64),
    ulps=2,
)
