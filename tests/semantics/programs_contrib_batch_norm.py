"""tf.contrib.layers.batch_norm: its three ways, in training and out of it, with updates at once and by a collection."""

from harness import fresh, graph_of, program, signature_text
from programs_contrib_layers import graph


def images(tf, np, dtype="float32", shape=(2, 2, 3, 6)):
    return tf.constant(np.random.RandomState(3).uniform(-2, 3, shape).astype(dtype), name="x")


def stepped(tf, np, collection="update_ops", shape=(2, 2, 3, 6), dtype="float32", nodes=True, feed=False, **options):
    """The output, its value before and after two updates, the variables after them, and the graph."""

    def run():
        x = images(tf, np, dtype, shape)
        if feed:
            options["is_training"] = tf.placeholder_with_default(False, [], name="training")
        y = tf.contrib.layers.batch_norm(x, **options)
        updates = tf.get_collection(collection)
        before = {}
        if feed:
            before[options["is_training"]] = True
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            values = [session.run(y)]
            for _ in range(2):
                values.append(session.run([y] + updates, before)[0])
            values.append(session.run(y))
            values.append({v.op.name: session.run(v) for v in tf.global_variables()})
        return [y, values, graph_of(tf) if nodes else sorted(v.name for v in tf.model_variables())]

    return fresh(tf, run)


@program
def signature(tf, np):
    return signature_text(tf.contrib.layers.batch_norm)


@program
def by_the_layer(tf, np):
    initializers = {"beta": tf.constant_initializer(0.5), "gamma": tf.constant_initializer(2.0), "moving_mean": tf.ones_initializer()}
    regularizers = {"beta": tf.contrib.layers.l2_regularizer(0.1)}
    return {
        "plain": stepped(tf, np),
        "all": stepped(
            tf, np, decay=0.9, scale=True, epsilon=0.1, activation_fn=tf.nn.relu, param_initializers=initializers, fused=False, scope="mine",
            param_regularizers=regularizers, outputs_collections="out", variables_collections={"beta": ["b"], "moving_mean": ["mm"]}),
        "inference": stepped(tf, np, is_training=False, trainable=False, variables_collections=["v"]),
        "chosen": stepped(tf, np, feed=True),
        "NCHW": stepped(tf, np, fused=False, data_format="NCHW", scale=True, center=False),
        "rank 3": stepped(tf, np, shape=(2, 3, 4)),
        "not fused, rows": stepped(tf, np, shape=(5, 3), fused=False),
        "float64": stepped(tf, np, dtype="float64", fused=False),
        "renorm": stepped(tf, np, renorm=True, renorm_decay=0.8, renorm_clipping={"rmax": 1.5, "dmax": 0.5}, nodes=False),
        "unknown batch": graph(tf, lambda: tf.contrib.layers.batch_norm(tf.placeholder(tf.float32, [None, None, 4, 3]))),
    }  # fmt: skip


@program
def by_one_node(tf, np):
    norm = tf.contrib.layers.batch_norm
    initializers = {"beta": tf.constant_initializer(0.5), "gamma": tf.constant_initializer(2.0)}
    l2 = tf.contrib.layers.l2_regularizer(0.1)
    return {
        "at once": stepped(tf, np, updates_collections=None),
        "rows": stepped(tf, np, shape=(5, 3), decay=0.9, scale=True, param_initializers=initializers, param_regularizers={"beta": l2}),
        "rows NCHW": graph(tf, lambda: norm(tf.placeholder(tf.float32, [None, 3]), data_format="NCHW", updates_collections=None)),
        "elsewhere": stepped(tf, np, "mine", updates_collections="mine", scale=True, center=False, activation_fn=tf.nn.relu, scope="s"),
        "chosen": stepped(tf, np, updates_collections=None, feed=True, decay=0.8),
        "chosen elsewhere": stepped(tf, np, "mine", updates_collections="mine", feed=True, variables_collections=["v"]),
        "inference": stepped(tf, np, is_training=False, updates_collections=None, outputs_collections="out", trainable=False),
        "debiased": stepped(tf, np, zero_debias_moving_mean=True, decay=0.9),
        "float16": stepped(tf, np, dtype="float16", updates_collections=None, nodes=False),
        "a list": graph(tf, lambda: norm([[1.0, 2.0]])),
    }


