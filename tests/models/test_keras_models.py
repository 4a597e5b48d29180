"""Laws of tf.keras' models that no oracle answers: a failure leaves the graph and the model as they were, and the like."""

import subprocess
import sys

import numpy as np
import pytest

import tfedu as tf

K, L = tf.keras, tf.keras.layers
X = np.linspace(-1, 1, 24).reshape(8, 3).astype("float32")
Y = np.linspace(0, 1, 16).reshape(8, 2).astype("float32")


def nodes():
    return [op.name for op in tf.get_default_graph().get_operations()]


@pytest.mark.parametrize(
    "fails",
    [
        lambda m: m.compile("sgd", "no_such_loss"),
        lambda m: m.compile("sgd", "mse", metrics=["no_such_metric"]),
        lambda m: m.compile("sgd", None),
        lambda m: m.add(L.Dense(2, activation="relu", kernel_initializer="no_such")),
        lambda m: m.add(L.Conv2D(2, 2)),
        lambda m: L.Dense(2)(tf.get_default_graph().get_tensor_by_name("loss/mul/x:0")),
    ],
)
def test_a_failed_call_leaves_the_graph_as_it_was(fails):
    model = K.Sequential([L.Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    before = nodes()
    with pytest.raises(ValueError):
        fails(model)
    assert nodes() == before
    model.compile("sgd", "mse")
    model.fit(X, Y, verbose=0)


def test_an_error_names_the_users_line():
    with pytest.raises(ValueError, match=r"where: .*test_keras_models\.py"):
        K.Sequential([L.Dense(2, input_shape=(3,))]).compile("sgd", "no_such_loss")


def test_a_custom_loss_metric_and_optimizer_train():
    def loss(y_true, y_pred):
        return tf.reduce_mean(tf.abs(y_true - y_pred), -1)

    class Share(K.metrics.Metric):
        def __init__(self, name="share"):
            super().__init__(name)
            self.seen = self.add_weight("seen", initializer="zeros")

        def update_state(self, y_true, y_pred, sample_weight=None):
            return self.seen.assign_add(tf.cast(tf.shape(y_true)[0], tf.float32))

        def result(self):
            return self.seen / 2

    class Halving(K.optimizers.Optimizer):
        def __init__(self):
            super().__init__("Halving")

        def _create_slots(self, var_list):
            pass

        def _resource_apply_dense(self, grad, var):
            return var.assign(var / 2)

        def get_config(self):
            return {"name": self._name}

    model = K.Sequential([L.Dense(2, input_shape=(3,))])
    model.compile(Halving(), loss, metrics=[Share()])
    before = model.get_weights()
    history = model.fit(X, Y, batch_size=4, verbose=0)
    assert history.history["share"] == [4]
    assert np.allclose(model.get_weights()[0], before[0] / 4)


def test_the_learning_phase_that_the_program_sets_counts():
    K.backend.set_learning_phase(1)
    model = K.Sequential([L.Dropout(0.5, input_shape=(3,))])
    assert (model.predict(np.ones((50, 3))) == 0).any()
    assert "keras_learning_phase" not in nodes()


def test_dropout_acts_in_training_alone():
    model = K.Sequential([L.Dropout(0.5, input_shape=(3,))])
    assert np.array_equal(model.predict(X), X)
    phase = K.backend.learning_phase()
    function = K.backend.function([model.input, phase], [model.output])
    assert (function([np.ones((50, 3)), True])[0] == 0).any()
    assert np.array_equal(function([X, False])[0], X)


def test_batch_statistics_follow_in_training_alone():
    model = K.Sequential([L.BatchNormalization(input_shape=(3,))])
    model.compile("sgd", "mse")
    moving = model.layers[0].moving_mean
    model.evaluate(X, X, verbose=0)
    assert np.array_equal(K.backend.get_value(moving), [0, 0, 0])
    model.fit(X + 1, X, verbose=0)
    assert (K.backend.get_value(moving) > 0).all()


def test_a_model_trains_in_the_programs_own_session():
    with tf.Session() as session:
        model = K.Sequential([L.Dense(2, input_shape=(3,))])
        model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
        first = model.fit(X, Y, epochs=3, verbose=0).history["loss"]
        assert first[2] < first[0]
        assert np.array_equal(session.run(model.weights[0]), model.get_weights()[0])


def test_a_keras_layer_is_part_of_a_program_without_a_model():
    x = tf.placeholder(tf.float32, [None, 3])
    loss = tf.losses.mean_squared_error(Y, L.Dense(2, name="d")(x))
    step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(loss, {x: X})
        session.run(step, {x: X})
        assert session.run(loss, {x: X}) < before
    assert [v.name for v in tf.trainable_variables()] == ["d/kernel:0", "d/bias:0"]


def test_layers_in_attributes_lists_and_dicts_belong_to_a_layer():
    class Holder(L.Layer):
        def __init__(self):
            super().__init__()
            self.one, self.several, self.named = L.Dense(1), [L.Dense(2), L.Dense(3)], {"k": L.Dense(4)}
            self.own = tf.Variable([1.0, 2.0], use_resource=True)

        def call(self, inputs):
            layers = [self.one, *self.several, self.named["k"]]
            return tf.concat([layer(inputs) for layer in layers], 1)

    layer = Holder()
    layer(tf.zeros([2, 3]))
    assert [w.shape.as_list() for w in layer.trainable_weights] == [[2], [3, 1], [1], [3, 2], [2], [3, 3], [3], [3, 4], [4]]
    layer.trainable = False
    assert layer.trainable_weights == []
    assert not layer.several[1].trainable


def test_keras_is_loaded_when_it_is_used():
    code = "import sys, tfedu; assert not [m for m in sys.modules if 'keras' in m], 1; tfedu.keras.Input; import tfedu.keras"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_deep_model_is_built_without_recursion():
    x = y = K.Input((2,))
    for _ in range(1500):
        y = L.Activation("linear")(y)
    assert len(K.Model(x, y).layers) == 1501


def test_early_stopping_gives_back_the_best_weights():
    model = K.Sequential([L.Dense(2, input_shape=(3,))])
    model.compile(K.optimizers.SGD(5.0), "mse")  # diverges
    stop = K.callbacks.EarlyStopping(monitor="loss", patience=2, restore_best_weights=True)
    history = model.fit(X * 3, Y, epochs=20, verbose=0, callbacks=[stop], shuffle=False)
    assert len(history.history["loss"]) < 20
    assert np.isfinite(model.get_weights()[0]).all()


def test_training_stops_at_a_loss_that_is_no_number():
    model = K.Sequential([L.Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    model.set_weights([np.full((3, 2), np.nan), np.zeros(2)])
    history = model.fit(X, Y, epochs=3, verbose=0, callbacks=[K.callbacks.TerminateOnNaN()])
    assert len(history.history["loss"]) == 1


def test_the_functions_of_a_model_say_what_a_step_feeds_and_changes():
    model = K.Sequential([L.Dense(2, input_shape=(3,), kernel_initializer="ones"), L.Dropout(0.5)])
    model.compile("sgd", "mse")
    assert model.train_function is model.test_function is model.predict_function is None
    x, y = np.ones((4, 3), "float32"), np.zeros((4, 2), "float32")
    model.fit(x, y, verbose=0)
    model.predict(x)
    assert model.test_function is None
    assert model.predict_function.inputs[0] is model.inputs[0]
    step = model.train_function
    before = model.get_weights()[0]
    K.backend.get_session().run(step.updates_op, dict(zip(step.inputs, [x, y, True])))
    assert not np.array_equal(model.get_weights()[0], before)


def test_a_model_with_functions_is_cloned_in_its_own_process():
    x = K.Input((3,))
    model = K.Model(x, L.Dense(1)(L.Lambda(lambda a, by: a * by, arguments={"by": 2}, name="twice")(x)))
    for original in (model, K.Sequential([L.Lambda(lambda a: a * 2, input_shape=(3,)), L.Dense(1)])):
        copy = K.models.clone_model(original)
        copy.set_weights(original.get_weights())
        data = np.ones((2, 3), "float32")
        assert [layer.name for layer in copy.layers] == [layer.name for layer in original.layers]
        np.testing.assert_array_equal(copy.predict(data), original.predict(data))


def test_callbacks_get_the_model_first_and_then_the_parameters():
    told = []

    class Noted(K.callbacks.Callback):
        def set_model(self, model):
            told.append("model")

        def set_params(self, params):
            told.append("params")

    model = K.Sequential([L.Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    model.fit(X, Y, callbacks=[Noted(), Noted()], verbose=0)
    assert told == ["model", "model", "params", "params"]


def test_impossible_sizes_of_weights_are_told_as_such():
    with pytest.raises(ValueError, match=r"^Dimension -2 must be >= 0"):
        L.Dense(-2)(K.Input((3,)))
