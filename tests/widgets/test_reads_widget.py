"""Reads: what the browser is told, what it may change, and what stays in Python until a prediction is committed."""

import copy
import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from test_ask import ask

import tfedu as tf
from tfedu.view.records import from_json
from tfedu.widgets import Predict, Reads


@pytest.fixture
def y():
    with tf.Graph().as_default():
        a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        b = tf.constant([[5.0, 6.0], [7.0, 8.0]])
        yield tf.matmul(a, b, name="y")


def asked(widget, question, **args):
    """What Python replies when the browser asks."""
    return ask(widget, {"ask": 1, "question": question, "args": args})[-1]


def texts(widget, tensor=-1):
    return [element["text"] for element in widget.record["tensors"][tensor]["elements"]]


def test_it_opens_with_a_valid_record_and_a_picture(y, wire):
    widget = Reads(y)
    state = wire(widget).opened
    from_json(copy.deepcopy(state["record"]))
    assert (state["kind"], state["record"]["kind"], state["changed"]) == ("reads", "reads", False)
    ElementTree.fromstring(widget.svg())
    assert "the elements of a, b, y" in repr(widget)


def test_a_changed_input_changes_what_reads_it(y, wire):
    widget = Reads(y)
    assert texts(widget) == ["19", "22", "43", "50"]
    assert asked(widget, "change", tensor=0, at=1, text="−1") == {"answer": 1, "value": None}
    assert texts(widget) == ["−2", "−2", "43", "50"]
    assert widget.changed
    assert "5·1" not in widget.svg()
    assert wire(widget).updates[-1]["record"]["tensors"][0]["elements"][1]["text"] == "−1"
    asked(widget, "restore")
    assert (texts(widget), widget.changed) == (["19", "22", "43", "50"], False)


def test_many_changes_add_no_nodes(y):
    widget = Reads(y)
    graph = widget._values.elements.graph
    asked(widget, "change", tensor=0, at=1, text="2")
    count = len(graph.operations)
    asked(widget, "change", tensor=0, at=1, text="5")
    assert len(graph.operations) == count


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"text": "many"}, "many is no number."),
        ({"text": "nan"}, "nan is no number."),
        ({"text": "1/0"}, "1/0 is no number."),
        ({"tensor": 2}, "y is computed"),
        ({"tensor": 9}, "no tensor 9"),
        ({"tensor": "a"}, "no tensor 'a'"),
        ({"at": 4}, "none with the number 4"),
        ({"at": -1}, "none with the number -1"),
        ({"at": None}, "none with the number None"),
    ],
)
def test_a_wrong_change_is_refused_in_words(y, args, words):
    widget = Reads(y)
    assert words in asked(widget, "change", **{"tensor": 0, "at": 0, "text": "3", **args})["error"]
    assert texts(widget) == ["19", "22", "43", "50"]


def test_a_number_that_the_run_refuses_changes_nothing():
    with tf.Graph().as_default():
        index = tf.constant([2, 0])
        widget = Reads(tf.gather(tf.constant([5.0, 6.0, 7.0]), index), between=[index])
    assert "With this number the run fails" in asked(widget, "change", tensor=0, at=0, text="9")["error"]
    assert "holds int32" in asked(widget, "change", tensor=0, at=0, text="0.5")["error"]
    asked(widget, "change", tensor=0, at=0, text="1")
    assert texts(widget) == ["6", "5"]


def test_a_question_keeps_its_answer_in_python(y, wire):
    widget = Reads(y, ask="value", cells=[(1, 0)], prompt="Think first.")
    assert "43" not in json.dumps(wire(widget).opened["record"], ensure_ascii=False)
    assert "43" not in widget.svg()
    assert not widget.answered
    assert "prediction" in asked(widget, "change", tensor=0, at=0, text="2")["error"]
    assert "no number" in asked(widget, "answer", value="forty")["error"]
    assert widget.record["question"] is not None
    asked(widget, "answer", value="43", reason="3·5 + 4·7")
    (answer,) = widget.record["answers"]
    assert (answer["correct"], answer["actual"], answer["reason"]) == (True, "43", "3·5 + 4·7")
    assert widget.answered
    assert texts(widget)[2] == "43"
    assert "nothing is asked" in asked(widget, "answer", value="43")["error"]
    asked(widget, "change", tensor=0, at=0, text="2")
    assert widget.changed


