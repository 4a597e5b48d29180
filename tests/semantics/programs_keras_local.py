"""The layers of tf.keras with weights for each place, and what a bias of any rank is added by: nodes, values, configurations."""

from harness import attempt, fresh, graph_of, program
from programs_keras_layers import called, each, numbers


@program
def sequences(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.LocallyConnected1D(3, 2, activation="relu"), (2, 4, 2)),
        lambda L: called(tf, np, L.LocallyConnected1D(3, 2, implementation=2), (2, 4, 2)),
        lambda L: called(tf, np, L.LocallyConnected1D(3, 2, implementation=3), (2, 4, 2)),
        lambda L: called(tf, np, L.LocallyConnected1D(3, 2, 2, data_format="channels_first"), (2, 2, 5)),
        lambda L: called(tf, np, L.LocallyConnected1D(3, 2, implementation=2, data_format="channels_first"), (2, 2, 4)),
        lambda L: called(tf, np, L.LocallyConnected1D(3, 3, 2, "same", implementation=2, use_bias=False), (2, 5, 2)),
        lambda L: called(tf, np, L.LocallyConnected1D(3, 2, padding="same", implementation=3), (2, 4, 2)),
        lambda L: called(tf, np, L.LocallyConnected1D(2, 3), (2, 3, 2)),
    )  # fmt: skip


@program
def images(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.LocallyConnected2D(2, (2, 1), activation="tanh"), (2, 3, 2, 2)),
        lambda L: called(tf, np, L.LocallyConnected2D(2, (2, 1), implementation=2), (2, 3, 2, 2)),
        lambda L: called(tf, np, L.LocallyConnected2D(2, (2, 1), implementation=3), (2, 3, 2, 2)),
        lambda L: called(tf, np, L.LocallyConnected2D(3, 2, (2, 1), data_format="channels_first"), (2, 2, 4, 3)),
        lambda L: called(tf, np, L.LocallyConnected2D(3, 2, implementation=2, data_format="channels_first"), (2, 2, 4, 3)),
        lambda L: called(tf, np, L.LocallyConnected2D(3, 2, implementation=3, data_format="channels_first"), (2, 2, 4, 3)),
        lambda L: called(tf, np, L.LocallyConnected2D(2, (3, 2), (2, 1), "same", implementation=2), (1, 4, 3, 1)),
        lambda L: called(tf, np, L.LocallyConnected2D(2, (3, 2), 2, "same", implementation=3), (1, 4, 3, 1)),
    )  # fmt: skip


@program
def gradients(tf, np):
    found = []
    for implementation in (1, 2, 3):
        with tf.Graph().as_default():
            layer = tf.keras.layers.LocallyConnected1D(2, 2, implementation=implementation, kernel_initializer="ones")
            x = tf.constant(numbers(np, 2, 3, 2))
            grads = tf.gradients(tf.reduce_sum(layer(x) ** 2), [x, *layer.weights])
            found.append(tf.keras.backend.get_session().run(grads))
    return found


@program
def constants_of_a_sparse_product(tf, np):
    tf.keras.layers.LocallyConnected1D(2, 2, implementation=3)(tf.keras.Input((3, 1)))
    graph = tf.get_default_graph()
    names = ["a_indices", "a_shape"]
    constants = [graph.get_tensor_by_name(f"locally_connected1d/SparseTensorDenseMatMul/{name}:0") for name in names]
    return [graph_of(tf), tf.Session().run(constants)]


@program
def bad_local(tf, np):
    def call(kind, *args, **kwargs):
        shape = kwargs.pop("shape", (4,) * int(kind) + (2,))
        return fresh(tf, lambda: getattr(tf.keras.layers, f"LocallyConnected{kind}D")(*args, **kwargs)(tf.keras.Input(shape)))

    return [
        call("1", 3, 2, padding="same"),
        call("2", 3, 2, padding="same"),
        call("1", 3, 2, implementation=4),
        call("2", 3, 2, shape=(None, None, 2)),
        call("2", 3, 2, shape=(4,)),
        call("1", 3, 2, data_format="x"),
    ]


@program
def biases(tf, np):
    K = tf.keras.backend

    def added(rank, of_bias, data_format):
        x = tf.constant(numbers(np, *(2, 2, 3, 4, 5)[:rank]))
        sizes = {"channels_first": (2, 3, 4, 5)[: rank - 1], "channels_last": (2, 3, 4, 5)[: rank - 1]}[data_format or "channels_last"]
        if of_bias == 1:
            sizes = (sizes[0] if data_format == "channels_first" else sizes[-1],)
        elif data_format == "channels_first":
            sizes = (*sizes[1:], sizes[0])
        y = K.bias_add(x, tf.constant(numbers(np, *sizes)), data_format)
        return [graph_of(tf), tf.Session().run(y)]

    cases = [(rank, of_bias) for rank in (2, 3, 4, 5) for of_bias in {1, rank - 1}]
    found = [fresh(tf, lambda case=case, form=form: added(*case, form)) for case in cases for form in (None, "channels_first")]
    K.set_image_data_format("channels_first")
    try:
        found.append(fresh(tf, lambda: added(3, 1, "channels_last")))
        found.append(attempt(lambda: K.bias_add(tf.zeros([2, 2, 3]), tf.zeros([2])).op.inputs[1].shape.as_list()))
    finally:
        K.set_image_data_format("channels_last")
    return [
        found,
        attempt(lambda: K.bias_add(tf.zeros([2, 3, 4]), tf.zeros([2, 2, 2]))),
        attempt(lambda: K.bias_add(tf.zeros([2, 3, 4]), tf.zeros([4]), "x")),
    ]


