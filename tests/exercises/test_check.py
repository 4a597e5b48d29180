"""Checks mark behaviour: unsolved fails, solved passes, luck does not, and nothing tells what is asked."""

import re
import sys

import pytest

import tfedu as tf
from tests.explain.programs import with_identity, without_identity
from tfedu import exercises
from tfedu.explain import Game
from tfedu.view.messages import LANGUAGES

KINDS = pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])


@KINDS
def test_the_block_unsolved_fails_and_solved_passes(use_resource):
    x, up, y = without_identity(use_resource)
    unsolved = exercises.fix_block(y, up)
    assert unsolved.grade == "fail"
    assert {c.code for c in unsolved.criteria if not c.met} == {"values", "must_run"}
    assert exercises.fix_block(y, up, start=x).grade == "not_attempted"
    tf.reset_default_graph()
    _, up, y = with_identity(use_resource)
    solved = exercises.fix_block(y, up)
    assert solved.passed
    assert solved.score == 1.0


def test_numbers_without_the_update_do_not_pass():
    x = tf.Variable(0.0)
    up = tf.assign_add(x, 1.0)
    other = tf.Variable(0.0)
    assert not exercises.fix_block(tf.assign_add(other, 1.0), up).passed


@KINDS
def test_two_updates_in_no_order_pass_only_by_luck(use_resource):
    x = tf.Variable(1.0, use_resource=use_resource)
    first, second = tf.assign(x, 5.0), tf.assign_add(x, 2.0)
    lucky = exercises.order_updates([first, second], [first, second], {x: [7.0]})
    assert [c.code for c in lucky.criteria if not c.met] == ["luck_after"]
    with tf.control_dependencies([first]):
        second = tf.assign_add(x, 2.0)
    assert exercises.order_updates([first, second], [first, second], {x: [7.0]}).passed


def counted_when_wanted(made_outside):
    x = tf.Variable(0.0)
    want = tf.placeholder(tf.bool, [], name="want")
    up = tf.assign_add(x, 1.0) if made_outside else None
    return x, want, tf.cond(want, lambda: tf.identity(up if made_outside else tf.assign_add(x, 1.0)), lambda: x + 0.0)


@pytest.mark.parametrize("made_outside", [True, False])
def test_each_run_may_have_feeds_of_its_own(made_outside):
    x, want, y = counted_when_wanted(made_outside)
    feeds = [{want: False}, {want: True}, {want: False}]
    found = exercises.check(y, feed_dict=feeds, after={x: [0.0, 1.0, 1.0]})
    assert found.passed is not made_outside


def test_a_loop_that_never_ends_is_an_error_of_the_learners(monkeypatch):
    monkeypatch.setattr(sys.modules["tfedu.explain.tasks.check"], "_LONGEST_MS", 200)
    i = tf.while_loop(lambda i: i < 3, lambda i: i, [0])
    found = exercises.check(i, [3])
    assert found.grade == "error"
    assert "DeadlineExceededError" in str(found)


def test_feeds_of_another_number_or_of_other_tensors_are_the_teachers_mistake():
    x, want, y = counted_when_wanted(False)
    with pytest.raises(ValueError, match="one number of runs"):
        exercises.check(y, [1.0], feed_dict=[{want: True}, {want: True}])
    with pytest.raises(ValueError, match="feeds the same tensors"):
        exercises.check(y, feed_dict=[{want: True}, {want: True, x: 1.0}])


def test_random_initial_values_are_the_same_in_every_order():
    """A value that differs only since an initializer draws it anew is no matter of luck."""
    x = tf.constant([[0.5, -1.0, 2.0]])
    difference = tf.reduce_sum(tf.abs(tf.layers.dense(x, 2) - tf.layers.dense(x, 2)))
    assert [c.code for c in exercises.check(difference, [0.0]).criteria if not c.met] == ["values"]


def test_right_values_in_the_default_order_alone_are_luck():
    x = tf.Variable(1.0)
    c, write = x + 2.0, tf.assign(x, 5.0)
    assert exercises.check([write, c], [[5.0, 3.0]]).grade == "fail"
    assert exercises.check([write, c], [[5.0, 3.0]], deterministic=False).passed


