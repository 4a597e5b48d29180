"""tf.feature_column and its layers: columns as values, the nodes and variables of each kind, results and errors."""

from harness import Near, attempt, fresh, graph_of, in_folder, program


def features(tf):
    # 1.15 infers shapes by running what hangs on constants alone.
    def given(values, dtype=None):
        values = tf.constant(values, dtype)
        return tf.placeholder_with_default(values, values.shape)

    return {
        "age": given([[1.0, 5.0], [2.5, -1.0], [3.0, 2.0]]), "sex": given([["m"], ["f"], ["x"]]),
        "tag": given(["a", "b", ""]), "n": given([[3], [1], [-1]], tf.int64), "flat": given([1, 2, 3]),
        "words": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["the", "cat", "the"], [3, 2]),
        "share": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [0.5, 2.0, -1.0], [3, 2]),
    }  # fmt: skip


def columns(tf, folder="."):
    """A column of each kind, by a name of its own."""
    F = tf.feature_column
    age = F.numeric_column("age", shape=2)
    words = F.categorical_column_with_hash_bucket("words", 11)
    return {
        "numeric": age,
        "normalized": F.numeric_column("flat", normalizer_fn=lambda x: x * 2, dtype=tf.int32),
        "bucketized": F.bucketized_column(age, [0.0, 2.5, 4.0]),
        "list": F.categorical_column_with_vocabulary_list("sex", ["m", "f"]),
        "list with buckets": F.categorical_column_with_vocabulary_list("sex", ("m", "f"), num_oov_buckets=3),
        "list of integers": F.categorical_column_with_vocabulary_list("n", [3, 7], dtype=tf.int64, default_value=1),
        "hashed": F.categorical_column_with_hash_bucket("tag", 7),
        "hashed integers": F.categorical_column_with_hash_bucket("flat", 5, dtype=tf.int64),
        "identity": F.categorical_column_with_identity("n", 5),
        "identity with a default": F.categorical_column_with_identity("n", 2, default_value=1),
        "weighted": F.weighted_categorical_column(words, "share"),
        "crossed": F.crossed_column(["tag", F.bucketized_column(F.numeric_column("flat"), [2.0]), "sex"], 13),
        "crossed twice": F.crossed_column([F.crossed_column(["tag", "sex"], 3), "n"], 13, hash_key=5),
    }


CATEGORIES = [
    "bucketized", "list", "list with buckets", "list of integers", "hashed", "hashed integers", "identity",
    "identity with a default", "weighted", "crossed", "crossed twice",
]  # fmt: skip


def of_ones(shape, dtype=None, partition_info=None):
    import numpy as np

    return np.arange(1, 1 + np.prod(shape), dtype="float32").reshape(shape)


def graph(tf):
    """The graph; 1.15 infers less of the shape of a Tile by computed multiples."""
    import re

    found = graph_of(tf)
    found["nodes"] = [re.sub(r"\[[\d?,]*\]", "", line) if " = Tile(" in line else line for line in found["nodes"]]
    return found


def ran(tf, made):
    """The values of what `made` returns, and the graph."""

    def run():
        fetched = made()
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            return [fetched, session.run(fetched), graph(tf)]

    return fresh(tf, run)



@program
def columns_as_values(tf, np):
    F = tf.feature_column

    def told(column):
        size = [str(column.num_buckets)] if hasattr(column, "num_buckets") else [str(column.variable_shape)]
        spec = {key: str(value) for key, value in column.parse_example_spec.items()}
        return [type(column).__name__, column.name, size, sorted(spec.items())]

    found = columns(tf)
    age, words = found["numeric"], found["hashed"]
    table = F.embedding_column(words, 4, "sum", max_norm=2.0)
    shared = F.shared_embedding_columns([words, F.categorical_column_with_hash_bucket("other", 7)], 3)
    return [
        [told(column) for column in found.values()],
        [told(F.indicator_column(words)), told(table)],
        [[c.name, c.shared_embedding_collection_name, str(c._parse_example_spec if hasattr(c, "_parse_example_spec") else c.parse_example_spec)] for c in shared],
        [repr(age), repr(found["bucketized"]), repr(found["list"]), repr(found["crossed"]), repr(found["identity"])],
        [age == F.numeric_column("age", shape=2), hash(age) == hash(F.numeric_column("age", shape=2)), age == words],
        sorted(F.make_parse_example_spec([age, words, found["weighted"], found["crossed"]])),
    ]


@program
def dense_columns(tf, np):
    F, found = tf.feature_column, columns(tf)
    return [ran(tf, lambda c=found[name]: F.input_layer(features(tf), [c])) for name in ("numeric", "normalized", "bucketized")]


