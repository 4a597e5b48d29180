"""Groups: scopes of the same structure are one group, others are none, and pictures with groups count every node and edge."""

import random

import drawn_graphs as graphs
import pytest
from test_fold import assert_nothing_hidden

import tfedu as tf
from benchmarks.pictures.graphs import training
from tfedu.view.build import graph_record
from tfedu.view.draw.folding import fold
from tfedu.view.draw.svg import graph_svg
from tfedu.view.make.networks import repeated_blocks


def blocks(count=6, change=None):
    """`count` blocks of one structure in a chain, of which `change(i, x)` may make some different."""
    with tf.Graph().as_default() as graph:
        h = tf.placeholder(tf.float32, [4], name="x")
        for i in range(count):
            with tf.name_scope(f"block_{i}"):
                for _ in range(10):
                    h = tf.tanh(h) + tf.constant([1.0, 2.0, 3.0, 4.0])
                if change is not None:
                    h = change(i, h)
        tf.identity(h)
    return graph


def repeated(graph):
    return [group.scopes for group in graph_record(graph).groups if group.kind == "repeat" and not group.parent]


def test_blocks_of_one_structure_are_one_group():
    assert repeated(blocks()) == [tuple(f"block_{i}" for i in range(6))]
    (group,) = graph_record(blocks()).groups
    assert (group.path, group.kind, group.parent, group.nodes) == ("block_0…block_5", "repeat", "", ())


@pytest.mark.parametrize(
    "change",
    [
        lambda i, h: tf.sin(h) if i == 3 else tf.cos(h),
        lambda i, h: h + tf.constant([1.0, 2.0, 3.0, 5.0 if i == 3 else 4.0]),
        lambda i, h: tf.add(h, h) if i == 3 else tf.add(h, tf.tanh(h, name="t")),
        lambda i, h: tf.reduce_sum(h, keepdims=i == 3) * h,
        lambda i, h: h + tf.get_default_graph().get_tensor_by_name("x:0") if i == 3 else h + h,
    ],
    ids=["type", "constant", "edge", "attribute", "input from outside"],
)
def test_a_block_that_differs_is_no_copy(change):
    assert repeated(blocks(change=change)) == [tuple(f"block_{i}" for i in range(6) if i != 3)]


def test_an_output_used_outside_makes_a_difference_and_names_do_not():
    graph = blocks()
    with graph.as_default():
        tf.identity(graph.get_tensor_by_name("block_2/Tanh:0"))
    assert repeated(graph) == [tuple(f"block_{i}" for i in range(6) if i != 2)]
    with tf.Graph().as_default() as graph:
        for i, name in enumerate(["one", "two", "three", "four"]):
            with tf.name_scope(name):
                for k in range(16):
                    tf.placeholder(tf.float32, [], name=f"{name}_{i * k}")
    assert repeated(graph) == [("one", "two", "three", "four")]


def test_a_chain_of_a_thousand_adds_is_a_series():
    with tf.Graph().as_default() as graph:
        y, one = tf.placeholder(tf.float32, [], name="x"), tf.constant(1.0)
        for _ in range(1000):
            y = tf.add(y, one)
        tf.identity(y)
    (group,) = graph_record(graph).groups
    assert (group.kind, group.path, len(group.nodes)) == ("series", "Add…Add_999", 1000)
    shown = fold(graph_record(graph))
    assert [box.kind for box in shown.boxes()].count("node") == 3
    assert_nothing_hidden(graph_record(graph), shown)
    assert "Add … Add_999 ×1000" in graph_svg(graph_record(graph), lang="en")


def test_a_node_with_a_second_consumer_ends_a_series():
    with tf.Graph().as_default() as graph:
        y = tf.placeholder(tf.float32, [], name="x")
        for i in range(100):
            y = tf.tanh(y)
            if i == 49:
                tf.negative(y)
    assert [len(group.nodes) for group in graph_record(graph).groups] == [50, 50]


def test_small_graphs_have_no_groups():
    for name, make in graphs.ALL.items():
        record = graph_record(make())
        assert len(record.nodes) >= repeated_blocks.LEAST or not record.groups, name


@pytest.mark.parametrize("limit", [3, 20, 120, 5000])
def test_pictures_with_groups_count_all_nodes_and_edges(limit):
    record = graph_record(training(4))
    paths = [*(scope.path for scope in record.scopes), *(group.path for group in record.groups)]
    assert {group.kind for group in record.groups} == {"repeat"}
    assert_nothing_hidden(record, fold(record, None, limit))
    choose = random.Random(7)
    for share in (0.0, 0.02, 0.1, 0.5, 1.0):
        closed = [path for path in paths if choose.random() < share]
        assert_nothing_hidden(record, fold(record, closed, limit))


def test_the_title_of_a_group_has_its_ends_and_size():
    record = graph_record(training(12))
    closed = [group.path for group in record.groups]
    for lang in ("en", "ko"):
        assert "block_0 … block_11 ×12" in graph_svg(record, collapsed=closed, lang=lang)


def stack(blocks: bool) -> tf.Graph:
    with tf.Graph().as_default() as graph:
        y = tf.placeholder(tf.float32, [None, 16], name="x")
        for number in range(1, 5):
            if blocks:
                with tf.variable_scope(f"block_{number}"):
                    y = y + tf.layers.dense(tf.layers.dense(y, 8, name="down"), 16, name="up")
            else:
                y = tf.layers.dense(y, 16, tf.nn.relu, name=f"layer_{number}")
        tf.identity(y)
    return graph


def test_repeated_layers_tell_kind_output_and_parameters_of_all_and_of_each():
    svg = tf.show(stack(blocks=False)).svg
    assert "Dense (?, 16)" in svg
    assert svg.count("parameters 1,088: 4 × 272") == 2  # on the card and in the description
    both = tf.show(stack(blocks=True)).svg
    # 16 · 8 + 8 and 8 · 16 + 16 in each block, which is no layer itself.
    assert both.count("parameters 1,120: 4 × 280") == 2
    assert "Dense" not in both
