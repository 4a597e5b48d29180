"""The recurrent cells and their wrappers: variables, nodes, values, gradients, sharing, errors."""

from harness import Near, attempt, fresh, graph_of, program
from programs_rnn_loops import sequences, values


def weights_of(cell):
    return [[w.name for w in part] for part in (cell.weights, cell.trainable_weights, cell.non_trainable_weights)]


def fill(tf, np):
    """Assignments of the same numbers to all variables, whatever their random initial values are."""
    assigned = []
    for number, variable in enumerate(tf.global_variables()):
        size = int(np.prod(variable.shape.as_list()))
        flat = ((np.arange(size) * 7 + number * 3) % 11 - 5.0) / 10
        assigned.append(variable.assign(flat.reshape(variable.shape.as_list()).astype(variable.dtype.as_numpy_dtype)))
    return assigned


def filled(tf, np, fetches, feed=None):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(fill(tf, np))
        return sess.run(fetches, feed)


def one_step(tf, np, cell, depth=3):
    """A cell called twice, with its names, values and gradients."""
    x = tf.placeholder(tf.float32, [None, depth], name="x")
    first = cell.zero_state(2, tf.float32)
    output, state = cell(x, first)
    again = cell(x, state)
    ones = [tf.reduce_sum(t) for t in tf.nest.flatten(again)]
    nodes = graph_of(tf)
    gradients = tf.gradients(ones, [*tf.trainable_variables(), x])
    facts = [cell.name, cell.scope_name if cell.built else None, weights_of(cell), cell.state_size, cell.output_size]
    fed = {x: sequences(np, 2, 1, depth)[:, 0]}
    return [facts, output, state, again, nodes, filled(tf, np, [output, again, gradients], fed)]


@program
def basic_rnn(tf, np):
    return one_step(tf, np, tf.nn.rnn_cell.BasicRNNCell(4))


@program
def basic_rnn_with_activation(tf, np):
    return one_step(tf, np, tf.nn.rnn_cell.BasicRNNCell(2, activation=tf.nn.relu, name="mine"))


@program
def gru(tf, np):
    return one_step(tf, np, tf.nn.rnn_cell.GRUCell(4))


@program
def gru_with_initializers(tf, np):
    cell = tf.nn.rnn_cell.GRUCell(2, "sigmoid", None, tf.ones_initializer(), "zeros")
    return one_step(tf, np, cell)


@program
def basic_lstm(tf, np):
    return one_step(tf, np, tf.nn.rnn_cell.BasicLSTMCell(4))


@program
def basic_lstm_with_one_tensor_as_state(tf, np):
    return one_step(tf, np, tf.nn.rnn_cell.BasicLSTMCell(2, 0.5, False, tf.nn.relu))


@program
def lstm(tf, np):
    return one_step(tf, np, tf.nn.rnn_cell.LSTMCell(4))


@program
def lstm_with_everything(tf, np):
    cell = tf.nn.rnn_cell.LSTMCell(
        4, use_peepholes=True, cell_clip=0.2, initializer=tf.constant_initializer(0.1), num_proj=3, proj_clip=0.1,
        forget_bias=0.3, activation="relu",
    )
    return one_step(tf, np, cell)


@program
def lstm_with_projection_and_one_tensor_as_state(tf, np):
    return one_step(tf, np, tf.nn.rnn_cell.LSTMCell(4, num_proj=2, state_is_tuple=False))


@program
def lstm_in_shards(tf, np):
    cell = tf.nn.rnn_cell.LSTMCell(4, num_proj=2, num_unit_shards=2, num_proj_shards=2)
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    made = cell(x, cell.zero_state(2, tf.float32))
    return [made, weights_of(cell), [v.name for v in tf.global_variables()], filled(tf, np, made, {x: sequences(np, 2, 1)[:, 0]})]


