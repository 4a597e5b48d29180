"""tf.metrics: nodes, names, variables, collections, values over several batches, errors."""

from harness import fresh, graph_of, program, signature_text

LABELS = [[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 1]]
PREDICTED = [[1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 0]]
CHANCES = [[0.9, 0.6, 0.25, 0.75], [0.125, 0.0, 1.0, 0.5], [0.8, 0.3, 0.45, 0.05]]
WEIGHTS = [[1.0, 0.5, 2.0, 0.0], [1.0, 1.0, 1.0, 1.0], [0.0, 3.0, 1.0, 0.25]]
BINARY = {
    "true_positives": {}, "false_positives": {}, "true_negatives": {}, "false_negatives": {}, "precision": {}, "recall": {},
}  # fmt: skip
LEVELS = [0.0, 0.3, 0.5, 0.9]
CURVED = {
    "true_positives_at_thresholds": {"thresholds": LEVELS},
    "false_positives_at_thresholds": {"thresholds": LEVELS},
    "true_negatives_at_thresholds": {"thresholds": LEVELS},
    "false_negatives_at_thresholds": {"thresholds": LEVELS},
    "precision_at_thresholds": {"thresholds": LEVELS},
    "recall_at_thresholds": {"thresholds": LEVELS},
    "sensitivity_at_specificity": {"specificity": 0.6, "num_thresholds": 7},
    "specificity_at_sensitivity": {"sensitivity": 0.6, "num_thresholds": 7},
    "auc": {"num_thresholds": 9},
}
NUMBERS = {
    "mean_absolute_error": {}, "mean_squared_error": {}, "root_mean_squared_error": {},
    "mean_relative_error": {"normalizer": [1.0, 2.0, 0.0, 4.0]}, "mean_cosine_distance": {"dim": 0},
}  # fmt: skip


def over_batches(tf, np, make, batches, types, weights=None, known=(4,), nodes=False):
    """The metric, its value before anything, after each batch the update and the value; names, variables, collections."""

    def run():
        fed = [tf.placeholder(t, known, name=f"in_{i}") for i, t in enumerate(types)]
        options = {}
        if weights is not None:
            options["weights"] = tf.placeholder(tf.float32, known, name="weights")
        value, update = make(*fed, metrics_collections=["values"], updates_collections=["updates"], **options)
        found = []
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            found.append(session.run(value))
            for i, batch in enumerate(batches):
                feeds = dict(zip(fed, batch, strict=True))
                if weights is not None:
                    feeds[options["weights"]] = weights[i]
                found += [session.run(update, feeds), session.run(value)]
        named = [value.name, update.name, [v.name for v in tf.local_variables()]]
        return [named, found, graph_of(tf) if nodes else graph_of(tf)["collections"]]

    return fresh(tf, run)


def pairs(*columns):
    return list(zip(*columns, strict=True))


@program
def means(tf, np):
    m = tf.metrics
    values = [(row,) for row in CHANCES]

    def run(make, **options):
        return over_batches(tf, np, make, values, [tf.float32], **options)

    return {
        "mean": run(m.mean, nodes=True),
        "mean weighted": run(m.mean, weights=WEIGHTS, nodes=True),
        "mean of unknown": run(m.mean, weights=WEIGHTS, known=None, nodes=True),
        "mean_tensor": run(m.mean_tensor, nodes=True),
        "mean_tensor weighted": run(m.mean_tensor, weights=WEIGHTS),
        "percentage_below": run(lambda v, **o: m.percentage_below(v, 0.5, **o), nodes=True),
        "named": run(lambda v, **o: m.mean(v, name="mine", **o)),
    }


@program
def accuracy(tf, np):
    m = tf.metrics
    batches = pairs(LABELS, PREDICTED)
    return {
        "usual": over_batches(tf, np, m.accuracy, batches, [tf.int64, tf.int64], nodes=True),
        "weighted": over_batches(tf, np, m.accuracy, batches, [tf.int64, tf.int64], weights=WEIGHTS),
        "of other dtypes": over_batches(tf, np, m.accuracy, batches, [tf.int32, tf.int64]),
        "of unknown shape": over_batches(tf, np, m.accuracy, batches, [tf.int64, tf.int64], known=None, nodes=True),
        "batches of no known size": over_batches(tf, np, m.accuracy, batches, [tf.int64, tf.int64], known=(None,)),
    }


