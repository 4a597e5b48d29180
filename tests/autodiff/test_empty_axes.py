"""A sum over no axes has a gradient: its rule divides an empty array by zero, which is no error."""

import pytest

import tfedu as tf


def test_a_sum_of_unknown_rank_has_a_gradient_for_a_scalar():
    x = tf.placeholder(tf.float32)
    w = tf.Variable(1.0)
    (slope,) = tf.gradients(tf.reduce_sum(tf.pow(x * w, 2)), [w])
    with tf.Session() as session:
        session.run(w.initializer)
        assert [session.run(slope, {x: value}) for value in (2.0, 3.0, [1.0, 2.0])] == [8.0, 18.0, 10.0]


@pytest.mark.parametrize("name", ["floormod", "floordiv", "truncatediv", "truncatemod", "div"])
def test_an_empty_array_divided_by_zero_is_empty(name):
    x, y = tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    divided = getattr(tf, name)(x, y)
    with tf.Session() as session:
        assert session.run(divided, {x: [], y: 0}).shape == (0,)
        with pytest.raises(tf.errors.OpError):
            session.run(divided, {x: [1], y: 0})
