"""A learner's numbers are read leniently, compared exactly, and told with the models that predict them."""

import numpy as np
import pytest

import tfedu as tf
from tests.explain.programs import with_identity, without_identity
from tfedu import explain
from tfedu.explain.mental_models.diagnose import agrees
from tfedu.view.records import from_json, to_json


def models(answer, matching=True):
    return [model.model for model in answer.models if model.matches == matching]


@pytest.mark.parametrize("use_resource", [False, True])
def test_one_two_three_without_identity_is_what_the_second_and_third_model_predict(use_resource):
    _, _, y = without_identity(use_resource)
    (answer,) = explain.diagnose({"t1": y}, {"t1": ["1", "2.0", " 3 "]}).targets
    assert answer.actual == ("0.0", "0.0", "0.0")
    assert not answer.correct
    assert models(answer) == ["M2", "M3"]


def test_a_right_answer_is_right_and_models_that_change_nothing_are_left_out():
    _, _, y = with_identity(False)
    (answer,) = explain.diagnose({"t1": y}, {"t1": ["1", "2", "3"]}).targets
    assert answer.correct
    assert models(answer) == []
    assert models(answer, False) == ["M1", "M5", "M7", "M8"]


def test_who_thinks_that_both_branches_run_is_told_so():
    x = tf.Variable(0.0)
    take = tf.placeholder(tf.bool, [])
    y = tf.cond(take, lambda: tf.assign_add(x, 1.0), lambda: x + 10.0)
    (answer,) = explain.diagnose({"t1": [y, x]}, {"t1": ["[11, 1]", "[12, 2]"]}, runs=2, feed_dict={take: False}).targets
    assert answer.actual == ("[10.0, 0.0]", "[10.0, 0.0]")
    assert models(answer) == ["M3"]


def test_a_missing_prediction_is_neither_right_nor_any_models():
    _, _, y = with_identity(False)
    (answer,) = explain.diagnose({"t1": y}, {}).targets
    assert answer.predicted == ("", "", "")
    assert not answer.correct
    assert models(answer) == []


def test_the_result_survives_json():
    _, _, y = without_identity(False)
    told = explain.diagnose({"a": y, "b": [y, y]}, {"a": ["0", "0", "0"], "b": ["[0, 0]"] * 3})
    assert all(answer.correct for answer in told.targets)
    assert from_json(to_json(told)) == told


def test_the_step_counts_what_is_fed_as_the_trace_does():
    from tfedu.view.make.scratch_runs import runs_record

    x = tf.Variable(0.0)
    step = tf.placeholder(tf.float32, ())
    up = tf.assign_add(x, step)
    with tf.control_dependencies([up]):
        y = tf.identity(x)
    (answer,) = explain.diagnose({"y": y}, {}, feed_dict={step: 2.0}).targets
    record = runs_record(y, {step: 2.0})
    for model in answer.models:
        if model.diverges is not None and model.diverges.node is not None and model.model == "M8":
            turn = record.runs[model.diverges.run].steps[model.diverges.step - 1]
            assert turn.node == model.diverges.node


def test_a_schedule_is_given_as_text():
    x = tf.Variable(0.0)
    read, write = x * 1.0, tf.assign(x, 5.0)
    seen = set()
    for seed in range(12):
        fetched = {"both": [read, write]}
        told = explain.diagnose(fetched, {}, runs=1, schedule=f"random({seed})", models=[])
        seen.add(told.targets[0].actual)
    assert seen == {("[0.0, 5.0]",), ("[5.0, 5.0]",)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", np.float32(1)), ("1.0", np.float32(1)), (" 1. ", np.float32(1)), ("１", np.float32(1)),
        ("−2", np.int32(-2)), ("1e2", np.float32(100)), ("0.1", np.float32(0.1)), ("nan", np.float32("nan")),
        ("[1, 2]", np.array([1.0, 2.0])), ("(1, 2)", np.array([1, 2])), ("true", np.True_), ("True", np.True_),
        ("error", explain.Failure("InvalidArgumentError", "")), ("[1, [2, 3]]", [np.int32(1), [2, 3]]),
        ("hi", b"hi"), ("b'hi'", b"hi"), ("None", None),
    ],
)  # fmt: skip
def test_what_people_write_means_the_value(text, value):
    assert agrees(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", np.float32(0)), ("1", np.float32(1.01)), ("one", np.float32(1)), ("[1]", np.float32(1)),
        ("1", np.array([1, 1])), ("True", np.float32(1)), ("__import__('os')", np.float32(0)),
        ("[" * 900, np.float32(0)), ("1", explain.Failure("InternalError", "")), ("[1, [2]]", np.array([1, 2])),
        ("9" * 5000, np.float32(0)), ("1.5", np.int32(1)),
    ],
)  # fmt: skip
def test_what_people_write_and_something_else_differ(text, value):
    assert not agrees(text, value)
