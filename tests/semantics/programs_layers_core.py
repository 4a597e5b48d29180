"""tf.layers.dense, dropout and flatten, and their classes."""

# ruff: noqa: B023 - each function is called in its turn of the loop

from harness import attempt, fresh, graph_of, program


def inputs(tf, shape, dtype=None):
    return tf.placeholder(dtype or tf.float32, shape, name="x")


def built(tf, f):
    """What f() gives in a graph of its own, and that graph."""

    def build():
        made = f()
        return [made, graph_of(tf)]

    return fresh(tf, build)


@program
def dense_of_each_rank(tf, np):
    shapes = [(2, 3), (None, 3), (None, 2, 3), (None, None, 3), (2, 5, 3), (2, 3, 4, 5), (2, 0), (0, 2)]
    return [built(tf, lambda: tf.layers.dense(inputs(tf, shape), 4)) for shape in shapes]


@program
def dense_of_each_dtype(tf, np):
    kinds = (tf.float16, tf.float32, tf.float64, tf.int32, tf.complex64, tf.bool, tf.string)
    return [built(tf, lambda: tf.layers.dense(inputs(tf, (2, 3), kind), 4)) for kind in kinds]


@program
def dense_of_bad_shapes(tf, np):
    return [fresh(tf, lambda: tf.layers.dense(inputs(tf, shape), 4)) for shape in ((3,), (), None, (None, None), (2, None))]


@program
def dense_of_other_inputs(tf, np):
    def sparse():
        return tf.sparse_placeholder(tf.float32, [2, 3], name="x")

    return [
        built(tf, lambda: tf.layers.dense(np.ones((2, 3)), 4)),
        built(tf, lambda: tf.layers.dense(tf.Variable(np.ones((2, 3), np.float32)), 4)),
        built(tf, lambda: tf.layers.dense(sparse(), 4)),
        fresh(tf, lambda: tf.layers.dense([[1.0, 2.0]], 4)),
        fresh(tf, lambda: tf.layers.dense(3.0, 4)),
        fresh(tf, lambda: tf.layers.dense("abc", 4)),
        fresh(tf, lambda: tf.layers.dense(None, 4)),
    ]


@program
def units_of_dense(tf, np):
    kinds = [2.0, 2.7, "3", "a", None, -1, 0, True, tf.Dimension(4), np.int64(3), [3]]
    return [fresh(tf, lambda: tf.layers.dense(inputs(tf, (2, 3)), units)) for units in kinds] + [
        fresh(tf, lambda: tf.layers.dense(inputs(tf, (2, 3)), tf.constant(3)))
    ]


@program
def activations_of_dense(tf, np):
    names = ["relu", "elu", "selu", "softplus", "softsign", "tanh", "sigmoid", "hard_sigmoid", "exponential", "linear", "softmax", None, "foo", 3]
    own = [tf.nn.relu, lambda x: tf.nn.relu(x, name="mine"), tf.nn.leaky_relu]
    return [built(tf, lambda: tf.layers.dense(inputs(tf, (2, 3)), 4, activation=f)) for f in names + own]


@program
def initializers_of_dense(tf, np):
    names = [
        "zeros", "ones", "constant", "uniform", "normal", "random_uniform", "random_normal", "truncated_normal", "identity", "orthogonal",
        "glorot_uniform", "glorot_normal", "he_normal", "he_uniform", "lecun_normal", "lecun_uniform", "VarianceScaling", "GlorotUniform",
        "RandomNormal", "zero", "one", "variance_scaling", "eye",
    ]  # fmt: skip
    own = [tf.glorot_normal_initializer(), tf.truncated_normal_initializer(stddev=0.1), tf.zeros_initializer, lambda shape, dtype, partition_info=None: tf.ones(shape, dtype)]

    def value(initializer):
        tf.set_random_seed(7)
        tf.layers.dense(inputs(tf, (2, 3)), 3, kernel_initializer=initializer)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return [sess.run(tf.trainable_variables()[0]), graph_of(tf, "seed", "seed2")]

    return [fresh(tf, lambda: value(initializer)) for initializer in names + own]


