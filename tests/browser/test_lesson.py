"""The first lesson, in JupyterLab in a real browser: predict, commit, look, step, come back.

What the counter prints is written here by hand: 0, 0, 0 without the identity and 1, 2, 3 with it.
"""

import re

import pytest
from driver import Notebook, expect

NAME = "01_identity_and_control_dependencies.ipynb"


class Lesson:
    """The lesson, run from top to bottom; its first prediction and the comparison that waits for it."""

    def __init__(self, notebook: Notebook):
        self.notebook, self.page = notebook, notebook.page

    def run(self) -> None:
        self.notebook.run_all()
        assert self.notebook.failures() == []

    def widget(self, made_by: str, nth: int = 0):
        """The widget of the nth code cell that holds this text."""
        cells = self.notebook.cells()
        found = [i for i, c in enumerate(cells) if c["type"] == "code" and made_by in c["source"]]
        return self.notebook.cell(found[nth]).locator(".tfedu").first

    @property
    def predict(self):
        return self.widget("counters = Predict")

    def fields(self):
        return self.predict.locator("input[data-testid^=predict-]")

    def answer(self, *values: str) -> None:
        fields = self.fields()
        expect(fields).to_have_count(len(values))
        for i, value in enumerate(values):
            fields.nth(i).fill(value)

    def commit(self) -> None:
        self.predict.get_by_test_id("commit").click()
        expect(self.predict.locator("[data-testid^=verdict-]")).to_have_count(2)


WRONG = ("1", "2", "3", "1", "2", "3")  # what whoever thinks that the block governs y = x writes
RIGHT = ("0", "0", "0", "1", "2", "3")


@pytest.fixture(scope="module")
def asked(open_for_all):
    """The lesson before the learner has committed; the tests of this file that need it so share one page."""
    taken = Lesson(open_for_all(NAME))
    taken.run()
    return taken


@pytest.fixture(scope="module")
def answered(open_for_all):
    """A copy of the lesson in which the learner has committed to a wrong prediction, shared in the same way."""
    taken = Lesson(open_for_all(NAME, "answered.ipynb"))
    taken.run()
    taken.answer(*WRONG)
    taken.commit()
    return taken


def test_the_answer_is_nowhere_before_the_learner_has_committed(asked):
    predict = asked.predict
    expect(predict.get_by_test_id("commit")).to_be_visible()
    expect(predict.locator("[data-testid^=verdict-]")).to_have_count(0)
    expect(predict.get_by_test_id("printed")).to_have_count(0)
    expect(asked.widget("Compare(").get_by_test_id("locked")).to_be_visible()
    asked.notebook.shot("1_asked")

    predict.get_by_test_id("commit").click()  # with empty fields
    expect(predict.get_by_test_id("problem")).not_to_be_empty()
    expect(predict.locator("[data-testid^=verdict-]")).to_have_count(0)


def test_a_locked_widget_leads_to_its_question(asked):
    asked.widget("Compare(").get_by_test_id("to-question").click()
    expect(asked.fields().first).to_be_focused()


def test_the_answer_leads_to_the_step_at_which_the_programs_part(answered):
    answered.predict.get_by_test_id("watch").click()
    compare = answered.widget("Compare(")
    expect(compare).to_be_focused()
    expect(compare.get_by_test_id("position")).to_contain_text("step 1")


def test_a_wrong_prediction_gets_the_misconception_that_predicts_it(answered):
    without, with_identity = (answered.predict.locator("[data-testid^=verdict-]").nth(i) for i in (0, 1))
    expect(without).to_have_attribute("data-correct", "false")
    expect(with_identity).to_have_attribute("data-correct", "true")
    expect(without.get_by_role("img", name="wrong")).to_have_count(3)
    idea = answered.predict.get_by_test_id("idea")
    expect(idea).to_have_attribute("data-model", "M2")
    expect(idea).to_contain_text("You may think")
    without.scroll_into_view_if_needed()
    answered.notebook.shot("2_answered")


def test_both_graphs_stand_side_by_side_and_print_000_and_123(answered):
    compare = answered.widget("Compare(")
    expect(compare.get_by_test_id("picture")).to_have_count(2)
    compare.get_by_test_id("scrub").press("End")
    printed = compare.get_by_test_id("printed")
    for side, values in enumerate([("0.0", "0.0", "0.0"), ("1.0", "2.0", "3.0")]):
        lines = printed.nth(side).locator("li[data-run]")
        expect(lines).to_have_count(3)
        assert [lines.nth(i).get_attribute("data-value") for i in range(3)] == list(values)
    answered.notebook.shot("3_compared")


