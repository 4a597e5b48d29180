"""Embeddings of contrib, and lookups in variables of every kind: rows, nodes, gradients, and training steps."""

from harness import attempt, fresh, graph_of, program

START = [[0.5, -1.5], [3.0, 0.25], [-0.5, 1.0], [2.0, -2.0], [0.0, 4.0]]
# kind of variable -> (arguments of get_variable, the lookups' strategies)
KINDS = {
    "reference": ({}, ["mod"]),
    "resource": ({"use_resource": True}, ["mod"]),
    "reference in parts": ({"parts": 2}, ["mod", "div"]),
    "resource in parts": ({"parts": 3, "use_resource": True}, ["mod", "div"]),
    "one part": ({"parts": 1}, ["div"]),
}


def table(tf, parts=None, use_resource=False):
    """A variable [5, 2], in parts if asked for."""
    partitioner = None if parts is None else tf.fixed_size_partitioner(parts)
    start = tf.constant_initializer(START)
    return tf.get_variable("table", [5, 2], initializer=start, partitioner=partitioner, use_resource=use_resource)


def ids(tf, values=(1, 4, 0, -2, 1)):
    return tf.SparseTensor([[0, 0], [0, 1], [2, 0], [2, 2], [3, 1]], tf.constant(values, tf.int64), [4, 3])


def weights(tf):
    return tf.SparseTensor([[0, 0], [0, 1], [2, 0], [2, 2], [3, 1]], [1.0, 0.5, 2.0, 1.0, -1.0], [4, 3])


def value_and_graph(tf, made, with_graph=True):
    """The value of what `made` returns, and the graph."""

    def run():
        fetched = made()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [session.run(fetched), graph_of(tf) if with_graph else None]

    return fresh(tf, run)


def each_kind(tf, lookup, with_graph=True):
    return {
        kind + ", " + how: value_and_graph(tf, lambda o=options, h=how: lookup(table(tf, **o), h), with_graph)
        for kind, (options, strategies) in KINDS.items()
        for how in strategies
    }


@program
def rows_of_variables(tf, np):
    return each_kind(tf, lambda v, how: tf.nn.embedding_lookup(v, [[1, 4], [0, 1]], how, max_norm=2.0))


@program
def sparse_rows_of_variables(tf, np):
    good = (1, 4, 0, 2, 1)
    return each_kind(tf, lambda v, how: tf.nn.embedding_lookup_sparse(v, ids(tf, good), weights(tf), how, combiner="sum"), False)


@program
def safe_rows_of_variables(tf, np):
    return each_kind(tf, lambda v, how: tf.nn.safe_embedding_lookup_sparse(v, ids(tf), partition_strategy=how), False)


@program
def gradients_of_variables(tf, np):
    def slopes(v, how):
        rows = tf.nn.embedding_lookup(v, [[1, 4], [0, 1]], how)
        found = tf.gradients(rows ** 2, tf.trainable_variables())
        return [[g.values, g.indices, g.dense_shape] for g in found]

    return each_kind(tf, slopes)


@program
def training(tf, np):
    def steps(optimizer, options, how):
        v = table(tf, **options)
        loss = tf.reduce_sum(tf.nn.embedding_lookup(v, [[1, 4], [0, 1]], how) ** 2)
        train = optimizer(tf).minimize(loss)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            losses = [session.run([loss, train])[0] for _ in range(3)]
            return losses, session.run(tf.trainable_variables())

    optimizers = {
        "sgd": lambda tf: tf.train.GradientDescentOptimizer(0.1),
        "adam": lambda tf: tf.train.AdamOptimizer(0.1),
        "adagrad": lambda tf: tf.train.AdagradOptimizer(0.1),
    }
    return {
        name + ", " + kind: fresh(tf, lambda f=f, o=options, s=strategies: steps(f, o, s[0]))
        for name, f in optimizers.items()
        for kind, (options, strategies) in KINDS.items()
    }


@program
def each_different_id_once(tf, np):
    layers = tf.contrib.layers
    lookup = layers.embedding_lookup_unique
    found = each_kind(tf, lambda v, how: lookup(v, tf.constant([[1, 4], [0, 1]]), how))
    found["an array"] = value_and_graph(tf, lambda: lookup(np.array(START), [[1, 1]], name="mine"))
    found["one id"] = value_and_graph(tf, lambda: lookup(np.array(START), 3))
    found["no ids"] = value_and_graph(tf, lambda: lookup(np.array(START), np.zeros((0, 2), np.int64)))
    found["unknown shapes"] = value_and_graph(
        tf, lambda: lookup(tf.placeholder_with_default(START, None), tf.placeholder_with_default([[1, 1]], None))
    )
    found["beyond"] = fresh(tf, lambda: tf.Session().run(lookup(START, [7])))
    found["gradient"] = value_and_graph(tf, lambda: tf.gradients(lookup(table(tf), [1, 1, 4]), tf.trainable_variables())[0].values, False)
    return found


@program
def safe_lookups_of_contrib(tf, np):
    lookup = tf.contrib.layers.safe_embedding_lookup_sparse
    found = each_kind(tf, lambda v, how: lookup(v, ids(tf), partition_strategy=how), False)
    found["weighted"] = value_and_graph(tf, lambda: lookup([table(tf)], ids(tf), weights(tf), "sum", name="mine"), False)
    found["resource"] = value_and_graph(tf, lambda: lookup([table(tf, use_resource=True)], ids(tf), default_id=3))
    found["different dtypes"] = fresh(tf, lambda: lookup([tf.ones([3, 2]), tf.ones([2, 2], tf.float64)], ids(tf)))
    found["no table"] = attempt(lambda: lookup(None, ids(tf)))
    found["no parts"] = attempt(lambda: lookup([], ids(tf)))
    found["unknown combiner"] = fresh(tf, lambda: lookup([tf.ones([3, 2])], ids(tf), combiner="max"))
    return found
