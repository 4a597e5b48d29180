"""Lint finds the lesson's trap and names its line; it is silent about sound programs."""

import linecache
import re

import pytest

import tfedu as tf
from tests.explain.lint_programs import run
from tests.explain.programs import with_identity, without_identity
from tfedu import explain
from tfedu.view.messages import LANGUAGES

KINDS = pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])


@KINDS
def test_a_block_in_which_no_node_was_made_is_found_with_its_line_and_the_fix(use_resource):
    x, _, _ = without_identity(use_resource)
    (finding,) = explain.lint(x.graph)
    assert finding.code == "empty_block"
    assert "control_dependencies" in finding.site.source
    assert finding.nodes == x.graph.blocks[0].control_inputs
    assert finding.fixes == ((finding.line + 1, "y = tf.identity(x)"),)
    assert "y = tf.identity(x)" in str(finding)


@KINDS
def test_a_sound_program_has_no_findings(use_resource):
    with_identity(use_resource)
    x = tf.Variable(0.0, use_resource=use_resource)
    begin = tf.group(x.initializer)
    tf.cond(tf.less(x, 1.0), lambda: tf.assign_add(x, 1.0), lambda: tf.identity(x))
    with tf.control_dependencies([tf.assert_equal(x, x), begin]):
        tf.identity(x)
    assert explain.lint() == []
    assert str(explain.lint())


def test_a_block_whose_nodes_already_take_what_it_waits_for_adds_nothing():
    a = tf.constant(1.0)
    with tf.control_dependencies([a]):
        tf.identity(a)
    (finding,) = explain.lint()
    assert finding.code == "implied_block"


def codes():
    return [finding.code for finding in explain.lint()]


def test_an_effect_made_outside_of_the_one_branch_that_uses_it_is_found():
    x = tf.Variable(0.0)
    take = tf.placeholder(tf.bool, [], name="take")
    up = tf.assign_add(x, 1.0, name="up")
    tf.cond(take, lambda: tf.identity(up), lambda: x + 0.0)
    tf.cond(take, lambda: up, lambda: x + 0.0)
    (finding,) = explain.lint()
    assert finding.code == "outside_branch"
    assert finding.nodes == (up.op,)
    assert finding.params["pred"] == "take:0"
    assert "tf.assign_add" in finding.site.source


def test_what_both_branches_use_or_no_branch_alone_is_no_mistake():
    x = tf.Variable(0.0)
    take = tf.placeholder(tf.bool, [])
    up = tf.assign_add(x, 1.0)
    tf.cond(take, lambda: tf.identity(up), lambda: up * 2.0)
    other = tf.assign_add(x, 1.0)
    tf.cond(take, lambda: tf.identity(other), lambda: x + 0.0)
    tf.identity(other)
    tf.cond(take, lambda: tf.assign_add(x, 1.0), lambda: x + 0.0)
    assert explain.lint() == []


def test_a_loop_whose_condition_nothing_changes_is_found():
    tf.while_loop(lambda i, n: i < n, lambda i, n: (i, n), [0, 5])
    assert codes() == ["endless"]


def test_a_loop_variable_that_stays_is_found_by_what_it_begins_as():
    begin = tf.constant(5, name="begin")
    tf.while_loop(lambda i, n: i < 3, lambda i, n: (i + 1, tf.identity(n)), [0, begin])
    (finding,) = explain.lint()
    assert (finding.code, finding.params["begin"], finding.params["number"]) == ("unchanged", "begin:0", "2")


def test_a_line_that_holds_more_than_a_name_is_not_replaced(tmp_path):
    begin = "x = tf.Variable(0.0)\nup = tf.assign_add(x, 1.0)\n"
    for block, fixes in (
        ("with tf.control_dependencies([up]): y = x", 0),
        ("with tf.control_dependencies([up]):\n    y = x; z = 1", 0),
        ("with tf.control_dependencies([up]):\n    y, z = x, tf.no_op()", 0),
        ("with tf.control_dependencies([up]):\n    y = z = x", 2),
        ("with tf.control_dependencies([up]):\n    y = x", 1),
    ):
        run(begin + block + "\n", tmp_path)
        found = explain.lint()
        assert found
        assert len(found[0].fixes) == fixes, block


def test_a_condition_that_reads_a_variable_may_change():
    x = tf.Variable(0.0)
    y = tf.Variable(0.0, use_resource=True)

    def grown(variable):
        def body(i):
            with tf.control_dependencies([tf.assign_add(variable, 1.0)]):
                return tf.identity(i)

        return body

    tf.while_loop(lambda i: x < 5.0, grown(x), [0])
    tf.while_loop(lambda i: y < 5.0, grown(y), [0])
    assert codes() == []


def test_elements_that_are_written_twice_are_found():
    array = tf.TensorArray(tf.float32, 3)
    array = array.write(0, 1.0).write(1, 2.0).write(0, 3.0)
    tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t.write(2, 1.0)), [0, array])
    assert codes() == ["written_twice", "written_again"]
    assert explain.lint()[0].params["index"] == "0"


def test_different_elements_and_different_branches_are_no_mistake():
    array = tf.TensorArray(tf.float32, 3)
    take = tf.placeholder(tf.bool, [])
    flow = tf.cond(take, lambda: array.write(0, 1.0).flow, lambda: array.write(0, 2.0).flow)
    tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t.write(i, 1.0)), [0, tf.TensorArray(tf.float32, 3)])
    tf.map_fn(lambda v: v * 2.0, tf.ones([3]))
    assert explain.lint() == []
    assert flow.shape == []


def test_clearing_and_waiting_for_nothing_are_no_mistakes():
    with tf.control_dependencies(None):
        pass
    with tf.control_dependencies([]):
        pass
    assert explain.lint() == []


def test_a_cell_that_was_run_again_is_told():
    source = "v = tf.Variable(0.0)\n"
    for _ in range(2):
        exec(compile(source, "<ipython-input-1-0a>", "exec"), {"tf": tf})
    (finding,) = explain.lint()
    assert finding.code == "rerun"
    assert [op.name for op in finding.nodes] == ["Variable", "Variable_1"]


@pytest.mark.parametrize("body", ["    z = w = x", "    return_value, other = x, x", "    if True:\n        y = x"])
def test_all_ways_to_give_a_name_are_found(body, tmp_path):
    program = tmp_path / "program.py"
    source = f"x = tf.Variable(0.0)\nwith tf.control_dependencies([tf.assign_add(x, 1.0)]):\n{body}\n"
    program.write_text(source)
    exec(compile(source, str(program), "exec"), {"tf": tf})
    linecache.checkcache(str(program))
    (finding,) = explain.lint()
    assert finding.fixes
    assert all(line >= 3 and text.endswith("tf.identity(x)") for line, text in finding.fixes)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_findings_speak_every_language(lang):
    without_identity(False)
    text = explain.lint().text(lang)
    assert "AssignAdd" in text
    assert not re.search(r"\{\w+\}", text)


def test_only_graphs_can_be_linted():
    with pytest.raises(TypeError, match="lint takes a graph"):
        explain.lint(3)
