"""Layers of tf.contrib: a failed call leaves nothing behind, scopes belong to a thread, errors name the user's line."""

import threading

import numpy as np
import pytest

import tfedu as tf
from tfedu.legacy.datasets.drawn_digits import drawn_digits

layers, framework, slim = tf.contrib.layers, tf.contrib.framework, tf.contrib.slim


def state():
    graph = tf.get_default_graph()
    return (
        [op.name for op in graph.get_operations()],
        {key: list(graph.get_collection(key)) for key in graph.get_all_collection_keys() if graph.get_collection(key)},
        tf.get_variable_scope().name,
    )


IMAGES = (2, 6, 6, 3)
FAILURES = {
    "conv2d": lambda x: layers.conv2d(x, 4, 3, padding="xx"),
    "activation": lambda x: layers.conv2d(x, 4, 3, activation_fn=lambda y: y + tf.zeros([7])),
    "normalizer": lambda x: layers.fully_connected(x, 4, normalizer_fn=lambda y: tf.reshape(y, [7])),
    "fully_connected": lambda x: layers.fully_connected(tf.zeros([3]), 4),
    "separable_conv2d": lambda x: layers.separable_conv2d(x, None, 3, rate=[0, 1]),
    "batch_norm": lambda x: layers.batch_norm(x, batch_weights=[1.0, 2.0, 3.0]),
    "group_norm": lambda x: layers.group_norm(x, 2),
    "repeat": lambda x: layers.repeat(x, 2, lambda y, scope: layers.conv2d(y, 4, 3, scope="same")),
    "stack": lambda x: layers.stack(x, layers.fully_connected, [3, "four"]),
    "embed_sequence": lambda x: layers.embed_sequence([1.0], 3, 3),
    "losses": lambda x: tf.contrib.losses.mean_squared_error(x, tf.zeros([3])),
    "optimize_loss": lambda x: layers.optimize_loss(tf.reduce_sum(x), None, 0.1, "SGD"),
    "model_variable": lambda x: framework.model_variable("v", [2], initializer=lambda *a, **k: tf.zeros([3])),
}


@pytest.mark.parametrize("make", FAILURES.values(), ids=FAILURES)
def test_a_failed_call_leaves_nothing_behind(make):
    x = tf.constant(np.ones(IMAGES, np.float32))
    before = state()
    with pytest.raises((ValueError, TypeError)):
        make(x)
    nodes, collections, scope = state()
    assert [name for name in nodes if name not in before[0] and not name.startswith(("zeros", "Const", "Sum"))] == []
    assert (collections, scope) == before[1:]
    layers.conv2d(x, 4, 3)
    assert [v.name for v in framework.get_model_variables()] == ["Conv/weights:0", "Conv/biases:0"]


def test_an_error_of_a_layer_names_the_users_line():
    with pytest.raises(ValueError, match="expected ndim=4") as caught:
        layers.max_pool2d(tf.zeros([2, 2]), 2)  # this line
    assert "this line" in str(caught.value)


def test_a_state_of_several_dtypes_asks_for_a_dtype():
    attention = tf.contrib.seq2seq.LuongAttention(2, tf.ones([1, 3, 2]))
    cell = tf.contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(2), attention, alignment_history=True)
    state = cell.zero_state(1, tf.float32)  # a tensor of time, and a TensorArray of the history
    with pytest.raises(ValueError, match="State has tensors of different inferred_dtypes"):
        tf.nn.dynamic_rnn(cell, tf.ones([1, 4, 2]), initial_state=state)
    outputs, _ = tf.nn.dynamic_rnn(cell, tf.ones([1, 4, 2]), initial_state=state, dtype=tf.float32)
    assert outputs.shape == [1, 4, 2]


def test_arg_scopes_belong_to_a_thread():
    said = []
    with framework.arg_scope([layers.conv2d], padding="VALID"):
        thread = threading.Thread(target=lambda: said.append(framework.current_arg_scope()))
        thread.start()
        thread.join()
        assert framework.current_arg_scope() != {}
    assert said == [{}]


def test_the_arguments_that_a_scope_can_set_are_those_with_defaults():
    wanted = ("stride", "padding", "data_format", "outputs_collections", "scope")
    assert framework.arg_scoped_arguments(layers.max_pool2d) == wanted
    assert "conv_dims" not in framework.arg_scoped_arguments(layers.conv2d)
    assert framework.arg_scoped_arguments(layers.conv2d)[0] == "stride"
    with pytest.raises(ValueError, match=r"builtins\.len is not decorated"):
        framework.arg_scoped_arguments(len)


