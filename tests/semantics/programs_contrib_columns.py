"""The feature columns of tf.contrib.layers: columns as values, nodes, variables and results of each kind, parsing, errors."""

from harness import attempt, fresh, graph_of, in_folder, program, signature_text

NAMES = (
    "bucketize bucketized_column check_feature_columns create_feature_spec_for_parsing crossed_column embedding_column "
    "infer_real_valued_columns input_from_feature_columns joint_weighted_sum_from_feature_columns "
    "make_place_holder_tensors_for_base_features one_hot_column parse_feature_columns_from_examples "
    "parse_feature_columns_from_sequence_examples real_valued_column scattered_embedding_column "
    "scattered_embedding_lookup scattered_embedding_lookup_sparse sequence_input_from_feature_columns "
    "shared_embedding_columns sparse_column_with_hash_bucket sparse_column_with_integerized_feature "
    "sparse_column_with_keys sparse_column_with_vocabulary_file sparse_feature_cross transform_features "
    "weighted_sparse_column weighted_sum_from_feature_columns"
)


def private(tf, name):
    """A function that 1.15 has in a module of contrib's, and tfedu beside its others."""
    if hasattr(tf.contrib.layers, name):
        return getattr(tf.contrib.layers, name)
    import importlib

    places = ("layers.embedding_ops", "ops.sparse_feature_cross_op", "ops.bucketization_op")
    modules = [importlib.import_module("tensorflow.contrib.layers.python." + place) for place in places]
    return next(getattr(module, name) for module in modules if hasattr(module, name))


def of_ones(shape, dtype=None, partition_info=None):
    import numpy as np

    return np.arange(1, 1 + np.prod(shape), dtype="float32").reshape(shape)


def features(tf):
    # 1.15 infers shapes by running what hangs on constants alone.
    def given(values, dtype=None):
        values = tf.constant(values, dtype)
        return tf.placeholder_with_default(values, values.shape)

    def words(values, dtype=None):
        return tf.SparseTensor([[0, 0], [0, 1], [2, 0]], given(values, dtype), [3, 2])

    return {
        "age": given([[1.0, 5.0], [2.5, -1.0], [3.0, 2.0]]), "height": given([1, 2, 3]), "sex": given([["m"], ["f"], ["x"]]),
        "tag": given([["a"], ["b"], [""]]), "title": given(["a", "", "b"]), "n": given([[3], [1], [-1]], tf.int64),
        "words": words(["the", "cat", "the"]), "places": words([7, 3, 12], tf.int64), "share": words([0.5, 2.0, -1.0]),
        "count": words([1, 2, 3]),
    }  # fmt: skip


def columns(tf):
    """A column of each kind, by a name of its own."""
    L = tf.contrib.layers
    age = L.real_valued_column("age", dimension=2)
    height = L.real_valued_column("height", dtype=tf.int32, normalizer=lambda x: x * 2)
    sex = L.sparse_column_with_keys("sex", ["m", "f"])
    words = L.sparse_column_with_hash_bucket("words", 11)
    tag = L.sparse_column_with_hash_bucket("tag", 7, combiner="sqrtn")
    ages = L.bucketized_column(age, [0.0, 2.5, 2.5, 4.0])
    return {
        "numbers": age,
        "normalized": height,
        "buckets of two": ages,
        "buckets": L.bucketized_column(height, [3, 5]),
        "keys": sex,
        "keys of integers": L.sparse_column_with_keys("places", [3, 7], default_value=1, dtype=tf.int64),
        "hashed": tag,
        "hashed from a vector": L.sparse_column_with_hash_bucket("title", 7),
        "hashed words": words,
        "hashed integers": L.sparse_column_with_hash_bucket("n", 5, dtype=tf.int64),
        "hashed by keys": L.sparse_column_with_hash_bucket("words", 9, hash_keys=[[1, 2], [3, 4]]),
        "integers": L.sparse_column_with_integerized_feature("places", 5),
        "weighted": L.weighted_sparse_column(words, "share"),
        "weighted by counts": L.weighted_sparse_column(words, "count", dtype=tf.int32),
        "crossed": L.crossed_column([tag, sex], 13),
        "crossed by a key": L.crossed_column([words, ages], 13, hash_key=L.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY),
        "crossed twice": L.crossed_column([L.crossed_column([tag, sex], 3), words, L.bucketized_column(height, [3])], 17),
    }


