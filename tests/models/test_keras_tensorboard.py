"""Laws of the callback TensorBoard that no oracle answers: 1.15 itself fails where it would write embeddings."""

import numpy as np
import pytest

import tfedu as tf

K, L = tf.keras, tf.keras.layers
IDS, Y = np.arange(12).reshape(4, 3) % 5, np.arange(4.0)


def embedded():
    model = K.Sequential([L.Embedding(5, 2, input_length=3, name="e"), L.Flatten(name="f"), L.Dense(1, name="d")])
    model.compile("sgd", "mse")
    return model


def tags(folder):
    files = sorted(folder.glob("*tfevents*"))
    return [value.tag for file in files for event in tf.train.summary_iterator(str(file)) for value in event.summary.value]


def test_embeddings_are_saved_for_the_projector(tmp_path):
    model = embedded()
    board = K.callbacks.TensorBoard(
        str(tmp_path), embeddings_freq=2, embeddings_data=IDS, embeddings_metadata={"e": "words.tsv"},
        embeddings_layer_names=["e", "f"], batch_size=3,
    )  # fmt: skip
    model.fit(IDS, Y, epochs=3, verbose=0, callbacks=[board])
    config = (tmp_path / "projector_config.pbtxt").read_text()
    assert config == (
        'embeddings {\n  tensor_name: "e_embedding:0"\n  metadata_path: "words.tsv"\n}\n'
        'embeddings {\n  tensor_name: "f_embedding:0"\n}\n'
    )
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(str(tmp_path)))
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("keras_embedding.ckpt-2")
    expected = K.Model(model.input, model.layers[1].output).predict(IDS)
    for name in ("e_embedding", "f_embedding"):
        assert np.allclose(reader.get_tensor(name), expected)


def test_embeddings_need_data():
    with pytest.raises(ValueError, match="embeddings_data must be"):
        K.callbacks.TensorBoard(embeddings_freq=1)


def test_labels_are_of_embedding_layers(tmp_path):
    board = K.callbacks.TensorBoard(str(tmp_path), embeddings_freq=1, embeddings_data=IDS, embeddings_metadata={"x": "a.tsv"})
    model = embedded()
    with pytest.raises(ValueError, match="Unrecognized `Embedding` layer names"):
        model.fit(IDS, Y, verbose=0, callbacks=[board])
    board.writer.close()


def test_a_layer_that_is_called_twice_has_weights_but_no_output_of_its_own(tmp_path):
    x, shared = K.Input((3,)), L.Dense(3, name="shared")
    model = K.Model(x, shared(shared(x)))
    model.compile("sgd", "mse")
    ones = np.ones((2, 3))
    board = K.callbacks.TensorBoard(str(tmp_path), histogram_freq=1)
    model.fit(ones, ones, verbose=0, validation_data=(ones, ones), callbacks=[board])
    assert {tag for tag in tags(tmp_path) if "shared" in tag} == {"shared/kernel_0", "shared/bias_0"}


def test_a_training_that_fails_leaves_later_evaluations_their_values(tmp_path):
    class Failing(K.callbacks.Callback):
        def on_test_end(self, logs=None):
            raise RuntimeError("enough")

    model = embedded()
    board = K.callbacks.TensorBoard(str(tmp_path), histogram_freq=1)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="enough"):
            model.fit(IDS, Y, verbose=0, validation_data=(IDS, Y), callbacks=[board, Failing()])
    board.on_train_end()
    assert np.isfinite(model.evaluate(IDS, Y, verbose=0))
    assert len(model._function("test").fetches) == 0


def test_an_evaluation_and_a_prediction_leave_no_file_open(tmp_path):
    model = embedded()
    board = K.callbacks.TensorBoard(str(tmp_path))
    model.evaluate(IDS, Y, verbose=0, callbacks=[board])
    model.predict(IDS, callbacks=[board])
    model.fit(IDS, Y, verbose=0, callbacks=[board])
    assert tags(tmp_path) == ["epoch_loss"]
