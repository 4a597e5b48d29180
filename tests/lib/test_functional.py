"""map_fn, foldl, foldr, scan: what they refuse in 1.15's words where later releases have others."""

import numpy as np
import pytest

import tfedu as tf

FUNCTIONS = (tf.map_fn, tf.foldl, tf.foldr, tf.scan, tf.vectorized_map)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("fn", "elems", "kind", "text"),
    [
        (3, [[1, 2]], TypeError, "fn must be callable."),
        (None, [[1, 2]], TypeError, "fn must be callable."),
        (max, np.float32(3), ValueError, "elems must be a 1+ dimensional Tensor, not a scalar"),
        (max, [1, 2], ValueError, "elements in elems must be 1+ dimensional Tensors, not scalars"),
        (max, [], ValueError, "elems must be a Tensor or (possibly nested) sequence of Tensors. Got []"),
    ],
)
def test_a_refused_call_says_why_and_leaves_nothing(function, fn, elems, kind, text):
    with tf.Graph().as_default() as graph:
        with pytest.raises(kind) as raised:
            function(fn, elems)
        assert str(raised.value).startswith(text)
        assert "where:" in str(raised.value)
        assert graph.get_operations() == []


def test_a_sparse_tensor_is_not_mapped_over():
    with tf.Graph().as_default():
        sparse = tf.SparseTensor([[0, 0]], [1.0], [2, 2])
        with pytest.raises(TypeError, match="To perform a map on the values of a sparse tensor use either"):
            tf.map_fn(lambda x: x, sparse)


def test_what_a_map_only_looks_at_leaves_nothing():
    calls = []

    def scaled(x):
        calls.append(x)
        return x * tf.get_variable("scale", initializer=2.0)

    with tf.Graph().as_default() as graph:
        out = tf.vectorized_map(scaled, tf.constant([1.0, 2.0]))
        assert len(calls) == 2
        assert [v.name for v in tf.global_variables()] == ["scale:0"]
        assert {op.name.split("/")[0] for op in graph.get_operations()} == {"Const", "map", "scale"}
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            assert session.run(out).tolist() == [2.0, 4.0]


def test_a_function_that_fails_leaves_no_node_and_no_caching_device():
    def broken(x):
        raise RuntimeError("stop")

    with tf.Graph().as_default() as graph:
        elems = tf.constant([1.0, 2.0])
        for call in (lambda: tf.map_fn(broken, elems), lambda: tf.scan(lambda a, x: broken(x), elems)):
            with pytest.raises(RuntimeError, match="stop"):
                call()
        assert [op.name for op in graph.get_operations()] == [elems.op.name]
        assert tf.get_variable_scope().caching_device is None
