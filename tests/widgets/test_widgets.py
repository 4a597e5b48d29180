"""JSON out of Python, JSON in from the browser; what must stay in Python stays there."""

import base64
import copy
import html
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import programs
import pytest

import tfedu as tf
from tfedu import widgets
from tfedu.view import messages
from tfedu.view.records import from_json
from tfedu.view.records.packing import unpacked
from tfedu.widgets import Compare, GradientFlow, GraphView, Predict, StepThrough

RIGHT = {"t1": ["0", "0", "0"], "t2": ["1", "2", "3"]}


@pytest.fixture
def counters():
    return {"without identity": programs.without_identity(), "with identity": programs.with_identity()}


@pytest.fixture
def made(counters):
    """One widget of each kind."""
    y = counters["with identity"]
    return [GraphView(y.graph), StepThrough(y), Compare(counters), Predict(counters), GradientFlow(*programs.product())]


def printed(side):
    return [run["fetched"][0]["text"] for run in side["trace"]["runs"]]


# -- what goes to the browser ----------------------------------------------------------------------------------------


def test_every_widget_opens_with_a_valid_record_of_its_kind_and_the_bundle(made, wire):
    kinds = {"graph-view": "graph", "step-through": "trace", "compare": "compare", "predict": "predict"}
    kinds["gradient-flow"] = "gradient-flow"
    for widget in made:
        state = wire(widget).opened
        assert state["record"]["kind"] == kinds[state["kind"]]
        from_json(copy.deepcopy(state["record"]))
        assert "render" in state["_esm"]
        assert ".tfedu" in state["_css"]
        assert state["lang"] == ""


def test_compare_carries_what_both_programs_print_and_marks_the_empty_block(counters, wire):
    left, right = wire(Compare(counters)).opened["record"]["sides"]
    assert printed(left) == ["0.0", "0.0", "0.0"]
    assert printed(right) == ["1.0", "2.0", "3.0"]
    assert len(left["marks"]["blocks"]) == 1
    names = {node["id"]: node["name"] for node in right["trace"]["graph"]["nodes"]}
    assert [names[node] for node in right["marks"]["nodes"]] == ["Identity"]
    assert not right["marks"]["blocks"]


def test_record_is_what_the_graph_was_when_the_widget_was_made(wire):
    y = programs.with_identity()
    widget = GraphView(y.graph)
    before = len(widget.record["nodes"])
    with y.graph.as_default():
        tf.constant(1.0)
    assert len(widget.record["nodes"]) == before
    assert len(GraphView(y.graph).record["nodes"]) == before + 1


def test_step_through_starts_from_a_sessions_values_and_leaves_them(counters):
    y = counters["with identity"]
    with y.graph.as_default():
        init = tf.global_variables_initializer()
    with tf.Session(graph=y.graph) as session:
        session.run(init)
        session.run(y)
        widget = StepThrough(y, session=session)
        assert [run["fetched"][0]["text"] for run in widget.record["runs"]] == ["2.0", "3.0", "4.0"]
        assert session.run(y) == 2.0


def test_feeds_reach_the_run_and_a_failing_run_is_shown_not_raised():
    top, under, quotient = programs.quotient()
    assert StepThrough(quotient, {top: 7, under: 2}, runs=1).record["runs"][0]["fetched"][0]["text"] == "3"
    failed = StepThrough(quotient, {top: 7, under: 0}, runs=3).record["runs"]
    assert len(failed) == 1
    assert "zero" in failed[0]["error"]


def test_schedule_may_be_named_by_text():
    with tf.Graph().as_default():
        x = tf.Variable(0.0)
        both = [tf.identity(tf.assign_add(x, 1) * 1.0), tf.identity(tf.assign_add(x, 10) * 1.0)]
    orders = {
        tuple(step["node"] for step in StepThrough(both, runs=1, schedule=f"random({seed})").record["runs"][0]["steps"])
        for seed in range(8)
    }
    assert len(orders) > 1


