"""The loops of a record: each loop variable has the name that the program gives it, and its nodes."""

import collections

import pytest

import tfedu as tf
from tfedu.view.build import graph_record
from tfedu.view.records import RecordError, from_json, to_json

Pair = collections.namedtuple("Pair", "c h")


def fibonacci():
    return tf.while_loop(lambda i, a, b: i < 5, lambda i, a, b: (i + 1, b, a + b), [2, 1, 1])


def a_tuple_with_names():
    return tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, Pair(s.h, s.c)), [0, Pair(1, 2)])


def a_dict_and_a_list():
    def body(state, row, one):
        return {"y": state["y"] + 1, "x": state["x"]}, [row[1], row[0]], one

    return tf.while_loop(lambda state, *_: state["y"] < 3, body, [{"y": 0, "x": 1}, [1, 2], [5]])


def a_sparse_tensor():
    start = tf.SparseTensor([[0]], [1.0], [2])
    shapes = [tf.TensorShape([]), tf.TensorShape([None])]
    return tf.while_loop(lambda i, s: i < 3, lambda i, s: [i + 1, s], [0, start], shape_invariants=shapes)


def named_by_the_condition():
    return tf.while_loop(lambda i, s: i < 3, lambda *values: [values[0] + 1, values[1]], [0, 1])


def named_by_nobody():
    start = tf.constant(0, name="start")
    return tf.while_loop(
        lambda *v: v[0] < 3, lambda _, __: (start + 1, 2), [start, tf.constant(1, name="other")]
    )


def limited():
    return tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], maximum_iterations=2)


def mapped():
    return tf.map_fn(lambda v: v * v, tf.constant([1.0, 2.0]))


def scanned():
    return tf.scan(lambda total, v: total + v, tf.constant([1.0, 2.0]))


def folded():
    return tf.foldl(lambda total, v: total + v, tf.constant([1.0, 2.0]))


NAMES = {
    fibonacci: ["i", "a", "b"],
    a_tuple_with_names: ["i", "s.c", "s.h"],
    a_dict_and_a_list: ["state.x", "state.y", "row.0", "row.1", "one"],
    a_sparse_tensor: ["i", "s.0", "s.1", "s.2"],
    named_by_the_condition: ["i", "s"],
    named_by_nobody: ["start", "other"],
    limited: ["iteration", "i"],
    mapped: ["iteration", "i", "results"],
    scanned: ["iteration", "i", "totals", "results"],
    folded: ["iteration", "i", "total"],
}


@pytest.mark.parametrize("program", NAMES)
def test_a_loop_variable_has_the_name_of_its_parameter(program):
    with tf.Graph().as_default() as graph:
        program()
    record = graph_record(graph)
    (loop,) = record.loops
    assert [variable.name for variable in loop.variables] == NAMES[program]
    assert from_json(to_json(record)) == record


def test_the_loop_of_a_gradient_names_the_variables_whose_gradients_it_computes():
    with tf.Graph().as_default() as graph:
        x = tf.constant(2.0)
        tf.gradients(tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * x), [0, 1.0])[1], x)
    forward, backward = graph_record(graph).loops
    assert [variable.name for variable in forward.variables][:2] == ["i", "v"]
    assert "grad_v" in [variable.name for variable in backward.variables]


def test_a_loop_variable_has_its_nodes():
    with tf.Graph().as_default() as graph:
        fibonacci()
    record = graph_record(graph)
    names = {node.id: node.name for node in record.nodes}
    (loop,) = record.loops
    assert loop.frame == "while/while_context"
    b = loop.variables[2]
    nodes = [names[id] for id in (b.enter, b.merge, b.switch, b.next, b.exit)]
    assert nodes == [f"while/{part}_2" for part in ("Enter", "Merge", "Switch", "NextIteration", "Exit")]


def test_a_part_of_a_graph_has_only_its_own_nodes():
    with tf.Graph().as_default():
        i, _, _ = fibonacci()
    for target in (i, i.op.inputs[0], i.op.inputs[0].op.inputs[0]):
        record = graph_record(target, steps=1)
        record.check()


def test_an_id_that_the_graph_lacks_is_refused():
    with tf.Graph().as_default() as graph:
        fibonacci()
    data = to_json(graph_record(graph))
    data["loops"][0]["variables"][0]["exit"] = 999
    with pytest.raises(RecordError, match="loops"):
        from_json(data)


def test_names_change_nothing_that_is_saved():
    with tf.Graph().as_default() as graph:
        fibonacci()
        saved = tf.train.export_meta_graph()
    with tf.Graph().as_default() as copy:
        tf.train.import_meta_graph(saved)
    assert copy.as_graph_def() == graph.as_graph_def()
    assert [len(loop.variables) for loop in graph_record(copy).loops] == [3]
