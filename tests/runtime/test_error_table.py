"""The table of error classes in docs/running.md: what a row says raises its class does, cause by cause."""

import errno
import os
import pathlib
import re
import threading

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.files import gfile

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "running.md"


def run(make, feed=None, options=None, **config):
    with tf.Graph().as_default():
        fetch = make()
        with tf.Session(config=tf.ConfigProto(**config)) as sess:
            return sess.run(fetch, feed, options=options)


def unknown(value):
    """A tensor whose value only the run sees."""
    return tf.placeholder_with_default(value, None)


def py_func_that(error):
    def fail():
        raise error

    return lambda folder: run(lambda: tf.py_func(fail, [], tf.float32))


def of_op(make):
    return lambda folder: run(make)


def uninitialized(folder):
    run(lambda: tf.Variable(1.0).read_value())


def full_folder(folder):
    (folder / "file").touch()
    tf.gfile.Remove(str(folder))


def counted_up(folder):
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(0)
        up = v.count_up_to(1)
        sess.run(v.initializer)
        sess.run(up)
        sess.run(up)


def new_table():
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)


def closed_queue(folder):
    with tf.Graph().as_default(), tf.Session() as sess:
        queue = tf.FIFOQueue(1, [tf.int32], [[]])
        sess.run(queue.close())
        sess.run(queue.dequeue())


def full_closed_queue(folder):
    with tf.Graph().as_default(), tf.Session() as sess:
        queue = tf.FIFOQueue(1, [tf.int32], [[]])
        sess.run(queue.close())
        sess.run(queue.enqueue(1))


def checkpoint(folder):
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable([1.0, 2.0], name="v")
        sess.run(v.initializer)
        return tf.train.Saver([v]).save(sess, str(folder / "model"))


def missing_tensor(folder):
    tf.train.load_variable(checkpoint(folder), "none")


def damaged(folder):
    path = pathlib.Path(checkpoint(folder) + ".index")
    data = bytearray(path.read_bytes())
    data[5] ^= 255
    path.write_bytes(data)
    tf.train.load_variable(str(folder / "model"), "v")


def damaged_record(folder):
    path = str(folder / "records")
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(b"hello")
    data = bytearray(pathlib.Path(path).read_bytes())
    data[13] ^= 255
    pathlib.Path(path).write_bytes(data)
    list(tf.python_io.tf_record_iterator(path))


def without_kernel(folder):
    graph_def = tf.GraphDef()
    graph_def.node.add(name="a", op="ConfigureDistributedTPU")  # of a device that tfedu will never have
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(graph_def, name="")
        sess.run("a")


def onto(call):
    def way(folder):
        for name in ("a", "b"):
            (folder / name).write_text(name)
        call(str(folder / "a"), str(folder / "b"))

    return way


def read_of_a_writer(folder):
    with tf.gfile.GFile(str(folder / "a"), "w") as file:
        file.read()


def large(folder):
    run(lambda: tf.fill(unknown([1 << 20]), 1.0) + 1.0, memory_limit_mb=1)


def full_disk(folder):
    raise gfile.op_error(str(folder), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))


def odd_error_of_the_disk(folder):
    raise gfile.op_error(str(folder), OSError(errno.EIO, os.strerror(errno.EIO)))


def loop():
    return tf.while_loop(lambda i: i >= 0, lambda i: i * 0, [unknown(0)])


def node_of_a_loop(folder):
    with tf.Graph().as_default() as graph:
        tf.while_loop(lambda i: i < 3, lambda i: tf.add(i, 1, name="inside"), [0])
        graph_def = graph.as_graph_def()
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(graph_def, name="")
        sess.run("while/inside:0")


def over_time(folder):
    run(loop, options=tf.RunOptions(timeout_in_ms=30))


def over_time_by_config(folder):
    run(loop, operation_timeout_in_ms=30)


def closed_meanwhile(folder):
    begun, caught = threading.Event(), []

    def first():
        begun.set()
        return np.int32(0)

    def running():
        try:
            sess.run(result)
        except tf.errors.OpError as error:
            caught.append(error)

    with tf.Graph().as_default():
        start = tf.py_func(first, [], tf.int32)
        start.set_shape([])
        result = tf.while_loop(lambda i: i >= 0, lambda i: i * 0, [start])
        sess = tf.Session()
    thread = threading.Thread(target=running)
    thread.start()
    assert begun.wait(20)
    sess.close()
    thread.join(20)
    raise caught[0]


def fault(folder):
    """A kernel with a mistake of ours."""
    with pytest.MonkeyPatch.context() as patch, tf.Graph().as_default(), tf.Session() as sess:
        x = tf.sin(unknown(1.0))
        patch.delattr(np, "sin")
        sess.interpreted = True
        sess.run(x)


