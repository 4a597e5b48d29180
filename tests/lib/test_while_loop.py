"""Loops under construction: what a refused loop leaves behind and says, and what contexts know."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.lib.control import contexts


def state(graph):
    return (
        [op.name for op in graph.get_operations()],
        dict(graph._names),
        {key: list(items) for key, items in graph._collections.items()},
        graph._context,
        graph._name_scope,
        [len(tensor.consumers()) for op in graph.get_operations() for tensor in op.outputs],
    )


REFUSED = {
    "fewer values": (ValueError, lambda x: tf.while_loop(lambda i, x: i < 3, lambda i, x: [i], [0, x])),
    "another dtype": (tf.errors.InvalidArgumentError, lambda x: tf.while_loop(lambda i, x: i < 3, lambda i, x: [0.0, x], [0, x])),
    "another shape": (ValueError, lambda x: tf.while_loop(lambda x: True, lambda x: tf.concat([x, x], 0), [x])),
    "no bool": (TypeError, lambda x: tf.while_loop(lambda x: 1.0, lambda x: x, [x])),
    "no scalar": (ValueError, lambda x: tf.while_loop(lambda x: x > 1.0, lambda x: x, [x])),
    "no variables": (ValueError, lambda x: tf.while_loop(lambda: True, lambda: x, [])),
    "no function": (TypeError, lambda x: tf.while_loop(lambda x: True, x, [x])),
    "no invariant": (
        ValueError, lambda x: tf.while_loop(lambda x: True, lambda x: x, [x], shape_invariants=[tf.TensorShape([3])]),
    ),
    "no shape": (ValueError, lambda x: tf.while_loop(lambda x: True, lambda x: x, [x], shape_invariants=[3])),
    "no limit": (ValueError, lambda x: tf.while_loop(lambda x: True, lambda x: x, [x], maximum_iterations=x)),
    "a loop in it": (
        ValueError,
        lambda x: tf.while_loop(
            lambda i, x: i < 3,
            lambda i, x: [i, tf.while_loop(lambda y: True, lambda y: tf.concat([y, x], 0), [x])],
            [0, x],
        ),
    ),
    "a branch in it": (
        ValueError,
        lambda x: tf.while_loop(
            lambda i, x: i < 3, lambda i, x: [i, tf.cond(i > 1, lambda: x + 1.0, lambda: tf.matmul(x, tf.ones([3, 3])))], [0, x]
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_loop_leaves_nothing_and_names_the_users_line(name):
    kind, call = REFUSED[name]
    with tf.Graph().as_default() as graph:
        x = tf.ones([2, 2], name="x")
        before = state(graph)
        with pytest.raises(kind) as caught:
            call(x)
        assert state(graph) == before
        assert "\n  where: File " in str(caught.value)
        assert "test_while_loop.py" in str(caught.value)
        assert not graph.get_collection("while_context")


def test_a_call_that_fails_in_a_body_leaves_the_loop_as_if_it_had_not_been_made():
    def body(i, with_failure):
        if with_failure:
            with pytest.raises(ValueError, match="Dimensions must be equal"):
                tf.matmul(outside, np.ones((3, 3)))
        return i + tf.reduce_sum(outside)

    found = []
    for with_failure in (False, True):
        with tf.Graph().as_default() as graph:
            outside = tf.ones([2, 2], name="outside")
            tf.while_loop(lambda i: i < 3.0, lambda i, w=with_failure: body(i, w), [0.0])
            context = graph.get_collection("while_context")[0]
            nodes = [(op.name, [t.name for t in op.inputs], sorted(c.name for c in op.control_inputs)) for op in graph.operations]
            replaced = {a.name: b.name for a, b in context.replacements.items()}
            found.append((nodes, sorted(t.name for t in context.visible), replaced))
    assert found[0] == found[1]


def test_a_value_of_a_loop_says_what_to_do_instead():
    kept = []
    tf.while_loop(lambda i: i < 3, lambda i: kept.append(i + 1) or kept[0], [0])
    graph = tf.get_default_graph()
    before = state(graph)
    with pytest.raises(ValueError, match="because 'while/add' is in a while loop") as caught:
        kept[0] * 2
    assert state(graph) == before
    assert "fix: return the value from the body" in str(caught.value)
    with pytest.raises(ValueError, match="because they are in different while loops"):
        tf.while_loop(lambda j: j < 3, lambda j: j + kept[0], [0])
    with pytest.raises(ValueError, match="is in a while loop"):
        graph.create_op("Identity", [kept[0]], attrs={"T": tf.int32})
    assert state(graph) == before


def test_contexts_know_what_is_within_them():
    kept = {}

    def inner(j):
        kept["cond"] = tf.get_default_graph()._get_control_flow_context()
        return tf.cond(j > 1, lambda: kept.setdefault("branch", tf.identity(j)), lambda: j + 1) + 1

    def outer(i):
        kept["loop"] = tf.get_default_graph()._get_control_flow_context()
        return tf.while_loop(lambda j: j < 3, inner, [i]) + 1

    end = tf.while_loop(lambda i: i < 3, outer, [0])
    whole, within = kept["loop"], kept["cond"]
    branch = kept["branch"].op._get_control_flow_context()
    assert whole.nested == [within]
    assert [within.outer, within.outer_context, branch.outer, branch.loop] == [whole, whole, within, within]
    assert isinstance(branch, contexts.CondContext)
    assert all(context.contains(kept["branch"].op) for context in (whole, within, branch))
    assert whole.contains(end.op)
    assert contexts.context_of_output(end.op) is None
    assert not within.contains(whole.pivot.op)


def test_loops_are_exported_from_a_scope_with_all_that_is_in_them():
    with tf.Graph().as_default() as graph, tf.name_scope("s"):
        tf.while_loop(lambda i: i < 3, lambda i: tf.while_loop(lambda j: j < i, lambda j: j + 2, [i]) + 1, [0], name="w")
        meta = tf.train.export_meta_graph(export_scope="s", graph=graph)
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(meta, import_scope="new")
        (context,) = graph.get_collection("while_context")
        (inner,) = context.nested
        assert (context.name, inner.name) == ("new/w/while_context", "new/w/while/while_context")
        assert inner.pivot.op._context is inner
        frames = {op.get_attr("frame_name") for op in graph.operations if op.type == "Enter"}
        assert frames == {b"new/w/while_context", b"new/w/while/while_context"}
        with tf.Session() as sess:
            assert sess.run("new/w/Exit:0") == 3


def test_a_frame_that_ends_at_once_gives_its_values_back():
    start = tf.placeholder(tf.float32, [None])
    end = tf.while_loop(lambda i, x: i < 0, lambda i, x: (i + 1, x * 2.0), [0, start])
    with tf.Session() as sess:
        i, x = sess.run(end, {start: [1.0, 2.0]})
    assert (i, x.tolist()) == (0, [1.0, 2.0])


ADVICE = {
    "tf.TensorShape([None, 2])": lambda x: tf.while_loop(lambda x: True, lambda x: tf.concat([x, x], 0), [x]),
    "tf.TensorShape(None)": lambda x: tf.while_loop(lambda x: True, lambda x: tf.reshape(x, [4]), [x]),
    "compare, as in x > 0": lambda x: tf.while_loop(lambda x: x, lambda x: x, [x]),
    "the next value of each loop variable": lambda x: tf.while_loop(lambda x: True, lambda x: None, [x]),
    "cond is called with 2 loop variables": lambda x: tf.while_loop(lambda x: True, lambda x, y: [x, y], [x, x]),
    "body is called with 1 loop variable": lambda x: tf.while_loop(lambda x: True, lambda x, y: x, [x]),
    "body is called with 2 loop variables": lambda x: tf.while_loop(
        lambda *_: True, lambda x: [x, x], [x, x], maximum_iterations=3
    ),
    "one value for each loop variable": lambda x: tf.while_loop(lambda x: True, lambda x: [x, x], [x]),
    "tf.cast one of them": lambda x: tf.cond(tf.constant(True), lambda: x, lambda: 1),
    "nested in the same way": lambda x: tf.cond(tf.constant(True), lambda: [x, x], lambda: (x, x)),
    "a function without parameters": lambda x: tf.cond(tf.constant(True), x, x),
}


@pytest.mark.parametrize("advice", ADVICE)
def test_a_refusal_says_what_helps(advice):
    x = tf.ones([2, 2])
    with pytest.raises((TypeError, ValueError)) as caught:
        ADVICE[advice](x)
    told = str(caught.value).partition("\n  fix: ")[2]
    assert advice in told
    assert "\n" not in told


def test_what_goes_wrong_in_the_programs_own_functions_is_told_as_it_is():
    def wrong(x):
        return len(3)

    for call in (
        lambda: tf.while_loop(wrong, lambda x: x, [1]),
        lambda: tf.while_loop(lambda x: x < 3, wrong, [1]),
        lambda: tf.cond(tf.constant(True), lambda: wrong(1), lambda: 1),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == "object of type 'int' has no len()"


def test_what_is_no_tensor_yet_may_have_an_invariant():
    ends = tf.while_loop(
        lambda i, x: i < 3,
        lambda i, x: (i + 1, x * 2.0),
        [0, np.ones(2)],
        shape_invariants=[tf.TensorSpec([], tf.int32), None],
    )
    assert [end.shape.as_list() for end in ends] == [[], [2]]