@program
def regularizers_by_name(tf, np):
    kinds = ["l1", "l2", "l1_l2", "L1L2", "L2", 3, {"class_name": "L1L2", "config": {"l1": 0.1, "l2": 0.2}}]

    def value(regularizer):
        tf.layers.dense(inputs(tf, (2, 3)), 3, kernel_initializer=tf.constant_initializer(-2.0), kernel_regularizer=regularizer)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return [sess.run(tf.losses.get_regularization_loss()), graph_of(tf)]

    return [fresh(tf, lambda: value(regularizer)) for regularizer in kinds]


@program
def constraints_by_name(tf, np):
    kinds = ["max_norm", "non_neg", "unit_norm", "min_max_norm", "MaxNorm", "nope", 3, lambda w: w * 0.5]
    start = np.array([[1.0, -2.0, 3.0], [-4.0, 0.5, -0.25], [0.0, 1.0, 2.0]], np.float32)

    def value(constraint):
        x = tf.constant(start)
        loss = tf.reduce_sum(tf.layers.dense(x, 3, kernel_initializer=tf.constant_initializer(start), kernel_constraint=constraint))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(train)
            return [sess.run(tf.trainable_variables()), graph_of(tf)]

    return [fresh(tf, lambda: value(constraint)) for constraint in kinds]


@program
def dense_as_an_object(tf, np):
    dense = tf.layers.Dense(4, kernel_regularizer="l2", activity_regularizer=tf.nn.l2_loss, kernel_constraint="non_neg", dtype=tf.float64, trainable=False, activation=tf.nn.relu)
    shapes = [(5, 3), (None, 3), (5, 2, 3), (3,), (5, None), None, tf.TensorShape([1, 3]), tf.TensorShape(None)]

    def build(shape):
        layer = tf.layers.Dense(4)
        layer.build(shape)
        return [[w.name for w in layer.weights], repr(layer.input_spec)]

    return [
        dense.get_config(),
        tf.layers.Dense(3, name="d").get_config(),
        [attempt(lambda: dense.compute_output_shape(shape)) for shape in shapes],
        [fresh(tf, lambda: build(shape)) for shape in shapes],
        dense(inputs(tf, (2, 3), tf.float64)),
        [w.name for w in dense.weights],
        repr(dense.input_spec),
        dense.supports_masking,
        fresh(tf, lambda: [tf.layers.Dense(2)(inputs(tf, (2, 3))), 3]),
    ]


@program
def another_dtype_in_a_later_call(tf, np):
    layer = tf.layers.Dense(2)
    layer(inputs(tf, (None, 3)))
    layer(inputs(tf, (None, 3), tf.float64))
    return [graph_of(tf), attempt(lambda: layer(inputs(tf, (None, 4)))), attempt(lambda: layer([inputs(tf, (None, 3)), inputs(tf, (None, 3))]))]


@program
def dropout_by_training(tf, np):
    kinds = [False, True, 0, 1, 2, "a", None]
    made = [built(tf, lambda: tf.layers.dropout(inputs(tf, (None, 3)), training=training)) for training in kinds]
    for training in (
        lambda: tf.constant(True),
        lambda: tf.constant(1),
        lambda: tf.placeholder(tf.bool, []),
        lambda: tf.placeholder(tf.bool, [1]),
        lambda: tf.placeholder(tf.int32, []),
        lambda: tf.placeholder_with_default(True, []),
        lambda: tf.Variable(True, name="v"),
    ):
        made.append(built(tf, lambda: tf.layers.dropout(inputs(tf, (None, 3)), training=training())))
    return made


