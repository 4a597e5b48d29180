"""tf.print and tf.Print: their nodes, and their output in a run."""

import contextlib
import io
import os
import pathlib
import sys
import tempfile

from harness import attempt, fresh, graph_of, program


def written(tf, make, **options):
    """The nodes of a tf.print, and what a run writes; through a file, as TF's runtime does not write by Python."""

    def go():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out")
            inputs = make(tf)
            done = tf.print(*inputs, output_stream="file://" + path, **options)
            nodes = [line.replace(folder, "FOLDER") for line in graph_of(tf, "template", "placeholder", "summarize", "end")["nodes"]]
            with tf.Session() as sess:
                result = attempt(lambda: [sess.run(done), sess.run(done)])
            text = pathlib.Path(path).read_bytes().decode("latin-1") if os.path.exists(path) else None
            return [nodes, result, text]

    return fresh(tf, go)


@program
def what_is_written(tf, np):
    c = tf.constant
    return [
        written(tf, lambda tf: [c([1, 2, 3])]),
        written(tf, lambda tf: ["hello"]),
        written(tf, lambda tf: [c("hello\n")]),
        written(tf, lambda tf: ["x:", c([1.5, 2]), 3, {"a": 1}]),
        written(tf, lambda tf: [[c(1), {"b": c("s")}]]),
        written(tf, lambda tf: [(c(1), 2.5), None, True]),
        written(tf, lambda tf: ["{} {1}", c(2)]),
        written(tf, lambda tf: [c(1), c(2)], sep=", ", name="mine"),
        written(tf, lambda tf: [c(1)], end=""),
        written(tf, lambda tf: [c(1)], end="!\n"),
        written(tf, lambda tf: [c(np.arange(9))], summarize=2),
        written(tf, lambda tf: [c(np.arange(9))], summarize=-1),
        written(tf, lambda tf: [c(np.arange(40.0).reshape(2, 4, 5))]),
        written(tf, lambda tf: [c("a"), c(["b", "c"])]),
        written(tf, lambda tf: [tf.SparseTensor([[0]], [1], [2])]),
        written(tf, lambda tf: []),
        written(tf, lambda tf: ["100%", c(1)]),
        written(tf, lambda tf: ["'{}'", c(1)]),
        written(tf, lambda tf: [{"b": c(1), "a": c(2)}]),
        written(tf, lambda tf: [c([True, False]), c(1e-7), c(np.float16(0.1)), c(1 / 3, tf.float64)]),
    ]


@program
def streams(tf, np):
    streams = {
        "none": {}, "stdout": {"output_stream": sys.__stdout__}, "info": {"output_stream": tf.logging.info}, "warn": {"output_stream": tf.logging.WARN},
        "error": {"output_stream": tf.logging.error}, "number": {"output_stream": 3}, "word": {"output_stream": "nope"}, "wrong name": {"foo": 1},
    }  # fmt: skip

    def make(options):
        tf.print(tf.constant(1), **options)
        return graph_of(tf, "output_stream")["nodes"]

    with contextlib.redirect_stdout(sys.__stdout__), contextlib.redirect_stderr(sys.__stderr__):
        return {name: fresh(tf, lambda options=options: make(options)) for name, options in streams.items()}


@program
def it_writes_when_it_runs_and_not_before(tf, np):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out")
        x = tf.placeholder(tf.int32, [])
        done = tf.print("x is", x, output_stream="file://" + path)
        alone = x + 1
        with tf.control_dependencies([done]):
            y = x * 2
        with tf.Session() as sess:
            texts = []
            for fetch, value in ((alone, 1), (y, 2), (y, 3), (done, 4)):
                sess.run(fetch, {x: value})
                texts.append(pathlib.Path(path).read_text() if os.path.exists(path) else None)
        return [texts, type(done).__name__, done.type]


@program
def old_print_passes_its_input_on(tf, np):
    x = tf.constant([1.0, 2.0])
    y = tf.Print(x, [x, tf.shape(x), "s"], message="here: ", first_n=2, summarize=5, name="mine")
    z = y * 2
    with contextlib.redirect_stderr(io.StringIO()), tf.Session() as sess:
        values = [sess.run(z) for _ in range(3)]
    return [values, graph_of(tf, "U", "message", "first_n", "summarize"), y]