def test_all_orders_are_known_where_they_can_be_and_where_not_the_outcome_says_so(monkeypatch):
    x = tf.Variable(0.0)
    steps = [tf.assign_add(x, 1.0)]
    for _ in range(30):
        with tf.control_dependencies([steps[-1]]):
            steps.append(tf.assign_add(x, 1.0))
    # What is added between its read and its write is lost.
    assert not exercises.check(tf.group(steps[-1], tf.assign(x, x * 1.0)), after={x: [31.0]}).passed
    sure = exercises.check(steps[-1], [31.0])
    assert sure.passed
    assert sure.tried is None
    monkeypatch.setattr(sys.modules["tfedu.explain.tasks.check"], "BUDGET", 20)
    sampled = exercises.check(steps[-1], [31.0], schedules=5)
    assert sampled.passed
    assert sampled.tried == 5
    assert "5 legal orders" in str(sampled)


def test_fetches_are_chosen_so_that_these_run_and_those_do_not():
    x = tf.Variable(0.0)
    up, down = tf.assign_add(x, 1.0, name="up"), tf.assign_sub(x, 1.0, name="down")
    chosen = exercises.choose_fetch(up, [1.0, 2.0], must_run=[up], must_not_run=[down])
    assert chosen.passed
    both = exercises.choose_fetch([up, down], must_run=[up], must_not_run=[down])
    assert "down" in str(both)
    assert not both.passed
    assert not exercises.check([up, down], most_nodes=3, deterministic=False).passed


@pytest.mark.parametrize("answer", [None, ..., [...], [None]])
def test_dots_are_no_attempt(answer):
    up = tf.no_op()
    assert exercises.fix_block(answer, up).grade == "not_attempted"


def test_what_cannot_run_is_an_error_with_the_first_line_of_its_text():
    p = tf.placeholder(tf.float32, ())
    failed = exercises.check(p + 1.0, [1.0])
    assert failed.grade == "error"
    assert failed.error.startswith("InvalidArgumentError: You must feed a value")
    assert exercises.check(3, [1.0]).grade == "error"


def test_a_message_never_shows_what_is_asked():
    x, up, y = without_identity(False)
    for lang in LANGUAGES:
        text = exercises.check(y, [41.0, 42.0, 43.0], must_run=[up], after={x: [51.0, 52.0, 53.0]}).text(lang)
        assert not re.search(r"4[123]|5[123]", text)
        assert not re.search(r"\{\w+\}", text)
        assert "0.0, 0.0, 0.0" in text


def test_part_of_the_criteria_is_part_of_the_score():
    _, up, y = without_identity(False)
    assert exercises.fix_block(y, up).score == pytest.approx(1 / 3)


def test_a_teachers_slip_is_an_error_of_the_check_itself():
    y = tf.constant(1.0)
    with pytest.raises(ValueError, match="one number of runs"):
        exercises.check(y, [1.0, 1.0], runs=3)


def test_lists_and_dicts_are_compared_whole():
    a, b = tf.constant(1.0), tf.constant([1, 2])
    assert exercises.check({"a": a, "b": [b]}, [{"a": 1.0, "b": [[1, 2]]}]).passed
    assert not exercises.check({"a": a, "b": [b]}, [{"a": 1.0, "b": [[1, 3]]}]).passed


def test_a_graph_that_leaves_an_order_open_gives_all_results_that_are_asked_for_and_no_other():
    a = tf.Variable(1.0)
    c = a + 2
    change = tf.assign(a, 5)
    both = [change, c]
    assert exercises.check(both, possible=[[[5, 3]], [[5, 7]]]).passed
    one = exercises.check(both, possible=[[[5, 3]]])
    assert [k.code for k in one.criteria if not k.met] == ["values"]
    more = exercises.check(both, possible=[[[5, 3]], [[5, 7]], [[5, 9]]])
    assert [k.code for k in more.criteria if not k.met] == ["possible"]
    assert "9" not in more.text()


def test_a_played_run_passes_when_the_learner_took_every_turn():
    a = tf.Variable(1.0, name="a")
    y = tf.multiply(a, 2.0, name="y")
    game = Game(y, predict=["y"])
    assert exercises.play_executor(game).grade == "not_attempted"
    assert "Work in the box" in exercises.play_executor(game).text("en")
    game.take("y")
    assert exercises.play_executor(game).grade == "fail"
    for node in ["a", "a/read", "y/y", "y"]:
        game.take(node)
    game.tell("2")
    assert exercises.play_executor(game, expected=[2]).passed
    assert [k.code for k in exercises.play_executor(game, [3], 0).criteria if not k.met] == ["illegal", "values"]
    game.restart()
    game.take("a")
    game.go_on()
    assert [k.code for k in exercises.play_executor(game).criteria if not k.met] == ["played"]
