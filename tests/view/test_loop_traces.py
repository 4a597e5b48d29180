"""A trace of a loop has the frame and iteration of each step, and the edge from which a Merge took its value."""

import tfedu as tf
from tfedu.view.make.scratch_runs import runs_record
from tfedu.view.record_kinds import text_of
from tfedu.view.records import from_json, to_json


def told():
    _, total = tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s + i), [0, 5])
    record = runs_record(total, runs=1)
    names = {node.id: node.name for node in record.graph.nodes}
    return record, [(names[step.node], step) for step in record.runs[0].steps]


def test_each_turn_has_its_frame_and_its_iteration():
    record, steps = told()
    assert record.runs[0].fetched[0].text == "6"
    assert [step.iteration for name, step in steps if name == "while/Merge_1"] == [(0,), (1,), (2,)]
    assert {(step.frame, step.iteration) for name, step in steps if name.startswith("while/Enter")} == {("", ())}
    assert {step.frame for _, step in steps if step.iteration} == {"while/while_context"}
    assert from_json(to_json(record)) == record


def test_the_merge_at_the_top_takes_from_outside_first_and_then_from_the_body():
    record, steps = told()
    names = {node.id: node.name for node in record.graph.nodes}
    source = {edge.id: names[edge.source] for edge in record.graph.edges}
    taken = [[source[edge] for edge in step.consumed] for name, step in steps if name == "while/Merge_1"]
    assert taken == [["while/Enter_1"], ["while/NextIteration_1"], ["while/NextIteration_1"]]


def test_dead_values_go_neither_round_a_loop_nor_out():
    _, steps = told()
    outs = [(step.outcome, bool(step.produced)) for name, step in steps if name == "while/NextIteration_1"]
    assert outs == [("ran", True), ("ran", True), ("dead", False)]
    exits = [(step.outcome, bool(step.produced)) for name, step in steps if name == "while/Exit_1"]
    assert exits == [("dead", False), ("dead", False), ("ran", False)]


def test_the_text_has_the_iterations():
    record, _ = told()
    text = text_of(record)
    assert "while/add_1 [0]" in text
    assert "while/add_1 [1]" in text
    assert "while/Enter_1 " in text
