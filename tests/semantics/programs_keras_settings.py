"""What the settings of tf.keras and older arguments mean: floatx, input_dim, layers called twice, metrics between calls."""

from harness import attempt, program
from programs_keras_layers import numbers


@program
def float64(tf, np):
    K = tf.keras
    K.backend.set_floatx("float64")
    try:
        inputs = K.Input((3, 2))
        dense = K.layers.Dense(2, "tanh", kernel_regularizer="l2", kernel_initializer="ones")
        layers = [K.layers.LSTM(2), dense, K.layers.BatchNormalization(), K.layers.ThresholdedReLU(0.1)]
        output = inputs
        for layer in layers:
            output = layer(output)
        model = K.Model(inputs, output)
        model.compile("adam", "mse", metrics=["mae"])
        model.set_weights([numbers(np, *weight.shape) ** 2 for weight in model.get_weights()])
        losses = [model.train_on_batch(numbers(np, 4, 3, 2), numbers(np, 4, 2)) for _ in range(2)]
        words = K.layers.Embedding(3, 2)(K.Input((2,)))
        kinds = [each.dtype.name for each in (inputs, output, model.total_loss, words)]
        found = model.predict(numbers(np, 4, 3, 2))
        return [kinds, [w.dtype.name for w in [*model.weights, *model.optimizer.weights]], np.array(losses), found]
    finally:
        K.backend.set_floatx("float32")


@program
def shapes_of_inputs(tf, np):
    L = tf.keras.layers
    layers = [
        L.Dense(1, input_dim=3), L.LSTM(1, input_dim=3, input_length=2),
        L.Dense(1, input_shape=(3,), batch_size=2),
    ]  # fmt: skip
    found = [[tf.keras.Sequential([layer]).input_shape, layer.get_config()["batch_input_shape"]] for layer in layers]
    wrong = [lambda: L.Conv1D(1, 2, input_dim=3), lambda: L.Dense(1, input_dim=3, input_shape=(4, 3))]
    return [found, *[attempt(make) for make in wrong]]


@program
def layers_called_twice(tf, np):
    layer = tf.keras.layers.Dense(2)
    first, second = tf.keras.Input((3,)), tf.keras.Input((3,))
    layer(first), layer(second)
    return [layer.input.name, layer.output.name, layer.get_output_at(1).name, layer.input_mask, layer.output_mask]


@program
def metrics_between_calls(tf, np):
    x, y = numbers(np, 6, 3), numbers(np, 6, 1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_dim=3)])
    model.compile("sgd", "mse", metrics=["mae"])
    seen = []
    tell = tf.keras.callbacks.LambdaCallback(on_train_begin=lambda logs: seen.append(dict(tell.params)))
    found = []
    model.fit(x, y, epochs=1, verbose=2, callbacks=[tell], validation_data=(x[:2], y[:2]))
    for between in (lambda: None, lambda: model.predict(x), lambda: model.fit(x, y, verbose=0), lambda: model.evaluate(x, y, verbose=0)):
        between()
        found.append(np.array(model.test_on_batch(x[:3], y[:3])))
    return [found, seen]


@program
def cosine_losses(tf, np):
    labels, outputs = numbers(np, 2, 3), numbers(np, 3, 2).T.copy()
    losses = tf.keras.losses
    found = [losses.CosineSimilarity(), losses.CosineSimilarity(axis=0), losses.cosine_similarity, losses.cosine_proximity]
    return [tf.Session().run(loss(tf.constant(labels), tf.constant(outputs))) for loss in found]
