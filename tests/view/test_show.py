"""show, save and rich display: what a notebook gets, what a file gets, and what is refused."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import drawn_graphs as graphs
import hostile_names as hostile
import pytest
import traced_programs as programs
from test_svg import hostile_graph

import tfedu as tf
from tfedu.engine.graph import Graph, Operation, Tensor
from tfedu.view import attach
from tfedu.view.build import compare_record, graph_record
from tfedu.view.draw.dot import dot_source
from tfedu.view.make.programs.program_source import given_program
from tfedu.view.picture_files import PictureError
from tfedu.view.records import PredictRecord, TargetRecord, from_json, to_json
from tfedu.view.show import Picture, show
from tfedu.view.words.terminal_text import graph_text


@pytest.fixture
def attached():
    """The classes with their pictures, as `import tfedu` leaves them."""
    attach.attach()


def test_graphs_tensors_and_operations_show_their_picture(attached):
    graph = graphs.counter(True)
    for obj in (graph, graph.get_tensor_by_name("Identity:0"), graph.get_operation_by_name("AssignAdd")):
        bundle = obj._repr_mimebundle_()
        assert set(bundle) == {"image/svg+xml", "text/html", "text/plain"}
        ElementTree.fromstring(bundle["image/svg+xml"])
        assert obj._repr_svg_() == bundle["image/svg+xml"]


def test_in_a_terminal_a_tensor_is_its_repr_and_a_graph_its_nodes(attached):
    graph = graphs.counter(True)
    tensor = graph.get_tensor_by_name("Identity:0")
    assert tensor._repr_mimebundle_()["text/plain"] == repr(tensor)
    assert "AssignAdd" in graph._repr_mimebundle_()["text/plain"]


def test_the_table_lists_all_attached_methods(attached):
    assert set(attach.TABLE) == {Graph, Tensor, Operation}
    for kind, methods in attach.TABLE.items():
        for name, method in methods.items():
            assert getattr(kind, name) is method


def test_a_focused_tensor_has_a_thick_outline():
    graph = graphs.counter(True)
    svg = show(graph.get_tensor_by_name("Identity:0")).svg
    assert svg.count('stroke-width="2.5"') == 1


def test_a_picture_is_saved_as_svg_dot_and_text(tmp_path):
    picture = show(graphs.counter(True))
    for name in ("a.svg", "a.dot", "a.gv", "a.txt", "A.SVG"):
        assert picture.save(tmp_path / name) == tmp_path / name
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "a.dot").read_text() == (tmp_path / "a.gv").read_text()
    assert "AssignAdd" in (tmp_path / "a.txt").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["A.SVG", "a.dot", "a.gv", "a.svg", "a.txt"]


def test_a_saved_picture_has_the_rights_of_an_ordinary_file(tmp_path):
    (tmp_path / "ordinary").write_text("x")
    saved = show(graphs.counter(True)).save(tmp_path / "a.svg")
    assert os.stat(saved).st_mode == os.stat(tmp_path / "ordinary").st_mode


@pytest.mark.parametrize("name", ["a.bmp", "a", "a.svg.exe", ".svg"])
def test_another_ending_is_refused_and_nothing_is_written(tmp_path, name):
    with pytest.raises(PictureError, match=r"is saved as \.svg, .*\.dot.* or \.json, not as"):
        show(graphs.counter(True)).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_save_leaves_the_old_picture(tmp_path, monkeypatch):
    target = tmp_path / "a.svg"
    target.write_text("old")

    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        show(graphs.counter(True)).save(target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_traces_and_records_are_shown_too():
    trace = programs.traced(True)
    assert "run 3: 3.0" in show(trace, lang="en").svg
    compared = compare_record({"a": trace, "b": programs.traced(False)})
    assert "no node was made here" in show(compared, lang="en").svg
    assert show(from_json(to_json(compared)), lang="en").svg == show(compared, lang="en").svg
    dot = show(compared).dot
    assert dot.count("subgraph cluster_g") > 2
    assert "g0n0" in dot
    assert "g1n0" in dot
    question = PredictRecord(
        "Two counters", "What is printed?", given_program("x = 1\n  y = <2>"), 3, (TargetRecord("k", "y & z"),)
    )
    with pytest.raises(PictureError, match=r"PredictRecord has no graph and is saved as \.svg, .*\.txt or \.json"):
        _ = show(question).dot
    card = ElementTree.fromstring(show(question).svg)
    assert "y = <2>" in {element.text for element in card.iter()}
    assert "y = <2>" in repr(show(question))


@pytest.mark.parametrize("resource", [False, True])
def test_a_variable_is_shown_with_what_reads_and_writes_it(resource):
    x = tf.Variable(0.0, use_resource=resource)
    tf.assign_add(x, 1.0)
    names = {node.name for node in show(x).record.nodes}
    assert "Variable" in names
    assert show([x, x.initializer]).svg


def test_an_object_without_a_picture_is_refused():
    with pytest.raises(TypeError, match="cannot show a dict"):
        show({})


def test_scopes_can_be_kept_closed():
    closed = show(graphs.mlp(), collapsed=["layer1", "layer2"], lang="en").svg
    assert 'data-nodes="11"' in closed
    assert ">MatMul<" not in closed


def test_an_unknown_scope_is_refused_with_the_nearest_one():
    with pytest.raises(ValueError, match=r"no scope 'layer_1' in this graph\. Did you mean 'layer1'"):
        show(graphs.mlp(), collapsed=["layer_1"])
    assert show(graphs.mlp(), collapsed="layer1").svg == show(graphs.mlp(), collapsed=["layer1"]).svg
    with pytest.raises(TypeError, match="picture of one graph, not of a Trace"):
        show(programs.traced(True), collapsed=["Variable"])


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere'"):
        show(graphs.counter(True)).save(tmp_path / "nowhere" / "a.svg")


def test_text_of_a_graph_marks_references_and_orders():
    lines = graph_text(graph_record(graphs.counter(True)), "en").splitlines()
    words = [" ".join(line.split()) for line in lines]
    assert "AssignAdd AssignAdd (&Variable, AssignAdd/value) -> float32_ref ()" in words
    assert "Identity Identity (Variable/read, ^AssignAdd) -> float32 ()" in words
    assert "File counter.py, line 3" in graph_text(graph_record(graphs.counter(False)), "en")


def test_long_texts_are_cut_and_counted():
    text = graph_text(graph_record(graphs.chain(1000)), "en")
    assert len(text.splitlines()) == 201
    assert text.endswith("800 more nodes")


def test_dot_has_every_node_and_edge_and_no_name_acts():
    graph = hostile_graph()
    source = dot_source(("", graph_record(graph)))
    lines = source.splitlines()
    assert sum(" -> " in line for line in lines) == 2 * (len(hostile.NAMES) - 1)
    assert "URL=" not in "".join(part for line in lines for part in unquoted(line))
    assert "nslimit=1" in source
    assert len(source) < 40_000


def unquoted(line):
    """The parts of a DOT line outside its strings; a backslash keeps the next character from ending one."""
    parts, inside, skip = [""], False, False
    for character in line:
        if skip:
            skip = False
        elif inside and character == "\\":
            skip = True
        elif character == '"':
            inside = not inside
        elif not inside:
            parts[-1] += character
    assert not inside, line
    return parts


def test_dot_puts_scopes_in_clusters_and_kinds_in_styles():
    source = dot_source(("", graph_record(graphs.counter(False))))
    assert source.count("subgraph cluster_") == 2
    for style in ("arrowhead=normal", "arrowhead=vee", "arrowhead=odiamond", "style=dashed"):
        assert style in source


def test_dot_without_its_package_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(ImportError, match=r"tfedu\[lab\]"):
        dot_source(("", graph_record(graphs.counter(True))))
    assert show(graphs.counter(True)).svg


def test_views_need_no_notebook_and_no_graphviz():
    code = (
        "import sys, tfedu.view.show, tfedu.view.attach\n"
        "assert not {'IPython', 'ipywidgets', 'anywidget', 'graphviz'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_picture_is_a_picture():
    picture = show(graphs.counter(True))
    assert isinstance(picture, Picture)
    assert picture._repr_mimebundle_()["image/svg+xml"] == picture.svg == picture._repr_svg_()