DENSE = ["numbers", "normalized", "buckets of two", "buckets"]
SPARSE = [
    "keys", "keys of integers", "hashed", "hashed from a vector", "hashed words", "hashed integers", "hashed by keys", "integers",
    "weighted", "weighted by counts", "crossed", "crossed by a key", "crossed twice",
]  # fmt: skip


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
            return [session.run(fetched), graph(tf)]

    return fresh(tf, run)


@program
def signatures(tf, np):
    return {name: signature_text(private(tf, name)) for name in NAMES.split()}


@program
def columns_as_values(tf, np):
    L = tf.contrib.layers

    def told(column):
        spec = {key: str(value) for key, value in column.config.items()}
        return [type(column).__name__, column.name, getattr(column, "length", None), sorted(spec.items())]

    found = columns(tf)
    words, age = found["hashed words"], found["numbers"]
    more = [
        L.one_hot_column(words), L.embedding_column(words, 4), L.scattered_embedding_column("words", 100, 3, 5),
        *L.shared_embedding_columns([words, L.sparse_column_with_hash_bucket("other", 11)], 3),
        *L.shared_embedding_columns([L.sparse_column_with_hash_bucket(name, 4) for name in "dbca"], 3),
        *L.shared_embedding_columns([L.weighted_sparse_column(words, "share")], 3, shared_embedding_name="mine"),
    ]  # fmt: skip
    shown = [found[name] for name in ("keys", "hashed", "integers", "weighted", "crossed", "buckets of two")]
    return [
        [told(column) for column in found.values()],
        [told(column) for column in more if not type(column).__name__.startswith("_Scattered")],
        [[column.name, str(column.config)] for column in more],
        [getattr(column, "shared_embedding_name", None) for column in more],
        [repr(column) for column in shown],
        [column.key for column in [*shown, age, *more]],
        [age == L.real_valued_column("age", dimension=2), hash(age) == hash(L.real_valued_column("age", dimension=2)), age == words],
        [L.real_valued_column("a", 2, default).default_value for default in (1, 1.5, [1, 2], [1, 2.5])],
    ]


@program
def inputs_of_numbers(tf, np):
    L, found = tf.contrib.layers, columns(tf)
    return {name: ran(tf, lambda c=found[name]: L.input_from_feature_columns(features(tf), [c])) for name in DENSE}


@program
def inputs_of_ones(tf, np):
    L, found = tf.contrib.layers, columns(tf)
    shown = {"hashed from a vector", "hashed by keys", "weighted by counts", "crossed by a key"}

    def ones(name):
        made = ran(tf, lambda: L.input_from_feature_columns(features(tf), [L.one_hot_column(found[name])]))
        return made if name in shown else made[0]

    return {name: ones(name) for name in SPARSE}


@program
def inputs_of_embeddings(tf, np):
    L, found = tf.contrib.layers, columns(tf)

    def embedded(name, **options):
        column = L.embedding_column(found[name], 2, initializer=of_ones, **options)
        return ran(tf, lambda: L.input_from_feature_columns(features(tf), [column]))

    return {
        "keys": embedded("keys"),
        "weighted": embedded("weighted", combiner="sum", max_norm=4.0),
        "crossed": embedded("crossed", combiner="sqrtn", trainable=False),
    }


