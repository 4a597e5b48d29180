"""Readers of tf: the records and keys that they give, how they count, at which errors they stop, what their nodes are."""

import gzip
import os
import re
import zlib

from harness import attempt, fresh, graph_of, in_folder, program

BYTES = b"HHabcdefghijFF"


def files(tf):
    """Files in the working directory."""
    for name, content in {"a.txt": b"one\ntwo\n\nfour", "b.txt": b"five\r\nsix\n", "e.txt": b"", "f.bin": BYTES}.items():
        with open(name, "wb") as file:
            file.write(content)
    with gzip.open("f.gz", "wb") as file:
        file.write(BYTES)
    with open("f.zlib", "wb") as file:
        file.write(zlib.compress(BYTES))
    with tf.python_io.TFRecordWriter("r.rec") as writer:
        for record in (b"r1", b"record 2", b""):
            writer.write(record)


def told(result):
    """A result, or the class of an error and its text without the number of the queue."""
    return [result.classes[0], re.sub(r"'_\d+_", "'_N_", result.text)] if hasattr(result, "whole") else result


def read(tf, make, names, up_to=None, most=9, last=None):
    """What runs of a reader give until the names end, with its counts; then `last(sess, reader)`."""

    def run():
        reader = make()
        queue = tf.FIFOQueue(99, [tf.string], [[]], name="files")
        record = reader.read(queue) if up_to is None else reader.read_up_to(queue, up_to)
        counts = [reader.num_records_produced(), reader.num_work_units_completed()]
        found = []
        with tf.Session() as sess:
            sess.run(queue.enqueue_many([names]))
            sess.run(queue.close())
            for _ in range(most):
                result = attempt(lambda: list(sess.run(record)))
                found.append([told(result), sess.run(counts)])
                if hasattr(result, "whole") and len(found) > 1 and found[-2] == found[-1]:
                    break
            return [found, None if last is None else told(attempt(lambda: last(sess, reader)))]

    return fresh(tf, run)


NAMES = ["a.txt", "e.txt", "b.txt"]


@program
def nodes_of_readers(tf, np):
    attrs = ("skip_header_lines", "record_bytes", "header_bytes", "footer_bytes", "hop_bytes", "encoding", "compression_type")
    reader = tf.TextLineReader(skip_header_lines=1)
    queue = tf.FIFOQueue(3, [tf.string])
    reader.read(queue), reader.read(queue, name="one"), reader.read_up_to(queue, 3), reader.num_records_produced()
    reader.num_work_units_completed(), reader.serialize_state(), reader.restore_state("a"), reader.reset()
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    others = [
        tf.WholeFileReader(), tf.IdentityReader(name="i"), tf.TFRecordReader(options=options),
        tf.FixedLengthRecordReader(3, 1, 2, 4, encoding="ZLIB"),
    ]  # fmt: skip
    return [graph_of(tf, *attrs), [each.supports_serialize for each in [reader, *others]], others[0].reader_ref.name]


@program
def lines(tf, np):
    def run(folder):
        files(tf)
        return {
            "all": read(tf, tf.TextLineReader, NAMES),
            "skipped": read(tf, lambda: tf.TextLineReader(skip_header_lines=1), NAMES),
            "all skipped": read(tf, lambda: tf.TextLineReader(skip_header_lines=9), NAMES),
            "a missing file": read(tf, tf.TextLineReader, ["a.txt", "none.txt", "b.txt"]),
            "three": read(tf, tf.TextLineReader, NAMES, up_to=3), "many": read(tf, tf.TextLineReader, NAMES, up_to=100),
        }  # fmt: skip

    return in_folder(run)


@program
def whole_files_and_names(tf, np):
    def run(folder):
        files(tf)
        return {
            "whole": read(tf, tf.WholeFileReader, NAMES), "two": read(tf, tf.WholeFileReader, NAMES, up_to=2),
            "names": read(tf, tf.IdentityReader, NAMES), "two names": read(tf, tf.IdentityReader, NAMES, up_to=2),
        }  # fmt: skip

    return in_folder(run)