@program
def of_numbers(tf, np):
    def make(name, options):
        options = {k: np.array(v, np.float32) if isinstance(v, list) else v for k, v in options.items()}
        return lambda y, p, **o: getattr(tf.metrics, name)(y, p, **options, **o)

    batches = pairs(LABELS, CHANCES)
    types = [tf.float32, tf.float32]
    return {n: over_batches(tf, np, make(n, o), batches, types, nodes=True) for n, o in NUMBERS.items()} | {
        f"{n} weighted": over_batches(tf, np, make(n, o), batches, types, weights=WEIGHTS)
        for n, o in NUMBERS.items()
        if n != "mean_cosine_distance"
    }


@program
def of_yes_and_no(tf, np):
    batches = pairs(LABELS, PREDICTED)
    types = [tf.int32, tf.int32]
    return {n: over_batches(tf, np, getattr(tf.metrics, n), batches, types, nodes=True) for n in BINARY} | {
        f"{n} weighted": over_batches(tf, np, getattr(tf.metrics, n), batches, types, weights=WEIGHTS) for n in BINARY
    }


@program
def at_thresholds(tf, np):
    def make(name, options):
        return lambda y, p, **o: getattr(tf.metrics, name)(y, p, **options, **o)

    batches = pairs(LABELS, CHANCES)
    types = [tf.int32, tf.float32]
    return {n: over_batches(tf, np, make(n, o), batches, types) for n, o in CURVED.items()} | {
        f"{n} weighted": over_batches(tf, np, make(n, o), batches, types, weights=WEIGHTS) for n, o in CURVED.items()
    }


@program
def nodes_at_thresholds(tf, np):
    def make(name):
        return lambda y, p, **o: getattr(tf.metrics, name)(y, p, **CURVED[name], **o)

    names = ["auc", "recall_at_thresholds", "false_positives_at_thresholds"]
    return {n: over_batches(tf, np, make(n), [], [tf.int32, tf.float32], nodes=True) for n in names} | {
        "unknown": over_batches(tf, np, make("recall_at_thresholds"), [], [tf.int32, tf.float32], known=(None,), nodes=True)
    }


@program
def areas(tf, np):
    batches = pairs(LABELS, CHANCES)
    return {
        f"{curve} {method}": over_batches(
            tf,
            np,
            lambda y, p, c=curve, m=method, **o: tf.metrics.auc(y, p, num_thresholds=7, curve=c, summation_method=m, **o),
            batches,
            [tf.int32, tf.float32],
        )
        for curve in ("ROC", "PR")
        for method in ("trapezoidal", "careful_interpolation", "minoring", "majoring")
    } | {
        "own thresholds": over_batches(
            tf, np, lambda y, p, **o: tf.metrics.auc(y, p, thresholds=[0.7, 0.2], **o), batches, [tf.bool, tf.float32]
        ),
        "all thresholds": over_batches(tf, np, tf.metrics.auc, batches, [tf.bool, tf.float32]),
    }


@program
def of_classes(tf, np):
    m = tf.metrics
    labels, predicted = [[0, 1, 2, 2], [1, 1, 0, 2]], [[0, 2, 2, 1], [1, 0, 0, 2]]
    batches, types, n = pairs(labels, predicted), [tf.int64, tf.int64], 4
    iou, each = (lambda y, p, **o: m.mean_iou(y, p, n, **o)), (lambda y, p, **o: m.mean_per_class_accuracy(y, p, n, **o))
    return {
        "iou": over_batches(tf, np, iou, batches, types),
        "iou weighted": over_batches(tf, np, iou, batches, types, weights=WEIGHTS),
        "each class": over_batches(tf, np, each, batches, types, nodes=True),
        "each class weighted": over_batches(tf, np, each, batches, types, weights=WEIGHTS),
        "of a matrix": over_batches(tf, np, each, [([row], [row]) for row in labels], types, known=(1, 4)),
    }


SCORES = [[[0.1, 0.5, 0.3, 0.2], [0.4, 0.1, 0.2, 0.3]], [[0.9, 0.0, 0.05, 0.3], [0.2, 0.3, 0.4, 0.1]]]
ONE_LABEL = [[1, 2], [3, 0]]
LABEL_SETS = [[[1, 2], [0, 3]], [[3, -1], [2, 2]]]


