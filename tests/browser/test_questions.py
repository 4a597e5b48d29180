"""The ready questions, in JupyterLab in a real browser: a committed choice gets the misconception that leads to it."""

from driver import expect

from tfedu.exercises import ITEMS

NAME = "questions.ipynb"


def test_a_choice_is_marked_and_gets_the_model_that_predicts_it(lesson):
    question = lesson.widget('ask("counter")')
    offered = question.get_by_test_id("choice-t1")
    expect(offered).to_have_count(len(ITEMS["counter"].choices()))
    question.get_by_test_id("commit").click()
    expect(question.get_by_test_id("problem")).not_to_be_empty()
    question.get_by_label("session.run(y): 0.0, 1.0, 2.0").check()
    question.get_by_test_id("commit").click()
    verdict = question.get_by_test_id("verdict-t1")
    expect(verdict).to_have_attribute("data-correct", "false")
    expect(verdict.get_by_role("img", name="right")).to_have_count(0)
    expect(question.get_by_test_id("idea")).to_have_attribute("data-model", "M8")
    assert lesson.barriers(question) == []
    question.scroll_into_view_if_needed()
    lesson.shot("questions_1_answered")


def test_the_keyboard_chooses_and_the_right_answer_is_right(lesson):
    question = lesson.widget('ask("renamed")')
    offered = question.get_by_test_id("choice-t1")
    right = ITEMS["renamed"].choices().index(("0.0", "0.0", "0.0"))
    offered.nth(0).focus()
    lesson.page.keyboard.press("Space")
    for _ in range(right):
        lesson.page.keyboard.press("ArrowDown")
    expect(offered.nth(right)).to_be_checked()
    question.get_by_test_id("commit").click()
    expect(question.get_by_test_id("verdict-t1")).to_have_attribute("data-correct", "true")
    expect(offered.nth(right)).to_be_disabled()
