"""Losses and figures that a model of tf.keras is told: the layers that they become, summaries, configurations, training."""

import json

from harness import attempt, program
from programs_keras_layers import filled, numbers
from programs_keras_models import graph_names, history, printed


def model_of(tf, np, tell):
    x = tf.keras.Input((3,), name="x")
    hidden = tf.keras.layers.Dense(2, activation="tanh", name="hidden")(x)
    model = tf.keras.Model(x, tf.keras.layers.Dense(1, name="out")(hidden), name="told")
    tell(model, x, hidden)
    filled(np, model)
    return model


def names(model):
    return [[layer.name, type(layer).__name__] for layer in model.layers]


def ends(config):
    """The configurations of the layers that were added, as text: protobuf writes a map in any order."""
    return json.dumps(config["layers"][3:], sort_keys=True, default=lambda value: value.tolist())


@program
def layers_of_losses(tf, np):
    def reconstruction(model, x, hidden):
        error = tf.keras.losses.mse(x, tf.tile(model.output, [1, 3])) * 3
        penalty = tf.keras.backend.sum(1 + hidden - tf.square(hidden), axis=-1) * -0.5
        model.add_loss(tf.keras.backend.mean(error + penalty))

    model = model_of(tf, np, reconstruction)
    found = [printed(model.summary), names(model), [t.name for t in model.losses]]
    found += [[t.name for t in model.get_losses_for(which)] for which in (None, model.inputs)]
    model.compile("sgd")
    x = numbers(np, 8, 3)
    found.append(history(model.fit(x, epochs=2, batch_size=4, shuffle=False, verbose=0)))
    return [found, np.float32(model.evaluate(x, verbose=0)), model.get_weights()]


@program
def losses_of_no_input(tf, np):
    found = []
    for tell in (
        lambda model, x, hidden: model.add_loss(tf.constant(2.0)),
        lambda model, x, hidden: model.add_loss(3.0),
        lambda model, x, hidden: model.add_loss([tf.reduce_mean(hidden), tf.reduce_sum(hidden)]),
        lambda model, x, hidden: model.add_loss(tf.reduce_mean(hidden * 2.0), inputs=True),
    ):
        with tf.Graph().as_default():
            model = model_of(tf, np, tell)
            sizes = [len(model.get_losses_for(which)) for which in (None, model.inputs)]
            found.append([names(model), len(model.losses), sizes])
    return found


@program
def figures(tf, np):
    def both(model, x, hidden):
        model.add_loss(tf.reduce_mean(tf.square(hidden)))
        model.add_metric(tf.reduce_sum(hidden, axis=1), aggregation="mean", name="sum")

    model = model_of(tf, np, both)
    model.compile("sgd", "mse", metrics=["mae"])
    x, y = numbers(np, 8, 3), numbers(np, 8, 1)
    found = [printed(model.summary), model.metrics_names]
    found.append(history(model.fit(x, y, epochs=2, batch_size=4, shuffle=False, verbose=0)))
    found.append(np.float32(model.evaluate(x, y, verbose=0)))
    metric = tf.keras.metrics.Mean(name="mean")
    return [
        found,
        attempt(lambda: model.add_metric(metric(model.output))),
        attempt(lambda: model.add_metric(model.output)),
        attempt(lambda: model.add_metric(model.output, aggregation="sum", name="a")),
        ends(model.get_config()),
    ]


@program
def figures_of_layers(tf, np):
    class Told(tf.keras.layers.Layer):
        def __init__(self, **kwargs):
            super(Told, self).__init__(**kwargs)  # noqa: UP008  (1.15 runs Python 3.7)
            self.largest = tf.keras.metrics.Mean(name="largest")

        def call(self, inputs):
            self.add_metric(tf.reduce_sum(inputs), aggregation="mean", name="sum")
            self.add_metric(self.largest(tf.reduce_max(inputs)))
            self.add_loss(tf.reduce_sum(inputs) * 0.1)
            return inputs * 2.0

    x = tf.keras.Input((3,), name="x")
    model = tf.keras.Model(x, Told(name="told")(x))
    model.compile("sgd", "mse")
    values = numbers(np, 8, 3)
    found = history(model.fit(values, values, epochs=2, batch_size=4, shuffle=False, verbose=0))
    return [found, model.metrics_names, names(model), [t.name for t in model.losses]]


@program
def a_model_inside_another(tf, np):
    inner = model_of(tf, np, lambda model, x, hidden: model.add_loss(tf.reduce_mean(hidden * 2.0)))
    x = tf.keras.Input((3,), name="z")
    outer = tf.keras.Model(x, tf.keras.layers.Dense(1, name="e")(inner(x)))
    filled(np, outer)
    outer.compile("sgd", "mse")
    values, targets = numbers(np, 8, 3), numbers(np, 8, 1)
    found = history(outer.fit(values, targets, batch_size=4, shuffle=False, verbose=0))
    return [found, names(outer), [[t.name for t in model.losses] for model in (outer, inner)], graph_names(tf)[:12]]


@program
def copies(tf, np):
    model = model_of(tf, np, lambda model, x, hidden: model.add_loss(tf.reduce_mean(hidden)))
    config = model.get_config()
    copy, clone = tf.keras.Model.from_config(config), tf.keras.models.clone_model(model)
    chain = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,), name="q")])
    chain.add_loss(tf.reduce_sum(chain.outputs[0]))
    found = [ends(config), names(copy), len(copy.losses), names(clone), len(clone.losses), names(chain), len(chain.losses)]
    chain.add(tf.keras.layers.Dense(1, name="after"))
    return [found, names(chain), len(chain.losses)]


@program
def names_of_ops_in_scopes(tf, np):
    def scoped(model, x, hidden):
        with tf.name_scope("a"):
            first = hidden * 2.0
        with tf.name_scope("b/c"):
            second = first * 2.0
        model.add_loss(tf.reduce_mean(second * 3.0))

    return names(model_of(tf, np, scoped))


@program
def draws_of_validations(tf, np):
    """What NumPy's generator gives after each `fit`."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    x, y = numbers(np, 20, 3), numbers(np, 20, 2)

    def after(**options):
        np.random.seed(0)
        model.fit(x, y, batch_size=4, verbose=0, **options)
        return np.random.rand()

    def batches():
        while True:
            yield x[:4], y[:4]

    found = [after(), after(validation_data=(x, y)), after(validation_data=(x, y), shuffle=False), after(validation_split=0.5)]
    found += [after(validation_data=(x, y), epochs=3, validation_freq=2), after(validation_data=(x, y), shuffle="batch")]
    np.random.seed(0)
    model.fit_generator(batches(), 2, verbose=0, validation_data=(x, y))
    return [*found, np.random.rand()]


@program
def a_new_session(tf, np):
    tf.keras.backend.clear_session()
    return [[op.name, op.type] for op in tf.get_default_graph().get_operations()]