def ranked(tf, np, name, labels, k=2, sparse=False, nodes=False, weights=None, **options):
    def run():
        scores = tf.placeholder(tf.float32, [2, 4], name="scores")
        if sparse:
            given = tf.sparse_placeholder(tf.int64, name="labels")
        else:
            given = tf.placeholder(tf.int64, np.shape(labels[0]), name="labels")
        value, update = getattr(tf.metrics, name)(given, scores, k, weights=weights, metrics_collections=["values"],
                                                  updates_collections=["updates"], **options)  # fmt: skip
        found = []
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            for s, y in zip(SCORES, labels, strict=True):
                y = tf.SparseTensorValue(np.argwhere(np.ones([2, 2])), np.array(y).reshape(-1), [2, 2]) if sparse else y
                found += [session.run(update, {scores: s, given: y}), session.run(value)]
        named = [value.name, update.name, [v.name for v in tf.local_variables()]]
        return [named, found, graph_of(tf) if nodes else None]

    return fresh(tf, run)


@program
def of_the_best(tf, np):
    names = ["precision_at_k", "recall_at_k", "average_precision_at_k", "sparse_precision_at_k", "sparse_average_precision_at_k"]
    found = {}
    for name in names:
        for k in (1, 2, 3):
            found[f"{name} {k}"] = ranked(tf, np, name, LABEL_SETS, k)
        found[f"{name} one label"] = ranked(tf, np, name, ONE_LABEL)
        found[f"{name} weighted"] = ranked(tf, np, name, ONE_LABEL, weights=[0.5, 2.0])
        found[f"{name} sparse"] = ranked(tf, np, name, [[[1, 2], [0, 3]], [[3, 1], [2, 1]]], sparse=True)
    for name in ("precision_at_k", "recall_at_k"):
        found[f"{name} class"] = ranked(tf, np, name, LABEL_SETS, class_id=2)
        found[f"{name} sparse class"] = ranked(tf, np, name, [[[1, 2], [0, 3]], [[3, 1], [2, 1]]], sparse=True, class_id=1)
    return found


@program
def nodes_of_the_best(tf, np):
    return {
        "precision": ranked(tf, np, "precision_at_k", LABEL_SETS, nodes=True),
        "recall": ranked(tf, np, "recall_at_k", ONE_LABEL, nodes=True),
        "average": ranked(tf, np, "average_precision_at_k", LABEL_SETS, nodes=True),
    }


@program
def of_the_best_numbers(tf, np):
    def run(name):
        f = getattr(tf.metrics, name)
        value, update = f(tf.constant(LABEL_SETS[0], tf.int64), tf.constant([[1, 0], [0, 2]], tf.int64))
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            return [value.name, update.name, session.run(update), session.run(value)]

    return {n: fresh(tf, lambda n=n: run(n)) for n in ("precision_at_top_k", "recall_at_top_k")}


@program
def where_the_totals_are_kept(tf, np):
    m = tf.metrics
    with tf.variable_scope("outer"):
        m.accuracy([1], [1])
        m.accuracy([1], [1])
        m.precision([1], [1], name="mine")
    return [
        [v.name for v in tf.local_variables()],
        [v.name for v in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)],
        tf.global_variables(),
        tf.trainable_variables(),
    ]


@program
def what_is_refused(tf, np):
    m = tf.metrics
    return [
        fresh(tf, lambda: m.accuracy([1, 2], [1, 2, 3])),
        fresh(tf, lambda: m.mean([1.0, 2.0], weights=[1.0, 2.0, 3.0])),
        fresh(tf, lambda: m.auc([1], [0.5], curve="none")),
        fresh(tf, lambda: m.auc([1], [0.5], summation_method="none")),
        fresh(tf, lambda: m.sensitivity_at_specificity([1], [0.5], 1.5)),
        fresh(tf, lambda: m.specificity_at_sensitivity([1], [0.5], -0.5)),
        fresh(tf, lambda: m.average_precision_at_k(tf.constant([[1]], tf.int64), [[0.5, 0.2]], 0)),
    ]


@program
def chances_out_of_range(tf, np):
    labels, chances = tf.placeholder(tf.bool, [1]), tf.placeholder(tf.float32, [1])
    _, update = tf.metrics.auc(labels, chances)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        try:
            session.run(update, {labels: [True], chances: [1.5]})
        except tf.errors.InvalidArgumentError as error:
            return "predictions must be in [0, 1]" in error.message
    return None


@program
def signatures(tf, np):
    return {name: signature_text(getattr(tf.metrics, name)) for name in sorted(dir(tf.metrics)) if name[0].islower()}
