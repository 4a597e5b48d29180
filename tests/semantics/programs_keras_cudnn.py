"""CuDNNLSTM and CuDNNGRU of tf.keras: weights, configurations, errors, and their files read by LSTM and GRU.

TF 1.15 runs these layers on a GPU alone, so it records what it builds, and the values of LSTM and GRU with converted weights.
"""

import os
import tempfile

from harness import attempt, program
from programs_keras_layers import each, numbers, plain


def built(tf, layer, **kwargs):
    """The layer on sequences [?, 5, 3]: its weights, configuration, and the shapes of what comes out."""
    y = layer(tf.keras.Input((5, 3)), **kwargs)
    weights = [[weight.name, weight.shape.as_list(), weight.trainable] for weight in layer.weights]
    outputs = [one.shape.as_list() for one in (y if isinstance(y, list) else [y])]
    return [layer.name, weights, plain(layer.get_config()), outputs]


@program
def layers(tf, np):
    l2 = tf.keras.regularizers.l2
    return each(
        tf, np,
        lambda L: built(tf, L.CuDNNLSTM(4)),
        lambda L: built(tf, L.CuDNNLSTM(4, return_sequences=True, return_state=True, kernel_regularizer=l2(0.1))),
        lambda L: built(tf, L.CuDNNLSTM(2, bias_initializer="ones", unit_forget_bias=False, go_backwards=True, name="last")),
        lambda L: built(tf, L.CuDNNGRU(4, return_state=True, recurrent_constraint=tf.keras.constraints.MaxNorm(2))),
        lambda L: built(tf, L.CuDNNGRU(4, return_sequences=True)),
        lambda L: plain(L.deserialize(L.serialize(L.CuDNNGRU(3, stateful=True))).get_config()),
        lambda L: built(tf, tf.keras.layers.Bidirectional(L.CuDNNLSTM(3)))[1],
    )  # fmt: skip


@program
def errors(tf, np):
    K = tf.keras
    return each(
        tf, np,
        lambda L: attempt(lambda: K.Sequential([L.Masking(input_shape=(5, 3)), L.CuDNNLSTM(4)])),
        lambda L: attempt(lambda: L.CuDNNGRU(4)(K.Input((5, 3)), mask=tf.ones([2, 5], tf.bool))),
        lambda L: attempt(lambda: L.CuDNNLSTM(4, unroll=True)),
        lambda L: attempt(lambda: L.CuDNNLSTM(4)(K.Input((3,)))),
        lambda L: attempt(lambda: L.CuDNNGRU(4, activation="relu")),
    )  # fmt: skip


def read(tf, np, layer, shapes):
    """The layer with the weights of a file of the other form: its weights, and what it makes of [2, 4, 3]."""
    import h5py

    model = tf.keras.Sequential([tf.keras.layers.InputLayer((4, 3)), layer])
    path = os.path.join(tempfile.mkdtemp(), "weights.h5")
    with h5py.File(path, "w") as file:
        file.attrs["layer_names"] = np.array([b"other"])
        group = file.create_group("other")
        names = ["other/kernel:0", "other/recurrent_kernel:0", "other/bias:0"]
        group.attrs["weight_names"] = np.array([name.encode() for name in names])
        for i, (name, shape) in enumerate(zip(names, shapes)):
            group.create_dataset(name, data=numbers(np, *shape) * (i + 1))
    model.load_weights(path)
    return [model.get_weights(), model.predict(numbers(np, 2, 4, 3))]


@program
def files(tf, np):
    lstm, gru = [(3, 8), (2, 8), (16,)], [(3, 6), (2, 6), (12,)]
    return each(
        tf, np,
        lambda L: read(tf, np, L.LSTM(2, recurrent_activation="sigmoid"), lstm),
        lambda L: read(tf, np, L.LSTM(2, recurrent_activation="sigmoid", return_sequences=True, go_backwards=True), lstm),
        lambda L: read(tf, np, L.GRU(2, recurrent_activation="sigmoid", reset_after=True), gru),
        lambda L: attempt(lambda: read(tf, np, L.GRU(2), gru)),
    )  # fmt: skip