@program
def shared_and_scattered_embeddings(tf, np):
    L = tf.contrib.layers
    words = L.sparse_column_with_hash_bucket("words", 11)
    both = [words, L.sparse_column_with_hash_bucket("tag", 11)]

    def scattered(key):
        return L.scattered_embedding_column("words", 20, 3, key, initializer=of_ones)

    def in_parts():
        with tf.variable_scope("net", partitioner=tf.fixed_size_partitioner(2)):
            return L.input_from_feature_columns(features(tf), [scattered(7), L.embedding_column(words, 2, initializer=of_ones)])

    def looked_up():
        # not constant, since 1.15 infers shapes by running what hangs on constants alone
        x = tf.SparseTensor([[0, 0], [2, 1]], tf.placeholder_with_default(tf.constant([5, 6], tf.int64), [2]), [3, 2])
        texts = tf.placeholder_with_default(tf.constant([["a"], ["b"]]), [2, 1])
        params = tf.constant(of_ones([30]))
        return [
            private(tf, "scattered_embedding_lookup")(params, texts, 3, hash_key=2),
            private(tf, "scattered_embedding_lookup_sparse")([params], x, 4, combiner="sum", name="mine"),
            private(tf, "scattered_embedding_lookup_sparse")(params, x, 4, combiner="sqrtn", default_value=5),
        ]

    def other_shape():
        columns = L.shared_embedding_columns(both, 2, shared_embedding_name="mine")
        L.input_from_feature_columns(features(tf), columns)
        columns = L.shared_embedding_columns(both, 3, shared_embedding_name="mine")
        return attempt(lambda: L.input_from_feature_columns(features(tf), columns))

    return [
        ran(tf, lambda: L.input_from_feature_columns(features(tf), L.shared_embedding_columns(both, 2, initializer=of_ones))),
        ran(tf, lambda: L.input_from_feature_columns(features(tf), [scattered(7)])),
        ran(tf, in_parts),
        ran(tf, looked_up),
        fresh(tf, other_shape),
    ]


@program
def several_inputs(tf, np):
    L, found = tf.contrib.layers, columns(tf)

    def options():
        outputs = {}
        sex = L.embedding_column(found["keys"], 2, initializer=of_ones)
        dense = [sex, found["numbers"], L.one_hot_column(found["hashed"]), found["buckets of two"]]
        with tf.variable_scope("net", partitioner=tf.fixed_size_partitioner(2)):
            made = L.input_from_feature_columns(features(tf), dense, ["mine"], False, cols_to_outs=outputs)
        told = [[column.name, outputs[column].name] for column in sorted(outputs, key=lambda c: c.name)]
        return [made, graph(tf), told]

    def twice():
        columns = [L.embedding_column(found["keys"], 2)]
        with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
            L.input_from_feature_columns(features(tf), columns, scope="in")
            L.input_from_feature_columns(features(tf), columns, scope="in")
        return [[v.name for v in tf.global_variables()], [v.name for v in tf.contrib.framework.get_model_variables()]]

    def ranks():
        x = {"age": tf.placeholder(tf.float32), "height": tf.placeholder(tf.int32, [None, 2, 3])}
        made = [L.input_from_feature_columns(x, [found[name]]) for name in ("numbers", "normalized")]
        fed = {x["age"]: [[1.0, 2.0]], x["height"]: np.ones([1, 2, 3])}
        return [[str(m.shape) for m in made], tf.Session().run(made, fed), graph(tf)]

    return [fresh(tf, options), fresh(tf, twice), fresh(tf, ranks)]


