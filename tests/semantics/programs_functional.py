"""map_fn, foldl, foldr and scan: their nodes, results, structures of tensors, and errors."""

from harness import attempt, fresh, graph_of, program

ROWS = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
ATTRS = ("frame_name", "is_constant", "parallel_iterations", "element_shape")


def rows(tf):
    """Rows whose number is open, and some whose number is known."""
    return tf.placeholder(tf.float32, [None, 2], name="p"), tf.constant([[1, 2], [3, 4], [5, 6]], name="q")


def ran(tf, p, *results, drawn=True):
    """The graph, and the values: for the usual rows twice, and for a single one."""
    shapes = [str(t.shape) for t in tf.nest.flatten(results)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [graph_of(tf, *ATTRS) if drawn else None, shapes, [attempt(lambda v=v: sess.run(results, {p: v})) for v in (ROWS, ROWS, ROWS[:1])]]


@program
def map_nodes(tf, np):
    p, q = rows(tf)
    return ran(tf, p, tf.map_fn(lambda x: x * 2, q), tf.map_fn(lambda x: tf.reduce_sum(x), p))


@program
def map_structures(tf, np):
    p, _ = rows(tf)
    both = tf.map_fn(
        lambda x: (x[0] * 10.0, {"whole": tf.cast(x[1]["k"], tf.int32)}),
        (p, {"k": tf.square(p)}),
        dtype=(tf.float32, {"whole": tf.int32}),
        name="own", parallel_iterations=3, back_prop=False, swap_memory=True, infer_shape=False,
    )  # fmt: skip
    listed = tf.map_fn(lambda x: [x[0] + x[1], x[0] - x[1]], [p, 2 * p])
    return ran(tf, p, both, listed)


@program
def map_dtypes_and_arrays(tf, np):
    p, _ = rows(tf)
    return ran(
        tf, p, tf.map_fn(lambda x: tf.strings.join([x, "!"]), np.array(["a", "b"])),
        tf.map_fn(lambda x: x > 2, np.arange(5), dtype=tf.bool), tf.map_fn(tf.as_string, p, dtype=tf.string),
        drawn=False,
    )  # fmt: skip


@program
def map_of_different_shapes(tf, np):
    n = tf.placeholder_with_default([1, 2, 3], [None])
    ragged = tf.map_fn(lambda k: tf.ones([k]), n, dtype=tf.float32)
    padded = tf.map_fn(lambda k: tf.pad(tf.ones([k]), [[0, 3 - k]]), n, dtype=tf.float32)
    with tf.Session() as sess:
        return [attempt(lambda: sess.run(ragged)), sess.run(padded), [str(ragged.shape), str(padded.shape)]]


@program
def map_reads_a_variable_once(tf, np):
    p, _ = rows(tf)

    def scaled(x):
        with tf.variable_scope("layer", reuse=tf.AUTO_REUSE):
            return x * tf.get_variable("scale", initializer=np.float32([1.0, -1.0]))

    out = tf.map_fn(scaled, p)
    return [ran(tf, p, out), tf.get_variable_scope().caching_device is None]


@program
def map_of_none(tf, np):
    p, _ = rows(tf)
    outs = [tf.map_fn(lambda x: 2 * x, p), tf.map_fn(lambda x: 2 * x, tf.zeros([0, 2])), tf.map_fn(tf.reduce_sum, p)]
    with tf.Session() as sess:
        return [attempt(lambda out=out: sess.run(out, {p: np.zeros([0, 2])})) for out in outs]


@program
def map_in_map(tf, np):
    p, _ = rows(tf)
    return ran(tf, p, tf.map_fn(lambda row: tf.map_fn(lambda x: x * x + tf.reduce_sum(row), row), p))


@program
def folds(tf, np):
    p, q = rows(tf)
    return ran(
        tf, p, tf.foldl(lambda a, x: 2 * a + x, q), tf.foldl(lambda a, x: a + x, p, initializer=tf.ones([2]), name="own"),
        tf.foldr(lambda a, x: a - x, q), tf.foldr(lambda a, x: a + x, p),
        tf.foldr(lambda a, x: 2 * a + x, p, tf.zeros([2]), 4, False, True),
    )  # fmt: skip


@program
def folds_of_structures(tf, np):
    p, _ = rows(tf)
    return ran(
        tf, p, tf.foldl(lambda a, x: (a[0] + x["r"], a[1] + 1), {"r": p}, initializer=(tf.zeros([2]), 0)),
        tf.foldr(lambda a, x: [a[0] + x[0], a[1] - x[1]], [p, 2 * p]),
        tf.foldl(lambda a, x: a * x, np.arange(1, 6)), drawn=False,
    )  # fmt: skip


@program
def scans(tf, np):
    p, q = rows(tf)
    return ran(
        tf, p, tf.scan(lambda a, x: a + x, q), tf.scan(lambda a, x: a - x, q, reverse=True),
        tf.scan(lambda a, x: a + x, p, initializer=tf.ones([2]), name="own"), tf.scan(lambda a, x: a + x, p, infer_shape=False),
        tf.scan(lambda a, x: 2 * a + x, p, tf.zeros([2]), 4, False, True, True, True),
    )  # fmt: skip


@program
def scans_of_structures(tf, np):
    p, _ = rows(tf)
    fibonacci = tf.scan(lambda a, _: (a[1], a[0] + a[1]), np.zeros(6), (np.int64(0), np.int64(1)))
    return ran(
        tf, p, fibonacci, tf.scan(lambda a, x: a + x[0] - x[1], (p + 1, p), tf.zeros([2])),
        tf.scan(lambda a, x: {"s": a["s"] + x["k"]}, {"k": p}, {"s": tf.zeros([2])}), drawn=False,
    )  # fmt: skip


@program
def what_is_refused(tf, np):
    calls = [
        lambda q: tf.map_fn(lambda x: x, []),
        lambda q: tf.map_fn(lambda x: (x, x), q), lambda q: tf.map_fn(lambda x: x, q, dtype=(tf.int32, tf.int32)),
        lambda q: tf.map_fn(lambda x: x[0], [q, tf.constant([1, 2])]),
        lambda q: tf.map_fn(lambda x: [x[0], x[1]], [q, tf.constant([1, 2])]),
        lambda q: tf.scan(lambda a, x: (a, x), q), lambda q: tf.scan(lambda a, x: a, q, initializer=(q, q)),
        lambda q: tf.scan(lambda a, x: tf.stack([a, x]), q),
        lambda q: tf.foldl(lambda a, x: tf.concat([a, x], 0), q), lambda q: tf.foldl(lambda a, x: None, q),
        lambda q: tf.map_fn(lambda x: x, tf.constant([[1, 2]]), parallel_iterations=-1),
    ]  # fmt: skip
    return [fresh(tf, lambda call=call: call(tf.constant([[1, 2], [3, 4]], name="q"))) for call in calls]


@program
def what_fails_in_a_run(tf, np):
    def of_another_dtype():
        return tf.map_fn(lambda x: x > 2, tf.constant([1, 2, 3]))

    def made_before():
        with tf.Session() as sess:
            return sess.run(of_another_dtype())

    def inside():
        x = tf.constant([[1.0], [2.0]])
        seen = []
        tf.map_fn(lambda v: seen.append(2 * v) or v, x)
        with tf.Session() as sess:
            return sess.run(seen[0])

    def used_outside():
        seen = []
        tf.map_fn(lambda v: seen.append(2 * v) or v, tf.constant([1.0]))
        return seen[0] + 1

    return [fresh(tf, f) for f in (made_before, inside, used_outside)]


@program
def gradients(tf, np):
    p, _ = rows(tf)
    w = tf.constant([0.5, -2.0])
    outs = [
        tf.map_fn(lambda x: x * x * w, p),
        tf.foldl(lambda a, x: a * x + w, p),
        tf.foldr(lambda a, x: a * x, p, initializer=w),
        tf.scan(lambda a, x: a * x, p),
        tf.scan(lambda a, x: a * w + x, p, initializer=w, reverse=True),
        tf.map_fn(lambda x: x[0] * x[1], (p, 2 * p), dtype=tf.float32),
    ]
    found = [tf.gradients(out, [p, w]) for out in outs]
    there = [g for pair in found for g in pair if g is not None]
    with tf.Session() as sess:
        return [[[g is None for g in pair] for pair in found], [sess.run(there, {p: v}) for v in (ROWS, ROWS[:2])]]


@program
def gradients_of_nested_maps(tf, np):
    p, _ = rows(tf)
    out = tf.map_fn(lambda row: tf.scan(lambda a, x: a * x, row), p)
    found = tf.gradients(out, p)
    without = tf.map_fn(lambda x: x * x, p, back_prop=False)
    with tf.Session() as sess:
        return [sess.run([out, found], {p: ROWS}), attempt(lambda: tf.gradients(without, p))]


@program
def maps_of_unsaid_dtypes(tf, np):
    p, _ = rows(tf)
    w = tf.constant([[1.0, -1.0], [0.5, 2.0]])

    def several(x):
        return {"sum": tf.reduce_sum(x["p"]), "is_large": x["p"] > 2.5, "pair": (x["q"] * 2, tf.matmul([x["p"]], w))}

    outs = [tf.vectorized_map(several, {"p": p, "q": tf.constant([1, 2, 3])}), tf.vectorized_map(tf.square, p)]
    slopes = tf.convert_to_tensor(tf.gradients(outs[1], p)[0])
    each = tf.vectorized_map(lambda x: tf.gradients(tf.reduce_sum(x * x * x), x)[0], p)
    with tf.Session() as sess:
        return [sess.run([outs, slopes, each], {p: ROWS}), [str(t.shape) for t in tf.nest.flatten(outs)]]
