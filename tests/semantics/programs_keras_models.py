"""The models of tf.keras: training with given weights, metrics, callbacks' logs, summaries, configurations, graphs, errors."""

import contextlib
import io

import numpy as np
from harness import attempt, program
from programs_keras_layers import filled, numbers, plain


def printed(f):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        f()
    return out.getvalue().splitlines()


def history(found):
    return {name: np.float32(values) for name, values in found.history.items()}


def graph_names(tf):
    """Each node's name and type, but for those of initializers and gradients, which TF names anew in each release."""
    left_out = ("Initializer", "gradients/", "IsInitialized", "VarIsInitializedOp", "learning_phase")
    return [
        [op.name, op.type] for op in tf.get_default_graph().get_operations()
        if not any(word in op.name for word in left_out) and not op.name.startswith("init")
    ]  # fmt: skip


def data(np, n=8, k=3, classes=2):
    x = numbers(np, n, k)
    return x, np.arange(n) % classes, np.eye(classes, dtype="float32")[np.arange(n) % classes]


def small(tf, np, *layers):
    model = tf.keras.Sequential(list(layers))
    filled(np, model)
    return model


@program
def sequential(tf, np):
    L = tf.keras.layers
    x, y, _hot = data(np)
    model = small(tf, np, L.Dense(4, activation="relu", input_shape=(3,)), L.Dense(2, activation="softmax"))
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["accuracy"])
    found = [history(model.fit(x, y, epochs=3, batch_size=4, shuffle=False, verbose=0))]
    found += [np.float32(model.evaluate(x, y, verbose=0)), model.predict(x), model.get_weights(), model.metrics_names]
    found += [model.train_on_batch(x, y), model.test_on_batch(x, y), model.predict_on_batch(x)]
    return [found, model.predict_classes(x), graph_names(tf)]


@program
def optimizers(tf, np):
    found = []
    for name in ("sgd", "rmsprop", "adagrad", "adadelta", "adam", "adamax", "nadam", "ftrl"):
        with tf.Graph().as_default():
            x, _y, hot = data(np)
            model = small(tf, np, tf.keras.layers.Dense(2, input_shape=(3,)))
            model.compile(name, "mse")
            found.append([history(model.fit(x, hot, epochs=3, batch_size=4, shuffle=False, verbose=0)), model.get_weights()])
    return found


@program
def settings_of_optimizers(tf, np):
    O = tf.keras.optimizers
    found = []
    for make in (
        lambda: O.SGD(0.1, momentum=0.9, nesterov=True), lambda: O.SGD(0.1, decay=0.5), lambda: O.SGD(0.1, clipnorm=0.1),
        lambda: O.SGD(0.1, clipvalue=0.01), lambda: O.RMSprop(0.01, momentum=0.5, centered=True), lambda: O.Adam(amsgrad=True),
        lambda: O.SGD(O.schedules.ExponentialDecay(0.1, 2, 0.5)), lambda: tf.train.AdamOptimizer(0.01),
    ):  # fmt: skip
        with tf.Graph().as_default():
            x, _y, hot = data(np)
            model = small(tf, np, tf.keras.layers.Dense(2, input_shape=(3,)))
            model.compile(make(), "mse")
            found.append([history(model.fit(x, hot, epochs=3, batch_size=4, shuffle=False, verbose=0)), model.get_weights()])
    return found


@program
def losses(tf, np):
    found = []
    for name in (
        "mse", "mae", "mape", "msle", "hinge", "squared_hinge", "categorical_hinge", "logcosh", "kld", "poisson",
        "cosine_proximity", "categorical_crossentropy", "binary_crossentropy",
    ):  # fmt: skip
        with tf.Graph().as_default():
            x, _y, hot = data(np)
            model = small(tf, np, tf.keras.layers.Dense(2, activation="sigmoid", input_shape=(3,)))
            model.compile("sgd", name)
            found.append([name, history(model.fit(x, hot, epochs=2, batch_size=4, shuffle=False, verbose=0))])
    return found


