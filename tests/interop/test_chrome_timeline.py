"""What timelines of runs tell that TensorFlow's do not: the line of the program that made each node."""

from __future__ import annotations

import json
import logging

import pytest

import tfedu as tf
from tfedu.engine.interop.chrome_timeline import Timeline


def lines_of(stats, graph=None):
    """The line of each node of a timeline, by the node's name; "" where none is told."""
    events = json.loads(Timeline(stats, graph).generate_chrome_trace_format())["traceEvents"]
    return {event["args"]["name"]: event["args"].get("line", "") for event in events if event["ph"] == "X"}


def traced(graph, fetches):
    """The graph's StepStats of one run on two simulated GPUs."""
    metadata = tf.RunMetadata()
    with tf.Session(graph=graph, config=tf.ConfigProto(device_count={"GPU": 2})) as session:
        session.run(fetches, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    return metadata.step_stats


def test_each_node_and_each_transfer_has_its_line():
    with tf.device("/gpu:0"):
        x = tf.constant([1.0, 2.0], name="x")
    with tf.device("/gpu:1"), tf.control_dependencies([x]):
        y = tf.multiply(x, 2.0, name="y")
    stats = traced(tf.get_default_graph(), y)
    lines = lines_of(stats)
    assert lines["x"].startswith("File ")
    assert lines["x"].endswith(':  x = tf.constant([1.0, 2.0], name="x")')
    assert lines["y"].endswith(':  y = tf.multiply(x, 2.0, name="y")')
    sent = {name: line for name, line in lines.items() if name.startswith("x/_")}
    assert len(sent) >= 2
    assert set(sent.values()) == {lines["x"]}
    with tf.Graph().as_default():
        assert lines_of(stats, y.graph) == lines


def test_a_node_of_another_graph_has_no_line():
    graph = tf.Graph()
    with graph.as_default():
        y = tf.square(tf.constant(3.0, name="x"), name="y")
    stats = traced(graph, y)
    assert set(lines_of(stats).values()) == {""}
    tf.identity(tf.constant(1.0, name="x"), name="y")
    lines = lines_of(stats)
    assert lines["y"] == "", "an Identity is not the Square that ran"


def test_an_empty_timeline_and_what_has_no_step_stats_say_how_to_get_some(caplog):
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        session.run(tf.constant(1.0), run_metadata=metadata)
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        assert lines_of(metadata.step_stats) == {}
    (told,) = [record.getMessage() for record in caplog.records]
    assert "This timeline is empty" in told
    assert "trace_level=tf.RunOptions.FULL_TRACE" in told
    for wrong in (None, metadata):
        with pytest.raises(AttributeError, match=r"has no attribute 'dev_stats'[\s\S]*fix: give Timeline"):
            lines_of(wrong)


def test_the_bytes_of_a_record_of_a_run_are_read_as_its_message():
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    c = tf.constant(1.0, name="c")
    with tf.Session() as session:
        session.run(c, options=options, run_metadata=metadata)
    read = tf.RunMetadata.FromString(metadata.SerializeToString())
    assert read.step_stats == metadata.step_stats
    assert [node.name for node in read.partition_graphs[0].node if node.op == "Const"] == ["c"]
    assert lines_of(read.step_stats)["c"].endswith('c = tf.constant(1.0, name="c")')
