"""tf.losses: nodes, values, collections, errors."""

from harness import attempt, fresh, graph_of, program, signature_text

LABELS = [[0.0, 1.0, 0.5], [1.0, 0.0, 0.25]]
GUESSES = [[0.25, 0.75, 0.5], [0.125, 0.5, 1.0]]
LOSSES = {
    "absolute_difference": lambda t, y, p, **o: t.absolute_difference(y, p, **o),
    "cosine_distance": lambda t, y, p, **o: t.cosine_distance(y, p, axis=1, **o),
    "hinge_loss": lambda t, y, p, **o: t.hinge_loss(y, p, **o),
    "huber_loss": lambda t, y, p, **o: t.huber_loss(y, p, delta=0.3, **o),
    "log_loss": lambda t, y, p, **o: t.log_loss(y, p, **o),
    "mean_squared_error": lambda t, y, p, **o: t.mean_squared_error(y, p, **o),
    "sigmoid_cross_entropy": lambda t, y, p, **o: t.sigmoid_cross_entropy(y, p, **o),
    "sigmoid smoothed": lambda t, y, p, **o: t.sigmoid_cross_entropy(y, p, label_smoothing=0.1, **o),
    "softmax_cross_entropy": lambda t, y, p, **o: t.softmax_cross_entropy(y, p, **o),
    "softmax smoothed": lambda t, y, p, **o: t.softmax_cross_entropy(y, p, label_smoothing=0.1, **o),
}


def made(tf, make, nodes=True):
    """A loss's value, its nodes, the collections."""

    def run():
        loss = make()
        with tf.Session() as session:
            return [loss, session.run(loss), graph_of(tf) if nodes else [x.name for x in tf.losses.get_losses()]]

    return fresh(tf, run)


def constants(tf):
    return tf.constant(LABELS, name="labels"), tf.constant(GUESSES, name="guesses")


@program
def each_with_a_scalar_weight(tf, np):
    return {n: made(tf, lambda f=f: f(tf.losses, *constants(tf))) for n, f in LOSSES.items() if "smoothed" not in n}


@program
def each_by_its_value(tf, np):
    return {n: made(tf, lambda f=f: f(tf.losses, *constants(tf), weights=0.5, scope="mine"), nodes=False) for n, f in LOSSES.items()}


@program
def every_reduction(tf, np):
    return {
        reduction: made(tf, lambda r=reduction: tf.losses.mean_squared_error(*constants(tf), weights=[[1.0], [0.0]], reduction=r))
        for reduction in sorted(set(tf.losses.Reduction.all()))
    } | {"all": tf.losses.Reduction.all()}


@program
def weights_of_every_shape(tf, np):
    weights = {
        "scalar": 2.0, "zero": 0.0, "one each row": [[1.0], [2.0]], "one each": [[1.0, 0, 1], [0.5, 1, 0]], "integers": [[1], [2]],
        "rank": [1.0, 2.0], "sizes": [[1.0], [2.0], [3.0]], "columns": [[1.0, 2.0, 3.0]],
    }  # fmt: skip
    return {
        name: made(tf, lambda w=w: tf.losses.absolute_difference(*constants(tf), weights=w), nodes=name in ("one each row", "one each"))
        for name, w in weights.items()
    }


@program
def weights_known_only_in_the_run(tf, np):
    def run(known, given):
        labels, guesses = constants(tf)
        weights = tf.placeholder(tf.float32, known)
        loss = tf.losses.absolute_difference(labels, guesses, weights=weights)
        with tf.Session() as session:
            return [attempt(lambda value=value: session.run(loss, {weights: value})) for value in given], graph_of(tf)["nodes"]

    ones, rows, wrong = np.ones([2, 3]), np.array([[1.0], [3.0]]), np.ones([2])
    return {
        "rank": fresh(tf, lambda: run([None, None], [ones, rows, np.ones([3, 1])])),
        "nothing": fresh(tf, lambda: run(None, [2.0, ones, rows, wrong])),
    }


