"""Outcomes are all that a run can give and nothing else, each with a schedule; races name the pairs that matter, and end."""

import re

import numpy as np
import pytest

import tfedu as tf
from tfedu import explain
from tfedu.engine.graph.copies import copied
from tfedu.view.messages import LANGUAGES

KINDS = pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])


def possible(fetches, **more):
    """The values that can come out, as sorted lists; and each comes out again when its schedule is replayed."""
    found = explain.outcomes(fetches, **more)
    assert found.exact
    for one in found:
        if one.error is None:
            assert repr(one.replay()) == repr(one.values)
    return sorted(np.array(one.value).tolist() for one in found)


def by_session(found, fetches, feed_dict=None):
    """What a program gets that gives each schedule to its session."""
    values = []
    for one in found:
        with tf.Session(schedule=one.schedule) as session:
            session.run(tf.global_variables_initializer())
            values.append(np.array(session.run(fetches, feed_dict)).tolist())
    return values


@KINDS
def test_a_read_and_an_assign_without_order_give_two_results(use_resource):
    a = tf.Variable(1.0, use_resource=use_resource)
    c = a + 2.0
    assign = tf.assign(a, 5.0)
    assert possible([assign, c]) == [[5.0, 3.0], [5.0, 7.0]]
    found = explain.outcomes([assign, c])
    assert by_session(found, [assign, c]) == [[5.0, 3.0], [5.0, 7.0]]
    assert found[0].schedule == "creation"
    assert re.fullmatch(r"\d+<\d+", found[1].schedule)
    with tf.control_dependencies([c]):
        after = tf.assign(a, 5.0)
    assert possible([after, c]) == [[5.0, 3.0]]


# The table of the design: who reads a variable when.


@KINDS
def test_a_read_inside_the_block_of_an_update_sees_it(use_resource):
    x = tf.Variable(0.0, use_resource=use_resource)
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        y, z = tf.identity(x), x + 0.5
    assert possible([y, z]) == [[1.0, 1.5]]


@pytest.mark.parametrize(("use_resource", "expected"), [(False, [[1.0, 1.0]]), (True, [[0.0, 0.0], [1.0, 1.0]])])
def test_a_read_outside_the_block_is_an_alias_or_a_photograph(use_resource, expected):
    x = tf.Variable(0.0, use_resource=use_resource)
    r = x.read_value()
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        y = tf.identity(r)
    assert possible([r, y]) == expected


@pytest.mark.parametrize(("use_resource", "expected"), [(False, [[1.0, 1.0]]), (True, [[0.0, 1.0], [1.0, 1.0]])])
def test_a_fetched_reference_is_read_when_the_run_ends(use_resource, expected):
    x = tf.Variable(0.0, use_resource=use_resource)
    assert possible([x, tf.assign_add(x, 1.0)]) == expected


@pytest.mark.parametrize(
    ("use_resource", "expected"), [(False, [[11.0, 11.0]]), (True, [[1.0, 11.0], [11.0, 10.0], [11.0, 11.0]])]
)
def test_two_updates_without_order_both_give_the_variable_or_what_was_read_after_them(use_resource, expected):
    x = tf.Variable(0.0, use_resource=use_resource)
    assert possible([tf.assign_add(x, 1.0), tf.assign_add(x, 10.0)]) == expected


@KINDS
def test_what_computes_with_an_update_may_see_the_next_one(use_resource):
    x = tf.Variable(0.0, use_resource=use_resource)
    first = tf.assign_add(x, 1.0)
    b = first * 1.0
    with tf.control_dependencies([first.op]):
        second = tf.assign_add(x, 10.0)
    assert possible([b, second]) == [[1.0, 11.0], [11.0, 11.0]]


# What is looked at


@KINDS
def test_updates_that_commute_and_chains_that_are_independent_are_few_situations(use_resource):
    x = tf.Variable(0.0, use_resource=use_resource)
    adds = tf.group(*[tf.assign_add(x, 1.0) for _ in range(10)])
    with tf.control_dependencies([adds]):
        total = tf.identity(x)
    found = explain.outcomes(total)
    assert [one.value for one in found] == [10.0]
    assert found.exact
    assert found.turns < 2**13
    ends = []
    for _ in range(4):
        y = tf.Variable(0.0, use_resource=use_resource)
        end = y + 0.0
        for _ in range(30):
            with tf.control_dependencies([end]):
                end = tf.identity(tf.assign_add(y, 1.0))
        ends.append(end)
    found = explain.outcomes(ends)
    assert [one.value for one in found] == [[30.0] * 4]
    assert found.exact
    assert found.turns < 1000


