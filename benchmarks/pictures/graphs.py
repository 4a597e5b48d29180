"""Graphs to make pictures of: `training(blocks)`. No state."""

from __future__ import annotations

import tfedu as tf


def training(blocks: int, layers: int = 4, width: int = 4, head: int = 0) -> tf.Graph:
    """`blocks` blocks of `layers` dense layers, trained by Adam under checks: about 225 operations a block.

    The first and the last block differ from the others by what they are fed with and what they feed, not inside.
    head: so many operations follow in one scope, of which each takes two of those before it or one.
    """
    graph = tf.Graph()
    with graph.as_default():
        h = x = tf.placeholder(tf.float32, [None, width], name="x")
        step = tf.Variable(0, trainable=False, name="global_step")
        with tf.variable_scope("model"):
            for block in range(blocks):
                with tf.variable_scope(f"block_{block}"):
                    for layer in range(layers):
                        with tf.variable_scope(f"layer_{layer}"), tf.name_scope("dense"):
                            w = tf.get_variable("w", [width, width])
                            b = tf.get_variable("b", [width], initializer=tf.zeros_initializer())
                            with tf.name_scope("affine"):
                                h = tf.nn.relu(tf.matmul(h, w) + b)
        with tf.name_scope("head"):
            before = h
            for _ in range(head // 2):
                h, before = tf.add(h, before), tf.tanh(h)
        with tf.control_dependencies([tf.assert_rank(x, 2)]):
            loss = tf.reduce_mean(tf.square(h))
        tf.train.AdamOptimizer(1e-3).minimize(loss, global_step=step)
    return graph