def test_a_variable_can_be_zeroed():
    variables = [tf.Variable([1.0, 2.0]), tf.Variable([3, 4], use_resource=True)]
    zeroed = [framework.zero_initializer(v) for v in variables]
    with tf.Session() as session:
        session.run(zeroed)
        assert [session.run(v).tolist() for v in variables] == [[0, 0], [0, 0]]


def test_older_losses_take_lists():
    with tf.Session() as session:
        assert session.run(tf.contrib.losses.absolute_difference([1.0, 2.0], [0.0, 4.0], [1.0, 0.0])) == 1.0


def test_noise_and_factors_keep_a_sparse_gradient_sparse():
    table = tf.get_variable("table", [4, 2], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.gather(table, [1, 1]))
    train = layers.optimize_loss(loss, tf.train.get_or_create_global_step(), 1.0, "SGD", gradient_multipliers={table: 0.25})
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        np.testing.assert_allclose(session.run(table), [[1, 1], [0.5, 0.5], [1, 1], [1, 1]])


def test_slim_trains_a_network_on_digits():
    images, labels = drawn_digits("validation")
    x = tf.constant(images[:300].reshape(300, 784).astype(np.float32) / 255)
    with slim.arg_scope([slim.fully_connected], weights_regularizer=slim.l2_regularizer(1e-4)):
        logits = slim.stack(x, slim.fully_connected, [32, 16], scope="fc")
        logits = slim.fully_connected(logits, 10, activation_fn=None, scope="logits")
    slim.losses.sparse_softmax_cross_entropy(logits, tf.constant(labels[:300], tf.int32))
    train = slim.learning.create_train_op(slim.losses.get_total_loss(), tf.train.AdamOptimizer(0.01))
    losses = []

    def step(*arguments):
        losses.append(slim.learning.train_step(*arguments))
        return losses[-1]

    last = slim.learning.train(train, None, step, number_of_steps=60)
    assert last == losses[-1][0] < 0.1 * losses[0][0]
    assert [bool(stop) for _, stop in losses] == [False] * 59 + [True]


def test_queue_runners_cannot_be_nested():
    with tf.Session() as session, slim.queues.QueueRunners(session):
        with pytest.raises(slim.queues.NestedQueueRunnerError, match="cannot be nested"):
            with slim.queues.QueueRunners(session):
                pass


def test_a_missing_feature_is_named_and_leaves_no_node():
    columns = [layers.real_valued_column("age"), layers.embedding_column(layers.sparse_column_with_keys("sex", ["m", "f"]), 2)]
    features = {"age": tf.zeros([3, 1]), "ages": tf.zeros([3, 1])}
    before = state()
    for kind in (KeyError, ValueError):
        with pytest.raises(kind, match=r"features dictionary doesn't contain key \(sex\)") as error:
            layers.input_from_feature_columns(features, columns)
        assert "there are: age, ages" in str(error.value)
    assert state() == before


@pytest.mark.parametrize(
    "column",
    [
        layers.weighted_sparse_column(layers.sparse_column_with_hash_bucket("a", 5), "w"),
        layers.sparse_column_with_hash_bucket("a", 5, combiner="mean"),
    ],
)
def test_a_joint_sum_takes_unweighted_sums_alone(column):
    features = {"a": tf.SparseTensor([[0, 0]], ["x"], [1, 1]), "w": tf.SparseTensor([[0, 0]], [1.0], [1, 1])}
    before = state()
    with pytest.raises(ValueError, match=r"use weighted_sum_from_feature_columns instead\. column: a"):
        layers.joint_weighted_sum_from_feature_columns(features, [column], 1)
    assert state() == before


def test_a_scattered_embedding_needs_a_hash_key():
    column = layers.scattered_embedding_column("a", 10, 2, None)
    with pytest.raises(TypeError, match="hash_key of column a_scattered_embedding is None"):
        layers.input_from_feature_columns({"a": tf.SparseTensor([[0, 0]], ["x"], [1, 1])}, [column])


def test_older_crosses_refuse_inputs_of_other_ranks():
    cross = layers.sparse_feature_cross([tf.constant(["a", "b"])])  # 1.15 ends the process
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="Dense inputs should be a matrix"):
        session.run(cross)


def test_a_wrong_argument_is_told_with_the_name_of_the_function():
    with pytest.raises(TypeError, match=r"^convolution\(\) got an unexpected keyword argument 'filters'"):
        slim.conv2d(tf.zeros(IMAGES), 4, 3, filters=4)
