"""The cells that tf.contrib.rnn has beside those of tf.nn: variables, nodes, values, gradients, sizes of states, errors.

One line a cell; each is called twice, so that the second call shares the first one's variables.
"""

from harness import fresh, graph_of, program
from programs_rnn_cells import filled, weights_of


def two_steps(tf, np, make, sizes, values=None, count=None, calls=2, reuse=None, state=None, is_layer=True, has_nodes=True):
    """A cell called twice, with its names, values and gradients.

    sizes: of the inputs, without their batch, which is 2. values: what is fed goes round among these. count: what is statically
    known of the batch. calls: 1 for a cell that cannot read the state it gives. reuse: what the second call's scope says of it.
    state: the width of the first state, where `state_size` is not what the cell reads. is_layer: whether it has a name and weights.
    has_nodes: whether its nodes are of interest.
    """
    values = np.linspace(-0.9, 0.8, 17, dtype="float32") if values is None else values
    cell = make(tf, tf.contrib.rnn)
    placed = [tf.placeholder(values.dtype, [count, *size], name="x") for size in sizes]
    fed = {x: np.resize(values, [2, *size]) for x, size in zip(placed, sizes)}
    x = placed[0] if len(placed) == 1 else tuple(placed)
    made = [cell(x, cell.zero_state(2, tf.float32) if state is None else tf.zeros([2, state]))]
    nodes = graph_of(tf) if has_nodes else None
    if calls == 2:
        with tf.variable_scope(tf.get_variable_scope(), reuse=reuse):
            made.append(cell(x, made[0][1]))
    squares = [tf.reduce_sum(part * part) for part in tf.nest.flatten(made[-1])]
    gradients = [tf.convert_to_tensor(g) for g in tf.gradients(squares, [*tf.trainable_variables(), *placed]) if g is not None]
    facts = [cell.state_size, cell.output_size, *([cell.name, cell.built, weights_of(cell)] if is_layer else [])]
    return [facts, made, nodes, filled(tf, np, [made, gradients], fed)]


def cell(name, make, *sizes, **options):
    """Registers the program of one cell."""

    def run(tf, np):
        return two_steps(tf, np, make, sizes or [[3]], **options)

    run.__name__ = name
    program(run)


# -- wrappers --------------------------------------------------------------------------------------------------------

cell("output_projection", lambda tf, rnn: rnn.OutputProjectionWrapper(rnn.GRUCell(4), 2))
cell("output_projection_with_activation", lambda tf, rnn: rnn.OutputProjectionWrapper(rnn.BasicLSTMCell(2), 3, tf.nn.relu))
cell("input_projection", lambda tf, rnn: rnn.InputProjectionWrapper(rnn.BasicLSTMCell(4), 2))
cell("input_projection_with_activation", lambda tf, rnn: rnn.InputProjectionWrapper(rnn.GRUCell(4), 2, tf.tanh))
cell("both_projections", lambda tf, rnn: rnn.OutputProjectionWrapper(rnn.InputProjectionWrapper(rnn.GRUCell(3), 4), 2), has_nodes=False)
cell("highway", lambda tf, rnn: rnn.HighwayWrapper(rnn.GRUCell(3)), reuse=True, is_layer=False)
cell("highway_not_coupled", lambda tf, rnn: rnn.HighwayWrapper(rnn.BasicLSTMCell(3), False, -2.0), reuse=True, is_layer=False)
cell("attention", lambda tf, rnn: rnn.AttentionCellWrapper(rnn.GRUCell(4), 3))
cell("attention_over_lstm", lambda tf, rnn: rnn.AttentionCellWrapper(rnn.BasicLSTMCell(2), 2, 3, 4, 5), has_nodes=False)
cell("attention_joined", lambda tf, rnn: rnn.AttentionCellWrapper(rnn.BasicLSTMCell(2, state_is_tuple=False), 2, state_is_tuple=False))

# -- LSTMs -----------------------------------------------------------------------------------------------------------

