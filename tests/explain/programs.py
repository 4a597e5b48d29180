"""The two counters, as a learner writes them: with their tensors, and as programs that are taken apart into their lines."""

import tfedu as tf


def without_identity(use_resource):
    """x; `y = x` under assign_add: the block makes no node."""
    x = tf.Variable(0.0, use_resource=use_resource)
    up = tf.assign_add(x, 1.0)
    with tf.control_dependencies([up]):
        y = x
    return x, up, y


def with_identity(use_resource):
    """x; `y = tf.identity(x)` under assign_add: a node that waits."""
    x = tf.Variable(0.0, use_resource=use_resource)
    up = tf.assign_add(x, 1.0)
    with tf.control_dependencies([up]):
        y = tf.identity(x)
    return x, up, y


def counted():
    x = tf.Variable(0.0)
    up = tf.assign_add(x, 1)
    with tf.control_dependencies([up]):
        y = tf.identity(x)
    return y


def forgotten():
    x = tf.Variable(0.0)
    up = tf.assign_add(x, 1)
    with tf.control_dependencies([up]):
        y = x
    return y
