"""The ready questions: each model of thought is wrong on at least three of them, and its answers are what they offer."""

import copy
from functools import cache

import pytest

from tfedu import exercises
from tfedu.exercises import ITEMS, ask
from tfedu.exercises.items import Item
from tfedu.explain import MODELS, diagnose
from tfedu.view.messages import LANGUAGES
from tfedu.view.records import from_json


@cache
def told(name):
    fetched, feed_dict = ITEMS[name].built()
    return diagnose({"it": fetched}, {}, ITEMS[name].runs, feed_dict or None).targets[0]


def wrong(name):
    """What each model expects of an item, where it is not what happens."""
    return {model.model: model.predicts for model in told(name).models if model.predicts != told(name).actual}


@pytest.mark.parametrize("model", MODELS)
def test_each_model_differs_from_the_engine_on_at_least_three_items(model):
    assert len([name for name in ITEMS if model in wrong(name)]) >= 3


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_offers_what_happens_and_what_the_models_expect_and_nothing_else(name):
    choices = ITEMS[name].choices()
    assert set(choices) == {told(name).actual, *wrong(name).values()}
    assert len(choices) >= 2
    assert choices == tuple(sorted(choices))  # so that its place tells nothing
    assert all(len(choice) == ITEMS[name].runs for choice in choices)


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_marks_what_happens_as_right_and_tells_who_thinks_otherwise(name):
    item = ITEMS[name]
    assert item.mark(told(name).actual).grade == "pass"
    for model, answer in wrong(name).items():
        outcome = item.mark(answer)
        assert outcome.grade == "fail"
        assert model in outcome.models
    assert item.mark(None).grade == item.mark([""] * item.runs).grade == "not_attempted"
    assert item.mark(["-77"] * item.runs).models == ()


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_is_a_question_that_shows_its_program_and_gives_nothing_away(name):
    pytest.importorskip("anywidget")
    question = ask(name, lang="en")
    record = from_json(copy.deepcopy(question.record))
    assert record.text() == ITEMS[name].program.rstrip("\n")
    assert record.targets[0].choices == ITEMS[name].choices()
    assert question.result == {}
    question.draft = {"t1": list(told(name).actual)}
    question.committed = True
    assert question.result["targets"][0]["correct"]


def test_asking_twice_is_the_same_question():
    pytest.importorskip("anywidget")
    assert ask("counter").record == ask("counter").record


def test_the_list_of_items_names_each():
    assert str(ITEMS).count("\n") == len(ITEMS) - 1
    assert all(isinstance(item, Item) and name == item.name for name, item in ITEMS.items())


def test_a_name_that_no_question_has_is_refused():
    with pytest.raises(ValueError, match="there is no question 'nope'"):
        ask("nope")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_failed_exercise_tells_by_which_thought_it_would_be_right(lang):
    y, _ = ITEMS["renamed"].built()
    found = exercises.check(y, [1, 2, 3])
    assert found.models == ("M2", "M3")
    text = found.text(lang)
    assert text.count("\n") >= 6
    assert "{" not in text
    assert exercises.check(y, [0, 0, 0]).models == ()
    assert exercises.check(y, [7, 8, 9]).models == ()


def test_what_is_fed_in_each_run_anew_is_diagnosed_where_it_is_the_same():
    y, feed_dict = ITEMS["outside"].built()
    assert exercises.check(y, [10, 10, 10], feed_dict=feed_dict).models == ("M4",)
    assert exercises.check(y, [10, 10, 10], feed_dict=[dict(feed_dict) for _ in range(3)]).models == ("M4",)
    other = {take: not value for take, value in feed_dict.items()}
    assert exercises.check(y, [10, 10, 10], feed_dict=[feed_dict, other, feed_dict]).models == ()
