"""Keras models as SavedModels: what comes back is what was saved, and a failed call changes nothing."""

import json
import os
import shutil

import numpy as np
import pytest

import tfedu as tf

K, L = tf.keras, tf.keras.layers
X = np.linspace(-1, 1, 24).reshape(8, 3).astype("float32")
Y = np.linspace(0, 1, 16).reshape(8, 2).astype("float32")


def small():
    model = K.Sequential([L.Dense(4, activation="relu", input_shape=(3,)), L.Dropout(0.5), L.BatchNormalization(), L.Dense(2)])
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(X, Y, epochs=2, verbose=0)
    return model


class Own(K.Model):
    def __init__(self):
        super().__init__()
        self.inner = L.Dense(2)

    def call(self, inputs):
        return self.inner(tf.square(inputs))


def test_a_model_comes_back_with_weights_and_training(tmp_path):
    model, path = small(), tmp_path / "m"
    for _ in range(2):  # over what is there
        model.save(path, save_format="tf")
        assert sorted(os.listdir(path)) == ["assets", "saved_model.pb", "variables"]
    again = K.models.load_model(path)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.metrics_names == model.metrics_names
    session = K.backend.get_session()
    assert session.run(again.optimizer.iterations) == session.run(model.optimizer.iterations) == 2
    old, new = session.run([model.optimizer.weights, again.optimizer.weights])
    assert all(map(np.array_equal, old, new))


def test_branches_and_what_was_not_compiled(tmp_path):
    a, b = K.Input((3,), name="a"), K.Input((3,), name="b")
    shared = L.Dense(2, name="shared")
    model = K.Model([a, b], [L.Add(name="sum")([shared(a), shared(b)]), L.Dense(1, name="one")(shared(a))])
    K.models.save_model(model, tmp_path / "m", save_format="tf")
    again = K.models.load_model(tmp_path / "m")
    assert again.optimizer is None
    assert all(map(np.array_equal, again.predict([X, -X]), model.predict([X, -X])))
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["serve"], str(tmp_path / "m")).signature_def["serving_default"]
        assert (set(signature.inputs), set(signature.outputs)) == ({"a", "b"}, {"sum", "one"})
        found = session.run(signature.outputs["sum"].name, {signature.inputs["a"].name: X, signature.inputs["b"].name: -X})
    np.testing.assert_array_equal(found, model.predict([X, -X])[0])


def test_an_export_trains_and_measures_without_keras(tmp_path):
    model, path = small(), str(tmp_path / "m")
    K.experimental.export_saved_model(model, path)
    np.testing.assert_array_equal(K.experimental.load_from_saved_model(path).predict(X), model.predict(X))
    loss, mae = model.evaluate(X, Y, verbose=0)
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["eval"], path).signature_def["eval"]
        feeds = {signature.inputs[name].name: value for name, value in zip(("dense_input", "dense_1_target"), (X, Y))}
        results = {name: info.name for name, info in signature.outputs.items()}
        before = session.run(results["metrics/mean_absolute_error/value"])
        found = session.run([results["loss"], results["metrics/mean_absolute_error/update_op"]], feeds)
        after = session.run(results["metrics/mean_absolute_error/value"])
    assert before == 0
    assert found == pytest.approx([loss, mae])
    assert after == pytest.approx(mae)
    with tf.Graph().as_default(), tf.Session() as session:
        signatures = tf.saved_model.load(session, ["train"], path).signature_def
        assert signatures["train"].method_name == "tensorflow/supervised/training"
        step = signatures["__saved_model_train_op"].outputs["__saved_model_train_op"].name
        losses = [session.run([signatures["train"].outputs["loss"].name, step], feeds)[0] for _ in range(600)]
    # Dropout makes the loss of one step a matter of luck: the means of many steps tell whether the model learns.
    assert np.mean(losses[-200:]) < 0.5 * np.mean(losses[:200])


def test_an_export_for_serving_has_one_graph_and_refuses_a_folder_with_files(tmp_path):
    model = small()
    K.experimental.export_saved_model(model, tmp_path / "m", serving_only=True)
    with tf.Graph().as_default(), tf.Session() as session, pytest.raises(RuntimeError, match="'train' could not be found"):
        tf.saved_model.load(session, ["train"], str(tmp_path / "m"))
    with pytest.raises(AssertionError, match="isn't empty"):
        K.experimental.export_saved_model(model, tmp_path / "m")


def test_a_subclassed_model_keeps_its_graph(tmp_path):
    model = Own()
    with pytest.raises(ValueError, match="input shapes have not been set"):
        model.save(tmp_path / "m", save_format="tf")
    expected = model.predict(X)
    model.save(tmp_path / "m", save_format="tf")
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["serve"], str(tmp_path / "m")).signature_def["serving_default"]
        (given,), (result,) = signature.inputs.values(), signature.outputs.values()
        np.testing.assert_array_equal(session.run(result.name, {given.name: X}), expected)
    with pytest.raises(NotImplementedError, match="class is the program's own"):
        K.models.load_model(tmp_path / "m")
    other = Own()
    other.predict(X)
    other.load_weights(tmp_path / "m" / "variables" / "variables")
    np.testing.assert_array_equal(other.predict(X), expected)