def test_sums_that_differ_by_rounding_are_different_results():
    x = tf.Variable(0.0)
    adds = [tf.assign_add(x, value) for value in (1e8, 1.0, -1e8)]
    with tf.control_dependencies(adds):
        total = tf.identity(x)
    assert possible(total) == [0.0, 1.0]


def test_a_view_of_a_reference_is_read_late_too():
    x = tf.Variable([1.0, 2.0])
    view = tf.reshape(tf.identity(x), [2, 1])
    total, write = tf.reduce_sum(view), tf.assign(x, [5.0, 5.0])
    assert {float(one.value[0]) for one in explain.outcomes([total, write.op])} == {3.0, 10.0}


@KINDS
def test_only_the_taken_branch_races(use_resource):
    x = tf.Variable(1.0, use_resource=use_resource)
    p = tf.placeholder(tf.bool, ())
    y = tf.cond(p, lambda: tf.identity(tf.assign_add(x, 1.0)), lambda: tf.constant(0.0))
    z = x * 10.0
    assert possible([y, z], feed_dict={p: False}) == [[0.0, 10.0]]
    assert possible([y, z], feed_dict={p: True}) == [[2.0, 10.0], [2.0, 20.0]]


def test_an_effect_in_a_loop_and_a_read_beside_it_give_a_result_for_each_round():
    x = tf.Variable(0.0)
    loop = tf.while_loop(lambda i: i < 3, lambda i: i + tf.cast(tf.assign_add(x, 1.0) * 0.0 + 1.0, tf.int32), [0])
    beside = x * 10.0
    assert possible([loop, beside]) == [[3.0, 0.0], [3.0, 10.0], [3.0, 20.0], [3.0, 30.0]]


def test_what_a_loop_gave_tells_one_situation_from_another():
    v, w = tf.Variable(2.0, use_resource=True), tf.Variable(-1.0, use_resource=True)

    def body(i, total):
        seen = v.read_value()
        with tf.control_dependencies([tf.assign_add(v, 1.0)]):
            return i + 1, total + seen

    total = tf.while_loop(lambda i, _: i < 1, body, [tf.constant(0), tf.constant(0.0)])[1]
    difference = w.read_value() - v.read_value()
    before, after = 2.0, 3.0
    assert possible([difference, w.assign(total), total]) == sorted(
        [of_w - of_v, seen, seen] for seen in (before, after) for of_w in (-1.0, seen) for of_v in (before, after)
    )


def test_whether_a_node_without_a_value_is_dead_tells_one_situation_from_another():
    x, flag, k = tf.Variable(0.0), tf.Variable(False), tf.Variable(3.0, use_resource=True)
    set_flag = tf.assign(flag, True)
    seen = tf.identity(flag)
    with tf.control_dependencies([tf.identity(tf.raw_ops.Switch(data=seen, pred=seen)[1])]):
        only_if_seen = tf.no_op()
    with tf.control_dependencies([set_flag]):
        more, read = tf.assign_add(k, 1.0), k.read_value()
    with tf.control_dependencies([only_if_seen, more, read]):
        late = tf.assign_add(x, 10.0)
    found = possible([x, read, set_flag.op, late.op])
    assert sorted(one[:2] for one in found) == [[0.0, 3.0], [0.0, 4.0], [10.0, 3.0], [10.0, 4.0]]


def test_random_numbers_and_prints_make_no_outcomes_of_their_own(capfd):
    u = tf.random_uniform(())
    v = tf.Print(u, [u], "never shown")
    found = explain.outcomes([u, v], runs=2)
    assert len(found) == 1
    assert found.exact
    assert "never shown" not in "".join(capfd.readouterr())


def test_each_node_that_may_fail_first_is_a_result():
    x = tf.Variable(3)
    one, two = tf.count_up_to(x, 4), tf.count_up_to(x, 4)
    found = explain.outcomes([one, two])
    assert {one.error.op.name for one in found} == {"CountUpTo", "CountUpTo_1"}
    for result in found:
        with pytest.raises(tf.errors.OutOfRangeError) as caught:
            result.replay()
        assert caught.value.op is result.error.op


def test_several_runs_go_on_from_all_that_the_ones_before_can_leave():
    x = tf.Variable(1.0)
    double, add = tf.assign(x, x * 2.0), tf.assign_add(x, 1.0)
    run = tf.group(double, add)
    with tf.control_dependencies([run]):
        y = tf.identity(x)
    once = possible(y)
    assert {3.0, 4.0} <= set(once)
    twice = possible(y, runs=2)
    assert {value[0] for value in twice} == set(once)
    assert [3.0, 7.0] in twice
    assert [4.0, 10.0] in twice


