"""tf.contrib.layers: dense layers, layers without variables, layers of layers, collections of outputs."""

from harness import attempt, fresh, graph_of, program, signature_text


def built(tf, make, feed=None):
    """What make() returns, its value after the initializers, and the graph; feed: a function of nothing that gives the feeds."""

    def run():
        tf.set_random_seed(5)
        outputs = make()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            values = session.run(outputs, feed() if feed else {})
        return [outputs, values, graph_of(tf)]

    return fresh(tf, run)


def graph(tf, make):
    """What make() returns, and the graph."""
    return fresh(tf, lambda: [make(), graph_of(tf)])


def rows(tf):
    return tf.constant([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], name="x")


@program
def signatures(tf, np):
    names = """
        apply_regularization bow_encoder dense_to_sparse dropout embed_sequence embedding_lookup_unique
        flatten l1_l2_regularizer l1_regularizer l2_regularizer maxout one_hot_encoding repeat softmax stack sum_regularizer unit_norm
        """
    return {name: signature_text(getattr(tf.contrib.layers, name)) for name in names.split()}


@program
def fully_connected(tf, np):
    layers = tf.contrib.layers
    return {
        "plain": built(tf, lambda: layers.fully_connected(rows(tf), 3)),
        "all": built(tf, lambda: layers.fully_connected(
            rows(tf), 2, tf.nn.tanh, weights_initializer=tf.ones_initializer(), weights_regularizer=layers.l2_regularizer(0.1),
            biases_initializer=tf.constant_initializer(0.5), biases_regularizer=layers.l1_regularizer(0.1), trainable=False,
            variables_collections=["mine"], outputs_collections=["out", "other"], scope="fc")),
        "collections by kind": graph(tf, lambda: layers.fully_connected(rows(tf), 2, variables_collections={"weights": ["w"], "biases": ["b"]})),
        "no biases": graph(tf, lambda: layers.fully_connected(rows(tf), 2, activation_fn=None, biases_initializer=None)),
        "normalizer": built(tf, lambda: layers.fully_connected(
            rows(tf), 2, normalizer_fn=lambda x, by: x * by, normalizer_params={"by": 2.0})),
        "rank 3": built(tf, lambda: layers.fully_connected(tf.reshape(rows(tf), [2, 2, 2]), 3)),
        "unknown batch": graph(tf, lambda: layers.fully_connected(tf.placeholder(tf.float32, [None, 4]), 3)),
        "a list": built(tf, lambda: layers.fully_connected([[1.0, 2.0]], 3)),
        "float64": graph(tf, lambda: layers.fully_connected(tf.zeros([2, 3], tf.float64), 3)),
        "partial": graph(tf, lambda: [layers.linear(rows(tf), 2), layers.relu(rows(tf), 2), layers.relu6(rows(tf), 2), layers.elu(rows(tf), 2, scope="e")]),
    }  # fmt: skip


@program
def wrong_dense_arguments(tf, np):
    layers = tf.contrib.layers
    return {
        "num_outputs": fresh(tf, lambda: layers.fully_connected(rows(tf), 3.5)),
        "unknown size": fresh(tf, lambda: layers.fully_connected(tf.placeholder(tf.float32, [None, None]), 3)),
        "rank 1": fresh(tf, lambda: layers.fully_connected(tf.placeholder(tf.float32, [4]), 3)),
        "dtype": fresh(tf, lambda: layers.fully_connected(tf.zeros([2, 4], tf.int32), 3)),
        "reuse": fresh(tf, lambda: layers.fully_connected(rows(tf), 3, scope="never", reuse=True)),
        "twice": fresh(tf, lambda: [layers.fully_connected(rows(tf), 3, scope="a") for _ in range(2)]),
        "shape": fresh(tf, lambda: [layers.fully_connected(rows(tf), n, scope="a", reuse=tf.AUTO_REUSE) for n in (2, 3)]),
        "data_format": fresh(tf, lambda: layers.bias_add(rows(tf), data_format="NWC")),
        "bias of rank 1": fresh(tf, lambda: layers.bias_add(tf.zeros([3]))),
    }


