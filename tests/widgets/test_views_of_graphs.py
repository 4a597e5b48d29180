"""What a program says of a picture, and what the reader makes of it, is one dict; what a run did comes with the graph."""

import copy
import json

import pytest

import tfedu as tf
from tfedu.view.build import graph_record
from tfedu.view.make.runs.run_facts import facts_of_run
from tfedu.view.records import from_json
from tfedu.widgets import GraphView, Predict


@pytest.fixture
def net():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, (None, 3), name="x")
        for i in range(2):
            with tf.name_scope(f"layer{i}"), tf.name_scope("dense"):
                x = tf.nn.relu(tf.matmul(x, tf.ones((3, 3))), name="out")
        with tf.name_scope("loss"):
            tf.reduce_mean(x, name="mean")
            tf.log(-1.0, name="bad")
    return graph


def test_a_view_opens_what_it_names_and_closes_the_rest(net):
    view = {"expand": ["layer1/dense"], "pin": ["loss/mean"], "select": "x", "search": "type:Relu", "colour": "device"}
    widget = GraphView(net, view=view)
    scopes = {scope["path"] for scope in widget.record["scopes"]}
    assert scopes - set(widget.collapsed) == {"layer1", "layer1/dense", "loss"}
    names = {node["name"]: node["id"] for node in widget.record["nodes"]}
    assert widget.pinned == [names["loss/mean"]]
    assert widget.search == "type:Relu"
    # The way to what is pinned is open, too.
    assert widget.view == view | {"expand": ["layer1/dense", "loss"]}


def test_the_view_of_a_widget_makes_another_one_like_it(net, wire):
    first = GraphView(net, view={"expand": ["loss", "layer0"], "beside": ["x"], "colour": "scope"})
    wire(first).receive(search="relu", selected=0)
    again = GraphView(net, view=json.loads(json.dumps(first.view)))
    for trait in ("collapsed", "pinned", "beside", "selected", "search", "colour"):
        assert getattr(again, trait) == getattr(first, trait), trait


def test_tensors_and_operations_name_their_nodes(net):
    widget = GraphView(net, view={"pin": [net.get_tensor_by_name("x:0")], "select": net.get_operation_by_name("loss/mean")})
    assert widget.view["pin"] == ["x"]
    assert widget.view["select"] == "loss/mean"


@pytest.mark.parametrize(("view", "error", "words"), [
    ({"expand": ["layr1"]}, ValueError, "no scope 'layr1' in this graph. Did you mean 'layer1'?"),
    ({"pin": ["loss/maen"]}, ValueError, "no node 'loss/maen' in this graph. Did you mean 'loss/mean'?"),
    ({"beside": "y"}, ValueError, "no node 'y'"),
    ({"select": "loss"}, ValueError, "no node 'loss'"),
    ({"color": "device"}, ValueError, "Did you mean 'colour'?"),
    ({"colour": "devices"}, ValueError, "Did you mean 'device'?"),
    ({"colour": "time"}, ValueError, "tell of a run"),
    ({"search": 3}, TypeError, "search must be a text"),
    ({"expand": 3}, TypeError, "expand must be a list of names"),
    ("layer1", TypeError, "view must be a dict"),
])  # fmt: skip
def test_what_is_no_view_is_refused_with_the_nearest_name(net, view, error, words):
    with pytest.raises(error) as raised:
        GraphView(net, view=view)
    assert words in str(raised.value)


def test_a_view_says_where_values_flow_to(net):
    widget = GraphView(net, view={"orientation": "right"})
    assert widget.orientation == "right"
    assert widget.view == {"orientation": "right"}
    with pytest.raises(ValueError, match="no orientation 'left'"):
        GraphView(net, view={"orientation": "left"})


def test_the_way_into_what_repeats_is_opened_and_told():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, (3,), name="x")
        for i in range(20):
            with tf.name_scope(f"block{i}"):
                x = tf.nn.relu(x * 2.0 + 1.0)
    widget = GraphView(graph, view={"expand": ["block7"]})
    (group,) = widget.record["groups"]
    assert group["path"] not in widget.collapsed
    assert "block7" not in widget.collapsed
    assert "block8" in widget.collapsed
    assert widget.view == {"expand": ["block7"]}


# -- questions of the front end --------------------------------------------------------------------------------------


def test_scopes_that_are_built_alike_have_one_number(net):
    numbers = dict(GraphView(net)._structures())
    assert numbers["layer0"] == numbers["layer1"]
    assert numbers["layer0/dense"] == numbers["layer1/dense"]
    assert numbers["layer0"] != numbers["layer0/dense"]
    assert "loss" not in numbers


