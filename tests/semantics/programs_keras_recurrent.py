"""The recurrent layers of tf.keras: values and gradients with given weights, masks, states, the nodes of a call, errors."""

from harness import attempt, program
from programs_keras_layers import filled, nodes, numbers, plain


def called(tf, np, layer, steps=3, mask=None, state=None, with_nodes=False, known=True, **kwargs):
    """The layer on sequences [2, steps, 2]: weights, values, gradients of the weights, configuration."""
    x = tf.keras.Input((steps if known else None, 2), batch_size=2 if known else None)
    arguments = dict(kwargs)
    if mask is not None:
        arguments["mask"] = tf.constant(mask)
    if state is not None:
        arguments["initial_state"] = [tf.constant(numbers(np, 2, 3) * (i + 1)) for i in range(state)]
    y = layer(x, **arguments)
    names = filled(np, layer)
    flat = y if isinstance(y, list) else [y]
    gradients = tf.gradients(sum(tf.reduce_sum(each * each) for each in flat), layer.trainable_weights)
    session = tf.keras.backend.get_session()
    values = session.run([flat, gradients], {x: numbers(np, 2, steps, 2)})
    told = nodes(tf, layer.name) if with_nodes else None
    return [names, values, [each.shape.as_list() for each in flat], plain(layer.get_config()), told,
            plain(layer.compute_output_shape(tf.TensorShape([2, steps, 2])) if not isinstance(y, list) else [])]  # fmt: skip


MASK = [[True, True, False], [True, False, True]]


def each(tf, np, *calls):
    found = []
    for call in calls:
        with tf.Graph().as_default():
            found.append(attempt(lambda call=call: call(tf.keras.layers)))
    return found


@program
def simple(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.SimpleRNN(3), with_nodes=True)[:-1],
        lambda L: called(tf, np, L.SimpleRNN(3, return_sequences=True, use_bias=False, activation="relu"), known=False)[:-1],
        lambda L: called(tf, np, L.SimpleRNN(3, unroll=True), with_nodes=True)[:-1],
        lambda L: called(tf, np, L.SimpleRNN(3, go_backwards=True, return_state=True))[:-1],
        lambda L: called(tf, np, L.SimpleRNN(3, return_sequences=True), mask=MASK, with_nodes=True)[:-1],
        lambda L: called(tf, np, L.SimpleRNN(3, unroll=True, return_sequences=True), mask=MASK)[:-1],
        lambda L: called(tf, np, L.SimpleRNN(3), state=1)[:-1],
    )  # fmt: skip


@program
def gated(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.GRU(3), with_nodes=True)[:-1],
        lambda L: called(tf, np, L.GRU(3, reset_after=True, return_sequences=True))[:-1],
        lambda L: called(tf, np, L.GRU(3, implementation=2))[:-1],
        lambda L: called(tf, np, L.GRU(3, implementation=2, reset_after=True, recurrent_activation="sigmoid"))[:-1],
        lambda L: called(tf, np, L.GRU(3, return_state=True), mask=MASK)[:-1],
    )  # fmt: skip


@program
def long_short_term(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.LSTM(3), with_nodes=True)[:-1],
        lambda L: called(tf, np, L.LSTM(3, implementation=2, return_sequences=True), with_nodes=True)[:-1],
        lambda L: called(tf, np, L.LSTM(3, return_state=True, unit_forget_bias=False), state=2)[:-1],
        lambda L: called(tf, np, L.LSTM(3, go_backwards=True, return_sequences=True), mask=MASK)[:-1],
    )  # fmt: skip


@program
def cells(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.RNN(L.LSTMCell(3)))[:3],
        lambda L: called(tf, np, L.RNN([L.GRUCell(3), L.SimpleRNNCell(2)], return_sequences=True))[:3],
        lambda L: called(tf, np, L.RNN(L.StackedRNNCells([L.LSTMCell(3), L.LSTMCell(2)]), return_state=True))[:3],
    )  # fmt: skip


@program
def both_ways(tf, np):
    def bidirectional(L, mode, **options):
        return called(tf, np, L.Bidirectional(L.LSTM(3, **options), merge_mode=mode))[:3]

    return each(
        tf, np,
        lambda L: bidirectional(L, "concat"),
        lambda L: bidirectional(L, "sum", return_sequences=True),
        lambda L: bidirectional(L, "mul"),
        lambda L: bidirectional(L, "ave"),
        lambda L: called(tf, np, L.Bidirectional(L.GRU(3, return_sequences=True), merge_mode=None))[:3],
        lambda L: called(tf, np, L.Bidirectional(L.SimpleRNN(3, return_state=True)))[:3],
    )  # fmt: skip


@program
def stateful(tf, np):
    layer = tf.keras.layers.LSTM(3, stateful=True)
    model = tf.keras.Sequential([tf.keras.layers.InputLayer((3, 2), batch_size=2), layer])
    filled(np, layer)
    x = numbers(np, 2, 3, 2)
    found = [model.predict(x, batch_size=2), model.predict(x, batch_size=2)]
    model.reset_states()
    found.append(model.predict(x, batch_size=2))
    layer.reset_states([numbers(np, 2, 3), numbers(np, 2, 3) * 2])
    return [found, model.predict(x, batch_size=2)]


@program
def bad_recurrent(tf, np):
    L, Input = tf.keras.layers, tf.keras.Input
    return [
        attempt(lambda: L.RNN(3)),
        attempt(lambda: L.LSTM(3)(Input((3,)))),
        attempt(lambda: L.LSTM(3, unroll=True)(Input((None, 2)))),
        attempt(lambda: L.LSTM(3, stateful=True)(Input((3, 2)))),
        attempt(lambda: L.Bidirectional(L.LSTM(3), merge_mode="foo")),
        attempt(lambda: L.LSTM(3).reset_states()),
    ]
