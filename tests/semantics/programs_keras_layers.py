"""The layers of tf.keras: values with given weights, the nodes of a call, configurations, output shapes, masks, errors."""

from harness import attempt, program

F = "float32"


def numbers(np, *shape):
    """Different numbers from -1 to 1."""
    size = int(np.prod(shape))
    return (np.sin(np.arange(1, size + 1) * 1.7)).reshape(shape).astype(F)


def filled(np, layer):
    """Gives the layer's weights different numbers, and tells their names and shapes."""
    weights = layer.weights
    layer.set_weights([np.abs(numbers(np, *w.shape.as_list())) * 0.5 + 0.01 * i for i, w in enumerate(weights)])
    return [[w.name, w.shape.as_list()] for w in weights]


def nodes(tf, scope):
    return [
        [op.name, op.type] for op in tf.get_default_graph().get_operations()
        if op.name.startswith(scope) and "Initializer" not in op.name and "/cond" not in op.name
    ]  # fmt: skip


def plain(value):
    """A configuration without NumPy's numbers and tuples."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in sorted(value.items())}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value.item() if hasattr(value, "item") else value


def called(tf, np, layer, *shapes, **kwargs):
    """The layer on placeholders of these shapes: weights, values, nodes, configuration, output shape."""
    xs = [tf.keras.Input(shape[1:]) for shape in shapes]
    ys = layer(xs if len(xs) > 1 else xs[0], **kwargs)
    names = filled(np, layer)
    with_nodes = nodes(tf, layer.name)
    session = tf.keras.backend.get_session()
    arrays = [numbers(np, *shape) for shape in shapes]
    values = session.run(ys, dict(zip(xs, arrays)))
    flat = ys if isinstance(ys, (list, tuple)) else [ys]
    told = attempt(lambda: [layer.compute_output_shape(
        [tf.TensorShape(s) for s in shapes] if len(shapes) > 1 else tf.TensorShape(shapes[0]))])  # fmt: skip
    return [names, values, with_nodes, [y.shape.as_list() for y in flat], plain(layer.get_config()), told]


def each(tf, np, *calls):
    """The results of several calls, each in a graph of its own."""
    found = []
    for call in calls:
        with tf.Graph().as_default():
            found.append(attempt(lambda call=call: call(tf.keras.layers)))
    return found


@program
def core(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.Dense(3), (2, 4)),
        lambda L: called(tf, np, L.Dense(3, activation="relu", use_bias=False, kernel_regularizer="l2"), (2, 3, 4)),
        lambda L: called(tf, np, L.Flatten(), (2, 3, 4)),
        lambda L: called(tf, np, L.Flatten(data_format="channels_first"), (2, 3, 4, 2)),
        lambda L: called(tf, np, L.Activation("tanh"), (2, 3)),
        lambda L: called(tf, np, L.Reshape((2, -1)), (2, 4)),
        lambda L: called(tf, np, L.Reshape((4,)), (2, 2, 2)),
        lambda L: called(tf, np, L.Permute((2, 1)), (2, 3, 4)),
        lambda L: called(tf, np, L.RepeatVector(3), (2, 4)),
        lambda L: called(tf, np, L.Masking(), (2, 3, 4)),
        lambda L: called(tf, np, L.ActivityRegularization(l1=0.1, l2=0.2), (2, 3)),
    )  # fmt: skip


@program
def merges(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.Add(), (2, 3), (2, 3), (2, 3)),
        lambda L: called(tf, np, L.Subtract(), (2, 3), (2, 3)),
        lambda L: called(tf, np, L.Multiply(), (2, 3), (2, 3)),
        lambda L: called(tf, np, L.Average(), (2, 3), (2, 3)),
        lambda L: called(tf, np, L.Maximum(), (2, 3), (2, 3)),
        lambda L: called(tf, np, L.Minimum(), (2, 3), (2, 3)),
        lambda L: called(tf, np, L.Concatenate(), (2, 3), (2, 4)),
        lambda L: called(tf, np, L.Concatenate(axis=1), (2, 3, 4), (2, 1, 4)),
    )  # fmt: skip


@program
def products(tf, np):
    def dotted(L, layer, *shapes):
        return called(tf, np, layer, *shapes)

    return each(
        tf, np,
        lambda L: dotted(L, L.Dot(1), (2, 3), (2, 3)),
        lambda L: dotted(L, L.Dot(1, normalize=True), (2, 3), (2, 3)),
        lambda L: dotted(L, L.Dot((2, 1)), (2, 3, 4), (2, 4, 5)),
        lambda L: dotted(L, L.Dot((1, 2)), (2, 3, 4), (2, 5, 3)),
        lambda L: dotted(L, L.Dot((2, 2)), (2, 3, 4), (2, 5, 4)),
        lambda L: dotted(L, L.Dot((-1, 1), normalize=True), (2, 3, 4), (2, 4, 5)),
        lambda L: dotted(L, L.Dot(1), (2, 3), (2, 3, 4)),
    )  # fmt: skip


@program
def activations(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.LeakyReLU(), (2, 3)),
        lambda L: called(tf, np, L.PReLU(), (2, 3)),
        lambda L: called(tf, np, L.PReLU(shared_axes=[1, 2]), (2, 3, 4, 2)),
        lambda L: called(tf, np, L.ELU(), (2, 3)),
        lambda L: called(tf, np, L.ELU(0.5), (2, 3)),
        lambda L: called(tf, np, L.ThresholdedReLU(0.3), (2, 3)),
        lambda L: called(tf, np, L.Softmax(), (2, 3)),
        lambda L: called(tf, np, L.ReLU(), (2, 3)),
        lambda L: called(tf, np, L.ReLU(max_value=0.5, negative_slope=0.1, threshold=0.2), (2, 3)),
        lambda L: called(tf, np, L.ReLU(max_value=6.0), (2, 3)),
    )  # fmt: skip


@program
def spatial(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.ZeroPadding1D(2), (2, 3, 2)),
        lambda L: called(tf, np, L.ZeroPadding1D((1, 0)), (2, 3, 2)),
        lambda L: called(tf, np, L.ZeroPadding2D(), (2, 3, 4, 2)),
        lambda L: called(tf, np, L.ZeroPadding2D(((1, 0), (2, 1)), data_format="channels_first"), (2, 3, 4, 2)),
        lambda L: called(tf, np, L.ZeroPadding3D(), (1, 2, 3, 2, 2)),
        lambda L: called(tf, np, L.Cropping1D(), (2, 4, 2)),
        lambda L: called(tf, np, L.Cropping2D(((1, 0), (0, 1))), (2, 4, 4, 2)),
        lambda L: called(tf, np, L.Cropping3D(1), (1, 4, 3, 3, 2)),
        lambda L: called(tf, np, L.UpSampling1D(2), (2, 3, 2)),
        lambda L: called(tf, np, L.UpSampling2D(), (1, 2, 3, 2)),
        lambda L: called(tf, np, L.UpSampling2D((2, 3), interpolation="bilinear"), (1, 2, 3, 2)),
        lambda L: called(tf, np, L.UpSampling3D(), (1, 2, 2, 1, 2)),
        lambda L: called(tf, np, L.GlobalAveragePooling1D(), (2, 3, 2)),
        lambda L: called(tf, np, L.GlobalAveragePooling2D(), (2, 3, 2, 2)),
        lambda L: called(tf, np, L.GlobalAveragePooling3D(data_format="channels_first"), (2, 3, 2, 2, 2)),
        lambda L: called(tf, np, L.GlobalMaxPooling1D(), (2, 3, 2)),
        lambda L: called(tf, np, L.GlobalMaxPooling2D(), (2, 3, 2, 2)),
        lambda L: called(tf, np, L.GlobalMaxPooling3D(), (2, 3, 2, 2, 2)),
    )  # fmt: skip


@program
def convolutions(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.Conv1D(3, 2), (2, 5, 2)),
        lambda L: called(tf, np, L.Conv1D(3, 2, padding="causal", dilation_rate=2, activation="relu"), (2, 5, 2)),
        lambda L: called(tf, np, L.Conv2D(3, (2, 3), strides=2, padding="same"), (2, 5, 5, 2)),
        lambda L: called(tf, np, L.Conv3D(2, 2), (1, 3, 3, 3, 2)),
        lambda L: called(tf, np, L.Conv2DTranspose(3, 2, strides=2), (2, 3, 3, 2)),
        lambda L: called(tf, np, L.SeparableConv2D(3, 2, depth_multiplier=2), (2, 4, 4, 2)),
        lambda L: called(tf, np, L.SeparableConv1D(3, 2), (2, 4, 2)),
        lambda L: called(tf, np, L.DepthwiseConv2D(2, depth_multiplier=2, activation="tanh"), (2, 4, 4, 2)),
        lambda L: called(tf, np, L.MaxPooling2D(), (2, 4, 4, 2)),
        lambda L: called(tf, np, L.MaxPool1D(2, strides=1), (2, 4, 2)),
        lambda L: called(tf, np, L.AveragePooling2D((2, 1), padding="same"), (2, 5, 4, 2)),
        lambda L: called(tf, np, L.AveragePooling3D(), (1, 2, 2, 2, 2)),
    )  # fmt: skip


@program
def normalizations(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.BatchNormalization(), (4, 3)),
        lambda L: called(tf, np, L.BatchNormalization(), (4, 3), training=True),
        lambda L: called(tf, np, L.BatchNormalization(momentum=0.9, scale=False), (2, 3, 3, 2), training=False),
        lambda L: called(tf, np, L.LayerNormalization(), (2, 3, 4)),
    )  # fmt: skip


@program
def embeddings(tf, np):
    def looked_up(layer, values):
        x = tf.keras.Input((None,), dtype="int32")
        y = layer(x)
        names = filled(np, layer)
        mask = getattr(y, "_keras_mask", None)
        session = tf.keras.backend.get_session()
        return [
            names, session.run(y, {x: values}), None if mask is None else session.run(mask, {x: values}), nodes(tf, layer.name),
            plain(layer.get_config()), y.shape.as_list(),
        ]  # fmt: skip

    return each(
        tf, np,
        lambda L: looked_up(L.Embedding(5, 3), [[1, 2], [0, 4]]),
        lambda L: looked_up(L.Embedding(5, 3, mask_zero=True), [[1, 2], [0, 4]]),
    )  # fmt: skip


@program
def distributed_in_time(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.TimeDistributed(L.Dense(2)), (2, 3, 4))[:2],
        lambda L: called(tf, np, L.TimeDistributed(L.Conv2D(2, 2)), (2, 3, 4, 4, 1))[:2],
    )  # fmt: skip


@program
def bad_layers(tf, np):
    L, Input = tf.keras.layers, tf.keras.Input
    return [
        attempt(lambda: L.Dense(2)(Input(()))),
        attempt(lambda: L.Dense(2)(Input((None,)))),
        attempt(lambda: L.Dense(2, foo=1)),
        attempt(lambda: L.Dense(2, activation="foo")),
        attempt(lambda: L.Dense(2, kernel_initializer="foo")),
        attempt(lambda: L.Conv2D(2, 2)(Input((4, 4)))),
        attempt(lambda: L.Conv2D(2, 2, padding="foo")),
        attempt(lambda: L.Conv2D(2, (2, 2, 2))),
        attempt(lambda: L.Reshape((3,))(Input((4,)))),
        attempt(lambda: L.Permute((2, 3))),
        attempt(lambda: L.Add()([Input((3,))])),
        attempt(lambda: L.Add()([Input((3,)), Input((4,))])),
        attempt(lambda: L.Concatenate()([Input((3, 2)), Input((4, 2))])),
        attempt(lambda: L.Dot(1.5)),
        attempt(lambda: L.RepeatVector(2)(Input((3, 4)))),
        attempt(lambda: L.ReLU(max_value=-1.0)),
        attempt(lambda: L.deserialize({"class_name": "Foo", "config": {}})),
        attempt(lambda: L.Embedding(5, 3, input_length=2)(Input((3,)))),
    ]


@program
def masks(tf, np):
    L = tf.keras.layers
    x = tf.keras.Input((3, 2))
    y = L.Masking()(x)
    z = L.Dense(2)(L.Activation("relu")(L.Dropout(0.5)(y)))
    gone = L.Lambda(lambda t: t)(z)
    both = L.Concatenate()([y, z])
    values = np.float32([[[1, 2], [0, 0], [3, 0]]])
    session = tf.keras.backend.get_session()
    found = [getattr(t, "_keras_mask", None) for t in (y, z, gone, both)]
    return [None if mask is None else session.run(mask, {x: values}) for mask in found]