@program
def linear_models(tf, np):
    L, found = tf.contrib.layers, columns(tf)
    models = {name: [found[name]] for name in DENSE + SPARSE}
    shown = [found[name] for name in ("numbers", "buckets of two", "keys of integers", "weighted", "crossed twice")]
    models["several"] = [found[name] for name in ("numbers", "buckets", "keys", "weighted", "crossed")]

    def made(columns):
        predictions, variables, bias = L.weighted_sum_from_feature_columns(features(tf), columns, 2)
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            first = session.run(predictions)
            session.run([tf.assign(v, of_ones(v.shape.as_list())) for v in tf.trainable_variables()])
            names = [[c.name, [v.name for v in variables[c]]] for c in sorted(variables, key=lambda c: c.key)]
            return [first, session.run(predictions), names, bias.name, str(predictions.shape), *([graph(tf)] if columns[0] in shown else [])]

    return {name: fresh(tf, lambda columns=columns: made(columns)) for name, columns in models.items()}


@program
def joint_linear_models(tf, np):
    L, found = tf.contrib.layers, columns(tf)

    def made(*names, **options):
        def run():
            columns = [found[name] for name in names]
            predictions, variables, bias = L.joint_weighted_sum_from_feature_columns(features(tf), columns, 2, **options)
            with tf.Session() as session:
                session.run([tf.global_variables_initializer(), tf.tables_initializer()])
                session.run([tf.assign(v, of_ones(v.shape.as_list())) for v in tf.trainable_variables()])
                return [session.run(predictions), [v.name for v in variables], bias.name, graph(tf)]

        return fresh(tf, run)

    return [made("keys", "integers", "buckets of two"), made("keys", weight_collections=["mine"]), made("keys", "numbers")]


@program
def in_functions_of_the_core(tf, np):
    """tf.feature_column takes the columns of contrib, too."""
    L, F, found = tf.contrib.layers, tf.feature_column, columns(tf)
    dense = {name: found[name] for name in ("numbers", "buckets of two")}
    dense["ones"] = L.one_hot_column(found["keys"])
    dense["embedded"] = L.embedding_column(found["keys"], 2, initializer=of_ones)
    sparse = ("keys", "weighted", "crossed", "buckets of two")
    return [
        {name: ran(tf, lambda c=column: F.input_layer(features(tf), [c])) for name, column in dense.items()},
        {name: ran(tf, lambda c=found[name]: F.linear_model(features(tf), [c])) for name in sparse},
    ]


@program
def sequences(tf, np):
    L = tf.contrib.layers

    def given():
        numbers = tf.placeholder_with_default(tf.constant(np.arange(12.0).reshape(2, 3, 2), tf.float32), [2, 3, 2])
        flat = tf.placeholder_with_default(tf.constant([[1, 2, 3], [4, 5, 6]]), [2, 3])
        words = tf.SparseTensor([[0, 0, 0], [0, 1, 1], [1, 2, 0]], ["the", "cat", "the"], [2, 3, 2])
        share = tf.SparseTensor([[0, 0, 0], [0, 1, 1], [1, 2, 0]], [0.5, 2.0, -1.0], [2, 3, 2])
        return {"age": numbers, "height": flat, "words": words, "share": share}

    words = L.sparse_column_with_hash_bucket("words", 5)
    weighted = L.weighted_sparse_column(words, "share")
    age, height = L.real_valued_column("age", 2), L.real_valued_column("height")
    crossed = L.crossed_column([words, L.sparse_column_with_keys("sex", ["m"])], 7)
    models = [
        [age, height], [L.one_hot_column(words)], [L.embedding_column(words, 2, initializer=of_ones)],
        [L.embedding_column(weighted, 2, "sum", initializer=of_ones)], [age, L.one_hot_column(words)],
    ]  # fmt: skip
    refused = [[words], [L.bucketized_column(height, [1])], [L.one_hot_column(crossed)]]
    return [
        [ran(tf, lambda m=model: L.sequence_input_from_feature_columns(given(), m)) for model in models],
        [fresh(tf, lambda m=model: attempt(lambda: L.sequence_input_from_feature_columns(given(), m))) for model in refused],
    ]


