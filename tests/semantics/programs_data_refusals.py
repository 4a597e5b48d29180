"""tf.data: what the stages refuse when the graph is made, and what goes on after an element that could not be made."""

import zlib

from harness import attempt, program
from programs_data_files import file
from programs_data_files import taken as of_files
from programs_data_sets import nodes, taken


def made(tf, build):
    return attempt(lambda: nodes(tf, build))


@program
def lists_where_scalars_belong(tf, np):
    e, two = tf.data.experimental, [1, 2]
    return [
        made(tf, lambda d: d.range(5).take(two)), made(tf, lambda d: d.range(5).skip(two)),
        made(tf, lambda d: d.range(5).repeat(two)), made(tf, lambda d: d.range(5).shuffle(two)),
        made(tf, lambda d: d.range(5).shard(two, 0)), made(tf, lambda d: d.range(5).shard(2, two)),
        made(tf, lambda d: d.range(5).prefetch(two)), made(tf, lambda d: d.range(5).cache(["a", "b"])),
        made(tf, lambda d: d.range(5).batch(two)), made(tf, lambda d: d.range(5).batch(2, [True])),
        made(tf, lambda d: d.range(5).padded_batch(two, [])), made(tf, lambda d: d.range(5).window(two)),
        made(tf, lambda d: d.range(two)), made(tf, lambda d: d.range(5).apply(e.shuffle_and_repeat(two, 1))),
        made(tf, lambda d: e.SqlDataset(["sqlite"], "a", "b", (tf.int32,))),
        made(tf, lambda d: d.range(5).apply(e.map_and_batch(lambda x: x, 2, num_parallel_calls=two))),
    ]  # fmt: skip


@program
def arguments_of_a_csv_file(tf, np):
    rows = tf.data.experimental.CsvDataset
    return [
        made(tf, lambda d: rows("a", [tf.int32, [[1, 2]]])), made(tf, lambda d: rows("a", [[1, 2]])),
        made(tf, lambda d: rows([["a"]], [tf.int32])), made(tf, lambda d: rows("a", [tf.int32], header=[True])),
        made(tf, lambda d: rows("a", [tf.int32], buffer_size=[1])),
        made(tf, lambda d: rows("a", [tf.int32], select_cols=[[0]])),
        of_files(tf, lambda: rows([file("empty.csv", b""), file("full.csv", b"a\n1\n")], [tf.int32], header=True)),
    ]  # fmt: skip


@program
def padded_shapes(tf, np):
    def padded(shapes, values=None, pair=False):
        def build(d):
            rows = d.range(1, 5).map(lambda x: tf.fill([x], x))
            rows = rows.map(lambda x: (x, tf.as_string(x))) if pair else rows
            return rows.padded_batch(2, shapes() if callable(shapes) else shapes, values)

        return attempt(lambda: taken(tf, build))

    def of_a_dict(shapes, values=None):
        return attempt(lambda: taken(tf, lambda d: d.from_tensors({"a": [1]}).padded_batch(2, shapes, values)))

    return [
        padded("a"), padded(3), padded([-2]), padded(None), padded([1.5]), padded(["a"]), padded([[1]]), padded({"a": [None]}),
        padded(lambda: tf.constant([1, 2])), padded(lambda: tf.constant(5, tf.int64)), padded(lambda: [tf.constant(4)]),
        padded(tf.TensorShape(None)), padded([None], (1,)), padded([None], pair=True), padded(([None],), pair=True),
        padded([[None], [None]], pair=True), padded(([None], [None]), (1,), pair=True), padded(([None], [None]), 1, pair=True),
        padded({"a": [None], "b": [None]}, pair=True), of_a_dict({"b": [1]}), of_a_dict([1]), of_a_dict({"a": [1], "b": [2]}),
        of_a_dict({"a": [3]}, {"b": 0}), of_a_dict({"a": [3]}),
    ]  # fmt: skip


@program
def types_of_sparse_slices(tf, np):
    def sparse(x):
        return tf.SparseTensor([[x]], [x], [5])

    return [
        nodes(tf, lambda d: tf.compat.v1.data.get_output_shapes(d.range(4).map(sparse).batch(2).unbatch())),
        nodes(tf, lambda d: tf.compat.v1.data.get_output_shapes(d.range(4).map(lambda x: (x, sparse(x))).batch(2, True).unbatch())),
    ]


