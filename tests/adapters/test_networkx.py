"""Directed graphs of NetworkX."""

import networkx as nx
import pytest
from drawn import inputs, node, record_of

import tfedu as tf
from tfedu.view.adapters.record_parts import GraphReadError


def test_nodes_scopes_attributes_and_edges():
    graph = nx.MultiDiGraph()
    graph.add_node("layer/add", op="Add", dtype="float32", shape=(2, None), weight=3, device="/cpu:0")
    graph.add_node("w", role="variable")
    graph.add_edge("x", "layer/add", input=1)
    graph.add_edge("x", "layer/add", input=0, output=1)
    graph.add_edge("w", "layer/add", kind="reference", input=2)
    graph.add_edge("before", "layer/add", kind="control")
    record = record_of(graph)
    assert inputs(record)["layer/add"] == ["x:1", "x", "&w", "^before"]
    added = node(record, "layer/add")
    assert (added.type, added.scope, added.device, added.attrs) == (
        "Add",
        "layer",
        "/cpu:0",
        (("weight", "3"),),
    )
    assert added.outputs[0].text == "float32 (2, ?)"
    assert [variable.name for variable in record.variables] == ["w"]


def test_any_object_is_a_node():
    assert inputs(record_of(nx.DiGraph([(1, (2, 3)), (b"x", 1)]))) == {
        "1": ["b'x'"],
        "(2, 3)": ["1"],
        "b'x'": [],
    }


def test_a_cycle_is_drawn():
    assert inputs(record_of(nx.DiGraph([("a", "b"), ("b", "a")]))) == {"a": ["b"], "b": ["a"]}


@pytest.mark.parametrize(
    ("graph", "error", "reason"),
    [
        (nx.Graph([(1, 2)]), TypeError, "without directions"),
        (
            nx.DiGraph([("a", "b", {"kind": "magic"})]),
            GraphReadError,
            "the edge from 'a' to 'b' has the kind 'magic'",
        ),
        (nx.DiGraph([("a", "b", {"output": 1 << 40})]), GraphReadError, "has the output 1099511627776"),
        (nx.DiGraph([("a", "b", {"input": "0"})]), GraphReadError, "has the input '0'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(graph, error, reason):
    with pytest.raises(error, match=reason):
        tf.show(graph)


@pytest.mark.parametrize(("key", "value"), [("role", "boss"), ("shape", "wide")])
def test_wrong_attributes_of_a_node_are_refused(key, value):
    graph = nx.DiGraph()
    graph.add_node("a", **{key: value})
    with pytest.raises(GraphReadError, match=f"the node 'a' has the {key} '{value}'"):
        tf.show(graph)


def test_a_large_graph_meets_the_budget():
    with (
        tf.io.Budget(nodes=100),
        pytest.raises(tf.errors.ResourceExhaustedError, match="The NetworkX graph needs 101 nodes"),
    ):
        tf.show(nx.path_graph(200, create_using=nx.DiGraph))
