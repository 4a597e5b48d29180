"""Why a node runs or does not, in the lesson's graphs; what every change does; words in three languages."""

import re

import pytest

import tfedu as tf
from tests.explain.programs import with_identity, without_identity
from tfedu import explain
from tfedu.view.messages import LANGUAGES

KINDS = pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])


def test_a_fetched_node_runs_because_it_is_fetched():
    y = tf.identity(tf.constant(1.0))
    assert explain.why(y, y).code == "fetched"
    assert explain.why(y.op.inputs[0], y).code == "data"
    assert explain.why("Const", y).path == (y.op, y.op.inputs[0].op)


@KINDS
def test_the_update_runs_because_the_identity_waits_for_it(use_resource):
    _, up, y = with_identity(use_resource)
    reason = explain.why(up, y)
    assert reason.runs
    assert reason.code == "control"
    assert reason.path[0] is y.op
    assert "AssignAdd" in str(reason)


@KINDS
def test_under_an_empty_block_the_update_is_pruned_and_a_node_inside_would_make_it_run(use_resource):
    x, up, y = without_identity(use_resource)
    reason = explain.why(up, y)
    assert (reason.code, reason.runs, reason.path) == ("pruned", False, ())
    assert reason.smallest.kind == "inside"
    assert {"inside", "fetch"} <= {change.kind for change in reason.changes}
    copy = explain.copied(x.graph)
    fetches, feeds = reason.smallest.apply(copy)
    session = tf.Session(graph=copy.graph)
    session.run(copy.of(x.initializer))
    assert [session.run(fetches, feeds) for _ in range(3)] == [[1.0], [2.0], [3.0]]
    # The original knows nothing of it.
    assert x.graph.version < copy.graph.version


def test_what_is_fed_is_not_computed_and_what_is_above_it_is_pruned():
    a = tf.constant(1.0, name="a")
    b = tf.sqrt(a, name="b")
    c = tf.negative(b, name="c")
    over, above = explain.why(b, c, {b: 4.0}), explain.why(a, c, {b: 4.0})
    assert (over.code, above.code) == ("fed", "pruned")
    for reason in (over, above):
        unfeed = next(change for change in reason.changes if change.kind == "unfeed")
        assert (unfeed.size, unfeed.tensors) == (1, (b,))


def test_a_fed_tensor_that_is_fetched_is_given_back():
    a = tf.constant(1.0)
    assert explain.why(a, a, {a: 5.0}).code == "fed"


def test_a_placeholder_never_computes_and_says_so():
    p = tf.placeholder(tf.float32, (), name="p")
    reason = explain.why(p, tf.constant(1.0), {p: 1.0})
    assert (reason.code, reason.changes) == ("pruned", ())
    assert "placeholder" in str(reason)


def test_a_change_names_the_placeholders_that_it_then_needs():
    p = tf.placeholder(tf.float32, (), name="p")
    doubled = p * 2.0
    reason = explain.why(doubled, tf.constant(1.0))
    assert reason.smallest.needs == (p,)
    assert "p:0" in str(reason.smallest)


def test_a_node_that_may_not_be_fetched_is_reached_through_one_that_needs_it():
    a = tf.constant(1.0)
    b = tf.negative(a)
    a.graph.prevent_fetching(a.op)
    changes = {change.kind: change for change in explain.why(a, tf.constant(2.0)).changes}
    assert changes["fetch_other"].other is b.op


@pytest.mark.parametrize("lang", LANGUAGES)
def test_reasons_and_changes_speak_every_language(lang):
    _, up, y = without_identity(False)
    text = explain.why(up, y).text(lang)
    assert "AssignAdd" in text
    assert not re.search(r"\{\w+\}", text)


def test_wrong_questions_are_the_sessions_errors():
    y = tf.constant(1.0)
    with pytest.raises(KeyError):
        explain.why("nothing", y)
    with pytest.raises(TypeError):
        explain.why(y, 3)
    with pytest.raises(TypeError):
        explain.why(y, y, {3: 1.0})


def test_every_kind_of_change_is_exact_about_who_runs_then():
    a = tf.constant(1.0, name="a")
    b = tf.negative(a, name="b")
    changes = {change.kind: change for change in explain.why(b, tf.constant(2.0)).changes}
    assert {op.name for op in changes["fetch"].also} == {"a", "b"}
    assert {op.name for op in changes["control"].also} == {"a", "b"}


def test_a_node_of_a_branch_says_when_it_is_dead():
    take = tf.placeholder(tf.bool, [], name="take")
    y = tf.cond(take, lambda: tf.constant(1.0, name="one"), lambda: tf.constant(2.0, name="two"))
    assert "take:0 is True" in str(explain.why("cond/one", y))
    assert "take:0 is False" in str(explain.why("cond/two", y))
    assert "branch" not in str(explain.why(y, y))


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ("while/Enter", "before the first iteration"),
        ("while/Less", "once more when the loop ends"),
        ("while/Switch", "once more when the loop ends"),
        ("while/add", "once for each iteration"),
        ("while/NextIteration", "once for each iteration"),
        ("while/Exit", "when the loop ends"),
    ],
)
def test_a_node_of_a_loop_says_how_often_it_runs(node, words):
    i = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    assert words in str(explain.why(node, i))


def test_a_branch_in_a_loop_is_told_from_the_inside_out():
    def body(i):
        return tf.cond(i < 1, lambda: tf.add(i, 1, name="one"), lambda: tf.add(i, 2, name="two"))

    i = tf.while_loop(lambda i: i < 3, body, [0])
    text = str(explain.why("while/cond/one", i))
    assert text.index("is True") < text.index("once for each iteration")


def test_nobody_outside_is_told_to_wait_for_a_node_of_a_loop_or_a_branch():
    other = tf.identity(tf.constant(1.0))
    i = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    y = tf.cond(tf.constant(True), lambda: tf.constant(1.0, name="one"), lambda: tf.constant(2.0))
    for node, result in (("while/add", i), ("cond/one", y)):
        (change,) = explain.why(node, other).changes
        assert (change.kind, change.other) == ("fetch_other", result.op)


def test_where_the_condition_is_known_the_dead_branch_is_named():
    p = tf.placeholder(tf.bool, [], name="p")
    a = tf.constant(1)
    x = tf.cond(p, lambda: a + 1, lambda: a * 2)
    said = "It lies in the branch that is taken where p:0 is True"
    assert f"In this run it is dead: it has its turn and computes nothing. {said}; here it is False." in str(
        explain.why("cond/add", x, {p: False})
    )
    assert f"{said}. Where it is not" in str(explain.why("cond/add", x, {p: True}))
    y = tf.cond(tf.constant(True, name="q"), lambda: a + 1, lambda: a * 2)
    assert "is False; here it is True." in str(explain.why("cond_1/mul", y))
