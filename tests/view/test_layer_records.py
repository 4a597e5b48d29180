"""What closed scopes tell of layers: blocks around layers, as those of a network of contrib.slim, and scopes with variables."""

import tfedu as tf
from tfedu.view.make.graph_records import graph_record


def conv(x, filters, name):
    return tf.layers.conv2d(x, filters, 3, padding="same", activation=tf.nn.relu, use_bias=False, name=name)


def network():
    h = conv(tf.placeholder(tf.float32, [None, 8, 8, 2]), 4, "Conv2d_1a")
    with tf.variable_scope("Mixed_0"):
        with tf.variable_scope("Branch_0"):
            a = conv(h, 4, "Conv2d_0a")
        with tf.variable_scope("Branch_1"):
            b = tf.layers.batch_normalization(
                conv(conv(h, 4, "Conv2d_0a"), 2, "Conv2d_0b"), training=True, name="norm"
            )
        h = tf.concat([a, b], 3, name="out")
    with tf.variable_scope("Logits"):
        w = tf.get_variable("weights", [6, 3], regularizer=lambda w: tf.reduce_sum(tf.abs(w)))
        return tf.matmul(tf.reduce_mean(h, [1, 2]), w, name="logits")


def blocks(graph):
    rows = [layer for layer in graph_record(graph).layers if not layer.kind]
    return {row.scope: (row.outputs, row.parameters, row.trainable) for row in rows}


def test_a_block_around_layers_tells_its_output_and_its_parameters():
    with tf.Graph().as_default() as graph:
        with tf.variable_scope("Net"):
            y = network()
        loss = tf.reduce_sum(tf.nn.softmax(y)) + tf.losses.get_regularization_loss()
        tf.train.AdamOptimizer().minimize(loss)
    first, second, logits = 4 * 4 * 9, (4 * 4 + 4 * 2) * 9, 6 * 3
    assert blocks(graph) == {
        "Net": (
            ("float32 (?, 3)",),
            2 * 4 * 9 + first + second + 8 + logits,
            2 * 4 * 9 + first + second + 4 + logits,
        ),
        "Net/Mixed_0": (("float32 (?, 8, 8, 6)",), first + second + 8, first + second + 4),
        "Net/Mixed_0/Branch_0": (("float32 (?, 8, 8, 4)",), first, first),
        "Net/Mixed_0/Branch_1": (("float32 (?, 8, 8, 2)",), second + 8, second + 4),
        "Net/Logits": (("float32 (?, 3)",), logits, logits),
    }


def test_a_block_whose_value_nobody_uses_tells_its_parameters_alone():
    with tf.Graph().as_default() as graph, tf.variable_scope("Net"):
        conv(tf.zeros([1, 4, 4, 1]), 2, "last")
    assert blocks(graph) == {"Net": ((), 18, 18)}


def test_what_is_in_a_layer_is_no_block_and_a_second_tower_holds_nothing():
    with tf.Graph().as_default() as graph:
        for tower in range(2):
            with tf.variable_scope("net", reuse=tower > 0):
                tf.layers.dense(tf.ones([1, 3]), 2, name="dense")
    assert blocks(graph) == {"net": ((), 8, 8)}
