"""Breakpoints: words, nodes and functions, and the very steps at which they hit."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.explain import timelines
from tfedu.explain.orders.breakpoints import breakpoint_of, hits
from tfedu.view.messages import message


@pytest.fixture
def tree():
    with tf.Graph().as_default():
        x = tf.Variable(1.0, name="x")
        fed = tf.placeholder(tf.float32, [None], name="fed")
        up = tf.assign_add(x, 10.0, name="up")
        with tf.control_dependencies([up]):
            y = tf.multiply(fed, x, name="y")
        logs = tf.log(tf.identity(fed, name="copy"), name="logs")
    return timelines([y, logs], {fed: [1.0, -1.0]}, runs=2)


def steps(tree, given):
    """(run, name of the node whose step it is), where the breakpoint hits."""
    found, note = hits(breakpoint_of(tree[0].trace.graph, given), tree[0].trace)
    assert note is None
    names = ["", "fed", *tree[0].order[0]]
    return [(run, names[step]) for run, each in found.items() for step in each]


BREAKS = {
    "up": [(0, "up"), (1, "up")],
    "y:0": [(0, "y"), (1, "y")],
    "> 10": [(0, "up"), (0, "y"), (1, "x"), (1, "x/read"), (1, "up"), (1, "y")],
    "x > 11": [(1, "up")],
    "x == 11": [(0, "up"), (1, "x")],
    "has NaN": [(0, "logs"), (1, "logs")],
    "copy has nan": [],
    "fed < 0": [(0, "fed"), (1, "fed")],
    "x changed": [(1, "x"), (1, "up")],
    "write": [(0, "up"), (1, "up")],
    "run begins": [(0, ""), (1, "")],
    "run ends": [(0, "LAST"), (1, "LAST")],
    "error": [],
}


@pytest.mark.parametrize("given", BREAKS)
def test_a_breakpoint_hits_where_its_words_say(tree, given):
    last = tree[0].order[0][-1]
    read = "x/read" in tree[0].order[0]
    wanted = [(run, last if name == "LAST" else name) for run, name in BREAKS[given] if read or name != "x/read"]
    assert steps(tree, given) == wanted


def test_a_function_is_asked_of_every_step(tree):
    seen = []

    def grows(at):
        seen.append((at.run, at.step))
        return "x" in at.writes and at.writes["x"][1] > 12

    assert steps(tree, grows) == [(1, "up")]
    assert seen == [(run, step) for run in (0, 1) for step in range(len(tree[0].order[0]) + 2)]
    # an array hits where any of it does
    assert steps(tree, lambda at: at.values.get("y:0", np.zeros(1)) < 0) == [(0, "y"), (1, "y")]


def test_a_function_that_fails_says_where(tree):
    found, note = hits(breakpoint_of(tree[0].trace.graph, lambda at: at.values["up:0"] > 0), tree[0].trace)
    assert found == {}
    assert message(f"break.note.{note.code}", "en", **note.params) == "Python says: KeyError: 'up:0' (run 1, step 0)"


def test_iterations_dead_values_and_forks_are_events():
    with tf.Graph().as_default():
        y = tf.while_loop(lambda i: i < 2, lambda i: tf.add(i, 1, name="next"), [0], name="loop")
        z = tf.cond(y > 5, lambda: tf.identity(y, name="big"), lambda: tf.negative(y, name="small"))
    tree = timelines(z)
    trace = tree[0].trace
    run = trace.runs[0]
    firsts = [next(n for n, s in enumerate(run.steps, 1) if s.iteration == (i,)) for i in range(3)]
    assert hits(breakpoint_of(trace.graph, "iteration"), trace) == ({0: firsts}, None)
    dead = [n for n, s in enumerate(run.steps, 1) if s.outcome == "dead"]
    assert dead
    assert hits(breakpoint_of(trace.graph, "dead"), trace) == ({0: dead}, None)
    made = tree.fork(0, firsts[1], choose=run.steps[firsts[1] - 1].ready[-1])
    assert hits(breakpoint_of(trace.graph, "fork"), made.trace) == ({}, None), "to choose is no step"


def test_words_that_name_nothing_are_refused(tree):
    graph = tree[0].trace.graph
    with pytest.raises(ValueError, match=r"no node has that name\. Did you mean 'logs'"):
        breakpoint_of(graph, "log")
    with pytest.raises(ValueError, match="no node has that name"):
        breakpoint_of(graph, "nobody > 3")
    with pytest.raises(ValueError, match="no node has that name"):
        breakpoint_of(graph, "__import__('os') > 3")
    with pytest.raises(TypeError, match="a function of a step, not int"):
        breakpoint_of(graph, 3)
