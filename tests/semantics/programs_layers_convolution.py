"""tf.layers' convolutions: plain, transposed and separable, in one to three dimensions."""

# ruff: noqa: B023 - each function is called in its turn of the loop

from harness import attempt, fresh, graph_of, program

ATTRS = ("strides", "padding", "data_format", "explicit_paddings", "squeeze_dims")


def built(tf, function, shape, *args, **options):
    """What the function of tf.layers gives for inputs of that shape in a graph of its own, and that graph."""

    def build():
        made = getattr(tf.layers, function)(tf.placeholder(options.pop("dtype", tf.float32), shape, name="x"), *args, **options)
        return [made, graph_of(tf, *ATTRS)]

    return fresh(tf, build)


def without_gpu(tf):
    """Lets 1.15 look for GPUs now: it initializes variables in the graph that is built when it does so first."""
    with tf.Graph().as_default():
        tf.layers.conv2d_transpose(tf.zeros([1, 1, 1, 1]), 1, 1, data_format="channels_first")


@program
def plain(tf, np):
    image, first = (None, 9, 8, 3), (None, 3, 9, 8)
    return [
        built(tf, "conv1d", (None, 9, 3), 4, 3),
        built(tf, "conv1d", (None, 9, 3), 4, (3,), strides=[2], padding="same", activation=tf.nn.relu),
        built(tf, "conv1d", (None, 3, 9), 4, 3, data_format="channels_first", padding="same", strides=2),
        built(tf, "conv1d", (None, 9, 3), 4, 3, padding="causal"),
        built(tf, "conv1d", (None, 3, 9), 4, 3, padding="causal", data_format="channels_first", use_bias=False),
        built(tf, "conv2d", image, 4, 3, activation=tf.nn.relu),
        built(tf, "conv2d", image, 4, [3, 2], use_bias=False, kernel_regularizer=tf.nn.l2_loss, name="mine"),
        built(tf, "conv2d", first, 4, (3, 2), 2, "same", "channels_first", activation="relu"),
        built(tf, "conv2d", (None, None, None, 3), 4, 3, padding="SAME"),
        built(tf, "conv2d", image, 4, 3, padding=[[0, 0], [1, 2], [3, 0], [0, 0]]),
        built(tf, "conv2d", image, 4, 3, data_format=None),
        built(tf, "conv3d", (None, 5, 6, 7, 2), 4, 3),
        built(tf, "conv3d", (2, 2, 5, 6, 7), 4, (1, 2, 3), data_format="channels_first", padding="same"),
    ]


@program
def with_holes(tf, np):
    return [
        built(tf, "conv1d", (None, 9, 3), 4, 3, dilation_rate=2),
        built(tf, "conv1d", (None, 9, 3), 4, 3, padding="causal", dilation_rate=2),
        built(tf, "conv2d", (None, 9, 8, 3), 4, 3, dilation_rate=(2, 1)),
        built(tf, "conv2d", (None, 9, 8, 3), 4, 3, dilation_rate=2, padding="same"),
        built(tf, "conv2d", (None, 3, 9, 8), 4, 3, dilation_rate=2, data_format="channels_first"),
        built(tf, "conv3d", (2, 5, 6, 7, 2), 4, (1, 2, 3), dilation_rate=2),
        built(tf, "separable_conv2d", (None, 9, 8, 3), 4, 3, dilation_rate=2),
        built(tf, "separable_conv1d", (None, 9, 3), 4, 3, dilation_rate=2),
    ]


@program
def transposed(tf, np):
    without_gpu(tf)
    return [
        built(tf, "conv2d_transpose", (None, 5, 6, 3), 4, 3, strides=2),
        built(tf, "conv2d_transpose", (2, 5, 6, 3), 4, 3, strides=(2, 1), padding="same", use_bias=False),
        built(tf, "conv2d_transpose", (2, 3, 5, 6), 4, 3, strides=2, data_format="channels_first"),
        built(tf, "conv2d_transpose", (None, None, None, 3), 4, 3, strides=2, activation=tf.nn.relu),
        built(tf, "conv2d_transpose", (None, 5, 6, 3), 4, 2, strides=3, name="mine"),
        built(tf, "conv3d_transpose", (None, 5, 6, 7, 3), 4, 3, strides=2),
        built(tf, "conv3d_transpose", (2, 3, 5, 6, 7), 4, 3, strides=2, padding="same", data_format="channels_first"),
    ]


