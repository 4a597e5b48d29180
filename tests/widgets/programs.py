"""The lesson's programs, made by lines of this file."""

import tfedu as tf


def without_identity():
    with tf.Graph().as_default():
        x = tf.Variable(0.0)
        x_plus_1 = tf.assign_add(x, 1)
        with tf.control_dependencies([x_plus_1]):
            y = x
    return y


def with_identity():
    with tf.Graph().as_default():
        x = tf.Variable(0.0)
        x_plus_1 = tf.assign_add(x, 1)
        with tf.control_dependencies([x_plus_1]):
            y = tf.identity(x)
    return y


def quotient():
    with tf.Graph().as_default():
        top = tf.placeholder(tf.int32, [], name="top")
        under = tf.placeholder(tf.int32, [], name="under")
        return top, under, tf.floordiv(top, under)


def product():
    with tf.Graph().as_default():
        v, w = tf.Variable(2.0, name="v"), tf.Variable(3.0, name="w")
        return v * w, [v, w]
