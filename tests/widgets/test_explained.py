"""Why, in widgets: the kernel tells reasons and tries changes on copies, and tells nothing that is still a secret."""

import programs
import pytest

import tfedu as tf
from tfedu.view import build
from tfedu.view.records import from_json
from tfedu.widgets import (
    BeTheExecutor,
    BuildFilm,
    Compare,
    GradientFlow,
    GraphDiff,
    GraphView,
    Lint,
    OutcomeExplorer,
    Passes,
    Predict,
    StepThrough,
)


def asked(widget, question, **args):
    """The reply to a question of the browser."""
    message = {"ask": 1, "question": question, "args": args}
    widget.comm.handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})
    replies = [m["data"]["content"] for m in widget.comm.sent if m["data"].get("method") == "custom"]
    return replies[-1]


def told(widget, question, **args):
    reply = asked(widget, question, **args)
    assert "value" in reply, reply
    return reply["value"]


def named(y, name):
    return y.graph.get_operation_by_name(name).id


def printed(side):
    return [run["fetched"][0]["text"] for run in side["trace"]["runs"]]


def test_a_change_is_tried_on_a_copy_and_stands_beside_what_was():
    y = programs.with_identity()
    widget = StepThrough(y)
    node = named(y, "AssignAdd")
    reason = told(widget, "why", node=node)
    assert from_json(reason).why.code == "control"
    assert reason["changes"][0]["parts"][0]["code"] == "unwait"
    compared = told(widget, "try", node=node, change=0)
    before, after = from_json(compared).sides
    assert [run.fetched[0].text for run in before.trace.runs] == ["1.0", "2.0", "3.0"]
    assert [run.fetched[0].text for run in after.trace.runs] == ["0.0", "0.0", "0.0"]
    assert [op.name for op in y.op.control_inputs] == ["AssignAdd"]


def test_each_side_is_asked_about_its_own_program():
    sides = {"without": programs.without_identity(), "with": programs.with_identity()}
    widget = Compare(sides)
    node = named(sides["without"], "AssignAdd")
    assert told(widget, "why", node=node)["why"]["code"] == "pruned"
    assert told(widget, "why", node=node, program=1)["why"]["code"] == "control"
    assert "no program" in asked(widget, "why", node=node, program=2)["error"]
    made = told(widget, "why", node=node)["changes"]
    inside = next(i for i, change in enumerate(made) if change["parts"][0]["code"] == "inside")
    assert printed(told(widget, "try", node=node, change=inside)["sides"][1]) == ["1.0", "2.0", "3.0"]


def test_what_a_session_has_not_initialized_is_waited_for():
    y = programs.with_identity()
    with tf.Session(graph=y.graph) as session:
        widget = StepThrough(y, session=session)
        reason = told(widget, "why", node=y.op.id)
        assert reason["why"]["code"] == "waiting"
        assert printed(told(widget, "try", node=y.op.id, change=0)["sides"][1]) == ["1.0", "2.0", "3.0"]


def test_a_graph_is_asked_about_where_it_is_known_what_is_fetched(wire):
    y = programs.with_identity()
    node = named(y, "AssignAdd")
    plain, known = GraphView(y.graph), GraphView(y.graph, fetches=y)
    assert [wire(widget).opened["explains"] for widget in (plain, known)] == [False, True]
    assert "no program" in asked(plain, "why", node=node)["error"]
    assert told(known, "why", node=node)["why"]["code"] == "control"


def test_before_the_prediction_nothing_is_told():
    y = programs.with_identity()
    predict = Predict({"y": y})
    locked = [predict, StepThrough(y, after=predict), OutcomeExplorer(y, after=predict)]
    for widget in locked:
        assert "no program" in asked(widget, "why", node=y.op.id)["error"]
        assert "no program" in asked(widget, "try", node=y.op.id, change=0)["error"]
    for question, args in (("fixed", {"fixes": []}), ("way", {"fixes": [], "name": "0"})):
        assert "no program" in asked(locked[2], question, **args)["error"]
    predict.reveal()
    for widget in locked:
        assert told(widget, "why", node=y.op.id)["why"]["code"] == "fetched"


def test_an_executor_is_told_reasons_when_the_game_is_over(wire):
    y = programs.with_identity()
    widget = BeTheExecutor(y)
    assert not wire(widget).opened["explains"]
    assert "no program" in asked(widget, "why", node=y.op.id)["error"]
    while not widget.done:
        widget.take(widget.game.ready[0])
    assert widget.explains
    assert told(widget, "why", node=y.op.id)["why"]["code"] == "fetched"


