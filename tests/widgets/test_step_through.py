"""StepThrough asks nothing twice of the wire: the trace goes once, a fork its own steps, a step two numbers."""

import json

import pytest

import tfedu as tf
from tests.widgets.test_ask import ask
from tfedu.view.messages import message
from tfedu.view.records import BranchRecord, BreaksRecord, LeavesRecord, from_json
from tfedu.view.records.packing import unpacked
from tfedu.widgets import Predict, StepThrough


def race():
    with tf.Graph().as_default():
        a = tf.Variable(1.0, name="a")
        c = tf.add(a, 2, name="c")
        update = tf.assign(a, 5, name="update")
    return [update, c]


def size(states):
    return len(json.dumps(states))


def test_a_trace_is_sent_once_and_then_only_indices(wire):
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        y = x
        for _ in range(200):
            y = tf.assign_add(x, 1.0) + y
    steps = StepThrough(y, runs=2)
    both = wire(steps)
    whole = size(both.opened["record"])
    assert whole > 100_000
    for at in range(1, 50):
        both.receive(step=at)
        steps.run, steps.step = at % 2, at
    assert not any("record" in state for state in both.updates)
    assert all(set(state) <= {"run", "step"} for state in both.updates)
    before = len(both.updates)
    last = len(unpacked(steps.record)["runs"][1]["steps"])
    steps.fork(1, last - 2, set={"x": 7.0})
    sent = both.updates[before:]
    assert not any("record" in state for state in sent)
    assert size(sent) < whole / 20, "a fork near the end tells the end alone"
    before = len(both.updates)
    steps.fork(1, last - 1, set={"x": 8.0})
    assert not any("branch_1" in state for state in both.updates[before:]), "a fork is sent once as well"


def test_forks_are_traits_that_records_can_read(wire):
    steps = StepThrough(race(), runs=1)
    made = steps.fork(0, 3, choose="update/value")
    steps.fork(0, 4, choose="update")
    assert (steps.branch, steps.branches, steps.run, steps.step) == (2, 2, 0, 5)
    assert made.number == 1
    assert steps.timelines[2].parent is made
    state = steps.get_state()
    for number in (1, 2):
        branch = from_json(state[f"branch_{number}"], BranchRecord)
        assert (branch.number, branch.parent) == (number, number - 1)
    leaves = from_json(state["leaves"], LeavesRecord)
    assert [row.texts for row in leaves.rows if row.name == "c:0"] == [("3.0", "3.0", "7.0")]
    assert "2 forks" in repr(steps)


ASKED = {
    "choose": {"node": 7},
    "variable": {"name": "a", "value": "[10.0][0]"},
    "value": {"node": 4, "output": 0, "value": " 10 "},
    "add": {"first": 7, "node": 5},
}


def asked(steps, code, **what):
    at = {"code": code, "run": 0, "step": 3, "timeline": 0}
    (*_, reply) = ask(steps, {"ask": 1, "question": "fork", "args": {**at, **what}})
    return reply


def ids(steps):
    return {op.name: op.id for op in steps.timelines[0].trace.graph.operations}


def test_the_browser_forks_by_ids_and_texts():
    steps = StepThrough(race(), runs=1)
    node = ids(steps)
    assert asked(steps, "choose", node=node["update/value"])["value"] == {"timeline": 1}
    assert asked(steps, "variable", name="a", value="10")["value"] == {"timeline": 2}
    assert asked(steps, "value", node=node["c/y"], output=0, value=" -2.5 ")["value"] == {"timeline": 3}
    assert asked(steps, "add", first=node["update"], node=node["c"])["value"] == {"timeline": 4}
    assert asked(steps, "cut", first=node["update"], node=node["c"], timeline=4, step=4)["value"] == {"timeline": 5}
    assert [line.values[0][1] for line in steps.timelines] == [3, 3, 12, -1.5, 7, 3]
    assert asked(steps, "add", first="update", node=node["c"])["value"] == {"timeline": 6}, "or by a name that is typed"


