"""ConvLSTM2D of tf.keras: nodes, values with given weights, gradients, states, configurations."""

from harness import attempt, program
from programs_keras_layers import each, filled, numbers, plain
from programs_keras_layers import nodes as all_nodes

MASK = [[True, True, False], [True, False, True]]


def nodes(tf, scope):
    """The nodes without those by which 1.15 looks for a GPU: it opens a session for that, and initializes variables."""
    found = all_nodes(tf, scope)
    return [[name, kind] for name, kind in found if "/VarIsInitializedOp" not in name and not name.endswith("/init")]


def called(tf, np, layer, sizes=(3, 4, 3, 2), mask=None, state=None, with_nodes=False, shape=None, **kwargs):
    """The layer on images [2, steps, h, w, c]: weights, values, gradients of the weights, configuration, nodes."""
    x = tf.keras.Input(shape or sizes, batch_size=None if shape else 2)
    arguments = dict(kwargs)
    if mask is not None:
        arguments["mask"] = tf.constant(mask)
    if state is not None:
        arguments["initial_state"] = [tf.constant(numbers(np, 2, *state) * (i + 1)) for i in range(2)]
    y = layer(x, **arguments)
    told = nodes(tf, layer.name) if with_nodes else None
    names = filled(np, layer)
    flat = y if isinstance(y, list) else [y]
    gradients = tf.gradients(sum(tf.reduce_sum(one * one) for one in flat), layer.trainable_weights)
    values = tf.keras.backend.get_session().run([flat, gradients], {x: numbers(np, 2, *sizes)})
    shapes = [[one.shape.as_list() for one in flat], plain(layer.get_config())]
    out = layer.compute_output_shape(tf.TensorShape([2, *sizes]))
    return [names, values, shapes, told, [tuple(one) for one in out] if isinstance(out, list) else [tuple(out.as_list())]]


@program
def values(tf, np):
    return each(
        tf, np,
        lambda L: called(tf, np, L.ConvLSTM2D(2, (2, 1)), with_nodes=True),
        lambda L: called(tf, np, L.ConvLSTM2D(2, 2, strides=2, padding="same", use_bias=False, return_sequences=True), with_nodes=True),
        lambda L: called(tf, np, L.ConvLSTM2D(1, 2, data_format="channels_first", activation="relu"), (2, 2, 3, 3), with_nodes=True),
        lambda L: called(tf, np, L.ConvLSTM2D(2, 2, dilation_rate=(2, 1), go_backwards=True, unit_forget_bias=False)),
        lambda L: called(tf, np, L.ConvLSTM2D(2, 2, return_state=True), state=(3, 2, 2)),
        lambda L: called(tf, np, L.ConvLSTM2D(2, 2, return_sequences=True, recurrent_activation="sigmoid"), mask=MASK, with_nodes=True),
        lambda L: called(tf, np, L.ConvLSTM2D(2, 2), shape=(None, None, None, 2)),
    )  # fmt: skip


@program
def dropout(tf, np):
    layer = tf.keras.layers.ConvLSTM2D(2, 2, dropout=0.5, recurrent_dropout=0.25)
    layer(tf.keras.Input((3, 4, 4, 1)), training=True)
    return [nodes(tf, layer.name), plain(layer.get_config())]


@program
def stateful(tf, np):
    layer = tf.keras.layers.ConvLSTM2D(2, 2, stateful=True)
    model = tf.keras.Sequential([tf.keras.layers.InputLayer((2, 3, 3, 1), batch_size=2), layer])
    filled(np, layer)
    x = numbers(np, 2, 2, 3, 3, 1)
    found = [model.predict(x, batch_size=2), model.predict(x, batch_size=2)]
    model.reset_states()
    found.append(model.predict(x, batch_size=2))
    layer.reset_states([numbers(np, 2, 2, 2, 2), numbers(np, 2, 2, 2, 2) * 2])
    return [found, model.predict(x, batch_size=2), [state.name for state in layer.states]]


@program
def wrapped(tf, np):
    def on(layer, *sizes):
        x = tf.keras.Input(sizes)
        y = layer(x)
        names = filled(np, layer)
        return [names, tf.keras.backend.get_session().run(y, {x: numbers(np, 2, *sizes)})]

    return each(
        tf, np,
        lambda L: on(L.Bidirectional(L.ConvLSTM2D(1, 2)), 2, 3, 3, 1),
        lambda L: on(L.TimeDistributed(L.ConvLSTM2D(1, 2)), 2, 2, 3, 3, 1),
    )  # fmt: skip


@program
def bad_images(tf, np):
    L, Input = tf.keras.layers, tf.keras.Input
    return [
        attempt(lambda: L.ConvLSTM2D(2, 2, unroll=True)),
        attempt(lambda: L.ConvLSTM2D(2, 2)(Input((4, 4, 1)))),
        attempt(lambda: L.ConvLSTM2D(2, 2)(Input((3, 4, 4, None)))),
        attempt(lambda: L.ConvLSTM2D(2, 2, padding="causal")(Input((3, 4, 4, 1)))),
        attempt(lambda: L.ConvLSTM2D(2, 2, strides=2, dilation_rate=2)(Input((3, 4, 4, 1)))),
        attempt(lambda: L.ConvLSTM2D(2, 2).reset_states()),
    ]