def test_position_travels_both_ways(counters, wire):
    widget = StepThrough(counters["with identity"])
    wire(widget).receive(run=1, step=3)
    assert (widget.run, widget.step) == (1, 3)
    widget.step = 5
    assert wire(widget).updates[-1] == {"step": 5}


def test_the_gradient_graph_is_filmed_with_the_numbers_of_a_session(wire):
    y, xs = programs.product()
    with tf.Session(graph=y.graph) as session:
        session.run([x.initializer for x in xs])
        xs[0].load(5.0, session)
        widget = GradientFlow(y, xs, session=session, gate_gradients=True)
    assert [result["gradient"]["text"] for result in widget.record["results"]] == ["3.0", "5.0"]
    wire(widget).receive(step=2)
    assert widget.step == 2
    assert wire(GradientFlow(y, xs, ask=True)).opened["ask"] is True
    assert "new nodes" in repr(widget)
    assert "∂2" in widget.svg()


# -- predictions -----------------------------------------------------------------------------------------------------


def test_question_carries_no_answer(counters, wire):
    state = wire(Predict(counters, code="(the program)", prompt="What?")).opened
    asked = json.dumps([state["record"], state["result"], state["draft"]])
    assert "0.0" not in asked
    assert "3.0" not in asked
    assert state["committed"] is False


def test_question_shows_the_lines_that_made_the_targets(counters):
    shown = Predict(counters).record["programs"]
    assert [[piece["lines"][-1].strip() for piece in program] for program in shown] == [["y = x"], ["y = tf.identity(x)"]]
    assert not any("def " in line for program in shown for piece in program for line in piece["lines"])
    ((alone,),) = Predict({"y": counters["with identity"]}).record["programs"]
    assert alone["lines"][0].strip().startswith("with tf.Graph()")
    source = Path(programs.__file__).read_text("utf-8").splitlines()
    assert source[alone["first"] - 1] == alone["lines"][0]


def test_a_pair_is_asked_about_with_the_lines_in_which_its_programs_differ(counters):
    y0, y1 = counters.values()
    asked = Predict.pair(y0, y1, 2, prompt="Which?")
    assert [target["label"] for target in asked.record["targets"]] == ["y = x", "y = tf.identity(x)"]
    assert (asked.record["runs"], asked.record["prompt"]) == (2, "Which?")
    built = Predict.pair(programs.without_identity, programs.with_identity)
    assert built.record["programs"] == asked.record["programs"]
    built.reveal()
    assert [target["actual"] for target in built.result["targets"]] == [["0.0", "0.0", "0.0"], ["1.0", "2.0", "3.0"]]
    named = Predict.pair(y0, y0, titles=("a", "b"))
    assert [target["label"] for target in named.record["targets"]] == ["a", "b"]
    assert [target["label"] for target in Predict.pair(y0, y0 + 1.0).record["targets"]] == ["1", "2"]


def test_draft_alone_gives_no_result(counters, wire):
    widget = Predict(counters)
    wire(widget).receive(draft={"t1": ["1"]}, reason="it counts")
    assert widget.result == {}
    assert not widget.answered
    assert widget.reason == "it counts"


def test_committing_gives_the_result_with_both_runs_to_watch(counters, wire):
    widget = Predict(counters)
    wire(widget).receive(draft={"t1": ["1", "2", "3"], "t2": ["1", "2", "3.0"]}, committed=True)
    first, second = widget.result["targets"]
    assert (first["correct"], second["correct"]) == (False, True)
    assert (first["right"], second["right"]) == ([False, False, False], [True, True, True])
    assert first["actual"] == ["0.0", "0.0", "0.0"]
    assert "M2" in [model["model"] for model in first["models"] if model["matches"]]
    assert widget.result["compare"]["sides"][0]["title"] == "without identity"
    assert wire(widget).updates[-1]["result"]["kind"] == "predict-result"
    from_json(copy.deepcopy(widget.result))


