"""The lesson's two counters, for both kinds of variable: what each wrong model expects, and where it goes wrong."""

import pytest

import tfedu as tf
from tests.explain.programs import with_identity, without_identity
from tfedu import explain

KINDS = pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])

ONCE, UP, STILL, BEHIND = [1.0, 1.0, 1.0], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [0.0, 1.0, 2.0]
EMPTY = {"M1": ONCE, "M2": UP, "M3": UP, "M4": STILL, "M5": ONCE, "M6": STILL, "M7": STILL, "M8": STILL}
HELD = {"M1": ONCE, "M2": UP, "M3": UP, "M4": UP, "M5": ONCE, "M6": UP, "M7": STILL}


def printed(model, y):
    return [float(value) for (value,) in explain.MODELS[model].predict(y)]


@KINDS
@pytest.mark.parametrize("model", EMPTY)
def test_models_of_the_counter_without_identity(model, use_resource):
    _, _, y = without_identity(use_resource)
    assert printed(model, y) == EMPTY[model]


@KINDS
@pytest.mark.parametrize("model", HELD)
def test_models_of_the_counter_with_identity(model, use_resource):
    _, _, y = with_identity(use_resource)
    assert printed(model, y) == HELD[model]


def test_a_read_is_a_photograph_only_for_resource_variables():
    _, _, y = with_identity(False)
    assert printed("M8", y) == BEHIND
    tf.reset_default_graph()
    _, _, y = with_identity(True)
    assert printed("M8", y) == UP
    assert explain.MODELS["M8"].diverges(y) is None


@KINDS
def test_the_first_difference_is_the_update_that_does_not_run(use_resource):
    _, _, y = without_identity(use_resource)
    update = y.graph.blocks[0].control_inputs[0]
    parting = explain.MODELS["M2"].diverges(y)
    assert (parting.run, parting.node) == (0, update.id)
    assert (parting.model_value, parting.engine_value) == (1.0, 0.0)


def test_a_photograph_goes_wrong_at_the_identity_that_reads_late():
    _, _, y = with_identity(False)
    parting = explain.MODELS["M8"].diverges(y)
    assert (parting.run, parting.node, parting.model_value, parting.engine_value) == (0, y.op.id, 0.0, 1.0)


def test_top_to_bottom_goes_wrong_in_the_second_run():
    _, up, y = with_identity(False)
    parting = explain.MODELS["M1"].diverges(y)
    assert (parting.run, parting.node, parting.model_value, parting.engine_value) == (1, up.op.id, 1.0, 2.0)


@KINDS
def test_what_is_used_under_the_new_name_waits_too_in_the_second_model(use_resource):
    x = tf.Variable(0.0, use_resource=use_resource)
    up = tf.assign_add(x, 1.0)
    read = tf.identity(x)
    with tf.control_dependencies([up]):
        late = read
    doubled = late * 2.0
    also = read * 3.0
    # `late` and `read` are one tensor: who uses it is told apart by the name.
    assert printed("M2", doubled) == [2.0, 4.0, 6.0]
    assert printed("M2", also) == STILL


def test_without_source_the_second_model_sees_no_new_names():
    space = {"tf": tf}
    code = "x = tf.Variable(0.0)\nwith tf.control_dependencies([tf.assign_add(x, 1.0)]):\n    y = x\n"
    exec(compile(code, "<nowhere>", "exec"), space)
    assert printed("M2", space["y"]) == STILL


def test_a_second_execution_of_the_same_line_is_another_variable():
    _, _, first = without_identity(False)
    _, _, second = without_identity(False)
    for y in (first, second):
        assert printed("M2", y) == UP
        assert printed("M7", y) == STILL


def test_each_fetch_runs_for_itself_in_the_sixth_model():
    _, _, y = with_identity(False)
    doubled = y * 2.0
    assert explain.MODELS["M6"].predict([y, doubled], runs=1) == [[1.0, 4.0]]
    parting = explain.MODELS["M6"].diverges([y, doubled], runs=1)
    assert (parting.model_value, parting.engine_value) == (2.0, 1.0)


@KINDS
def test_cond_runs_what_was_made_outside_whatever_branch_is_taken(use_resource):
    x = tf.Variable(0.0, use_resource=use_resource)
    up = tf.assign_add(x, 1.0)
    value = up.value() if use_resource else up
    taken = tf.placeholder(tf.bool, ())
    y = tf.cond(taken, lambda: tf.identity(value), lambda: tf.constant(-1.0))
    real = explain.diagnose({"y": y}, {"y": []}, feed_dict={taken: False}).targets[0]
    assert real.actual == ("-1.0",) * 3
    told = explain.MODELS["M4"].stories(_task([y, x], {taken: False}))
    # Read as a Python `if`, the branch that is not taken never reaches the update.
    assert [float(story.fetched[1]) for story in told] == STILL
    session = tf.Session()
    session.run(x.initializer)
    session.run(y, {taken: False})
    assert session.run(x) == 1.0


def _task(fetches, feed_dict):
    from tfedu.explain.mental_models.story import Task

    return Task(fetches, feed_dict)


def test_two_unordered_updates_are_photographed_one_after_the_other():
    x = tf.Variable(0.0)
    fetches = [tf.assign_add(x, 1.0), tf.assign_add(x, 10.0)]
    assert explain.MODELS["M8"].predict(fetches, runs=1) == [[1.0, 11.0]]
    parting = explain.MODELS["M8"].diverges(fetches, runs=1)
    assert (parting.model_value, parting.engine_value) == (1.0, 11.0)


def test_a_run_that_fails_is_a_prediction_too():
    y = tf.placeholder(tf.float32, ()) + 1.0
    for model in explain.MODELS.values():
        for (value,) in model.predict(y):
            assert isinstance(value, explain.Failure)
            assert value.kind == "InvalidArgumentError"
