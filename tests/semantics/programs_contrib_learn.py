"""tf.contrib.learn without estimators: repeated runs, columns of numbers from arrays, keys, the last steps of sequences."""

from harness import attempt, fresh, graph_of, program, signature_text


def of_rnn(tf, name):
    """A function that 1.15 has in a module of contrib's, and tfedu beside its others."""
    if hasattr(tf.contrib.learn, name):
        return getattr(tf.contrib.learn, name)
    import importlib

    return getattr(importlib.import_module("tensorflow.contrib.learn.python.learn.estimators.rnn_common"), name)


@program
def signatures(tf, np):
    learn = "infer_real_valued_columns_from_input infer_real_valued_columns_from_input_fn run_feeds run_n"
    rnn = "apply_dropout mask_activations_and_labels select_last_activations"
    return [
        {name: signature_text(getattr(tf.contrib.learn, name)) for name in learn.split() if name != "run_feeds"},
        {name: signature_text(of_rnn(tf, name)) for name in rnn.split()},
    ]


@program
def keys(tf, np):
    L = tf.contrib.learn
    classes = {
        "ModeKeys": "TRAIN EVAL INFER", "ProblemType": "UNSPECIFIED CLASSIFICATION LINEAR_REGRESSION LOGISTIC_REGRESSION",
        "PredictionKey": "CLASSES PROBABILITIES LOGITS LOGISTIC SCORES TOP_K GENERIC", "TaskType": "MASTER PS WORKER",
    }  # fmt: skip
    return [
        {name: [getattr(getattr(L, name), key) for key in words.split()] for name, words in classes.items()},
        attempt(lambda: L.ModeKeys.validate("train")),
        attempt(lambda: L.ModeKeys.validate("predict")),
        [c.__name__ for c in L.NotFittedError.__mro__[:3]],
    ]


@program
def columns_of_arrays(tf, np):
    infer = tf.contrib.learn.infer_real_valued_columns_from_input
    inputs = [
        np.zeros([5, 3]), np.zeros([5], "float32"), np.zeros([5, 2, 2], "float32"), np.zeros([5, 3], "int64"),
        {"a": np.zeros([5, 2], "float32"), "b": np.zeros([5], "int64")},
    ]  # fmt: skip
    of_function = tf.contrib.learn.infer_real_valued_columns_from_input_fn(lambda: ({"a": tf.zeros([3, 2])}, None))
    found = [infer(x) for x in inputs]
    found.append(of_function)
    return [
        [[[c.name, c.dimension, c.dtype.name, c.key] for c in columns] for columns in found],
        attempt(lambda: infer(None)),
        len(graph_of(tf)["nodes"]),
    ]


@program
def repeated_runs(tf, np):
    L = tf.contrib.learn
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.Variable([1.0, 2.0], name="v")
    local = tf.get_variable("local", initializer=3.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    more = tf.assign_add(v, [1.0, 1.0])
    batch = tf.train.batch([tf.constant(3)], 2)
    return [
        L.run_n({"y": v * 2, "l": local}, n=2),
        L.run_n({"more": more + 0.0}, n=3),
        L.run_n({"y": x + v}, feed_dict={x: [1.0, 1.0]}),
        L.run_feeds({"y": x + v}, [{x: [1.0, 1.0]}, {x: [5.0, 1.0]}]),
        L.run_n({"batch": batch}, n=2),
        L.run_n({"y": v}, n=0),
        attempt(lambda: L.run_n({})),
        attempt(lambda: L.run_feeds({"y": v}, [])),
    ]


@program
def padded_sequences(tf, np):
    activations = tf.constant(np.arange(24.0).reshape(2, 3, 4), tf.float32)
    labels = tf.constant([[1, 2, 3], [4, 5, 6]])
    lengths = tf.constant([1, 3])
    select, mask, dropout = (of_rnn(tf, f) for f in ("select_last_activations", "mask_activations_and_labels", "apply_dropout"))

    def ran(make):
        made = make()
        return [tf.Session().run(made), graph_of(tf)]

    fed = tf.placeholder_with_default(activations, [None, None, None])
    cells = [tf.nn.rnn_cell.BasicRNNCell(2), tf.nn.rnn_cell.BasicRNNCell(3)]
    return [
        ran(lambda: select(fed, lengths)),
        ran(lambda: select(fed, None)),
        ran(lambda: list(mask(fed, labels, lengths))),
        ran(lambda: list(mask(fed, labels, None))),
        [type(cell).__name__ for cell in dropout(cells, [0.5, 0.75, 1.0])],
        fresh(tf, lambda: attempt(lambda: dropout(cells, [0.5]))),
    ]
