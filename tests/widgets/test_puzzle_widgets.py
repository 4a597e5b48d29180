"""Parsons and Repair: what the browser asks changes the program, and what is right stays in Python."""

import json
from pathlib import Path

import pytest

import tfedu as tf
from tests.explain.programs import counted, forgotten
from tfedu.exercises import build_graph
from tfedu.view.records import from_json
from tfedu.widgets import Parsons, Predict, Repair

SHARED = Path(__file__).parents[1] / "golden" / "puzzle.json"


def ask(widget, question, **args):
    content = {"ask": 1, "question": question, "args": args}
    widget.comm.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    return [m["data"]["content"] for m in widget.comm.sent if m["data"].get("method") == "custom"][-1]


def test_what_goes_to_the_browser_tells_neither_the_edges_nor_the_wrong_pieces(wire):
    puzzle = Parsons(counted, must_run=["up"], prompt="1, 2, 3")
    state = wire(puzzle).opened
    assert state["arranged"]["links"] == []
    assert [line["text"] for line in state["arranged"]["lines"]] == ["def counted():", "x = tf.Variable(0.0)", "return ..."]
    assert "M2" not in json.dumps([state["record"], state["arranged"]])
    from_json(state["record"])
    from_json(state["arranged"])


def test_the_browser_puts_pieces_in_draws_edges_checks_and_takes_back():
    puzzle = Repair(forgotten, counted, spare=["y = tf.identity(x)"], must_run=["up"])
    assert ask(puzzle, "put", piece=4) == {"answer": 1, "value": None}
    assert ask(puzzle, "attach", source=0, output=0, target=4, hole=0)["value"] is None
    ask(puzzle, "attach", source=1, output=0, target=4, hole=None)
    ask(puzzle, "attach", source=4, output=0, target=3, hole=0)
    ask(puzzle, "take_out", piece=2)
    ask(puzzle, "check")
    assert puzzle.arranged["mark"]["grade"] == "pass"
    assert build_graph(puzzle).passed
    assert "y_2 = tf.identity(x)" in puzzle.code
    ask(puzzle, "undo")
    assert puzzle.arranged["mark"] is None
    ask(puzzle, "restart")
    assert build_graph(puzzle).grade == "not_attempted"
    assert "no piece 77" in ask(puzzle, "put", piece=77)["error"]
    assert "unexpected" in ask(puzzle, "put", piece=1, code="import os")["error"]


def test_python_has_the_same_words_by_name():
    puzzle = Parsons(counted, most_wrong=0)
    puzzle.attach("x", "up", 0)
    puzzle.attach("x", "y", 0)
    puzzle.attach("up", "y")
    puzzle.attach("y", "return", 0)
    assert puzzle.check().passed
    puzzle.detach("up", "y")
    assert puzzle.check().grade == "fail"
    with pytest.raises(ValueError, match=r"no piece is called 'z'(.|\n)*fix: one of x, up, y, return"):
        puzzle.attach("z", "y")


def test_it_waits_for_a_prediction_and_refuses_wrong_arguments():
    with tf.Graph().as_default():
        y = counted()
    question = Predict({"y": y}, runs=1)
    puzzle = Repair(forgotten, counted, after=question)
    assert puzzle.locked
    assert puzzle.svg() is None
    question.reveal()
    assert "<svg" in puzzle.svg()
    assert "4 of 4 pieces" in repr(puzzle)
    with pytest.raises(TypeError, match="feed_dict names lines"):
        Parsons(counted, feed_dict={y: 1.0})
    with pytest.raises(TypeError, match="runs must be"):
        Parsons(counted, runs="3")
    with pytest.raises(ValueError, match="one statement"):
        Parsons(counted, wrong=["y = "])


def puzzled():
    """A Parsons puzzle as the front end's tests read it: at first, on the way, wrong, right, and with a circle refused.

    After a wanted change of records, write it anew with `PYTHONPATH=. python tests/widgets/test_puzzle_widgets.py`.
    """
    puzzle = Parsons(counted, must_run=["up"], prompt="Each run adds one: 1, 2, 3.")
    wrong = next(p.name for p in puzzle.puzzle.pieces if p.is_wrong)
    right = next(p.name for p in puzzle.puzzle.pieces if p.name.startswith("y") and not p.is_wrong)
    states = {"first": puzzle.arranged}
    puzzle.attach("x", "up", 0)
    states["way"] = puzzle.arranged
    for y, state in ((wrong, "wrong"), (right, "right")):
        puzzle.attach("x", y, 0)
        puzzle.attach("up", y)
        puzzle.attach(y, "return", 0)
        puzzle.check()
        states[state] = puzzle.arranged
    puzzle.attach(right, "up")
    states["circle"] = puzzle.arranged
    data = json.loads(json.dumps({"puzzle": puzzle.record, "states": states, "names": {"wrong": wrong, "right": right}}))
    for state in data["states"].values():
        for item in [*state["built"]["nodes"], *state["built"]["blocks"]] if state["built"] else []:
            item["site"] = None
        if state["built"]:
            state["built"]["codes"] = []
    return data


def test_the_shared_puzzle_is_the_one_of_today():
    data = puzzled()
    assert json.loads(SHARED.read_text("utf-8")) == data
    for record in [data["puzzle"], *data["states"].values()]:
        from_json(record)


if __name__ == "__main__":
    SHARED.write_text(json.dumps(puzzled(), indent=1, sort_keys=True) + "\n", "utf-8")
