"""tf.layers.batch_normalization: its nodes, updates, values and refusals."""

# ruff: noqa: B023 - each function is called in its turn of the loop

from harness import fresh, graph_of, program


def built(tf, shape, **options):
    """What batch_normalization gives for inputs of that shape in a graph of its own, and that graph; callables are called there."""

    def build():
        x = tf.placeholder(options.pop("dtype", tf.float32), shape, name="x")
        arguments = {key: value() if key == "training" and callable(value) else value for key, value in options.items()}
        made = tf.layers.batch_normalization(x, **arguments)
        return [made, graph_of(tf, "is_training", "epsilon", "data_format")]

    return fresh(tf, build)


@program
def by_training(tf, np):
    kinds = [False, True, lambda: tf.placeholder(tf.bool, [], name="t"), None, lambda: tf.constant(True), lambda: tf.constant(False), 1, 0]
    kinds += [lambda: tf.Variable(True, name="v"), "a", 2, lambda: tf.placeholder(tf.int32, [])]
    return [built(tf, shape, training=training) for shape in ((None, 3), (None, 9, 8, 3)) for training in kinds]


@program
def by_axis(tf, np):
    rows = [
        ((None, 3, 9, 8), 1), ((None, 3, 9), 1), ((None, 9, 3, 8), 2), ((None, 9, 3, 8), [1, 3]), ((None, 9, 8, 3), [3]), ((3,), 0),
        ((2, 3, 4), 0), ((None, 2, 2, 2, 3), -1), ((None, 2, 2, 2, 3), 2), ((None, 3, 4), [-1]),
    ]  # fmt: skip
    return [built(tf, shape, axis=axis, training=training) for shape, axis in rows for training in (True, False)]


@program
def options(tf, np):
    rows = [
        {"scale": False, "center": False}, {"scale": False}, {"center": False}, {"fused": False}, {"momentum": 0.9}, {"epsilon": 1e-6},
        {"trainable": False}, {"name": "mine"}, {"gamma_initializer": "zeros", "beta_regularizer": tf.nn.l2_loss},
        {"gamma_constraint": "non_neg", "moving_mean_initializer": tf.ones_initializer()},
    ]  # fmt: skip
    return [built(tf, shape, training=True, **row) for row in rows for shape in ((None, 3), (None, 2, 2, 3))]


@program
def renormalized(tf, np):
    clipping = {"rmin": 0.5, "rmax": 2.0, "dmax": 3.0}
    rows = [
        {"training": True}, {"training": False}, {"training": True, "renorm_clipping": clipping}, {"training": True, "renorm_clipping": {"rmax": 2.0}},
        {"training": lambda: tf.placeholder(tf.bool, [], name="t")}, {"training": True, "renorm_momentum": 0.5, "axis": 1},
    ]  # fmt: skip
    made = [built(tf, (None, 4, 3), renorm=True, **row) for row in rows]
    made.append(built(tf, (None, 2, 2, 3), renorm=True, training=True, fused=True))
    return [made, fresh(tf, lambda: tf.layers.batch_normalization(tf.zeros([2, 3]), renorm=True, renorm_clipping={"foo": 1}))]


@program
def virtual_batches(tf, np):
    made = [
        built(tf, (6, 3), virtual_batch_size=2, training=True),
        built(tf, (6, 3), virtual_batch_size=2, training=False),
        built(tf, (None, 9, 3), virtual_batch_size=2, training=True, axis=1),
        built(tf, (None, 2, 2, 3), virtual_batch_size=2, training=lambda: tf.placeholder(tf.bool, [], name="t")),
        built(tf, (None, 3), virtual_batch_size=2, training=True, renorm=True),
    ]
    wrong = [{"virtual_batch_size": 0}, {"virtual_batch_size": -1}, {"virtual_batch_size": 2, "adjustment": lambda shape: (1.0, 0.0)}]
    return made + [built(tf, (None, 3), **row) for row in wrong]


@program
def adjusted(tf, np):
    def adjustment(shape):
        return tf.ones([3], name="factor"), tf.zeros([3], name="bias")

    return [built(tf, (None, 3), adjustment=adjustment, training=t) for t in (True, False, lambda: tf.placeholder(tf.bool, [], name="t"))]


