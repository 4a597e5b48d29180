"""The cells and loops of tf.contrib.rnn: variables, nodes, values, gradients, errors."""

from harness import attempt, fresh, graph_of, program
from programs_rnn_cells import filled, one_step, weights_of
from programs_rnn_loops import sequences


@program
def lstm_block(tf, np):
    return one_step(tf, np, tf.contrib.rnn.LSTMBlockCell(4))


@program
def lstm_block_with_everything(tf, np):
    return one_step(tf, np, tf.contrib.rnn.LSTMBlockCell(4, 0.5, 0.3, True, name="mine"))


@program
def gru_block(tf, np):
    return one_step(tf, np, tf.contrib.rnn.GRUBlockCell(4))


@program
def gru_block_v2(tf, np):
    return one_step(tf, np, tf.contrib.rnn.GRUBlockCellV2(cell_size=4))


@program
def block_cells_train_in_a_loop(tf, np):
    rnn = tf.contrib.rnn
    x = tf.constant(sequences(np))
    cells = [rnn.LSTMBlockCell(3, use_peephole=True), rnn.GRUBlockCellV2(2)]
    outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), x, [3, 4], dtype=tf.float32)
    loss = tf.reduce_sum(outputs * outputs)
    gradients = tf.gradients(loss, tf.trainable_variables())
    return [outputs, state, [v.name for v in tf.trainable_variables()], filled(tf, np, [outputs, state, gradients])]


@program
def lstm_fused(tf, np):
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    cell = tf.contrib.rnn.LSTMBlockFusedCell(4, use_peephole=True, cell_clip=0.2)
    whole = cell(x, dtype=tf.float32)
    cut = cell(x, initial_state=whole[1], sequence_length=[4, 2])
    graph = graph_of(tf)
    gradients = tf.gradients(tf.reduce_sum(cut[0] * cut[0]), [*tf.trainable_variables(), x])
    fed = {x: sequences(np, 4, 2)}
    return [whole, cut, weights_of(cell), cell.num_units, graph, filled(tf, np, [whole, cut, gradients], fed)]


@program
def lstm_fused_of_known_sizes(tf, np):
    x = tf.constant(sequences(np, 4, 2))
    cell = tf.contrib.rnn.LSTMBlockFusedCell(2)
    whole = cell(x, dtype=tf.float32)
    turned = tf.contrib.rnn.TimeReversedFusedRNN(cell)
    made = [whole, turned(x, dtype=tf.float32, sequence_length=[3, 4]), turned(x, dtype=tf.float32)]
    return [made, graph_of(tf), filled(tf, np, made)]


@program
def fused_adaptor(tf, np):
    rnn = tf.contrib.rnn
    x = tf.constant(sequences(np, 4, 2))
    steps = tf.unstack(x)
    static, dynamic = rnn.FusedRNNCellAdaptor(rnn.GRUCell(2)), rnn.FusedRNNCellAdaptor(rnn.GRUCell(2), use_dynamic_rnn=True)
    made = [
        static(x, dtype=tf.float32, scope="a"), static(steps, dtype=tf.float32, sequence_length=[3, 1], scope="b"),
        dynamic(x, dtype=tf.float32, scope="c"), dynamic(steps, dtype=tf.float32, sequence_length=[3, 1], scope="d"),
        rnn.TimeReversedFusedRNN(dynamic)(x, dtype=tf.float32, scope="e"),
    ]
    return [made, graph_of(tf), filled(tf, np, made)]


@program
def stacks_of_bidirectional_nets(tf, np):
    rnn = tf.contrib.rnn
    x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
    y = tf.placeholder(tf.float32, [None, None, 3], name="y")

    def cells():
        return [rnn.GRUCell(2), rnn.BasicLSTMCell(3)]

    first = [tf.zeros([2, 2]), rnn.LSTMStateTuple(tf.ones([2, 3]), tf.ones([2, 3]))]
    made = [
        rnn.stack_bidirectional_rnn(cells(), cells(), tf.unstack(x, axis=1), dtype=tf.float32, sequence_length=[2, 4]),
        rnn.stack_bidirectional_dynamic_rnn(cells(), cells(), y, dtype=tf.float32, sequence_length=[2, 4], scope="dynamic"),
    ]
    graph = graph_of(tf)
    made.append(rnn.stack_bidirectional_dynamic_rnn(cells(), cells(), y, first, first, time_major=False, scope="started"))
    return [made, graph, filled(tf, np, made, {x: sequences(np), y: sequences(np)})]