cell("layer_norm_lstm", lambda tf, rnn: rnn.LayerNormBasicLSTMCell(4))
cell("layer_norm_lstm_plain", lambda tf, rnn: rnn.LayerNormBasicLSTMCell(4, 0.5, activation=tf.nn.relu, layer_norm=False))
cell("layer_norm_lstm_with_gain", lambda tf, rnn: rnn.LayerNormBasicLSTMCell(5, norm_gain=0.5, norm_shift=0.1), has_nodes=False)
cell("layer_norm_lstm_with_dropout", lambda tf, rnn: rnn.LayerNormBasicLSTMCell(4, dropout_keep_prob=0.5, dropout_prob_seed=3))
cell("coupled_gates", lambda tf, rnn: rnn.CoupledInputForgetGateLSTMCell(4))
cell("coupled_gates_with_everything", lambda tf, rnn: rnn.CoupledInputForgetGateLSTMCell(5, True, tf.ones_initializer(), 3, 0.2, 2, 3, 0.5, True, tf.nn.relu, None, True, 0.9, 0.1))
cell("coupled_gates_joined", lambda tf, rnn: rnn.CoupledInputForgetGateLSTMCell(4, num_proj=2, state_is_tuple=False))
cell("groups", lambda tf, rnn: rnn.GLSTMCell(4, number_of_groups=2), [6])
cell("groups_with_projection", lambda tf, rnn: rnn.GLSTMCell(6, tf.ones_initializer(), num_proj=4, number_of_groups=2, forget_bias=0.5), [4])
cell("one_group", lambda tf, rnn: rnn.GLSTMCell(2), has_nodes=False)
cell("phased", lambda tf, rnn: rnn.PhasedLSTMCell(4), [1], [3])
cell("phased_with_everything", lambda tf, rnn: rnn.PhasedLSTMCell(2, True, 0.01, 0.3, False, 1.5, 4.0), [1], [3], has_nodes=False)
cell("indy_lstm", lambda tf, rnn: rnn.IndyLSTMCell(4))
cell("indy_lstm_with_everything", lambda tf, rnn: rnn.IndyLSTMCell(2, 0.5, tf.nn.relu, None, tf.ones_initializer(), tf.zeros_initializer(), "mine"), has_nodes=False)

# -- other cells -----------------------------------------------------------------------------------------------------

cell("ugrnn", lambda tf, rnn: rnn.UGRNNCell(4))
cell("ugrnn_with_everything", lambda tf, rnn: rnn.UGRNNCell(2, tf.ones_initializer(), 0.5, tf.nn.relu), has_nodes=False)
cell("intersection", lambda tf, rnn: rnn.IntersectionRNNCell(3))
cell("intersection_with_projection", lambda tf, rnn: rnn.IntersectionRNNCell(4, 4, tf.ones_initializer(), 0.5, tf.tanh))
cell("nas", lambda tf, rnn: rnn.NASCell(4))
cell("nas_with_everything", lambda tf, rnn: rnn.NASCell(4, 3, True, name="mine"))
cell("sru", lambda tf, rnn: rnn.SRUCell(3))
cell("sru_with_activation", lambda tf, rnn: rnn.SRUCell(3, tf.nn.relu, name="mine"), has_nodes=False)
cell("ind_rnn", lambda tf, rnn: rnn.IndRNNCell(4))
cell("ind_rnn_with_activation", lambda tf, rnn: rnn.IndRNNCell(2, tf.nn.relu, name="mine"), has_nodes=False)
cell("indy_gru", lambda tf, rnn: rnn.IndyGRUCell(4))
cell("indy_gru_with_everything", lambda tf, rnn: rnn.IndyGRUCell(2, tf.nn.relu, None, tf.ones_initializer(), tf.zeros_initializer(), "mine"), has_nodes=False)

# -- convolutions ----------------------------------------------------------------------------------------------------

