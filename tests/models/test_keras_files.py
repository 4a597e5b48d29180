"""Models and weights of tf.keras in files: what comes back is what was saved, and a damaged file is told and changes nothing."""

import os
import sys
import zipfile

import numpy as np
import pytest

import tfedu as tf

K, L = tf.keras, tf.keras.layers
X = np.linspace(-1, 1, 24).reshape(8, 3).astype("float32")
Y = np.linspace(0, 1, 16).reshape(8, 2).astype("float32")


def small():
    model = K.Sequential([L.Dense(4, activation="relu", input_shape=(3,)), L.BatchNormalization(), L.Dense(2)])
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(X, Y, epochs=2, verbose=0)
    return model


def branched():
    a, b = K.Input((3,)), K.Input((3,))
    shared = L.Dense(2, name="shared")
    both = L.Concatenate()([shared(a), shared(b)])
    return K.Model([a, b], [both, L.Dense(1, kernel_regularizer="l2")(both)])


def recurrent():
    return K.Sequential(
        [L.Embedding(5, 3, mask_zero=True, input_length=4), L.Bidirectional(L.LSTM(3, return_sequences=True)),
         L.TimeDistributed(L.Dense(2)), L.RNN([L.GRUCell(2), L.SimpleRNNCell(3)]), L.Dense(1)]
    )  # fmt: skip


def test_a_model_comes_back_with_weights_and_training(tmp_path):
    model = small()
    model.save(tmp_path / "m.h5")
    again = K.models.load_model(tmp_path / "m.h5")
    assert np.array_equal(again.predict(X), model.predict(X))
    assert again.metrics_names == model.metrics_names
    for each in (model, again):
        each.fit(X, Y, verbose=0, shuffle=False)  # Adam goes on from its moments
    assert np.allclose(again.predict(X), model.predict(X), atol=1e-6)


@pytest.mark.parametrize(("make", "data"), [(branched, [X, X * 2]), (recurrent, np.array([[1, 2, 0, 0], [4, 3, 2, 1]]))])
def test_models_of_all_forms_come_back(make, data, tmp_path):
    model = make()
    model.save(tmp_path / "m.h5")
    again = K.models.load_model(tmp_path / "m.h5")
    ours, theirs = model.predict(data), again.predict(data)
    assert all(map(np.array_equal, ours, theirs)) if isinstance(ours, list) else np.array_equal(ours, theirs)


@pytest.mark.parametrize("name", ["w.h5", "w.hdf5", "checkpoint"])
def test_weights_come_back(name, tmp_path):
    model = small()
    model.save_weights(tmp_path / name)
    copy = K.models.clone_model(model)
    assert not np.allclose(copy.predict(X), model.predict(X))
    copy.load_weights(tmp_path / name)
    assert np.array_equal(copy.predict(X), model.predict(X))


def test_a_checkpoint_names_layers_as_tensorflow_does(tmp_path):
    small().save_weights(str(tmp_path / "c"))
    names = {name for name, _ in tf.train.list_variables(str(tmp_path / "c"))}
    assert "layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE" in names


class Block(L.Layer):
    """A layer with layers in attributes, in a list and in a dict, and a variable of its own."""

    def __init__(self):
        super().__init__()
        self.inner, self.many, self.named = L.Dense(2), [L.Dense(2), L.Dense(2)], {"a": L.Dense(2)}

    def build(self, input_shape):
        self.w = self.add_weight("w", (2,))
        super().build(input_shape)

    def call(self, inputs):
        return self.named["a"](self.many[1](self.many[0](self.inner(inputs)))) + self.w


class Net(K.Model):
    """A model with a variable of its own, which Keras initializes."""

    def __init__(self):
        super().__init__()
        self.d1, self.b, self.seq, self.v = L.Dense(8), Block(), K.Sequential([L.Dense(2)]), tf.Variable(1.0)
        self.rnn = L.Bidirectional(L.LSTM(3))

    def call(self, inputs):
        return self.rnn(tf.reshape(self.seq(self.b(self.d1(inputs))), [-1, 2, 1])) * self.v