@program
def indicators(tf, np):
    F, found = tf.feature_column, columns(tf)
    return {name: ran(tf, lambda c=found[name]: F.input_layer(features(tf), F.indicator_column(c))) for name in CATEGORIES}


@program
def embeddings(tf, np):
    F, found = tf.feature_column, columns(tf)
    names = ("bucketized", "list", "weighted", "crossed")
    return {
        name: ran(tf, lambda c=found[name]: F.input_layer(features(tf), [F.embedding_column(c, 2, "sqrtn", of_ones, max_norm=4.0)]))
        for name in names
    }


@program
def several_columns(tf, np):
    F, found = tf.feature_column, columns(tf)
    sex = F.embedding_column(found["list"], 2, initializer=of_ones)
    dense = [sex, found["numeric"], F.indicator_column(found["hashed"]), found["bucketized"]]

    def options():
        variables, outputs = {}, {}
        with tf.variable_scope("net", partitioner=tf.fixed_size_partitioner(2)):
            made = F.input_layer(features(tf), dense, ["mine"], False, variables, outputs)
        told = [[c.name, [v.name for v in variables[c]], outputs[c].name] for c in sorted(variables, key=lambda c: c.name)]
        return [made, graph(tf), told]

    def twice():
        with tf.variable_scope("net"):
            F.input_layer(features(tf), dense)
        with tf.variable_scope("net", reuse=True):
            return attempt(lambda: F.input_layer(features(tf), dense))

    def unknown_rank():
        x = tf.placeholder(tf.float32)
        made = F.input_layer({"age": x}, [F.numeric_column("age")])
        return [made, graph(tf), tf.Session().run(made, {x: [1.0, 2.0]}), tf.Session().run(made, {x: [[1.0], [2.0]]})]

    return [ran(tf, lambda: F.input_layer(features(tf), dense)), fresh(tf, options), fresh(tf, twice), fresh(tf, unknown_rank)]


@program
def shared_tables(tf, np):
    F = tf.feature_column
    pair = [F.categorical_column_with_identity("n", 9, 0), F.categorical_column_with_identity("flat", 9, 0)]

    def made(**options):
        return ran(tf, lambda: F.input_layer(features(tf), F.shared_embedding_columns(pair, 2, initializer=of_ones, **options)))

    return [made(), made(shared_embedding_collection_name="both", trainable=False)]


@program
def linear_models(tf, np):
    F, found = tf.feature_column, columns(tf)

    def trained(names, **options):
        def made():
            variables = {}
            x = F.linear_model(features(tf), [found[name] for name in names], cols_to_vars=variables, **options)
            step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.square(x - 1)))
            told = [[str(getattr(c, "name", c)), [v.name for v in variables[c]]] for c in sorted(variables, key=lambda c: str(getattr(c, "name", c)))]
            with tf.Session() as session:
                session.run([tf.global_variables_initializer(), tf.tables_initializer()])
                values = [session.run([x, step])[0] for _ in range(3)]
                return [x, values, told, session.run(tf.trainable_variables())]

        return fresh(tf, made)

    def built(names, **options):
        def made():
            F.linear_model(features(tf), [found[name] for name in names], **options)
            F.linear_model(features(tf), [found[names[0]]])
            return graph(tf)

        return fresh(tf, made)

    return [
        trained(["numeric", "bucketized", "list", "hashed"]), trained(["weighted", "crossed"], units=3, sparse_combiner="mean"),
        built(["numeric", "bucketized", "list", "weighted"]), built(["hashed"], units=2, trainable=False, weight_collections=["mine"]),
    ]  # fmt: skip


@program
def layers(tf, np):
    F, found = tf.feature_column, columns(tf)
    dense = [F.embedding_column(found["list"], 2, initializer=of_ones), found["numeric"], F.indicator_column(found["hashed"])]

    def made():
        layer = tf.keras.layers.DenseFeatures(dense)
        parts = {}
        first = layer(features(tf), cols_to_output_tensors=parts)
        second = layer(features(tf))
        told = [[c.name, parts[c].name] for c in sorted(parts, key=lambda c: c.name)]
        return [first, second, told, [v.name for v in layer.weights], str(layer.compute_output_shape((7, 3))), graph(tf)]

    def config():
        layer = tf.keras.layers.DenseFeatures([found["numeric"], F.embedding_column(found["list"], 2), F.indicator_column(found["crossed"])])
        config = layer.get_config()
        again = tf.keras.layers.DenseFeatures.from_config(config)
        return [config, again.get_config() == config]

    return [fresh(tf, made), fresh(tf, config)]