@program
def scopes_and_aliases(tf, np):
    layers = tf.contrib.layers
    x = rows(tf)
    with tf.variable_scope("a"):
        first = layers.fully_connected(x, 3, scope="fc", outputs_collections="out")
    with tf.variable_scope("a", reuse=True):
        again = layers.fully_connected(x, 3, scope="fc", outputs_collections="out")
    outer = layers.fully_connected(x, 3, scope="fc", outputs_collections="out")
    reused = layers.fully_connected(x, 3, scope="fc", reuse=True, outputs_collections="out")
    with tf.variable_scope("a") as scope:
        pass
    by_scope = layers.fully_connected(x, 3, scope=scope, outputs_collections="out")
    with tf.variable_scope("a"), tf.name_scope("b"):
        in_both = layers.fully_connected(x, 3, outputs_collections="out")
    named = tf.contrib.slim.utils.convert_collection_to_dict("out")
    return [[t.aliases for t in (first, again, outer, reused, by_scope, in_both)], list(named), type(named).__name__, graph_of(tf)]


@program
def arg_scopes_of_layers(tf, np):
    layers, framework = tf.contrib.layers, tf.contrib.framework
    x = rows(tf)
    with framework.arg_scope([layers.fully_connected], activation_fn=tf.nn.tanh, weights_regularizer=layers.l2_regularizer(0.5)):
        with framework.arg_scope([layers.fully_connected, layers.dropout], outputs_collections="out"):
            y = layers.fully_connected(x, 3)
            y = layers.dropout(y, is_training=False)
        y = layers.linear(y, 2)
    with framework.arg_scope([framework.model_variable], device="/cpu:1"):
        with framework.arg_scope([framework.variable], device="/cpu:2"):
            y = layers.fully_connected(y, 1, scope="placed")
    return [y, graph_of(tf)]


@program
def bias_add(tf, np):
    layers = tf.contrib.layers
    return [
        built(tf, lambda: layers.bias_add(rows(tf), tf.nn.relu, tf.constant_initializer(-2.0), layers.l2_regularizer(0.1), variables_collections=["v"], outputs_collections="out")),
        graph(tf, lambda: layers.bias_add(tf.zeros([2, 3, 4, 4]), data_format="NCHW", scope="b", trainable=False)),
        graph(tf, lambda: layers.bias_add(tf.placeholder(tf.float32, [None, 2, 3]))),
    ]


@program
def flatten(tf, np):
    layers = tf.contrib.layers

    def in_scopes():
        x = tf.placeholder(tf.float32, [None, 4, 5], name="x")
        with tf.variable_scope("s"):
            first = layers.flatten(x, outputs_collections="out")
            second = layers.flatten(x, ["out", "other"], "fl")
        return [first, second, first.aliases, second.aliases]

    return {
        "scopes": graph(tf, in_scopes),
        "unknown sizes": graph(tf, lambda: layers.flatten(tf.placeholder(tf.float32, [None, None, 3]))),
        "known": graph(tf, lambda: layers.flatten(tf.zeros([2, 4, 3]))),
        "rank 1": graph(tf, lambda: layers.flatten(tf.zeros([2]))),
        "rank 2": graph(tf, lambda: layers.flatten(tf.placeholder(tf.float32, [None, 3]))),
        "a list": built(tf, lambda: layers.flatten([[[1.0, 2.0], [3.0, 4.0]]])),
        "unknown rank": fresh(tf, lambda: layers.flatten(tf.placeholder(tf.float32))),
        "rank 0": fresh(tf, lambda: layers.flatten(tf.constant(1.0))),
    }


@program
def dropout(tf, np):
    layers = tf.contrib.layers

    def chosen():
        training = tf.placeholder(tf.bool, [], name="training")
        return layers.dropout(rows(tf), 0.8, is_training=training, seed=3, noise_shape=[1, 4], scope="d", outputs_collections="out")

    return {
        "training": built(tf, lambda: layers.dropout(rows(tf), seed=1, outputs_collections="out")),
        "not": built(tf, lambda: layers.dropout(rows(tf), 0.3, is_training=False)),
        "chosen": graph(tf, chosen),
        "all": built(tf, lambda: layers.dropout(rows(tf), 1.0)),
        "a tensor": graph(tf, lambda: layers.dropout(rows(tf), tf.placeholder(tf.float32, [], name="keep"))),
        "a list": graph(tf, lambda: layers.dropout([1.0, 2.0], seed=1)),
        "unknown batch": graph(tf, lambda: layers.dropout(tf.placeholder(tf.float32, [None, 4]), noise_shape=[None, 1], seed=1)),
    }