cell("conv_1d", lambda tf, rnn: rnn.Conv1DLSTMCell(input_shape=[4, 2], output_channels=3, kernel_shape=[3]), [4, 2])
cell("conv_2d", lambda tf, rnn: rnn.Conv2DLSTMCell(input_shape=[3, 4, 2], output_channels=2, kernel_shape=[3, 3]), [3, 4, 2])
cell("conv_2d_with_everything", lambda tf, rnn: rnn.ConvLSTMCell(2, [3, 4, 2], 2, [2, 3], False, True, 0.5, None, "mine"), [3, 4, 2], calls=1)
cell("conv_3d", lambda tf, rnn: rnn.Conv3DLSTMCell(input_shape=[2, 3, 2, 1], output_channels=2, kernel_shape=[1, 2, 3]), [2, 3, 2, 1])

# -- grids -----------------------------------------------------------------------------------------------------------

cell("time_frequency", lambda tf, rnn: rnn.TimeFreqLSTMCell(4, feature_size=2, frequency_skip=1), [4], count=2, state=24)
cell("time_frequency_with_everything", lambda tf, rnn: rnn.TimeFreqLSTMCell(2, True, 0.2, tf.ones_initializer(), 2, 0.5, 3, 2), [5], count=2, state=8)
cell("grid", lambda tf, rnn: rnn.GridLSTMCell(3, feature_size=2, frequency_skip=1, num_frequency_blocks=[3]), [4])
cell("grid_with_everything", lambda tf, rnn: rnn.GridLSTMCell(2, True, True, 0.2, tf.ones_initializer(), 2, 0.5, 2, 2, [2], None, None, True, False), [5])
cell("grid_of_ranges", lambda tf, rnn: rnn.GridLSTMCell(2, True, False, 0.3, None, 1, 1.0, 2, 1, [2, 1], [0, 3], [3, 5]), [5])
cell("grid_joined", lambda tf, rnn: rnn.GridLSTMCell(2, feature_size=2, frequency_skip=1, num_frequency_blocks=[2, 1], start_freqindex_list=[0, 3], end_freqindex_list=[3, 5], state_is_tuple=False), [5])
cell("bidirectional_grid", lambda tf, rnn: rnn.BidirectionalGridLSTMCell(3, feature_size=2, frequency_skip=1, num_frequency_blocks=[3]), [4], has_nodes=False)
cell("bidirectional_grid_with_everything", lambda tf, rnn: rnn.BidirectionalGridLSTMCell(2, True, True, 0.2, tf.ones_initializer(), 2, 0.5, 2, 2, [3], None, None, True, 1), [6])


# -- embeddings ------------------------------------------------------------------------------------------------------


@program
def embedding(tf, np):
    make = lambda tf, rnn: rnn.EmbeddingWrapper(rnn.GRUCell(4), 7, 3)
    return two_steps(tf, np, make, [[1]], np.array([5, 2]))


@program
def embedding_with_initializer(tf, np):
    make = lambda tf, rnn: rnn.EmbeddingWrapper(rnn.BasicLSTMCell(2), 7, 3, tf.ones_initializer())
    return two_steps(tf, np, make, [[1]], np.array([5, 2], "int32"))


@program
def in_a_loop(tf, np):
    """Cells in dynamic_rnn, with a scope and lengths: names of variables, outputs, gradients."""
    rnn = tf.contrib.rnn
    found = []
    x = np.resize(np.linspace(-0.9, 0.8, 17, dtype="float32"), [2, 4, 3])
    for make in (
        lambda: rnn.OutputProjectionWrapper(rnn.LayerNormBasicLSTMCell(5), 2), lambda: rnn.AttentionCellWrapper(rnn.UGRNNCell(3), 2),
        lambda: rnn.NASCell(4), lambda: rnn.HighwayWrapper(rnn.IndyGRUCell(3)), lambda: rnn.GLSTMCell(4),
        lambda: tf.nn.rnn_cell.MultiRNNCell([rnn.SRUCell(3), rnn.IntersectionRNNCell(3), rnn.IndyLSTMCell(2)]),
        lambda: rnn.GridLSTMCell(2, feature_size=2, frequency_skip=1, num_frequency_blocks=[2]),
    ):
        tf.reset_default_graph()
        outputs, state = tf.nn.dynamic_rnn(make(), tf.constant(x), [3, 4], dtype=tf.float32, scope="net")
        gradients = tf.gradients(tf.reduce_sum(outputs * outputs), tf.trainable_variables())
        found.append([outputs, state, [v.name for v in tf.global_variables()], filled(tf, np, [outputs, state, gradients])])
    return found


