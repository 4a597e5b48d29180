"""The targets of tf.contrib.layers: losses, predictions, metrics of logits and labels, errors."""

from harness import attempt, fresh, graph_of, program, signature_text


def private(tf, name):
    """A function that 1.15 has in a module of contrib's, and tfedu beside its others."""
    if hasattr(tf.contrib.layers, name):
        return getattr(tf.contrib.layers, name)
    import importlib

    return getattr(importlib.import_module("tensorflow.contrib.layers.python.layers.target_column"), name)


@program
def signatures(tf, np):
    return {name: signature_text(private(tf, name)) for name in ("binary_svm_target", "multi_class_target", "regression_target")}


def cases(tf):
    L = tf.contrib.layers
    two, three = [[1.0], [-2.0], [0.5]], [[1.0, 2.0, -1.0], [0.0, 0.5, 3.0], [2.0, 1.0, 0.0]]
    return {
        "numbers": (lambda **o: L.regression_target(**o), two, [1.0, 0.0, 2.0]),
        "pairs of numbers": (lambda **o: L.regression_target(label_dimension=3, **o), three, three[::-1]),
        "two classes": (lambda **o: L.multi_class_target(2, **o), two, [1, 0, 0]),
        "three classes": (lambda **o: L.multi_class_target(3, **o), three, [[1], [2], [1]]),
        "hinges": (lambda **o: private(tf, "binary_svm_target")(**o), two, [[1], [1], [0]]),
    }


@program
def losses_and_predictions(tf, np):
    def made(make, logits, labels, weights):
        target = make(**({"weight_column_name": "w", "label_name": "y"} if weights else {}))
        logits, labels = tf.constant(logits, name="logits"), tf.constant(labels, name="labels")
        features = {"w": tf.constant([[1.0], [0.5], [2.0]])} if weights else {}
        losses = [target.training_loss(logits, labels, features), target.loss(logits, labels, features)]
        fetched = [*losses, target.logits_to_predictions(logits)]
        chances = attempt(lambda: tf.Session().run(target.logits_to_predictions(logits, proba=True)))
        told = [target.num_label_columns, target.problem_type, target.label_name, target.weight_column_name]
        return [told, [t.name for t in fetched], tf.Session().run(fetched), chances, graph_of(tf)]

    return {
        name + (", weighted" if weights else ""): fresh(tf, lambda a=row, w=weights: made(*a, weights=w))
        for name, row in cases(tf).items()
        for weights in (False, True)
    }


@program
def metrics_of_targets(tf, np):
    M = tf.contrib.metrics

    def made(make, logits, labels, weights, metrics):
        target = make(**({"weight_column_name": "w"} if weights else {}))
        features = {"w": tf.constant([1.0, 0.5, 2.0])} if weights else {}
        found = target.get_eval_ops(features, tf.constant(logits), tf.constant(labels), metrics)
        keys = sorted(found)
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            for key in keys:
                session.run(found[key][1])
            return [keys, [session.run(found[key][0]) for key in keys], sorted(v.name for v in tf.local_variables())]

    several = {
        "numbers": {"error": M.streaming_mean_absolute_error},
        "three classes": {("right", "classes"): M.streaming_accuracy, "plain": M.streaming_accuracy},
        "two classes": {("mean", "probabilities"): lambda p, y, weights=None: M.streaming_mean(p)},
    }
    rows = cases(tf)
    return {
        name: [
            fresh(tf, lambda a=rows[name], w=w, m=m: made(*a, weights=w, metrics=m))
            for w in (False, True)
            for m in (None, several[name])
        ]
        for name in several
    }


@program
def refusals(tf, np):
    L = tf.contrib.layers
    two = L.multi_class_target(2)
    logits, labels = tf.constant([[1.0], [2.0]]), tf.constant([1, 0])

    def measured(metrics):
        return lambda: two.get_eval_ops({}, logits, labels, metrics)

    calls = [
        lambda: L.multi_class_target(1),
        lambda: L.multi_class_target(3).loss(tf.zeros([2, 3]), tf.constant([1.0, 2.0]), {}),
        lambda: L.regression_target().loss(tf.zeros([2, 3]), tf.zeros([2, 1]), {}),
        measured({("a", "b", "c"): None}),
        measured({("a", "b"): None}),
        measured({3: None}),
    ]
    return [attempt(call) for call in calls]
