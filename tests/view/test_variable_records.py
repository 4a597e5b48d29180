"""Which nodes of a graph hold variables, with the shapes of their values, and which of them are parameters of a model."""

import numpy as np

import tfedu as tf
from tfedu.view.adapters.graph_messages import graph_of_message
from tfedu.view.make.graph_records import graph_record


def of(graph):
    return {each.name: (each.kind, each.shape, each.is_parameter) for each in graph_record(graph).variables}


def test_a_resource_tells_the_shape_of_its_value():
    with tf.Graph().as_default() as graph:
        tf.Variable(tf.ones([3, 4]), name="reference", use_resource=False)
        tf.Variable(tf.ones([3, 4]), name="resource", use_resource=True)
        tf.Variable(tf.placeholder(tf.float32, [None, 2]), validate_shape=False, name="rows", use_resource=True)
    assert of(graph) == {
        "reference": ("reference", (3, 4), True),
        "resource": ("resource", (3, 4), True),
        "rows": ("resource", (None, 2), True),
    }


def test_parameters_are_what_trains_and_what_layers_have():
    with tf.Graph().as_default() as graph:
        w = tf.get_variable("w", [2, 3])
        tf.get_variable("means", [3], trainable=False)
        tf.train.get_or_create_global_step()
        rows = tf.layers.batch_normalization(tf.ones([5, 2]) @ w, training=True, name="norm")
        tf.train.AdamOptimizer().minimize(tf.reduce_sum(rows))
    parameters = {name for name, (_, _, is_parameter) in of(graph).items() if is_parameter}
    assert parameters == {"w", "norm/gamma", "norm/beta", "norm/moving_mean", "norm/moving_variance"}
    # Without its collections a graph has the names alone.
    bare = of(graph_of_message(tf.MetaGraphDef(graph_def=graph.as_graph_def())))
    left = {name for name, (_, _, is_parameter) in bare.items() if not is_parameter}
    assert left == {f"{name}/{slot}" for name in ("w", "norm/gamma", "norm/beta") for slot in ("Adam", "Adam_1")}


def test_a_keras_model_has_as_many_parameters_as_its_summary_says():
    with tf.Graph().as_default() as graph, tf.Session():
        layers = [tf.keras.layers.Dense(8, input_dim=3), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)]
        model = tf.keras.Sequential(layers)
        model.compile("adam", "mse")
        model.fit(np.ones([4, 3]), np.ones(4), verbose=0)
        assert sum(np.prod(shape) for _, shape, is_parameter in of(graph).values() if is_parameter) == model.count_params() == 73