@program
def dropout_arguments(tf, np):
    kinds = [
        {"rate": 0.0}, {"rate": 1.0}, {"rate": 1.5}, {"rate": -0.1}, {"noise_shape": [None, 1]}, {"noise_shape": [2, 1]},
        {"noise_shape": [2]}, {"noise_shape": (None, None, 1)}, {"seed": 3}, {"rate": None}, {"name": "dn"},
    ]  # fmt: skip
    made = [built(tf, lambda: tf.layers.dropout(inputs(tf, (None, 3)), training=True, **options)) for options in kinds]
    made.append(built(tf, lambda: tf.layers.dropout(inputs(tf, (None, 3)), training=True, rate=tf.placeholder(tf.float32, []))))
    made.append(fresh(tf, lambda: tf.layers.dropout(inputs(tf, (2, 3), tf.int32), training=True)))
    made.append(built(tf, lambda: tf.layers.dropout(inputs(tf, None), training=True)))
    made.append(built(tf, lambda: [tf.layers.dropout(inputs(tf, (2,)), name="twice") for _ in range(2)]))
    layer = tf.layers.Dropout(0.3, noise_shape=[1, 2], seed=3)
    return [made, layer.get_config(), layer.compute_output_shape((3, 4)), repr(layer.input_spec)]


@program
def dropped_elements(tf, np):
    tf.set_random_seed(5)
    training = tf.placeholder_with_default(False, [])
    x = tf.reshape(tf.range(12.0) + 1.0, [3, 4])
    made = [tf.layers.dropout(x, 0.25, training=training), tf.layers.dropout(x, 0.5, noise_shape=[3, 1], seed=2, training=True)]
    with tf.Session() as sess:
        return [sess.run(made), sess.run(made, {training: True}), sess.run(tf.gradients(made, x), {training: True})]


@program
def flatten_of_each_shape(tf, np):
    shapes = [(None, 2, 3), (4, 2, 3), (None, None, 3), None, (None,), (3,), (), (None, 2), (2, None, None), (None, 0), (None, 2, 3, 4)]
    made = [built(tf, lambda: tf.layers.flatten(inputs(tf, shape))) for shape in shapes]
    first = [(None, 2, 3), (4, 2, 3, 5), (None, None, 3), (None, 2), (3,), (None, 3, 4, 5, 6)]
    made += [built(tf, lambda: tf.layers.flatten(inputs(tf, shape), data_format="channels_first")) for shape in first]
    for options in ({"data_format": "foo"}, {"data_format": "CHANNELS_LAST"}, {"name": "fl"}):
        made.append(fresh(tf, lambda: [tf.layers.flatten(inputs(tf, (2, 3, 4)), **options)]))
    layer = tf.layers.Flatten()
    kinds = [(3, 4, 5), (None, 4, 5), (None, 4, None), (4,), None]
    shapes = [attempt(lambda: layer.compute_output_shape(shape)) for shape in kinds]
    return [made, layer.get_config(), repr(layer.input_spec), shapes, fresh(tf, lambda: tf.layers.flatten(inputs(tf, (2, 3, 4), tf.string)))]


@program
def trained(tf, np):
    """An MLP with dropout, losses of regularizers and a shared layer: values before and after some steps."""
    tf.set_random_seed(11)
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    y = tf.placeholder(tf.int32, [None], name="y")
    shared = tf.layers.Dense(4, activation=tf.nn.tanh, name="shared")
    hidden = tf.layers.dense(shared(shared(x)), 8, activation=tf.nn.relu, kernel_regularizer=tf.nn.l2_loss)
    dropped = tf.layers.dropout(hidden, 0.25, training=True)
    logits = tf.layers.dense(dropped, 3, kernel_initializer=tf.truncated_normal_initializer(stddev=0.3))
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits) + 0.01 * tf.losses.get_regularization_loss()
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    feed = {x: (np.arange(24, dtype=np.float32).reshape(6, 4) % 5) / 4.0, y: np.arange(6) % 3}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        before = sess.run(tf.trainable_variables())
        losses = [sess.run([loss, train], feed)[0] for _ in range(5)]
        return [before, losses, sess.run(tf.trainable_variables()), graph_of(tf, "seed", "seed2")]
