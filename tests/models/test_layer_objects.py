"""Layers beyond what the oracle tells: failures leave nothing behind, checkpoints hold weights, values need no session."""

import copy

import numpy as np
import pytest

import tfedu as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


class Half(tf.layers.Layer):
    """Fails after it has made a weight, a loss, an update and a node, unless it is told not to."""

    fails = True

    def build(self, shape):
        self.w = self.add_weight("w", [3], regularizer=tf.nn.l2_loss)

    def call(self, x):
        self.add_loss(tf.reduce_sum(x))
        self.add_update(tf.assign(self.w, x[0]))
        if self.fails:
            tf.matmul(x, tf.zeros([7, 7]))
        return x * self.w


def test_a_failed_call_leaves_neither_nodes_nor_names_nor_a_changed_layer(graph):
    x = tf.placeholder(tf.float32, [2, 3])
    layer = Half(name="half")
    before = len(graph.get_operations()), graph.get_all_collection_keys(), copy.deepcopy(vars(layer))
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 7"):
        layer(x)
    assert (len(graph.get_operations()), graph.get_all_collection_keys(), vars(layer)) == before
    layer.fails = False
    assert layer(x).name == "half/mul:0"
    assert [w.name for w in layer.weights] == ["half/w:0"]
    assert len(layer.losses) == 2
    assert tf.get_collection(tf.GraphKeys.UPDATE_OPS) == layer.updates


def test_a_failed_function_gives_its_layers_name_back():
    x = tf.placeholder(tf.float32, [2, 3])
    with pytest.raises(ValueError, match=r"expected min_ndim=2"):
        tf.layers.dense(x[0], 2)
    assert tf.layers.dense(x, 2).name == "dense/BiasAdd:0"
    assert tf.layers.Dense(2).name == "dense_2"  # as if the failed call had not been


def test_errors_name_the_users_line():
    x = tf.placeholder(tf.float32, [2, 3])
    for wrong in (
        lambda: tf.layers.dense(x, "many"),
        lambda: tf.layers.dense(x, 2, activation="nope"),
        lambda: tf.layers.conv2d(x, 2, 3),
        lambda: tf.layers.conv2d(tf.zeros([1, 4, 4, 1]), 2, (3, 3, 3)),
        lambda: tf.layers.dense(x),
        lambda: tf.layers.batch_normalization(x, axis=4),
        lambda: tf.layers.flatten(x, data_format="foo"),
    ):
        with pytest.raises((ValueError, TypeError), match=r"test_layer_objects\.py"):
            wrong()


def test_values_need_no_session_and_no_initializer():
    layer = tf.layers.Dense(2, kernel_initializer="ones")
    layer(tf.placeholder(tf.float32, [None, 3]))
    kernel, bias = layer.get_weights()
    np.testing.assert_array_equal(kernel, np.ones([3, 2]))
    np.testing.assert_array_equal(bias, [0, 0])
    layer.set_weights([kernel * 2, bias + 1])
    np.testing.assert_array_equal(layer.get_weights()[1], [1, 1])


def test_values_do_not_initialize_what_the_session_has_set():
    layer = tf.layers.Dense(2, kernel_initializer="ones")
    layer(tf.placeholder(tf.float32, [None, 3]))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(layer.kernel.assign(np.full([3, 2], 5.0)))
        np.testing.assert_array_equal(layer.get_weights()[0], np.full([3, 2], 5.0))


def test_a_checkpoint_of_a_layer_has_its_weights(tmp_path):
    def net():
        layer = tf.layers.Dense(2, name="d")
        layer(tf.placeholder(tf.float32, [None, 3]))
        return layer, tf.train.Checkpoint(layer=layer)

    layer, checkpoint = net()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        path = checkpoint.save(str(tmp_path / "c"), session=sess)
        saved = sess.run(layer.kernel)
    assert "layer/kernel/.ATTRIBUTES/VARIABLE_VALUE" in dict(tf.train.list_variables(path))
    with tf.Graph().as_default():
        layer, checkpoint = net()
        with tf.Session() as sess:
            checkpoint.restore(path).run_restore_ops(sess)
            np.testing.assert_array_equal(sess.run(layer.kernel), saved)


def test_the_learning_phase_can_be_fed(graph):
    x = tf.ones([100])
    y = tf.layers.Dropout(0.5)(x, training=None)
    phase = graph.get_tensor_by_name("keras_learning_phase:0")
    with tf.Session() as sess:
        assert sess.run(y).tolist() == [1.0] * 100
        assert set(sess.run(y, {phase: True}).tolist()) == {0.0, 2.0}


def test_constraints_act_after_each_step():
    x = tf.constant([[1.0, 2.0]])
    loss = tf.reduce_sum(tf.layers.dense(x, 1, kernel_initializer="ones", kernel_constraint="non_neg", use_bias=False))
    train = tf.train.GradientDescentOptimizer(0.7).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        np.testing.assert_allclose(sess.run(tf.trainable_variables()[0]), [[0.3], [0.0]], rtol=1e-6)


def test_a_layer_is_built_once_for_several_threads(graph):
    import threading

    layer, x = tf.layers.Dense(2, name="d"), tf.placeholder(tf.float32, [None, 3])

    def call():
        with graph.as_default():
            layer(x)

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [v.name for v in tf.global_variables()] == ["d/kernel:0", "d/bias:0"]
