"""The film of a call of `gradients`: its record, its text and picture, and what of a graph belongs to gradients.

tests/golden/gradient_flow.json is read by widgets/test/widgets/gradient-flow.test.ts too.
After a wanted change of records, write it anew
with `python tests/view/test_gradient_flow.py`.
"""

import dataclasses
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import tfedu as tf
from tfedu.explain import gradient_steps
from tfedu.view import messages
from tfedu.view.build import graph_record
from tfedu.view.draw.svg import flow_svg
from tfedu.view.make.gradient_film import flow_record, health
from tfedu.view.records import RecordError, from_json, to_json
from tfedu.view.words.gradient_text import flow_text, result_texts

SHARED = Path(__file__).parents[1] / "golden" / "gradient_flow.json"


def two_ways():
    """w ─ p = w·x ─┬─ s = p² ─┬─ y = s + p; whole passes nothing on."""
    with tf.Graph().as_default():
        x = tf.constant(3.0, name="x")
        w = tf.Variable(2.0, name="w")
        v = tf.Variable(1.0, name="v")
        p = tf.multiply(w, x, name="p")
        y = tf.add(tf.square(p, name="s"), p, name="y")
        whole = tf.cast(tf.cast(v, tf.int32, name="whole"), tf.float32, name="back")
        return tf.add(y, whole, name="z"), [w, v]


def shared():
    """The film of it as JSON, without the lines of this file."""
    record = flow_record(*two_ways())
    nodes = tuple(dataclasses.replace(node, site=None) for node in record.graph.nodes)
    return to_json(dataclasses.replace(record, graph=dataclasses.replace(record.graph, nodes=nodes, codes=())))


def test_the_shared_film_is_the_one_of_today():
    assert json.loads(SHARED.read_text("utf-8")) == json.loads(json.dumps(shared()))


def test_a_film_survives_json_and_does_not_change_the_graph():
    y, xs = two_ways()
    before = y.graph.as_graph_def().SerializeToString()
    record = flow_record(y, xs)
    assert from_json(json.loads(json.dumps(to_json(record)))) == record
    assert y.graph.as_graph_def().SerializeToString() == before
    assert flow_record(y, xs).turns == record.turns
    with y.graph.as_default():
        names = [g.name for g in tf.gradients(y, xs) if g is not None]
    assert [r.gradient.name for r in record.results if r.gradient] == names


def test_a_finalized_graph_is_filmed_too_and_stays_so():
    y, xs = two_ways()
    y.graph.finalize()
    assert flow_record(y, xs).turns
    assert y.graph.finalized


def test_a_call_that_fails_leaves_nothing_and_says_what_gradients_says():
    with tf.Graph().as_default() as graph:
        y = tf.constant(1.0)
        count = len(graph.get_operations())
        with pytest.raises(TypeError, match="grad_ys"):
            flow_record(tf.complex(y, y), [y])
        assert len(graph.get_operations()) == count + 1


def test_values_come_from_the_session_that_is_named():
    y, (w, v) = two_ways()
    with tf.Session(graph=y.graph) as session:
        session.run([w.initializer, v.initializer])
        w.load(1.0, session)
        assert flow_record(y, w, session=session).results[0].gradient.text == "21.0"
    assert flow_record(y, w).results[0].gradient.text == "39.0"


def test_without_a_fed_placeholder_there_are_nodes_but_no_numbers():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        y = tf.square(x)
        assert flow_record(y, x).results[0].gradient.health == ""
        assert flow_record(y, x, {x: 3.0}).results[0].gradient.text == "6.0"
        with pytest.raises(ValueError, match="could not convert"):
            flow_record(y, x, {x: "three"})


@pytest.mark.parametrize(
    ("value", "word"),
    [([1.0, 0.0], "fine"), ([0.0, 0.0], "zero"), ([1e-9, 0.0], "tiny"), ([1.0, float("nan")], "nan"),
     ([float("inf")], "inf"), ([], "fine"), ([1j], "fine"), ([0j], "zero")],
)  # fmt: skip
def test_health_of_numbers(value, word):
    assert health(value) == word