@program
def small_functions(tf, np):
    rnn = tf.contrib.rnn
    x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
    y = tf.placeholder(tf.float32, name="y")
    made = [rnn.transpose_batch_time(x), rnn.transpose_batch_time(tf.zeros([3]))]
    sizes = [rnn.best_effort_input_batch_size([tf.zeros([3, 4, 2])]), rnn.best_effort_input_batch_size([y, x])]
    wrong = [attempt(lambda: rnn.best_effort_input_batch_size([tf.zeros([3])]))]
    return [made, sizes, wrong, graph_of(tf)]


@program
def names_are_those_of_nn(tf, np):
    rnn, cells = tf.contrib.rnn, tf.nn.rnn_cell
    shared = "BasicLSTMCell BasicRNNCell DeviceWrapper DropoutWrapper GRUCell LSTMCell LSTMStateTuple MultiRNNCell RNNCell ResidualWrapper"
    same = [getattr(rnn, name) is getattr(cells, name) for name in shared.split()]
    loops = [getattr(rnn, name) is getattr(tf.nn, name) for name in ("static_rnn", "static_bidirectional_rnn", "static_state_saving_rnn")]
    return [same, loops, issubclass(rnn.LSTMBlockCell, rnn.LayerRNNCell), issubclass(rnn.LSTMBlockFusedCell, rnn.LSTMBlockWrapper)]


@program
def bad_calls(tf, np):
    rnn = tf.contrib.rnn

    def placed(*shape):
        return tf.placeholder(tf.float32, shape)

    def pair(n, units):
        return tf.zeros([n, units]), tf.zeros([n, units])

    def steps():
        return [placed(2, 3), placed(2, 3)]

    basic = rnn.BasicRNNCell
    calls = [
        lambda: rnn.GRUBlockCell(),
        lambda: rnn.GRUBlockCell(3, 4),
        lambda: rnn.GRUBlockCell(4)(placed(2, None), tf.zeros([2, 4])),
        lambda: rnn.GRUBlockCell(4)(placed(2, 3), tf.zeros([2, 3])),
        lambda: rnn.LSTMBlockCell(4)(placed(2, None), pair(2, 4)),
        lambda: rnn.LSTMBlockCell(4)(placed(2, 3), pair(2, 4)[:1]),
        lambda: rnn.LSTMBlockCell(4)(placed(2, 3, 4), pair(2, 4)),
        lambda: rnn.LSTMBlockFusedCell(4)(placed(2, 3)),
        lambda: rnn.LSTMBlockFusedCell(4)(placed(5, 2, 3)),
        lambda: rnn.LSTMBlockFusedCell(4)(placed(5, 2, 3), initial_state=pair(2, 4)[:1]),
        lambda: rnn.stack_bidirectional_rnn([], [basic(2)], steps()),
        lambda: rnn.stack_bidirectional_rnn([basic(2)], [], steps()),
        lambda: rnn.stack_bidirectional_rnn(basic(2), [basic(2)], steps()),
        lambda: rnn.stack_bidirectional_rnn([basic(2)], basic(2), steps()),
        lambda: rnn.stack_bidirectional_rnn([basic(2)], [basic(2), basic(3)], steps()),
        lambda: rnn.stack_bidirectional_rnn([basic(2)], [basic(2)], steps(), initial_states_fw=placed(2, 3)),
        lambda: rnn.stack_bidirectional_dynamic_rnn([basic(2)], [basic(2)], placed(2, 2, 3), initial_states_bw=steps()),
        lambda: rnn.stack_bidirectional_dynamic_rnn([basic(2)], [], placed(2, 2, 3)),
    ]
    return [fresh(tf, call) for call in calls]
