"""tf.contrib.metrics that tf.metrics has not: values and updates over batches, names, variables, collections, errors."""

from harness import attempt, fresh, graph_of, program, signature_text

RATES = "streaming_false_positive_rate streaming_false_negative_rate"
AT_THRESHOLDS = "streaming_false_positive_rate_at_thresholds streaming_false_negative_rate_at_thresholds"
CURVES = "streaming_curve_points recall_at_precision precision_at_recall"
NAMES = (
    RATES + " " + AT_THRESHOLDS + " " + CURVES + " precision_recall_at_equal_thresholds auc_using_histogram "
    "auc_with_confidence_intervals sparse_recall_at_top_k streaming_concat streaming_dynamic_auc "
    "streaming_sparse_average_precision_at_top_k streaming_sparse_precision_at_top_k"
)
LABELS = [[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 1]]
PREDICTED = [[1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 0]]
CHANCES = [[0.9, 0.6, 0.25, 0.75], [0.125, 0.0, 1.0, 0.5], [0.8, 0.3, 0.45, 0.05]]
WEIGHTS = [[1.0, 0.5, 2.0, 0.0], [1.0, 1.0, 1.0, 1.0], [0.0, 3.0, 1.0, 0.25]]


def over_batches(tf, make, batches, types, weights=None, shapes=((4,), (4,)), nodes=False, collections=True):
    """The value before anything; after each batch the update and the value; names, variables, collections."""

    def run():
        fed = [tf.placeholder(t, shape, name=f"in_{i}") for i, (t, shape) in enumerate(zip(types, shapes))]
        options = {"metrics_collections": ["values"], "updates_collections": ["updates"]} if collections else {}
        if weights is not None:
            options["weights"] = tf.placeholder(tf.float32, shapes[0], name="weights")
        value, update = make(*fed, **options)
        found = []
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            found.append(session.run(value))
            for i, batch in enumerate(batches):
                feeds = dict(zip(fed, batch))
                if weights is not None:
                    feeds[options["weights"]] = weights[i]
                session.run(update, feeds)
                found.append(session.run(value))
        parts = list(value) if isinstance(value, tuple) else [value]
        named = [[part.name for part in parts], update.name, [v.name for v in tf.local_variables()]]
        return [named, found, graph_of(tf) if nodes else [len(tf.get_collection("values")), len(tf.get_collection("updates"))]]

    return fresh(tf, run)


def binary(rows):
    return [(row, labels) for row, labels in zip(rows, LABELS)]


@program
def signatures(tf, np):
    return {name: signature_text(getattr(tf.contrib.metrics, name)) for name in NAMES.split()}


@program
def rates(tf, np):
    M = tf.contrib.metrics
    found = {}
    for weights in (None, WEIGHTS):
        for name in RATES.split():
            key = name + (" weighted" if weights else "")
            found[key] = over_batches(tf, getattr(M, name), binary(PREDICTED), ["int32", "int32"], weights, nodes=True)
        for name in AT_THRESHOLDS.split():
            key, metric = name + (" weighted" if weights else ""), getattr(M, name)

            def make(p, y, f=metric, **options):
                return f(p, y, [0.0, 0.3, 0.5, 0.9], **options)

            found[key] = over_batches(tf, make, binary(CHANCES), ["float32", "int32"], weights, nodes=True)
    return found


@program
def curves(tf, np):
    M = tf.contrib.metrics
    calls = {
        "roc": lambda p, y, **o: M.streaming_curve_points(y, p, num_thresholds=5, **o),
        "pr": lambda p, y, **o: M.streaming_curve_points(labels=y, predictions=p, num_thresholds=7, curve="PR", name="mine", **o),
        "recall": lambda p, y, **o: M.recall_at_precision(y, p, 0.7, num_thresholds=9, **o),
        "recall, strictly": lambda p, y, **o: M.recall_at_precision(y, p, 0.7, num_thresholds=9, strict_mode=True, **o),
        "recall, never": lambda p, y, **o: M.recall_at_precision(1 - y, p, 0.99, num_thresholds=9, strict_mode=True, **o),
        "precision": lambda p, y, **o: M.precision_at_recall(y, p, 0.6, num_thresholds=9, **o),
    }
    types = ["float32", "int32"]
    return {
        name: [over_batches(tf, call, binary(CHANCES), types, weights) for weights in (None, WEIGHTS)]
        for name, call in calls.items()
    }


@program
def equal_thresholds(tf, np):
    def make(p, y, **options):
        return tf.contrib.metrics.precision_recall_at_equal_thresholds(y, p, num_thresholds=6, **options)

    types = ["float32", "bool"]
    found = [over_batches(tf, make, binary(CHANCES), types, weights, collections=False) for weights in (None, WEIGHTS)]

    def refused(predictions):
        made = tf.contrib.metrics.precision_recall_at_equal_thresholds(tf.constant([True]), tf.constant(predictions))
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            return attempt(lambda: session.run(made[1]))

    counts = tf.contrib.metrics.precision_recall_at_equal_thresholds
    wrong = fresh(tf, lambda: attempt(lambda: counts(tf.constant([1]), tf.constant([0.5]))))
    return [found, fresh(tf, lambda: refused([1.5])).classes[0], wrong.classes[0]]


