"""The ways to call tf.keras' recurrent layers: states and constants as Keras tensors, time first, dropout, two layers both ways."""

from harness import program
from programs_keras_layers import filled, numbers, plain
from programs_keras_recurrent import each

MASK = [[True, True, False], [True, False, True]]


def wired(tf, scope):
    """Name, type and inputs of each node."""
    return [
        [op.name, op.type, [x.name for x in op.inputs]] for op in tf.get_default_graph().get_operations()
        if op.name.startswith(scope) and "Initializer" not in op.name and "/cond" not in op.name
    ]  # fmt: skip


def ran(tf, np, layer, inputs, outputs, with_nodes=False):
    """Weights, values, gradients of the weights, shapes; the inputs are placeholders."""
    names = filled(np, layer)
    flat = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    told = wired(tf, layer.name) if with_nodes else None
    gradients = tf.gradients(sum(tf.reduce_sum(y * y) for y in flat), layer.trainable_weights)
    feeds = {x: numbers(np, *x.shape.as_list()) for x in inputs}
    values = tf.keras.backend.get_session().run([flat, gradients], feeds)
    return [names, values, [y.shape.as_list() for y in flat], told]


def inputs_of(tf, *shapes):
    return [tf.keras.Input(shape[1:], batch_size=shape[0]) for shape in shapes]


@program
def states_of_tensors(tf, np):
    def called(layer, *shapes, **options):
        x, *states = inputs_of(tf, *shapes)
        return ran(tf, np, layer, [x, *states], layer(x, initial_state=states), **options)

    def listed(layer, *shapes):
        xs = inputs_of(tf, *shapes)
        return ran(tf, np, layer, xs, layer(xs))

    sizes = (2, 3, 2), (2, 3), (2, 3)
    return each(
        tf, np,
        lambda L: called(L.LSTM(3), *sizes, with_nodes=True),
        lambda L: called(L.GRU(3, return_sequences=True), *sizes[:2]),
        lambda L: listed(L.LSTM(3, return_state=True), *sizes),
        lambda L: listed(L.Bidirectional(L.GRU(3)), *sizes),
    )  # fmt: skip


def with_constants(tf, bare=False):
    """A cell that adds its constant times a weight."""

    class Cell(tf.keras.layers.Layer):
        def __init__(self, units, **kwargs):
            self.units = self.state_size = units
            super().__init__(**kwargs)

        def build(self, shape):
            self.kernel = self.add_weight(shape=(shape[-1], self.units), initializer="ones", name="kernel")
            if not bare:
                self.of_constant = self.add_weight(shape=(4, self.units), initializer="ones", name="constant")
            self.built = True

        def call(self, inputs, states, constants=None):
            output = tf.matmul(inputs, self.kernel) + states[0]
            if not bare:
                output += tf.matmul(constants[0], self.of_constant)
            return output, [output]

        def get_config(self):
            config = super().get_config()
            config["units"] = self.units
            return config

    return Cell


@program
def constants(tf, np):
    Cell = with_constants(tf)

    def called(L, states=False, stacked=False):
        sizes = [(2, 3, 2), *([(2, 3)] * states), (2, 4)]
        x, *rest = inputs_of(tf, *sizes)
        cell = Cell(3)
        layer = L.RNN([cell, with_constants(tf, bare=True)(3)]) if stacked else L.RNN(cell)
        arguments = {"initial_state": rest[:-1]} if states else {}
        return ran(tf, np, layer, [x, *rest], layer(x, constants=rest[-1:], **arguments))

    return each(
        tf, np,
        lambda L: called(L),
        lambda L: called(L, states=True),
        lambda L: called(L, stacked=True),
    )  # fmt: skip


@program
def time_first(tf, np):
    def called(L, layer, mask=None):
        (x,) = inputs_of(tf, (3, 2, 2))
        arguments = {} if mask is None else {"mask": tf.constant(mask)}
        return ran(tf, np, layer, [x], layer(x, **arguments))

    return each(
        tf, np,
        lambda L: called(L, L.LSTM(3, time_major=True)),
        lambda L: called(L, L.GRU(3, time_major=True, return_sequences=True, return_state=True)),
        lambda L: called(L, L.SimpleRNN(3, time_major=True, unroll=True, return_sequences=True)),
        lambda L: called(L, L.RNN(L.LSTMCell(3), time_major=True), [[True, True], [True, False], [False, True]]),
        lambda L: called(L, L.Bidirectional(L.LSTM(3, time_major=True, return_sequences=True))),
    )  # fmt: skip


@program
def dropped(tf, np):
    """Masks are random: nodes, and the values without training."""

    def called(L, layer, **arguments):
        (x,) = inputs_of(tf, (2, 3, 2))
        y = layer(x, **arguments)
        names = filled(np, layer)
        told = wired(tf, layer.name)
        feeds = {x: numbers(np, 2, 3, 2)}
        phase = tf.keras.backend.learning_phase()
        if not isinstance(phase, int):
            feeds[phase] = 0
        value = None if arguments.get("training") else tf.keras.backend.get_session().run(y, feeds)
        return [names, told, value, plain(layer.get_config())]

    return each(
        tf, np,
        lambda L: called(L, L.SimpleRNN(3, dropout=0.5, recurrent_dropout=0.25), training=True),
        lambda L: called(L, L.LSTM(3, dropout=0.5, recurrent_dropout=0.25), training=True),
        lambda L: called(L, L.LSTM(3, dropout=0.5, recurrent_dropout=0.25, implementation=2), training=True),
        lambda L: called(L, L.GRU(3, dropout=0.5, recurrent_dropout=0.25), training=True),
        lambda L: called(L, L.GRU(3, dropout=0.5, recurrent_dropout=0.25, implementation=2), training=True),
        lambda L: called(L, L.LSTM(3, recurrent_dropout=0.5, dropout=0.5)),
        lambda L: called(L, L.GRU(3, dropout=2.0, recurrent_dropout=-1)),
    )  # fmt: skip


@program
def two_layers(tf, np):
    def called(L, layer, mask=None, **options):
        (x,) = inputs_of(tf, (2, 3, 2))
        arguments = {} if mask is None else {"mask": tf.constant(mask)}
        return ran(tf, np, layer, [x], layer(x, **arguments), **options)

    given = [np.ones((2, 12)), np.ones((3, 12)), np.zeros(12)] * 2
    return each(
        tf, np,
        lambda L: called(L, L.Bidirectional(L.LSTM(3, return_sequences=True), name="pair"), MASK),
        lambda L: called(L, L.Bidirectional(L.LSTM(3)), MASK),
        lambda L: called(L, L.Bidirectional(L.LSTM(3), merge_mode="sum", weights=given)),
        lambda L: called(L, L.Bidirectional(L.RNN([L.GRUCell(2), L.LSTMCell(3)]), merge_mode="mul")),
        lambda L: called(L, L.Bidirectional(L.LSTM(3, return_state=True), merge_mode=None)),
    )  # fmt: skip


@program
def configured(tf, np):
    """The configuration of a regularizer that was named, and a stateful layer without a batch."""
    return each(
        tf, np,
        lambda L: plain(L.LSTM(3, activity_regularizer="l1").get_config()),
        lambda L: L.LSTM(3, stateful=True).reset_states(),
    )  # fmt: skip