def test_result_stays_as_it_was_however_the_graph_grows(wire):
    y = programs.with_identity()
    widget = Predict({"y": y})
    with y.graph.as_default():
        tf.constant(1.0, name="later")
    widget.reveal()
    assert "later" not in [node["name"] for node in widget.result["trace"]["graph"]["nodes"]]


def test_reveal_answers_without_a_prediction(counters):
    widget = Predict(counters)
    widget.reveal()
    assert widget.answered
    assert [target["correct"] for target in widget.result["targets"]] == [False, False]


@pytest.mark.parametrize("draft", [{}, {"t1": 3}, {"t1": None, "t2": [1, 2]}, {"other": ["x"]}, {"t1": [{}], "t2": "abc"}])
def test_whatever_a_browser_sends_as_draft_is_answered(counters, wire, draft):
    widget = Predict(counters)
    wire(widget).receive(draft=draft, committed=True)
    assert widget.answered


def test_what_comes_after_a_prediction_is_locked_and_empty_until_it_is_committed(counters, wire):
    question = Predict(counters)
    waiting = [
        Compare(counters, after=question),
        StepThrough(counters["with identity"], after=question),
        GraphView(counters["with identity"], after=question),
        GradientFlow(*programs.product(), after=question),
    ]
    for widget in waiting:
        state = wire(widget).opened
        assert state["locked"] is True
        assert state["record"] == {}
        assert state["question"] == wire(question).opened["question"] != ""
        assert "image/svg+xml" not in widget._repr_mimebundle_()[0]
        assert "prediction" in repr(widget)
    wire(question).receive(draft=RIGHT, committed=True)
    for widget in waiting:
        (update,) = wire(widget).updates
        assert update["locked"] is False
        assert update["record"]["version"] == 1
        assert "image/svg+xml" in widget._repr_mimebundle_()[0]
    assert StepThrough(counters["with identity"], after=question).locked is False


# -- places without a kernel, and languages --------------------------------------------------------------------------


def test_every_widget_has_a_picture_and_a_readable_text(made):
    for widget in made:
        data, _ = widget._repr_mimebundle_()
        ElementTree.fromstring(data["image/svg+xml"])
        assert data["text/plain"] == repr(widget)
        assert repr(widget).startswith(f"<tfedu {type(widget).__name__}")
        assert "Run this cell" in repr(widget)
        assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == widget.model_id


def test_picture_of_a_question_has_no_answer_and_that_of_an_answer_has(counters):
    widget = Predict(counters, code="(the program)")
    assert "3.0" not in widget.svg()
    widget.reveal()
    assert "3.0" in widget.svg()


def test_language_is_the_one_that_was_set_or_named(counters):
    y = counters["with identity"]
    try:
        widgets.set_language("ko")
        assert GraphView(y).lang == "ko"
        assert GraphView(y, lang="zh").lang == "zh"
        assert messages.message("graph.default_title") in GraphView(y).svg()
        with pytest.raises(ValueError, match="en, ko, zh"):
            widgets.set_language("de")
        assert GraphView(y).lang == "ko"
    finally:
        widgets.set_language("")
    assert GraphView(y).lang == ""