@program
def concatenated(tf, np):
    concat = tf.contrib.metrics.streaming_concat
    columns = [([[1.0, 2.0], [3.0, 4.0]],), ([[5.0, 6.0], [7.0, 8.0]],), ([[9.0, 10.0], [11.0, 12.0]],)]
    growing = [(np.arange(n),) for n in (1, 2, 3, 0, 10)]
    calls = {
        "rows": (lambda x, **o: concat(x, **o), columns, ["float32"], [(None, 2)]),
        "columns": (lambda x, **o: concat(x, axis=1, **o), columns, ["float32"], [(2, None)]),
        "the last axis": (lambda x, **o: concat(x, axis=-1, name="mine", **o), columns, ["float32"], [(2, None)]),
        "three at most": (lambda x, **o: concat(x, max_size=3, **o), columns, ["float32"], [(None, 2)]),
        "none at most": (lambda x, **o: concat(x, max_size=0, **o), columns, ["float32"], [(None, 2)]),
        "a vector": (lambda x, **o: concat(x, **o), growing, ["int64"], [(None,)]),
    }
    refused = [
        lambda: concat(tf.placeholder(tf.float32)),
        lambda: concat(tf.placeholder(tf.float32, [2, 3]), axis=2),
        lambda: concat(tf.placeholder(tf.float32, [2, 3]), axis=-3),
        lambda: concat(tf.placeholder(tf.float32, [2, None])),
    ]
    return [
        {name: over_batches(tf, make, batches, types, shapes=shapes) for name, (make, batches, types, shapes) in calls.items()},
        [fresh(tf, lambda f=f: attempt(f)) for f in refused],
    ]


@program
def areas(tf, np):
    M = tf.contrib.metrics
    dynamic = {
        curve: [
            over_batches(tf, lambda p, y, c=curve, **o: M.streaming_dynamic_auc(y, p, c, **o), binary(CHANCES), ["float32", "int32"], w)
            for w in (None, WEIGHTS)
        ]
        for curve in ("ROC", "PR")
    }
    ties = [([0.5, 0.5, 0.25, 0.5], [1, 0, 1, 0]), ([0.5, 0.0, 1.0, 0.25], [1, 0, 1, 0])]
    dynamic["ties"] = over_batches(tf, lambda p, y, **o: M.streaming_dynamic_auc(y, p, **o), ties, ["float32", "int64"])
    sure = {
        name: over_batches(tf, lambda p, y, a=options, **o: M.auc_with_confidence_intervals(y, p, **dict(a, **o)), binary(CHANCES), ["float32", "int32"], w, collections=False)
        for name, options, w in (("plain", {}, None), ("no logit", {"logit_transformation": False}, None), ("weighted", {"alpha": 0.5}, WEIGHTS))
    }
    histograms = over_batches(
        tf, lambda p, y, **o: M.auc_using_histogram(y, p, [0.0, 1.0], nbins=5), binary(CHANCES), ["float32", "bool"], collections=False
    )  # fmt: skip

    def wrong_labels(f):
        made = f(tf.constant([2, 0]), tf.constant([0.5, 0.25]))
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            return attempt(lambda: session.run(made[1]))

    refused = [
        lambda: M.streaming_dynamic_auc(tf.constant([1]), tf.constant([0.5]), curve="TP"),
        lambda: M.auc_with_confidence_intervals(tf.constant([1]), tf.constant([0.5]), alpha=1.0),
        lambda: M.streaming_curve_points(tf.constant([1]), tf.constant([0.5]), curve="TP"),
        lambda: M.recall_at_precision(tf.constant([1]), tf.constant([0.5]), 1.5),
        lambda: M.precision_at_recall(tf.constant([1]), tf.constant([0.5]), -0.5),
    ]
    return [
        dynamic, sure, histograms, [fresh(tf, lambda f=f: attempt(f)) for f in refused],
        [fresh(tf, lambda f=f: wrong_labels(f)).classes[0] for f in (M.streaming_dynamic_auc, M.auc_with_confidence_intervals)],
    ]  # fmt: skip


@program
def at_top_k(tf, np):
    M = tf.contrib.metrics
    best = [[[3, 1], [2, 0]], [[1, 0], [0, 3]]]
    labels = [[[1, 2], [0, 2]], [[3, 3], [0, 1]]]
    batches = list(zip(best, labels))
    types, shapes = ["int64", "int64"], [(2, 2), (2, 2)]
    calls = {
        "precision": lambda p, y, **o: M.streaming_sparse_precision_at_top_k(p, y, **o),
        "precision of a class": lambda p, y, **o: M.streaming_sparse_precision_at_top_k(p, y, class_id=1, name="mine", **o),
        "recall": lambda p, y, **o: M.sparse_recall_at_top_k(y, p, **o),
        "recall of a class": lambda p, y, **o: M.sparse_recall_at_top_k(y, p, class_id=2, **o),
        "average precision": lambda p, y, **o: M.streaming_sparse_average_precision_at_top_k(p, y, **o),
    }
    return {name: over_batches(tf, call, batches, types, shapes=shapes, nodes=True) for name, call in calls.items()}
