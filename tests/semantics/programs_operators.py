"""Operators, their reflections and __getitem__ of tensors."""

from harness import attempt, fresh, graph_of, program


@program
def arithmetic_operators(tf, np):
    x, y = tf.constant([7.0, -7.0, 2.5], name="x"), tf.constant([2.0, 2.0, -2.0], name="y")
    i, j = tf.constant([7, -7, 7], name="i"), tf.constant([2, 2, -2], name="j")
    made = [
        x + y,
        x - y,
        x * y,
        x / y,
        x // y,
        x % y,
        x**2.0,
        -x,
        abs(x),
        i + j,
        i - j,
        i * j,
        i / j,
        i // j,
        i % j,
        i**2,
        -i,
        abs(i),
    ]
    with tf.Session() as sess:
        return [made, sess.run(made), graph_of(tf)["nodes"]]


@program
def reflected_operators(tf, np):
    x = tf.constant([4.0, -2.0], name="x")
    i = tf.constant([4, -3], name="i")
    made = [
        1.0 + x,
        1.0 - x,
        2.0 * x,
        1.0 / x,
        1.0 // x,
        5.0 % x,
        2.0**x,
        7 // i,
        7 % i,
        7 - i,
        1 / i,
        [1.0, 2.0] + x,
        [1.0, 2.0] * x,
        (1.0, 2.0) - x,
    ]
    with tf.Session() as sess:
        return [made, sess.run(made), graph_of(tf)["nodes"]]


@program
def comparison_and_logical_operators(tf, np):
    x, y = tf.constant([1.0, 2.0, float("nan")], name="x"), tf.constant([2.0, 2.0, 1.0], name="y")
    a, b = (
        tf.constant([True, True, False, False], name="a"),
        tf.constant([True, False, True, False], name="b"),
    )
    made = [x < y, x <= y, x > y, x >= y, x < 1.5, x > 1.5, a & b, a | b, a ^ b, ~a, a & True, True | b]
    with tf.Session() as sess:
        return [made, sess.run(made), graph_of(tf)["nodes"]]


@program
def equality_is_identity(tf, np):
    x, y = tf.constant(1.0), tf.constant(1.0)
    return [x == x, x == y, x != y, x != x, x == 1.0, x in {x}, {x: 1, y: 2}[y]]


@program
def matrix_multiplication_operator(tf, np):
    a, b = tf.constant([[1.0, 2.0]], name="a"), tf.constant([[3.0], [4.0]], name="b")
    batch = tf.ones([2, 1, 2])
    made = [a @ b, b @ a, [[1.0, 1.0]] @ b, batch @ tf.ones([2, 2, 1])]
    with tf.Session() as sess:
        return [
            made,
            sess.run(made),
            graph_of(tf)["nodes"],
            fresh(tf, lambda: tf.ones([2, 2]) @ tf.ones([3, 3])),
            attempt(lambda: a @ 2.0).classes[0],
        ]


@program
def division_tables(tf, np):
    out = {}
    for name in ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"):
        x, y = np.array([7, 3], name), np.array([2, 5], name)
        t, u = tf.constant(x), tf.constant(y)
        results = [
            t / u,
            t // u,
            t % u,
            tf.div(t, u),
            tf.divide(t, u),
            tf.truediv(t, u),
            tf.floordiv(t, u),
            tf.floormod(t, u),
            tf.realdiv(t, u) if name.startswith("f") else t,
            tf.truncatediv(t, u) if not name.startswith("f") else t,
        ]
        with tf.Session() as sess:
            out[name] = [[r.dtype.name, r.op.type] for r in results] + sess.run(results)
    return out


@program
def names_of_operators_under_scopes(tf, np):
    x = tf.constant(1.0, name="x")
    with tf.name_scope("s"):
        made = [x + 1.0, x + 2.0, 1.0 - x, x * x]
    named = [tf.add(x, 1.0, name="mine"), tf.multiply(x, 1.0, name="mine"), tf.subtract(2.0, x, name="mine")]
    return [made, named, graph_of(tf)["nodes"]]