BAD = {
    "many": "'many' is no value: write a number as 2.5, or a list as [1, 2].",
    "__import__('os')": "is no value",
    "[1, 2]": "a has the shape (), and [1, 2] has (2,).",
    "'x'": "a holds float32, and 'x' is none.",
    "": "is no value",
    "9" * 20_000: "is no value",
    "[" * 5_000: "is no value",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_value_is_refused_in_words(text):
    steps = StepThrough(race(), runs=1)
    reply = asked(steps, "variable", name="a", value=text)
    assert BAD[text] in reply["error"]
    assert reply["error"] == message(f"refused.{reply['code']}", "en", **reply["params"])
    assert steps.branches == 0


@pytest.mark.parametrize(("text", "value"), [("nan", "nan"), ("-inf", "-inf"), ("1e3", "1000.0"), ("+7", "7.0"), ("True", "1.0")])
def test_values_are_read_as_they_are_written(text, value):
    steps = StepThrough(race(), runs=1)
    assert "value" in asked(steps, "variable", name="a", value=text)
    assert str(steps.timelines[1].trace.runs[0].steps[3].writes[0][2]) == value


def test_other_refusals_are_words_too():
    steps = StepThrough(race(), runs=1)
    assert "has run already" in asked(steps, "choose", node=ids(steps)["a"])["error"]
    assert "no timeline 9" in asked(steps, "variable", name="a", value="1", timeline=9)["error"]
    assert asked(steps, "add", first="nobody", node=1) == {
        "answer": 1,
        "error": "'nobody' is not in the graph: no node has that name.",
        "code": "fork.unknown",
        "params": {"name": "'nobody'"},
    }
    assert "no fork is called 'leap'" in asked(steps, "leap")["error"]


def test_breakpoints_are_told_with_the_steps_at_which_they_hit():
    steps = StepThrough(race(), runs=2, breaks=["update", "> 6", lambda at: at.name == "c"])
    told = from_json(steps.breaks, BreaksRecord).breaks
    assert [(b.number, b.kind, b.text) for b in told] == [(1, "node", "update"), (2, "value", "> 6"), (3, "python", "Python: λ")]
    assert [[(h.timeline, h.run, h.steps) for h in b.hits] for b in told] == [
        [(0, 0, (6,)), (0, 1, (6,))],
        [(0, 1, (4,))],
        [(0, 0, (4,)), (0, 1, (4,))],
    ]
    steps.fork(0, 3, set={"a": 70.0})
    told = from_json(steps.breaks, BreaksRecord).breaks
    assert [(h.timeline, h.run, h.steps) for h in told[1].hits if h.timeline] == [(1, 0, (4, 5)), (1, 1, (4,))]


def test_the_browser_sets_and_takes_breakpoints():
    steps = StepThrough(race(), runs=1)
    node = ids(steps)["update"]
    texts = lambda: [b["text"] for b in steps.breaks["breaks"]]
    for question, args, wanted in [
        ("break", {"node": node}, ["update"]),
        ("break", {"text": "x > 10"}, "no node has that name"),
        ("break", {"text": "a changed"}, ["update", "a changed"]),
        ("break", {"node": node}, ["a changed"]),
        ("unbreak", {"number": 2}, []),
        ("unbreak", {"number": 2}, []),
    ]:
        (*_, reply) = ask(steps, {"ask": 1, "question": question, "args": args})
        if isinstance(wanted, str):
            assert wanted in reply["error"]
        else:
            assert texts() == wanted


def test_a_long_fork_is_a_packed_message():
    with tf.Graph().as_default():
        y = tf.while_loop(lambda i: i < 300, lambda i: i + 1, [0])
    steps = StepThrough(y, runs=1)
    made = steps.fork(0, 10, choose=steps.timelines[0].trace.runs[0].steps[9].ready[-1])
    sent = steps.get_state()["branch_1"]
    assert "packed" in sent
    branch = from_json(sent, BranchRecord)
    assert len(branch.runs[0].steps) == len(made.trace.runs[0].steps) - 10


def test_one_that_hits_very_often_says_so():
    with tf.Graph().as_default():
        y = tf.while_loop(lambda i: i < 700, lambda i: i + 1, [0])
    steps = StepThrough(y, runs=1, breaks=["iteration", ">= 0"])
    few, many = from_json(steps.breaks, BreaksRecord).breaks
    assert len(few.hits[0].steps) == 701
    assert few.note is None
    assert len(many.hits[0].steps) == 2000
    assert (many.note.code, many.note.params) == ("often", {"n": 2000})


def test_nothing_is_told_before_the_prediction_is_committed():
    fetches = race()
    predict = Predict({"c": fetches[1]}, runs=1)
    steps = StepThrough(fetches, runs=1, breaks=["> 2"], after=predict)
    assert steps.breaks == {}
    assert steps.record == {}
    with pytest.raises(RuntimeError, match="opens when the prediction"):
        steps.fork(0, 0, set={"a": 1.0})
    predict.draft, predict.reason = {"c": ["3"]}, "a is 1"
    predict.committed = True
    assert not steps.locked
    assert steps.breaks["breaks"]
    with pytest.raises(ValueError, match="no node has that name"):
        StepThrough(race(), breaks=["nobody"])
