"""What records tell of runs on several devices: the transfers with their bytes, and the simulated clock."""

from __future__ import annotations

import numpy as np
import pytest

import tfedu as tf
from tfedu.view.make.graph_records import graph_record
from tfedu.view.records import RecordError, from_json, to_json
from tfedu.widgets import StepThrough


@pytest.fixture
def towers():
    """A placeholder of an open size whose halves go to two GPUs, and what comes back."""
    with tf.Graph().as_default():
        with tf.device("/cpu:0"):
            x = tf.placeholder_with_default(np.ones([4, 2], np.float32), [None, 2], name="x")
            halves = x[:2], x[2:]
        sums = []
        for i, half in enumerate(halves):
            with tf.device(f"/gpu:{i}"):
                sums.append(tf.reduce_sum(half * 2.0, name=f"sum_{i}"))
        with tf.device("/cpu:0"):
            yield x, tf.add(*sums, name="total")


def test_a_trace_has_the_clock_of_its_devices(towers):
    record = StepThrough(tf.explain.on_devices(towers[1], gpus=2), runs=2).record
    first, second = (run["clock"] for run in record["runs"])
    assert first == second
    devices = [lane["device"] for lane in first["lanes"] if lane["to"] is None]
    assert devices == ["CPU:0", "GPU:0", "GPU:1"]
    names = {node["id"]: node["name"] for node in record["graph"]["nodes"]}
    steps = record["runs"][0]["steps"]
    span = {names[steps[s["step"]]["node"]]: s for s in first["spans"]}
    one, other = span["sum_0"], span["sum_1"]
    assert first["lanes"][one["lane"]]["device"] == "GPU:0"
    assert max(one["begin"], other["begin"]) < min(one["end"], other["end"]), "the GPUs work at the same time"
    assert span["total"]["begin"] >= max(one["end"], other["end"])
    assert all(s["begin"] <= s["end"] for s in first["spans"])
    assert from_json(record).runs[0].clock is not None


def test_transfers_have_their_bytes_where_the_shape_or_a_run_tells(towers):
    fetched = tf.explain.on_devices(towers[1], gpus=2)
    sizes = {t.bytes for t in from_json(StepThrough(fetched, runs=1).record).graph.transfers}
    assert sizes >= {16, 4}
    still = graph_record(fetched.graph)
    assert {t.bytes for t in still.transfers} >= {None, 4}
    sources = {edge.id: edge.source for edge in still.edges}
    types = {node.id: node.type for node in still.nodes}
    assert {types[sources[t.edge]] for t in still.transfers} == {"_Send"}


def test_a_fed_step_comes_before_the_spans(towers):
    x, total = towers
    config = tf.ConfigProto(device_count={"GPU": 2}, simulated_devices={"beside_gpu": True, "latency": 1e-3})
    with tf.Session(config=config) as session:
        record = StepThrough(total, {x: np.ones([2, 2], np.float32)}, runs=1, session=session).record
    run = record["runs"][0]
    assert run["steps"][0]["outcome"] == "fed"
    assert min(span["step"] for span in run["clock"]["spans"]) == 1
    assert max(span["end"] for span in run["clock"]["spans"]) > 1e6, "the session's own latency counts"


def test_one_device_has_neither():
    record = StepThrough(tf.constant(1.0) + 1.0, runs=1).record
    assert record["runs"][0]["clock"] is None
    assert record["graph"]["transfers"] == []


def test_a_fork_has_a_clock_of_its_own(towers):
    steps = StepThrough(tf.explain.on_devices(towers[1], gpus=2), runs=1)
    nodes = {node["name"]: node["id"] for node in steps.record["graph"]["nodes"]}
    before = [step["node"] for step in steps.record["runs"][0]["steps"]]
    line = steps.fork(0, before.index(nodes["sum_0"]) + 1, set={"sum_0:0": 5.0})
    run = from_json(steps.branch_1).runs[0]
    assert run.clock is not None
    assert [lane.device for lane in run.clock.lanes][:3] == ["CPU:0", "GPU:0", "GPU:1"]
    # A fork is a step of its own, which takes no time.
    assert line.step not in {span.step for span in run.clock.spans}


def test_spans_name_steps_and_lanes_that_exist(towers):
    data = to_json(from_json(StepThrough(tf.explain.on_devices(towers[1], gpus=2), runs=1).record))
    data["runs"][0]["clock"]["spans"][0]["lane"] = 99
    with pytest.raises(RecordError, match=r"clock\.spans"):
        from_json(data)