@program
def one_hot_encoding(tf, np):
    layers = tf.contrib.layers
    return [
        built(tf, lambda: layers.one_hot_encoding(tf.constant([[1, 0], [2, 3]]), 3, outputs_collections="out")),
        built(tf, lambda: layers.one_hot_encoding([1, 2], 3, 2.0, -1.0, scope="mine")),
        built(tf, lambda: layers.one_hot_encoding(tf.constant([1, 5], tf.int64), tf.constant(3))),
    ]


@program
def softmax(tf, np):
    layers = tf.contrib.layers
    return [
        built(tf, lambda: layers.softmax(tf.reshape(rows(tf), [2, 2, 2]))),
        graph(tf, lambda: layers.softmax(tf.placeholder(tf.float32, [None, 2]), scope="mine")),
        fresh(tf, lambda: layers.softmax(tf.placeholder(tf.float32))),
        fresh(tf, lambda: layers.softmax(tf.placeholder(tf.float32, [2]))),
        fresh(tf, lambda: layers.softmax(tf.placeholder(tf.float32, [2, None]))),
    ]


@program
def maxout(tf, np):
    layers = tf.contrib.layers
    return [
        built(tf, lambda: layers.maxout(rows(tf), 2)),
        built(tf, lambda: layers.maxout(rows(tf), 1, axis=0, scope="mine")),
        graph(tf, lambda: layers.maxout(tf.placeholder(tf.float32, [None, 4, 6]), 3)),
        fresh(tf, lambda: layers.maxout(rows(tf), 3)),
    ]


@program
def unit_norm(tf, np):
    layers = tf.contrib.layers
    return [
        built(tf, lambda: layers.unit_norm(rows(tf), 1)),
        built(tf, lambda: layers.unit_norm(rows(tf), 0, epsilon=0.5, scope="mine")),
        graph(tf, lambda: layers.unit_norm(tf.placeholder(tf.float32, [None, 4, 6]), 1)),
        fresh(tf, lambda: layers.unit_norm(tf.placeholder(tf.float32), 1)),
        fresh(tf, lambda: layers.unit_norm(rows(tf), 2)),
        fresh(tf, lambda: layers.unit_norm(rows(tf), -1)),
    ]


@program
def dense_to_sparse(tf, np):
    layers = tf.contrib.layers
    return [
        built(tf, lambda: layers.dense_to_sparse(tf.constant([[1, 0, 2], [0, 0, 3]]), outputs_collections="out")),
        built(tf, lambda: layers.dense_to_sparse([1.0, -1.0, 2.0], -1.0, scope="mine")),
        graph(tf, lambda: layers.dense_to_sparse(tf.placeholder(tf.int32, [None, 4]), 7)),
    ]


@program
def repeat_and_stack(tf, np):
    layers = tf.contrib.layers
    said = []

    def mine(x, by, scope=None):
        said.append([scope, tf.get_variable_scope().name])
        return x * by

    class Adds:
        def __call__(self, x, scope=None):
            said.append([scope])
            return x + 1.0

    def all_of_them():
        x = rows(tf)
        return [
            layers.repeat(x, 2, layers.fully_connected, 3), layers.repeat(x, 2, layers.fully_connected, 3, scope="r"),
            layers.stack(x, layers.fully_connected, [3, 2]), layers.stack(x, layers.fully_connected, [[3, None], 2], scope="st"),
            layers.repeat(x, 2, mine, 3.0), layers.repeat(x, 2, Adds()), layers.stack(x, mine, [1.0, (2.0,)], scope="q"),
            layers.stack(x, lambda x, a, scope: x + a, [1.0, 2.0]), layers.repeat(x, 0, mine, 3), layers.repeat(x, 2, layers.linear, 3),
            layers.stack([[1.0, 2.0]], layers.relu, [3], weights_initializer=tf.ones_initializer()),
        ]  # fmt: skip

    return [built(tf, all_of_them), said]


