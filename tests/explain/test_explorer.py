"""The record of outcomes: results with their ways, races with a line that ends them, on a copy, and why nothing can differ."""

import json

import pytest

import tfedu as tf
from tfedu.explain.orders import outcome_records
from tfedu.explain.orders.outcome_records import Explorer
from tfedu.view.messages import LANGUAGES
from tfedu.view.record_kinds import picture, text_of
from tfedu.view.records import from_json, to_json


def raced():
    a = tf.Variable(1.0, name="a")
    c = tf.add(a, 2.0, name="c")
    return tf.assign(a, 5.0, name="write"), c


def values(record):
    return [list(result.values) for result in record.results]


def last_values(way):
    return [fetched.text for fetched in way.runs[-1].fetched]


def test_each_result_has_a_way_that_gives_it_step_by_step():
    record = Explorer(list(raced())).record()
    assert values(record) == [["[5.0, 3.0]"], ["[5.0, 7.0]"]]
    assert [last_values(result.way) for result in record.results] == [["5.0", "3.0"], ["5.0", "7.0"]]
    first, second = (result.way for result in record.results)
    assert first.schedules == ("creation",)
    names = {node.id: node.name for node in record.trace.graph.nodes}
    ((before,),) = second.before
    assert (names[before.first], names[before.second]) == ("write", "c")
    assert from_json(json.loads(json.dumps(to_json(record)))) == record


def test_a_race_shows_both_orders_and_on_a_copy_its_line_ends_it():
    write, c = raced()
    explorer = Explorer([write, c])
    (race,) = explorer.record().races
    assert race.line == 'with tf.control_dependencies(["c"]):'
    assert [last_values(w.way)[1] for w in (race.one, race.other)] == ["3.0", "7.0"]
    edges = len(write.op.control_inputs)
    fixed = explorer.record([(race.first, race.second)])
    assert values(fixed) == [["[5.0, 3.0]"]]
    assert (fixed.races, fixed.fixes) == ((), ((race.first, race.second),))
    assert len(write.op.control_inputs) == edges
    (pair,) = fixed.ordered
    assert (pair.code, pair.path) == ("read_write", (c.op.id, write.op.id))


def test_the_values_of_a_copy_come_in_the_nest_of_the_fetches():
    write, c = raced()
    explorer = Explorer({"w": write, "c": (c,)}, runs=2)
    (race, *_) = explorer.record().races
    fixed = explorer.record([(race.first, race.second)])
    assert values(fixed) == [["{w: 5.0, c: [3.0]}", "{w: 5.0, c: [7.0]}"]]


@pytest.mark.parametrize("fixes", [[(0, 0)], [(0, 99)], [("a", 1)], [(7, 5), (5, 7)]])
def test_what_is_no_fix_is_refused(fixes):
    with pytest.raises(ValueError, match=r"two nodes' numbers|cannot wait"):
        Explorer(list(raced())).record(fixes)


def test_a_session_lends_its_values_to_copies_too():
    write, c = raced()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(write)
        record = Explorer([write, c], session=session).record()
    assert values(record) == [["[5.0, 7.0]"]]


def test_it_is_said_why_nothing_can_differ():
    x = tf.Variable(0.0, name="x")
    one = tf.assign_add(x, 1.0, name="one")
    with tf.control_dependencies([one]):
        between = tf.no_op(name="between")
    with tf.control_dependencies([between]):
        two = tf.assign_add(x, 2.0, name="two")
    with tf.control_dependencies([two]):
        last = tf.identity(x, name="last")
    record = Explorer(last + 0.0).record()
    names = {node.id: node.name for node in record.trace.graph.nodes}
    told = [(pair.code, [names[node] for node in pair.path]) for pair in record.ordered]
    assert ("write_write", ["one", "between", "two/value", "two"]) in told
    assert ("write_read", ["two", "last", "add"]) in told
    assert len(told) == 2  # that "one" comes before "add" follows
    both = Explorer([tf.assign_add(x, 1.0).op, tf.assign_add(x, 2.0).op]).record()
    assert [pair.code for pair in both.ordered] == ["alike"]
    assert Explorer(tf.constant(1.0) + 2.0).record().ordered == ()


def test_what_is_not_listed_is_counted():
    x = tf.Variable(0.0, use_resource=True)
    record = Explorer([tf.assign_add(x, 1.0) for _ in range(8)], budget=3000).record()
    assert not record.exact
    assert len(record.results) == outcome_records.LISTED
    assert record.more_results > 0
    assert record.ordered == ()


def test_long_ways_are_told_when_they_are_asked_for(monkeypatch):
    write, c = raced()
    whole = Explorer([write, c])
    known = whole.record()
    monkeypatch.setattr(outcome_records, "MOST_STEPS", 6)
    short = whole.record()
    assert [bool(result.way.schedules) for result in short.results] == [True, False]
    assert whole.way((), "1") == known.results[1].way
    assert whole.way((), "0.1") == known.races[0].other.way
    for name in ("2", "0.2", "x", "1.0"):
        with pytest.raises(ValueError, match="no way"):
            whole.way((), name)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_saved_notebook_shows_the_results_and_the_races(lang):
    record = Explorer(list(raced())).record()
    text = text_of(record, lang)
    assert "[5.0, 7.0]" in text
    assert "control_dependencies" in text
    assert "{" not in text
    assert "[5.0, 7.0]" in picture(record, lang=lang)


def test_a_fix_lets_a_whole_loop_wait_and_races_of_the_copy_know_their_loops():
    x = tf.Variable(0.0, use_resource=True)
    outside = x * 10.0

    def body(i, s):
        return i + 1, s + tf.convert_to_tensor(tf.assign_add(x, 1.0))

    explorer = Explorer([outside, tf.while_loop(lambda i, _: i < 2, body, [0, 0.0])[1]])
    whole, apart = explorer.record().races
    assert (whole.advice, apart.advice) == ("fix_whole", "fix_loop")
    fixed = explorer.record([(whole.first, whole.second)])
    assert [(race.first, race.second, race.advice) for race in fixed.races] == [(apart.first, apart.second, "fix_loop")]
