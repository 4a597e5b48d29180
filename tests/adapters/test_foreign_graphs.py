"""The one door: pictures, widgets, diffs and files of graphs that are not tfedu's."""

import itertools
import subprocess
import sys

import networkx as nx
import pytest
from drawn import inputs, record_of

import tfedu as tf
from tfedu.engine.base import proto
from tfedu.view.adapters import foreign_graphs
from tfedu.view.make.graph_records import EXPECTED
from tfedu.widgets import GraphDiff, GraphView


def chain(*names):
    return nx.DiGraph(list(itertools.pairwise(names)))


@pytest.fixture
def graph_def():
    with tf.Graph().as_default() as graph:
        tf.identity(tf.constant(1.0, name="one"), name="two")
    return graph.as_graph_def()


def test_every_kind_is_named_in_the_error_and_has_its_adapter():
    for kind in foreign_graphs.KINDS:
        assert callable(foreign_graphs._adapter(*kind.adapter))
        assert any(name in EXPECTED for name in kind.classes), kind


def test_importing_tfedu_and_showing_its_own_graphs_loads_no_library():
    program = (
        "import sys, tfedu as tf; tf.constant(1.0); tf.show(tf.get_default_graph()); import tfedu.widgets, tfedu.opened_files;"
        "print({'torch', 'jax', 'onnx', 'keras', 'networkx'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_messages_of_graphs_go_through_the_same_door(graph_def):
    meta = proto.MetaGraphDef(graph_def=graph_def)
    for message in (graph_def, meta, proto.SavedModel(meta_graphs=[meta])):
        assert inputs(record_of(message)) == {"one": [], "two": ["one"]}
        assert GraphView(message).described() == "a graph of 2 nodes and 1 edges"
    with pytest.raises(ValueError, match="the SavedModel has 2 graphs"):
        tf.show(proto.SavedModel(meta_graphs=[meta, meta]))
    graph_def.node[1].input[0] = "three"
    with pytest.raises(ValueError, match="the graph cannot be imported"):
        tf.show(graph_def)


def test_a_widget_shows_and_searches_it():
    widget = GraphView(
        chain("layer/a", "layer/b", "c"),
        view={"search": "type:node", "select": "layer/b"},
        collapsed=["layer"],
    )
    assert widget.described() == "a graph of 3 nodes and 2 edges"
    assert widget.search == "type:node"
    assert widget.view["select"] == "layer/b"
    assert "layer" in widget.svg()
    assert GraphView(record_of(chain("a", "b"))).described() == "a graph of 2 nodes and 1 edges"


def test_the_widget_finds_scopes_of_equal_structure():
    graph = nx.DiGraph([(f"block{n}/a", f"block{n}/b") for n in range(3)])
    assert {number for _, number in GraphView(graph)._structures()} == {0}


def test_it_is_not_run():
    with pytest.raises(TypeError, match="is not run here"):
        GraphView(chain("a", "b"), run="a")


def test_repeated_blocks_are_found():
    graph = nx.DiGraph()
    for block in range(20):
        nx.add_path(graph, [f"block{block}/{name}" for name in "abcd"])
    assert [group.kind for group in record_of(graph).groups] == ["repeat"]


def test_differences():
    before, after = chain("a", "b", "c"), chain("a", "b", "d")
    text = str(tf.explain.graph_diff(before, after))
    assert "d" in text
    assert GraphDiff(before, after).record["nodes"]


def test_a_graph_with_too_many_nodes_for_the_widget():
    with pytest.raises(ValueError, match=r"has 20,001 nodes; of a graph that is not tfedu's it takes at most 20,000"):
        GraphView(nx.path_graph(20_001, create_using=nx.DiGraph))
