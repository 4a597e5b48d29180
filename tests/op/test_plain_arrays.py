"""Whatever subclass of NumPy's array a program gives, a graph takes its data as a plain array: by every way in."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base.plain_arrays import plain

DATA = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


class Own(np.ndarray):
    """Computes nothing: each use of its own rules is an error."""

    __array_ufunc__ = None

    def reshape(self, *shape):
        raise AssertionError("the subclass was asked")

    def __add__(self, other):
        raise AssertionError("the subclass was asked")


def memmap(tmp_path):
    array = np.memmap(tmp_path / "numbers", np.float64, "w+", shape=DATA.shape)
    array[:] = DATA
    return array


KINDS = {
    "matrix": lambda tmp_path: np.matrix(DATA),
    "masked": lambda tmp_path: np.ma.array(DATA, mask=DATA > 4),
    "own": lambda tmp_path: DATA.view(Own),
    "memmap": memmap,
    "plain": lambda tmp_path: DATA.copy(),
}


def by_feed(sess, v):
    x = tf.placeholder(tf.float64, None)
    return sess.run([x, tf.identity(x), tf.reshape(x, [6])], {x: v})


def by_variable(sess, v, **arguments):
    w = tf.Variable(v, **arguments)
    sess.run(w.initializer)
    values = [sess.run(w)]
    values += [sess.run(tf.identity(w.assign(v))), sess.run(w)]
    w.load(v, sess)
    return [*values, sess.run(w), w.eval(sess)]


def by_initializer(sess, v):
    w = tf.get_variable("w", shape=v.shape, dtype=tf.float64, initializer=tf.constant_initializer(v))
    sess.run(w.initializer)
    return [sess.run(w)]


def by_update(sess, v):
    w = tf.Variable(np.zeros(v.shape))
    sess.run(w.initializer)
    return [sess.run(tf.identity(w.assign_add(v))), sess.run(w)]


def by_sparse_feed(sess, v):
    s = tf.sparse_placeholder(tf.float64)
    where = np.argwhere(np.ones(v.shape)).view(type(v)) if type(v) is Own else np.argwhere(np.ones(v.shape))
    return [sess.run(tf.sparse_tensor_to_dense(s), {s: (where, plain(v).ravel().view(Own), np.array(v.shape))})]


def by_handle(sess, v):
    x = tf.placeholder(tf.float64, None)
    return [sess.run(tf.get_session_handle(x), {x: v}).eval()]


def by_histogram(sess, v):
    found = tf.Summary.FromString(sess.run(tf.summary.histogram("h", v))).value[0].histo
    assert (found.num, found.sum, found.max) == (6, 21, 6)
    return []


WAYS = {
    "feed": by_feed,
    "constant": lambda sess, v: sess.run([tf.constant(v), tf.constant(v, shape=[2, 3])]),
    "constant of another dtype": lambda sess, v: sess.run([tf.constant(v, tf.float32)]),
    "convert": lambda sess, v: sess.run([tf.convert_to_tensor(v), tf.identity(v), tf.placeholder_with_default(v, None)]),
    "operand": lambda sess, v: sess.run([tf.zeros([2, 3], tf.float64) + v, tf.constant(np.zeros([2, 3])) + v]),
    "raw op": lambda sess, v: [np.sqrt(sess.run(tf.raw_ops.Square(x=v)))],
    "static value": lambda sess, v: [tf.contrib.util.constant_value(tf.constant(v))],
    "reshape": lambda sess, v: sess.run([tf.reshape(v, [6]), tf.reshape(v, [3, 2])]),
    "variable": by_variable,
    "resource variable": lambda sess, v: by_variable(sess, v, use_resource=True),
    "initializer": by_initializer,
    "update": by_update,
    "py_func": lambda sess, v: [sess.run(tf.py_func(lambda: v, [], tf.float64))],
    "py_func of two": lambda sess, v: sess.run(tf.py_func(lambda: [v, v], [], [tf.float64] * 2)),
    "sparse feed": by_sparse_feed,
    "session handle": by_handle,
    "message": lambda sess, v: [tf.make_ndarray(tf.make_tensor_proto(v))],
    "attribute": lambda sess, v: sess.run([
        tf.get_default_graph().create_op("Const", [], [tf.float64], attrs={"dtype": tf.float64, "value": v}).outputs[0]
    ]),
    "stack": lambda sess, v: [sess.run(tf.stack([v, v]))[1], sess.run(tf.concat([v, v], 0))[2:]],
    "summary": by_histogram,
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_takes_the_data_as_a_plain_array(tmp_path, way, kind):
    value = KINDS[kind](tmp_path)
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        for _ in range(2):
            with tf.variable_scope("", reuse=tf.AUTO_REUSE):
                found = WAYS[way](sess, value)
            for array in found:
                assert type(array) is np.ndarray
                np.testing.assert_array_equal(array.reshape(2, 3), DATA)
        for op in graph.get_operations():
            for stored in op.attrs.values():
                assert not isinstance(stored, np.ndarray) or type(stored) is np.ndarray
        for buffer in sess.store.buffers.values():
            assert type(buffer.value) is np.ndarray


def test_a_constant_is_a_copy_of_the_file_behind_it(tmp_path):
    value = memmap(tmp_path)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(value)
        value[:] = 0
        np.testing.assert_array_equal(sess.run(x), DATA)


def test_a_masked_element_is_its_data_as_in_tf():
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.constant(np.ma.masked)) == 0.0
        x = tf.placeholder(tf.float32, None)
        assert sess.run(x + 1, {x: np.ma.masked}) == 1.0
        assert sess.run(tf.constant(np.char.array(["a", "bc"]))).tolist() == [b"a", b"bc"]


@pytest.mark.parametrize("value", [1, [1], "a", None, np.float32(1), np.arange(3)])
def test_other_values_pass_unchanged(value):
    assert plain(value) is value
