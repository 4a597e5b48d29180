"""Lint as a widget: a record of what the graph is now, and answers to what is around the later findings."""

import copy

import pytest

import tfedu as tf
from tfedu.view.records import GraphRecord, from_json
from tfedu.widgets import Lint, Predict


@pytest.fixture
def graph():
    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        y = x
    return y.graph


def test_it_opens_with_the_findings_of_the_graph(graph, wire):
    state = wire(Lint(graph, title="Mine")).opened
    assert (state["kind"], state["rule"], state["chosen"], state["title"]) == ("lint", "", 0, "Mine")
    record = from_json(copy.deepcopy(state["record"]))
    assert [finding.code for finding in record.findings] == ["empty_block"]
    assert record.nodes == len(graph.operations)


def test_the_default_graph_is_taken_where_none_is_given(graph, wire):
    assert wire(Lint()).opened["record"] == wire(Lint(graph)).opened["record"]


def test_what_is_around_a_finding_is_answered(graph, wire):
    widget = Lint(graph)
    found = from_json(widget._around(0))
    assert isinstance(found, GraphRecord)
    assert "AssignAdd" in [node.name for node in found.nodes]
    for wrong in (1, -1, True, "0", None):
        with pytest.raises(ValueError, match="there is no finding"):
            widget._around(wrong)


def test_what_the_reader_chooses_is_seen_in_python(graph, wire):
    widget = Lint(graph)
    wire(widget).receive(rule="empty_block", chosen=0)
    assert (widget.rule, widget.chosen) == ("empty_block", 0)
    assert [finding.code for finding in widget.findings] == ["empty_block"]


def test_a_saved_notebook_shows_the_findings_in_words(graph):
    widget = Lint(graph, lang="en")
    assert "no node was made inside" in widget.svg()
    assert repr(widget) == f"<tfedu Lint: 1 findings in {len(graph.operations)} nodes. Run this cell to use it.>"


def test_findings_that_wait_for_a_prediction_are_not_sent_before(graph, wire):
    question = Predict({"x": graph.get_tensor_by_name("Variable:0")})
    widget = Lint(graph, after=question)
    assert wire(widget).opened["record"] == {}
    with pytest.raises(ValueError, match="locked until"):
        widget._around(0)
    question.reveal()
    assert wire(widget).updates[-1]["record"]["findings"]
    assert widget._around(0)["nodes"]


def test_only_graphs_can_be_linted():
    with pytest.raises(TypeError, match="lint takes a graph"):
        Lint(3)
