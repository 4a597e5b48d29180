"""Programs that have a plan: each gives fetches and feeds."""

import numpy as np

import tfedu as tf


def trained():
    x = tf.placeholder(tf.float32, [64, 100], name="x")
    w = tf.Variable(tf.zeros([100, 50]), name="w")
    b = tf.Variable(tf.zeros([50]), name="b")
    loss = tf.reduce_mean(tf.square(tf.nn.relu(tf.matmul(x, w) + b) - 1.0))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return [train, tf.identity(loss, name="told")], {x: np.ones((64, 100), np.float32)}


def folded():
    a = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="a")
    v = tf.Variable(tf.ones([2, 2]), name="v")
    filled = tf.reshape(tf.fill([4], 2.0, name="filled"), [2, 2], name="square")
    return tf.reduce_sum(tf.identity(tf.square(tf.matmul(a, filled) + v)), name="sum"), {}


def branched():
    x = tf.placeholder(tf.float32, [], name="x")
    return tf.cond(x > 1.0, lambda: x * 2.0, lambda: x + 1.0), {x: 3.0}


def looping():
    x = tf.placeholder(tf.float32, [], name="x")
    return tf.while_loop(lambda i, p: i < 3, lambda i, p: (i + 1, p * x), (0, 1.0))[1], {x: 2.0}


def counting():
    x = tf.Variable(0.0, name="x")
    with tf.control_dependencies([tf.assign_add(x, 1.0, name="up"), tf.no_op(name="nothing")]):
        return tf.identity(x, name="y"), {}


PROGRAMS = [trained, folded, branched, looping, counting]
