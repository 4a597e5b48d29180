"""control_dependencies adds control edges to the nodes created inside its block, and only to those."""

import pytest

import tfedu as tf


def waits(tensor):
    return [op.name for op in tensor.op.control_inputs]


def test_only_nodes_created_inside_wait():
    a = tf.constant(1.0, name="a")
    before = tf.constant(2.0, name="before")
    with tf.control_dependencies([a]):
        same = before
        made = tf.constant(3.0, name="made")
    assert waits(same) == []
    assert waits(made) == ["a"]


def test_a_dependency_that_a_data_input_implies_is_left_out():
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    with tf.control_dependencies([a, b]):
        y = tf.identity(a)
        z = tf.identity(y)
    assert waits(y) == ["b"]
    assert waits(z) == []


def test_a_literal_waits_for_its_consumer():
    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1)]):
        y = x + 0.5
    assert waits(y) == []
    assert waits(y.op.inputs[1]) == ["AssignAdd"]


def test_blocks_nest_and_none_starts_afresh():
    a, b, c = (tf.no_op(name=n) for n in "abc")
    with tf.control_dependencies([a]), tf.control_dependencies([b]):
        both = tf.constant(0)
        with tf.control_dependencies(None):
            free = tf.constant(0)
            with tf.control_dependencies([c]):
                only_c = tf.constant(0)
    assert [waits(t) for t in (both, free, only_c)] == [["a", "b"], [], ["c"]]


def test_an_int_is_not_a_dependency():
    with pytest.raises(TypeError, match="Can not convert a int into a Tensor or Operation"):
        tf.control_dependencies([1]).__enter__()


def test_the_graph_remembers_an_empty_block_and_its_line():
    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1)]):
        y = x  # noqa: F841
    (block,) = tf.get_default_graph().blocks
    assert block.created == []
    assert "with tf.control_dependencies" in block.site.source


def test_a_failed_call_inside_a_block_is_forgotten_by_it():
    a = tf.no_op(name="a")
    with tf.control_dependencies([a]):
        with pytest.raises(TypeError):
            tf.add(1.0, "x")
    assert tf.get_default_graph().blocks[0].created == []
    assert a.control_outputs == []
