"""tf.contrib.losses: signatures, nodes, values, collections, errors."""

from harness import fresh, graph_of, program, signature_text

LABELS = [[0.0, 1.0, 0.5], [1.0, 0.0, 0.25]]
GUESSES = [[0.25, 0.75, 0.5], [0.125, 0.5, 1.0]]
LOSSES = {
    "absolute_difference": lambda t, p, y, **o: t.absolute_difference(p, y, **o),
    "cosine_distance": lambda t, p, y, **o: t.cosine_distance(p, y, axis=1, **o),
    "log_loss": lambda t, p, y, **o: t.log_loss(p, y, **o),
    "mean_pairwise_squared_error": lambda t, p, y, **o: t.mean_pairwise_squared_error(p, y, **o),
    "mean_squared_error": lambda t, p, y, **o: t.mean_squared_error(p, y, **o),
    "sigmoid_cross_entropy": lambda t, p, y, **o: t.sigmoid_cross_entropy(p, y, **o),
    "sigmoid smoothed": lambda t, p, y, **o: t.sigmoid_cross_entropy(p, y, label_smoothing=0.1, **o),
    "softmax_cross_entropy": lambda t, p, y, **o: t.softmax_cross_entropy(p, y, **o),
    "softmax smoothed": lambda t, p, y, **o: t.softmax_cross_entropy(p, y, label_smoothing=0.1, **o),
}


def made(tf, make, nodes=True, feed=None):
    """A loss, its value, its nodes, the collections."""

    def run():
        loss = make()
        with tf.Session() as session:
            return [loss, session.run(loss), graph_of(tf) if nodes else [x.name for x in tf.contrib.losses.get_losses()]]

    return fresh(tf, run)


def constants(tf):
    return tf.constant(GUESSES, name="guesses"), tf.constant(LABELS, name="labels")


@program
def signatures(tf, np):
    names = "add_loss compute_weighted_loss get_losses get_regularization_losses get_total_loss hinge_loss sparse_softmax_cross_entropy"
    return {name: signature_text(getattr(tf.contrib.losses, name)) for name in names.split() + [n for n in LOSSES if " " not in n]}


@program
def each_with_a_scalar_weight(tf, np):
    return {n: made(tf, lambda f=f: f(tf.contrib.losses, *constants(tf))) for n, f in LOSSES.items()}


@program
def each_by_its_value(tf, np):
    losses = tf.contrib.losses
    return {
        n: [made(tf, lambda f=f, w=w: f(losses, *constants(tf), weights=w, scope="mine"), nodes=False) for w in (0.5, 0.0, [2.0, 0.0])]
        for n, f in LOSSES.items()
    }


@program
def weights_of_every_shape(tf, np):
    weights = {
        "scalar": 2.0, "zero": 0.0, "one each row": [[1.0], [2.0]], "one each": [[1.0, 0, 1], [0.5, 1, 0]], "integers": [[1], [2]],
        "rank": [1.0, 2.0], "none left": [0.0, 0.0], "rank 3": [[[1.0]]],
        "sizes": [[1.0], [2.0], [3.0]], "columns": [[1.0, 2.0]], "too many": [1.0, 2.0, 3.0],
    }  # fmt: skip
    return {
        name: made(tf, lambda w=w: tf.contrib.losses.absolute_difference(*constants(tf), weights=w)) for name, w in weights.items()
    }


@program
def compute_weighted_loss(tf, np):
    compute = tf.contrib.losses.compute_weighted_loss
    return {
        "plain": made(tf, lambda: compute([1.0, 2.0, 4.0])),
        "float64": made(tf, lambda: compute(np.array([[1.0, 2.0], [3.0, 4.0]]), [1.0, 0.0])),
        "integers": made(tf, lambda: compute([1, 2, 4], [1, 1, 0], scope="mine")),
        "scalar": made(tf, lambda: compute(tf.constant(3.0))),
        "empty": made(tf, lambda: compute(np.zeros([0, 3], np.float32))),
        "unknown rank": fresh(tf, lambda: compute(tf.placeholder(tf.float32))),
        "unknown rank of weights": fresh(tf, lambda: compute([1.0], tf.placeholder(tf.float32))),
        "no weights": fresh(tf, lambda: compute([1.0], None)),
    }


@program
def unknown_sizes(tf, np):
    def run():
        guesses, labels = tf.placeholder(tf.float32, [None, 3], "guesses"), tf.placeholder(tf.float32, [None, 3], "labels")
        weights = tf.placeholder(tf.float32, [None, None], "weights")
        losses = [tf.contrib.losses.mean_squared_error(guesses, labels), tf.contrib.losses.mean_squared_error(guesses, labels, weights)]
        with tf.Session() as session:
            return [session.run(losses, {guesses: GUESSES, labels: LABELS, weights: [[1.0], [0.0]]}), graph_of(tf)]

    return fresh(tf, run)


@program
def hinge_loss_is_elementwise(tf, np):
    return made(tf, lambda: tf.contrib.losses.hinge_loss(*constants(tf), scope="mine"))


@program
def sparse_softmax_cross_entropy(tf, np):
    loss = tf.contrib.losses.sparse_softmax_cross_entropy
    return {
        "labels": made(tf, lambda: loss(tf.constant(GUESSES), tf.constant([0, 2]))),
        "a column": made(tf, lambda: loss(tf.constant(GUESSES), tf.constant([[0], [2]]), weights=[[1.0], [2.0]])),
        "two a row": fresh(tf, lambda: loss(tf.constant(GUESSES), tf.constant([[0, 1], [1, 2]]))),
    }


@program
def wrong_arguments(tf, np):
    t = tf.contrib.losses
    return {
        "shapes": fresh(tf, lambda: t.mean_squared_error(tf.constant([1.0]), tf.constant([1.0, 2.0]))),
        "hinge shapes": fresh(tf, lambda: t.hinge_loss(tf.constant([1.0]), tf.constant([1.0, 2.0]))),
        "no axis": fresh(tf, lambda: t.cosine_distance(*constants(tf))),
        "two axes": fresh(tf, lambda: t.cosine_distance(*constants(tf), axis=1, dim=1)),
        "no weights": fresh(tf, lambda: t.log_loss(*constants(tf), weights=None)),
        "no losses": fresh(tf, lambda: t.get_total_loss()),
    }


@program
def total_loss(tf, np):
    t = tf.contrib.losses
    first = t.mean_squared_error(*constants(tf))
    with tf.variable_scope("a"):
        second = t.absolute_difference(*constants(tf), scope="second")
    regularizer = tf.contrib.layers.l2_regularizer(0.1)
    tf.get_variable("w", [2], initializer=tf.ones_initializer(), regularizer=regularizer)
    t.add_loss(tf.constant(3.0, name="mine"))
    t.add_loss(tf.constant(4.0), loss_collection=None)
    total, without = t.get_total_loss(), t.get_total_loss(add_regularization_losses=False, name="without")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = session.run([first, second, total, without])
    return [values, t.get_losses(), t.get_losses("a"), t.get_regularization_losses(), graph_of(tf)]