# -- wrong arguments -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda y: Compare({"one": y}), ValueError, "expected 2 titles"),
        (lambda y: Compare([y, y]), TypeError, "fix: Compare"),
        (lambda y: Compare({"a": y, 3: y}), TypeError, "dict from titles"),
        (lambda y: Predict({}), ValueError, "one or more"),
        (lambda y: StepThrough(y, runs=0), ValueError, "runs must be from 1"),
        (lambda y: StepThrough(y, runs="3"), TypeError, "whole number"),
        (lambda y: StepThrough(y, runs=True), TypeError, "whole number"),
        (lambda y: StepThrough(y, after="predict"), TypeError, "fix: after=predict"),
        (lambda y: StepThrough(y, schedule="sometimes"), ValueError, "list of node ids"),
        (lambda y: StepThrough(y, schedule=3), TypeError, "schedule must be a text"),
        (lambda y: StepThrough([y, None]), TypeError, "None"),
        (lambda y: GradientFlow(y, y, step=1), TypeError, "step"),
        (lambda y: GradientFlow(y, y, after=3), TypeError, "fix: after=predict"),
        (lambda y: GradientFlow(y, y, grad_ys=[1.0, 2.0]), ValueError, "grad_ys"),
        (lambda y: GraphView(3), TypeError, "cannot show a int"),
        (lambda y: GraphView(y, lang="de"), ValueError, "en, ko, zh"),
        (lambda y: GraphView(y, lang=3), TypeError, "lang must be a text"),
    ],
)
def test_wrong_argument_is_an_error_that_says_what_to_do(make, error, text):
    with pytest.raises(error, match=text):
        make(programs.with_identity())


def test_feed_of_a_wrong_shape_is_an_error_of_the_cell_that_asks():
    top, under, quotient = programs.quotient()
    with pytest.raises(ValueError, match="shape"):
        Predict({"quotient": quotient}, feed_dict={top: [1, 2], under: 1}, code="")


def test_hostile_titles_travel_as_text(counters, wire):
    hostile = "</script><img src=x onerror=alert(1)>\u202e__proto__"
    y0, y1 = counters.values()
    widget = Predict({hostile: y0, "__proto__": y1}, title=hostile, prompt=hostile)
    state = wire(widget).opened
    assert state["title"] == hostile
    assert [target["key"] for target in state["record"]["targets"]] == ["t1", "t2"]
    ElementTree.fromstring(widget.svg())


def test_html_picture_holds_the_svg_and_plain_text_only():
    """JupyterLab shows it where it does not trust a notebook, so nothing in it may come alive."""
    with tf.Graph().as_default() as graph:
        tf.constant(1.0, name="a")
    data, _ = GraphView(graph, title='"><script>alert(1)</script>')._repr_mimebundle_()
    found = re.fullmatch(r'<img alt="([^"<>]*)" src="data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)">', data["text/html"])
    assert found
    assert base64.b64decode(found[2]).decode() == data["image/svg+xml"]
    assert "script" in html.unescape(found[1])


def test_record_of_a_wide_run_does_not_grow_with_its_square():
    sizes = {}
    for count in (200, 800):
        with tf.Graph().as_default():
            total = tf.add_n([tf.constant(float(i)) for i in range(count)])
        record = StepThrough(total, runs=1).record
        sizes[count] = len(json.dumps(record))
        assert max(len(step["ready"]) for step in unpacked(record)["runs"][0]["steps"]) <= 64
    assert sizes[800] < 6 * sizes[200]


def test_a_graph_view_begins_with_closed_boxes_and_its_static_picture_follows_the_switch(wire):
    with tf.Graph().as_default() as graph:
        take = tf.placeholder(tf.bool, [], name="take")
        tf.cond(take, lambda: tf.constant(1.0), lambda: tf.constant(2.0))
    view = GraphView(graph, boxes=True)
    assert (wire(view).opened["boxes"], wire(view).opened["collapsed"]) == (True, ["cond"])
    assert ">If take<" in view.svg()
    wire(view).receive(boxes=False, collapsed=[])
    assert ">If take<" not in view.svg()
    assert ">cond<" in view.svg()


def test_a_prediction_whose_program_cannot_run_any_more_says_why():
    with tf.Graph().as_default():
        asked = Predict({"y": tf.constant(1.0, name="y")}, runs=1, watch=False)
        with tf.device("/gpu:0"):
            tf.identity(tf.Variable(2.0), name="there")
    with pytest.raises(tf.errors.InvalidArgumentError):
        asked.reveal()
    assert asked.failure.startswith("Cannot assign a device for operation Variable")
    assert not asked.answered