@program
def after_an_error(tf, np):
    e = tf.data.experimental

    def numbers(d):
        return d.from_tensor_slices(["1", "x", "3"]).map(lambda text: tf.string_to_number(text))

    return [
        taken(tf, lambda d: d.zip((d.range(5), numbers(d), d.range(9)))), taken(tf, lambda d: numbers(d).shard(2, 1)),
        taken(tf, lambda d: d.range(2).interleave(lambda _: numbers(d), 2)),
        taken(tf, lambda d: d.range(2).interleave(lambda _: numbers(d), 2, 2)),
        taken(tf, lambda d: d.range(2).interleave(lambda _: numbers(d), 2, num_parallel_calls=2)),
        taken(tf, lambda d: d.range(2).apply(e.parallel_interleave(lambda _: numbers(d), 2))),
    ]  # fmt: skip


@program
def cut_and_uncompressed_files(tf, np):
    text = b"".join(b"line %d\n" % i for i in range(300))
    packed = zlib.compress(text)

    def unpacked(data):
        with tf.Graph().as_default(), tf.Session() as sess:
            return sess.run(tf.decode_compressed(data, "ZLIB"))

    records = file("plain.tfrecord", b"")
    with tf.python_io.TFRecordWriter(records) as writer:
        writer.write(b"one")
    closed = tf.python_io.TFRecordWriter(records + ".closed")
    closed.close()
    return [
        unpacked(packed[:-5]), unpacked(packed[:40]), attempt(lambda: unpacked(b"junk")),
        of_files(tf, lambda: tf.data.TFRecordDataset(records, "LZ")), attempt(lambda: closed.write(b"x")),
        attempt(lambda: tf.gfile.GFile(records + ".text", "w").write(5)),
    ]  # fmt: skip


@program
def classes_and_states(tf, np):
    e, optional = tf.data.experimental, tf.data.experimental.Optional

    def reduced(state, function):
        failure = attempt(lambda: tf.data.Dataset.range(3).reduce(state, function))
        return [failure.classes, failure.text.partition(". Expected")[0]]  # the rest names classes of the library

    def restored():
        with tf.Graph().as_default(), tf.Session() as sess:
            iterator = tf.data.Dataset.range(3).make_initializable_iterator()
            saver = tf.train.Saver([e.make_saveable_from_iterator(iterator)])
            sess.run(iterator.initializer)
            path = saver.save(sess, file("iterator", b""))
            with tf.Session() as other:
                return attempt(lambda: saver.restore(other, path))

    failure = restored()
    failure.whole = failure.text = failure.text.split("\n")[0]
    return [
        taken(tf, lambda d: d.range(8).apply(e.rejection_resample(lambda x: x % 2, [0.5, 0.5], [0.5, 0.5], seed=1))),
        reduced(tf.SparseTensor([[0]], [1], [2]), lambda a, x: 1), reduced(0, lambda a, x: None), failure,
        attempt(lambda: optional.from_value(None)), str(tf.data.Dataset.range(1).map(optional.from_value).output_types),
    ]  # fmt: skip


@program
def variables_in_functions(tf, np):
    def mapped(function):
        with tf.Graph().as_default(), tf.Session() as sess:
            dataset = tf.data.Dataset.range(3).map(function)
            facts = [[v.name for v in tf.global_variables()], str(dataset.output_types), str(dataset.output_shapes)]
            iterator = dataset.make_initializable_iterator()
            x = iterator.get_next()
            sess.run(tf.global_variables_initializer())
            sess.run(iterator.initializer)
            return [facts, [sess.run(x) for _ in range(3)], [op.name for op in tf.get_default_graph().get_operations()][5:10]]

    def from_an_argument(x):
        return tf.Variable(tf.cast(x, tf.float32)) + 1.0

    def from_a_function_of_it(x):
        return tf.Variable(lambda: tf.cast(x, tf.float32)) + 1.0

    def dense(x):
        return tf.layers.dense(tf.fill([1, 1], tf.cast(x, tf.float32)), 2, kernel_initializer=tf.ones_initializer())

    counter = tf.get_variable("counter", [2], initializer=tf.zeros_initializer(), use_resource=True)
    return [
        mapped(lambda x: tf.cast(x, tf.float32) + tf.Variable(2.0)), mapped(dense)[:2],
        mapped(lambda x: tf.get_variable("count", [], tf.int64, tf.zeros_initializer()).assign_add(x))[:2],
        attempt(lambda: mapped(from_an_argument)).classes, attempt(lambda: mapped(from_a_function_of_it)).classes,
        str(tf.data.Dataset.range(3).map(lambda x: counter * 2.0).output_shapes),
    ]  # fmt: skip