@program
def sparse_labels(tf, np):
    logits = np.array([[1.0, 2, 3], [0.5, 0, -1]], np.float32)

    def run(labels, weights=1.0, known="all", **options):
        y, z = np.array(labels, np.int32), logits
        feeds = {}
        if known != "all":
            y, z, weights = (tf.placeholder(d, known) for d in (tf.int32, tf.float32, tf.float32))
            feeds = {y: np.array(labels), z: logits, weights: np.ones(len(labels))}
        loss = tf.losses.sparse_softmax_cross_entropy(y, z, weights, **options)
        with tf.Session() as session:
            return [loss, session.run(loss, feeds), graph_of(tf)["nodes"]]

    return {
        "usual": fresh(tf, lambda: run([0, 2])),
        "a column": fresh(tf, lambda: run([[0], [2]])),
        "weights": fresh(tf, lambda: run([0, 2], [0.5, 2.0])),
        "a column of weights": fresh(tf, lambda: run([0, 2], [[0.5], [2.0]])),
        "unknown": fresh(tf, lambda: run([0, 2], known=None)[:2]),
    }


@program
def pairs(tf, np):
    t = tf.losses
    return {
        "usual": made(tf, lambda: t.mean_pairwise_squared_error(*constants(tf))),
        "weights": made(tf, lambda: t.mean_pairwise_squared_error(*constants(tf), weights=[[1.0], [0.5]]), nodes=False),
        "zero": made(tf, lambda: t.mean_pairwise_squared_error(*constants(tf), weights=0.0), nodes=False),
        "one column": made(tf, lambda: t.mean_pairwise_squared_error([[1.0], [2.0]], [[0.0], [5.0]]), nodes=False),
    }


@program
def collected(tf, np):
    t = tf.losses

    def run():
        empty = [t.get_losses(), t.get_regularization_losses(), t.get_regularization_loss(), attempt(t.get_total_loss)]
        with tf.name_scope("a"):
            t.mean_squared_error(*constants(tf))
        t.add_loss(tf.constant(3.0, name="own"))
        t.add_loss(tf.constant(4.0), None)
        t.log_loss(*constants(tf), loss_collection="elsewhere")
        tf.get_variable("w", [2], initializer=tf.ones_initializer(), regularizer=lambda w: 0.5 * tf.reduce_sum(w))
        total = t.get_total_loss()
        others = [t.get_total_loss(False, name="plain"), t.get_regularization_loss(), t.get_losses("a"), t.get_losses(), t.get_losses(
            loss_collection="elsewhere"), t.get_regularization_losses()]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [empty, total, session.run([total, others[0], others[1]]), others]

    return fresh(tf, run)


@program
def of_other_dtypes(tf, np):
    t = tf.losses
    half = np.array(LABELS, np.float16)
    double = np.array(LABELS)
    return {
        "float64": made(tf, lambda: t.compute_weighted_loss(tf.constant(double))),
        "float16": made(tf, lambda: t.sigmoid_cross_entropy(half, tf.constant(half))),
        "integers": made(tf, lambda: t.mean_squared_error([1, 2, 3], [1, 1, 1])),
        "lists": made(tf, lambda: t.softmax_cross_entropy([[0, 1, 0]], [[1.0, 2.0, 3.0]])),
    }


@program
def gradients_through(tf, np):
    def run(f):
        labels, guesses = constants(tf)
        loss = f(tf.losses, labels, guesses)
        made = tf.gradients(loss, [guesses, labels])
        with tf.Session() as session:
            return [None if g is None else session.run(g) for g in made]

    return {n: fresh(tf, lambda f=f: run(f)) for n, f in LOSSES.items()}


@program
def what_is_refused(tf, np):
    t = tf.losses
    y, p = LABELS, GUESSES
    return [
        *(fresh(tf, lambda f=f: f(t, None, p)) for f in LOSSES.values()),
        *(fresh(tf, lambda f=f: f(t, y, None)) for f in LOSSES.values()),
        *(fresh(tf, lambda f=f: f(t, y, [[0.5, 0.5]])) for f in LOSSES.values()),
        fresh(tf, lambda: t.sparse_softmax_cross_entropy(None, p)),
        fresh(tf, lambda: t.mean_pairwise_squared_error(None, p)),
        fresh(tf, lambda: t.cosine_distance(y, p)),
        fresh(tf, lambda: t.cosine_distance(y, p, axis=1, dim=1)),
        fresh(tf, lambda: t.compute_weighted_loss(y, reduction="sum")),
        fresh(tf, lambda: t.Reduction.validate("none of them")),
    ]


@program
def a_refused_loss_is_not_collected(tf, np):
    attempt(lambda: tf.losses.mean_squared_error(LABELS, [[1.0]]))
    attempt(lambda: tf.losses.mean_squared_error(LABELS, GUESSES, weights=[1.0, 2.0]))
    return tf.losses.get_losses()


@program
def signatures(tf, np):
    return {name: signature_text(getattr(tf.losses, name)) for name in sorted(dir(tf.losses)) if name[0].islower()}
