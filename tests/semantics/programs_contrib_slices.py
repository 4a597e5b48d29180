"""Clipping of IndexedSlices, as TF 1.15.0 itself does it: gradients of embeddings keep their class and dense_shape."""

from harness import fresh, graph_of, program


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