@program
def functional(tf, np):
    K, L = tf.keras, tf.keras.layers
    a, b = K.Input((3,), name="a"), K.Input((2,), name="b")
    hidden = L.Dense(2, kernel_regularizer="l2", name="hidden")(a)
    both = L.Concatenate(name="both")([hidden, b])
    out = L.Dense(1, activation="sigmoid", name="out")(both)
    model = K.Model([a, b], [out, hidden])
    filled(np, model)
    model.compile(
        "adam", {"out": "binary_crossentropy", "hidden": "mse"}, metrics={"out": ["accuracy", "mae"]},
        loss_weights={"out": 1.0, "hidden": 0.5},
    )  # fmt: skip
    x, y, hot = data(np)
    inputs, targets = {"a": x, "b": hot}, {"out": y, "hidden": hot}
    found = history(model.fit(inputs, targets, epochs=2, batch_size=4, shuffle=False, verbose=0, validation_split=0.25))
    told = [[layer.name for layer in model.layers], model.input_names, model.output_names, model.input_shape, model.output_shape]
    return [found, np.float32(model.evaluate(inputs, targets, verbose=0)), plain(told), plain(model.get_config()), graph_names(tf)]


@program
def weights_of_samples(tf, np):
    x, y, _hot = data(np)
    model = small(tf, np, tf.keras.layers.Dense(2, activation="softmax", input_shape=(3,)))
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["acc"], weighted_metrics=["acc"])
    options = {"epochs": 2, "batch_size": 4, "shuffle": False, "verbose": 0}
    return [
        history(model.fit(x, y, sample_weight=np.arange(1.0, 9.0), **options)),
        history(model.fit(x, y, class_weight={0: 1.0, 1: 3.0}, **options)),
        np.float32(model.evaluate(x, y, sample_weight=np.arange(1.0, 9.0), verbose=0)),
    ]


@program
def subclassed(tf, np):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__(name="net")
            self.first = tf.keras.layers.Dense(4, activation="relu", kernel_initializer="ones")
            self.rest = [tf.keras.layers.Dense(2, kernel_initializer="ones")]

        def call(self, x, training=None):
            return self.rest[0](self.first(x))

    x, _y, hot = data(np)
    model = Net()
    model.compile("sgd", "mse")
    found = history(model.fit(x, hot, epochs=2, batch_size=4, shuffle=False, verbose=0))
    return [found, [w.name for w in model.weights], model.predict(x), [layer.name for layer in model.layers]]


@program
def custom_layers(tf, np):
    class Scaled(tf.keras.layers.Layer):
        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            self.units = units
            self.inner = tf.keras.layers.Dense(units, kernel_initializer="ones")

        def build(self, input_shape):
            self.scale = self.add_weight("scale", shape=[self.units], initializer="ones", trainable=True)
            super().build(input_shape)

        def call(self, inputs, training=None):
            self.add_loss(tf.reduce_sum(self.scale) * 0.1)
            return self.inner(inputs) * self.scale

    x, _y, hot = data(np)
    model = tf.keras.Sequential()
    model.add(Scaled(2, input_shape=(3,)))
    model.compile("sgd", "mse")
    found = history(model.fit(x, hot, epochs=2, batch_size=4, shuffle=False, verbose=0))
    return [found, [w.name for w in model.weights], model.count_params(), len(model.losses), [w.name for w in model.trainable_weights]]


@program
def frozen(tf, np):
    L = tf.keras.layers
    x, _y, hot = data(np)
    model = small(tf, np, L.Dense(4, input_shape=(3,), trainable=False), L.BatchNormalization(), L.Dense(2))
    model.compile("sgd", "mse")
    before = model.get_weights()
    found = history(model.fit(x, hot, epochs=2, batch_size=4, shuffle=False, verbose=0))
    same = [bool(np.array_equal(a, b)) for a, b in zip(before, model.get_weights())]
    return [found, same, len(model.trainable_weights), len(model.non_trainable_weights), model.get_weights()]


@program
def summaries(tf, np):
    K, L = tf.keras, tf.keras.layers
    model = K.Sequential([L.Conv2D(4, 3, input_shape=(8, 8, 1)), L.Flatten(), L.Dense(2, trainable=False)], name="convolutions")
    a, b = K.Input((3,), name="a"), K.Input((4,), name="b")
    other = K.Model([a, b], L.add([L.Dense(2)(a), L.Dense(2)(b)]), name="two")
    return [printed(model.summary), printed(other.summary), printed(lambda: other.summary(line_length=70))]