@program
def records(tf, np):
    def fixed(name, *lengths, **options):
        return read(tf, lambda: tf.FixedLengthRecordReader(*lengths, **options), [name])

    def run(folder):
        files(tf)
        return {
            "records": read(tf, tf.TFRecordReader, ["r.rec"]), "two": read(tf, tf.TFRecordReader, ["r.rec", "r.rec"], up_to=2),
            "no records": read(tf, tf.TFRecordReader, ["a.txt"], most=3), "fixed": fixed("f.bin", 3),
            "header and footer": fixed("f.bin", 4, 2, 2), "hops": fixed("f.bin", 4, 2, 2, 2), "long hops": fixed("f.bin", 4, hop_bytes=5),
            "gzip": fixed("f.gz", 4, 2, 2, encoding="GZIP"), "zlib": fixed("f.zlib", 4, 2, 2, encoding="ZLIB"),
            "too long": fixed("f.bin", 100),
            **{label: attempt(lambda lengths=lengths: fixed("f.bin", *lengths)) for label, lengths in {
                "record": (-1,), "header": (2, -1), "footer": (2, 0, -1), "hop": (2, 0, 0, -1)}.items()},
        }  # fmt: skip

    return in_folder(run)


@program
def states_of_readers(tf, np):
    def restored(sess, reader):
        state = sess.run(reader.serialize_state())
        counts = [reader.num_records_produced(), reader.num_work_units_completed()]
        sess.run(reader.reset())
        zero = sess.run(counts)
        sess.run(reader.restore_state(state))
        return [state, zero, sess.run(counts)]

    def reset(sess, reader):
        sess.run(reader.reset())
        return sess.run(reader.num_records_produced())

    def run(folder):
        files(tf)
        names = ["a.txt", "b.txt"]
        return {
            "names": read(tf, tf.IdentityReader, names, most=1, last=restored),
            "whole files": read(tf, tf.WholeFileReader, names, most=2, last=restored),
            "lines": read(tf, tf.TextLineReader, names, most=1, last=restored),
            "lines restored": read(tf, tf.TextLineReader, names, most=1, last=lambda s, r: s.run(r.restore_state("abc"))),
            "no state": read(tf, tf.IdentityReader, names, most=1, last=lambda s, r: s.run(r.restore_state("abc"))),
            "reset": read(tf, tf.TextLineReader, names, most=2, last=reset),
        }  # fmt: skip

    return in_folder(run)


@program
def queues_of_readers(tf, np):
    def from_queue(types, values):
        queue = tf.FIFOQueue(3, types, [[]] * len(types))
        record = tf.TextLineReader().read(queue.queue_ref)
        with tf.Session() as sess:
            sess.run(queue.enqueue(values))
            return told(attempt(lambda: sess.run(record)))

    return [fresh(tf, lambda: from_queue([tf.int32], [1])), fresh(tf, lambda: from_queue([tf.string] * 2, ["a", "b"]))]


@program
def a_whole_pipeline(tf, np):
    """File names, lines, columns, batches: as in the tutorials."""

    def run(folder):
        for name, rows in {"x.csv": "h,h\n1,2.5\n2,3.5\n", "y.csv": "h,h\n3,4.5\n"}.items():
            with open(name, "w") as file:
                file.write(rows)
        names = tf.train.string_input_producer(["x.csv", "y.csv"], num_epochs=2, shuffle=False)
        _, line = tf.TextLineReader(skip_header_lines=1).read(names)
        number, half = tf.decode_csv(line, [[0], [0.0]])
        batch = tf.train.batch([number, half], 4, allow_smaller_final_batch=True)
        content = tf.read_file(tf.train.string_input_producer(["y.csv"], shuffle=False).dequeue())
        found = []
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            try:
                while not coord.should_stop():
                    found.append(sess.run(batch))
            except tf.errors.OutOfRangeError:
                found.append(sess.run(content))
            finally:
                coord.request_stop()
            coord.join(threads)
        return [found, os.path.exists("x.csv")]

    return in_folder(run)


@program
def a_name_that_the_same_run_puts_in(tf, np):
    """The read waits for the enqueue; later reads of the file need no name."""

    def read_and_put(many):
        queue, reader = tf.FIFOQueue(9, [tf.string], [[]]), tf.TextLineReader()
        put = queue.enqueue("a.txt")
        record = reader.read_up_to(queue, 3) if many else reader.read(queue)
        with tf.Session() as sess:
            found = [sess.run([record, put])[0]]
            found += [sess.run(record) for _ in range(1 if many else 3)]
            found.append(sess.run([record, put])[0])
        return [list(each) for each in found]

    def run(folder):
        files(tf)
        return [fresh(tf, lambda many=many: read_and_put(many)) for many in (False, True)]

    return in_folder(run)


@program
def headers_below_zero(tf, np):
    return in_folder(lambda _: [files(tf), attempt(lambda: read(tf, lambda: tf.TextLineReader(skip_header_lines=-1), ["a.txt"]))])
