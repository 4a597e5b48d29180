"""Names are unique without regard to case, scoped, re-entered, and free again when a call fails."""

import pytest

import tfedu as tf


def names():
    return [op.name for op in tf.get_default_graph().get_operations()]


def test_names_are_unique_without_regard_to_case_and_keep_their_own():
    made = [tf.no_op(name=name).name for name in ("a", "a", "A", "a_1", "a")]
    assert made == ["a", "a_1", "A_2", "a_1_1", "a_3"]


def test_scopes_and_nodes_share_one_counter():
    with tf.name_scope("a"):
        pass
    assert tf.no_op(name="a").name == "a_1"


def test_a_trailing_slash_goes_back_into_a_scope():
    with tf.name_scope("s") as scope:
        pass
    with tf.name_scope(scope):
        assert tf.no_op(name="x").name == "s/x"
    with tf.name_scope("s"):
        assert tf.no_op(name="x").name == "s_1/x"


def test_none_leaves_every_scope():
    with tf.name_scope("outer"):
        with tf.get_default_graph().name_scope(None):
            assert tf.no_op(name="x").name == "x"


@pytest.mark.parametrize("name", ["_x", "a b", "x:0", "<b>", "é", "^a", "-a"])
def test_an_illegal_name_is_refused(name):
    with pytest.raises(ValueError, match="valid"):
        tf.no_op(name=name)
    assert names() == []


def test_a_failed_call_frees_its_names():
    a = tf.constant([1.0, 2.0], name="a")
    with pytest.raises(ValueError, match="Dimensions must be equal"):
        tf.add(a, tf.placeholder(tf.float32, [3], name="p"), name="sum")
    with pytest.raises(TypeError):
        tf.add(a, "text", name="sum")
    assert names() == ["a", "p"]
    assert tf.add(a, 1.0, name="sum").op.name == "sum"


def test_a_failed_function_of_several_nodes_leaves_no_node():
    with pytest.raises((TypeError, ValueError)):
        tf.reduce_sum(tf.placeholder(tf.string, [2], name="p"))
    assert names() == ["p"]


def test_a_node_with_the_name_of_a_scope_is_refused():
    tf.no_op(name="x")
    with pytest.raises(ValueError, match="Duplicate node name"):
        tf.no_op(name="x/")
    assert names() == ["x"]