@program
def models_of_features(tf, np):
    F, found = tf.feature_column, columns(tf)
    data = {
        "age": np.array([[1.0, 5.0], [2.5, -1.0], [3.0, 2.0], [0.0, 0.5]], "float32"),
        "tag": np.array([["m"], ["f"], ["x"], ["m"]]), "y": np.array([[1.0], [0.0], [2.0], [1.0]], "float32"),
    }  # fmt: skip
    y = data.pop("y")
    dense = [found["numeric"], F.embedding_column(found["hashed"], 2, initializer=of_ones)]

    def by_dataset():
        L = tf.keras.layers
        model = tf.keras.Sequential([L.DenseFeatures(dense), L.Dense(1, kernel_initializer="ones")])
        model.compile(tf.keras.optimizers.SGD(0.01), "mse")
        rows = tf.data.Dataset.from_tensor_slices((data, y)).batch(2).repeat()
        history = model.fit(rows, epochs=3, steps_per_epoch=2, verbose=0)
        return [Near(np.array(history.history["loss"]), 1e-4), [v.name for v in model.weights]]

    def by_inputs():
        L = tf.keras.layers
        inputs = {"age": tf.keras.Input((2,), name="age"), "tag": tf.keras.Input((1,), name="tag", dtype="string")}
        x = L.DenseFeatures(dense)(inputs)
        model = tf.keras.Model(list(inputs.values()), L.Dense(1, kernel_initializer="ones")(x))
        model.compile(tf.keras.optimizers.SGD(0.01), "mse")
        history = model.fit(data, y, batch_size=2, epochs=3, shuffle=False, verbose=0)
        return [Near(np.array(history.history["loss"]), 1e-4), [v.name for v in model.weights], [layer.name for layer in model.layers]]

    return [fresh(tf, by_dataset), fresh(tf, by_inputs)]


@program
def sequences(tf, np):
    F = tf.feature_column

    def given():
        return {
            "w": sparse([[0, 0], [0, 1], [2, 0]], tf.constant([2, 0, 1], tf.int64), [3, 2]),
            "t": sparse([[0, 0], [0, 1], [2, 0]], ["a", "b", "a"], [3, 2]),
            "x": sparse([[0, 0], [0, 1], [0, 2], [0, 3], [2, 0], [2, 1]], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 4]),
        }

    def sparse(places, values, shape):
        return tf.SparseTensor(tf.placeholder_with_default(tf.constant(places, tf.int64), [None, 2]), values, shape)

    w = F.sequence_categorical_column_with_identity("w", 3)
    t = F.sequence_categorical_column_with_vocabulary_list("t", ["a", "b"])
    x = F.sequence_numeric_column("x", shape=2, normalizer_fn=None)
    chosen = [F.embedding_column(w, 2, initializer=of_ones), F.indicator_column(t), x]

    def made():
        values = tf.keras.experimental.SequenceFeatures(chosen)(given())
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            return [list(values), session.run(list(values)), graph(tf)]

    hashed = F.sequence_categorical_column_with_hash_bucket("t", 5)
    return [
        fresh(tf, made), hashed.name, str(hashed.num_buckets), repr(x),
        shorn(fresh(tf, lambda: tf.keras.experimental.SequenceFeatures([F.indicator_column(F.categorical_column_with_identity("w", 3))])(given()))),
        shorn(fresh(tf, lambda: tf.keras.layers.DenseFeatures([F.indicator_column(w)])(given()))),
    ]  # fmt: skip


@program
def vocabulary_files(tf, np):
    F = tf.feature_column

    def made(folder):
        with open("words.txt", "w") as file:
            file.write("m\nf\n")
        column = F.categorical_column_with_vocabulary_file("sex", "words.txt", num_oov_buckets=2)
        few = F.sequence_categorical_column_with_vocabulary_file("sex", "words.txt", 1)
        spec = [repr(column), repr(few)]
        return [ran(tf, lambda: F.input_layer(features(tf), F.indicator_column(column))), spec]

    return in_folder(made)


