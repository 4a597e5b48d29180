"""TimeDistributed, Bidirectional and networks as layers of tf.keras: every node of their graphs, masks, the learning phase."""

from harness import attempt, program
from programs_keras_layers import each


def graph(tf):
    """Each node's name and type."""
    return [[op.name, op.type] for op in tf.get_default_graph().get_operations()]


def mask_of(tensor):
    mask = getattr(tensor, "_keras_mask", None)
    return None if mask is None else [mask.name, mask.shape.as_list()]


def distributed(tf, layer, shape, batch=None):
    """The layer on the steps of inputs: the output's shape, its mask, all nodes."""
    y = tf.keras.layers.TimeDistributed(layer)(tf.keras.Input(shape, batch_size=batch))
    return [y.shape.as_list(), mask_of(y), graph(tf)]


def own(tf):
    """A layer of the program's own."""

    class Own(tf.keras.layers.Layer):
        def build(self, input_shape):
            self.w = self.add_weight("w", (int(input_shape[-1]), 2))
            super(Own, self).build(input_shape)  # noqa: UP008  (1.15 runs Python 3.7)

        def call(self, inputs, training=None):
            return tf.matmul(inputs, self.w)

        def compute_output_shape(self, input_shape):
            return tf.TensorShape([*tf.TensorShape(input_shape).as_list()[:-1], 2])

    return Own()


def pictures(tf):
    """A network of pictures."""
    x = tf.keras.Input((8, 8, 1))
    return tf.keras.Model(x, tf.keras.layers.Flatten()(tf.keras.layers.Conv2D(2, 3)(x)))


@program
def nodes_of_distributed_layers(tf, np):
    return each(
        tf, np,
        lambda L: distributed(tf, L.Dense(2), (3, 4)),
        lambda L: distributed(tf, L.Dense(2), (3, 4), 2),
        lambda L: distributed(tf, L.Dense(2), (None, 4)),
        lambda L: distributed(tf, L.Conv2D(2, 2), (None, None, 4, 1)),
        lambda L: distributed(tf, L.Flatten(), (3, 4, 2)),
        lambda L: distributed(tf, L.Dropout(0.5), (3, 4)),
        lambda L: distributed(tf, own(tf), (3, 4)),
        lambda L: distributed(tf, own(tf), (3, 4), 2),
        lambda L: distributed(tf, L.Embedding(9, 4, mask_zero=True), (3, 5)),
        lambda L: distributed(tf, L.Bidirectional(L.GRU(2), merge_mode="sum"), (3, 5, 2)),
        lambda L: distributed(tf, tf.keras.Sequential([L.Dense(2), L.Activation("relu")]), (3, 4)),
        lambda L: distributed(tf, tf.keras.Sequential([L.Conv2D(2, 3, input_shape=(8, 8, 1)), L.Flatten()]), (5, 8, 8, 1)),
        lambda L: distributed(tf, pictures(tf), (5, 8, 8, 1)),
        lambda L: distributed(tf, L.Dense(2), (4,)),
    )  # fmt: skip


@program
def masks_of_distributed_layers(tf, np):
    def chain(L, *layers):
        x = y = tf.keras.Input((3, 5))
        masks = []
        for layer in layers:
            y = layer(y)
            masks.append(mask_of(y))
        return [masks, graph(tf)] if x is not y else None

    return each(
        tf, np,
        lambda L: chain(L, L.Masking(), L.TimeDistributed(L.Dense(2))),
        lambda L: chain(L, L.TimeDistributed(L.Embedding(9, 4, mask_zero=True)), L.TimeDistributed(L.SimpleRNN(2)), L.SimpleRNN(3)),
        lambda L: chain(L, L.Masking(), L.TimeDistributed(L.Reshape((5, 1)))),
    )  # fmt: skip


@program
def one_layer_for_two_lengths(tf, np):
    layer = tf.keras.layers.TimeDistributed(tf.keras.layers.Dense(2))
    shapes = [layer(tf.keras.Input((length, 4))).shape.as_list() for length in (None, 7, 3)]
    return [shapes, attempt(lambda: layer(tf.keras.Input((7, 5))))]


@program
def nodes_of_bidirectional_layers(tf, np):
    def called(L, layer, shape=(3, 4)):
        y = layer(tf.keras.Input(shape))
        return [y.shape.as_list(), [w.name for w in layer.weights], graph(tf)]

    return each(
        tf, np,
        lambda L: called(L, L.Bidirectional(L.SimpleRNN(2))),
        lambda L: called(L, L.Bidirectional(L.LSTM(2, return_sequences=True, name="a"), merge_mode="ave")),
        lambda L: called(L, L.Bidirectional(L.GRU(2), backward_layer=L.GRU(2, go_backwards=True, name="b"), name="both")),
    )  # fmt: skip


@program
def masks_of_networks(tf, np):
    def called(L, network):
        y = network(L.Embedding(9, 4, mask_zero=True)(tf.keras.Input((3,))))
        return [mask_of(y), graph(tf)]

    class Own(tf.keras.Model):
        def __init__(self):
            super(Own, self).__init__()  # noqa: UP008  (1.15 runs Python 3.7)
            self.inner = tf.keras.layers.SimpleRNN(2)

        def call(self, inputs, mask=None):
            return self.inner(inputs, mask=mask)

    def mapped(L):
        x = tf.keras.Input((3, 4))
        return tf.keras.Model(x, L.SimpleRNN(2)(x))

    return each(
        tf, np,
        lambda L: called(L, tf.keras.Sequential([L.SimpleRNN(2)])),
        lambda L: called(L, tf.keras.Sequential([L.Dense(2), L.Dropout(0.1)])),
        lambda L: called(L, tf.keras.Sequential([L.SimpleRNN(2, input_shape=(3, 4))])),
        lambda L: called(L, mapped(L)),
        lambda L: called(L, Own()),
    )  # fmt: skip


@program
def the_learning_phase_of_a_step(tf, np):
    found = []
    for method in ("fit", "evaluate", "predict"):
        with tf.Graph().as_default():
            model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
            model.compile("sgd", "mse")
            data = [np.zeros((4, 3))] if method == "predict" else [np.zeros((4, 3)), np.zeros((4, 2))]
            getattr(model, method)(*data, verbose=0)
            found.append([name for name, _ in graph(tf) if "learning_phase" in name])
    return found


@program
def nodes_of_layers_with_noise(tf, np):
    def called(layer, shape=(6,)):
        y = layer(tf.keras.Input(shape))
        return [y.shape.as_list(), graph(tf)]

    return each(
        tf, np,
        lambda L: called(L.GaussianNoise(0.1)),
        lambda L: called(L.GaussianDropout(0.1)),
        lambda L: called(L.AlphaDropout(0.1)),
        lambda L: called(L.SpatialDropout1D(0.1), (5, 4)),
        lambda L: called(L.SimpleRNN(3, dropout=0.2, recurrent_dropout=0.3), (5, 4)),
        lambda L: called(L.GRU(3, implementation=2, dropout=0.2), (5, 4)),
    )  # fmt: skip
