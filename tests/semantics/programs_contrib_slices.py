"""Clipping of IndexedSlices, and rows, segments and bounds at their edges, as TF 1.15.0 itself does it.

Gradients of embeddings keep their class and dense_shape.
"""

from harness import attempt, fresh, graph_of, program


def slices(tf, shaped=True):
    values = tf.constant([[1.0, 2.0], [3.0, 4.0], [-1.0, 0.5]], name="values")
    return tf.IndexedSlices(values, tf.constant([0, 2, 0], name="indices"), tf.constant([3, 2], name="shape") if shaped else None)


@program
def clipped(tf, np):
    def of(make, shaped=True):
        def run():
            made = make(slices(tf, shaped))
            with tf.Session() as session:
                value = session.run(made)
            parts = [type(made).__name__, getattr(made, "values", made), getattr(made, "indices", None), getattr(made, "dense_shape", None)]
            return [parts, list(value) if isinstance(value, tuple) else value, graph_of(tf)]

        return fresh(tf, run)

    calls = {
        "value": lambda s: tf.clip_by_value(s, 0.0, 1.5), "norm": lambda s: tf.clip_by_norm(s, 1.0), "rows": lambda s: tf.clip_by_norm(s, 1.0, [1]),
        "global": lambda s: tf.clip_by_global_norm([None, s, tf.constant([3.0])], 2.0)[0][1], "scalar": lambda s: tf.scalar_mul(2.0, s),
        "norm of all": lambda s: tf.global_norm([s, s]),
    }  # fmt: skip
    return {key: [of(calls[key]), of(calls[key], shaped=False)] for key in calls}


@program
def a_sparse_gradient_is_clipped_and_applied(tf, np):
    table = tf.get_variable("table", [4, 2], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.gather(table, [1, 1, 3]) * [[1.0], [2.0], [3.0]])
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    clipped, norm = tf.clip_by_global_norm(gradients, 1.0)
    train = optimizer.apply_gradients(zip(clipped, variables))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run(norm), session.run(train), session.run(table), type(clipped[0]).__name__, graph_of(tf)]


@program
def wrong_slices(tf, np):
    return [
        fresh(tf, lambda: tf.clip_by_average_norm(slices(tf, shaped=False), 1.0)).classes,
        fresh(tf, lambda: tf.clip_by_value(slices(tf), [1.0, 2.0, 3.0], 5.0)),
        fresh(tf, lambda: tf.scalar_mul([1.0, 2.0], slices(tf))),
    ]


@program
def edges_of_rows(tf, np):
    """Empty rows, ids of segments that are no such, bounds and axes that do not fit."""

    def fed(values, dtype=None):
        values = np.array(values, dtype)
        return tf.placeholder_with_default(values, values.shape)

    numbers = [1.0, 2.0, 3.0]
    segments = [tf.segment_sum, tf.segment_mean, tf.segment_prod, tf.segment_max, tf.segment_min]
    ids = [[-1, 0, 1], [-3, -2, -1], [0, 2, 1], [5, 0, 1], [0, 1], []]
    calls = [lambda s=s, i=i: s(fed(numbers, "float32"), fed(i, "int32")) for s in segments for i in ids]
    calls += [lambda i=i: tf.sparse_segment_sum(fed(numbers, "float32"), fed([0, 1], "int32"), fed(i, "int32")) for i in ([-1, 0], [1, 0])]
    calls += [lambda shape=shape: tf.nn.top_k(fed(np.zeros(shape), "float32"), 0) for shape in ([3, 0], [0, 0], [0, 3], [2, 3])]
    calls += [lambda k=k: tf.nn.top_k(fed(np.zeros([0, 3]), "float32"), k) for k in (2, 4, -1)]
    calls += [lambda a=a: tf.nn.softmax(tf.ones([2, 3]), a) for a in (5, -3)]
    calls += [
        lambda: tf.nn.log_softmax(tf.ones([2, 3]), 2),
        lambda: tf.nn.bias_add(tf.ones([2, 3]), tf.ones([3]), "NCHW"),
        lambda: tf.nn.bias_add(tf.ones([2, 3, 1]), tf.ones([3]), "NCHW"),
        lambda: tf.scatter_nd([[0]], [[1.0, 2.0]], [0, 2]),
        lambda: tf.scatter_nd([[0]], [[1.0, 2.0]], fed([0, 2], "int32")),
        lambda: tf.scatter_nd(np.zeros([0, 1], "int32"), np.zeros([0, 2], "float32"), [0, 2]),
        lambda: tf.scatter_nd(np.zeros([0, 1], "int32"), np.zeros([0, 2], "float32"), [3, 2]),
        lambda: tf.clip_by_value(tf.ones([2]), tf.zeros([2, 2]), 1.0),
        lambda: tf.clip_by_value(tf.ones([2]), 0.0, tf.ones([3, 2])),
        lambda: tf.clip_by_value(tf.ones([2]), tf.zeros([3]), 1.0),
        lambda: tf.clip_by_norm(tf.ones([2]), tf.ones([3, 2])),
    ]  # fmt: skip

    def ran(call):
        made = call()
        return attempt(lambda: tf.Session().run(made))

    return [fresh(tf, lambda call=call: attempt(lambda: ran(call))) for call in calls]