def test_layers_of_ones_own_need_custom_objects(tmp_path):
    class Doubled(L.Layer):
        def call(self, inputs):
            return inputs * 2

    model = K.Sequential([Doubled(input_shape=(3,)), L.Dense(1)])
    model.save(tmp_path / "m", save_format="tf")
    with pytest.raises(ValueError, match="Unknown layer: Doubled"):
        K.models.load_model(tmp_path / "m")
    again = K.models.load_model(tmp_path / "m", custom_objects={"Doubled": Doubled})
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_a_failed_save_leaves_the_folder_as_it_was(tmp_path, monkeypatch):
    model, path = small(), tmp_path / "m"
    path.mkdir()
    (path / "notes.txt").write_text("mine")
    model.save(path, save_format="tf")
    with pytest.raises(FileExistsError):
        model.save(path, overwrite=False, save_format="tf")
    before = model.predict(X)
    model.fit(X, Y, verbose=0)
    monkeypatch.setattr(type(model), "get_config", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        model.save(path, save_format="tf")
    monkeypatch.undo()
    assert os.listdir(tmp_path) == ["m"]
    assert (path / "notes.txt").read_text() == "mine"
    np.testing.assert_array_equal(K.models.load_model(path).predict(X), before)


@pytest.mark.parametrize(
    ("damage", "error", "text"),
    [
        (lambda path: (path / "assets" / "saved_model.json").write_text("{"), tf.errors.DataLossError, "layers are damaged"),
        (lambda path: (path / "assets" / "saved_model.json").write_text("[1]"), tf.errors.DataLossError, "no configuration"),
        (lambda path: shutil.rmtree(path / "variables"), tf.errors.NotFoundError, "variables"),
        (lambda path: shutil.rmtree(path / "assets"), NotImplementedError, "without the layers of a Keras model"),
        (lambda path: [shutil.rmtree(path / "assets"), (path / "keras_metadata.pb").touch()], NotImplementedError, "2.5"),
        (lambda path: [shutil.rmtree(path / "assets"), os.remove(path / "saved_model.pb")], OSError, "does not exist at"),
    ],
)  # fmt: skip
def test_a_damaged_folder_is_told(tmp_path, damage, error, text):
    small().save(tmp_path / "m", save_format="tf")
    damage(tmp_path / "m")
    with pytest.raises(error, match=text):
        K.models.load_model(tmp_path / "m")


def test_folders_of_1_15_are_read(tmp_path):
    """As model.save(save_format="tf") of 1.15 writes them: the layers are inside saved_model.pb."""
    model, path = small(), tmp_path / "m"
    model.save(path, save_format="tf")
    from tfedu.engine.base import proto

    told = json.loads((path / "assets" / "saved_model.json").read_text())
    shutil.rmtree(path / "assets")
    message = proto.SavedModel.FromString((path / "saved_model.pb").read_bytes())
    metadata = {"class_name": "Sequential", "config": told["config"], "training_config": told["training_config"]}
    node = message.meta_graphs[0].object_graph_def.nodes.add()
    node.user_object.identifier, node.user_object.metadata = "_tf_keras_sequential", json.dumps(metadata)
    (path / "saved_model.pb").write_bytes(message.SerializeToString())
    again = K.models.load_model(path)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.optimizer is not None


def test_latest_checkpoint_finds_saved_weights(tmp_path):
    model = small()
    for number in (1, 2):
        model.save_weights(tmp_path / f"cp-{number}.ckpt")
    assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "cp-2.ckpt")


def test_the_ops_of_an_added_loss_are_built_anew(tmp_path):
    x = K.Input((3,))
    hidden = L.Dense(2)(x)
    model = K.Model(x, L.Dense(1)(hidden))
    model.add_loss(tf.reduce_mean(tf.square(hidden)))
    model.compile("sgd", "mse")
    K.experimental.export_saved_model(model, tmp_path / "m")
    again = K.experimental.load_from_saved_model(tmp_path / "m")
    assert [layer.name for layer in again.layers] == [layer.name for layer in model.layers]
    again.compile("sgd", "mse")
    np.testing.assert_allclose(again.evaluate(X, Y[:, :1], verbose=0), model.evaluate(X, Y[:, :1], verbose=0), rtol=1e-6)
    model.save(tmp_path / "m.h5")
    assert len(K.models.load_model(tmp_path / "m.h5").losses) == 1


def test_weights_of_layers_whose_names_hold_one_another_are_saved(tmp_path):
    x = K.Input((3,))
    hidden = L.Dense(2)(x)
    model = K.Model(x, hidden)
    model.add_loss(tf.reduce_mean(tf.multiply(hidden, 2.0, name="a/b")))
    model.add_loss(tf.reduce_mean(tf.multiply(hidden, 2.0, name="a")))
    model.save_weights(tmp_path / "w.h5")
    before = model.get_weights()
    model.set_weights([value * 0 for value in before])
    model.load_weights(tmp_path / "w.h5")
    for value, again in zip(before, model.get_weights()):
        np.testing.assert_array_equal(value, again)


def test_losses_of_functions_are_exported_for_predictions_alone(tmp_path):
    model = K.Sequential([L.Dense(1, input_shape=(3,))])
    model.add_loss(lambda: tf.reduce_sum(model.layers[0].kernel))
    model.compile("sgd", "mse")
    with pytest.raises(NotImplementedError, match="serving_only=True"):
        K.experimental.export_saved_model(model, tmp_path / "m")
    assert not (tmp_path / "m").exists()
    K.experimental.export_saved_model(model, tmp_path / "m", serving_only=True)
    np.testing.assert_array_equal(K.experimental.load_from_saved_model(tmp_path / "m").predict(X), model.predict(X))