@program
def errors(tf, np):
    F, found = tf.feature_column, columns(tf)
    age, tag, words = found["numeric"], found["hashed"], found["weighted"]
    given = lambda: features(tf)
    wrong = [
        lambda: F.numeric_column(3), lambda: F.numeric_column("x", shape=(1.5,)), lambda: F.numeric_column("x", shape=0),
        lambda: F.numeric_column("x", dtype=tf.string), lambda: F.numeric_column("x", default_value="a"),
        lambda: F.numeric_column("x", default_value=[1.0, 2.0]), lambda: F.numeric_column("x", normalizer_fn=3),
        lambda: F.numeric_column("x", default_value=1.5, dtype=tf.int32),
        lambda: F.bucketized_column(tag, [1]), lambda: F.bucketized_column(age, []), lambda: F.bucketized_column(age, [2, 1]),
        lambda: F.bucketized_column(F.numeric_column("x", (2, 2)), [1]), lambda: F.bucketized_column(age, {1}),
        lambda: F.categorical_column_with_hash_bucket("x", 0), lambda: F.categorical_column_with_hash_bucket("x", None),
        lambda: F.categorical_column_with_hash_bucket("x", 3, tf.float32), lambda: F.categorical_column_with_hash_bucket(2, 3),
        lambda: F.categorical_column_with_vocabulary_list("x", []), lambda: F.categorical_column_with_vocabulary_list("x", ["a", "a"]),
        lambda: F.categorical_column_with_vocabulary_list("x", [1.5]), lambda: F.categorical_column_with_vocabulary_list("x", [1], tf.string),
        lambda: F.categorical_column_with_vocabulary_list("x", [1], num_oov_buckets=1, default_value=0),
        lambda: F.categorical_column_with_vocabulary_list("x", [1], num_oov_buckets=-1),
        lambda: F.categorical_column_with_vocabulary_file("x", ""), lambda: F.categorical_column_with_vocabulary_file("x", "/no/such"),
        lambda: F.categorical_column_with_vocabulary_file("x", "/no/such", 0),
        lambda: F.categorical_column_with_identity("x", 0), lambda: F.categorical_column_with_identity("x", 3, 3),
        lambda: F.weighted_categorical_column(tag, "x", tf.string), lambda: F.crossed_column(["a"], 3), lambda: F.crossed_column(["a", "b"], 0),
        lambda: F.crossed_column(["a", tag], 3), lambda: F.crossed_column(["a", age], 3),
        lambda: F.embedding_column(tag, 0), lambda: F.embedding_column(tag, 2, ckpt_to_load_from="x"), lambda: F.embedding_column(tag, 2, initializer=3),
        lambda: F.shared_embedding_columns([tag, found["list"]], 2),
        lambda: F.shared_embedding_columns([tag, F.categorical_column_with_hash_bucket("u", 8)], 2),
        lambda: F.input_layer(given(), []), lambda: F.input_layer(given(), {"a": age}), lambda: F.input_layer(given(), [age, age]),
        lambda: F.input_layer(given(), [tag]), lambda: F.input_layer(given(), ["age"]), lambda: F.input_layer({}, [age]),
        lambda: F.input_layer({"age": tf.constant(1.0)}, [age]), lambda: F.input_layer({"words": given()["words"]}, [F.numeric_column("words")]),
        lambda: F.input_layer({"a": tf.ones([2, 1]), "b": tf.ones([3, 1])}, [F.numeric_column("a"), F.numeric_column("b")]),
        lambda: F.input_layer({"tag": tf.constant([1.0])}, [F.indicator_column(tag)]),
        lambda: F.input_layer({"tag": tf.constant([1])}, [F.indicator_column(tag)]),
        lambda: F.input_layer({"sex": tf.constant([1])}, [F.indicator_column(found["list"])]),
        lambda: F.input_layer({"n": tf.constant([1.0])}, [F.indicator_column(found["identity"])]),
        lambda: F.input_layer(dict(given(), share=tf.constant([1, 2, 3])), [F.indicator_column(words)]),
        lambda: F.input_layer(given(), [F.indicator_column(F.crossed_column(["tag", words], 3))]),
        lambda: tf.Session().run(F.input_layer({"n": tf.constant([9], tf.int64)}, [F.indicator_column(found["identity"])])),
        lambda: tf.Session().run(F.input_layer({"n": tf.SparseTensor([[0, 0]], tf.constant([-2], tf.int64), [1, 1])}, [F.indicator_column(found["identity"])])),
        lambda: F.linear_model(given(), ["age"]), lambda: F.make_parse_example_spec(["age"]),
        lambda: F.make_parse_example_spec([age, F.categorical_column_with_hash_bucket("age", 3)]),
        lambda: tf.keras.layers.DenseFeatures([tag]) and None, lambda: tf.keras.layers.DenseFeatures([age])(tf.constant([[1.0]])),
        lambda: tf.keras.layers.DenseFeatures(F.shared_embedding_columns([tag], 2)) and None,
    ]  # fmt: skip
    return [shorn(fresh(tf, one)) for one in wrong]


def shorn(failure):
    """An error's text without the module names of classes."""
    import re

    if hasattr(failure, "text"):
        failure.text = re.sub(r"<class '[\w.]*?(\w+)'>", r"\1", failure.text)
        failure.text = re.sub(r"<[\w.]*?(\w+) object( at 0x\w+)?>", r"\1", failure.text)
    return failure