@program
def vocabularies_and_checkpoints(tf, np):
    L = tf.contrib.layers

    def run(folder):
        with open("words.txt", "w") as f:
            f.write("the\ncat\nsat\n7\n")
        words = L.sparse_column_with_vocabulary_file("words", "words.txt", num_oov_buckets=2, vocab_size=4)
        numbers = L.sparse_column_with_vocabulary_file("places", "words.txt", vocab_size=4, dtype=tf.int64)
        found = [ran(tf, lambda c=c: L.weighted_sum_from_feature_columns(features(tf), [c], 1)[0]) for c in (words, numbers)]

        def save():
            tf.get_variable("rows", initializer=of_ones([6, 2]))
            tf.get_variable("ones", initializer=of_ones([13, 1]))
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                return tf.train.Saver().save(session, "./model")

        path = fresh(tf, save)
        rows = L.embedding_column(words, 2, ckpt_to_load_from=path, tensor_name_in_ckpt="rows")
        tag, sex = L.sparse_column_with_hash_bucket("tag", 7), L.sparse_column_with_keys("sex", ["m", "f"])
        crossed = L.crossed_column([tag, sex], 13, ckpt_to_load_from=path, tensor_name_in_ckpt="ones")

        def values(made):
            with tf.Session() as session:
                session.run([tf.global_variables_initializer(), tf.tables_initializer()])
                return session.run(made)

        return [
            found,
            fresh(tf, lambda: values(L.input_from_feature_columns(features(tf), [rows]))),
            fresh(tf, lambda: values(L.weighted_sum_from_feature_columns(features(tf), [crossed], 1)[0])),
        ]

    return in_folder(run)


@program
def parsing(tf, np):
    L, found = tf.contrib.layers, columns(tf)

    def example(**given):
        kinds = {float: "float_list", int: "int64_list", bytes: "bytes_list"}
        lists = {float: tf.train.FloatList, int: tf.train.Int64List, bytes: tf.train.BytesList}
        made = {
            name: tf.train.Feature(**{kinds[type(v[0])]: lists[type(v[0])](value=v)}) if v else tf.train.Feature()
            for name, v in given.items()
        }
        return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()

    chosen = [found[name] for name in ("numbers", "buckets of two", "keys", "weighted")]
    chosen.append(L.embedding_column(found["hashed"], 2, initializer=of_ones))
    one = example(age=[1.0, 2.0], sex=[b"m"], words=[b"the", b"cat"], share=[0.5, 2.0], tag=[b"a"])
    two = example(age=[3.0, 2.5], sex=[b"f", b"m"], words=[], share=[], tag=[])

    def parsed():
        tensors = L.parse_feature_columns_from_examples([one, two], chosen)
        told = sorted(key if isinstance(key, str) else key.key for key in tensors)
        result = L.input_from_feature_columns(tensors, [chosen[0], chosen[1], chosen[4]])
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            return [told, session.run([tensors["age"], tensors[chosen[1]], tensors[chosen[2]], result])]

    def transformed():
        given = features(tf)
        made = L.transform_features(given, chosen)
        kept = [isinstance(made[c], (tuple, tf.Tensor, tf.SparseTensor)) for c in chosen]
        return [sorted(key.key for key in made), kept, len(given)]

    def placeholders():
        made = L.make_place_holder_tensors_for_base_features(chosen)
        return [[name, type(made[name]).__name__, str(made[name].shape)] for name in sorted(made)]

    def sequence():
        steps = tf.train.FeatureLists(feature_list={
            "age": tf.train.FeatureList(feature=[
                tf.train.Feature(float_list=tf.train.FloatList(value=[1.0, 2.0])),
                tf.train.Feature(float_list=tf.train.FloatList(value=[3.0, 4.0])),
            ]),
            "words": tf.train.FeatureList(feature=[tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"the", b"cat"]))]),
        })  # fmt: skip
        context = tf.train.Features(feature={"n": tf.train.Feature(int64_list=tf.train.Int64List(value=[4]))})
        text = tf.train.SequenceExample(context=context, feature_lists=steps).SerializeToString()
        given = [found["hashed integers"]], [found["numbers"], found["hashed words"]]
        made = L.parse_feature_columns_from_sequence_examples([text], *given)
        default = L.real_valued_column("missing", default_value=1.0)
        allowed = L.parse_feature_columns_from_sequence_examples(text, None, [default])
        return [tf.Session().run(made), tf.Session().run(allowed)]

    return [
        fresh(tf, parsed), fresh(tf, transformed), fresh(tf, placeholders), fresh(tf, sequence),
        sorted((key, str(value)) for key, value in L.create_feature_spec_for_parsing(chosen).items()),
        sorted(L.create_feature_spec_for_parsing({"a": chosen[0]})),
    ]  # fmt: skip


