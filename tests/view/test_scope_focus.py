"""The record of one scope: all its nodes and edges, its neighbours, and nothing else.

tests/golden/focus.json has it in short for scopes of the records in layout.json; widgets/test/model/scope-focus.test.ts makes the
same of them. After a wanted change, write it anew with `python tests/view/test_scope_focus.py`.
"""

import json
from pathlib import Path

import pytest

import tfedu as tf
from tfedu.view.build import focusable, focused, graph_record
from tfedu.view.draw.folding import fold
from tfedu.view.records import from_json, to_json
from tfedu.widgets import GraphView

GOLDEN = Path(__file__).parents[1] / "golden"


def short(focus):
    """What the front end must find, too."""
    data = to_json(focus.record)
    return {
        "nodes": [[node["id"], node["scope"]] for node in data["nodes"]],
        "edges": [edge["id"] for edge in data["edges"]],
        "outside": sorted(focus.outside),
        **{key: data[key] for key in ("scopes", "groups", "boxes", "layers")},
    }


def in_short():
    records = json.loads((GOLDEN / "layout.json").read_text("utf-8"))
    return {
        name: {at: short(focused(from_json(records[name]), at)) for at in sorted(focusable(from_json(records[name])))}
        for name in ("mlp", "loop", "cond")
    }


def test_the_front_end_is_held_to_the_records_of_today():
    assert json.loads((GOLDEN / "focus.json").read_text("utf-8")) == json.loads(json.dumps(in_short()))


def rnn():
    with tf.Graph().as_default() as graph:
        cell = tf.nn.rnn_cell.BasicRNNCell(2, name="cell")
        tf.nn.dynamic_rnn(cell, tf.placeholder(tf.float32, [1, 3, 4], name="x"), dtype=tf.float32)
    return graph


def training():
    """More than 60 nodes: in its record, variables and gradients stand beside the layers."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 4], name="x")
        y = tf.layers.dense(tf.layers.dense(x, 3, name="hidden"), 2, name="last")
        tf.train.AdamOptimizer().minimize(tf.reduce_sum(y))
    return graph


@pytest.mark.parametrize(("make", "at"), [(rnn, "rnn/while"), (rnn, "rnn"), (training, "hidden"), (training, "gradients")])
def test_a_scope_has_its_nodes_by_name_and_each_edge_at_them(make, at):
    record = graph_record(make())
    part, outside = focused(record, at)
    part.check()
    inside = {node.id for node in record.nodes if node.name == at or node.name.startswith(f"{at}/")}
    assert {node.id for node in part.nodes} - outside == inside
    assert [edge.id for edge in part.edges] == [e.id for e in record.edges if e.source in inside or e.target in inside]
    ends = {end for edge in part.edges for end in (edge.source, edge.target)}
    assert outside == ends - inside
    (notice,) = [notice for notice in part.notices if notice.code == "part"]
    assert notice.params["nodes"] == len(record.nodes) - len(part.nodes)
    drawn, folded = fold(part).count("nodes")
    assert drawn + folded == len(part.nodes)


def test_a_layer_of_a_large_graph_has_its_weights():
    part = focused(graph_record(training()), "hidden").record
    names = {node.name for node in part.nodes}
    assert {"hidden/kernel", "hidden/bias", "hidden/MatMul", "hidden/BiasAdd"} <= names
    assert part.parts == ()


def test_a_loop_variable_is_one_box_with_the_nodes_that_carry_it():
    record = graph_record(rnn())
    part = focused(record, "rnn/while").record
    groups = {group.path: group for group in part.groups}
    assert {"rnn/while/time…", "rnn/while/state…"} <= groups.keys()
    types = {node.id: node.type for node in record.nodes}
    carried = [types[id] for id in groups["rnn/while/state…"].nodes]
    assert carried == ["Enter", "Merge", "Switch", "Identity", "NextIteration", "Exit"]
    assert "Const" in [types[id] for id in groups["rnn/while/iteration…"].nodes]


def test_several_neighbours_in_one_scope_stand_in_it_and_one_alone():
    part, ids = focused(graph_record(rnn()), "rnn/while")
    outside = {node.name: node.scope for node in part.nodes if node.id in ids}
    assert outside["rnn/TensorArrayStack/TensorArrayGatherV3"] == "rnn/TensorArrayStack"
    assert outside["rnn/TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3"] == ""


def test_a_view_of_a_scope_tells_where_it_is():
    graph = rnn()
    widget = GraphView(graph, at="rnn/while")
    assert widget.at == "rnn/while"
    assert widget.view == {"at": "rnn/while"}
    again = GraphView(graph, view={"at": "rnn/while", "expand": ["rnn/while/state…"]})
    assert again.view == {"at": "rnn/while", "expand": ["rnn/while/state…"]}
    assert ">outside<" in widget.svg()
    assert "↻ state" in widget.svg()
    assert "↻ state" not in GraphView(graph).svg()
    with pytest.raises(ValueError, match=r"no scope 'rnn/whale' in this graph. Did you mean 'rnn/while'\?"):
        GraphView(graph, at="rnn/whale")
    with pytest.raises(ValueError, match="no scope 'whale'"):
        tf.show(graph, at="whale")
    with pytest.raises(TypeError, match="expected a name, not int"):
        GraphView(graph, at=3)
    assert ">outside<" in tf.show(graph, at="rnn/while").svg


def test_the_surroundings_of_a_tensor_say_how_far_they_reach():
    with tf.Graph().as_default():
        x = tf.constant(1.0, name="x")
        for _ in range(6):
            x = tf.negative(x)
        record = graph_record(x)
    (notice,) = record.notices
    assert (notice.params["steps"], notice.params["of"], notice.params["nodes"]) == (3, "Neg_5", 3)


if __name__ == "__main__":
    (GOLDEN / "focus.json").write_text(json.dumps(in_short(), sort_keys=True) + "\n", "utf-8")