@program
def several_cells(tf, np):
    cells = [tf.nn.rnn_cell.BasicLSTMCell(4), tf.nn.rnn_cell.GRUCell(2), tf.nn.rnn_cell.BasicRNNCell(3)]
    return one_step(tf, np, tf.nn.rnn_cell.MultiRNNCell(cells))


@program
def several_cells_with_one_tensor_as_state(tf, np):
    cells = [tf.nn.rnn_cell.BasicLSTMCell(2, state_is_tuple=False), tf.nn.rnn_cell.GRUCell(4)]
    return one_step(tf, np, tf.nn.rnn_cell.MultiRNNCell(cells, state_is_tuple=False))


@program
def residual(tf, np):
    return one_step(tf, np, tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(3)))


@program
def residual_by_function(tf, np):
    cell = tf.nn.rnn_cell.LSTMCell(4)
    return one_step(tf, np, tf.nn.rnn_cell.ResidualWrapper(cell, residual_fn=lambda i, o: o - tf.reduce_sum(i)))


@program
def on_a_device(tf, np):
    cell = tf.nn.rnn_cell.DeviceWrapper(tf.nn.rnn_cell.BasicLSTMCell(2), "/cpu:0")
    return one_step(tf, np, cell)


@program
def wrappers_in_wrappers(tf, np):
    rnn = tf.nn.rnn_cell
    cells = [rnn.ResidualWrapper(rnn.DeviceWrapper(rnn.GRUCell(3), "/cpu:0")) for _ in range(2)]
    return one_step(tf, np, rnn.DropoutWrapper(rnn.MultiRNNCell(cells), 1.0, 1.0))


@program
def dropout(tf, np):
    keep = tf.placeholder_with_default(0.5, [], name="keep")
    cell = tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.BasicLSTMCell(4), input_keep_prob=keep, output_keep_prob=0.6, state_keep_prob=0.7, seed=5
    )
    return one_step(tf, np, cell)


@program
def dropout_from_the_graphs_seed(tf, np):
    tf.set_random_seed(3)
    cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), 0.5, 0.5, 0.5)
    return one_step(tf, np, cell)


@program
def variational_dropout(tf, np):
    cell = tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.BasicLSTMCell(4), 0.5, tf.constant(0.6), 0.7, variational_recurrent=True, input_size=3,
        dtype=tf.float32, seed=11,
    )
    x = tf.constant(sequences(np))
    outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    return [outputs, state, graph_of(tf), filled(tf, np, [outputs, state])]


@program
def dropout_of_chosen_states(tf, np):
    def chosen(substate):
        if isinstance(substate, tf.nn.rnn_cell.LSTMStateTuple):
            return tf.nn.rnn_cell.LSTMStateTuple(c=True, h=False)
        return True

    rnn = tf.nn.rnn_cell
    cell = rnn.MultiRNNCell([rnn.LSTMCell(2), rnn.GRUCell(2)])
    cell = rnn.DropoutWrapper(cell, state_keep_prob=0.5, seed=1, dropout_state_filter_visitor=chosen)
    return one_step(tf, np, cell)


@program
def dropout_attributes(tf, np):
    rnn = tf.nn.rnn_cell
    inner = rnn.GRUCell(2)
    cell = rnn.DropoutWrapper(inner, 0.5)
    return [cell.wrapped_cell is inner, cell.zero_state(3, tf.float32), cell.state_size, cell.output_size, cell.weights]


@program
def initial_values_from_a_seed(tf, np):
    tf.set_random_seed(7)
    x = tf.constant(sequences(np))
    cells = [tf.nn.rnn_cell.BasicLSTMCell(3), tf.nn.rnn_cell.GRUCell(2)]
    outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), x, [3, 2], dtype=tf.float32)
    w = tf.get_variable("w", [2, 3])
    return values(tf, [tf.trainable_variables(), outputs, state, w])