@program
def callbacks(tf, np):
    C = tf.keras.callbacks
    x, _y, hot = data(np)
    seen = []

    class Seen(C.Callback):
        def on_epoch_begin(self, epoch, logs=None):
            seen.append(["begin", epoch])

        def on_batch_end(self, batch, logs=None):
            seen.append(["batch", batch, sorted(logs), int(logs["size"])])

        def on_epoch_end(self, epoch, logs=None):
            seen.append(["end", epoch, sorted(logs)])

        def on_train_end(self, logs=None):
            seen.append(["trained", sorted(self.params)])

    model = small(tf, np, tf.keras.layers.Dense(2, input_shape=(3,)))
    model.compile(tf.keras.optimizers.SGD(0.5), "mse", metrics=["mae"])
    options = {"batch_size": 4, "shuffle": False, "verbose": 0, "validation_data": (x, hot)}
    rates = []
    found = [
        history(model.fit(x, hot, epochs=2, callbacks=[Seen()], **options)),
        history(model.fit(x, hot, epochs=3, callbacks=[C.LearningRateScheduler(lambda epoch: 0.1 / (epoch + 1))], **options)),
        history(model.fit(x, hot, epochs=8, callbacks=[C.EarlyStopping(patience=1, min_delta=0.01)], **options)),
        history(model.fit(x, hot, epochs=5, callbacks=[C.ReduceLROnPlateau(patience=1, min_delta=0.1)], **options)),
    ]
    model.fit(x, hot, epochs=2, callbacks=[C.LambdaCallback(on_epoch_end=lambda e, logs: rates.append(sorted(logs)))], **options)
    return [found, seen, rates]


@program
def generators(tf, np):
    x, _y, hot = data(np)

    def batches():
        while True:
            for at in (0, 4):
                yield x[at : at + 4], hot[at : at + 4]

    model = small(tf, np, tf.keras.layers.Dense(2, input_shape=(3,)))
    model.compile("sgd", "mse", metrics=["mae"])
    found = [history(model.fit_generator(batches(), steps_per_epoch=2, epochs=2, verbose=0))]
    found.append(np.float32(model.evaluate_generator(batches(), steps=2)))
    found.append(model.predict_generator(batches(), steps=2))
    dataset = tf.data.Dataset.from_tensor_slices((x, hot)).batch(4).repeat()
    found.append(history(model.fit(dataset, steps_per_epoch=2, epochs=2, verbose=0)))
    found.append(np.float32(model.evaluate(dataset, steps=2, verbose=0)))
    return found


@program
def lines(tf, np):
    x, _y, hot = data(np)
    model = small(tf, np, tf.keras.layers.Dense(2, input_shape=(3,)))
    model.compile("sgd", "mse", metrics=["mae"])
    found = printed(lambda: model.fit(x, hot, epochs=2, verbose=2, shuffle=False, validation_split=0.5))
    return [line.replace("1s", "0s") for line in found]


@program
def bad_models(tf, np):
    K, L = tf.keras, tf.keras.layers
    x, y, hot = data(np)

    def made(loss="mse", **options):
        model = K.Sequential([L.Dense(2, input_shape=(3,), name="d")])
        model.compile("sgd", loss, **options)
        return model

    a, b = K.Input((3,), name="a"), K.Input((3,), name="b")
    return [
        attempt(lambda: K.Model(a, L.add([a, b]))),
        attempt(lambda: K.Model([a, a], L.Dense(1)(a))),
        attempt(lambda: K.Model(tf.zeros([2, 3]), L.Dense(1)(a))),
        attempt(lambda: K.Model(a, L.Dense(1, name="a")(a))),
        attempt(lambda: K.Sequential([3])),
        attempt(lambda: K.Sequential([L.Dense(2)]).summary()),
        attempt(lambda: K.Sequential().pop()),
        attempt(lambda: K.Sequential([L.Dense(2, input_shape=(3,))]).fit(x, hot)),
        attempt(lambda: made("foo")),
        attempt(lambda: made(None)),
        attempt(lambda: made(metrics=["foo"])),
        attempt(lambda: made(metrics="mae")),
        attempt(lambda: made(["mse", "mse"])),
        attempt(lambda: made({"q": "mse"})),
        attempt(lambda: made(loss_weights={"q": 1})),
        attempt(lambda: made().fit(x[:, :2], hot)),
        attempt(lambda: made().fit(x[:, :, None], hot)),
        attempt(lambda: made().fit(x, hot[:5])),
        attempt(lambda: made().fit(x, hot[:, :1])),
        attempt(lambda: made("categorical_crossentropy").fit(x, y)),
        attempt(lambda: made().fit({"foo": x}, hot)),
        attempt(lambda: made().fit(x, hot, foo=1)),
        attempt(lambda: made().fit(x, hot, sample_weight=np.ones(5))),
        attempt(lambda: made().get_layer("foo")),
        attempt(lambda: made().get_layer(index=9)),
        attempt(lambda: made().set_weights([1])),
        attempt(lambda: K.optimizers.get("foo")),
        attempt(lambda: K.optimizers.SGD(foo=1)),
        attempt(lambda: K.optimizers.SGD(momentum=2)),
    ]
