"""tf.keras.metrics: nodes, variables, values over batches, configurations and refusals."""

from harness import attempt, fresh, graph_of, program, signature_text

CLASSES = (
    "AUC", "Accuracy", "BinaryAccuracy", "BinaryCrossentropy", "CategoricalAccuracy", "CategoricalCrossentropy",
    "CategoricalHinge", "CosineSimilarity", "FalseNegatives", "FalsePositives", "Hinge", "KLDivergence", "LogCoshError", "Mean",
    "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanIoU", "MeanRelativeError", "MeanSquaredError",
    "MeanSquaredLogarithmicError", "MeanTensor", "Metric", "Poisson", "Precision", "Recall", "RootMeanSquaredError",
    "SensitivityAtSpecificity", "SparseCategoricalAccuracy", "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy",
    "SpecificityAtSensitivity", "SquaredHinge", "Sum", "TopKCategoricalAccuracy", "TrueNegatives", "TruePositives",
)  # fmt: skip
FUNCTIONS = (
    "binary_accuracy", "categorical_accuracy", "sparse_categorical_accuracy", "top_k_categorical_accuracy",
    "sparse_top_k_categorical_accuracy", "cosine_proximity", "mean_squared_error", "mae", "binary_crossentropy",
)  # fmt: skip
LABELS = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
OUTPUTS = [[0.25, 0.75], [0.5, 0.375], [0.125, 0.875]]
ONE_HOT = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
CLASS_OUTPUTS = [[0.125, 0.75, 0.125], [0.25, 0.25, 0.5], [0.125, 0.25, 0.625]]
NUMBERS = [[1], [0], [2]]
WEIGHTS = [1.0, 0.5, 0.25]
# (class, options, labels, outputs)
METRICS = (
    ("Accuracy", {}, [[1.0], [2.0], [3.0]], [[1.0], [0.0], [3.0]]),
    ("BinaryAccuracy", {}, LABELS, OUTPUTS),
    ("BinaryAccuracy", {"threshold": 0.25, "name": "mine"}, LABELS, OUTPUTS),
    ("BinaryCrossentropy", {}, LABELS, OUTPUTS),
    ("BinaryCrossentropy", {"from_logits": True, "label_smoothing": 0.25}, LABELS, OUTPUTS),
    ("CategoricalAccuracy", {}, ONE_HOT, CLASS_OUTPUTS),
    ("CategoricalCrossentropy", {}, ONE_HOT, CLASS_OUTPUTS),
    ("CategoricalCrossentropy", {"from_logits": True}, ONE_HOT, CLASS_OUTPUTS),
    ("SparseCategoricalAccuracy", {}, NUMBERS, CLASS_OUTPUTS),
    ("SparseCategoricalCrossentropy", {}, NUMBERS, CLASS_OUTPUTS),
    ("SparseCategoricalCrossentropy", {"from_logits": True}, NUMBERS, CLASS_OUTPUTS),
    ("TopKCategoricalAccuracy", {"k": 1}, ONE_HOT, CLASS_OUTPUTS),
    ("SparseTopKCategoricalAccuracy", {"k": 2}, NUMBERS, CLASS_OUTPUTS),
    ("MeanSquaredError", {}, LABELS, OUTPUTS),
    ("RootMeanSquaredError", {}, LABELS, OUTPUTS),
    ("MeanAbsoluteError", {}, LABELS, OUTPUTS),
    ("MeanAbsolutePercentageError", {}, LABELS, OUTPUTS),
    ("MeanSquaredLogarithmicError", {}, LABELS, OUTPUTS),
    ("Hinge", {}, LABELS, OUTPUTS),
    ("SquaredHinge", {}, LABELS, OUTPUTS),
    ("CategoricalHinge", {}, LABELS, OUTPUTS),
    ("LogCoshError", {}, LABELS, OUTPUTS),
    ("Poisson", {}, LABELS, OUTPUTS),
    ("KLDivergence", {}, LABELS, OUTPUTS),
    ("CosineSimilarity", {}, LABELS, OUTPUTS),
    ("MeanRelativeError", {"normalizer": [1.0, 2.0, 4.0]}, [1.0, 3.0, 2.0], [2.0, 0.5, 2.5]),
    ("TruePositives", {}, LABELS, OUTPUTS),
    ("TrueNegatives", {"thresholds": [0.25, 0.625]}, LABELS, OUTPUTS),
    ("FalsePositives", {"thresholds": 0.125}, LABELS, OUTPUTS),
    ("FalseNegatives", {}, LABELS, OUTPUTS),
    ("Precision", {}, LABELS, OUTPUTS),
    ("Precision", {"top_k": 1}, ONE_HOT, CLASS_OUTPUTS),
    ("Precision", {"thresholds": [0.25, 0.625]}, LABELS, OUTPUTS),
    ("Recall", {}, LABELS, OUTPUTS),
    ("Recall", {"class_id": 1}, LABELS, OUTPUTS),
    ("Recall", {"top_k": 2, "class_id": 0}, ONE_HOT, CLASS_OUTPUTS),
    ("AUC", {}, LABELS, OUTPUTS),
    ("AUC", {"num_thresholds": 5, "curve": "PR"}, LABELS, OUTPUTS),
    ("AUC", {"num_thresholds": 5, "summation_method": "minoring"}, LABELS, OUTPUTS),
    ("AUC", {"thresholds": [0.25, 0.5], "summation_method": "majoring", "curve": "PR"}, LABELS, OUTPUTS),
    ("SensitivityAtSpecificity", {"specificity": 0.5, "num_thresholds": 5}, LABELS, OUTPUTS),
    ("SpecificityAtSensitivity", {"sensitivity": 0.75, "num_thresholds": 1}, LABELS, OUTPUTS),
    ("MeanIoU", {"num_classes": 3}, [0.0, 1.0, 2.0], [0.0, 2.0, 2.0]),
)


