"""tf.contrib.crf: names, nodes, values and gradients of scores, norms and decoders; known and unknown numbers of steps; errors."""

from harness import fresh, graph_of, program

LENGTHS = [[4, 4], [3, 1], [0, 2]]


def numbers(np, *shape):
    size = int(np.prod(shape))
    return (((np.arange(size) * 7) % 11 - 5.0) / 4).reshape(shape).astype("float32")


class Fed:
    """Placeholders [n, steps, tags] and what is fed to them. known: whether their sizes are."""

    def __init__(self, tf, np, steps=4, known=True, tag_type="int32", length_type="int32"):
        n, tags = 2, 3
        sizes = [n, steps] if known else [None, None]
        self.x = tf.placeholder(tf.float32, [*sizes, tags], name="x")
        self.tags = tf.placeholder(tag_type, sizes, name="tags")
        self.bits = tf.placeholder(tf.bool, [*sizes, tags], name="bits")
        self.lengths = tf.placeholder(length_type, sizes[:1], name="lengths")
        self.moves = tf.placeholder(tf.float32, [tags, tags], name="moves")
        self.values = {
            self.x: numbers(np, n, steps, tags), self.tags: np.arange(n * steps).reshape(n, steps) % 5 % 3,
            self.bits: numbers(np, n, steps, tags) > -0.9, self.moves: numbers(np, tags, tags)[::-1] / 2,
        }

    def run(self, tf, np, fetches):
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for variable in tf.global_variables():
                sess.run(variable.assign(numbers(np, *variable.shape.as_list())))
            longest = self.values[self.x].shape[1]
            rows = [np.minimum(lengths, longest) for lengths in LENGTHS]
            return [sess.run(fetches, {**self.values, self.lengths: lengths}) for lengths in rows]


CALLS = {
    "unary": lambda crf, f: crf.crf_unary_score(f.tags, f.lengths, f.x),
    "binary": lambda crf, f: crf.crf_binary_score(f.tags, f.lengths, f.moves),
    "sequence": lambda crf, f: crf.crf_sequence_score(f.x, f.tags, f.lengths, f.moves),
    "multitag": lambda crf, f: crf.crf_multitag_sequence_score(f.x, f.bits, f.lengths, f.moves),
    "log_norm": lambda crf, f: crf.crf_log_norm(f.x, f.lengths, f.moves),
    "log_likelihood": lambda crf, f: crf.crf_log_likelihood(f.x, f.tags, f.lengths)[0],
    "log_likelihood_of_given": lambda crf, f: crf.crf_log_likelihood(f.x, f.tags, f.lengths, f.moves)[0],
}


def scored(name, label="", has_nodes=True, **options):
    """Registers the program of one score: its value and its gradients. has_nodes: whether its nodes are of interest."""

    def run(tf, np):
        fed = Fed(tf, np, **options)
        score = CALLS[name](tf.contrib.crf, fed)
        nodes = graph_of(tf) if has_nodes else None
        wanted = [fed.x, fed.moves, *tf.trainable_variables()]
        gradients = [g for g in tf.gradients(score * score, wanted) if g is not None]
        return [score, [v.name for v in tf.trainable_variables()], nodes, fed.run(tf, np, [score, gradients])]

    run.__name__ = name + label
    program(run)


for name in CALLS:
    scored(name)
for name in ("sequence", "multitag", "log_norm"):
    scored(name, "_of_int64", tag_type="int64", length_type="int64")
    scored(name, "_of_one_step", steps=1)
    scored(name, "_of_unknown_sizes", known=False)
    scored(name, "_of_unknown_sizes_and_one_step", has_nodes=False, known=False, steps=1)


@program
def decode(tf, np):
    found = []
    for options in ({}, {"length_type": "int64"}, {"steps": 1}, {"known": False}, {"known": False, "steps": 1}):
        tf.reset_default_graph()
        fed = Fed(tf, np, **options)
        made = tf.contrib.crf.crf_decode(fed.x, fed.moves, fed.lengths)
        found.append([made, graph_of(tf), fed.run(tf, np, made)])
    return found


@program
def viterbi(tf, np):
    decode = tf.contrib.crf.viterbi_decode
    cases = [(5, 3, "float32"), (1, 4, "float64"), (7, 2, "int64")]
    return [decode(numbers(np, steps, tags).astype(kind), numbers(np, tags, tags).astype(kind)) for steps, tags, kind in cases]


@program
def cells(tf, np):
    crf = tf.contrib.crf
    moves, x, state = tf.constant(numbers(np, 3, 3)), tf.constant(numbers(np, 2, 3)), tf.constant(numbers(np, 2, 3)[::-1])
    forward, best, back = crf.CrfForwardRnnCell(moves), crf.CrfDecodeForwardRnnCell(moves), crf.CrfDecodeBackwardRnnCell(3)
    made = [forward(x, state), best(x, state), back(tf.constant([[2, 0, 1], [1, 1, 0]]), tf.constant([[0], [2]]))]
    sizes = [[cell.state_size, cell.output_size] for cell in (forward, best, back)]
    with tf.Session() as sess:
        return [sizes, made, graph_of(tf), sess.run(made), [issubclass(type(c), tf.nn.rnn_cell.RNNCell) for c in (forward, best, back)]]


@program
def training(tf, np):
    """The tutorial's program: a linear layer below, trained by likelihood, read by both decoders."""
    x = numbers(np, 3, 5, 4)
    tags = (np.arange(15).reshape(3, 5) % 4 % 3).astype("int32")
    lengths = np.array([5, 4, 2], "int32")
    weights = tf.get_variable("weights", initializer=numbers(np, 4, 3))
    scores = tf.reshape(tf.matmul(tf.reshape(tf.constant(x), [-1, 4]), weights), [3, 5, 3])
    likelihood, moves = tf.contrib.crf.crf_log_likelihood(scores, tf.constant(tags), tf.constant(lengths))
    best, best_score = tf.contrib.crf.crf_decode(scores, moves, tf.constant(lengths))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(-likelihood))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(moves.assign(numbers(np, 3, 3)))
        losses = [sess.run([likelihood, train])[0] for _ in range(5)]
        found, found_score, s, m = sess.run([best, best_score, scores, moves])
    rows = [tf.contrib.crf.viterbi_decode(row[:n], m) for row, n in zip(s, lengths)]
    return [losses, found, found_score, rows, m]


@program
def bad_calls(tf, np):
    crf = tf.contrib.crf

    def placed(*shape, dtype="float32"):
        return tf.placeholder(dtype, shape)

    def lengths(n=2):
        return placed(n, dtype="int32")

    calls = [
        lambda: crf.crf_log_norm(placed(2, 4, 3), lengths(), placed(4, 4)),
        lambda: crf.crf_log_norm(placed(2, 4, 3), lengths(3), placed(3, 3)),
        lambda: crf.crf_log_likelihood(placed(2, 4, None), placed(2, 4, dtype="int32"), lengths()),
        lambda: crf.crf_decode(placed(2, 4, 3), placed(4, 4), lengths()),
    ]
    return [fresh(tf, call) for call in calls]
