"""Where tf.print writes to."""

import pathlib
import sys

import numpy as np
import pytest

import tfedu as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def written(capsys, *inputs, **options):
    with tf.Session() as session:
        session.run(tf.print(*inputs, **options))
    return capsys.readouterr()


def test_it_writes_to_the_standard_error(capsys):
    assert written(capsys, "x", tf.constant([1, 2])) == ("", "x [1 2]\n")


def test_it_writes_to_the_standard_output_of_the_moment(capsys):
    assert written(capsys, tf.constant(1.5), output_stream=sys.stdout) == ("1.5\n", "")


def test_a_log_has_its_level(capsys):
    assert written(capsys, tf.constant(1), output_stream=tf.logging.info).err == "I 1\n"
    assert written(capsys, tf.constant(1), output_stream=tf.logging.WARN).err == "W 1\n"
    assert written(capsys, tf.constant(1), output_stream=tf.logging.error, end="").err == "E 1\n"


def test_a_file_grows_with_each_run(tmp_path):
    done = tf.print(tf.constant("a"), output_stream=f"file://{tmp_path}/log")
    with tf.Session() as session:
        session.run(done)
        session.run(done)
    assert pathlib.Path(tmp_path, "log").read_text() == "a\na\n"


def test_a_file_that_cannot_be_written_is_an_error(tmp_path):
    done = tf.print("a", output_stream=f"file://{tmp_path}/no/log")
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="Could not write"):
        session.run(done)


def test_bytes_that_are_no_text_are_written_too(capsys):
    assert written(capsys, tf.constant(b"a\xffb")).err == "a\ufffdb\n"
    assert written(capsys, tf.constant([b"a\xffb"])).err == '["a\ufffdb"]\n'


def test_variables_are_printed_as_they_are_in_the_run(capsys):
    v = tf.Variable(np.float32(1))
    done = tf.print("v is", v)
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(done)
        v.load(5.0, session)
        session.run(done)
    assert capsys.readouterr().err == "v is 1\nv is 5\n"