def named(values):
    return [getattr(value, "name", value) for value in values]


def made(tf, name, options):
    return getattr(tf.keras.metrics, name)(**options)


@program
def signatures(tf, np):
    told = {}
    for name in CLASSES:
        kind = getattr(tf.keras.metrics, name)
        told[name] = signature_text(kind.__init__)
        told[name + ".update_state"] = signature_text(kind.update_state)
    for name in FUNCTIONS + ("get", "serialize", "deserialize"):
        told[name] = signature_text(getattr(tf.keras.metrics, name))
    told["add_weight"] = signature_text(tf.keras.metrics.Metric.add_weight)
    told["public"] = sorted(name for name in dir(tf.keras.metrics) if name[0] != "_")
    return told


def called(name, options, labels, outputs):
    def run(tf, np):
        metric = made(tf, name, options)
        value = metric(tf.constant(labels), tf.constant(outputs))
        graph = graph_of(tf)
        again = attempt(lambda: metric(tf.constant(labels), tf.constant(outputs), sample_weight=tf.constant(WEIGHTS)))
        weighted = again if hasattr(again, "graph") else value
        told = [value, again, graph, named(metric.variables), named(metric.weights), named(metric.trainable_weights)]
        with tf.Session() as session:
            session.run(tf.variables_initializer(metric.variables))
            told += [session.run(value), session.run(weighted), session.run(value)]
            told += [session.run(variable) for variable in metric.variables]
            metric.reset_states()
            told += [session.run(variable) for variable in metric.variables]
            told.append(session.run(metric.result()))
        return told

    return run


for number, case in enumerate(METRICS):
    each = called(*case)
    each.__name__, each.__module__ = f"{case[0]}_{number}", __name__
    program(each)


@program
def weighted_graph(tf, np):
    told = []
    for name, options, labels, outputs in (METRICS[n] for n in (1, 14, 25, 27, 31, 39, 42)):

        def graph(name=name, options=options, labels=labels, outputs=outputs):
            metric = made(tf, name, options)
            update = metric.update_state(tf.constant(labels), tf.constant(outputs), tf.constant(WEIGHTS))
            return [update, named(metric.updates), metric.result(), graph_of(tf)]

        told.append(fresh(tf, graph))
    return told


