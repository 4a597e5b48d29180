"""The record of a run's passes counts the nodes from the graph to the plan, and says what becomes of each."""

import pytest

import tfedu as tf
from tests.replay.planned_programs import PROGRAMS, trained
from tfedu.engine.replay import trace
from tfedu.view.make.run_passes import passes_record
from tfedu.view.records import from_json, to_json


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_passes_count_down_from_the_graph_to_the_plan(program):
    with tf.Graph().as_default() as graph:
        fetches, feeds = program()
        record = passes_record(fetches, feeds)
        pruned, _, scheduled, plan = trace.scratch_session(graph, initialize=False).stages(fetches, feeds)
    assert from_json(to_json(record)) == record
    by_code = {step.code: step for step in record.passes}
    assert by_code["whole"].before == len(graph.get_operations())
    assert by_code["prune"].after == len(pruned.operations)
    assert [record.graph.nodes[id].name for id in record.order] == [op.name for op in scheduled.order]
    assert len(record.plan) == len(plan.source.split("\n"))
    gone = sum(fate.leaves for step in record.passes for fate in step.fates)
    assert by_code["write"].after == len(graph.get_operations()) - gone == len(by_code["write"].fates)
    turns = [fate.params["turn"] for fate in by_code["order"].fates]
    assert turns == list(range(1, len(turns) + 1))


def test_nothing_runs_for_the_passes():
    with tf.Graph().as_default():
        x = tf.Variable(0.0)
        up = tf.assign_add(x, 1.0)
        with tf.Session() as session:
            session.run(x.initializer)
            passes_record(up, session=session)
            assert session.run(x) == 0.0


def test_what_is_put_together_is_told_from_the_plan_alone():
    with tf.Graph().as_default():
        fetches, feeds = trained()
        record = passes_record(fetches, feeds)
    fuse = next(step for step in record.passes if step.code == "fuse")
    names = {node.id: node.name for node in record.graph.nodes}
    by_name = {names[fate.node]: fate for fate in fuse.fates}
    assert by_name["told"].leaves
    assert (by_name["told"].code, by_name["told"].params["other"]) == ("same", "Mean:0")
    assert (by_name["MatMul"].code, by_name["add"].code) == ("array", "in_array")
    assert by_name["add"].params["other"] == "MatMul"
    sharing = [fate for fate in fuse.fates if not fate.leaves]
    assert fuse.params == {"nodes": len(sharing), "arrays": sum(fate.code == "array" for fate in sharing)}
    # each that shares an array has a line, in which its result goes into what the line before it made
    lines = {names[fate.node]: fate.lines for fate in record.passes[-1].fates}
    for fate in sharing:
        (*_, line) = lines[names[fate.node]]
        assert (", out=v" in record.plan[line]) == (fate.code == "in_array")


def test_where_nothing_is_put_together_that_is_said():
    with tf.Graph().as_default():
        record = passes_record(tf.constant(1.0))
    fuse = record.passes[-2]
    assert (fuse.code, fuse.note, fuse.before, fuse.after) == ("fuse", "apart", 1, 1)


def test_a_loop_that_has_no_plan_says_why():
    with tf.Graph().as_default():
        y = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
        record = passes_record(y, schedule="random(1)")
    assert record.passes[-1].note == "interpreted"
    assert record.passes[-1].params == {"reason": "in_run"}
    assert record.plan == ()
    assert record.passes[3].note == "overlap"


def test_a_named_device_is_told_as_asked_for():
    with tf.Graph().as_default(), tf.device("/cpu:0"):
        record = passes_record(tf.constant(1.0))
    (fate,) = record.passes[2].fates
    assert (fate.code, fate.params["wanted"]) == ("asked", "/device:CPU:0")


def test_wrong_fetches_are_refused_as_by_run():
    with tf.Graph().as_default():
        tf.constant(1.0)
        with pytest.raises(TypeError, match="Fetch argument"):
            passes_record(3.5)