@program
def in_all_loops(tf, np):
    rnn = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
    y = tf.placeholder(tf.float32, [None, None, 3], name="y")
    n = tf.constant([3, 1])
    made = [
        tf.nn.dynamic_rnn(rnn.BasicLSTMCell(3), y, n, dtype=tf.float32),
        tf.nn.dynamic_rnn(rnn.BasicLSTMCell(3), y, dtype=tf.float32, scope="second"),
        tf.nn.static_rnn(rnn.GRUCell(2), tf.unstack(x, axis=1), dtype=tf.float32, scope="third", sequence_length=n),
        tf.nn.bidirectional_dynamic_rnn(rnn.GRUCell(2), rnn.LSTMCell(2), y, n, dtype=tf.float32),
        tf.nn.static_bidirectional_rnn(rnn.GRUCell(2), rnn.GRUCell(2), tf.unstack(x, axis=1), dtype=tf.float32, scope="bi"),
    ]
    graph = graph_of(tf)
    fed = {x: sequences(np), y: sequences(np)}
    return [made, graph, filled(tf, np, made, fed)]


@program
def sharing(tf, np):
    rnn = tf.nn.rnn_cell
    x = tf.constant(sequences(np))
    names = []

    def note(label, f):
        found = attempt(f)
        names.append([label, getattr(found, "text", "").split(" for ")[0], [v.name for v in tf.global_variables()]])

    cell = rnn.BasicLSTMCell(2)
    note("a", lambda: tf.nn.dynamic_rnn(cell, x, dtype=tf.float32))
    note("the same cell in another scope", lambda: tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope="other"))
    note("another cell in the same scope", lambda: tf.nn.dynamic_rnn(rnn.BasicLSTMCell(2), x, dtype=tf.float32))
    with tf.variable_scope("", reuse=True):
        note("reused", lambda: tf.nn.dynamic_rnn(rnn.BasicLSTMCell(2), x, dtype=tf.float32))
        note("reused and missing", lambda: tf.nn.dynamic_rnn(rnn.GRUCell(2), x, dtype=tf.float32))
    note("reuse of the cell", lambda: tf.nn.dynamic_rnn(rnn.BasicLSTMCell(2, reuse=True), x, dtype=tf.float32))
    with tf.variable_scope("auto", reuse=tf.AUTO_REUSE):
        for _ in range(2):
            note("auto", lambda: tf.nn.static_rnn(rnn.GRUCell(2), tf.unstack(x, axis=1), dtype=tf.float32))
    two = [cell, cell]
    note("one cell twice", lambda: tf.nn.dynamic_rnn(rnn.MultiRNNCell(two), x, dtype=tf.float32, scope="twice"))
    note("other sizes", lambda: tf.nn.dynamic_rnn(cell, x[:, :, :2], dtype=tf.float32, scope="thin"))
    return names


@program
def scopes_of_calls(tf, np):
    rnn = tf.nn.rnn_cell
    x = tf.constant(sequences(np)[:, 0])
    state = tf.zeros([2, 2])
    found = []
    for label, cell in (("plain", rnn.GRUCell(2)), ("named", rnn.GRUCell(2, name="n")), ("wrapped", rnn.ResidualWrapper(rnn.BasicRNNCell(3)))):
        first = tf.zeros([2, 3]) if label == "wrapped" else state
        with tf.variable_scope(label):
            found.append(cell(x, first, scope="inner"))
            found.append(cell(x, first))
        found.append(cell(x, first))
    with tf.variable_scope("default", initializer=tf.zeros_initializer(), dtype=tf.float32):
        found.append(rnn.MultiRNNCell([rnn.GRUCell(2)])(x, (state,)))
    return [found, graph_of(tf)]


