"""The report of a plan is true of its lines: each node's fate is compared with what the interpreter gives at that node."""

import numpy as np
import pytest

import tfedu as tf
from tests.replay.planned_programs import PROGRAMS, counting, folded, trained
from tfedu.engine.replay import trace
from tfedu.engine.replay.plan_report import node_fates
from tfedu.engine.runtime.plans.compile import Plan


@pytest.fixture(params=PROGRAMS, ids=lambda program: program.__name__)
def planned(request):
    """Fetches, feeds, the plan, and the interpreter's run with the outputs of each node."""
    with tf.Graph().as_default() as graph:
        fetches, feeds = request.param()
        session = trace.scratch_session(graph)
        session.stages(fetches, feeds)
        plan = session.stages(fetches, feeds)[3]
        assert isinstance(plan, Plan)
        (run,) = trace.record(fetches, feeds).runs
    return fetches, feeds, plan, run


def fates(program):
    """Name of a node -> its fate in the plan."""
    with tf.Graph().as_default() as graph:
        fetches, feeds = program()
        plan = trace.scratch_session(graph).stages(fetches, feeds)[3]
    return {op.name: fate for op, fate in node_fates(plan).items()}


def test_every_node_of_the_schedule_has_a_fate_and_each_line_belongs_to_its_node(planned):
    _, _, plan, _ = planned
    fate_of = node_fates(plan)
    assert list(fate_of) == list(plan.schedule.order)
    for number, op in enumerate(plan.line_of):
        if op is not None:
            assert number in fate_of[op].lines
    for fate in fate_of.values():
        assert bool(fate.lines) or fate.kind not in ("lines", "over", "into")
        assert not fate.lines or fate.kind in ("lines", "over", "into", "same")


def test_what_is_known_before_the_run_is_what_the_run_gives(planned):
    _, _, plan, run = planned
    outputs = {step.op: step.outputs for step in run.steps if not step.iteration}
    for op, fate in node_fates(plan).items():
        if fate.kind == "known" and op in outputs:
            for tensor, output in zip(op.outputs, outputs[op], strict=True):
                np.testing.assert_array_equal(plan.folded.values[tensor], output.value)


def test_a_node_that_shares_the_place_of_another_tensor_gives_its_value(planned):
    _, _, plan, run = planned
    outputs = {tensor: output for step in run.steps for tensor, output in zip(step.op.outputs, step.outputs, strict=False)}
    for op, fate in node_fates(plan).items():
        # A node of a loop has a value in each iteration, a Switch one on each side.
        if fate.kind != "same" or "while" in op.name or op.type == "Switch":
            continue
        output, other = outputs[op.outputs[0]], outputs[fate.other]
        assert (output.alias, output.dead) == (other.alias, other.dead)
        if output.value is not None and output.alias is None:  # a buffer holds what later nodes wrote
            np.testing.assert_array_equal(np.reshape(output.value, -1), np.reshape(other.value, -1))


def test_the_fates_of_a_training_step():
    fate_of = fates(trained)
    assert fate_of["w"].kind == "storage"
    assert fate_of["w/read"].kind == "same"
    assert fate_of["add"].kind == "into"
    assert fate_of["add"].other.name == "MatMul:0"
    assert (fate_of["told"].kind, fate_of["told"].other.name) == ("same", "Mean:0")
    assert fate_of["gradients/Fill"].kind == "known"
    assert fate_of["gradients/MatMul_grad/MatMul"].kind == "needless"
    assert fate_of["GradientDescent"].kind == "order"
    assert fate_of["GradientDescent/update_w/ApplyGradientDescent"].kind == "lines"


def test_constants_are_folded_and_a_control_edge_has_no_line():
    fate_of = fates(folded)
    assert [fate_of[name].kind for name in ("filled", "square", "MatMul")] == ["known"] * 3
    fate_of = fates(counting)
    assert (fate_of["nothing"].kind, fate_of["y"].kind, fate_of["up"].kind) == ("order", "same", "lines")


def test_the_report_leaves_the_plan_unchanged(planned):
    _, _, plan, _ = planned
    source = plan.source
    node_fates(plan)
    assert plan.source == source
    assert node_fates(plan) == node_fates(plan)