@program
def inferred_columns(tf, np):
    infer = tf.contrib.layers.infer_real_valued_columns
    several = {"a": tf.zeros([3, 2, 2]), "b": tf.zeros([3], tf.int64)}
    return [
        [[c.name, c.dimension, c.dtype.name] for c in infer(tf.zeros([3, 4]))],
        [[c.name, c.dimension, c.dtype.name] for c in infer(several)],
    ]


@program
def training(tf, np):
    """A wide and deep model on the columns."""
    L, found = tf.contrib.layers, columns(tf)
    wide, _, _ = L.weighted_sum_from_feature_columns(features(tf), [found["keys"], found["crossed"], found["buckets"]], 1)
    deep = [found["numbers"], L.embedding_column(found["hashed words"], 3, initializer=of_ones)]
    net = L.input_from_feature_columns(features(tf), deep)
    net = L.fully_connected(net, 1, activation_fn=None, weights_initializer=tf.constant_initializer(0.1))
    loss = tf.losses.mean_squared_error([[1.0], [0.0], [2.0]], wide + net)
    train = tf.train.FtrlOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return [session.run([loss, train])[0] for _ in range(5)], [v.name for v in tf.global_variables()]


@program
def refusals_of_columns(tf, np):
    L = tf.contrib.layers
    age = L.real_valued_column("age")
    tag = L.sparse_column_with_hash_bucket("tag", 7)
    calls = [
        lambda: L.real_valued_column("a", dimension=None),
        lambda: L.real_valued_column("a", dimension=1.5),
        lambda: L.real_valued_column("a", dimension=0),
        lambda: L.real_valued_column("a", dtype=tf.string),
        lambda: L.real_valued_column("a", 2, [1.0]),
        lambda: L.real_valued_column("a", 1, 1.5, dtype=tf.int32),
        lambda: L.real_valued_column("a", 2, [1, "b"]),
        lambda: L.bucketized_column(tag, [1]),
        lambda: L.bucketized_column(age, []),
        lambda: L.bucketized_column(age, 3),
        lambda: L.bucketized_column(age, [2, 1]),
        lambda: L.sparse_column_with_hash_bucket("a", 0),
        lambda: L.sparse_column_with_hash_bucket("a", None),
        lambda: L.sparse_column_with_hash_bucket("a", 3, dtype=tf.float32),
        lambda: L.sparse_column_with_hash_bucket("a", 3, hash_keys=[]),
        lambda: L.sparse_column_with_hash_bucket("a", 3, hash_keys=[[1]]),
        lambda: L.sparse_column_with_hash_bucket("a", 3, hash_keys=[[1, "b"]]),
        lambda: L.sparse_column_with_integerized_feature("a", None),
        lambda: L.sparse_column_with_integerized_feature("a", 0),
        lambda: L.sparse_column_with_integerized_feature("a", 2, dtype=tf.string),
        lambda: L.sparse_column_with_keys("a", ["b"], dtype=tf.float32),
        lambda: L.sparse_column_with_vocabulary_file("a", "b.txt"),
        lambda: L.weighted_sparse_column(tag, "w", dtype=tf.string),
        lambda: L.crossed_column([tag], 5),
        lambda: L.crossed_column([tag, age], 5),
        lambda: L.crossed_column([tag, L.sparse_column_with_keys("s", ["a"])], 1),
        lambda: L.crossed_column([tag, L.sparse_column_with_keys("s", ["a"])], 5, ckpt_to_load_from="a"),
        lambda: L.embedding_column(tag, 2, initializer=3),
        lambda: L.embedding_column(tag, 2, tensor_name_in_ckpt="a"),
        lambda: L.shared_embedding_columns(tag, 2),
        lambda: L.shared_embedding_columns("tag", 2),
        lambda: L.shared_embedding_columns([], 2),
        lambda: L.shared_embedding_columns([tag, age], 2),
        lambda: L.shared_embedding_columns([tag, L.sparse_column_with_hash_bucket("other", 8)], 2),
        lambda: L.scattered_embedding_column("a", 0, 1, 3),
        lambda: L.scattered_embedding_column("a", 5, 1, 3, "max"),
        lambda: L.scattered_embedding_column("a", 5, 1, 3, initializer=3),
        lambda: L.check_feature_columns({"a": age}),
        lambda: L.check_feature_columns([age, L.real_valued_column("age", normalizer=abs)]),
        lambda: L.create_feature_spec_for_parsing([age, "b"]),
    ]
    return [fresh(tf, lambda f=f: attempt(f)) for f in calls]


