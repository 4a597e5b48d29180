"""Nodes of one form share their attributes and inferred shapes; nodes that differ in any way share nothing."""

import pytest

import tfedu as tf
from tfedu.engine.op.definition import REGISTRY


def state():
    graph = tf.get_default_graph()
    return [op.name for op in graph.get_operations()], dict(graph._names)


def test_nodes_that_look_alike_share_their_attributes_until_one_gets_its_own():
    x = tf.placeholder(tf.float32, [2, 3])
    w = tf.placeholder(tf.float32, [3, 4])
    first, second = tf.matmul(x, w), tf.matmul(x, w)
    assert first.op.attrs is second.op.attrs
    second.op.put_attr("_mark", 1)
    assert "_mark" not in first.op.attrs
    assert tf.matmul(x, w).op.attrs is first.op.attrs


def test_a_shape_that_depends_on_a_constant_is_inferred_for_each_node():
    x = tf.placeholder(tf.float32, [6])
    shapes = [tf.reshape(x, tf.constant(sizes)).shape.as_list() for sizes in ([2, 3], [3, 2], [1, 6], [2, 3])]
    assert shapes == [[2, 3], [3, 2], [1, 6], [2, 3]]


def test_shapes_dtypes_and_attributes_tell_nodes_apart():
    for dtype in (tf.float32, tf.float64):
        for n in (3, 4, None):
            x = tf.placeholder(dtype, [n, n])
            for turned in (False, True):
                y = tf.matmul(x, tf.placeholder(dtype, [n, 5] if not turned else [5, n]), transpose_b=turned)
                assert y.dtype is dtype
                assert y.shape.as_list() == [n, 5]
                assert y.op.get_attr("transpose_b") is turned


def test_lists_of_tensors_are_told_apart_by_their_lengths_dtypes_and_shapes():
    x, y = (tf.placeholder(tf.float32, [2, n]) for n in (3, None))
    for _ in range(2):
        for parts, shape in (([x, x], [2, 2, 3]), ([x, y], [2, 2, 3]), ([y, y, y], [3, 2, None]), ([x], [1, 2, 3])):
            for dtype in (tf.float32, tf.int32):
                stacked = tf.stack([tf.cast(part, dtype) for part in parts])
                assert (stacked.shape.as_list(), stacked.dtype) == (shape, dtype)
                assert stacked.op.get_attr("N") == len(parts)
        assert [t.dtype for t in tf.identity_n([x, tf.cast(x, tf.int32)])] == [tf.float32, tf.int32]
        assert tf.identity_n([tf.cast(x, tf.int32), x])[0].dtype is tf.int32
        with pytest.raises(ValueError, match="equal rank"):
            tf.add_n([x, tf.placeholder(tf.float32, [2])])
    assert tf.add_n([x, x]).op.attrs is tf.add_n([x, x]).op.attrs


def test_attributes_with_equal_numbers_but_other_bits_are_different():
    x = tf.placeholder(tf.float32, [2])
    alphas = [tf.nn.leaky_relu(x, alpha).op.get_attr("alpha") for alpha in (0.0, -0.0, 0.0)]
    assert list(map(str, alphas)) == ["0.0", "-0.0", "0.0"]


def test_a_shape_that_is_set_later_changes_the_form():
    x = tf.placeholder(tf.float32)
    assert tf.tanh(x).shape.ndims is None
    x.set_shape([2])
    assert tf.tanh(x).shape.as_list() == [2]


@pytest.mark.parametrize("name", ["no name", "taken/"])
def test_a_bad_name_for_a_node_of_a_known_form_leaves_the_graph_unchanged(name):
    x = tf.placeholder(tf.float32, [2])
    tf.tanh(x, name="taken")
    before, uses = state(), len(x.consumers())
    with pytest.raises(ValueError, match="name"):
        tf.tanh(x, name=name)
    assert state() == before
    assert len(x.consumers()) == uses
    assert tf.tanh(x).name == "Tanh:0"


def test_a_failing_device_function_for_a_node_of_a_known_form_leaves_the_graph_unchanged():
    x = tf.placeholder(tf.float32, [2])
    tf.tanh(x)
    before, uses = state(), len(x.consumers())

    def refuse(op):
        raise KeyError("no device")

    with tf.device(refuse):
        with pytest.raises(KeyError):
            tf.tanh(x)
    assert state() == before
    assert len(x.consumers()) == uses


def test_the_table_of_forms_is_bounded():
    forms = REGISTRY["Tanh"].forms
    for n in range(1_500):
        tf.tanh(tf.placeholder(tf.float32, [n]))
    assert 0 < len(forms) <= 1_000


def test_the_site_of_a_call_over_several_lines_is_its_first_line():
    x = tf.placeholder(tf.float32, [2])
    y = tf.add(
        x,
        x,
    )
    _, _, function, text = y.op.traceback[0]
    assert text == "y = tf.add("
    assert function == "test_the_site_of_a_call_over_several_lines_is_its_first_line"


def test_two_calls_on_one_line_have_the_same_site():
    x = tf.placeholder(tf.float32, [2])
    a, b = tf.tanh(x), tf.exp(x)
    assert a.op.site.line == b.op.site.line == x.op.site.line + 1