def keys(model, folder):
    """The keys of the model's checkpoint, without the slots of optimizers."""
    model.save_weights(str(folder / "c"))
    names = [name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for name, _ in tf.train.list_variables(str(folder / "c"))]
    return [name for name in names[1:] if ".OPTIMIZER_SLOT" not in name]


def trained(model, outputs, optimizer="sgd"):
    model.compile(optimizer, "mse")
    model.fit(np.ones((4, 6)), np.ones((4, outputs)), verbose=0)
    return model


# as TF 1.15 wrote them
DENSE = [f"{layer}/{part}" for layer in ("inner", "many/0", "many/1", "named/a") for part in ("bias", "kernel")]
BLOCK = [*DENSE, "w"]
CELLS = [f"rnn/{way}_layer/cell/{part}" for way in ("backward", "forward") for part in ("bias", "kernel", "recurrent_kernel")]
SGD = [f"optimizer/{name}" for name in ("decay", "iter", "learning_rate", "momentum")]


def test_the_checkpoint_of_a_subclass_has_the_names_of_its_attributes(tmp_path):
    adam = tf.train.AdamOptimizer(0.1)
    assert keys(trained(Net(), 6, adam), tmp_path) == [
        *[f"b/{name}" for name in BLOCK], "d1/bias", "d1/kernel", "optimizer/global_step", "optimizer/optimizer/beta1_power",
        "optimizer/optimizer/beta2_power", *CELLS, "seq/layer-0/bias", "seq/layer-0/kernel", "v",
    ]  # fmt: skip


def test_the_layers_with_weights_are_numbered_when_their_shapes_are_known(tmp_path):
    chain = K.Sequential([L.Dense(2, input_shape=(6,)), L.Dropout(0.1), Block()])
    own = [f"layer_with_weights-0/{name}" for name in ("bias", "kernel")]
    block = [f"layer_with_weights-1/{name}" for name in BLOCK]
    assert keys(trained(chain, 2), tmp_path) == [*own, *block, *SGD]
    inputs = K.Input((6,))
    outer = K.Model(inputs, chain(L.Dense(6)(inputs)))
    inner = [f"layer_with_weights-1/{name}" for name in [*own, *block]]
    assert [name for name in keys(outer, tmp_path) if "optimizer" not in name] == [*own, *inner]


def test_the_layers_of_a_chain_that_fit_connects_are_numbered_all(tmp_path):
    chain = trained(K.Sequential([L.Dense(2), L.Dense(2)]), 2)
    layers = [f"layer-{number}/{name}" for number in range(2) for name in ("bias", "kernel")]
    assert keys(chain, tmp_path) == [*layers, *SGD]


def test_the_own_variables_of_a_model_come_after_those_of_its_layers():
    net = trained(Net(), 6, tf.train.AdamOptimizer(0.1))
    assert net.trainable_weights[-1] is net.weights[-1] is net.v
    net.trainable = False
    assert net.trainable_weights == []
    assert net.non_trainable_weights[0] is net.v


def test_weights_are_found_by_name(tmp_path):
    first = K.Sequential([L.Dense(4, input_shape=(3,), name="a"), L.Dense(2, name="b")])
    first.save_weights(tmp_path / "w.h5")
    second = K.Sequential([L.Dense(4, input_shape=(3,), name="a"), L.Dense(5, name="c")])
    before = second.get_weights()
    second.load_weights(tmp_path / "w.h5", by_name=True)
    assert np.array_equal(second.get_weights()[0], first.get_weights()[0])
    assert np.array_equal(second.get_weights()[2], before[2])


