"""tf.contrib.layers: convolutions and pooling."""

from harness import attempt, fresh, program, signature_text
from programs_contrib_layers import built, graph


def images(tf, np, *shape):
    return tf.constant(np.random.RandomState(3).uniform(-2, 3, shape or (2, 5, 6, 3)).astype("f"), name="x")


@program
def signatures(tf, np):
    """Without the default initializers, which are functions and objects."""
    names = """
        avg_pool2d avg_pool3d conv1d conv2d conv2d_in_plane conv2d_transpose conv3d conv3d_transpose convolution convolution2d
        max_pool2d max_pool3d separable_conv2d fully_connected bias_add legacy_fully_connected
        """
    layers = tf.contrib.layers

    def parameters(name):
        text = signature_text(getattr(layers, name))
        return [p.partition("=")[0] if "init" in p else p for p in text.split(", ")]

    return [
        {name: [parameters(name), getattr(layers, name).__name__] for name in names.split()},
        [layers.conv2d is layers.convolution2d, layers.separable_conv2d is layers.separable_convolution2d],
    ]


@program
def conv2d(tf, np):
    layers = tf.contrib.layers
    return {
        "plain": built(tf, lambda: layers.conv2d(images(tf, np), 4, 3)),
        "all": built(tf, lambda: layers.conv2d(
            images(tf, np), 2, [3, 2], 2, "VALID", "NHWC", activation_fn=tf.nn.tanh, weights_initializer=tf.initializers.random_uniform(-1, 1, seed=2),
            weights_regularizer=layers.l2_regularizer(0.1), biases_initializer=tf.constant_initializer(0.5),
            biases_regularizer=layers.l1_regularizer(0.1), variables_collections={"weights": ["w"], "biases": ["b"]},
            outputs_collections=["out"], trainable=False, scope="mine")),
        "rate": built(tf, lambda: layers.conv2d(images(tf, np), 4, 3, rate=2)),
        "normalizer": built(tf, lambda: layers.conv2d(images(tf, np), 4, 3, normalizer_fn=layers.layer_norm, normalizer_params={"scale": False})),
        "no biases": graph(tf, lambda: layers.conv2d(images(tf, np), 4, 3, biases_initializer=None, activation_fn=None)),
        "NCHW": graph(tf, lambda: layers.conv2d(tf.placeholder(tf.float32, [None, 3, 8, 8]), 4, 3, data_format="NCHW")),
        "unknown batch": graph(tf, lambda: layers.conv2d(tf.placeholder(tf.float32, [None, 8, None, 3]), 4, 3, padding="VALID")),
    }  # fmt: skip


@program
def other_ranks(tf, np):
    layers = tf.contrib.layers
    return {
        "1d": built(tf, lambda: layers.conv1d(images(tf, np, 2, 6, 3), 4, 3, outputs_collections="out")),
        "3d": built(tf, lambda: layers.conv3d(images(tf, np, 1, 3, 4, 3, 2), 2, [2, 3, 1], scope="mine")),
        "by the inputs": graph(tf, lambda: [layers.convolution(images(tf, np, 2, 6, 3), 4, 3), layers.convolution(images(tf, np), 4, 3)]),
    }


@program
def wrong_arguments(tf, np):
    layers = tf.contrib.layers

    def x():
        return images(tf, np)

    return {
        "stride and rate": fresh(tf, lambda: layers.conv2d(x(), 4, 3, rate=2, stride=2)),
        "format": fresh(tf, lambda: layers.conv2d(x(), 4, 3, data_format="NWHC")),
        "rank": fresh(tf, lambda: layers.conv2d(images(tf, np, 2, 3, 4), 4, 3)),
        "rank of 1d": fresh(tf, lambda: layers.conv1d(x(), 4, 3)),
        "rank of any": fresh(tf, lambda: layers.convolution(tf.zeros([2, 3]), 4, 3)),
        "kernel": fresh(tf, lambda: layers.conv2d(x(), 4, [3, 3, 3])),
        "padding": fresh(tf, lambda: layers.conv2d(x(), 4, 3, padding="xx")),
        "channels": fresh(tf, lambda: layers.conv2d(tf.placeholder(tf.float32, [1, 2, 2, None]), 4, 1)),
        "transposed format": fresh(tf, lambda: layers.conv2d_transpose(x(), 4, 3, data_format="q")),
        "transposed rank": fresh(tf, lambda: layers.conv2d_transpose(tf.zeros([2, 3]), 4, 3)),
        "transposed kernel": fresh(tf, lambda: layers.conv2d_transpose(x(), 4, [3])),
        "transposed rank 5": fresh(tf, lambda: layers.conv3d_transpose(x(), 3, 4)),
        "transposed format 3d": fresh(tf, lambda: layers.conv3d_transpose(x(), 3, 4, data_format="NHWC")),
        "plane rank": fresh(tf, lambda: layers.conv2d_in_plane(tf.zeros([2, 3]), 3)),
        "plane kernel": fresh(tf, lambda: layers.conv2d_in_plane(x(), [3])),
        "separable format": fresh(tf, lambda: layers.separable_conv2d(x(), 4, 3, data_format="q")),
        "separable rank": fresh(tf, lambda: layers.separable_conv2d(tf.zeros([3, 4]), 4, 3)),
        "separable kernel": fresh(tf, lambda: layers.separable_conv2d(x(), 4, [3])),
        "pool format": fresh(tf, lambda: layers.max_pool2d(x(), 2, data_format="x")),
        "pool format 3d": fresh(tf, lambda: layers.avg_pool3d(x(), 2, data_format="NHWC")),
        "pool window": fresh(tf, lambda: layers.max_pool2d(x(), [2, 2, 2])),
        "pool rank": fresh(tf, lambda: layers.max_pool2d(tf.zeros([2, 2]), 2)),
        "pool padding": fresh(tf, lambda: layers.avg_pool2d(x(), 2, padding="x")),
        "no num_outputs": attempt(lambda: layers.conv2d(x())).classes,
        "conv_dims": attempt(lambda: layers.conv2d(x(), 4, 3, conv_dims=2)).classes,
    }


