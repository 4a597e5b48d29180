"""Examples, sequence examples, lines of comma-separated values, JSON and tensors as strings: nodes, values, refusals."""

from harness import attempt, fresh, graph_of, program


def feature(tf, values):
    if isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def features(tf, **values):
    return tf.train.Features(feature={key: feature(tf, value) for key, value in values.items()})


def examples(tf):
    first = features(tf, a=[1, 2], b=[1.5], s=[b"x", b"y"], n=[3])
    second = features(tf, a=[3, 4], n=[3, 4, 5])
    return [tf.train.Example(features=each).SerializeToString() for each in (first, second)]


def sequence(tf):
    lists = {
        "t": tf.train.FeatureList(feature=[feature(tf, [1.0, 2.0]), feature(tf, [3.0, 4.0])]),
        "v": tf.train.FeatureList(feature=[feature(tf, [b"a"]), feature(tf, [b"b", b"c"])]),
    }
    message = tf.train.SequenceExample(context=features(tf, c=[7]), feature_lists=tf.train.FeatureLists(feature_list=lists))
    return message.SerializeToString()


def parsed(tf, build):
    """The nodes and the values, or the error."""
    with tf.Graph().as_default(), tf.Session() as sess:
        result = build()
        return [graph_of(tf), attempt(lambda: sess.run(result))]


def value(tf, build):
    with tf.Graph().as_default(), tf.Session() as sess:
        return attempt(lambda: sess.run(build()))


def both(tf, example, batch, expected):
    """A feature of a single example, and of a batch."""
    return [
        value(tf, lambda: tf.parse_single_example(example, expected)), value(tf, lambda: tf.parse_example(batch, expected))
    ]  # fmt: skip


@program
def one_example(tf, np):
    one, _ = examples(tf)
    return parsed(tf, lambda: tf.parse_single_example(one, {
        "a": tf.FixedLenFeature([2], tf.int64), "s": tf.VarLenFeature(tf.string),
        "b": tf.FixedLenFeature([], tf.float32, default_value=7.0),
    }))  # fmt: skip


@program
def a_batch_of_examples(tf, np):
    return parsed(tf, lambda: tf.parse_example(examples(tf), {
        "a": tf.FixedLenFeature([2], tf.int64), "s": tf.VarLenFeature(tf.string),
        "b": tf.FixedLenFeature([], tf.float32, default_value=7.0),
        "n": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
    }))  # fmt: skip


@program
def sparse_features(tf, np):
    serialized = examples(tf)
    return [
        value(tf, lambda: tf.parse_example(serialized, {"sp": tf.SparseFeature("n", "a", tf.int64, 10)})),
        value(tf, lambda: tf.parse_example(serialized, {"sp": tf.SparseFeature("n", "n", tf.int64, 10), "n": tf.VarLenFeature(tf.int64)})),
    ]


@program
def wrong_features(tf, np):
    one, two = examples(tf)
    fixed, var, rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
    return [
        both(tf, two, [one, two], {"b": fixed([], tf.float32)}),
        both(tf, one, [one], {"b": fixed([], tf.int64)}),
        both(tf, one, [one], {"a": fixed([3], tf.int64)}),
        both(tf, b"abc", [b"abc"], {"a": fixed([3], tf.int64)}),
        both(tf, one, [one], {"b": var(tf.int64)}),
        value(tf, lambda: tf.parse_example([one, two], {"b": fixed([], tf.float32)}, example_names=["one", "two"])),
        value(tf, lambda: tf.parse_example([one, two], {"n": rows([2], tf.int64, allow_missing=True)})),
        value(tf, lambda: tf.parse_example([one, two], {"none": rows([2], tf.int64, allow_missing=True)})),
        value(tf, lambda: tf.parse_example([one, two], {"a": rows([2], tf.int64, allow_missing=True)})),
        value(tf, lambda: tf.parse_example([one, two], {"n": rows([], tf.int64, allow_missing=True, default_value=-1)})),
    ]


@program
def refused_features(tf, np):
    one = examples(tf)[0]
    fixed = tf.FixedLenFeature

    def refused(build):
        with tf.Graph().as_default():
            return attempt(build)

    return [
        refused(build)
        for build in (
            lambda: tf.parse_example([one], {}),
            lambda: tf.parse_example([one], None),
            lambda: tf.parse_example([one], {"a": 3}),
            lambda: tf.parse_example([one], {"a": fixed(None, tf.int64)}),
            lambda: tf.parse_example([one], {"a": fixed([None], tf.int64)}),
            lambda: tf.parse_example([one], {"a": tf.FixedLenSequenceFeature([], tf.int64)}),
            lambda: tf.parse_example([one], {"a": tf.VarLenFeature(tf.int32)}),
            lambda: tf.parse_example(one, {"a": fixed([2], tf.int64)}),
            lambda: tf.parse_single_example([one], {"a": fixed([2], tf.int64)}),
        )
    ]


