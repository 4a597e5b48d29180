"""Why not: what keeps a node from running, what has no value yet, which branch is dead; each change does what it says."""

import re
import sys

import pytest

import tfedu as tf
from tests.explain.programs import with_identity
from tfedu import explain
from tfedu.view.messages import LANGUAGES


def kinds(reason):
    return {change.kind: change for change in reason.changes}


def tried(reason, session):
    """What the run gives on a copy of the graph with the smallest change, from the session's values."""
    copy = explain.copied(session.graph)
    fetches, feeds = reason.smallest.apply(copy)
    again = tf.Session(graph=copy.graph)
    again.store = session.store.copy()
    for op in reason.smallest.first:
        again.run(copy.of(op))
    return again.run(fetches, feeds)


def test_without_its_control_edge_the_update_does_not_run():
    x, up, y = with_identity(False)
    reason = explain.why_not(up, y)
    assert (reason.code, reason.flips) == ("control", "stop")
    assert reason.smallest.kind == "unwait"
    assert reason.smallest.unwaited == ((y.op, up.op),)
    assert up.op in reason.smallest.also
    assert y.op not in reason.smallest.also
    with tf.Session(graph=x.graph) as session:
        session.run(x.initializer)
        assert tried(reason, session) == [0.0]
        assert session.run(y) == 1.0
    assert not explain.why(up, y).changes


def test_a_tensor_is_fed_with_the_value_that_it_has():
    a = tf.constant(2.0, name="a")
    b = tf.square(a, name="b")
    c = tf.negative(b, name="c")
    feed = kinds(explain.why_not("a", c))["feed"]
    assert feed.extra_feeds == {a: 2.0}
    assert {op.name for op in feed.also} == {"a"}
    assert "2.0" in str(feed)


def test_what_is_fetched_can_be_left_out():
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    change = kinds(explain.why_not(b, [a, b]))["unfetch"]
    copy = explain.copied(a.graph)
    assert change.apply(copy) == ([copy.of(a)], {})


def test_different_edits_together_are_one_change():
    a = tf.constant(1.0, name="a")
    a.graph.prevent_feeding(a)
    with tf.control_dependencies([a]):
        gate = tf.no_op()
    with tf.control_dependencies([gate]):
        behind = [tf.no_op(), tf.no_op()]
    change = explain.why_not(a, [a, *behind]).smallest
    assert (change.kind, change.size) == ("cut", 2)
    assert {part.code for part in change.parts} == {"unwait", "unfetch"}


def test_a_node_waits_for_the_variables_that_have_no_value_yet():
    x = tf.Variable(1.0, name="x")
    y = tf.Variable(x + 1.0, name="y")
    total = tf.add(x, y, name="total")
    with tf.Session() as session:
        reason = explain.why(total, total, session=session)
        assert (reason.code, reason.runs) == ("waiting", False)
        assert reason.smallest.first == (x.initializer, y.initializer)
        assert tried(reason, session) == [3.0]
        session.run(x.initializer)
        assert explain.why(total, total, session=session).smallest.first == (y.initializer,)
        assert explain.why(x.op, total, session=session).runs
        session.run(y.initializer)
        assert explain.why(total, total, session=session).code == "fetched"


def test_a_node_that_needs_a_variable_s_value_itself_fails_and_is_not_before_itself():
    update = tf.assign_add(tf.Variable(1.0, name="x"), 1.0, name="update")
    with tf.Session() as session:
        reason = explain.why(update, update, session=session)
        assert (reason.code, reason.runs, reason.flips) == ("failed", False, "compute")
        assert str(reason).startswith("update runs and fails: Attempting to use uninitialized value x")
        assert tried(reason, session) == [2.0]


def test_a_node_behind_another_failure_says_whose():
    bad = tf.floordiv(1, tf.placeholder_with_default(0, []), name="bad")
    after = tf.identity(bad, name="after")
    with tf.Session() as session:
        reason = explain.why("after", after, session=session)
    assert (reason.code, reason.changes) == ("stopped", ())
    assert "bad" in str(reason)


def test_a_dead_node_computes_when_its_condition_is_fed():
    p = tf.placeholder(tf.bool, [], name="p")
    inside = tf.cond(tf.logical_not(p), lambda: tf.constant(1.0, name="one"), lambda: tf.constant(2.0, name="two"))
    with tf.Session() as session:
        reason = explain.why("cond/one", inside, {p: True}, session=session)
        assert (reason.runs, reason.flips, reason.smallest.kind) == (True, "compute", "branch")
        assert tried(reason, session) == [1.0]
    assert not explain.why("cond/one", inside, {p: True}).changes


@pytest.mark.parametrize("lang", LANGUAGES)
def test_flips_speak_every_language(lang):
    x, up, y = with_identity(False)
    texts = [explain.why_not(up, y).text(lang)]
    with tf.Session(graph=x.graph) as session:
        texts.append(explain.why(up, y, session=session).text(lang))
    with x.graph.as_default():
        p = tf.placeholder(tf.bool, [], name="p")
        z = tf.cond(p, lambda: tf.constant(1.0, name="one"), lambda: tf.constant(2.0))
    texts.append(explain.why("cond/one", z, {p: False}).text(lang))
    assert not re.search(r"\{\w+\}", "\n".join(texts))


