"""tf.summary where 1.15 differs from the oracle, or is silent."""

import logging

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.ops.summary import bucket_limits


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def test_literal_whole_numbers_become_floats_where_that_is_the_ops_default():
    """1.15 prefers the default of the attribute T; later releases infer the type first."""
    assert tf.summary.histogram("h", [1, 2]).op.inputs[1].dtype == tf.float32


def test_a_name_that_no_node_may_have_is_replaced_and_said(caplog):
    with caplog.at_level(logging.INFO, "tensorflow"):
        assert tf.summary.scalar("my loss", 1.0).name == "my_loss:0"
    assert "Summary name my loss is illegal; using my_loss instead." in caplog.text


def test_buckets_grow_by_a_tenth_and_hold_every_number():
    limits = bucket_limits()
    up = limits[limits > 0]
    assert (np.diff(limits) > 0).all()
    assert np.array_equal(limits, -limits[::-1])
    assert up[0] == 1e-12
    assert np.allclose(up[1:-1] / up[:-2], 1.1)
    assert up[-2] < 1e20 < up[-1] == np.finfo(np.float64).max


def test_the_largest_numbers_have_a_bucket():
    largest = np.finfo(np.float64).max
    with tf.Session() as session:
        data = session.run(tf.summary.histogram("h", tf.constant([largest, -largest], tf.float64)))
    histogram = tf.Summary.FromString(data).value[0].histo
    assert (histogram.min, histogram.max, sum(histogram.bucket)) == (-largest, largest, 2)


def test_tags_that_are_no_text_are_refused():
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="must be UTF-8"):
        session.run(tf.raw_ops.ScalarSummary(tags=tf.constant([b"\xff"]), values=tf.constant([1.0])))


def test_a_summary_may_be_made_in_a_branch():
    x = tf.placeholder(tf.float32, [])
    made = tf.cond(x > 0, lambda: tf.summary.scalar("up", x), lambda: tf.summary.scalar("down", x))
    with tf.Session() as session:
        tags = [tf.Summary.FromString(session.run(made, {x: value})).value[0].tag for value in (1.0, -1.0)]
    assert tags == ["cond/up", "cond/down"]


def test_summaries_of_before_1_0_have_tags_that_are_no_names():
    """tf.contrib.deprecated; the nodes are those of 1.15."""
    old = tf.contrib.deprecated
    x = tf.constant([1.0, 2.0], name="x")
    made = [
        old.scalar_summary(["a tag", "another"], x),
        old.histogram_summary("a tag: x", x, name="h"),
        old.image_summary("im", tf.zeros([1, 2, 2, 1]), max_images=1, collections=["mine"]),
        old.audio_summary("au", tf.zeros([1, 4]), 8000, 1, name="au"),
    ]
    merged = old.merge_all_summaries()
    assert [(t.op.name, t.op.type) for t in [*made, merged]] == [
        ("ScalarSummary", "ScalarSummary"), ("h", "HistogramSummary"), ("ImageSummary", "ImageSummary"),
        ("au", "AudioSummaryV2"), ("MergeSummary/MergeSummary", "MergeSummary"),
    ]  # fmt: skip
    assert [t.op.name for t in made[0].op.inputs] == ["ScalarSummary/tags", "x"]
    assert tf.get_collection("mine") == [made[2]]
    with tf.Session() as session:
        found = tf.Summary.FromString(session.run(merged))
    assert [v.tag for v in found.value] == ["a tag", "another", "a tag: x", "au/audio"]
    with tf.Graph().as_default():
        assert old.merge_all_summaries() is None