@program
def embed_sequence(tf, np):
    layers = tf.contrib.layers

    def reused():
        first = layers.embed_sequence([1, 2, 1], 5, 3, scope="q", trainable=False)
        return [first, layers.embed_sequence([[4]], scope="q", reuse=True), layers.embed_sequence([1, 1], 5, 3, True, scope="q", reuse=True)]

    return {
        "plain": built(tf, lambda: layers.embed_sequence(tf.constant([[1, 2, 0], [4, 4, 4]]), 5, 3, regularizer=layers.l2_regularizer(0.1))),
        "unique": built(tf, lambda: layers.embed_sequence([1, 2, 1], 5, 3, unique=True, initializer=tf.ones_initializer())),
        "reused": built(tf, reused),
        "unknown": graph(tf, lambda: layers.embed_sequence(tf.placeholder(tf.int32, [None, None]), 5, 3, unique=True)),
        "no sizes": fresh(tf, lambda: layers.embed_sequence([1, 2])),
        "no dimension": fresh(tf, lambda: layers.embed_sequence([1, 2], 3)),
        "never made": fresh(tf, lambda: layers.embed_sequence([1, 2], scope="q", reuse=True)),
        "floats": fresh(tf, lambda: layers.embed_sequence([1.0, 2.0], 3, 3)),
    }


@program
def bow_encoder(tf, np):
    layers = tf.contrib.layers
    return {
        "sparse": built(tf, lambda: layers.bow_encoder(tf.constant([[1, 2, 0], [4, 0, 0], [0, 0, 0]]), 5, 3, regularizer=layers.l2_regularizer(0.1))),
        "a SparseTensor": built(tf, lambda: layers.bow_encoder(tf.SparseTensor([[0, 0], [1, 1]], [3, 4], [2, 2]), 5, 3)),
        "dense": built(tf, lambda: layers.bow_encoder(tf.constant([[1, 2, 0], [4, 0, 0]]), 5, 3, sparse_lookup=False, scope="d", trainable=False)),
        "lookup": built(tf, lambda: layers.embedding_lookup_unique(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1, 0], [1, 1]]), name="u")),
        "in parts": built(tf, lambda: layers.embedding_lookup_unique([tf.constant([[1.0, 2.0]]), tf.constant([[3.0, 4.0]])], tf.placeholder_with_default([1, 0, 1], [None]))),
        "scalar": built(tf, lambda: layers.embedding_lookup_unique(tf.constant([[1.0, 2.0], [3.0, 4.0]]), 1)),
    }


@program
def utils(tf, np):
    u = tf.contrib.slim.utils
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="s/b")
    said = [u.append_tensor_alias(a, "x/") is a, a.aliases, u.gather_tensors_aliases([a, b]), u.get_tensor_aliases(b)]
    said += [u.collect_named_outputs(None, "q", a) is a, a.aliases, u.collect_named_outputs(["c", "d"], "q/", a) is a, a.aliases]
    said += [list(u.convert_collection_to_dict("c")), list(u.convert_collection_to_dict("d", clear_collection=True)), tf.get_collection("d")]
    shape = tf.TensorShape
    said += [
        u.n_positive_integers(2, 3), u.n_positive_integers(2, [3, 4]), u.n_positive_integers(2, shape([2, 3])), u.two_element_tuple(3),
        u.two_element_tuple([1, 2]), u.last_dimension(shape([2, 3])), u.channel_dimension(shape([2, 3, 4, 5]), "channels_first"),
        u.channel_dimension(shape([2, 3, 4, 5]), "NCHW"), u.channel_dimension(shape([2, 3, 4, 5]), "NHWC"), u.get_variable_collections({"a": ["x"]}, "a"),
        u.get_variable_collections({"a": ["x"]}, "b"), u.get_variable_collections(["y"], "b"), u.get_variable_collections(None, "b"),
        u.constant_value(True), u.constant_value(tf.constant(False)), u.constant_value(tf.placeholder(tf.bool, [])),
        u.constant_value(tf.Variable(True)), u.static_cond(True, lambda: 1, lambda: 2), u.smart_cond(tf.constant(False), lambda: 1, lambda: 2),
    ]  # fmt: skip
    wrong = [
        lambda: u.n_positive_integers(2, [3, 0]), lambda: u.n_positive_integers(2, [3]), lambda: u.n_positive_integers(2, 0),
        lambda: u.n_positive_integers(2, "a"), lambda: u.n_positive_integers(0, 1), lambda: u.two_element_tuple([1]),
        lambda: u.two_element_tuple(2.5), lambda: u.last_dimension(shape([2, None])), lambda: u.last_dimension(shape(None)),
        lambda: u.last_dimension(shape([2]), min_rank=2), lambda: u.channel_dimension(shape([2, 3]), "NHWC", min_rank=3),
        lambda: u.channel_dimension(shape([2, None, 3]), "channels_first"), lambda: u.smart_cond(None, lambda: 1, lambda: 2),
    ]  # fmt: skip
    return [said, [attempt(f) for f in wrong]]