@pytest.fixture
def square():
    """A loss of a variable and a placeholder."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        w = tf.Variable(3.0, name="w")
        yield x, w, tf.square(w * x, name="loss")


def node_of(widget, name):
    graph = from_json(widget.record).graph
    return next(node.id for node in graph.nodes if node.name == name)


def test_gradient_nodes_that_are_not_in_the_graph_any_more_are_asked_about_too(square, wire):
    x, w, loss = square
    before = len(loss.graph.operations)
    widget = GradientFlow(loss, w, {x: 2.0})
    assert wire(widget).opened["explains"]
    made = node_of(widget, "gradients/loss_grad/Mul")
    assert made >= before == len(loss.graph.operations)
    reason = told(widget, "why", node=made)
    assert (reason["why"]["code"], reason["why"]["params"]["consumer"]) == ("data", "gradients/loss_grad/Mul_1")
    # the gradient of a square needs what was squared, and not the square
    unneeded = told(widget, "why", node=node_of(widget, "loss"))
    assert unneeded["why"]["code"] == "pruned"
    fetch = next(i for i, change in enumerate(unneeded["changes"]) if change["parts"][0]["code"] == "fetch")
    before, after = told(widget, "try", node=node_of(widget, "loss"), change=fetch)["sides"]
    assert printed(before) == ["24.0"]
    assert [each["text"] for each in after["trace"]["runs"][0]["fetched"]] == ["24.0", "None"]
    with tf.Session() as session:
        session.run(w.assign(5.0))
        seen = GradientFlow(loss, w, {x: 2.0}, session)
    cut = told(seen, "why", node=made)
    assert cut["flips"] == "stop"
    assert printed(told(seen, "try", node=made, change=0)["sides"][0]) == ["40.0"]


def test_reasons_need_no_values_and_what_would_need_them_is_not_tried(square):
    x, w, loss = square
    widget = GradientFlow(loss, w)
    reason = told(widget, "why", node=node_of(widget, "mul"))
    assert reason["why"]["code"] == "data"
    assert [change["needs"] for change in reason["changes"]] == [["x:0"]]
    assert told(widget, "why", node=x.op.id)["why"]["code"] == "fed"
    assert "no change 0" in asked(widget, "try", node=node_of(widget, "mul"), change=0)["error"]


def test_where_no_gradient_comes_the_ys_are_what_is_fetched(square):
    x, _, loss = square
    widget = GradientFlow(loss, tf.constant(1.0, name="other"), {x: 1.0})
    assert told(widget, "why", node=loss.op.id)["why"]["code"] == "fetched"


def test_passes_know_what_would_flip_them(square):
    x, _, loss = square
    widget = Passes(loss, {x: 2.0})
    reason = told(widget, "why", node=node_of(widget, "w/Assign"))
    assert reason["why"]["code"] == "pruned"
    assert reason["changes"]


def test_lint_tells_reasons_of_the_newest_run_of_the_program(square, wire):
    x, w, loss = square
    with tf.control_dependencies([tf.assign(w, 0.0, name="lost")]):
        same = loss
    silent = Lint(same.graph)
    assert not wire(silent).opened["explains"]
    assert silent.record["run"] == {"code": "none", "params": {}}
    assert "no program" in asked(silent, "why", node=loss.op.id)["error"]
    with tf.Session() as session:
        session.run(w.initializer)
        session.run(loss, {x: 2.0})
    widget = Lint()
    (finding,) = widget.findings
    assert finding.code == "empty_block"
    assert widget.record["run"]["code"] == "last"
    assert widget.record["run"]["params"]["fetches"] == "loss:0"
    assert "test_explained.py" in widget.record["run"]["params"]["where"]
    reason = told(widget, "why", node=finding.nodes[0].id)
    assert (reason["why"]["code"], reason["flips"]) == ("pruned", "run")
    assert all("x:0" in change["needs"] for change in reason["changes"]), "what was fed is not kept"
    # the way leads through nodes that the finding's picture has not
    around = {node["id"] for node in told(widget, "around", finding=0)["nodes"]}
    above = told(widget, "why", node=named(loss, "w/read"))["why"]
    assert set(above["path"]) - around
    assert above["params"]["path"] == "loss → mul → w/read"


def test_lint_can_be_given_the_run(square, wire):
    x, w, loss = square
    lost = tf.assign(w, 0.0, name="lost")
    widget = Lint(fetches={"loss": loss}, feed_dict={x: 2.0})
    assert widget.record["run"] == {"code": "given", "params": {"fetches": "loss:0"}}
    reason = told(widget, "why", node=lost.op.id)
    fetch = next(i for i, change in enumerate(reason["changes"]) if change["parts"][0]["code"] == "fetch")
    assert printed(told(widget, "try", node=lost.op.id, change=fetch)["sides"][0]) == ["36.0"]
    question = Predict({"loss": loss}, feed_dict={x: 2.0})
    closed = Lint(fetches=loss, feed_dict={x: 2.0}, after=question)
    assert "no program" in asked(closed, "why", node=lost.op.id)["error"]
    question.reveal()
    assert told(closed, "why", node=lost.op.id)["why"]["code"] == "pruned"


@pytest.mark.parametrize("args", [{"node": 999}, {"node": "y"}, {"node": True}, {"node": -1}])
def test_what_is_no_node_is_said(args):
    assert "no node" in asked(StepThrough(programs.with_identity()), "why", **args)["error"]


def test_outcomes_after_a_fix_come_from_a_copy(wire):
    with tf.Graph().as_default():
        a = tf.Variable(1.0)
        c, write = a + 2.0, tf.assign(a, 5.0)
        widget = OutcomeExplorer([write, c])
    record = wire(widget).opened["record"]
    assert [result["values"] for result in record["results"]] == [["[5.0, 3.0]"], ["[5.0, 7.0]"]]
    (race,) = record["races"]
    fixed = told(widget, "fixed", fixes=[[race["first"], race["second"]]])
    assert [result["values"] for result in from_json(fixed) and fixed["results"]] == [["[5.0, 3.0]"]]
    assert told(widget, "way", fixes=[], name="1") == record["results"][1]["way"]
    assert widget.record == record
    assert repr(widget).startswith("<tfedu OutcomeExplorer: 2 possible results, races: 1.")


def test_outcomes_of_two_threads_that_share_a_queue(wire):
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(2, tf.int32, [[]])
        puts, taken = [queue.enqueue(1), queue.enqueue(2)], queue.dequeue()
        widget = OutcomeExplorer([puts, [taken]], threads=True)
        with pytest.raises(ValueError, match="Threads 0 and 1 both run node"):
            OutcomeExplorer([[*puts, taken], [taken]], threads=True)
    record = wire(widget).opened["record"]
    assert [result["values"] for result in record["results"]] == [["[[None, None], [1]]"], ["[[None, None], [2]]"]]
    (race,) = record["races"]
    fixed = told(widget, "fixed", fixes=[[race["first"], race["second"]]])
    assert len(from_json(fixed).results) == 1


def test_the_explorer_plays_what_it_is_told_to_play(wire):
    widget = OutcomeExplorer(programs.with_identity())
    wire(widget).receive(playing="0", beside="0.1", run=0, step=2)
    assert (widget.playing, widget.beside, widget.step) == ("0", "0.1", 2)


def test_what_is_long_is_sent_packed():
    with tf.Graph().as_default():
        y = x = tf.Variable(0.0)
        for _ in range(300):
            y = y + 1.0
        widget = OutcomeExplorer([y, tf.assign(x, 5.0)])
    assert "packed" in widget.record
    (race,) = from_json(widget.record).races
    fixed = told(widget, "fixed", fixes=[[race.first, race.second]])
    assert "packed" in fixed
    assert len(from_json(fixed).results) == 1
    assert from_json(told(widget, "try", node=race.first, change=0)).sides


def test_a_film_tells_why_of_what_it_was_given_or_the_function_gave():
    y = programs.with_identity()
    for film in (BuildFilm(y), BuildFilm(y.graph, fetches=y)):
        assert film.explains
        assert from_json(told(film, "why", node=named(y, "AssignAdd"))).why.code == "control"

    def counter():
        x = tf.Variable(0.0)
        with tf.control_dependencies([tf.assign_add(x, 1.0, name="up")]):
            return tf.identity(x)

    film = BuildFilm(counter)
    up = next(node.id for node in film._record.graph.nodes if node.name == "up")
    assert from_json(told(film, "why", node=up)).why.code == "control"
    assert not BuildFilm(y.graph).explains
    assert not BuildFilm(programs.with_identity).explains  # it makes its nodes in a graph of its own
    with pytest.raises(ValueError, match="another graph"):
        BuildFilm(y.graph, fetches=tf.constant(1.0))
    assert not BuildFilm(lambda: 3).explains


def test_each_node_of_a_difference_is_asked_about_in_the_graph_that_has_it():
    before, after = programs.with_identity(), programs.without_identity()
    diff = GraphDiff(before.graph, after.graph, fetches=after.graph.get_tensor_by_name("Variable/read:0"))
    removed = [change for change in diff._record.nodes if change.changes == ("removed",)]
    assert [change.before for change in removed] == [before.op.name]
    assert from_json(told(diff, "why", node=named(after, "Variable/read"))).why.code == "fetched"
    assert from_json(told(diff, "why", node=removed[0].node)).why.code == "pruned"
    assert from_json(told(diff, "try", node=removed[0].node, change=0)).sides
    assert not GraphDiff(before.graph, after.graph).explains
    with pytest.raises(ValueError, match="another graph"):
        GraphDiff(before.graph, after.graph, fetches=before)


def test_what_is_no_more_in_the_graph_that_is_run_has_no_reason():
    before, after = programs.with_identity(), programs.without_identity()
    diff = GraphDiff(build.graph_record(before.graph), after.graph, fetches=after)
    (removed,) = [change.node for change in diff._record.nodes if change.changes == ("removed",)]
    assert "no more" in asked(diff, "why", node=removed)["error"]
