"""A question from the browser gets one reply with its number: a value, or Python's words."""

import pytest

from tfedu.view.records import GraphRecord
from tfedu.widgets.questions import Asked, answers


class Counting(Asked):
    KIND = "graph-view"

    @answers("double")
    def _double(self, number):
        return {"twice": 2 * number}

    @answers("refuse")
    def _refuse(self):
        raise ValueError("not today")

    @answers("break")
    def _break(self):
        raise RuntimeError("a fault of ours")


def ask(widget, content):
    widget.comm.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    return [m["data"]["content"] for m in widget.comm.sent if m["data"].get("method") == "custom"]


@pytest.fixture
def widget():
    return Counting(GraphRecord())


def test_a_question_is_answered_under_its_number(widget):
    assert ask(widget, {"ask": 7, "question": "double", "args": {"number": 21}}) == [{"answer": 7, "value": {"twice": 42}}]


def test_what_the_arguments_explain_is_told_and_nothing_more(widget):
    assert ask(widget, {"ask": 1, "question": "refuse", "args": {}}) == [{"answer": 1, "error": "not today"}]
    (_, reply) = ask(widget, {"ask": 2, "question": "double", "args": {"name": 1}})
    assert "name" in reply["error"]
    (*_, reply) = ask(widget, {"ask": 3, "question": "__init__", "args": {}})
    assert "no answer to the question '__init__'" in reply["error"]
    (*_, reply) = ask(widget, {"ask": 4, "question": "double", "args": [1]})
    assert "are an object, not list" in reply["error"]


def test_a_fault_of_ours_is_told_and_raised(widget):
    question = {"ask": 1, "question": "break", "args": {}}
    with pytest.raises(RuntimeError, match="a fault of ours"):
        widget._asked(question, [])
    assert {"answer": 1, "error": "a fault of ours"} in ask(widget, {})


@pytest.mark.parametrize("content", [None, "why", {"ask": "1"}, {"question": "double"}])
def test_what_is_no_question_gets_no_answer(widget, content):
    assert ask(widget, content) == []