@program
def cells_of_programs(tf, np):
    class Plain(tf.nn.rnn_cell.RNNCell):
        def __init__(self, size, **kwargs):
            super().__init__(**kwargs)
            self.size = size

        @property
        def state_size(self):
            return self.size

        @property
        def output_size(self):
            return self.size + 1

        def call(self, inputs, state):
            w = tf.get_variable("w", [self.size])
            with tf.variable_scope("deep"):
                frozen = tf.get_variable("b", [self.size], trainable=False)
            state = state * w + frozen + tf.reduce_sum(inputs, 1, keepdims=True)
            return tf.concat([state, state[:, :1]], 1), state

    class Older(Plain):
        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(scope or type(self).__name__):
                return self.call(inputs, state)

    class Built(Plain):
        def build(self, input_shape):
            self.v = self.add_variable("v", [input_shape[-1].value, self.size], initializer=tf.ones_initializer())
            self.built = True

        def call(self, inputs, state):
            state = state + tf.matmul(inputs, self.v)
            return tf.concat([state, state[:, :1]], 1), state

    x = tf.constant(sequences(np))
    cells = [Plain(2), Plain(2, name="two"), Older(3), Built(2)]
    made = [tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope="s%s" % i) for i, cell in enumerate(cells)]  # noqa: UP031
    static = [tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32) for cell in cells]
    graph = graph_of(tf)
    names = [[cell.name, weights_of(cell)] for cell in cells]
    abstract = tf.nn.rnn_cell.RNNCell()
    missing = [attempt(lambda: abstract.state_size), attempt(lambda: abstract.output_size), attempt(lambda: abstract.zero_state(2, tf.float32))]
    return [made, static, names, missing, graph, filled(tf, np, [made, static])]


@program
def zero_states(tf, np):
    rnn = tf.nn.rnn_cell
    n = tf.placeholder(tf.int32, [], name="n")
    cells = [rnn.BasicRNNCell(2), rnn.LSTMCell(3, num_proj=1), rnn.MultiRNNCell([rnn.GRUCell(1), rnn.BasicLSTMCell(2)])]
    made = [cell.zero_state(size, kind) for cell in cells for size in (2, n, tf.constant(3)) for kind in (tf.float32, tf.float64)]
    x = tf.placeholder(tf.float64, [None, 5], name="x")
    made += [cells[0].get_initial_state(x), cells[0].get_initial_state(np.zeros([4, 1], np.float32))]
    made += [cells[1].get_initial_state(batch_size=2, dtype=tf.float16), cells[0].get_initial_state(np.zeros([4, 1]), 4)]
    wrong = [
        attempt(lambda: cells[0].get_initial_state()),
        attempt(lambda: cells[0].get_initial_state(batch_size=2)),
        attempt(lambda: cells[0].get_initial_state(np.zeros([4, 1]), 3)),
        attempt(lambda: cells[0].get_initial_state(np.zeros([4, 1]), dtype=tf.float32)),
    ]
    graph = graph_of(tf)
    return [made, wrong, graph, values(tf, made, {n: 1, x: np.zeros([2, 5])})]


@program
def state_tuples(tf, np):
    kind = tf.nn.rnn_cell.LSTMStateTuple
    state = kind(tf.zeros([1, 2]), h=tf.ones([1, 2]))
    mixed = kind(tf.zeros([1]), tf.zeros([1], tf.float64))
    return [state, state.dtype, attempt(lambda: mixed.dtype), state._fields, kind(1, 2) == (1, 2), repr(kind(1, 2)), values(tf, state)]


@program
def other_dtypes(tf, np):
    found, rnn = [], tf.nn.rnn_cell
    for kind in (tf.float16, tf.float64):
        x = tf.constant(sequences(np), kind)
        with tf.variable_scope(kind.name):
            for make in (rnn.BasicRNNCell, rnn.GRUCell, rnn.BasicLSTMCell, lambda units: rnn.LSTMCell(units, use_peepholes=True)):
                found.append(tf.nn.dynamic_rnn(make(2), x, dtype=kind))
    got = [Near(part, 1e-2 if part.dtype == np.float16 else 1e-9) for part in tf.nest.flatten(filled(tf, np, found))]
    return [found, [[v.name, v.dtype.base_dtype] for v in tf.global_variables()], got]