SLICES = {
    "index": lambda t, tf, np: t[1],
    "negative": lambda t, tf, np: t[-1],
    "two": lambda t, tf, np: t[1, 2],
    "three": lambda t, tf, np: t[0, 1, -1],
    "slice": lambda t, tf, np: t[0:1],
    "open": lambda t, tf, np: t[:, 1:],
    "step": lambda t, tf, np: t[:, ::2],
    "reversed": lambda t, tf, np: t[:, ::-1],
    "negative step": lambda t, tf, np: t[:, 2:0:-1],
    "negative bounds": lambda t, tf, np: t[:, -2:-1],
    "beyond": lambda t, tf, np: t[:, 1:10],
    "empty": lambda t, tf, np: t[:, 2:1],
    "ellipsis": lambda t, tf, np: t[..., 1],
    "ellipsis first": lambda t, tf, np: t[0, ...],
    "ellipsis middle": lambda t, tf, np: t[0, ..., 1],
    "only ellipsis": lambda t, tf, np: t[...],
    "newaxis": lambda t, tf, np: t[tf.newaxis],
    "newaxis last": lambda t, tf, np: t[..., tf.newaxis],
    "newaxis middle": lambda t, tf, np: t[:, tf.newaxis, 1],
    "none": lambda t, tf, np: t[None, 0, :, None],
    "numpy int": lambda t, tf, np: t[np.int64(1)],
    "tensor": lambda t, tf, np: t[tf.constant(1)],
    "tensor bound": lambda t, tf, np: t[:, : tf.constant(2)],
    "tensor and int": lambda t, tf, np: t[tf.constant(0), 1],
    "int64 tensor": lambda t, tf, np: t[tf.constant(1, tf.int64)],
    "mixed": lambda t, tf, np: t[1, ..., ::-1, tf.newaxis],
    "dimension": lambda t, tf, np: t[: tf.Dimension(1)],
    "chained": lambda t, tf, np: t[0][1][2],
}


def _indexing(shape_of):
    def run(tf, np):
        out = {}
        for key, take in SLICES.items():
            with tf.Graph().as_default():
                value = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
                t = tf.placeholder(tf.float32, shape_of(value), name="t")
                r = take(t, tf, np)
                with tf.Session() as sess:
                    out[key] = [r, sess.run(r, {t: value})]
                if shape_of(value) == (2, 3, 4) and key != "dimension":
                    out[key].append(
                        graph_of(
                            tf, "begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"
                        )["nodes"]
                    )
        return out

    return run


@program
def indexing(tf, np):
    return _indexing(lambda value: value.shape)(tf, np)


@program
def indexing_partly_known_shapes(tf, np):
    return _indexing(lambda value: (None, 3, None))(tf, np)


@program
def indexing_unknown_rank(tf, np):
    return _indexing(lambda value: None)(tf, np)


@program
def refused_indices(tf, np):
    t = tf.ones([2, 3])
    bad = {
        "float": lambda: tf.ones([2, 3])[1.0],
        "text": lambda: tf.ones([2, 3])["a"],
        "too many": lambda: tf.ones([2, 3])[0, 0, 0],
        "beyond": lambda: tf.ones([2, 3])[2],
        "below": lambda: tf.ones([2, 3])[-3],
        "two ellipses": lambda: tf.ones([2, 3])[..., ...],
        "zero step": lambda: tf.ones([2, 3])[::0],
        "vector tensor": lambda: tf.ones([2, 3])[tf.constant([0, 1])],
        "list": lambda: tf.ones([2, 3])[[0, 1]],
        "bool": lambda: tf.ones([2, 3])[True],
        "none of it": lambda: tf.constant(1.0)[0],
        "float tensor": lambda: tf.ones([2, 3])[tf.constant(1.0)],
        "assign": lambda: t.__setitem__(0, 1.0),
        "slice of floats": lambda: tf.ones([2, 3])[0.5:1.5],
    }
    return {k: fresh(tf, f) for k, f in bad.items()}


@program
def arrays_on_the_left(tf, np):
    t = tf.constant([1.0, 2.0], name="t")
    a = np.array([3.0, 4.0], np.float32)
    made = [a + t, a - t, a * t, a / t, a**t, np.float32(2.0) * t, a < t, a // t]
    with tf.Session() as sess:
        return [made, sess.run(made)]