def test_an_order_in_which_a_loop_never_ends_is_beyond_the_budget():
    x = tf.Variable(0.0)
    loop = tf.while_loop(lambda i: tf.less(i, 2.0), lambda i: i + 1.0 - x, [0.0])
    stuck = tf.assign(x, 1.0)
    found = explain.outcomes([loop, stuck], budget=2000)
    assert not found.exact
    assert [one.value[0] for one in found] == [2.0]


def test_a_session_lends_its_values_and_keeps_them():
    x = tf.Variable(0.0)
    up = tf.assign_add(x, 1.0)
    with tf.Session() as session:
        session.run(x.initializer)
        session.run(up)
        assert possible(up, session=session) == [2.0]
        assert session.run(x) == 1.0


def test_beyond_the_budget_the_results_are_at_least_these():
    x = tf.Variable(0.0)
    writes = [tf.assign(x, float(i)) for i in range(12)]
    found = explain.outcomes(writes, budget=300)
    assert not found.exact
    assert 1 < len(found) < 12
    assert "at least" in str(found)
    assert found[0].value[0] == 11.0
    with pytest.raises(explain.NondeterministicError):
        explain.assert_deterministic(writes, budget=300)
    forever = tf.while_loop(lambda i: i < 3, lambda i: i, [0])
    with pytest.raises(explain.UndecidedError):
        explain.assert_deterministic(forever, budget=300)


def test_what_python_does_cannot_be_known():
    f = tf.py_func(lambda: np.float32(1.0), [], tf.float32)
    found = explain.outcomes(f)
    assert not found.exact
    assert "PyFunc" in str(found)


def test_a_run_that_writes_files_is_not_tried(tmp_path):
    tf.Variable(1.0)
    saver = tf.train.Saver()
    with pytest.raises(ValueError, match="writes a file"):
        explain.outcomes(saver.saver_def.save_tensor_name, {saver.saver_def.filename_tensor_name: str(tmp_path / "x")})


def test_whether_a_variable_has_a_value_yet_depends_on_the_order():
    x = tf.Variable(1.0)
    alias, write = tf.identity(x), tf.assign(x, 5.0)
    with tf.Session() as session:
        found = explain.outcomes([alias, write], session=session)
    assert found.exact
    assert [one.error is None for one in found].count(True) == 1
    assert {type(one.error) for one in found} == {type(None), tf.errors.FailedPreconditionError}


def test_what_a_missing_variable_says_of_the_others_makes_no_other_result():
    a, b = tf.Variable(1.0, use_resource=True), tf.Variable(2.0, use_resource=True)
    reads = [tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=tf.float32) for v in (a, b)]
    with tf.Session() as session:
        found = explain.outcomes([a.initializer, *reads], session=session)
    assert found.exact
    assert sorted(one.error.op.name for one in found) == sorted(read.op.name for read in reads)


def test_a_tensor_array_that_keeps_a_reference_reads_it_late():
    x = tf.Variable(1.0)
    array = tf.TensorArray(tf.float32, 1, element_shape=()).write(0, x)
    late, write = array.read(0) + 2.0, tf.assign(x, 5.0)
    assert possible([write, late]) == [[5.0, 3.0], [5.0, 7.0]]
    array = tf.TensorArray(tf.float32, 1, element_shape=()).write(0, x)
    assert possible([write, tf.reduce_sum(array.stack())]) == [[5.0, 1.0], [5.0, 5.0]]


# Graders


@KINDS
def test_a_grader_is_shown_two_results_with_their_schedules(use_resource):
    a = tf.Variable(1.0, use_resource=use_resource)
    c, assign = a + 2.0, tf.assign(a, 5.0)
    with pytest.raises(AssertionError) as caught:
        explain.assert_deterministic([assign, c])
    assert isinstance(caught.value, explain.NondeterministicError)
    assert len(caught.value.outcomes) == 2
    for part in ("[5.0, 3.0]", "[5.0, 7.0]", 'schedule="creation"', 'before'):
        assert part in str(caught.value)
    with tf.control_dependencies([c]):
        assign = tf.assign(a, 5.0)
    assert explain.assert_deterministic([assign, c]).is_deterministic


# Races


@KINDS
def test_a_race_has_its_lines_two_witnesses_and_a_fix_that_ends_it(use_resource):
    a = tf.Variable(1.0, use_resource=use_resource, name="a")
    c = a + 2.0
    assign = tf.assign(a, 5.0)
    (race,) = explain.races([assign, c])
    assert (race.variable, race.kind) == ("a", "read/write")
    assert np.array(race.one.value).tolist() == [5.0, 3.0]
    assert np.array(race.other.value).tolist() == [5.0, 7.0]
    for witness in (race.one, race.other):
        with tf.Session(schedule=witness.schedule) as session:
            session.run(a.initializer)
            assert session.run([assign, c]) == witness.value
    assert race.fix == f'with tf.control_dependencies(["{race.first.name}"]):'
    copy = copied(tf.get_default_graph())
    copy.graph.add_control_input(copy.of(race.second), copy.of(race.first))
    fetches = [copy.graph.as_graph_element(t.name) for t in (assign, c)]
    with copy.graph.as_default():
        assert not explain.races(fetches)