@program
def means_and_sums(tf, np):
    told = []
    for name in ("Mean", "Sum", "MeanTensor"):
        for weights in (None, [1.0, 0.5], [[1.0], [0.25]]):

            def graph(name=name, weights=weights):
                metric = made(tf, name, {})
                weight = None if weights is None else tf.constant(weights)
                value = metric(tf.constant([[1.0, 2.0], [3.0, 5.0]]), sample_weight=weight)
                told = [value, graph_of(tf), named(metric.variables)]
                with tf.Session() as session:
                    session.run(tf.variables_initializer(metric.variables))
                    told += [session.run(value), session.run(value), [session.run(each) for each in metric.variables]]
                return told

            told.append(fresh(tf, graph))
    return told


@program
def values_that_are_no_tensors(tf, np):
    mean = tf.keras.metrics.Mean(name="of_numbers")
    updates = [mean.update_state([1, 3, 5, 7], sample_weight=[1, 1, 0, 0]), mean.update_state(8.0)]
    result = mean.result()
    with tf.Session() as session:
        session.run(tf.variables_initializer(mean.variables))
        for update in updates:
            session.run(update)
        return [session.run(result), updates, graph_of(tf)]


@program
def functions(tf, np):
    metrics = tf.keras.metrics
    told = []
    with tf.Session() as session:
        for name in FUNCTIONS:
            labels, outputs = (LABELS, OUTPUTS)
            if "categorical" in name:
                labels, outputs = (NUMBERS if "sparse" in name else ONE_HOT), CLASS_OUTPUTS
            options = {"k": 2} if "top_k" in name else {}
            value = getattr(metrics, name)(tf.constant(labels), tf.constant(outputs), **options)
            told.append([name, value, session.run(value)])
        told.append(session.run(metrics.binary_accuracy(LABELS, tf.constant(OUTPUTS), threshold=0.3)))
        flat = metrics.sparse_categorical_accuracy(tf.constant([1, 2, 0]), tf.constant(CLASS_OUTPUTS))
        told += [flat, session.run(flat)]
    return [told, graph_of(tf)]


@program
def metrics_of_one_name(tf, np):
    told = []
    for _ in range(2):
        metric = tf.keras.metrics.Mean()
        metric.update_state([1.0])
        told += [metric.name, named(metric.variables)]
    with tf.name_scope("scope"):
        metric = tf.keras.metrics.MeanSquaredError()
        told += [metric.name, named(metric.variables), metric([1.0], [2.0])]
    told += [tf.keras.metrics.AUC().name, tf.keras.metrics.AUC().name, tf.keras.metrics.Precision().name]
    told += [tf.keras.metrics.Precision().name, tf.keras.metrics.MeanIoU(2).name, tf.keras.metrics.TruePositives().name]
    return [told, graph_of(tf)]


@program
def facts(tf, np):
    metric = tf.keras.metrics.Mean(name="m", dtype=tf.float64)
    before = [metric.name, metric.dtype, metric.built, metric.stateful, metric.trainable, metric.updates]
    update = metric.update_state([1.0])
    told = [before, update, named(metric.updates), named(metric.losses), metric.get_config(), metric.count_params()]
    told += [metric.total, metric.count, metric.result()]
    told.append(fresh(tf, lambda: tf.keras.metrics.MeanTensor().result()))
    told.append([tf.keras.metrics.MeanTensor().total, tf.keras.metrics.MeanTensor().built])
    return told


@program
def configurations(tf, np):
    metrics = tf.keras.metrics
    told = []
    for name, options, _, _ in METRICS:
        if name == "MeanRelativeError":
            continue
        metric = made(tf, name, options)
        config = metrics.serialize(metric)
        told.append([config, attempt(lambda config=config: metrics.serialize(metrics.deserialize(config)) == config)])
    return told


