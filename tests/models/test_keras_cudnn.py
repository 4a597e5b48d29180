"""CuDNNLSTM and CuDNNGRU compute what LSTM and GRU compute with the same weights, in either direction of a file, and train."""

import numpy as np
import pytest

import tfedu as tf

K, L = tf.keras, tf.keras.layers
X = np.random.RandomState(0).randn(4, 5, 3).astype("float32")
PAIRS = {
    "lstm": (L.CuDNNLSTM, lambda **options: L.LSTM(2, recurrent_activation="sigmoid", **options)),
    "gru": (L.CuDNNGRU, lambda **options: L.GRU(2, recurrent_activation="sigmoid", reset_after=True, **options)),
}


def drawn(model):
    draw = np.random.RandomState(1)
    model.set_weights([draw.randn(*weight.shape) for weight in model.get_weights()])
    return model


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("options", [{}, {"return_sequences": True, "go_backwards": True}])
def test_the_weights_of_each_form_give_the_same_in_the_other(kind, options, tmp_path):
    fused, plain = PAIRS[kind]
    makers = [lambda: fused(2, **options), lambda: plain(**options)]
    for make, other in (makers, makers[::-1]):
        saved = drawn(K.Sequential([L.InputLayer((5, 3)), make()]))
        saved.save_weights(tmp_path / "w.h5")
        read = K.Sequential([L.InputLayer((5, 3)), other()])
        read.load_weights(tmp_path / "w.h5")
        np.testing.assert_allclose(read.predict(X), saved.predict(X), atol=1e-6)


def test_gru_without_reset_after_refuses_the_weights(tmp_path):
    drawn(K.Sequential([L.CuDNNGRU(2, input_shape=(5, 3))])).save_weights(tmp_path / "w.h5")
    with pytest.raises(ValueError, match=r"CuDNNGRU is not compatible with GRU\(reset_after=False\)"):
        K.Sequential([L.GRU(2, input_shape=(5, 3))]).load_weights(tmp_path / "w.h5")


@pytest.mark.parametrize("layer", [L.CuDNNLSTM, L.CuDNNGRU])
def test_a_model_trains_and_comes_back(layer, tmp_path):
    model = K.Sequential([L.Bidirectional(layer(4, return_sequences=True), input_shape=(5, 3)), layer(3), L.Dense(1)])
    model.compile(K.optimizers.Adam(0.05), "mse")
    target = X.mean((1, 2))[:, None]
    losses = model.fit(X, target, epochs=30, verbose=0).history["loss"]
    assert losses[-1] < losses[0] / 2
    model.save(tmp_path / "m.h5")
    np.testing.assert_array_equal(K.models.load_model(tmp_path / "m.h5").predict(X), model.predict(X))


def test_states_go_on_in_a_stateful_layer():
    whole, parts = L.CuDNNLSTM(2), L.CuDNNLSTM(2, stateful=True)
    one = drawn(K.Sequential([L.InputLayer(batch_input_shape=(4, 5, 3)), whole]))
    two = drawn(K.Sequential([L.InputLayer(batch_input_shape=(4, None, 3)), parts]))
    two.predict(X[:, :2], batch_size=4)
    np.testing.assert_allclose(two.predict(X[:, 2:], batch_size=4), one.predict(X), atol=1e-6)
    parts.reset_states()
    np.testing.assert_allclose(two.predict(X, batch_size=4), one.predict(X), atol=1e-6)