@program
def sequence_examples(tf, np):
    fixed, var, rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
    one = sequence(tf)
    lists = {"t": rows([2], tf.float32), "v": var(tf.string)}
    return [
        parsed(tf, lambda: tf.parse_single_sequence_example(one, {"c": fixed([], tf.int64)}, lists)),
        parsed(tf, lambda: tf.io.parse_sequence_example([one, one], {"c": fixed([], tf.int64)}, lists)),
        value(tf, lambda: tf.parse_single_sequence_example(one, {"c": fixed([], tf.int64)}, {"t": rows([3], tf.float32)})),
        value(tf, lambda: tf.parse_single_sequence_example(one, {"d": fixed([], tf.int64)}, {})),
        value(tf, lambda: tf.parse_single_sequence_example(one, {}, {"d": rows([3], tf.float32)})),
        value(tf, lambda: tf.parse_single_sequence_example(one, {}, {"t": rows([2], tf.int64)})),
        value(tf, lambda: tf.parse_single_sequence_example(one, {}, {"d": rows([3], tf.float32, allow_missing=True)})),
        value(tf, lambda: tf.parse_single_sequence_example(b"abc", {}, {"t": rows([3], tf.float32)})),
    ]


@program
def comma_separated_values(tf, np):
    lines = [
        (["1,2.5,x", '2,,"a,b"'], [[0], [1.5], [""]], {}),
        (["1,2.5,x", "2,3"], [[0], [1.5], [""]], {}),
        (["1,z"], [[0], [1.5]], {}),
        (['a"b,1'], [[""], [1.5]], {}),
        (['"a"b,1'], [[""], [1.5]], {}),
        (["1;2"], [[0], [0]], {"field_delim": ";"}),
        (["1,NA"], [[0], [7]], {"na_value": "NA"}),
        (["1,2,3"], [[0], [7]], {"select_cols": [0, 2]}),
        (["9999999999,2"], [[0], [7]], {}),
        (['"a""b",1'], [[""], [7]], {}),
        (["1,2"], [[0], [7]], {"field_delim": ""}),
        ("3,4", [[0], [7]], {}),
        (["1,2,3"], [[0], [7]], {}),
        ([" 1,2 "], [[0], [7.0]], {}),
        (['"un,1'], [[""], [7.0]], {}),
        (["1\r\n"], [[0]], {}),
        ([""], [[0]], {}),
        (["1,"], [[0], ["q"]], {}),
        (['a,"b'], [["q"], ["q"]], {"use_quote_delim": False}),
    ]
    found = [value(tf, lambda line=line: tf.decode_csv(line[0], line[1], **line[2])) for line in lines]
    required = value(tf, lambda: tf.decode_csv([",1.0"], [tf.constant([], tf.int32), [1.5]]))
    with tf.Graph().as_default():
        tf.decode_csv(["1,2.5,x"], [[0], [1.5], [""]])
        return [graph_of(tf), found, required, attempt(lambda: tf.decode_csv(["1,2"], [[0], [7]], select_cols=[0]))]


@program
def tensors_as_strings(tf, np):
    given = [tf.constant([1, 2]), tf.constant([[1.5]], tf.float64), tf.constant(["a", "bc"]), tf.constant(True), tf.constant(1j)]
    with tf.Session() as sess:
        texts = sess.run([tf.serialize_tensor(tensor) for tensor in given])
        back = sess.run([tf.parse_tensor(text, tensor.dtype) for text, tensor in zip(texts, given)])
    return [texts, back, value(tf, lambda: tf.parse_tensor(texts[0], tf.float32))]


@program
def broken_sequence_examples(tf, np):
    """Fields that end after the bytes, at the end and inside."""
    lists = {"t": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}
    texts = [b"bad", b"q", b"\x0a\x05ab", b"", b"\x0a\x00\x12\x00", b"\x62\x02ab", b"\x12\x7f\x0a"]
    return [value(tf, lambda text=text: tf.parse_single_sequence_example(text, sequence_features=lists)[1]["t"]) for text in texts]


@program
def sequences_of_unknown_shapes(tf, np):
    return [
        fresh(tf, lambda shape=shape: tf.parse_example([b""], {"i": tf.FixedLenSequenceFeature(shape, tf.int64, allow_missing=True)}))
        for shape in ([None], [2, None])
    ]


@program
def compressed_texts_that_are_none(tf, np):
    return [value(tf, lambda kind=kind: tf.io.decode_compressed([b"junk"], kind)) for kind in ("ZLIB", "GZIP")]