def test_the_programs_own_layers_are_named(tmp_path):
    class Twice(L.Layer):
        def call(self, inputs):
            return inputs * 2

    def thrice(x):
        return x * 3

    model = K.Sequential([Twice(input_shape=(3,)), L.Lambda(thrice), L.Activation(thrice)])
    model.save(tmp_path / "m.h5")
    with pytest.raises(ValueError, match="Unknown layer: Twice"):
        K.models.load_model(tmp_path / "m.h5")
    again = K.models.load_model(tmp_path / "m.h5", custom_objects={"Twice": Twice, "thrice": thrice})
    assert np.allclose(again.predict(X), X * 18)


def test_a_lambda_expression_is_refused_and_leaves_no_file(tmp_path):
    model = K.Sequential([L.Lambda(lambda x: x, input_shape=(3,))])
    with pytest.raises(ValueError, match="a file holds no code"):
        model.save(tmp_path / "m.h5")
    assert os.listdir(tmp_path) == []


def test_saved_code_is_not_run():
    config = {"name": "l", "function": ["4wEAAAA=", None, None], "function_type": "lambda", "arguments": {}}
    with pytest.raises(ValueError, match="does not run"):
        L.deserialize({"class_name": "Lambda", "config": config})


def test_a_failed_save_keeps_the_file_before(tmp_path):
    model = small()
    model.save(tmp_path / "m.h5")
    before = (tmp_path / "m.h5").read_bytes()
    with pytest.raises(ValueError, match="a file holds no code"):
        K.Sequential([L.Lambda(lambda x: x, input_shape=(3,))]).save(tmp_path / "m.h5")
    assert (tmp_path / "m.h5").read_bytes() == before


@pytest.mark.parametrize("cut", [0, 4, 100, 3000])
def test_a_damaged_file_is_told(cut, tmp_path):
    small().save(tmp_path / "m.h5")
    data = (tmp_path / "m.h5").read_bytes()
    (tmp_path / "m.h5").write_bytes(data[:cut])
    with pytest.raises(tf.errors.DataLossError, match=r"m\.h5"):
        K.models.load_model(tmp_path / "m.h5")


def test_a_missing_file_a_folder_and_a_file_of_weights_are_told(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match=r"none\.h5"):
        K.models.load_model(tmp_path / "none.h5")
    small().save_weights(tmp_path / "w.h5")
    with pytest.raises(tf.errors.DataLossError, match="No model found"):
        K.models.load_model(tmp_path / "w.h5")
    with pytest.raises(OSError, match="SavedModel file does not exist"):
        K.models.load_model(tmp_path)


def test_weights_of_another_model_change_nothing(tmp_path):
    small().save_weights(tmp_path / "w.h5")
    other = K.Sequential([L.Dense(4, input_shape=(3,)), L.BatchNormalization(), L.Dense(3)])
    before = other.get_weights()
    with pytest.raises(ValueError, match="shape"):
        other.load_weights(tmp_path / "w.h5")
    assert np.array_equal(other.get_weights()[-1], before[-1])


def test_a_missing_h5py_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match=r"tfedu\[keras\]"):
        small().save(tmp_path / "m.h5")


def test_a_subclassed_model_is_saved_by_its_weights_alone(tmp_path):
    class Net(K.Model):
        def __init__(self):
            super().__init__()
            self.inner = L.Dense(2)

        def call(self, x):
            return self.inner(x)

    model = Net()
    model.predict(X)
    with pytest.raises(NotImplementedError, match="subclassed models"):
        model.save(tmp_path / "m.h5")
    model.save_weights(tmp_path / "w.h5")
    before = model.predict(X)
    model.set_weights([w * 0 for w in model.get_weights()])
    model.load_weights(tmp_path / "w.h5")
    assert np.array_equal(model.predict(X), before)


def test_a_checkpoint_callback_saves_the_best_model(tmp_path):
    model = small()
    path = str(tmp_path / "best-{epoch}.h5")
    saved = K.callbacks.ModelCheckpoint(path, monitor="loss", save_best_only=True)
    model.fit(X, Y, epochs=2, verbose=0, callbacks=[saved])
    assert "best-1.h5" in os.listdir(tmp_path)


