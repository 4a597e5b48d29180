"""tf.data: what files hold."""

import gzip
import os
import zlib

from harness import attempt, in_folder, program
from programs_data_sets import elements


def taken(tf, build, most=20):
    with tf.Graph().as_default(), tf.Session() as sess:
        iterator = build().make_initializable_iterator()
        x = iterator.get_next()
        sess.run(iterator.initializer)
        return elements(tf, sess, x, most)


def file(name, data):
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"tfedu_{os.getpid()}_{name}")
    with open(path, "wb") as out:
        out.write(data)
    return path


@program
def lines(tf, np):
    text = b"one\r\ntwo\n\nfour"
    plain, packed, deflated = file("a.txt", text), file("b.gz", gzip.compress(text)), file("c.z", zlib.compress(text))
    lines_of = tf.data.TextLineDataset
    return [
        taken(tf, lambda: lines_of(plain)), taken(tf, lambda: lines_of([plain, plain], buffer_size=3)),
        taken(tf, lambda: lines_of(packed, "GZIP")), taken(tf, lambda: lines_of(deflated, compression_type="ZLIB")),
        taken(tf, lambda: lines_of([plain, packed]).skip(1).take(2)), str(lines_of(plain)),
        taken(tf, lambda: lines_of(tf.data.Dataset.from_tensor_slices([plain, plain])).filter(lambda x: tf.equal(x, "two"))),
    ]  # fmt: skip


@program
def nodes_of_lines(tf, np):
    tf.data.TextLineDataset(["a"])
    tf.data.TFRecordDataset("b", num_parallel_reads=2)
    return [(op.name, op.type, [t.name for t in op.inputs]) for op in tf.get_default_graph().get_operations()]


@program
def records_of_fixed_length(tf, np):
    data = file("fixed", b"HEAD" + bytes(range(12)) + b"F")
    fixed = tf.data.FixedLengthRecordDataset
    return [
        taken(tf, lambda: fixed(data, 4, 4, 1)), taken(tf, lambda: fixed([data, data], 6, header_bytes=4, footer_bytes=1)),
        taken(tf, lambda: fixed(data, 17)), taken(tf, lambda: fixed(file("gz", gzip.compress(bytes(6))), 3, compression_type="GZIP")),
    ]  # fmt: skip


@program
def files_that_are_no_records_of_fixed_length(tf, np):
    """Headers that are longer than the file have another error here: TensorFlow's is internal."""
    fixed = tf.data.FixedLengthRecordDataset

    def found(folder):
        for name, data in (("a", b"12345678"), ("b", gzip.compress(b"12345678"))):
            with open(name, "wb") as out:
                out.write(data)
        packed = {"compression_type": "GZIP"}
        # TensorFlow tries the same file again for each further element.
        return [
            taken(tf, lambda: fixed("a", 3), 1), taken(tf, lambda: fixed("a", 3, 1, 2), 1), taken(tf, lambda: fixed("a", 9), 1),
            taken(tf, lambda: fixed("a", 0)), taken(tf, lambda: fixed("a", 3, -1)), taken(tf, lambda: fixed("a", 3, 0, -1)),
            taken(tf, lambda: fixed("b", 3, **packed)), taken(tf, lambda: fixed("b", 9, **packed)),
            taken(tf, lambda: fixed("b", 3, 1, 1, **packed)),
        ]  # fmt: skip

    return in_folder(found)


@program
def tf_records(tf, np):
    def written(name, options=None):
        path = file(name, b"")
        with tf.python_io.TFRecordWriter(path, options) as writer:
            for i in range(3):
                writer.write(b"record %d" % i)
        return path

    kinds = tf.python_io.TFRecordCompressionType
    plain = written("plain")
    packed = written("packed", tf.python_io.TFRecordOptions(kinds.GZIP))
    deflated = written("deflated", tf.python_io.TFRecordOptions(kinds.ZLIB))
    records_of = tf.data.TFRecordDataset
    return [
        taken(tf, lambda: records_of(plain)), taken(tf, lambda: records_of(packed, "GZIP")),
        taken(tf, lambda: records_of(deflated, "ZLIB")), taken(tf, lambda: records_of([plain, plain], num_parallel_reads=2)),
        taken(tf, lambda: records_of([plain]).map(lambda r: tf.strings.length(r))),
    ]  # fmt: skip


@program
def refusals(tf, np):
    return [
        attempt(lambda: tf.data.TextLineDataset(3)), attempt(lambda: tf.data.TextLineDataset(tf.data.Dataset.range(2))),
        taken(tf, lambda: tf.data.TextLineDataset("no such file"))[0][0],
        taken(tf, lambda: tf.data.TFRecordDataset("no such file"))[0][0],
    ]  # fmt: skip


@program
def one_shot_iterators_wait_for_no_checks(tf, np):
    """What a dataset needs is copied without its control edges."""
    data = tf.data.Dataset

    def first(dataset):
        x = dataset.make_one_shot_iterator().get_next()
        with tf.Session() as sess:
            return attempt(lambda: sess.run(x))

    def found(folder):
        with open("a", "w") as out:
            out.write("x")
        with tf.control_dependencies([tf.Assert(False, ["no"])]):
            three = tf.identity(tf.constant(3, tf.int64))
        names = [first(data.list_files("a*", shuffle=False)), first(data.list_files("a*")), first(data.list_files("z*"))]
        return [*names, first(data.range(three)), attempt(lambda: first(data.range(tf.random_uniform([], 1, 2, tf.int64))))]

    return in_folder(found)
