"""`model_summary()`: a row for each layer, with its kind, output and parameters; variables that layers share count once."""

import pytest

import tfedu as tf
from tfedu.view import records
from tfedu.view.make.networks.model_layers import layers_record
from tfedu.view.model_summary import model_summary


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def net():
    x = tf.placeholder(tf.float32, [None, 8, 8, 1])
    net = tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu)
    net = tf.layers.batch_normalization(net, training=True)
    net = tf.layers.flatten(tf.layers.max_pooling2d(net, 2, 2))
    return tf.layers.dense(net, 3, name="out")


def test_each_layer_is_a_row_in_the_order_of_the_program():
    net()
    rows = [(layer.scope, layer.kind, layer.outputs, layer.parameters, layer.trainable) for layer in layers_record().layers]
    assert rows == [
        ("conv2d", "Conv2D", ("float32 (?, 6, 6, 4)",), 40, 40),
        ("batch_normalization", "BatchNormalization", ("float32 (?, 6, 6, 4)",), 16, 8),
        ("max_pooling2d", "MaxPooling2D", ("float32 (?, 3, 3, 4)",), 0, 0),
        ("flatten", "Flatten", ("float32 (?, 36)",), 0, 0),
        ("out", "Dense", ("float32 (?, 3)",), 111, 111),
    ]


def test_the_table_says_how_many_parameters_train():
    net()
    assert repr(model_summary(lang="en")).splitlines() == [
        "Layer                Kind                Output                Parameters",
        "conv2d               Conv2D              float32 (?, 6, 6, 4)  40",
        "batch_normalization  BatchNormalization  float32 (?, 6, 6, 4)  16 (8 trainable)",
        "max_pooling2d        MaxPooling2D        float32 (?, 3, 3, 4)  0",
        "flatten              Flatten             float32 (?, 36)       0",
        "out                  Dense               float32 (?, 3)        111",
        "",
        "Parameters: 167, trainable among them: 159",
    ]


def test_shared_variables_count_once():
    x = tf.placeholder(tf.float32, [None, 3])
    tf.layers.dense(x, 2, name="d")
    tf.layers.dense(x, 2, name="d", reuse=True)
    layer = tf.layers.Dense(4, name="again")
    layer(x), layer(x)
    record = layers_record()
    assert [(row.scope, row.parameters, row.shared, row.calls) for row in record.layers] == [
        ("d", 8, False, 1),
        ("d_1", 8, True, 1),
        ("again", 16, False, 2),
    ]
    assert record.parameters == 24
    assert "8 (shared)" in repr(model_summary(lang="en"))


def test_a_tensors_model_has_the_layers_that_it_is_computed_by():
    x = tf.placeholder(tf.float32, [None, 3])
    first = tf.layers.dense(x, 2, name="first")
    tf.layers.dense(first, 2, name="unused")
    second = tf.layers.dense(first, 2, name="second")
    for target in (second, second.op, [first, second]):
        assert [row.scope for row in layers_record(target).layers] == ["first", "second"]


def test_scopes_without_layers_are_told_by_what_computes_in_them():
    x = tf.placeholder(tf.float32, [None, 3])
    with tf.variable_scope("head"):
        y = tf.nn.relu(tf.matmul(x, tf.get_variable("w", [3, 2])) + tf.get_variable("b", [2]))
    loss = tf.reduce_sum(y) * tf.Variable(3.0, name="factor") + tf.Variable(1.0, trainable=False, name="shift")
    tf.train.AdamOptimizer().minimize(loss)
    rows = [(row.scope, row.kind, row.outputs, row.parameters) for row in layers_record().layers]
    assert rows == [("head", "MatMul, AddV2, Relu", ("float32 (?, 2)",), 8), ("factor", "VariableV2", (), 1)]
    record = layers_record(loss)
    assert [row.scope for row in record.layers] == ["head", "factor", "shift"]
    assert (record.parameters, record.trainable) == (10, 9)


def test_inner_layers_are_set_in():
    class Block(tf.layers.Layer):
        def call(self, x):
            return tf.layers.dense(x, 2, name="inner")

    Block(name="outer")(tf.placeholder(tf.float32, [None, 3]))
    lines = repr(model_summary()).splitlines()
    assert lines[1].startswith("outer")
    assert lines[2].startswith("  outer/inner")


def test_parts_and_unknown_sizes():
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
        tf.layers.dense(tf.placeholder(tf.float32, [None, 4]), 2, name="d")
    assert layers_record().parameters == 10
    tf.Variable(tf.placeholder(tf.float32), validate_shape=False)
    assert layers_record().parameters is None
    assert "Parameters: ?" in repr(model_summary(lang="en"))


def test_html_escapes_names_and_an_empty_graph_says_so():
    with tf.name_scope("a"):
        tf.layers.Layer(name="x")(tf.zeros([1]))
    html = model_summary(lang="en")._repr_html_()
    assert html.startswith("<table>")
    assert "<caption>Parameters: 0, trainable among them: 0</caption>" in html
    assert "No layers" in model_summary(tf.Graph(), lang="en")._repr_html_()


def test_its_record_goes_through_json(graph):
    net()
    record = layers_record(graph)
    assert records.from_json(records.to_json(record)) == record


def test_bad_targets_are_refused():
    with pytest.raises(TypeError, match="not a int"):
        model_summary(3)
    with pytest.raises(TypeError):
        model_summary([])
    a = tf.constant(1.0)
    with tf.Graph().as_default():
        b = tf.constant(1.0)
    with pytest.raises(ValueError, match="same graph"):
        model_summary([a, b])
