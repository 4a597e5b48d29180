"""Bidirectional of tf.keras with a layer backwards of the program's own, and with constants."""

from harness import fresh, program
from programs_keras_layers import filled, numbers, plain
from programs_keras_recurrent import each
from programs_keras_recurrent_calls import with_constants

MASK = [[True, True, False], [True, False, True]]


def called(tf, np, layer, mask=None, states=(), constants=()):
    """Weights, values, gradients of the weights, shapes, configuration, and whether an equal layer gives the same."""
    x = tf.keras.Input((3, 2), batch_size=2)
    arguments = {} if mask is None else {"mask": tf.constant(mask)}
    rest = []
    for name, sizes in (("initial_state", states), ("constants", constants)):
        if sizes:
            arguments[name] = [tf.keras.Input((size,), batch_size=2) for size in sizes]
            rest += arguments[name]
    y = layer(x, **arguments)
    names = filled(np, layer)
    flat = y if isinstance(y, list) else [y]
    gradients = tf.gradients(sum(tf.reduce_sum(one * one) for one in flat), layer.trainable_weights)
    feeds = {one: numbers(np, *one.shape.as_list()) for one in [x, *rest]}
    session = tf.keras.backend.get_session()
    values = session.run([flat, gradients], feeds)
    config = plain(layer.get_config())
    again = type(layer).from_config(layer.get_config())
    other = again(x, **arguments)
    again.set_weights(layer.get_weights())
    return [names, values, [one.shape.as_list() for one in flat], config, plain(again.get_config()),
            session.run(other, feeds)]  # fmt: skip


@program
def two_layers(tf, np):
    def pair(L, mode="concat", names=(None, None), mask=None, states=(), **options):
        forward, backward = L.LSTM(3, name=names[0], **options), L.GRU(3, go_backwards=True, name=names[1], **options)
        return called(tf, np, L.Bidirectional(forward, mode, backward_layer=backward), mask, states)

    return each(
        tf, np,
        lambda L: pair(L),
        lambda L: pair(L, "sum", ("a", "b"), return_sequences=True),
        lambda L: pair(L, "mul", mask=MASK, return_sequences=True),
        lambda L: pair(L, None, unroll=True),
        lambda L: called(tf, np, L.Bidirectional(L.LSTM(3, return_state=True), backward_layer=L.LSTM(
            3, go_backwards=True, return_state=True, activation="relu")), states=(3, 3, 3, 3)),
        lambda L: called(tf, np, L.Bidirectional(L.SimpleRNN(3), backward_layer=L.SimpleRNN(2, go_backwards=True))),
        lambda L: called(tf, np, L.Bidirectional(L.GRU(3, go_backwards=True), backward_layer=L.GRU(3))),
    )  # fmt: skip


@program
def constants(tf, np):
    Cell = with_constants(tf)

    def with_cell(L, **arguments):
        with tf.keras.utils.custom_object_scope({"Cell": Cell}):
            return called(tf, np, L.Bidirectional(L.RNN(Cell(3))), constants=(4,), **arguments)

    return each(tf, np, lambda L: with_cell(L), lambda L: with_cell(L, states=(3, 3)))


@program
def bad_pairs(tf, np):
    def pair(*args, **options):
        L = tf.keras.layers
        return fresh(tf, lambda: L.Bidirectional(L.LSTM(3), backward_layer=L.GRU(3, *args, **options)))

    L = tf.keras.layers
    return [
        pair(), pair(go_backwards=True, return_sequences=True), pair(go_backwards=True, return_state=True),
        pair(go_backwards=True, stateful=True), fresh(tf, lambda: L.Bidirectional(3)),
        fresh(tf, lambda: L.Bidirectional(L.GRU(2))(tf.keras.Input((3, 2)), initial_state=[tf.zeros([2, 2])])),
        fresh(tf, lambda: L.RNN(L.GRUCell(2))(tf.keras.Input((3, 2)), constants=[tf.zeros([2, 2])])),
        fresh(tf, lambda: L.Bidirectional(L.RNN(L.GRUCell(2)))(tf.keras.Input((3, 2)), constants=[tf.zeros([2, 2])])),
    ]  # fmt: skip
