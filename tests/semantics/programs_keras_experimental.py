"""tf.keras.experimental's schedules of the learning rate, and tools over models of tf.keras.utils."""

from harness import Near, fresh, graph_of, program
from programs_keras_layers import numbers


@program
def schedules(tf, np):
    E, S = tf.keras.experimental, tf.keras.optimizers.schedules

    def schedule(make):
        def made():
            step = tf.placeholder("int64", [], name="step")
            rule = make()
            rate = rule(step)
            graph = graph_of(tf)
            again = S.deserialize(S.serialize(rule))
            values = [] if "Noisy" in type(rule).__name__ else [Near(tf.Session().run(rate, {step: n}), 1e-4) for n in (0, 3, 10, 17)]
            return [graph, values, rule.get_config(), again.get_config()]

        return fresh(tf, made)

    return [
        schedule(lambda: E.CosineDecay(0.1, 10, 0.2)), schedule(lambda: E.CosineDecayRestarts(0.1, 4)),
        schedule(lambda: E.CosineDecayRestarts(0.1, 4, 1.0, 0.5, 0.1, "again")), schedule(lambda: E.LinearCosineDecay(0.1, 10)),
        schedule(lambda: E.NoisyLinearCosineDecay(0.1, 10, name="noisy")),
    ]  # fmt: skip


@program
def trained_by_a_schedule(tf, np):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,), kernel_initializer="ones")])
    model.compile(tf.keras.optimizers.SGD(tf.keras.experimental.CosineDecay(0.1, 4)), "mse")
    history = model.fit(numbers(np, 8, 3), numbers(np, 8, 1), epochs=4, batch_size=4, shuffle=False, verbose=0)
    return Near(np.array(history.history["loss"]), 1e-4)


@program
def tools(tf, np):
    L, U = tf.keras.layers, tf.keras.utils
    a, b = tf.keras.Input((4,), name="a"), tf.keras.Input((4,), name="b")
    y = L.Add()([L.Dense(4)(a), L.Dense(4)(b), L.Dense(4)(a)])
    plain = tf.zeros([2])
    model = tf.keras.Sequential([L.Conv1D(3, 2, input_shape=(6, 2)), L.Conv1D(1, 2, use_bias=False), L.Flatten(), L.Dense(1)])
    model.set_weights([numbers(np, *w.shape) for w in model.get_weights()])
    U.convert_all_kernels_in_model(model)
    return [
        [x.name for x in U.get_source_inputs(y)], [x.name for x in U.get_source_inputs(a)], U.get_source_inputs(plain) is plain,
        model.get_weights(),
    ]  # fmt: skip
