"""The initializers of tf.contrib.layers: the numbers that they draw, their nodes, errors."""

from harness import attempt, fresh, graph_of, program, signature_text

SHAPES = ([], [3], [2, 3], [4, 3], [2, 2, 2, 3])


def drawn(tf, make, shapes=SHAPES, **call):
    """The numbers for each shape, in a graph with a seed; the nodes for the last one."""

    def one(shape):
        tf.set_random_seed(7)
        made = make()(shape, **call)
        with tf.Session() as sess:
            return [made, sess.run(made)]

    def nodes():
        made = attempt(lambda: make()(shapes[-1], **call))
        return [made, graph_of(tf, "seed", "seed2", "dtype")["nodes"]]

    return [[fresh(tf, lambda s=s: one(s)) for s in shapes], fresh(tf, nodes)]


@program
def signatures(tf, np):
    names = "variance_scaling_initializer xavier_initializer xavier_initializer_conv2d"
    return {name: signature_text(getattr(tf.contrib.layers, name)) for name in names.split()}


@program
def variance_scaling(tf, np):
    scaling = tf.contrib.layers.variance_scaling_initializer
    return [
        [drawn(tf, lambda m=m, u=u: scaling(1.5, m, u, seed=3), [[4, 3], [2, 2, 2, 3]]) for m in ("FAN_IN", "FAN_OUT", "FAN_AVG") for u in (True, False)],
        drawn(tf, scaling),
        drawn(tf, lambda: scaling(dtype=tf.float64, seed=1), [[2, 3]]),
        drawn(tf, lambda: scaling(seed=1), [[2, 3]], dtype=tf.float64),
    ]


@program
def xavier(tf, np):
    layers = tf.contrib.layers
    return [
        drawn(tf, lambda: layers.xavier_initializer(seed=1)),
        drawn(tf, lambda: layers.xavier_initializer(uniform=False, seed=1)),
        drawn(tf, layers.xavier_initializer_conv2d),
        layers.xavier_initializer is layers.xavier_initializer_conv2d,
    ]


@program
def refusals(tf, np):
    scaling = tf.contrib.layers.variance_scaling_initializer
    return [
        attempt(lambda: scaling(dtype=tf.int32)),
        attempt(lambda: scaling()([2, 3], dtype=tf.int32)),
        attempt(lambda: tf.contrib.layers.xavier_initializer(dtype=tf.bool)),
    ]


@program
def of_variables(tf, np):
    layers = tf.contrib.layers
    tf.set_random_seed(3)
    tf.get_variable("w", [3, 4], initializer=layers.xavier_initializer(), partitioner=tf.fixed_size_partitioner(2))
    with tf.variable_scope("s", initializer=layers.variance_scaling_initializer(seed=2)):
        tf.get_variable("w", [3, 4], dtype=tf.float64)
        tf.get_variable("b", [4])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run(tf.global_variables()), graph_of(tf)]
