"""Rows of the op table: numbers of several distributions, and numbers that depend on a tensor of seeds alone."""

import numpy as np
from cases import case, form, named

FLOATS = ("float16", "float32", "float64", "bfloat16")
SEEDS = np.array([7, 11], np.int64)


def drawn(symbol, label, draw, *inputs, **options):
    case(symbol, label, draw, *inputs, ulps=2, **options)


for symbol in ("random_gamma", "random.gamma"):
    f = named(symbol)
    drawn(symbol, "form", lambda tf, f=f: f(tf, [4], [0.5, 1.0, 3.0], seed=1), nodes=True)
    form(symbol, "rate", lambda tf, a, b, f=f: f(tf, [5], a, b, seed=2), np.float32([[0.5], [2]]), np.float32([1, 4]), ulps=2)
    drawn(symbol, "scalar", lambda tf, f=f: f(tf, [], 2.0, seed=3, name="mine"), nodes=True)
    drawn(symbol, "empty", lambda tf, f=f: f(tf, [0], [2.0, 1.0], seed=3))
for dtype in FLOATS[:3]:
    drawn("random_gamma", dtype, lambda tf, d=dtype: tf.random_gamma([20], [0.1, 1.0, 9.0], dtype=getattr(tf, d), seed=4))
drawn("random_gamma", "graph seed", lambda tf: (tf.set_random_seed(3), tf.random_gamma([3], 2.0))[1])
strange = [-0.5, -1.0, float("nan"), float("inf"), -float("inf"), 0.0]  # no number comes of some, and none is tried for ever
case("random_gamma", "outside of its domain", lambda tf: tf.random_gamma([2], strange, seed=1))
case("random_gamma", "integers", lambda tf: tf.random_gamma([2], 3, dtype=tf.int32, seed=1))
case("random_gamma", "shape matrix", lambda tf: tf.random_gamma([[2]], 3.0, seed=1))
case("random_gamma", "negative size", lambda tf, n: tf.random_gamma(n, 3.0, seed=1), np.array([-2], np.int32))
for symbol in ("random_poisson", "random.poisson"):
    f = named(symbol)
    drawn(symbol, "form", lambda tf, f=f: f(tf, tf.constant([0.5, 5.0, 50.0]), [4], seed=1), nodes=True)
    form(symbol, "rates", lambda tf, a, f=f: f(tf, a, [3], seed=2), np.float32([[0.5], [20]]), ulps=2)
    drawn(symbol, "scalar", lambda tf, f=f: f(tf, tf.constant(2.0), [], seed=3, name="mine"), nodes=True)
for dtype in ("float16", "float32", "float64", "int32", "int64"):
    drawn("random_poisson", dtype, lambda tf, d=dtype: tf.random_poisson([0.1, 9.0, 300.0], [20], getattr(tf, d), seed=4))
    drawn("random_poisson", f"rates {dtype}", lambda tf, d=dtype: tf.random_poisson(tf.constant([1, 30], d), [9], seed=4))
case("random_poisson", "no such dtype", lambda tf: tf.random_poisson(1.0, [2], tf.int8, seed=1))

# -- seeds as a tensor

for symbol in ("random.stateless_uniform", "random.stateless_normal", "random.stateless_truncated_normal"):
    f = named(symbol)
    form(symbol, "form", lambda tf, s, f=f: f(tf, [2, 3], s), SEEDS, ulps=2)
    form(symbol, "shape tensor", lambda tf, n, s, f=f: f(tf, n, s, name="mine"), np.array([2, 3], np.int32), SEEDS, ulps=2)
    drawn(symbol, "int32 seed", lambda tf, s, f=f: f(tf, [5], s), np.array([-3, 2**31 - 1], np.int32), nodes=True)
    drawn(symbol, "large seed", lambda tf, s, f=f: f(tf, [5], s), np.array([-(2**63), 2**63 - 1]))
    for dtype in FLOATS[:3]:
        drawn(symbol, dtype, lambda tf, s, f=f, d=dtype: f(tf, [33], s, dtype=getattr(tf, d)), SEEDS)
    drawn(symbol, "scalar", lambda tf, s, f=f: f(tf, [], s), SEEDS)
    drawn(symbol, "empty", lambda tf, s, f=f: f(tf, [0, 3], s), SEEDS)
    case(symbol, "three seeds", lambda tf, f=f: f(tf, [2], [1, 2, 3]))
    case(symbol, "scalar seed", lambda tf, f=f: f(tf, [2], 1))
    case(symbol, "float seed", lambda tf, f=f: f(tf, [2], [1.0, 2.0]))
    case(symbol, "unknown seeds", lambda tf, s, f=f: f(tf, [2], tf.placeholder_with_default(s, None)), np.arange(3))