@program
def dtypes(tf, np):
    kinds = (tf.float16, tf.float64)
    return [built(tf, shape, dtype=kind, training=t) for kind in kinds for shape in ((None, 3), (None, 2, 2, 3)) for t in (True, False)]


@program
def bad_arguments(tf, np):
    shapes = [None, (None, None), (None, 3, 3, None), ()]
    answers = [fresh(tf, lambda: tf.layers.batch_normalization(tf.placeholder(tf.float32, shape))) for shape in shapes]
    for axis in (5, -5, "a", None, 1.5, [1, 1], [1, 7], (1,), np.int64(1)):
        answers.append(fresh(tf, lambda: tf.layers.batch_normalization(tf.placeholder(tf.float32, (None, 3, 4)), axis=axis)))
    return answers


@program
def as_an_object(tf, np):
    def facts(axis, shape):
        layer = tf.layers.BatchNormalization(axis=axis, name="own")
        before = [str(layer.axis), repr(layer.input_spec), layer.momentum, layer.epsilon]
        layer(tf.placeholder(tf.float32, shape))
        after = [layer.axis, layer.fused, repr(layer.input_spec), layer.get_config(), layer.compute_output_shape((3, 4)), layer.supports_masking]
        names = [[w.name for w in some] for some in (layer.weights, layer.trainable_weights, layer.non_trainable_weights)]
        return [before, after, names]

    return [fresh(tf, lambda: facts(*row)) for row in ((-1, (None, 3)), (-1, (None, 2, 2, 3)), ([1, -1], (None, 2, 2, 3)), (1, (None, 3, 2, 2)))]


@program
def updates(tf, np):
    x = tf.placeholder(tf.float32, (None, 3))
    layer = tf.layers.BatchNormalization(name="own")
    layer(x, training=True)
    layer(x, training=True)
    layer(x)
    other = tf.layers.batch_normalization(x, training=True, trainable=False)
    told = [[u.name for u in some] for some in (layer.updates, layer.get_updates_for(x), layer.get_updates_for(None), tf.get_collection("update_ops"))]
    return [told, other, [v.name for v in tf.trainable_variables()]]


@program
def scopes(tf, np):
    x = tf.placeholder(tf.float32, (None, 3))
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(3)):
        tf.layers.batch_normalization(x)
    with tf.variable_scope("resource", use_resource=True):
        tf.layers.batch_normalization(x, training=True)
        tf.layers.batch_normalization(x, training=tf.placeholder(tf.bool, []), name="bn")
    with tf.variable_scope("resource", reuse=True):
        tf.layers.batch_normalization(x, name="bn")
    return [[(v.name, v.shape) for v in tf.global_variables()], graph_of(tf)]


@program
def trained(tf, np):
    """Each form for some steps with its updates, then used: values of outputs and variables."""
    rows = [
        ((None, 3), {}), ((None, 2, 2, 3), {}), ((None, 2, 2, 3), {"fused": False}), ((None, 3, 2), {"axis": 1}), ((None, 3), {"renorm": True}),
        ((None, 3), {"renorm": True, "renorm_clipping": {"rmin": 0.5, "rmax": 1.5, "dmax": 0.5}}), ((None, 3), {"virtual_batch_size": 2}),
        ((None, 3), {"scale": False}), ((None, 2, 2, 3), {"center": False}),
    ]  # fmt: skip

    def value(shape, options):
        x, training = tf.placeholder(tf.float32, shape), tf.placeholder(tf.bool, [])
        # One predicate known in the run, so that the same net is used after training.
        out = tf.layers.batch_normalization(x, momentum=0.8, training=training, **options)
        loss = tf.reduce_mean(tf.square(out - 0.3 * x))
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        sizes = tuple(6 if size is None else size for size in shape)
        data = [(np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes) * (5 + i) % 13) / 4.0 - i for i in range(3)]
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            losses = [sess.run([loss, train], {x: batch, training: True})[0] for batch in data]
            used = sess.run(out, {x: data[0], training: False})
            return [losses, used, sess.run(tf.global_variables())]

    return [fresh(tf, lambda: value(*row)) for row in rows]