def test_a_csv_logger_writes_a_row_for_each_epoch(tmp_path):
    model = small()
    model.fit(X, Y, epochs=2, verbose=0, callbacks=[K.callbacks.CSVLogger(str(tmp_path / "log.csv"))])
    rows = (tmp_path / "log.csv").read_text().splitlines()
    assert rows[0] == "epoch,loss,mean_absolute_error"
    assert [row.split(",")[0] for row in rows[1:]] == ["0", "1"]


def test_nothing_is_fetched(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"mnist\.npz.*fetches nothing"):
        K.datasets.mnist.load_data()
    for data in (K.datasets.imdb, K.datasets.reuters, K.datasets.cifar10, K.datasets.cifar100):
        with pytest.raises(FileNotFoundError, match="fetches nothing"):
            data.load_data()
    (tmp_path / "datasets").mkdir()
    digits = {"x_train": np.zeros((2, 28, 28), "uint8"), "y_train": np.arange(2), "x_test": np.ones((1, 28, 28)), "y_test": [1]}
    np.savez(tmp_path / "datasets" / "mnist.npz", **digits)
    (x_train, _), (_, y_test) = K.datasets.mnist.load_data()
    assert (x_train.shape, y_test.tolist()) == ((2, 28, 28), [1])
    (tmp_path / "datasets" / "mnist.npz").write_bytes(b"PK")
    with pytest.raises(tf.errors.DataLossError, match="damaged"):
        K.datasets.mnist.load_data()


def test_files_of_newer_keras_are_told(tmp_path):
    h5py = pytest.importorskip("h5py")
    with zipfile.ZipFile(tmp_path / "m.keras", "w") as archive:
        archive.writestr("config.json", "{}")
    for read in (K.models.load_model, small().load_weights):
        with pytest.raises(tf.errors.DataLossError, match=r"m\.keras is no HDF5 file: it is a model in the format of Keras 3"):
            read(tmp_path / "m.keras")
    model = small()
    model.save(tmp_path / "m.h5")
    with h5py.File(tmp_path / "m.h5", "r+") as file:
        file.attrs["keras_version"] = "3.3.3"
    with pytest.raises(NotImplementedError, match=r"saved by Keras 3\.3\.3"):
        K.models.load_model(tmp_path / "m.h5")
    other = small()
    other.load_weights(tmp_path / "m.h5")
    assert np.array_equal(other.predict(X), model.predict(X))
    with h5py.File(tmp_path / "m.h5", "r+") as file:
        file.attrs["keras_version"] = "2.2.4-tf"
        del file["model_weights"]
    with pytest.raises(tf.errors.DataLossError, match="no weights"):
        K.models.load_model(tmp_path / "m.h5")


@pytest.mark.parametrize(
    ("call", "own", "old"),
    [
        (lambda folder: K.models.load_model(folder / "none.h5"), tf.errors.NotFoundError, OSError),
        (lambda folder: small().load_weights(folder / "none.h5"), tf.errors.NotFoundError, FileNotFoundError),
        (lambda folder: K.models.load_model(folder / "text.h5"), tf.errors.DataLossError, OSError),
        (lambda folder: small().load_weights(folder / "text.h5"), tf.errors.DataLossError, OSError),
        (lambda folder: K.models.load_model(folder / "weights.h5"), tf.errors.DataLossError, ValueError),
    ],
)  # fmt: skip
def test_the_errors_of_files_are_those_that_programs_of_1_15_catch(call, own, old, tmp_path):
    (tmp_path / "text.h5").write_text("text")
    small().save_weights(tmp_path / "weights.h5")
    with pytest.raises(own) as raised:
        call(tmp_path)
    assert isinstance(raised.value, old)
    assert ".h5" in str(raised.value)
