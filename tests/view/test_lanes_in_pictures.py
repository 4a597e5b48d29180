"""Device lanes in pictures without JavaScript: one outermost scope a device, in which name scopes are."""

import re

import pytest

import tfedu as tf
from tfedu.view.draw.device_lanes import UNPLACED, in_lanes
from tfedu.view.draw.folding import fold
from tfedu.view.make.graph_records import graph_record
from tfedu.widgets import GraphView, StepThrough


def run_of_towers(count=2, layers=1):
    """A sum over towers on GPUs, as its run on these devices has it."""
    with tf.device("/cpu:0"):
        x = tf.placeholder_with_default([1.0, 2.0], [2], name="x")
    sums = []
    for i in range(count):
        with tf.device(f"/gpu:{i}"), tf.name_scope(f"tower_{i}"):
            y = x
            for _ in range(layers):
                y = y * 2.0
            sums.append(tf.reduce_sum(y, name="loss"))
    with tf.device("/cpu:0"):
        return tf.explain.on_devices(tf.add_n(sums, name="total"), gpus=count)


def test_each_device_has_a_lane_with_its_scopes():
    record = in_lanes(graph_record(run_of_towers().graph))
    assert [scope.path for scope in record.scopes if not scope.parent] == ["CPU:0", "GPU:0", "GPU:1"]
    home = {node.name: node.scope for node in record.nodes}
    assert home["tower_1/loss"] == "GPU:1/tower_1"
    assert {home[name] for name in home if re.fullmatch(r"x/_\d+", name)} == {"CPU:0", "GPU:0", "GPU:1"}


def test_what_is_on_no_device_stands_aside():
    fetched = run_of_towers()
    with fetched.graph.as_default():
        tf.constant(1.0, name="late")
    record = in_lanes(graph_record(fetched.graph))
    assert {node.scope for node in record.nodes if node.name == "late"} == {UNPLACED}
    assert "On no device" in GraphView(fetched.graph).svg()


def test_a_graph_of_one_device_has_no_lanes():
    with tf.device("/cpu:0"):
        y = tf.constant(1.0, name="a") + 1.0
    assert in_lanes(graph_record(y.graph)) is None


@pytest.mark.parametrize("collapsed", [None, ["GPU:1"], ["tower_0"]])
def test_every_node_is_drawn_or_counted(collapsed):
    record = graph_record(run_of_towers().graph)
    folding = fold(record, collapsed)
    assert sum(folding.count("nodes")) == len(record.nodes)
    closed = {box.path for box in folding.boxes() if box.kind == "folded"}
    assert closed == {None: set(), "GPU:1": {"GPU:1"}, "tower_0": {"GPU:0/tower_0"}}[collapsed and collapsed[0]]


def test_large_graphs_keep_their_lanes_open():
    record = graph_record(run_of_towers(3, 80).graph)
    folding = fold(record)
    opened = {box.path for box in folding.boxes() if box.kind == "scope"}
    assert {"CPU:0", "GPU:0", "GPU:1", "GPU:2"} <= opened
    assert sum(folding.count("nodes")) == len(record.nodes)


def test_pictures_name_a_device_once_and_where_a_send_goes():
    svg = StepThrough(run_of_towers(), runs=1).svg()
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert {"CPU:0", "GPU:0", "GPU:1", "_Send → GPU:1"} <= set(texts)
    assert not any("·" in text for text in texts)
