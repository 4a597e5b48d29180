"""What each error of a run tells: its own class, the node and the user's line, also where the user's code raised it."""

import logging
import pathlib
import re
import threading

import numpy as np
import pytest

import tfedu as tf

KEPT = ["AbortedError", "CancelledError", "UnavailableError", "UnauthenticatedError"]


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("interpreted", [True, False])
def test_an_error_of_a_py_func_keeps_its_class_and_gets_node_and_line(name, interpreted):
    def fail():
        raise getattr(tf.errors, name)(None, None, "said by the function")

    with tf.Graph().as_default(), tf.Session() as session:
        session.interpreted = interpreted
        y = tf.py_func(fail, [], tf.float32, name="asking")
        for _ in range(2):
            with pytest.raises(tf.errors.OpError, match="said by the function") as caught:
                session.run(y)
            assert type(caught.value) is getattr(tf.errors, name)
            assert caught.value.op is y.op
            assert re.search(r"where: File .*test_error_classes.py, line \d+:  y = tf.py_func", str(caught.value))


def test_the_docs_name_every_class():
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "running.md").read_text(encoding="utf-8")
    table = text[text.index("## Errors of a run") :]
    classes = {name for name in dir(tf.errors) if name.endswith("Error") and name != "OpError"}
    rows = " ".join(re.findall(r"^\| (.*?) \|", table, re.M))
    assert classes == set(re.findall(r"`(\w+Error)`", rows))


def test_a_session_closes_without_a_py_func_that_does_not_return(caplog):
    entered, leave = threading.Event(), threading.Event()

    def endless():
        entered.set()
        leave.wait(20)
        return np.float32(1)

    ends = []

    def run():
        try:
            ends.append(session.run(y + 1.0))
        except tf.errors.CancelledError as error:
            ends.append(error)

    with tf.Graph().as_default():
        y = tf.py_func(endless, [], tf.float32, name="waiting")
        session = tf.Session()
        thread = threading.Thread(target=run)
        thread.start()
        entered.wait(20)
        tf.get_logger().propagate = True
        with caplog.at_level(logging.WARNING):
            session.close()
        leave.set()
        thread.join(20)
    assert len(ends) == 1
    told = r"has not returned: \S*endless, which node waiting .*test_error_classes.py, line \d+.*called at \d\d:"
    assert re.search(told, caplog.text)


def test_errors_of_files_and_targets_name_the_users_line(tmp_path):
    where = r"\n  where: File .*test_error_classes.py, line \d+"
    with pytest.raises(tf.errors.NotFoundError, match=where):
        tf.gfile.GFile(str(tmp_path / "none")).read()
    with pytest.raises(tf.errors.OpError, match=where):
        tf.gfile.ListDirectory(str(tmp_path / "none"))
    with pytest.raises(tf.errors.NotFoundError, match=where):
        tf.Session("grpc://nowhere")
    for call in (tf.gfile.Exists, tf.gfile.MkDir, lambda path: tf.gfile.GFile(path).read()):
        with pytest.raises(tf.errors.InvalidArgumentError, match="null" + ".*" + where):
            call("a\0b")


def deep(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("levels", [70, 5000])
def test_lists_nested_too_deeply_are_refused(levels):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        p = tf.placeholder(tf.float32)
        y = p + 1.0
        before = len(graph.get_operations())
        for call in (
            lambda: tf.constant(deep(levels)),
            lambda: tf.convert_to_tensor(deep(levels), tf.float32),
            lambda: session.run(y, {p: deep(levels)}),
        ):
            with pytest.raises(ValueError, match=r"maximum number of dimension of 64\.\n  where: File"):
                call()
        assert len(graph.get_operations()) == before
        if levels > 1000:
            for call in (session.run, tf.ragged.constant):
                with pytest.raises(ValueError, match=r"nested too deeply.*\n  where: File"):
                    call(deep(levels))


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("consume", [lambda y: y, lambda y: y + 1.0, tf.identity, tf.group], ids=["fetch", "add", "copy", "wait"])
@pytest.mark.parametrize(
    "rearrange",
    [
        lambda x: tf.reshape(x, [3]), lambda x: tf.squeeze(x, [0]), lambda x: tf.ensure_shape(x, [3]),
        lambda x: tf.expand_dims(x, tf.placeholder_with_default(5, [])),
    ],
    ids=["reshape", "squeeze", "ensure_shape", "expand_dims"],
)  # fmt: skip
def test_what_does_not_fit_a_variable_fails_at_its_node_whoever_reads_it(rearrange, consume, interpreted):
    with tf.Graph().as_default(), tf.Session() as session:
        session.interpreted = interpreted
        x = tf.Variable(tf.placeholder_with_default([1.0, 2.0], None), validate_shape=False)
        session.run(x.initializer)
        y = rearrange(x._variable)
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(consume(y))
        assert caught.value.op is y.op