@pytest.mark.parametrize(
    ("value", "idea", "other"),
    [("22", "other_element", "y[0, 1]"), ("15", "one_product", ""), ("50", "other_element", "y[1, 1]"), ("1", "", "")],
)
def test_a_wrong_value_is_traced_to_the_idea_that_gives_it(y, value, idea, other):
    widget = Reads(y, ask="value", cells=[(1, 0)])
    asked(widget, "answer", value=value)
    (answer,) = widget.record["answers"]
    assert (answer["correct"], answer["idea"], answer["other"]) == (False, idea, other)


def wrong_idea(build, value):
    with tf.Graph().as_default():
        widget = Reads(build(), between=[], ask="value")
    asked(widget, "answer", value=value)
    return widget.record["answers"][0]["idea"]


def test_ideas_of_other_forms():
    row = [[1.0, 5.0, 3.0]]
    assert wrong_idea(lambda: tf.reduce_max(tf.constant(row), axis=1), "3") == "mean"
    assert wrong_idea(lambda: tf.reduce_max(tf.constant(row), axis=1), "9") == "sum"
    assert wrong_idea(lambda: tf.reduce_max(tf.constant(row), axis=1), "1") == "smallest"
    assert wrong_idea(lambda: tf.reduce_mean(tf.constant(row), axis=1), "5") == "largest"
    assert wrong_idea(lambda: tf.nn.softmax(tf.constant(row)), "5/9") == "shares"


def test_a_kernel_that_is_turned_around():
    def build():
        image = tf.constant(np.array([[1, 2], [3, 4]], "f").reshape(1, 2, 2, 1))
        kernel = tf.constant(np.array([[1, 0], [0, 2]], "f").reshape(2, 2, 1, 1))
        return tf.nn.conv2d(image, kernel, strides=[1, 1, 1, 1], padding="VALID")

    assert wrong_idea(build, "6") == "turned"  # right: 1·1 + 4·2 = 9; turned: 1·2 + 4·1
    assert wrong_idea(build, "9") == ""


def test_a_question_about_reads_is_marked_by_what_is_missed_and_extra(y):
    widget = Reads(y, ask="reads", cells=[(1, 0), (0, 0)])
    asked(widget, "answer", picked=[[0, 2], [0, 3], [1, 1]])
    (answer,) = widget.record["answers"]
    assert (answer["correct"], answer["missed"], answer["extra"]) == (False, [[1, 0], [1, 2]], [[1, 1]])
    asked(widget, "answer", picked=[[0, 0], [0, 1], [1, 0], [1, 2]])
    assert widget.record["answers"][1]["correct"]
    assert widget.answered


def test_reveal_shows_all_answers(y):
    widget = Reads(y, ask="value", cells=[(1, 0), (0, 0)])
    widget.reveal()
    assert widget.answered
    assert [answer["correct"] for answer in widget.record["answers"]] == [False, False]
    assert texts(widget) == ["19", "22", "43", "50"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ask": "colour"}, 'ask must be "value" or "reads"'),
        ({"cells": [(0, 0)]}, "cells are the elements"),
        ({"ask": "value", "cells": [(2, 0)]}, "no index of the output"),
        ({"ask": "value", "cells": ["ab"]}, "no index of the output"),
        ({"ask": "value", "cells": [0]}, "no index of the output"),
    ],
)
def test_wrong_arguments_are_errors_of_the_cell(y, options, words):
    with pytest.raises(ValueError, match=words):
        Reads(y, **options)


@pytest.mark.parametrize("picked", [[[0]], [["a", 0]], 3, [None]])
def test_whatever_a_browser_sends_as_picked_is_answered(y, picked):
    widget = Reads(y, ask="reads")
    assert "error" in asked(widget, "answer", picked=picked)
    assert not widget.answered


def test_it_waits_for_a_prediction(y, wire):
    predict = Predict({"y": y}, runs=1)
    widget = Reads(y, after=predict)
    assert (widget.locked, widget.record, widget.svg()) == (True, {}, None)
    predict.reveal()
    assert wire(widget).updates[-1]["locked"] is False
    assert texts(widget) == ["19", "22", "43", "50"]