for symbol in ("random.stateless_normal", "random.stateless_truncated_normal"):
    f = named(symbol)
    drawn(symbol, "mean and deviation", lambda tf, s, f=f: f(tf, [4, 2], s, [1.0, 2.0], 3.0), SEEDS, nodes=True)
    case(symbol, "integers", lambda tf, f=f: f(tf, [2], [1, 2], dtype=tf.int32))
uniform = named("random.stateless_uniform")
symbol = "random.stateless_uniform"
drawn(symbol, "bounds", lambda tf, s: uniform(tf, [4], s, -2.0, 5.0), SEEDS, nodes=True)
for dtype in ("int32", "int64"):
    drawn(symbol, f"{dtype} bounds", lambda tf, s, d=dtype: uniform(tf, [9], s, -3, 100, getattr(tf, d)), SEEDS, nodes=True)
for dtype in ("int32", "int64", "uint32", "uint64"):
    drawn(symbol, f"any {dtype}", lambda tf, s, d=dtype: uniform(tf, [9], s, None, None, getattr(tf, d)), SEEDS, nodes=True)
case(symbol, "int without a limit", lambda tf, s: uniform(tf, [2], s, dtype=tf.int32), SEEDS)
case(symbol, "no room", lambda tf, s: uniform(tf, [2], s, 3, 3, tf.int32), SEEDS)
for symbol in ("random.stateless_multinomial", "random.stateless_categorical"):
    f = named(symbol)
    logits = np.float32([[0, 1, 2], [3, 0, -np.inf]])
    form(symbol, "form", lambda tf, x, s, f=f: f(tf, x, 12, s), logits, SEEDS)
    case(symbol, "float64", lambda tf, x, s, f=f: f(tf, x, 12, s), logits.astype(np.float64), SEEDS)
    case(symbol, "int32", lambda tf, x, s, f=f: f(tf, x, 12, s, tf.int32, name="mine"), logits, SEEDS, nodes=True)
    case(symbol, "vector", lambda tf, x, s, f=f: f(tf, x, 12, s), logits[0], SEEDS)
    case(symbol, "no class", lambda tf, x, s, f=f: f(tf, x, 12, s), logits[:, :0], SEEDS)
    case(symbol, "negative count", lambda tf, x, s, f=f: f(tf, x, -1, s), logits, SEEDS)
    case(symbol, "three seeds", lambda tf, x, f=f: f(tf, x, 2, [1, 2, 3]), logits)

# -- other names of what cases_random.py has

for symbol, draw in {
    "random.uniform": lambda f, tf: f(tf, [3], 1.0, 2.0, seed=1),
    "random.normal": lambda f, tf: f(tf, [3], 1.0, 2.0, seed=1),
    "random.truncated_normal": lambda f, tf: f(tf, [3], 1.0, 2.0, seed=1),
    "random.shuffle": lambda f, tf: f(tf, [1, 2, 3, 4], seed=1),
    "random.multinomial": lambda f, tf: f(tf, [[1.0, 2.0]], 5, seed=1),
    "random.categorical": lambda f, tf: f(tf, [[1.0, 2.0]], 5, tf.int32, seed=1),
}.items():
    drawn(symbol, "form", lambda tf, s=symbol, draw=draw: draw(named(s), tf), nodes=True)
for op in ("uniform", "normal", "truncated_normal"):
    f = named("random." + op)
    drawn("random." + op, "many", lambda tf, f=f: f(tf, [3000], seed=5)[::97])
    drawn("random." + op, "a graph seed", lambda tf, f=f: (tf.random.set_random_seed(9), f(tf, [5]))[1])
case("random.get_seed", "form", lambda tf: tf.constant(tf.random.get_seed(5)))
drawn("random.set_random_seed", "form", lambda tf: (tf.random.set_random_seed(4), tf.random.normal([3]))[1])