@program
def refusals_of_calls(tf, np):
    L, found = tf.contrib.layers, columns(tf)
    calls = [
        lambda: L.input_from_feature_columns(features(tf), [found["keys"]]),
        lambda: L.input_from_feature_columns(features(tf), [found["weighted"]]),
        lambda: L.input_from_feature_columns(features(tf), [found["crossed"]]),
        lambda: L.input_from_feature_columns(features(tf), [found["numbers"]], cols_to_outs=[]),
        lambda: L.input_from_feature_columns({"age": tf.constant(1.0)}, [found["numbers"]]),
        lambda: L.weighted_sum_from_feature_columns(features(tf), [L.embedding_column(found["keys"], 2)], 1),
        lambda: L.weighted_sum_from_feature_columns({"age": tf.placeholder(tf.float32)}, [found["numbers"]], 1),
        lambda: L.parse_feature_columns_from_sequence_examples(["a", "b"], None, None),
        lambda: private(tf, "scattered_embedding_lookup")(tf.zeros([3]), ["a"], None),
        lambda: private(tf, "scattered_embedding_lookup")(tf.zeros([3]), ["a"], 0),
        lambda: private(tf, "scattered_embedding_lookup")([tf.zeros([3]), tf.zeros([1])], ["a"], 2),
        lambda: private(tf, "scattered_embedding_lookup_sparse")(tf.zeros([3]), ["a"], 2, "sum"),
        lambda: private(tf, "sparse_feature_cross")([tf.constant([["a"]]), "b"]),
        lambda: private(tf, "sparse_feature_cross")(tf.constant([["a"]])),
    ]
    return [fresh(tf, lambda f=f: attempt(f)) for f in calls]


@program
def crosses(tf, np):
    L = tf.contrib.layers
    a = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant(["a", "b", "c"]), [2, 2])
    b = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([5, -6]), [2, 1])
    d = tf.constant([["x", "y"], ["z", "w"]])
    cross = private(tf, "sparse_feature_cross")
    made = [
        cross([a, b]), cross([a, b, d], hashed_output=True), cross([d, a, d], True, 1000), cross([a, a], True, name="mine"),
        cross([a, b, d], hashed_output=True, hash_key=L.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY),
        cross([a, b, d], hashed_output=True, num_buckets=100, hash_key=1), cross([a, d], hash_key=1),
        private(tf, "bucketize")(tf.constant([[1.0, 5.0]]), [2.0, 3.0], name="b"),
    ]  # fmt: skip
    return [tf.Session().run(made), graph(tf)]
