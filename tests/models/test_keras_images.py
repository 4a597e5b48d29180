"""Laws of tf.keras' image layers that no oracle answers."""

import numpy as np
import pytest

import tfedu as tf

K, L = tf.keras, tf.keras.layers


@pytest.mark.parametrize(
    ("layer", "shape", "text"),
    [
        (lambda: L.LocallyConnected1D(3, 2), (None, 2), "should be fully-defined"),
        (lambda: L.LocallyConnected2D(3, 2, implementation=2), (4, 4, None), "should be fully-defined"),
        (lambda: L.LocallyConnected1D(3, 5), (4, 2), "do not fit into inputs of size"),
        (lambda: L.LocallyConnected2D(3, 2, strides=(1, 0)), (4, 4, 2), "strides must be positive"),
        (lambda: L.LocallyConnected1D(3, 2, padding="causal", implementation=3), (4, 2), "paddings valid and same"),
    ],
)
def test_filters_that_have_no_places_are_an_error(layer, shape, text):
    with pytest.raises(ValueError, match=text):
        layer()(K.Input(shape))


def test_the_three_ways_of_locally_connected_layers_give_the_same():
    x = np.random.default_rng(0).normal(size=(2, 5, 4, 3)).astype("float32")
    first = L.LocallyConnected2D(2, (3, 2), strides=(2, 1))
    model = K.Sequential([L.InputLayer((5, 4, 3)), first])
    expected = model.predict(x)
    windows, bias = first.get_weights()  # [places, kh · kw · c, filters]
    connections = first._connections((5, 4), 3, 2)
    matrix = np.zeros(connections.shape, "float32")
    for place in range(len(windows)):
        for each in range(2):
            chosen = np.zeros((2, 3, 2), bool)
            chosen[place // 3, place % 3, each] = True
            matrix[connections & chosen] = windows[place, :, each]
    weights = {2: matrix, 3: matrix.reshape(60, 12).T[connections.reshape(60, 12).T]}
    for implementation, kernel in weights.items():
        layer = L.LocallyConnected2D(2, (3, 2), strides=(2, 1), implementation=implementation, weights=[kernel, bias])
        found = K.Sequential([L.InputLayer((5, 4, 3)), layer]).predict(x)
        assert np.allclose(found, expected, atol=1e-5)


def test_a_locally_connected_layer_trains_and_is_rebuilt_from_its_configuration():
    model = K.Sequential([L.LocallyConnected1D(2, 2, implementation=3, input_shape=(4, 1)), L.Flatten(), L.Dense(1)])
    model.compile(K.optimizers.SGD(0.05), "mse")
    x, y = np.linspace(-1, 1, 32).reshape(8, 4, 1), np.linspace(0, 1, 8)
    losses = model.fit(x, y, epochs=5, verbose=0).history["loss"]
    assert losses[-1] < losses[0]
    again = K.models.model_from_json(model.to_json())
    again.set_weights(model.get_weights())
    assert np.allclose(again.predict(x), model.predict(x))


def test_a_convolutional_lstm_trains_and_is_rebuilt_from_its_configuration():
    layers = [L.ConvLSTM2D(2, 2, return_sequences=True, input_shape=(2, 3, 3, 1)), L.ConvLSTM2D(1, (2, 1)), L.Flatten()]
    model = K.Sequential([*layers, L.Dense(1)])
    model.compile(K.optimizers.SGD(0.1), "mse")
    x, y = np.linspace(-1, 1, 72).reshape(4, 2, 3, 3, 1), np.linspace(0, 1, 4)
    losses = model.fit(x, y, epochs=5, verbose=0).history["loss"]
    assert losses[-1] < losses[0]
    again = K.models.model_from_json(model.to_json())
    again.set_weights(model.get_weights())
    assert np.allclose(again.predict(x), model.predict(x))


@pytest.mark.parametrize(("shape", "text"), [((2, None, 3, 1), "know their sizes"), ((2, 3, 3, 1), "know its batch size")])
def test_a_stateful_convolutional_lstm_knows_the_shape_of_its_inputs(shape, text):
    batch = None if None not in shape else 2
    with pytest.raises(ValueError, match=text):
        L.ConvLSTM2D(1, 2, stateful=True)(K.Input(shape, batch_size=batch))


def test_a_separable_layer_is_made_of_its_own_configuration():
    config = tf.keras.layers.SeparableConv2D(2, 3, kernel_initializer="he_normal").get_config()
    assert config["kernel_initializer"]["class_name"] == "VarianceScaling"
    assert tf.keras.layers.SeparableConv2D.from_config(config).get_config() == config
