"""Models of Keras 3, made by keras on its NumPy backend."""

import os

import numpy as np
import pytest
from drawn import inputs, node, record_of

import tfedu as tf

os.environ.setdefault("KERAS_BACKEND", "numpy")
keras = pytest.importorskip("keras")
layers = keras.layers


def functional():
    x = keras.Input((4,), name="x")
    shared = keras.Sequential(
        [keras.Input((3,)), layers.Dense(2, name="first"), layers.ReLU(name="relu")], name="shared"
    )
    hidden = layers.Dense(3, name="hidden")(x)
    outputs = layers.Add(name="sum")([shared(hidden), shared(hidden)])
    return keras.Model(x, keras.ops.sin(outputs) * 2, name="model")


class Own(keras.Model):
    def __init__(self):
        super().__init__(name="own")
        self.first = layers.Dense(2, name="first")
        self.second = layers.Dense(1, name="second")

    def call(self, x):
        return self.second(self.first(x))


def test_calls_weights_and_models_inside():
    record = record_of(functional())
    found = inputs(record)
    assert found["hidden"] == ["x", "hidden/kernel", "hidden/bias"]
    assert found["shared/first"] == ["hidden", "shared/first/kernel", "shared/first/bias"]
    assert found["shared_1/first"] == ["hidden", "shared/first/kernel", "shared/first/bias"]
    assert found["sum"] == ["shared/relu", "shared_1/relu"]
    assert found["output_0"] == ["multiply"]
    assert node(record, "x").role == "placeholder"
    assert node(record, "hidden").outputs[0].text == "float32 (?, 3)"
    assert dict(node(record, "shared_1/first").attrs) == {"call": "2"}
    assert [variable.name for variable in record.variables][:2] == ["hidden/kernel", "hidden/bias"]
    assert {layer.scope: layer.parameters for layer in record.layers} == {"hidden": 15, "shared/first": 8}


def test_a_sequential_model_with_and_without_its_inputs():
    model = keras.Sequential([layers.Dense(2, name="a"), layers.BatchNormalization(name="b")])
    unbuilt = record_of(model)
    assert inputs(unbuilt) == {"a": [], "b": []}
    model.build((None, 4))
    built = record_of(model)
    assert inputs(built)["b"][0] == "a"
    assert [name for name in inputs(built) if dict(node(built, name).attrs).get("trainable") == "False"] == [
        "b/moving_mean",
        "b/moving_variance",
    ]


def test_a_subclass_has_layers_without_edges():
    model = Own()
    model(np.zeros((1, 3), np.float32))
    picture = tf.show(model)
    assert inputs(picture.record)["second"] == ["second/kernel", "second/bias"]
    x = keras.Input((3,))
    assert inputs(record_of(keras.Model(x, model.call(x))))["second"][0] == "first"


def test_names_are_text():
    x = keras.Input((1,), name="<script>alert(1)")
    assert "<script>" not in tf.show(keras.Model(x, layers.ReLU()(x))).svg
