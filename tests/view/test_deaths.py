"""A dead step of a trace has a reason: a branch that was not taken, or a loop; and steps list elements of TensorArrays."""

import pytest

import tfedu as tf
from tfedu.view.make.scratch_runs import runs_record
from tfedu.view.messages import message
from tfedu.view.words.terminal_text import trace_text

ORDERS = [None, "random(1)", "random(2)", "random(3)"]


def told(trace):
    """Each dead turn: node, iteration, code and params of its reason."""
    names = {node.id: node.name for node in trace.graph.nodes}
    steps = trace.runs[0].steps
    assert all((step.death is not None) == (step.outcome == "dead") for step in steps)
    return {(names[step.node], step.iteration): step.death for step in steps if step.death is not None}


@pytest.mark.parametrize("schedule", ORDERS)
@pytest.mark.parametrize("value", [True, False])
def test_a_node_of_the_branch_not_taken_names_the_condition_and_what_it_is(value, schedule):
    take = tf.placeholder(tf.bool, [], name="take")
    x = tf.constant(1.0)
    y = tf.cond(take, lambda: x + 1.0, lambda: x * 2.0)
    dead = told(runs_record(y, {take: value}, runs=1, schedule=schedule))
    # Constants and pivots too, which are dead by what they wait for.
    node, pivot, constant = ("mul", "switch_f", "mul/y") if value else ("add", "switch_t", "add/y")
    for name in (node, pivot, constant):
        death = dead[f"cond/{name}", ()]
        assert death.code == "branch"
        assert death.params == {"pred": "take:0", "side": str(not value), "value": str(value)}


@pytest.mark.parametrize("schedule", ORDERS)
def test_inner_nodes_are_dead_for_the_outermost_branch_that_is_not_taken(schedule):
    take = tf.placeholder(tf.bool, [], name="take")
    x = tf.constant(1.0)
    y = tf.cond(take, lambda: tf.cond(x > 0.0, lambda: x + 1.0, lambda: x - 1.0), lambda: x)
    for (_, _), death in told(runs_record(y, {take: False}, runs=1, schedule=schedule)).items():
        assert death.params["pred"] == "take:0"
    deaths = told(runs_record(y, {take: True}, runs=1, schedule=schedule))
    assert deaths["cond/cond/sub", ()].params == {"pred": "cond/Greater:0", "side": "False", "value": "True"}


@pytest.mark.parametrize("schedule", ORDERS)
def test_in_a_loop_the_condition_is_the_reason(schedule):
    total = tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s + i), [0, 5])[1]
    dead = told(runs_record(total, runs=1, schedule=schedule))
    assert dead["while/add", (2,)].code == "ended"
    assert dead["while/Exit_1", (0,)].code == dead["while/Exit_1", (1,)].code == "goes_on"
    assert {death.params["cond"] for death in dead.values()} == {"while/LoopCond"}


@pytest.mark.parametrize("schedule", ORDERS)
def test_a_cond_in_a_loop_is_another_in_each_iteration(schedule):
    result = tf.while_loop(lambda i: i < 3, lambda i: tf.cond(i > 0, lambda: i + 1, lambda: i + 2), [0])
    dead = told(runs_record(result, runs=1, schedule=schedule))
    assert dead["while/cond/add", (0,)].params["value"] == "False"
    assert dead["while/cond/add_1", (1,)].params["value"] == "True"
    assert {dead["while/cond/add", (2,)].code, dead["while/cond/add_1", (2,)].code} == {"ended"}


def test_a_loop_in_a_branch_not_taken_is_dead_by_the_branch():
    take = tf.constant(False, name="take")
    y = tf.cond(take, lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0]), lambda: tf.constant(-1))
    dead = told(runs_record(y, runs=1))
    assert dead["cond/while/Exit", (0,)].code == dead["cond/while/Enter", ()].code == "branch"


@pytest.mark.parametrize("lang", ["en", "ko", "zh"])
def test_the_text_has_each_reason_once(lang):
    take = tf.placeholder(tf.bool, [], name="take")
    y = tf.cond(take, lambda: tf.constant(1.0), lambda: tf.constant(2.0))
    trace = runs_record(y, {take: False}, runs=1)
    text = trace_text(trace, lang)
    reason = message("dead.branch", lang, pred="take:0", side="True", value="False")
    assert text.count(reason) == 1
    assert f"✕ cond/switch_t, cond/Const: {reason}" in text


# -- elements of tensor arrays -------------------------------------------------------------------------------------


def filled():
    array = tf.TensorArray(tf.float32, 2)
    return tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a.write(i, tf.to_float(i) + 4.0)), [0, array])[1]


def test_steps_list_the_elements_that_they_write_and_read():
    steps = runs_record(filled().stack(), runs=1).runs[0].steps
    assert [write for step in steps for write in step.writes] == [
        ("TensorArray[0]", "–", "4.0"), ("TensorArray[1]", "–", "5.0"),
    ]  # fmt: skip
    assert [read for step in steps for read in step.reads] == [("TensorArray[0]", "4.0"), ("TensorArray[1]", "5.0")]


def test_a_tensor_array_shows_its_elements_at_that_step():
    array = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack([1.0, 2.0, 3.0])
    trace = runs_record([array.read(1), tf.identity(array.handle)], runs=1)
    texts = [output.text for step in trace.runs[0].steps for output in step.outputs]
    assert "TensorArray [–, –, –]" in texts
    assert not any("resource" in text for text in texts)


def test_tensor_arrays_of_one_node_have_different_names():
    def body(i):
        array = tf.TensorArray(tf.int32, 1).write(0, i)
        return i + 1 + 0 * array.read(0)

    steps = runs_record(tf.while_loop(lambda i: i < 2, body, [0]), runs=1).runs[0].steps
    written = [name for step in steps for name, _, _ in step.writes]
    assert written == ["while/TensorArray[0]", "while/TensorArray (2)[0]"]
