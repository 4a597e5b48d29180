"""From the engine to records: every node and edge is there with its kind, and parts count what they leave out."""

import drawn_graphs as graphs
import numpy as np
import pytest

from tfedu.engine.base import dtypes
from tfedu.engine.base.site import Site
from tfedu.view.build import graph_record, value_text
from tfedu.view.records import EDGE_KINDS


def names(record):
    return {node.id: node.name for node in record.nodes}


def edges(record):
    """Edges as text: `source -kind> target`."""
    of = names(record)
    return [f"{of[edge.source]} -{edge.kind}> {of[edge.target]}" for edge in record.edges]


@pytest.mark.parametrize("name", sorted(graphs.ALL))
def test_every_node_and_edge_of_the_graph_is_in_the_record(name):
    graph = graphs.ALL[name]()
    record = graph_record(graph)
    assert [node.id for node in record.nodes] == [op.id for op in graph.operations]
    total = sum(len(op.inputs) + len(op.control_inputs) for op in graph.operations)
    assert [edge.id for edge in record.edges] == list(range(total))


def test_the_counters_edges_have_their_kinds():
    assert edges(graph_record(graphs.counter(True))) == [
        "Variable -reference> Variable/Assign",
        "Variable/initial_value -data> Variable/Assign",
        "Variable -data> Variable/read",
        "Variable -reference> AssignAdd",
        "AssignAdd/value -data> AssignAdd",
        "Variable/read -data> Identity",
        "AssignAdd -control> Identity",
        "Variable/Assign -control> init",
    ]


def test_nodes_have_their_roles():
    roles = {node.name: node.role for node in graph_record(graphs.counter(True)).nodes}
    assert roles == {
        "Variable": "variable",
        "Variable/initial_value": "constant",
        "Variable/Assign": "update",
        "Variable/read": "read",
        "AssignAdd": "update",
        "AssignAdd/value": "constant",
        "Identity": "op",
        "init": "noop",
    }


def test_only_the_block_without_nodes_is_empty():
    (block, *_) = graph_record(graphs.counter(False)).blocks
    assert block.empty
    assert block.created == ()
    assert block.site.label == "File counter.py, line 3"
    assert block.site.source == "with tf.control_dependencies([step]):"
    (block, *_) = graph_record(graphs.counter(True)).blocks
    assert not block.empty
    assert len(block.created) == 1


def test_a_cleared_block_is_no_block_of_dependencies():
    b = graphs.Builder()
    with b.graph._control_block(None, graphs.program("with g.control_dependencies(None): pass", 1)):
        b.const(1.0)
    assert graph_record(b.graph).blocks == ()


def test_a_records_numbers_do_not_change_as_the_graph_grows():
    graph = graphs.counter(True)
    record = graph_record(graph)
    before = len(record.nodes)
    graph.add_node("NoOp", "late", (), {}, [], [])
    assert len(record.nodes) == before


def test_a_tensor_shows_its_ancestors_and_direct_consumers():
    graph = graphs.counter(True)
    record = graph_record(graph.get_tensor_by_name("Variable/read:0"))
    assert set(names(record).values()) == {"Variable", "Variable/read", "Identity"}
    near = graph_record(graph.get_tensor_by_name("Identity:0"), steps=1)
    assert set(names(near).values()) == {"Variable/read", "AssignAdd", "Identity"}


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_a_part_counts_what_it_leaves_out(steps):
    graph = graphs.mlp()
    whole = graph_record(graph)
    part = graph_record(
        [graph.get_operation_by_name("loss/Mean"), graph.get_tensor_by_name("x:0")], steps=steps
    )
    (notice,) = [notice for notice in part.notices if notice.code == "part"]
    assert len(part.nodes) + notice.params["nodes"] == len(whole.nodes)
    for kind in EDGE_KINDS:
        shown = sum(edge.kind == kind for edge in part.edges)
        assert shown + notice.params[kind] == sum(edge.kind == kind for edge in whole.edges)
    by_id = {edge.id: edge for edge in whole.edges}
    assert all(by_id[edge.id] == edge for edge in part.edges)


def test_surroundings_that_cover_the_graph_leave_nothing_out():
    b = graphs.Builder()
    y = b("Identity", b.const(1.0))
    assert graph_record(y).notices == ()


def test_objects_that_are_no_part_of_a_graph_are_refused():
    with pytest.raises(TypeError, match="cannot show a int"):
        graph_record(3)
    with pytest.raises(TypeError, match="empty list"):
        graph_record([])
    one, other = graphs.Builder(), graphs.Builder()
    with pytest.raises(ValueError, match="must be from the same graph"):
        graph_record([one.const(1.0), other.const(1.0)])


def test_objects_that_convert_to_a_tensor_are_shown_as_the_tensor():
    b = graphs.Builder()
    ref, _ = b.variable(0.0)

    class Variable:
        def _as_graph_element(self):
            return ref

    assert graph_record(Variable()) == graph_record(ref)


def cell(source, name="Variable"):
    return Site(compile(source, "cell.py", "exec"), 1)


def test_a_variable_that_the_same_cell_created_again_gets_a_notice():
    b = graphs.Builder()
    source = "x = tf.Variable(0.0)"
    for site in (cell(source), cell(source)):
        b.op("VariableV2", name="Variable", out=(dtypes.float32.as_ref,), site=site)
    (notice,) = graph_record(b.graph).notices
    assert notice.code == "rerun"
    assert notice.params == {"again": "Variable_1", "first": "Variable", "where": "File cell.py, line 1"}


def test_the_notice_of_each_variable_names_its_own_first_one():
    b = graphs.Builder()
    source = "w1, w2 = tf.Variable(0.0, name='w1'), tf.Variable(0.0, name='w2')"
    for site in (cell(source), cell(source)):
        for name in ("w1", "w2"):
            b.op("VariableV2", name=name, out=(dtypes.float32.as_ref,), site=site)
    pairs = [(notice.params["first"], notice.params["again"]) for notice in graph_record(b.graph).notices]
    assert pairs == [("w1", "w1_1"), ("w2", "w2_1")]


def test_variables_of_a_loop_are_not_taken_for_a_rerun():
    b = graphs.Builder()
    site = cell("for i in range(3): tf.Variable(0.0)")
    for _ in range(3):
        b.op("VariableV2", name="Variable", out=(dtypes.float32.as_ref,), site=site)
    assert graph_record(b.graph).notices == ()


def test_programs_that_share_a_nameless_file_are_not_taken_for_a_rerun():
    b = graphs.Builder()
    for _ in range(2):
        site = Site(compile("x = tf.Variable(0.0)", "<string>", "exec"), 1)
        b.op("VariableV2", name="Variable", out=(dtypes.float32.as_ref,), site=site)
    assert graph_record(b.graph).notices == ()


def test_the_text_of_a_value_is_one_line():
    assert value_text(np.float32(1.5)) == "1.5"
    assert value_text(np.zeros((2, 2), np.float32)) == "[[0., 0.], [0., 0.]]"
    assert len(value_text(np.zeros((300, 300)))) <= 200
    assert value_text(b"\x00raw") == r"b'\x00raw'"
    assert len(value_text(b"x" * 1_000_000)) <= 200
    assert value_text(np.array([b"a", b"b"], object)) == "[b'a', b'b']"
    assert value_text(None) == "None"
    assert value_text(dtypes.bfloat16_bits(np.float32(1.5))) == "1.5"
    assert value_text(np.arange(100.0)) == "[0., 1., ..., 98., 99.]"
    assert value_text(object()) == "<object>"
