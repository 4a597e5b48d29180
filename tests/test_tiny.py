"""The whole promise in a few seconds: build, run, feed, count, see why, draw. (What later issues add has its place here too.)"""


import numpy as np
import pytest


@pytest.fixture
def tf():
    import tfedu

    tfedu.reset_default_graph()
    yield tfedu
    tfedu.reset_default_graph()


def counter(tf, with_identity):
    """x = 0; x_plus_1 = x + 1; y under the control dependency: x itself, or a node of its own."""
    x = tf.Variable(0.0)
    x_plus_1 = tf.assign_add(x, 1)
    with tf.control_dependencies([x_plus_1]):
        y = tf.identity(x) if with_identity else x
    return y


def values(tf, y, runs=3):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [float(session.run(y)) for _ in range(runs)]


def test_without_identity_the_counter_stays_at_zero(tf):
    assert values(tf, counter(tf, with_identity=False)) == [0, 0, 0]


def test_with_identity_the_counter_counts(tf):
    assert values(tf, counter(tf, with_identity=True)) == [1, 2, 3]


def test_a_graph_is_built_once_and_runs_with_other_feeds(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.reduce_sum(tf.matmul(x, tf.ones([3, 2])) + 1.0, 1)
    with tf.Session() as session:
        for n in (1, 4):
            np.testing.assert_allclose(session.run(y, {x: np.ones([n, 3])}), np.full(n, 8.0))


def test_an_error_names_the_users_line(tf):
    a, w = tf.ones([2, 3]), tf.ones([5, 4])
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 5") as caught:
        tf.matmul(a, w)
    assert "test_tiny.py" in str(caught.value)
    assert "tf.matmul(a, w)" in str(caught.value)


def test_a_failed_call_leaves_nothing_behind(tf):
    a, b = tf.ones([2, 3]), tf.ones([5, 4])
    before = [op.name for op in tf.get_default_graph().get_operations()]
    for call in (
        lambda: tf.matmul(a, b, name="product"),
        lambda: tf.add(a, "text", name="product"),
        lambda: tf.reshape(a, [7], name="product"),
        lambda: tf.concat([a, b], 0, name="product"),
    ):
        with pytest.raises((ValueError, TypeError)):
            call()
        assert [op.name for op in tf.get_default_graph().get_operations()] == before
    assert tf.matmul(a, tf.ones([3, 1]), name="product").name == "product:0"


def test_why_a_node_runs_and_why_not(tf):
    y = counter(tf, with_identity=False)
    graph = tf.get_default_graph()
    y_with = tf.identity(y, name="y_with")
    assert tf.explain.why(graph.get_operation_by_name("AssignAdd"), [y]).code == "pruned"
    assert tf.explain.why(y_with.op, [y_with]).code == "fetched"


def test_the_empty_block_is_found(tf):
    counter(tf, with_identity=False)
    assert len(tf.explain.lint(tf.get_default_graph())) == 1
    tf.reset_default_graph()
    counter(tf, with_identity=True)
    assert not tf.explain.lint(tf.get_default_graph())


def test_a_graph_is_drawn(tf):
    counter(tf, with_identity=True)
    svg = tf.show(tf.get_default_graph())._repr_mimebundle_()["image/svg+xml"]
    assert svg.startswith("<svg")
    for name in ("AssignAdd", "Identity"):
        assert name in svg
