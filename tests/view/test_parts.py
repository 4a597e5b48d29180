"""The parts of a large graph: every node has a place, and a first view shows the way forward, lanes and what is aside."""

import re

import pytest
from test_fold import assert_nothing_hidden

import tfedu as tf
from benchmarks.pictures.graphs import training
from tfedu.view.build import graph_record
from tfedu.view.draw.folding import fold
from tfedu.view.draw.svg import graph_svg


def network(layers):
    with tf.Graph().as_default() as graph:
        y = tf.placeholder(tf.float32, [None, 8], name="x")
        for k in range(layers):
            with tf.variable_scope(f"layer{k}"):
                y = tf.nn.relu(tf.matmul(y, tf.get_variable("w", [8, 8])) + tf.get_variable("b", [8]))
        with tf.name_scope("loss"):
            loss = tf.reduce_mean(tf.square(y))
        with tf.name_scope("accuracy"):
            tf.reduce_max(y)
        tf.train.AdamOptimizer().minimize(loss)
        tf.summary.scalar("loss_summary", loss)
        tf.global_variables_initializer()
        tf.train.Saver()
    return graph


def unscoped(count):
    with tf.Graph().as_default() as graph:
        values = [tf.placeholder(tf.float32, [], name="x")]
        for i in range(count):
            values.append(tf.add(values[-1], values[i // 2]))
    return graph


def places(graph):
    record = graph_record(graph)
    record.check()
    return record, {node.name: node.scope for node in record.nodes}


def test_a_small_graph_has_no_parts():
    assert graph_record(unscoped(59)).parts == ()


def test_each_node_of_a_training_stands_in_its_part():
    record, scope = places(network(3))
    kinds = {part.path: part.kind for part in record.parts}
    assert scope["layer1/MatMul"] == "layer1"
    assert scope["layer1/w"] == ":variables/layer1"
    assert scope["layer1/w/Assign"].startswith(":init/")
    assert scope["layer1/w/Adam"].startswith("Adam/")
    assert scope["layer1/w/Adam/Assign"].startswith("Adam/")
    assert scope["gradients/layer1/MatMul_grad/MatMul"].startswith("gradients/layer1/")
    assert scope["save/SaveV2"].startswith("save")
    assert (kinds["Adam"], kinds["save"], kinds["accuracy"]) == ("optimizer", "saver", "aside")
    assert {part.of for part in record.parts if part.kind == "gradient"} == {"layer0", "layer1", "layer2", "loss"}
    assert kinds.keys().isdisjoint({"layer1", "loss"})
    # The lane of gradients has no node of its own: sums and initial gradients stand in a card, too.
    assert "gradients" not in scope.values()


@pytest.mark.parametrize(
    "graph",
    [lambda: network(3), lambda: network(12), lambda: unscoped(300), lambda: unscoped(3000), lambda: training(4)],
)
def test_the_first_view_is_small_and_hides_nothing(graph):
    record = graph_record(graph())
    folding = fold(record)
    assert_nothing_hidden(record, folding)
    assert sum(1 for _ in folding.boxes()) <= 30
    svg = graph_svg(record)
    assert not re.search("<text[^>]*>:", svg)  # a path that no name makes is no title


def test_nodes_in_no_scope_are_in_few_spans_of_few_nodes():
    record, scope = places(unscoped(2000))
    counts = {path: list(scope.values()).count(path) for path in set(scope.values())}
    assert max(counts.values()) <= 12
    assert len([part for part in record.parts if part.kind == "span"]) <= 6