def test_alike_means_the_same_attributes_edges_and_uses(net):
    with net.as_default():
        x = tf.placeholder(tf.float32, (None, 3))
        with tf.name_scope("other"), tf.name_scope("dense"):
            tf.nn.relu(tf.matmul(x, tf.ones((3, 3)), transpose_b=True), name="out")
    assert not any(path.startswith("other") for path, _ in GraphView(net)._structures())


def test_the_whole_of_a_large_graph_comes_in_pages(net, monkeypatch):
    monkeypatch.setattr("tfedu.view.build.MOST", 5)
    monkeypatch.setattr("tfedu.widgets.view_state.PAGE", 4)
    whole = graph_record(net)
    widget = GraphView(net)
    pages = widget._whole(0)["pages"]
    parts = [widget._whole(page)["record"] for page in range(pages)]
    assert [node["name"] for part in parts for node in part["nodes"]] == [node.name for node in whole.nodes]
    assert sum(len(part["edges"]) for part in parts) == len(whole.edges)
    assert max(len(part["nodes"]) for part in parts) == 4
    with pytest.raises(ValueError, match="page must be"):
        widget._whole(pages)


def test_a_locked_picture_answers_nothing(net):
    with net.as_default():
        question = Predict({"y": tf.identity(1.0)})
    widget = GraphView(net, after=question)
    for answer in (widget._structures, lambda: widget._whole(0)):
        with pytest.raises(ValueError, match="locked"):
            answer()


# -- what a run did ----------------------------------------------------------------------------------------------------


def by_name(graph, facts):
    names = {node.id: node.name for node in graph_record(graph).nodes}
    return {names[each.node]: each for each in facts.nodes}


def test_fetches_are_run_once_and_what_they_did_is_told(net, wire):
    widget = GraphView(net, run=["loss/mean:0", "loss/bad:0"], feed_dict={"x:0": [[1.0, 1.0, 1.0]]})
    facts = from_json(copy.deepcopy(widget.facts))
    found = by_name(net, facts)
    assert found["x"].outcome == "fed"
    assert found["loss/mean"].values == ("9.0",)
    assert found["loss/mean"].bytes == 4
    assert found["loss/bad"].health == "nan"
    assert found["layer0/dense/MatMul"].nanoseconds > 0
    assert wire(widget).updates[-1]["facts"]["kind"] == "run-facts"


def test_what_did_not_run_has_no_facts(net):
    found = by_name(net, facts_of_run("loss/bad:0", graph=net, session=tf.Session(graph=net)))
    assert "loss/mean" not in found
    assert found["loss/bad"].turns == 1


def test_a_traced_run_of_a_session_and_a_trace_say_the_same(net):
    metadata = tf.RunMetadata()
    with tf.Session(graph=net) as session:
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run("loss/mean:0", {"x:0": [[1.0, 2.0, 3.0]]}, options=options, run_metadata=metadata)
    of_metadata, of_trace = facts_of_run(metadata), facts_of_run(metadata.trace)
    assert of_metadata == of_trace
    assert by_name(net, of_trace)["loss/mean"].values == ("18.0",)
    assert from_json(copy.deepcopy(GraphView(net, run=metadata).facts)) == of_trace


def test_the_turns_of_a_loop_are_counted_and_a_dead_branch_is_dead():
    graph = tf.Graph()
    with graph.as_default():
        y = tf.while_loop(lambda i: i < 5, lambda i: i + 1, [0])
        z = tf.cond(tf.constant(True), lambda: tf.constant(1.0, name="yes"), lambda: tf.constant(2.0, name="no"))
    found = by_name(graph, facts_of_run([y, z], graph=graph))
    assert found["while/add"].turns == 5
    assert found["cond/no"].outcome == "dead"
    assert found["cond/yes"].outcome == "ran"


def test_a_failing_node_is_told_to_have_failed():
    graph = tf.Graph()
    with graph.as_default():
        y = tf.div(tf.constant(1), tf.constant(0), name="y")
    assert by_name(graph, facts_of_run(y))["y"].outcome == "error"


@pytest.mark.parametrize("options", [
    {"run": tf.RunMetadata()}, {"feed_dict": {}, "run": None}, {"run": "foreign"},
])  # fmt: skip
def test_what_is_no_run_of_this_graph_is_refused(net, options):
    if options["run"] == "foreign":
        with tf.Graph().as_default():
            options = {"run": tf.constant(1.0)}
    with pytest.raises(ValueError, match=r"trace|run"):
        GraphView(net, **options)


def test_a_locked_picture_tells_nothing_of_its_run_until_the_prediction_is_committed(net, wire):
    with net.as_default():
        y = tf.identity(tf.Variable(1.0), name="y")
    question = Predict({"y": y})
    widget = GraphView(net, run="loss/bad:0", after=question, session=tf.Session(graph=net))
    assert wire(widget).opened["facts"] == {}
    assert widget.facts == {}
    question.reveal()
    assert wire(widget).updates[-1]["facts"]["kind"] == "run-facts"