@program
def bad_cells(tf, np):
    rnn = tf.nn.rnn_cell
    state = np.zeros([2, 3], np.float32)

    def placed(*shape):
        return tf.placeholder(tf.float32, shape)

    class Fixed:
        def __repr__(self):
            return "Fixed"

    calls = [
        lambda: rnn.BasicLSTMCell(3)(placed(2, None), (state, state)),
        lambda: rnn.GRUCell(3)(placed(2, None), state),
        lambda: rnn.LSTMCell(3)(placed(2, 3, 4), (state, state)),
        lambda: rnn.BasicRNNCell(3)(tf.placeholder(tf.float32), state),
        lambda: rnn.BasicRNNCell(3)(placed(3), state),
        lambda: rnn.BasicRNNCell(3)(placed(2, 3), np.zeros([2, 4], np.float32)),
        lambda: rnn.BasicRNNCell(3)(placed(2, 3), np.zeros([5, 3], np.float32)),
        lambda: rnn.BasicLSTMCell(3)(placed(2, 3), state),
        lambda: rnn.BasicLSTMCell(3, state_is_tuple=False)(placed(2, 3), (state, state)),
        lambda: rnn.BasicRNNCell(3)(tf.constant([[1, 2]]), np.zeros([1, 3], np.int32)),
        lambda: rnn.BasicRNNCell(3, dtype=tf.int32),
        lambda: rnn.LSTMCell(3, dtype=tf.int32),
        lambda: rnn.GRUCell(3, "tanhh"),
        lambda: rnn.GRUCell(3, units=4),
        lambda: rnn.MultiRNNCell([]),
        lambda: rnn.MultiRNNCell(5),
        lambda: rnn.MultiRNNCell([rnn.GRUCell(2), rnn.LSTMCell(2)], state_is_tuple=False),
        lambda: rnn.MultiRNNCell([rnn.GRUCell(2)])(placed(2, 3), tf.zeros([2, 2])),
        lambda: rnn.MultiRNNCell([rnn.GRUCell(2)])(placed(2, 3), (tf.zeros([2, 2]), tf.zeros([2, 2]))),
        lambda: rnn.DropoutWrapper(Fixed()),
        lambda: rnn.DropoutWrapper(rnn.GRUCell(2), 1.5),
        lambda: rnn.DropoutWrapper(rnn.GRUCell(2), output_keep_prob=-1.0),
        lambda: rnn.DropoutWrapper(rnn.GRUCell(2), variational_recurrent=True),
        lambda: rnn.DropoutWrapper(rnn.GRUCell(2), 0.5, variational_recurrent=True, dtype=tf.float32),
        lambda: rnn.DropoutWrapper(rnn.GRUCell(2), dropout_state_filter_visitor=3),
        lambda: rnn.ResidualWrapper(rnn.GRUCell(2))(placed(2, 3), tf.zeros([2, 2])),
        lambda: rnn.ResidualWrapper(3),
        lambda: tf.nn.dynamic_rnn(rnn.GRUCell(2), placed(2, 3, 3), initial_state=tf.zeros([2, 3])),
        lambda: tf.nn.dynamic_rnn(rnn.BasicLSTMCell(2), placed(2, 3, 3), initial_state=tf.zeros([2, 2])),
        lambda: tf.nn.dynamic_rnn(rnn.GRUCell(2), placed(2, 3, 3), dtype=tf.int32),
        lambda: tf.nn.dynamic_rnn(rnn.GRUCell(2), placed(2, 3, 3), dtype=tf.float64),
        lambda: tf.nn.dynamic_rnn(rnn.BasicRNNCell(2), tf.constant([[[1, 2]]]), dtype=tf.int32),
    ]
    return [fresh(tf, call) for call in calls]