@program
def transposed(tf, np):
    layers = tf.contrib.layers
    return {
        "plain": built(tf, lambda: layers.conv2d_transpose(images(tf, np), 4, 3)),
        "all": built(tf, lambda: layers.conv2d_transpose(
            images(tf, np), 2, [3, 2], 2, "VALID", activation_fn=None, weights_regularizer=layers.l2_regularizer(0.1),
            variables_collections={"weights": ["w"], "biases": ["b"]}, outputs_collections="out", scope="mine")),
        "normalizer": graph(tf, lambda: layers.conv2d_transpose(tf.placeholder(tf.float32, [None, 3, 3, 2]), 2, 3, 2, normalizer_fn=layers.layer_norm)),
        "3d": built(tf, lambda: layers.conv3d_transpose(images(tf, np, 1, 2, 3, 3, 2), 2, [1, 2, 3], 2)),
    }  # fmt: skip


@program
def in_plane(tf, np):
    layers = tf.contrib.layers
    return {
        "plain": built(tf, lambda: layers.conv2d_in_plane(images(tf, np), 3, outputs_collections="out")),
        "all": built(tf, lambda: layers.conv2d_in_plane(
            images(tf, np), [1, 2], 2, "VALID", None, weights_regularizer=layers.l2_regularizer(0.1), trainable=False,
            variables_collections={"weights": ["w"], "biases": ["b"]}, scope="mine")),
        "normalizer": graph(tf, lambda: layers.conv2d_in_plane(images(tf, np), 3, normalizer_fn=lambda x, by: x * by, normalizer_params={"by": 2.0})),
    }  # fmt: skip


@program
def separable(tf, np):
    layers = tf.contrib.layers
    l2 = layers.l2_regularizer(0.1)
    by_kind = {"weights": ["w"], "biases": ["b"]}
    return {
        "plain": built(tf, lambda: layers.separable_conv2d(images(tf, np), 4, 3, outputs_collections="out")),
        "all": built(tf, lambda: layers.separable_conv2d(
            images(tf, np), 4, [3, 2], 2, 2, "VALID", activation_fn=None, pointwise_initializer=tf.ones_initializer(),
            weights_regularizer=l2, variables_collections=by_kind, scope="mine", trainable=False)),
        "depthwise": built(tf, lambda: layers.separable_conv2d(
            images(tf, np), None, [3, 2], 2, 2, "VALID", weights_regularizer=l2, variables_collections=by_kind, outputs_collections="out")),
        "normalizer": built(tf, lambda: layers.separable_conv2d(images(tf, np), None, 3, normalizer_fn=lambda x: x * 2.0, rate=2)),
        "rate": built(tf, lambda: layers.separable_conv2d(images(tf, np), 4, 3, rate=2)),
        "NCHW": graph(tf, lambda: layers.separable_conv2d(tf.placeholder(tf.float32, [None, 3, 8, 8]), None, 3, data_format="NCHW")),
    }  # fmt: skip


@program
def pooling(tf, np):
    layers = tf.contrib.layers

    def twice():
        with tf.variable_scope("s"):
            pools = [layers.max_pool2d(images(tf, np), 2, outputs_collections="out") for _ in range(2)]
        return pools + [pool.aliases for pool in pools]

    return {
        "max": built(tf, lambda: layers.max_pool2d(images(tf, np), 2)),
        "average": built(tf, lambda: layers.avg_pool2d(images(tf, np), [2, 3], [2, 1], "SAME", scope="p", outputs_collections="out")),
        "NCHW": graph(tf, lambda: [layers.max_pool2d(images(tf, np), 2, data_format="NCHW"), layers.avg_pool2d(images(tf, np), 2, data_format="NCHW")]),
        "3d": built(tf, lambda: [layers.max_pool3d(images(tf, np, 1, 4, 4, 4, 2), 2), layers.avg_pool3d(images(tf, np, 1, 4, 4, 4, 2), 2, scope="q")]),
        "names": graph(tf, twice),
        "unknown": graph(tf, lambda: layers.max_pool2d(tf.placeholder(tf.float32, [None, None, 6, 3]), 3, padding="SAME")),
    }


@program
def any_pool(tf, np):
    pool = tf.contrib.slim.pool
    return {
        "max": built(tf, lambda: pool(images(tf, np), [2, 2], "MAX", outputs_collections="out")),
        "average": built(tf, lambda: pool(images(tf, np), 3, "AVG", "SAME", stride=2, scope="p")),
        "rate": built(tf, lambda: pool(images(tf, np), [2, 1], "AVG", dilation_rate=2)),
        "sequences": built(tf, lambda: pool(images(tf, np, 2, 6, 3), 2, "MAX", data_format="NWC")),
        "type": fresh(tf, lambda: pool(images(tf, np), 3, "q")),
        "unknown": fresh(tf, lambda: pool(tf.placeholder(tf.float32), 3, "MAX")),
        "rank": fresh(tf, lambda: pool(tf.zeros([2, 3]), 3, "MAX")),
        "stride and rate": fresh(tf, lambda: pool(images(tf, np), 2, "MAX", stride=2, dilation_rate=2)),
    }