@program
def separable(tf, np):
    image, first = (None, 9, 8, 3), (None, 3, 9, 8)
    return [
        built(tf, "separable_conv1d", (None, 9, 3), 4, 3),
        built(tf, "separable_conv1d", (None, 3, 9), 4, 3, data_format="channels_first", strides=2, depth_multiplier=2),
        built(tf, "separable_conv1d", (None, 9, 3), 4, 3, padding="causal", activation=tf.nn.tanh),
        built(tf, "separable_conv2d", image, 4, 3, depth_multiplier=2, activation=tf.nn.relu, depthwise_regularizer=tf.nn.l2_loss),
        built(tf, "separable_conv2d", first, 4, (3, 2), data_format="channels_first", strides=2, padding="same", use_bias=False),
        built(tf, "separable_conv2d", image, 4, 3, pointwise_constraint="non_neg", depthwise_initializer="ones", bias_regularizer="l2"),
    ]


@program
def dtypes(tf, np):
    kinds = (tf.float16, tf.float64, tf.int32, tf.string)
    made = [built(tf, "conv2d", (None, 9, 8, 3), 4, 3, dtype=kind) for kind in kinds]
    made.append(fresh(tf, lambda: [tf.layers.conv2d(np.ones((1, 9, 8, 3)), 4, 3), graph_of(tf)]))
    return made


@program
def bad_inputs(tf, np):
    rows = [
        ("conv2d", (None, 9, 8, None), {}),
        ("conv2d", (None, 9, 8), {}),
        ("conv2d", None, {}),
        ("conv2d", (None, 9, 8, 3, 2), {}),
        ("conv2d", (None, None, 8, 3), {"data_format": "channels_first"}),
        ("conv1d", (None, 9, 3, 3), {}),
        ("conv3d", (None, 9, 3, 3), {}),
        ("conv2d_transpose", (None, 5, 6, None), {}),
        ("conv2d_transpose", (None, 5, 6), {}),
        ("conv2d_transpose", (None, 5, 6, 3), {"padding": "causal"}),
        ("conv3d_transpose", (None, 5, 6, 3), {}),
        ("separable_conv2d", (None, 5, 6, None), {}),
        ("separable_conv1d", (None, 5, 6, 3), {}),
    ]
    return [fresh(tf, lambda: getattr(tf.layers, name)(tf.placeholder(tf.float32, shape), 4, 3, **options)) for name, shape, options in rows]


@program
def bad_arguments(tf, np):
    rows = [
        {"kernel_size": (3,)}, {"kernel_size": (3, 3, 3)}, {"kernel_size": "a"}, {"kernel_size": None}, {"kernel_size": 2.5},
        {"kernel_size": ("a", 2)}, {"kernel_size": -1}, {"kernel_size": 10}, {"kernel_size": [3, np.int64(3)]},
        {"strides": 0}, {"strides": (1, 2, 3)}, {"strides": None}, {"strides": -1}, {"padding": "foo"}, {"padding": "causal"},
        {"padding": [1, 2]}, {"data_format": "foo"}, {"data_format": "NHWC"}, {"dilation_rate": 0}, {"dilation_rate": (1, 2, 3)},
        {"dilation_rate": 2, "strides": 2}, {"filters": None}, {"filters": 0}, {"filters": -1}, {"filters": tf.Dimension(3)},
        {"activation": "nope"}, {"kernel_initializer": 3}, {"kernel_constraint": 3}, {"bias_regularizer": 3},
    ]  # fmt: skip

    def shape_of(options):
        arguments = {"filters": 4, "kernel_size": 3}
        arguments.update(options)
        return tf.layers.conv2d(tf.placeholder(tf.float32, (None, 9, 8, 3)), **arguments).shape

    return [fresh(tf, lambda: shape_of(options)) for options in rows]


@program
def as_objects(tf, np):
    answers = []
    kinds = ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "Conv3DTranspose", "SeparableConv1D", "SeparableConv2D")
    for name in kinds:
        kind = getattr(tf.layers, name)
        layer = kind(4, 3, name="own", activation="relu")
        rank = int(next(c for c in name if c.isdigit()))
        shapes = [(None,) + (9,) * rank + (3,), (2,) + (None,) * rank + (3,), None]
        first = kind(4, 3, padding="same", strides=2, data_format="channels_first")
        answers.append(
            [
                layer.get_config(),
                [attempt(lambda: layer.compute_output_shape(shape)) for shape in shapes],
                attempt(lambda: first.compute_output_shape((None, 3) + (9,) * rank)),
                repr(layer.input_spec),
                layer.supports_masking,
                [layer.strides, layer.kernel_size, layer.padding, layer.data_format],
            ]
        )

        def build(shape):
            own = kind(4, 3)
            own.build(shape)
            return [[(w.name, w.shape) for w in own.weights], repr(own.input_spec)]

        answers.append([fresh(tf, lambda: build(shape)) for shape in shapes[:2]])
    return answers