@program
def by_nodes(tf, np):
    weights = [1.0, 0.5]
    return {
        "weights": stepped(tf, np, batch_weights=weights, scale=True),
        "at once": stepped(tf, np, updates_collections=None, fused=False, decay=0.9),
        "rank 3": stepped(tf, np, updates_collections=None, shape=(2, 3, 4), center=False),
        "chosen": stepped(tf, np, "mine", updates_collections="mine", fused=False, feed=True, scope="s"),
        "chosen at once": stepped(tf, np, updates_collections=None, batch_weights=weights, feed=True),
        "debiased": stepped(tf, np, zero_debias_moving_mean=True, fused=False, decay=0.9, variables_collections={"beta": ["b"]}),
        "NCHW": stepped(tf, np, data_format="NCHW", batch_weights=weights, scale=True, activation_fn=tf.nn.relu, outputs_collections="out"),
        "inference": stepped(tf, np, is_training=False, updates_collections=None, fused=False, trainable=False),
    }


@program
def scopes(tf, np):
    layers = tf.contrib.layers
    x = images(tf, np)
    with tf.contrib.framework.arg_scope([layers.batch_norm], decay=0.5, updates_collections=None, is_training=True):
        y = layers.conv2d(x, 3, 1, normalizer_fn=layers.batch_norm)
        with tf.variable_scope("again"):
            first = layers.batch_norm(y, scope="bn")
        with tf.variable_scope("again", reuse=True):
            second = layers.batch_norm(y, scope="bn")
        third = layers.batch_norm(y, scope="bn2", reuse=tf.AUTO_REUSE)
        fourth = layers.batch_norm(y, scope="bn2", reuse=tf.AUTO_REUSE, fused=False)
    return [first, second, third, fourth, graph_of(tf)]


@program
def wrong_arguments(tf, np):
    norm = tf.contrib.layers.batch_norm

    def x():
        return images(tf, np)

    def unknown(*sizes):
        return tf.placeholder(tf.float32, list(sizes) or None, name="x")

    return {
        "format": fresh(tf, lambda: norm(x(), data_format="q")),
        "format at once": fresh(tf, lambda: norm(x(), data_format="q", updates_collections=None)),
        "rank": fresh(tf, lambda: norm(unknown())),
        "rank with weights": fresh(tf, lambda: norm(unknown(), batch_weights=[1.0])),
        "rank at once": fresh(tf, lambda: norm(unknown(), updates_collections=None)),
        "channels of rows": fresh(tf, lambda: norm(unknown(2, None))),
        "channels by nodes": fresh(tf, lambda: norm(unknown(2, None), updates_collections=None, fused=False)),
        "channels": fresh(tf, lambda: norm(unknown(2, 3, 3, None))),
        "renorm and weights": fresh(tf, lambda: norm(x(), renorm=True, batch_weights=[1.0, 2.0])),
        "renorm at once": fresh(tf, lambda: norm(x(), renorm=True, updates_collections=None)),
        "renorm debiased": fresh(tf, lambda: norm(x(), renorm=True, zero_debias_moving_mean=True)),
        "weights": fresh(tf, lambda: norm(x(), batch_weights=[1.0, 2.0, 3.0])),
        "integers": fresh(tf, lambda: norm(tf.zeros([2, 3], tf.int32))),
        "float64": fresh(tf, lambda: norm(tf.zeros([2, 3], tf.float64), updates_collections=None)),
    }


@program
def gradients(tf, np):
    def of(**options):
        def run():
            x = images(tf, np)
            y = tf.contrib.layers.batch_norm(x, scale=True, **options)
            w = tf.constant(np.random.RandomState(5).uniform(-1, 1, (2, 2, 3, 6)).astype("f"))
            found = tf.gradients(tf.reduce_sum(y * y * y * w), [x] + tf.trainable_variables())
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                return session.run(found)

        return fresh(tf, run)

    return [of(), of(fused=False), of(updates_collections=None), of(is_training=False), of(batch_weights=[1.0, 0.5])]