def test_updates_that_commute_are_no_race():
    x = tf.Variable(0.0)
    both = [tf.assign_add(x, 1.0), tf.assign_add(x, 10.0)]
    assert not explain.races(both)
    assert {race.kind for race in explain.races([*both, tf.assign(x, 5.0)])} == {"write/write"}


def test_of_many_pairs_those_that_change_an_outcome_are_named():
    x, y = tf.Variable(0.0, name="x"), tf.Variable(0.0, name="y")
    one, two = tf.assign(x, 1.0, name="one"), tf.assign(x, 2.0, name="two")
    add = tf.assign_add(y, 1.0, name="add")
    more = tf.assign_add(y, 2.0, name="more")
    found = explain.races([one, two, add, more])
    assert [(race.first.name, race.second.name, race.variable) for race in found] == [("one", "two", "x")]


def test_beyond_the_budget_only_what_is_surely_a_race_is_named():
    x = tf.Variable(0.0, use_resource=True)
    adds = [tf.assign_add(x, 1.0) for _ in range(8)]
    found = explain.races(adds, budget=2_000)
    assert not found.exact
    assert "may be more races" in str(found)
    for race in found:
        assert race.one.text() != race.other.text()
    y = tf.Variable(0.0)
    commuting = [tf.assign_add(y, 1.0).op for _ in range(10)]
    assert not explain.races(commuting, budget=200)


def test_iterations_that_overlap_race_with_themselves_until_they_may_not():
    def drawn(parallel):
        tf.reset_default_graph()
        return tf.while_loop(
            lambda i, s: i < 2, lambda i, s: (i + 1, s * 10.0 + tf.random_uniform((), seed=1)), (0, 0.0),
            parallel_iterations=parallel,
        )[1]  # fmt: skip

    (race,) = explain.races(drawn(10))
    assert race.first is race.second
    assert race.fix is None
    assert "parallel_iterations=1" in str(race)
    assert not explain.races(drawn(1))


def test_what_runs_in_a_branch_is_waited_for_outside_of_it():
    x = tf.Variable(1.0)
    p = tf.placeholder(tf.bool, ())
    y = tf.cond(p, lambda: tf.identity(tf.assign_add(x, 1.0)), lambda: tf.constant(0.0))
    z = x * 10.0
    (race,) = explain.races([y, z], {p: True})
    assert race.fix is None
    assert "branch" in str(race)
    with tf.control_dependencies([y]):
        z = x * 10.0
    assert not explain.races([y, z], {p: True})


def looped(parallel):
    """A loop whose body writes a variable and reads it after that, and who read it outside of the loop."""
    tf.reset_default_graph()
    x = tf.Variable(0.0, use_resource=True)
    outside = x * 10.0

    def body(i, s):
        return i + 1, s + tf.convert_to_tensor(tf.assign_add(x, 1.0))

    return outside, tf.while_loop(lambda i, _: i < 2, body, [0, 0.0], parallel_iterations=parallel)[1]


def test_what_is_in_order_in_each_iteration_races_with_the_next_one():
    (race,) = explain.races(looped(10)[1])
    assert race.first is not race.second
    assert (race.advice, race.fix) == ("fix_loop", None)
    assert not explain.races(looped(1)[1])


def test_a_loop_waits_as_a_whole_for_what_is_outside_of_it():
    race = explain.races(list(looped(1)))[0]
    assert race.advice == "fix_whole"
    assert race.fix == f'with tf.control_dependencies(["{race.first.name}"]):'
    assert "whole loop" in str(race)


def test_texts_are_whole_in_every_language():
    a = tf.Variable(1.0)
    c, assign, again = a + 2.0, tf.assign(a, 5.0), tf.assign(a, 6.0)
    forever = tf.while_loop(lambda i: i < 3, lambda i: i, [0])
    for lang in LANGUAGES:
        texts = [
            explain.outcomes([assign, c]).text(lang),
            explain.outcomes(c).text(lang),
            explain.outcomes(forever, budget=100).text(lang),
            explain.races([assign, c, again]).text(lang),
            explain.races(c).text(lang),
        ]
        assert not re.search(r"\{\w+\}", "\n".join(texts))
        assert "with tf.control_dependencies" in texts[3]