@program
def called_again(tf, np):
    x = tf.placeholder(tf.float32, (None, 9, 8, 3))
    layer, holes = tf.layers.Conv2D(4, 3), tf.layers.Conv2D(4, 3, dilation_rate=2)
    layer(x), holes(x)
    count = len(tf.get_default_graph().get_operations())
    made = [layer(x), layer(tf.placeholder(tf.float32, (None, 7, 8, 3))), layer(tf.placeholder(tf.float32, (None, None, 8, 3))), holes(x)]
    wrong = attempt(lambda: layer(tf.placeholder(tf.float32, (None, 9, 8, 2))))
    return [made, wrong, graph_of(tf, since=count)]


@program
def shared_by_name(tf, np):
    x = tf.placeholder(tf.float32, (None, 9, 8, 3))
    with tf.variable_scope("net"):
        made = [tf.layers.conv2d(x, 3, 3, padding="same", name="c"), tf.layers.conv2d(x, 3, 3, padding="same")]
    with tf.variable_scope("net", reuse=True):
        made += [tf.layers.conv2d(x, 3, 3, padding="same", name="c"), tf.layers.conv2d(x, 3, 3, padding="same")]
    made.append(tf.layers.conv2d(x, 3, 3, name="net/c", reuse=True))
    return [made, attempt(lambda: tf.layers.conv2d(x, 5, 3, name="net/c", reuse=True)), [v.name for v in tf.global_variables()]]


@program
def values(tf, np):
    """Every convolution on small inputs, from seeds."""
    without_gpu(tf)
    rows = [
        ("conv1d", (2, 7, 3), {"strides": 2}),
        ("conv1d", (2, 7, 3), {"padding": "causal", "dilation_rate": 2}),
        ("conv2d", (2, 6, 5, 3), {"padding": "same", "activation": tf.nn.relu}),
        ("conv2d", (2, 6, 5, 3), {"dilation_rate": (2, 1), "padding": "same"}),
        ("conv3d", (1, 4, 5, 4, 2), {"strides": (1, 2, 1)}),
        ("conv2d_transpose", (1, 3, 4, 2), {"strides": 2}),
        ("conv2d_transpose", (1, 2, 3, 4), {"strides": (2, 1), "padding": "same", "data_format": "channels_first"}),
        ("conv3d_transpose", (1, 2, 3, 2, 2), {"strides": 2, "padding": "same"}),
        ("separable_conv1d", (2, 7, 3), {"depth_multiplier": 2}),
        ("separable_conv2d", (2, 6, 5, 3), {"padding": "same", "strides": 2, "depth_multiplier": 2}),
    ]

    def value(name, shape, options):
        tf.set_random_seed(3)
        size = int(np.prod(shape))
        x = tf.constant((np.arange(size, dtype=np.float32).reshape(shape) * 7 % 11 - 5) / 5.0)
        out = getattr(tf.layers, name)(x, 2, 3, bias_initializer=tf.ones_initializer(), **options)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return sess.run([out, *tf.gradients(out, [x, *tf.trainable_variables()]), *tf.trainable_variables()])

    return [fresh(tf, lambda: value(*row)) for row in rows]


@program
def trained(tf, np):
    """A small convolutional net: values before and after some steps."""
    tf.set_random_seed(5)
    x, y = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x"), tf.placeholder(tf.int32, [None], name="y")
    net = tf.layers.conv2d(x, 4, 3, padding="same", activation=tf.nn.relu, kernel_regularizer=tf.nn.l2_loss)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.separable_conv2d(net, 6, (3, 2), activation=tf.nn.relu)
    net = tf.layers.average_pooling2d(net, 2, 1, padding="same")
    logits = tf.layers.dense(tf.layers.flatten(net), 3)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits) + 0.01 * tf.losses.get_regularization_loss()
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    feed = {x: (np.arange(384, dtype=np.float32).reshape(6, 8, 8, 1) * 5 % 13) / 6.0 - 1.0, y: np.arange(6) % 3}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        before = sess.run(tf.trainable_variables())
        losses = [sess.run([loss, train], feed)[0] for _ in range(4)]
        return [before, losses, sess.run(tf.trainable_variables()), graph_of(tf)]
