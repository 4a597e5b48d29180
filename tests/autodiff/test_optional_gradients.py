"""A gradient goes through an optional as through what it holds."""

import tfedu as tf


def test_a_gradient_goes_through_an_optional():
    x = tf.constant([1.0, 2.0])
    optional = tf.raw_ops.OptionalFromValue(components=[x * 3.0, x])
    y, z = tf.raw_ops.OptionalGetValue(optional=optional, output_types=[tf.float32] * 2, output_shapes=[[2]] * 2)
    (slope,) = tf.gradients([y * y, z], x)
    with tf.Session() as session:
        assert session.run(slope).tolist() == [19.0, 37.0]  # 18 x + 1
