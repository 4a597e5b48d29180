"""`tf.keras.wrappers.scikit_learn`: Keras models with the methods that scikit-learn calls. The numbers are TF 1.15's."""

import pathlib
import subprocess
import sys
import types

import numpy as np
import pytest

import tfedu as tf

L = tf.keras.layers
KerasClassifier, KerasRegressor = tf.keras.wrappers.scikit_learn.KerasClassifier, tf.keras.wrappers.scikit_learn.KerasRegressor


@pytest.fixture
def data():
    """40 samples of four numbers, and the label of each."""
    np.random.seed(3)
    x = np.random.RandomState(0).randn(40, 4).astype("float32")
    return x, np.where(x[:, 0] + x[:, 1] > 0, "b", "a")


def build(units=3, loss="binary_crossentropy", out=1):
    model = tf.keras.Sequential(
        [
            L.Dense(units, input_shape=(4,), kernel_initializer="ones"),
            L.Dense(out, "sigmoid" if out == 1 else "softmax", kernel_initializer=tf.keras.initializers.Constant(0.1)),
        ]
    )
    model.compile("sgd", loss, metrics=["accuracy"])
    return model


def line():
    model = tf.keras.Sequential([L.Dense(1, input_shape=(4,), kernel_initializer="ones")])
    model.compile("sgd", "mse")
    return model


def test_a_classifier_learns_labels_of_any_values(data):
    x, y = data
    classifier = KerasClassifier(build, units=5, epochs=3, batch_size=10, verbose=0)
    history = classifier.fit(x, y)
    assert np.allclose(history.history["loss"], [0.45269715, 0.44128872, 0.43213552], atol=1e-6)
    assert (classifier.classes_.tolist(), classifier.n_classes_) == (["a", "b"], 2)
    assert classifier.predict(x[:5]).tolist() == [["b"]] * 5
    wanted = [[0.03190041, 0.96809959], [0.25492567, 0.74507433], [0.23054272, 0.76945728]]
    assert np.allclose(classifier.predict_proba(x[:3]), wanted, atol=1e-6)
    assert classifier.score(x, y) == pytest.approx(0.825)


def test_a_categorical_loss_takes_labels_and_one_hot_rows(data):
    x, _ = data
    y = np.random.RandomState(1).randint(0, 3, 40) * 10
    classifier = KerasClassifier(build, loss="categorical_crossentropy", out=3, verbose=0)
    classifier.fit(x, y, epochs=2)
    assert set(classifier.predict(x)) <= {0, 10, 20}
    assert classifier.score(x, y) == pytest.approx(np.mean(classifier.predict(x) == y))
    assert classifier.predict_proba(x[:2]).shape == (2, 3)
    classifier.fit(x, np.eye(3)[y // 10])
    assert classifier.classes_.tolist() == [0, 1, 2]


def test_a_loss_object_takes_labels_in_fit(data):
    classifier = KerasClassifier(build, loss=tf.keras.losses.CategoricalCrossentropy(), out=3, verbose=0)
    classifier.fit(data[0], np.arange(40) % 3)
    assert classifier.n_classes_ == 3


def test_a_regressor_gives_numbers_and_the_negative_loss(data):
    x, _ = data
    y = x.sum(1) + 0.5
    regressor = KerasRegressor(line, epochs=4, verbose=0)
    regressor.fit(x, y)
    assert regressor.predict(x).shape == (40,)
    assert regressor.predict(x[:1]).shape == ()
    assert regressor.score(x, y) == pytest.approx(-np.mean((regressor.predict(x) - y) ** 2), rel=1e-5)


class Builder:
    def __call__(self, units=2):
        return build(units)


class Own(KerasClassifier):
    def __call__(self, units=2):
        return build(units)


@pytest.mark.parametrize("classifier", [KerasClassifier(Builder(), units=4), Own(units=4)])
def test_an_object_or_a_subclass_builds_the_model(classifier, data):
    classifier.fit(*data, verbose=0)
    assert classifier.model.layers[0].units == 4


def test_parameters_are_those_of_the_builder_and_the_models_methods():
    classifier = KerasClassifier(build, units=5, epochs=3, nb_epoch=2)
    assert classifier.get_params() == {"build_fn": build, "units": 5, "epochs": 3, "nb_epoch": 2}
    assert classifier.set_params(units=7) is classifier
    assert classifier.filter_sk_params(build, {"out": 3}) == {"units": 7, "out": 3}


@pytest.mark.parametrize(
    ("fails", "kind", "told"),
    [
        (lambda: KerasClassifier(build, nope=1), ValueError, "nope is not a legal parameter"),
        (lambda: KerasClassifier(build, kwargs=1), ValueError, "kwargs is not a legal parameter"),
        (lambda: KerasClassifier(build).set_params(nope=1), ValueError, "nope is not a legal parameter"),
        (lambda: KerasClassifier(), AttributeError, "'KerasClassifier' object has no attribute '__call__'"),
        (lambda: KerasClassifier(build).fit(0, np.zeros((2, 2, 2))), ValueError, "Invalid shape for y: (2, 2, 2)"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_as_in_1_15(fails, kind, told):
    with pytest.raises(kind) as raised:
        fails()
    assert str(raised.value).startswith(told)


def test_a_score_needs_the_metric(data):
    x, _ = data
    classifier = KerasClassifier(line, verbose=0)
    classifier.fit(x, np.arange(40) % 2)
    with pytest.raises(ValueError, match="The model is not configured to compute accuracy"):
        classifier.score(x, np.arange(40) % 2)


def test_scikit_learn_is_asked_for_its_tags_alone(monkeypatch):
    """Versions since 1.6 ask for tags. To all versions an estimator is neither a classifier nor a regressor, as in 1.15."""
    utils = types.ModuleType("sklearn.utils")
    utils.Tags = utils.TargetTags = lambda **tags: tags
    monkeypatch.setitem(sys.modules, "sklearn", types.ModuleType("sklearn"))
    monkeypatch.setitem(sys.modules, "sklearn.utils", utils)
    assert KerasRegressor(line).__sklearn_tags__() == {"estimator_type": None, "target_tags": {"required": True}}


def test_the_names_of_programs_lead_here():
    program = (
        "import sys, tfedu; tfedu.install_as_tensorflow()\n"
        "from tensorflow.keras.wrappers.scikit_learn import KerasClassifier as a\n"
        "from tensorflow.python.keras.wrappers.scikit_learn import KerasClassifier as b\n"
        "import tensorflow as tf\n"
        "print(a is b is tf.contrib.keras.wrappers.scikit_learn.KerasClassifier, 'sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=pathlib.Path(__file__).parents[2], capture_output=True, text=True)
    assert done.stdout == "True False\n", done.stderr