@program
def data_format_of_the_settings(tf, np):
    L, K = tf.keras.layers, tf.keras.backend
    K.set_image_data_format("channels_first")
    try:
        layers = [
            L.Conv1D(1, 1), L.Conv2D(1, 1), L.Conv3D(1, 1), L.Conv2DTranspose(1, 1), L.SeparableConv1D(1, 1), L.SeparableConv2D(1, 1),
            L.DepthwiseConv2D(1), L.MaxPooling1D(), L.MaxPooling2D(), L.AveragePooling3D(), L.GlobalMaxPooling1D(),
            L.GlobalAveragePooling2D(), L.ZeroPadding2D(), L.Cropping2D(), L.UpSampling2D(), L.UpSampling3D(), L.SpatialDropout1D(0.1), L.SpatialDropout2D(0.1), L.Flatten(),
            L.LocallyConnected1D(1, 1), L.LocallyConnected2D(1, 1), L.Conv2D(1, 1, data_format="channels_last"),
        ]  # fmt: skip
        told = [getattr(layer, "data_format", "none") for layer in layers]
        padded = K.spatial_2d_padding(tf.zeros([1, 2, 2, 2])), K.spatial_3d_padding(tf.zeros([1, 2, 2, 2, 2]))
        shapes = [x.shape.as_list() for x in padded]
    finally:
        K.set_image_data_format("channels_last")
    return [told, shapes, L.Conv2D(1, 1).data_format]


@program
def batch_products(tf, np):
    def product(xs, ys, axes=None):
        def made():
            x, y = tf.constant(numbers(np, *xs)), tf.constant(numbers(np, *ys))
            z = tf.keras.backend.batch_dot(x, y, axes)
            return [graph_of(tf, "adj_x", "adj_y", "squeeze_dims"), tf.Session().run(z)]

        return fresh(tf, made)

    return [
        product((2, 3), (2, 3), 1), product((2, 3), (2, 3), -1), product((3, 2), (2, 3)), product((2, 3, 4), (2, 4, 5)),
        product((2, 3, 4), (2, 5, 4), 2), product((2, 3, 4), (2, 3, 5), 1), product((2, 3, 4), (2, 5, 3), (1, 2)),
        product((2, 3), (2, 3, 4)), product((2, 3), (2, 4, 3), (1, 2)), product((2, 3, 4), (2, 4)), product((2, 3, 4), (2, 3), 1),
        product((2, 3, 4, 5), (2, 3, 4, 6), (1, 2)), product((2, 3, 4, 5), (2, 3, 5, 6)), product((2, 4, 3), (2, 4, 5), -1),
        product((2,), (2,)), product((2, 3), (2, 4), 1), product((2, 3, 4), (2, 5, 4), 1),
    ]  # fmt: skip


@program
def transposed(tf, np):
    def called_without_looking(L, layer, *shapes):
        """1.15 looks for a GPU in a session, for which it initializes variables."""
        found = called(tf, np, layer, *shapes)
        found[2] = [row for row in found[2] if not row[0].endswith("/init") and "/VarIsInitializedOp" not in row[0]]
        return found

    return each(
        tf, np,
        lambda L: called_without_looking(L, L.Conv2DTranspose(2, 3, strides=2, output_padding=1), (2, 3, 3, 2)),
        lambda L: called_without_looking(L, L.Conv2DTranspose(2, 3, (2, 3), "same", (1, 0), "channels_first"), (2, 2, 3, 3)),
        lambda L: called_without_looking(L, L.Conv2DTranspose(2, (3, 2), dilation_rate=2), (2, 3, 3, 2)),
        lambda L: called_without_looking(L, L.Conv2DTranspose(2, 3, padding="same", dilation_rate=2, activation="relu"), (2, 4, 4, 2)),
        lambda L: called_without_looking(L, L.Conv3DTranspose(1, 2, 2, "same", (1, 0, 1)), (1, 2, 2, 2, 1)),
        lambda L: called_without_looking(L, L.Conv3DTranspose(1, 3, 2, output_padding=1, use_bias=False), (1, 2, 2, 2, 1)),
        lambda L: L.Conv2DTranspose(2, 3, output_padding=1),
        lambda L: L.Conv3DTranspose(2, 3, 2, output_padding=(0, 2, 0)),
        lambda L: L.Conv2DTranspose(2, 3, strides=2, output_padding=(1,)),
    )  # fmt: skip