@program
def got_by_name(tf, np):
    metrics = tf.keras.metrics
    told = []
    for name in FUNCTIONS[:-2] + ("mse", "MSE", "mean_squared_error", "cosine_similarity", "accuracy", "acc", "kld", "AUC"):
        found = attempt(lambda name=name: metrics.get(name))
        told.append([name, getattr(found, "__name__", type(found).__name__ if not hasattr(found, "text") else found)])
    mean = metrics.Mean()
    told.append(metrics.get(mean) is mean)
    told.append(metrics.get({"class_name": "Mean", "config": {"name": "m"}}).name)
    told.append(metrics.serialize(metrics.binary_accuracy))
    for wrong in ("other", 3, None):
        told.append(attempt(lambda wrong=wrong: metrics.get(wrong)))
    return told


@program
def refused(tf, np):
    metrics = tf.keras.metrics
    trials = (
        lambda: metrics.AUC(num_thresholds=1),
        lambda: metrics.AUC(curve="other"),
        lambda: metrics.AUC(summation_method="other"),
        lambda: metrics.AUC(thresholds=[2.0]),
        lambda: metrics.Precision(thresholds=[-1.0]),
        lambda: metrics.Precision(thresholds=[None]),
        lambda: metrics.SensitivityAtSpecificity(2.0),
        lambda: metrics.SensitivityAtSpecificity(0.5, num_thresholds=0),
        lambda: metrics.SpecificityAtSensitivity(-1.0),
        lambda: metrics.Mean()([[1.0, 2.0]], sample_weight=[1.0, 2.0, 3.0]),
        lambda: metrics.MeanSquaredError()([1.0, 2.0], [1.0, 2.0, 3.0]),
        lambda: metrics.Accuracy()([1.0, 2.0], [1.0, 2.0, 3.0]),
        lambda: metrics.TruePositives()([1.0, 2.0], [1.0, 2.0, 3.0]),
    )
    told = [fresh(tf, trial) for trial in trials]

    def reshaped():
        metric = metrics.MeanTensor()
        metric([1.0, 2.0])
        return metric([1.0, 2.0, 3.0])

    return [told, fresh(tf, reshaped)]


@program
def own_metric(tf, np):
    class Positives(tf.keras.metrics.Metric):
        """Counts outputs above 0."""

        def __init__(self, name="positives", **kwargs):
            super().__init__(name=name, **kwargs)
            self.positives = self.add_weight(name="number", initializer="zeros")
            self.seen = self.add_weight("seen", initializer=tf.ones_initializer(), dtype=tf.int32)

        def update_state(self, y_true, y_pred, sample_weight=None):
            self.seen.assign_add(self.seen)
            self.positives.assign_add(tf.reduce_sum(tf.cast(y_pred > 0, tf.float32)))
            self.seen.assign_add(2)

        def result(self):
            return self.positives

    metric = Positives()
    value = metric(tf.constant([1.0, 2.0]), tf.constant([1.0, -2.0]))
    told = [value, len(metric.updates), named(metric.variables), metric.get_config()]
    with tf.Session() as session:
        session.run(tf.variables_initializer(metric.variables))
        told += [session.run(value), session.run(value), session.run(metric.seen)]
        metric.reset_states()
        told.append(session.run([metric.positives, metric.seen]))
    return told


@program
def own_metrics_of_known_classes(tf, np):
    class Doubled(tf.keras.metrics.Mean):
        def update_state(self, values, sample_weight=None):
            return super().update_state(2.0 * values, sample_weight)

        def result(self):
            return super().result() + 1.0

    metric = Doubled("doubled")
    value = metric(tf.constant([1.0, 2.0]))
    told = [value, len(metric.updates)]
    with tf.Session() as session:
        session.run(tf.variables_initializer(metric.variables))
        return told + [session.run(value), session.run(value), session.run(metric.variables)]
