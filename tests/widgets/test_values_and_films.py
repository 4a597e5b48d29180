"""The widgets of values, of building and of the passes: their messages, their questions, their pages without a kernel."""

import copy
import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import programs
import pytest
from test_ask import ask

import tfedu as tf
from tfedu.view.records import from_json
from tfedu.widgets import BuildFilm, Compare, Passes, Predict, StepThrough, Value


def question(widget, **args):
    """What Python replies when the browser asks for a value."""
    return ask(widget, {"ask": 1, "question": "value", "args": args})[-1]


@pytest.fixture
def large():
    with tf.Graph().as_default():
        return tf.identity(tf.constant(np.arange(3000.0).reshape(60, 50)), name="y")


def test_each_opens_with_a_valid_record_and_a_picture(wire):
    y = programs.with_identity()
    for widget, kind in ((Value(np.eye(3)), "tensor"), (BuildFilm(y.graph), "build-film"), (Passes(y), "passes")):
        record = wire(widget).opened["record"]
        assert record["kind"] == kind
        from_json(copy.deepcopy(record))
        ElementTree.fromstring(widget.svg())
        assert "Run this cell" in repr(widget)


def test_a_value_of_a_run_is_shown_as_it_is_asked_for(large):
    widget = StepThrough(large, runs=2)
    assert question(widget, number=0, run=1, step=1, output=0, look="heat")["value"]["heat"]["block"] == [1, 1]
    first = question(widget, number=0, run=1, step=1, output=0, look="table")["value"]["table"]
    assert first["cells"][1][:2] == ["50", "51"]


def test_each_side_of_a_comparison_answers_for_itself():
    with tf.Graph().as_default():
        one = tf.constant([1.0, 2.0]) * 1.0
    with tf.Graph().as_default():
        other = tf.constant([7.0, 8.0]) * 1.0
    widget = Compare({"one": one, "other": other}, runs=1)
    assert [side["trace"]["number"] for side in widget.record["sides"]] == [0, 1]
    for number, text in ((0, "1"), (1, "7")):
        last = len(widget.record["sides"][number]["trace"]["runs"][0]["steps"]) - 1
        found = question(widget, number=number, run=0, step=last, output=0, look="table")
        assert found["value"]["table"]["cells"][0] == [text]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"number": 1}, "no value at"),
        ({"number": -1}, "no value at"),
        ({"number": "0"}, "no value at"),
        ({"run": 5}, "no output"),
        ({"step": 99}, "no output"),
        ({"output": 3}, "no output"),
        ({"look": "image"}, "cannot be shown"),
        ({"look": 3}, "cannot be shown"),
        ({"part": 1}, "part must be"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_wrong_question_is_told_in_words(large, args, words):
    widget = StepThrough(large, runs=1)
    reply = question(widget, **{"number": 0, "run": 0, "step": 0, "output": 0, **args})
    assert words in reply["error"]


def test_a_locked_widget_tells_no_value(large):
    predict = Predict({"y": programs.with_identity()})
    widget = StepThrough(large, after=predict)
    assert "prediction" in question(widget, number=0, run=0, step=0, output=0)["error"]


def test_a_value_alone_gives_other_slices():
    widget = Value(np.arange(60.0).reshape(3, 4, 5), look="table")
    assert widget.look == "table"
    found = question(widget, look="table", part=2)["value"]["table"]
    assert (found["part"], found["cells"][0][0]) == ("[2, :, :]", "40")
    assert "part must be" in question(widget, look="table", part=3)["error"]
    with pytest.raises(ValueError, match="cannot be shown as 'image'"):
        Value(2.5, look="image")


def test_steps_travel_both_ways(wire):
    y = programs.with_identity()
    for widget in (BuildFilm(y.graph), Passes(y)):
        wire(widget).receive(step=3)
        assert widget.step == 3
        widget.step = 1
        assert wire(widget).updates[-1] == {"step": 1}


def test_a_film_or_the_passes_can_wait_for_a_prediction():
    y = programs.with_identity()
    predict = Predict({"y": y})
    for widget in (BuildFilm(y.graph, after=predict), Passes(y, after=predict)):
        assert widget.locked
        assert widget.record == {}
        assert widget.svg() is None


def test_the_records_of_large_values_stay_small():
    with tf.Graph().as_default():
        x = tf.constant(np.random.RandomState(0).randn(300, 300).astype("f"))
        for _ in range(50):
            x = tf.tanh(x) + 0.5
        assert len(json.dumps(StepThrough(x, runs=3).record)) < 900_000
    assert len(json.dumps(Value(np.random.RandomState(0).rand(6, 200, 200, 3)).record)) < 250_000


def test_explanations_print_the_same_stories(capsys):
    y = programs.with_identity()
    print(tf.explain.building(y.graph, lang="en"))
    print(tf.explain.passes(y, lang="en"))
    told = capsys.readouterr().out
    assert "Identity waits for AssignAdd." in told
    assert "Variable/Assign does not run: nothing that is fetched needs its value or waits for it." in told


def test_a_fork_answers_with_its_own_values():
    with tf.Graph().as_default():
        x = tf.Variable([1.0, 2.0], name="x")
        y = tf.multiply(x, 1.0, name="y")
    widget = StepThrough(y, runs=1)
    made = widget.fork(run=0, step=1, set={"x": [7.0, 8.0]})
    steps = made.trace.runs[0].steps
    last = len(steps) - 1
    assert steps[last].op.name == "y"
    found = [question(widget, number=number, run=0, step=at, output=0, look="table") for number, at in ((0, last - 1), (1, last))]
    assert [answer["value"]["table"]["cells"][0] for answer in found] == [["1"], ["7"]]