def test_conditions_behind_a_dead_one_are_fed_too():
    x, p = tf.placeholder_with_default(5.0, []), tf.placeholder_with_default(False, [], name="p")

    def inner():
        return tf.cond(tf.less(x, 0.0, name="less"), lambda: tf.constant(1.0, name="one"), lambda: tf.constant(2.0, name="two"))

    y = tf.cond(p, inner, lambda: tf.constant(3.0), name="outer")
    with tf.Session() as session:
        near = explain.why("outer/cond/two", y, session=session)
        far = explain.why("outer/cond/one", y, session=session)
        assert [list(reason.smallest.extra_feeds.values()) for reason in (near, far)] == [[True], [True, True]]
        assert [tried(reason, session) for reason in (near, far)] == [[2.0], [1.0]]


def test_who_waits_for_a_dead_node_is_dead():
    p = tf.placeholder_with_default(False, [], name="p")
    tf.cond(p, lambda: tf.constant(1.0, name="one"), lambda: tf.constant(2.0))
    with tf.control_dependencies(["cond/one"]):
        z = tf.constant(9.0, name="z")
    with tf.Session() as session:
        reason = explain.why(z, z, session=session)
        assert [notice.code for notice in reason.around] == ["dead_through"]
        assert "p:0 is True; here it is False" in str(reason)
        assert tried(reason, session) == [9.0]


def test_a_branch_that_some_iterations_take_is_not_dead():
    n = tf.placeholder_with_default(3, [])

    def body(i):
        return tf.cond(i < 1, lambda: tf.add(i, 1, name="one"), lambda: tf.add(i, 2, name="two"))

    i = tf.while_loop(lambda i: i < n, body, [0])

    def codes(node, rounds):
        with tf.Session() as session:
            return [notice.code for notice in explain.why(f"while/cond/{node}", i, {n: rounds}, session).around]

    assert codes("one", 3) == codes("two", 3) == ["in_branch", "in_loop"]
    assert codes("two", 1) == ["dead_branch", "in_loop"]
    assert codes("one", 0) == ["in_branch", "in_loop", "dead_ended"]


def test_what_is_written_is_not_fed_and_no_node_waits_across_the_edge_of_a_loop():
    x = tf.Variable(0.0, use_resource=False)
    up, y = tf.assign_add(x, 1.0), x * 2.0
    assert {tensor.op.type for tensor in kinds(explain.why_not(x.op, [up, y]))["feed"].extra_feeds} == {"AssignAdd", "Identity"}

    def body(i, j):
        tf.square(i, name="unused")
        return i + 1, j

    i, j = tf.while_loop(lambda i, j: i < 3, body, [0, 0.0])
    with tf.Session() as session:
        for reason in (explain.why(i.op, j), explain.why("while/unused", j)):
            for change in reason.changes:
                copy = explain.copied(session.graph)
                assert tf.Session(graph=copy.graph).run(*change.apply(copy))[0] == 0.0


def test_the_changes_of_an_imported_graph_can_be_made_though_its_nodes_know_no_branch_and_no_loop():
    p = tf.placeholder_with_default(False, [])
    x = tf.cond(p, lambda: tf.constant(1.0, name="one"), lambda: tf.constant(2.0) * 3.0)
    i = tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s + tf.square(x)), [0, 0.0])[1]
    y = tf.negative(x, name="y")
    tf.negative(i, name="z")
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(y.graph.as_graph_def(), name="")
    with tf.Session(graph=graph) as session:
        for fetched in ("y:0", "z:0"):
            for op in graph.operations:
                reason = explain.why_not(op, fetched, session=session)
                for change in reason.changes:
                    copy = explain.copied(graph)
                    elements, feeds = change.apply(copy)
                    assert tf.Session(graph=copy.graph).run(elements, feeds) is not None
                    assert explain.why(copy.of(op), elements, feeds).runs == (reason.flips != "stop")


def calls_of(function):
    """How many calls of Python functions a call makes."""
    count = 0

    def counted(frame, event, arg):
        nonlocal count
        count += event == "call"

    sys.setprofile(counted)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("asked", ["add", "wide_7"])
def test_twice_as_many_nodes_take_twice_the_work(asked):
    work = []
    for size in (200, 400):
        with tf.Graph().as_default():
            end = tf.constant(1.0)
            for _ in range(size):
                end = tf.add(end, 1.0, name="add")
            with tf.control_dependencies([end]):
                wide = [tf.identity(1.0, name="wide") for _ in range(size)]
            total = tf.add_n(wide)
            work.append(calls_of(lambda total=total: str(explain.why_not(asked, total))))
    assert work[1] < 2.5 * work[0]
