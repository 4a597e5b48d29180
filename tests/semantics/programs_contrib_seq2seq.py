"""tf.contrib.seq2seq.sequence_loss, and the losses and decoders of tf.contrib.legacy_seq2seq: signatures, nodes, values, errors."""

from harness import attempt, fresh, graph_of, program, signature_text

LOGITS = [[[1.0, 0.5, -1.0], [0.0, 2.0, 1.0]], [[0.25, 0.5, 0.75], [3.0, -3.0, 0.0]]]
TARGETS = [[0, 1], [2, 0]]
WEIGHTS = [[1.0, 0.5], [2.0, 0.0]]
FORMS = {
    "averages": {},
    "average of timesteps": {"average_across_batch": False},
    "average of batch": {"average_across_timesteps": False},
    "each": {"average_across_timesteps": False, "average_across_batch": False},
    "sums": {"average_across_timesteps": False, "average_across_batch": False, "sum_over_timesteps": True, "sum_over_batch": True},
    "sum of timesteps": {"average_across_timesteps": False, "average_across_batch": False, "sum_over_timesteps": True},
    "sum of batch": {"average_across_timesteps": False, "average_across_batch": False, "sum_over_batch": True},
    "average of timesteps, sum of batch": {"average_across_batch": False, "sum_over_batch": True},
    "sum of timesteps, average of batch": {"average_across_timesteps": False, "sum_over_timesteps": True},
}


def made(tf, make, nodes=True):
    """What `make` gives, its value, and the nodes of the graph or their number."""

    def run():
        result = make()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [result, session.run(result), graph_of(tf) if nodes else len(tf.get_default_graph().get_operations())]

    return fresh(tf, run)


def constants(tf, weights=WEIGHTS):
    return tf.constant(LOGITS, name="logits"), tf.constant(TARGETS, name="targets"), tf.constant(weights, name="weights")


def lists(tf):
    return [tf.unstack(value, axis=1, name="steps") for value in constants(tf)]


def squares(labels, logits):
    return (logits[:, 0] - logits[:, 1]) ** 2 + 0.0


@program
def signatures(tf, np):
    legacy = "sequence_loss sequence_loss_by_example rnn_decoder basic_rnn_seq2seq tied_rnn_seq2seq"
    names = [(tf.contrib.legacy_seq2seq, name) for name in legacy.split()] + [(tf.contrib.seq2seq, "sequence_loss")]
    return [signature_text(getattr(module, name)) for module, name in names]


@program
def sequence_losses(tf, np):
    return {n: made(tf, lambda o=o: tf.contrib.seq2seq.sequence_loss(*constants(tf), **o)) for n, o in FORMS.items()}


@program
def sequence_losses_of_unknown_sizes(tf, np):
    def make(options):
        logits = tf.placeholder_with_default(np.float32(LOGITS), [None, None, 3])
        targets = tf.placeholder_with_default(np.int32(TARGETS), [None, None])
        weights = tf.placeholder_with_default(np.float32(WEIGHTS), [None, None])
        return tf.contrib.seq2seq.sequence_loss(logits, targets, weights, name="mine", **options)

    return {n: made(tf, lambda o=o: make(o), nodes=False) for n, o in FORMS.items()}


@program
def without_weight_the_loss_is_zero(tf, np):
    def make(options):
        return tf.contrib.seq2seq.sequence_loss(*constants(tf, [[0.0, 0.0], [1.0, 0.0]]), **options)

    return {n: made(tf, lambda o=o: make(o), nodes=False) for n, o in FORMS.items()}


@program
def a_loss_function_of_the_program(tf, np):
    seq2seq, legacy = tf.contrib.seq2seq, tf.contrib.legacy_seq2seq
    return [
        made(tf, lambda: seq2seq.sequence_loss(*constants(tf), softmax_loss_function=squares)),
        made(tf, lambda: legacy.sequence_loss(*lists(tf), softmax_loss_function=squares), nodes=False),
        made(tf, lambda: legacy.sequence_loss_by_example(*lists(tf), softmax_loss_function=squares), nodes=False),
    ]


@program
def gradients_of_the_losses(tf, np):
    def of_sequence():
        logits, targets, weights = constants(tf)
        return tf.gradients(tf.contrib.seq2seq.sequence_loss(logits, targets, weights), [logits, weights])

    def of_lists():
        logits, targets, weights = lists(tf)
        return tf.gradients(tf.contrib.legacy_seq2seq.sequence_loss(logits, targets, weights), [*logits, *weights])

    return [made(tf, of_sequence, nodes=False), made(tf, of_lists, nodes=False)]


@program
def losses_of_lists(tf, np):
    legacy = tf.contrib.legacy_seq2seq
    return [
        made(tf, lambda: legacy.sequence_loss_by_example(*lists(tf))),
        made(tf, lambda: legacy.sequence_loss_by_example(*lists(tf), average_across_timesteps=False, name="mine")),
        made(tf, lambda: legacy.sequence_loss(*lists(tf))),
        made(tf, lambda: legacy.sequence_loss(*lists(tf), average_across_timesteps=False, average_across_batch=False, name="mine")),
    ]


@program
def wrong_losses(tf, np):
    loss, legacy = tf.contrib.seq2seq.sequence_loss, tf.contrib.legacy_seq2seq
    logits, targets, weights = constants(tf)
    steps = tf.unstack(logits, axis=1), tf.unstack(targets, axis=1), tf.unstack(weights, axis=1)
    return [
        attempt(lambda: loss(weights, targets, weights)),
        attempt(lambda: loss(logits, logits, weights)),
        attempt(lambda: loss(logits, targets, targets[0])),
        attempt(lambda: loss(logits, targets, weights, sum_over_timesteps=True)),
        attempt(lambda: loss(logits, targets, weights, sum_over_batch=True)),
        attempt(lambda: legacy.sequence_loss(steps[0], steps[1][:1], steps[2])),
        attempt(lambda: legacy.sequence_loss_by_example(steps[0], steps[1], steps[2][:1])),
    ]


def cell(tf, kind="GRUCell"):
    tf.get_variable_scope().set_initializer(tf.constant_initializer(0.25))
    return getattr(tf.nn.rnn_cell, kind)(3)


def steps(tf, name):
    return tf.unstack(tf.constant(LOGITS, name=name), axis=1, name=name + "_steps")


@program
def decoders(tf, np):
    legacy = tf.contrib.legacy_seq2seq

    def fed_by_itself():
        def loop(output, time):
            return output * tf.get_variable("scale", []) + float(time)

        with tf.variable_scope("rnn_decoder/loop_function"):
            tf.get_variable("scale", [], initializer=tf.constant_initializer(2.0))
        return legacy.rnn_decoder(steps(tf, "x"), tf.zeros([2, 3]), cell(tf), loop_function=loop)

    return [
        made(tf, lambda: legacy.rnn_decoder(steps(tf, "x"), tf.zeros([2, 3]), cell(tf), scope="mine")),
        made(tf, fed_by_itself),
        made(tf, lambda: legacy.basic_rnn_seq2seq(steps(tf, "x"), steps(tf, "y"), cell(tf))),
        made(tf, lambda: legacy.basic_rnn_seq2seq(steps(tf, "x"), steps(tf, "y"), cell(tf, "BasicLSTMCell"), scope="mine"), nodes=False),
        made(tf, lambda: legacy.tied_rnn_seq2seq(steps(tf, "x"), steps(tf, "y"), cell(tf))),
        made(tf, lambda: legacy.tied_rnn_seq2seq(steps(tf, "x"), steps(tf, "y"), cell(tf), lambda x, i: x, scope="mine"), nodes=False),
    ]
