"""A graph's history has each run and each gradient call of its program once, and none of an explanation's."""

import pytest

import tfedu as tf
from tfedu import exercises, explain
from tfedu.engine.graph import history
from tfedu.view.make.gradient_film import flow_record
from tfedu.view.make.scratch_runs import runs_record


def told():
    known = tf.get_default_graph().history
    return [[t.name for t in run.tensors] for run in known.runs], len(known.gradients)


def test_a_repeated_run_is_recorded_once_for_each_session():
    x = tf.placeholder(tf.float32, [], name="x")
    y, z = tf.square(x, name="y"), tf.exp(x, name="z")
    with tf.Session() as session:
        for value in (1.0, 2.0, 3.0):
            session.run(y, {x: value})
        session.run([y, z], {x: 1.0})
    with tf.Session() as session:
        session.run(y, {x: 1.0})
    runs = tf.get_default_graph().history.runs
    assert told()[0] == [["y:0"], ["y:0", "z:0"], ["y:0"]]
    assert [run.feeds for run in runs] == [(x,)] * 3
    assert [run.session is runs[0].session for run in runs] == [True, True, False]


def test_a_run_is_recorded_with_the_number_of_nodes_at_its_time():
    with tf.Session() as session:
        for _ in range(3):
            session.run(tf.constant(1.0))
    assert [run.position for run in tf.get_default_graph().history.runs] == [1, 2, 3]


def test_a_refused_run_is_not_in_the_history():
    x = tf.Variable(1.0)
    up = tf.assign_add(x, 1.0)
    with tf.Session() as session:
        session.run(x.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(up, {x: 10.0})
    assert len(told()[0]) == 1
    assert explain.lint() == []


def test_runs_of_explanations_are_not_in_the_history():
    x = tf.Variable(1.0)
    y = tf.square(tf.assign_add(x, 1.0) * 0.0 + x)
    explain.diagnose({"y": y}, {"y": ["1"] * 3})
    explain.outcomes(y)
    explain.why(y, y)
    explain.gradient_steps(y, [x])
    exercises.check(y, [4.0])
    runs_record(y)
    flow_record(y, [x])
    assert told() == ([], 0)


def test_gradient_calls_are_recorded_with_their_results():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    found = tf.gradients(a * 2.0, [a, b])
    (call,) = tf.get_default_graph().history.gradients
    assert [x.op for x in call.xs] == [a.op, b.op]
    assert call.gradients == tuple(found)
    assert call.gradients[1] is None


def test_failed_gradient_calls_are_not_in_the_history():
    a = tf.Variable(1.0)
    with pytest.raises(ValueError, match="No gradients provided"):
        tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0), var_list=[a])
    before = len(tf.get_default_graph().get_operations())
    with pytest.raises(TypeError):
        tf.gradients(a * 2.0, [a], grad_ys=[tf.constant(1)])
    assert len(tf.get_default_graph().get_operations()) == before + 3  # what the arguments themselves made
    assert told() == ([], 0)


def test_the_length_of_a_history_is_bounded(monkeypatch):
    monkeypatch.setattr(history, "MOST", 3)
    x = tf.placeholder(tf.float32, [])
    with tf.Session() as session:
        for i in range(6):
            session.run(x + float(i), {x: 0.0})
    assert len(told()[0]) == 3