# (class, cause as the row words it) -> ways.
WAYS = {
    ("InvalidArgumentError", "shapes, indices or values that an op refuses"): [
        of_op(lambda: unknown([1.0, 2.0]) + unknown([1.0, 2.0, 3.0])),
        of_op(lambda: tf.gather([1.0], unknown(7))),
        of_op(lambda: tf.matrix_inverse(unknown([[0.0]]))),
    ],
    ("InvalidArgumentError", "`TypeError` and `ValueError` of a `py_func`"): [
        py_func_that(TypeError()), py_func_that(ValueError())
    ],
    ("InvalidArgumentError", "failed assertions"): [of_op(lambda: tf.Assert(unknown(False), ["no"]))],
    ("FailedPreconditionError", "reading an uninitialized variable"): [uninitialized],
    ("FailedPreconditionError", "deleting a folder that is not empty"): [full_folder],
    ("OutOfRangeError", "`count_up_to` at its limit"): [counted_up],
    ("OutOfRangeError", "the end of data: a queue that is closed and empty"): [closed_queue],
    ("OutOfRangeError", "`StopIteration` of a `py_func`"): [py_func_that(StopIteration())],
    ("NotFoundError", "a missing file, checkpoint or tensor of a checkpoint"): [
        lambda folder: tf.gfile.GFile(str(folder / "none")).read(),
        lambda folder: tf.train.load_variable(str(folder / "none"), "v"),
        missing_tensor,
    ],
    ("NotFoundError", "an op type that tfedu has no kernel for"): [without_kernel],
    ("NotFoundError", "a session's target"): [lambda folder: tf.Session("grpc://nowhere")],
    ("AlreadyExistsError", "creating what exists, such as the goal of a copy"): [onto(tf.gfile.Copy), onto(tf.gfile.Rename)],
    ("PermissionDeniedError", "a file without the rights, or not open for reading or writing"): [read_of_a_writer],
    ("ResourceExhaustedError", "memory, a limit of bytes, a full disk"): [large, full_disk],
    ("ResourceExhaustedError", "`MemoryError` of a `py_func`"): [py_func_that(MemoryError())],
    ("UnimplementedError", "dtypes and options without a kernel, remote file systems"): [
        of_op(lambda: tf.cast(unknown("1"), tf.float32)), lambda folder: tf.gfile.Exists("gs://bucket/file")
    ],
    ("UnimplementedError", "`NotImplementedError` of a `py_func`"): [py_func_that(NotImplementedError())],
    ("DataLossError", "damaged files: checksums, compressed data, records"): [
        damaged, of_op(lambda: tf.io.decode_compressed(unknown(b"none"), "ZLIB")), damaged_record
    ],
    ("InternalError", "an integer division by zero"): [of_op(lambda: tf.truncatediv(1, unknown(0)))],
    ("InternalError", "a node in a loop that is fetched"): [node_of_a_loop],
    ("InternalError", "a fault of tfedu"): [fault],
    ("DeadlineExceededError", "`timeout_in_ms` or `operation_timeout_in_ms` is over"): [over_time, over_time_by_config],
    ("CancelledError", "`Session.close()` in another thread during the run"): [closed_meanwhile],
    ("CancelledError", "an enqueue after the queue was closed"): [full_closed_queue],
    ("AbortedError", "the export of a table that is not initialized"): [of_op(lambda: new_table().export())],
    ("AbortedError", "the op `Abort`"): [of_op(lambda: tf.raw_ops.Abort(error_msg="no"))],
    ("AbortedError", "a `py_func` that raises it"): [py_func_that(tf.errors.AbortedError(None, None, "no"))],
    ("CancelledError", "a `py_func` that raises it"): [py_func_that(tf.errors.CancelledError(None, None, "no"))],
    **{
        (name, "a `py_func` that raises them, with its node and line"): [py_func_that(getattr(tf.errors, name)(None, None, "no"))]
        for name in ("UnavailableError", "UnauthenticatedError")
    },
    ("UnknownError", "any other exception of a `py_func`, with its traceback"): [
        py_func_that(KeyError("k")), py_func_that(OSError())
    ],
    ("UnknownError", "an unknown error of the file system"): [odd_error_of_the_disk],
}  # fmt: skip
# What a row says beside its causes.
REMARKS = {"the fix names the loop, node or Python function at which the run stopped", "no op of tfedu"}


@pytest.mark.parametrize(("name", "cause", "way"), [(*of, way) for of, ways in WAYS.items() for way in ways])
def test_a_cause_raises_the_class_of_its_row(name, cause, way, tmp_path):
    with pytest.raises(tf.errors.OpError) as caught:
        way(tmp_path)
    assert type(caught.value) is getattr(tf.errors, name), str(caught.value)
    assert caught.value.error_code == getattr(tf.errors, re.sub(r"(?<!^)(?=[A-Z])", "_", name.removesuffix("Error")).upper())
    assert re.search(r"\n  (where|fix): .*File .*test_error_table.py", str(caught.value))


def test_each_cause_of_the_table_is_provoked():
    told = DOCS.read_text(encoding="utf-8").partition("## Errors of a run")[2]
    rows = [(re.findall(r"`(\w+Error)`", left), right) for left, right in re.findall(r"^\| (`.*?) \| (.*) \|$", told, re.M)]
    causes = {(name, cause) for names, right in rows for name in names for cause in right.split("; ")}
    assert {(name, cause) for name, cause in causes if cause not in REMARKS} == set(WAYS)
