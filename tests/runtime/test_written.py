"""What became of each node in a plan is what its lines do: held against the interpreter, node by node."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.replay import trace
from tfedu.engine.replay.plan_report import written
from tfedu.engine.runtime.compile import Plan
from tfedu.view.make.run_passes import passes_record
from tfedu.view.records import from_json, to_json


def trained():
    x = tf.placeholder(tf.float32, [64, 100], name="x")
    w = tf.Variable(tf.zeros([100, 50]), name="w")
    b = tf.Variable(tf.zeros([50]), name="b")
    loss = tf.reduce_mean(tf.square(tf.nn.relu(tf.matmul(x, w) + b) - 1.0))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return [train, tf.identity(loss, name="told")], {x: np.ones((64, 100), np.float32)}


def folded():
    a = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="a")
    v = tf.Variable(tf.ones([2, 2]), name="v")
    filled = tf.reshape(tf.fill([4], 2.0, name="filled"), [2, 2], name="square")
    return tf.reduce_sum(tf.identity(tf.square(tf.matmul(a, filled) + v)), name="sum"), {}


def branched():
    x = tf.placeholder(tf.float32, [], name="x")
    return tf.cond(x > 1.0, lambda: x * 2.0, lambda: x + 1.0), {x: 3.0}


def looping():
    x = tf.placeholder(tf.float32, [], name="x")
    return tf.while_loop(lambda i, p: i < 3, lambda i, p: (i + 1, p * x), (0, 1.0))[1], {x: 2.0}


def counting():
    x = tf.Variable(0.0, name="x")
    with tf.control_dependencies([tf.assign_add(x, 1.0, name="up"), tf.no_op(name="nothing")]):
        return tf.identity(x, name="y"), {}


PROGRAMS = [trained, folded, branched, looping, counting]


@pytest.fixture(params=PROGRAMS, ids=lambda program: program.__name__)
def planned(request):
    """Fetches, feeds, the plan, and what the interpreter's run gave at each node."""
    with tf.Graph().as_default() as graph:
        fetches, feeds = request.param()
        session = trace.scratch_session(graph)
        session.stages(fetches, feeds)
        plan = session.stages(fetches, feeds)[3]
        assert isinstance(plan, Plan)
        (run,) = trace.record(fetches, feeds).runs
    return fetches, feeds, plan, run


def fates(program):
    with tf.Graph().as_default() as graph:
        fetches, feeds = program()
        plan = trace.scratch_session(graph).stages(fetches, feeds)[3]
    return {op.name: fate for op, fate in written(plan).items()}


def test_every_node_of_the_schedule_has_a_fate_and_every_line_with_a_node_is_its_nodes(planned):
    _, _, plan, _ = planned
    found = written(plan)
    assert list(found) == list(plan.schedule.order)
    for number, op in enumerate(plan.line_of):
        if op is not None:
            assert number in found[op].lines
    for fate in found.values():
        assert bool(fate.lines) or fate.kind not in ("lines", "over", "into")
        assert not fate.lines or fate.kind in ("lines", "over", "into", "same")


def test_what_is_known_before_the_run_is_what_the_run_gives(planned):
    _, _, plan, run = planned
    given = {step.op: step.outputs for step in run.steps if not step.iteration}
    for op, fate in written(plan).items():
        if fate.kind == "known" and op in given:
            for tensor, output in zip(op.outputs, given[op], strict=True):
                np.testing.assert_array_equal(plan.folded.values[tensor], output.value)


def test_who_makes_nothing_new_gives_what_the_other_one_gives(planned):
    _, _, plan, run = planned
    given = {tensor: output for step in run.steps for tensor, output in zip(step.op.outputs, step.outputs, strict=False)}
    for op, fate in written(plan).items():
        if fate.kind != "same" or "while" in op.name or op.type == "Switch":  # which have a value an iteration, or a side
            continue
        mine, other = given[op.outputs[0]], given[fate.other]
        assert (mine.alias, mine.dead) == (other.alias, other.dead)
        if mine.value is not None and mine.alias is None:  # a buffer has by now what was written since
            np.testing.assert_array_equal(np.reshape(mine.value, -1), np.reshape(other.value, -1))


def test_the_fates_of_a_training_step():
    found = fates(trained)
    assert found["w"].kind == "storage"
    assert found["w/read"].kind == "same"
    assert found["add"].kind == "into"
    assert found["add"].other.name == "MatMul:0"
    assert (found["told"].kind, found["told"].other.name) == ("same", "Mean:0")
    assert found["gradients/Fill"].kind == "known"
    assert found["gradients/MatMul_grad/MatMul"].kind == "needless"
    assert found["GradientDescent"].kind == "order"
    assert found["GradientDescent/update_w/ApplyGradientDescent"].kind == "lines"


def test_constants_are_folded_and_an_order_has_no_line():
    found = fates(folded)
    assert [found[name].kind for name in ("filled", "square", "MatMul")] == ["known"] * 3
    found = fates(counting)
    assert (found["nothing"].kind, found["y"].kind, found["up"].kind) == ("order", "same", "lines")


def test_looking_at_a_plan_changes_nothing_of_it(planned):
    _, _, plan, _ = planned
    source = plan.source
    written(plan)
    assert plan.source == source
    assert written(plan) == written(plan)


# -- the passes ------------------------------------------------------------------------------------------------------


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