def test_gradients_of_the_branch_that_was_not_taken_are_dead():
    with tf.Graph().as_default():
        x = tf.Variable(2.0)
        record = flow_record(tf.cond(x > 1.0, lambda: x * x, lambda: tf.negative(x, name="other")), x)
    assert record.results[0].gradient.text == "4.0"
    at_other = next(turn for turn in record.turns if turn.formula == "dx = -g")
    assert [arrival.total.health for arrival in at_other.arrivals] == ["dead"]
    assert "dead: on a branch that was not taken" in flow_text(record, "en")


def test_the_film_shows_the_gradient_of_a_loop_from_outside_it():
    with tf.Graph().as_default():
        x = tf.Variable(2.0)
        _, cube = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * x), [0, 1.0])
        record = flow_record(cube, x)
    assert record.results[0].gradient.text == "12.0"
    assert from_json(to_json(record)) == record


def test_a_node_that_fails_in_the_run_is_the_error_of_the_call():
    with tf.Graph().as_default() as graph:
        x = tf.Variable([1.0, float("nan")])
        y = tf.check_numerics(x, "here")
        count = len(graph.get_operations())
        with pytest.raises(tf.errors.InvalidArgumentError, match="here"):
            flow_record(y * y, x)
        assert len(graph.get_operations()) == count + 1


def test_indexed_slices_are_shown_with_their_indices():
    with tf.Graph().as_default():
        table = tf.get_variable("table", [4, 2], initializer=tf.ones_initializer())
        found = flow_record(tf.gather(table, [2, 0]), table).results[0].gradient
    assert "@ [2, 0]" in found.text


def test_the_text_has_each_turn_and_the_reason_for_none():
    text = flow_text(flow_record(*two_ways()), "en")
    assert "Step 5 of 7: the rule of p passes gradients back, new nodes: 3" in text
    assert "da = g · b, db = g · a" in text
    assert "2 gradients arrive here and are added up:" in text
    assert "w:0: gradients/p_grad/Mul:0 = 39.0" in text
    assert "v:0: None. The path goes through whole, and values of its dtype, such as whole numbers" in text


def test_every_kind_of_turn_and_of_none_has_a_message_in_every_language():
    with tf.Graph().as_default() as graph:
        a, b, c, d, e = (tf.Variable(1.0, name=name) for name in "abcde")
        y = tf.stop_gradient(a * 2.0, name="kept") + tf.identity(b, name="here") + tf.floor(c, name="steps") + d
        y *= tf.to_float(tf.argmax([1.0, 2.0], name="best"))
        y = tf.gather(tf.stack([y, y]), tf.argmax([0.0, 1.0]))
        record = flow_record(y, [a, b, c, d, e], stop_gradients=[graph.get_tensor_by_name("here:0")])
    codes = [result.code for result in record.results]
    assert codes == ["constant", "stopped", "none", "found", "unrelated"]
    assert {turn.kind for turn in record.turns} >= {"start", "rule", "constant", "stopped", "nothing", "reached"}
    assert {share.code for turn in record.turns for share in turn.shares} == {"passed", "aside", "integer", "none"}
    for lang in messages.LANGUAGES:
        text = flow_text(record, lang)
        assert "{" not in text
        assert "kept" in text
        assert len(result_texts(record, lang)) == 5
        assert messages.message("flow.why.keeps_away", lang) in text


def test_gradient_steps_is_a_picture_and_a_text(tmp_path):
    told = gradient_steps(*two_ways(), lang="en")
    assert repr(told) == flow_text(told.record, "en")
    root = ElementTree.parse(told.save(tmp_path / "film.svg")).getroot()
    words = "".join(root.itertext())
    assert "∂5" in words  # made in the fifth turn
    assert "gradients/p_grad/Mul:0 = 39.0" in words


