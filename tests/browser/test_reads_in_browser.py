"""Reads on a bare page in a real browser, with Python at the other end of its questions: change an input, predict, see why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from driver import barriers, expect
from stage import staged
from test_one_screen import COUNTS, SCREEN
from test_stage import convolution

import tfedu as tf
from tfedu import widgets

sys.path.insert(0, str(Path(__file__).parents[1] / "view"))
from test_reads import SUBJECTS

# Around the numbers of the picture, at most.
WORDS, BUTTONS = 90, 16
LOOKS = {"light": {}, "dark": {"color_scheme": "dark"}, "forced": {"forced_colors": "active"}}
SET = """([id, state]) => { const { model } = document.getElementById(id);
    for (const [name, value] of Object.entries(state)) model.set(name, value); }"""
ASKED = "id => document.getElementById(id).model.sent?.splice(0) ?? []"
# Cells whose text is wider than they are, and grids or headings that meet.
MEETING = """root => { const found = [];
    for (const cell of root.querySelectorAll(".element")) for (const words of cell.children)
        if (words.checkVisibility() && words.getBoundingClientRect().width > cell.getBoundingClientRect().width + 1)
            found.push(cell.getAttribute("aria-label"));
    const boxes = [...root.querySelectorAll(".tensor > h4, .tensor > .origin, .tensor > .slice, .tensor > .grid")]
        .map(e => { const range = document.createRange(); range.selectNodeContents(e);
            return [e, e.matches(".grid") ? e.getBoundingClientRect() : range.getBoundingClientRect()]; });
    for (const [i, [one, a]] of boxes.entries()) for (const [other, b] of boxes.slice(i + 1))
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
            found.push([one.textContent, other.textContent]);
    return found; }"""


def built(build, **options):
    with tf.Graph().as_default():
        return widgets.Reads(build(), **options)


@pytest.fixture(scope="module", params=LOOKS)
def look(request, browser):
    with staged(browser, viewport={"width": 996, "height": 900}, **LOOKS[request.param]) as made:
        made.page.evaluate("document.body.style.margin = '0 8px'")
        yield made


@pytest.fixture
def stage(browser):
    with staged(browser, viewport={"width": 996, "height": 900}) as made:
        made.page.evaluate("document.body.style.margin = '0 8px'")
        yield made


class Live:
    """A widget on the page whose questions Python answers."""

    def __init__(self, stage, widget):
        self.page, self.widget = stage.page, widget
        self.root = stage.show(widget)
        self.id = f"stage{stage.count}"

    def at(self, testid):
        return self.root.get_by_test_id(testid)

    def answer(self):
        """Lets Python answer what was asked, and sends what it changes."""
        questions = self.page.evaluate(ASKED, self.id)
        assert questions
        for content in questions:
            self.widget.answer_to(content["question"], content["args"])
        state = {name: getattr(self.widget, name) for name in ("changed", "record")}
        self.page.evaluate(SET, [self.id, state])

    def words(self):
        return self.at("status").locator("p").all_inner_texts()


@pytest.mark.parametrize("name", [*SUBJECTS, "convolution"])
def test_each_subject_stands_on_one_screen_without_barriers(look, name):
    widget = look.show(widgets.Reads(convolution()) if name == "convolution" else built(SUBJECTS[name]))
    try:
        assert widget.bounding_box()["height"] <= SCREEN
        counts = widget.evaluate(COUNTS)
        assert counts["words"] <= WORDS, counts
        assert counts["buttons"] <= BUTTONS, counts
        room, canvas = (widget.locator(part).bounding_box() for part in (".grids-room", ".element-grids"))
        assert canvas["width"] <= room["width"]
        assert canvas["height"] <= room["height"]
        assert widget.evaluate(MEETING) == []
        assert look.cut(widget) == []
        assert barriers(widget) == []
        first = widget.get_by_test_id("cell-0-0")
        first.click()
        assert barriers(widget) == []
        assert widget.evaluate(MEETING) == []
    finally:
        look.forget(widget)
    assert look.failed == []
    assert look.asked == [] or all(url.startswith(("blob:", "data:")) for url in look.asked)


def test_an_input_is_changed_by_the_keyboard_alone(stage):
    live = Live(stage, built(SUBJECTS["product"]))
    live.root.locator('.element[tabindex="0"]').focus()
    for _ in range(2):
        stage.page.keyboard.press("PageUp")
    expect(live.at("cell-0-0")).to_be_focused()
    stage.page.keyboard.press("ArrowRight")
    stage.page.keyboard.type("10")
    stage.page.keyboard.press("Enter")
    live.answer()
    expect(live.at("cell-0-1")).to_have_text("10")
    expect(live.root.locator('.element[data-state~="changed"]')).to_have_count(2)  # b[1, 1] is 0
    assert live.words()[0].startswith("Changed elements: 2.")
    live.at("cell-2-0").click()
    assert live.words()[1] == "y[0, 0] = 1·0 + 10·2 + 0·1 = 20"
    expect(live.root.locator('.element[data-state~="changed"]')).to_have_count(0)
    live.at("restore").click()
    live.answer()
    expect(live.at("cell-0-1").locator(".number")).to_have_text("2")
    expect(live.at("restore")).to_be_hidden()


def test_a_value_is_predicted_and_the_reason_is_shown(stage):
    live = Live(stage, built(SUBJECTS["product"], ask="value", cells=[(1, 0), (0, 1)]))
    expect(live.at("cell-2-2")).to_have_text("?")
    assert barriers(live.root) == []
    live.at("element-answer").fill("15")
    live.at("reason").fill("row times column")
    live.at("commit").click()
    live.answer()
    expect(live.at("verdict")).to_have_text("✗ Not yet: y[1, 0] is 2, not 15.")
    expect(live.root.locator(".told")).to_have_text("That is the value of y[1, 1]. You wrote: row times column")
    assert live.words()[1] == "y[1, 0] = 3·0 + (−1)·2 + 4·1 = 2"
    assert barriers(live.root) == []
    live.at("next").click()
    live.at("element-answer").fill("1")
    stage.page.keyboard.press("Enter")
    stage.page.keyboard.press("Enter")
    live.answer()
    expect(live.at("verdict")).to_have_class("verdict right")
    live.at("next").click()
    live.at("cell-0-0").click()
    expect(live.at("element-value")).to_have_value("1")


def test_the_elements_that_are_read_are_chosen_and_marked(stage):
    live = Live(stage, widgets.Reads(convolution(), ask="reads", cells=[(0, 0, 0, 0)]))
    for testid in ("cell-0-0", "cell-0-1", "cell-0-4", "cell-0-15"):
        live.at(testid).click()
    expect(live.at("picked")).to_have_text("Chosen: 4")
    live.at("commit").click()
    live.answer()
    expect(live.root.locator('.element[data-state~="right"]')).to_have_count(3)
    expect(live.root.locator('.element[data-state~="extra"]')).to_have_count(1)
    expect(live.root.locator('.element[data-state~="missed"]')).to_have_count(5)
    expect(live.root.locator(".window")).to_have_count(2)
    assert live.words()[0].endswith("Padding cells in the window: 5.")
    assert barriers(live.root) == []


def test_the_pointer_lights_what_an_element_reads(stage):
    live = Live(stage, built(SUBJECTS["broadcast"]))
    live.at("cell-2-0").hover()
    expect(live.root.locator('.element[data-state~="read"]')).to_have_count(2)
    assert live.words()[1] == "table[0, 0] = 1 + 10 = 11"
    live.at("cell-2-0").click()
    live.root.locator(".element-formula b").last.hover()
    expect(live.at("cell-1-0")).to_have_attribute("data-state", "read number")


@pytest.mark.parametrize("lang", ["ko", "zh"])
def test_other_languages_fit(stage, lang):
    widget = stage.show(built(SUBJECTS["attention"], ask="value"), lang=lang)
    assert stage.cut(widget) == []
    assert widget.bounding_box()["height"] <= SCREEN