def test_the_run_is_stepped_forward_and_back_with_buttons_and_keys(answered):
    widget = answered.widget("Compare(")
    position, scrub = widget.get_by_test_id("position"), widget.get_by_test_id("scrub")
    step, back = widget.get_by_test_id("step"), widget.get_by_test_id("back")
    scrub.press("Home")
    expect(scrub).to_have_attribute("aria-valuenow", "0")
    start = position.text_content()
    step.click()
    expect(scrub).to_have_attribute("aria-valuenow", "1")
    first = position.text_content()
    assert first != start
    assert widget.get_by_test_id("status").first.inner_text().strip()
    step.click()
    back.click()
    expect(position).to_have_text(first)

    # From here on, no mouse.
    cells = [c["source"] for c in answered.notebook.cells()]
    step.focus()
    keyboard = answered.page.keyboard
    keyboard.press(".")
    expect(scrub).to_have_attribute("aria-valuenow", "2")
    keyboard.press(",")
    keyboard.press(",")
    expect(position).to_have_text(start)
    keyboard.press(" ")  # Space on a button presses it
    expect(scrub).to_have_attribute("aria-valuenow", "1")
    keyboard.press("?")
    expect(widget.get_by_test_id("help")).to_be_visible()
    expect(widget.locator(".keys dt").first).to_have_css("font-weight", "400")  # JupyterLab's own are bold
    keyboard.press("Escape")
    expect(widget.get_by_test_id("help")).to_be_hidden()
    keyboard.press("x")  # in a notebook: cuts the cell
    keyboard.press("b")  # in a notebook: makes a cell
    assert [c["source"] for c in answered.notebook.cells()] == cells


def test_a_variable_has_its_value_in_each_run_below_the_name_of_the_run(answered):
    """In a notebook, whose own style sheet floats the terms of a list."""
    steps = answered.widget("StepThrough(")
    steps.get_by_test_id("scrub").press("End")
    columns = steps.locator(".history > div")
    expect(columns).to_have_count(4)
    texts = [columns.nth(i).inner_text().split("\n") for i in range(4)]
    assert texts == [["start", "0.0"], ["run 1", "1.0"], ["run 2", "2.0"], ["run 3", "3.0"]]
    boxes = [columns.nth(i).locator("dt, dd").nth(k).bounding_box() for i in range(4) for k in range(2)]
    for name, value in zip(boxes[::2], boxes[1::2], strict=True):
        assert value["y"] >= name["y"] + name["height"] - 1
    for one, other in zip(boxes[::2], boxes[2::2], strict=False):
        assert other["x"] >= one["x"] + one["width"] - 1


def test_play_goes_on_by_itself_and_pauses(answered):
    widget = answered.widget("Compare(")
    play, scrub = widget.get_by_test_id("play"), widget.get_by_test_id("scrub")
    scrub.press("Home")
    expect(play).to_have_attribute("aria-pressed", "false")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(scrub).to_have_attribute("aria-valuenow", "2")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "false")
    stood = scrub.get_attribute("aria-valuenow")
    answered.page.wait_for_timeout(1500)
    assert scrub.get_attribute("aria-valuenow") == stood


def test_the_language_is_switched_in_place_and_what_was_typed_stays(asked):
    asked.answer(*WRONG)
    predict = asked.predict
    commit = predict.get_by_test_id("commit")
    english = commit.inner_text()
    seen = {english}
    for lang in ("ko", "zh"):
        predict.get_by_test_id("more").click()
        predict.get_by_test_id("lang").select_option(lang)
        expect(predict).to_have_attribute("lang", lang)
        expect(commit).not_to_have_text(english)
        seen.add(commit.inner_text())
        asked.notebook.shot(f"4_{lang}")
    assert len(seen) == 3
    predict.get_by_test_id("more").click()
    predict.get_by_test_id("lang").select_option("en")
    expect(commit).to_have_text(english)
    assert [asked.fields().nth(i).input_value() for i in range(6)] == list(WRONG)


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_the_lesson_is_accessible(asked, answered, theme):
    """axe finds no barrier, before the answer and after, in both themes."""
    for lesson in (asked, answered):
        lesson.page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
        lesson.page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
    assert asked.notebook.barriers(asked.predict) == []
    for made_by in ("counters = Predict", "Compare(", "StepThrough("):
        assert answered.notebook.barriers(answered.widget(made_by)) == [], made_by
        answered.notebook.shot(f"5_{theme.split()[1]}_{made_by.strip('(').split()[-1]}")


def test_a_prediction_outlives_a_reload_of_the_page(answered):
    answered.notebook.reload()
    predict = answered.predict
    expect(predict.locator("[data-testid^=verdict-]")).to_have_count(2)
    assert [answered.fields().nth(i).input_value() for i in range(6)] == list(WRONG)
    expect(answered.fields().first).not_to_be_editable()
    expect(answered.widget("Compare(").get_by_test_id("picture")).to_have_count(2)


def test_a_half_written_prediction_outlives_a_reload_too(asked):
    asked.fields().nth(3).fill("1")
    asked.notebook.reload()
    expect(asked.fields().nth(3)).to_have_value("1")
    expect(asked.predict.get_by_test_id("commit")).to_be_visible()


def test_restart_and_run_all_keeps_the_lesson_in_order(answered):
    """The question is open again, nothing below tells the answer, and no node has a second name."""
    answered.notebook.restart_and_run_all()
    assert answered.notebook.failures() == []
    expect(answered.predict.get_by_test_id("commit")).to_be_visible()
    expect(answered.predict.locator("[data-testid^=verdict-]")).to_have_count(0)
    expect(answered.widget("Compare(").get_by_test_id("locked")).to_be_visible()
    answered.answer(*RIGHT)
    answered.commit()


def test_the_graph_of_the_last_line_is_a_picture_also_without_the_kernel(asked):
    svg = [
        o["data"]["image/svg+xml"]
        for c in asked.notebook.cells()
        for o in c["outputs"]
        if "image/svg+xml" in o.get("data", {})
    ]
    assert svg
    for text in map("".join, svg):
        assert re.match(r"\s*(<\?xml[^>]*>\s*)?<svg\b", text)
        assert "<script" not in text