def test_a_rule_of_the_programs_own_is_named():
    @tf.RegisterGradient("TestFlowDouble")
    def double(op, g):
        return 2.0 * g

    with tf.Graph().as_default() as graph:
        x = tf.Variable(1.0)
        with graph.gradient_override_map({"Identity": "TestFlowDouble"}):
            y = tf.identity(x, name="y")
        turn = next(turn for turn in flow_record(y, x).turns if turn.kind == "rule")
    assert (turn.formula, turn.reason) == ("", "TestFlowDouble")
    assert turn.made


def test_the_closure_of_a_custom_gradient_is_filmed():
    @tf.custom_gradient
    def clipped(x):
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    with tf.Graph().as_default():
        x = tf.constant(100.0)
        assert flow_record(clipped(x), x).results[0].gradient.text == "1.0"


# -- which nodes are gradients ------------------------------------------------------------------------------------------


def pairs(graph):
    record = graph_record(graph)
    names = {node.id: node.name for node in record.nodes} | {None: None}
    return {names[pair.node]: names[pair.of] for pair in record.gradients}


def test_names_tell_which_nodes_gradients_made_and_for_which():
    y, (w, _) = two_ways()
    record = flow_record(y, w)
    with y.graph.as_default(), tf.name_scope("train"):
        tf.gradients(y, w)
    told = pairs(y.graph)
    made = {node.id: node.name for node in record.graph.nodes}
    for turn in record.turns:
        for id in turn.made:
            owner = None if turn.kind == "start" else made[turn.node]
            assert told.pop(f"train/{made[id]}") == owner
        for id in turn.sums:
            assert told.pop(f"train/{made[id]}") is None
    assert told == {}


def test_a_gradients_gradient_belongs_to_the_gradient():
    with tf.Graph().as_default() as graph:
        x = tf.constant(2.0, name="x")
        first = tf.gradients(tf.multiply(x, x, name="m"), x)
        tf.gradients(first, x)
    told = pairs(graph)
    assert told["gradients/m_grad/Mul"] == "m"
    assert told["gradients_1/gradients/m_grad/Mul_grad/Mul"] == "gradients/m_grad/Mul"


def test_a_scope_that_only_looks_like_a_gradient_is_none():
    with tf.Graph().as_default() as graph:
        tf.constant(1.0, name="x")
        tf.constant(1.0, name="x_grad/value")
        tf.constant(1.0, name="mine/other_grad/value")
    assert pairs(graph) == {}


@pytest.mark.parametrize("name", ["a_grad/" * 600 + "b", "/" * 5000 + "_grad/x", "_grad/_grad/_grad/"])
def test_hostile_names_take_no_time(name):
    with tf.Graph().as_default() as graph:
        graph.create_op("NoOp", [], [], name="a")
        graph.add_node("NoOp", name, [], {}, [], [])
    graph_record(graph)


def test_the_picture_of_a_graph_marks_gradient_nodes():
    y, (w, _) = two_ways()
    before = tf.show(y.graph, lang="en").svg
    assert "∂" not in before
    with y.graph.as_default():
        tf.gradients(y, w)
    after = tf.show(y.graph, lang="en").svg
    assert "node of a gradient" in after
    assert after.count("∂") > 5


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"turns": [{"node": 99}]}, r"turns\[0\]"),
        ({"turns": [{"made": [99]}]}, r"turns\[0\]"),
        ({"turns": [{"kind": "dance"}]}, r"turns\[0\]\.kind"),
        ({"results": [{"at": 99}]}, r"results\[0\]"),
        ({"ys": [{"node": 99}]}, "ys"),
    ],
)
def test_a_malformed_film_is_refused_with_its_place(change, place):
    data = shared()
    ((key, (values,)),) = change.items()
    data[key][0].update(values)
    with pytest.raises(RecordError, match=place):
        from_json(data)


def test_a_film_is_drawn_in_every_language():
    record = flow_record(*two_ways())
    for lang in messages.LANGUAGES:
        ElementTree.fromstring(flow_svg(record, lang=lang))


if __name__ == "__main__":
    SHARED.write_text(json.dumps(shared(), indent=1, sort_keys=True) + "\n", "utf-8")