@program
def bad_calls(tf, np):
    rnn = tf.contrib.rnn

    def placed(*shape):
        return tf.placeholder(tf.float32, shape)

    def call(cell, *shape):
        return cell(placed(*shape), cell.zero_state(2, tf.float32))

    def gru():
        return rnn.GRUCell(3)

    def grid(**options):
        return rnn.GridLSTMCell(2, feature_size=2, frequency_skip=1, **options)

    def convolving(*kernel):
        return rnn.Conv2DLSTMCell(input_shape=[3, 4, 2], output_channels=2, kernel_shape=list(kernel))

    calls = [
        lambda: rnn.OutputProjectionWrapper(3, 2),
        lambda: rnn.OutputProjectionWrapper(gru(), 0),
        lambda: rnn.InputProjectionWrapper(3, 2),
        lambda: call(rnn.InputProjectionWrapper(gru(), 2), 2, 3, 4),
        lambda: call(rnn.InputProjectionWrapper(gru(), 2), 2, None),
        lambda: rnn.EmbeddingWrapper(3, 2, 2),
        lambda: rnn.EmbeddingWrapper(gru(), 0, 2),
        lambda: call(rnn.HighwayWrapper(gru()), 2, 4),
        lambda: rnn.AttentionCellWrapper(3, 2),
        lambda: rnn.AttentionCellWrapper(gru(), 0),
        lambda: rnn.AttentionCellWrapper(rnn.BasicLSTMCell(2), 2, state_is_tuple=False),
        lambda: call(rnn.AttentionCellWrapper(gru(), 2), 2, None),
        lambda: call(rnn.CoupledInputForgetGateLSTMCell(2), 2, None),
        lambda: call(rnn.CoupledInputForgetGateLSTMCell(2, num_unit_shards=9), 2, 3),
        lambda: rnn.GLSTMCell(3, number_of_groups=2),
        lambda: rnn.GLSTMCell(4, num_proj=3, number_of_groups=2),
        lambda: call(rnn.GLSTMCell(4, number_of_groups=2), 2, 5),
        lambda: call(rnn.GLSTMCell(4, number_of_groups=2), 2, None),
        lambda: call(rnn.UGRNNCell(2), 2, None),
        lambda: call(rnn.IntersectionRNNCell(2), 2, None),
        lambda: call(rnn.IntersectionRNNCell(2), 2, 3),
        lambda: call(rnn.NASCell(2), 2, None),
        lambda: call(rnn.NASCell(2), 2, 3, 4),
        lambda: call(rnn.SRUCell(2), 2, None),
        lambda: call(rnn.IndRNNCell(2), 2, None),
        lambda: call(rnn.IndyGRUCell(2), 2, None),
        lambda: call(rnn.IndyLSTMCell(2), 2, None),
        lambda: rnn.ConvLSTMCell(2, [3, 4], 2, [3]),
        lambda: call(convolving(3), 2, 3, 4, 2),
        lambda: call(convolving(3, 3), 2, 3, 4),
        lambda: call(convolving(3, 3), 2, 3, 5, 2),
        lambda: rnn.TimeFreqLSTMCell(2, feature_size=2)(placed(2, None), tf.zeros([2, 8])),
        lambda: grid(),
        lambda: call(grid(num_frequency_blocks=[2]), 2, None),
        lambda: call(grid(num_frequency_blocks=[2]), 2, 6),
        lambda: call(grid(num_frequency_blocks=[2, 1], start_freqindex_list=[0], end_freqindex_list=[3, 5]), 2, 5),
        lambda: call(grid(num_frequency_blocks=[2], start_freqindex_list=[0, 1], end_freqindex_list=[3, 5]), 2, 5),
    ]
    return [fresh(tf, call) for call in calls]
