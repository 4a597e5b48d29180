"""Exported pages in a real browser: they work from a file, without Python, and ask for nothing from outside."""

from __future__ import annotations

import runpy

import driver
import pytest

import tfedu as tf
from tfedu.widgets import (
    BuildFilm,
    Compare,
    GradientFlow,
    GraphDiff,
    GraphView,
    Lint,
    OutcomeExplorer,
    Passes,
    PipelineView,
    Predict,
    Reads,
    StepThrough,
    TrainingView,
    Value,
)
from tfedu.widgets.pages.front_end_code import kinds


def opened(browser, path, **context):
    """The page of a file, which works alone."""
    return driver.page_alone(browser, path.as_uri(), **context)


def test_a_comparison_steps_without_python(browser, counter, tmp_path):
    without = counter.graph.get_tensor_by_name("x/read:0")
    widget = Compare({"without": without, "with": counter}, title="The counter")
    with opened(browser, widget.save(tmp_path / "page.html"), viewport={"width": 1100, "height": 900}) as page:
        page.locator("section.shown").wait_for()
        assert page.title() == "The counter"
        for _ in range(12):
            page.get_by_test_id("step").click()
        driver.expect(page.locator(".running").get_by_text("1.0").first).to_be_visible()
        assert page.locator(".paper").is_hidden()
        page.emulate_media(media="print")
        assert page.locator(".paper img").is_visible()
        assert page.locator(".running").is_hidden()


def losses():
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable(4.0)
        loss = tf.square(w)
        summaries = [tf.summary.scalar("loss", loss), tf.summary.histogram("w", w)]
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(tf.global_variables_initializer())
        view = TrainingView(live=False)
        for i in range(4):
            view.add(session.run([tf.summary.merge(summaries), step])[0], i)
        return view


def pipeline():
    with tf.Graph().as_default():
        return PipelineView(tf.data.Dataset.range(8).map(lambda x: x * x).batch(2))


def committed(y):
    asked = Predict({"y": y})
    asked.draft = {"t1": "1, 2, 3"}
    asked.committed = True
    return asked


KINDS = {
    "build-film": lambda y: BuildFilm(y.graph),
    "compare": lambda y: Compare({"one": y, "two": y + 1.0}),
    "gradient-flow": lambda y: GradientFlow(y * y, [y]),
    "graph-diff": lambda y: GraphDiff(y.graph, tf.Graph()),
    "graph-view": lambda y: GraphView(y.graph),
    "lint": lambda y: Lint(y.graph),
    "outcomes": OutcomeExplorer,
    "passes": Passes,
    "pipeline": lambda y: pipeline(),
    "predict": committed,
    "self-check": lambda y: Predict({"y": y}).self_check(),
    "reads": lambda y: Reads(tf.matmul([[y]], [[2.0]])),
    "step-through": StepThrough,
    "training": lambda y: losses(),
    "value": lambda y: Value([[1.0, 2.0]]),
}


# Presses each button once, those too that come by a press; a picture in a file is not asked for.
PRESS_ALL = """async root => {
    const pressed = new Set(["save-svg", "save-png", "present"]);
    const next = () => [...root.querySelectorAll("button, [role=tab], summary")]
        .find(e => !e.disabled && !pressed.has(e.dataset.testid ?? e.textContent));
    for (let button = next(); button && pressed.size < 80; button = next()) {
        pressed.add(button.dataset.testid ?? button.textContent);
        button.click();
        await new Promise(then => requestAnimationFrame(then));
    }
    return pressed.size - 3;
}"""


def test_every_kind_that_a_page_can_show_is_tried():
    assert {*KINDS} == kinds() - {"be-the-executor", "parsons", "repair"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_part_of_the_front_end_that_a_page_has_is_enough_for_its_widget(browser, counter, tmp_path, kind):
    """A part or a text that is missing would be an error of the page."""
    widget = KINDS[kind](counter)
    assert kind == widget.KIND
    with opened(browser, tf.export_html(widget, tmp_path / "page.html", lang="en")) as page:
        page.locator("section.shown").wait_for()
        root = page.locator(".running > .tfedu")
        assert driver.barriers(page.locator("main")) == []
        assert root.evaluate(PRESS_ALL) > 2
        root.focus()
        for key in "?nsp":
            page.keyboard.press(key)
        assert root.get_by_text("undefined").count() == 0


def test_a_page_speaks_one_language(browser, counter, tmp_path):
    path = tf.export_html(StepThrough(counter), tmp_path / "page.html", lang="ko")
    with opened(browser, path) as page:
        page.locator("section.shown").wait_for()
        assert page.get_by_test_id("step").inner_text().strip() == "한 단계"
        assert page.locator("html").get_attribute("lang") == page.locator(".running > .tfedu").get_attribute("lang") == "ko"


PROGRAM = """import tfedu as tf
x = tf.Variable(0.0)
y = tf.identity(x)
"""


@pytest.mark.parametrize("lang", ["en", "ko", "zh"])
def test_several_widgets_share_one_front_end_and_have_no_barriers(browser, tmp_path, lang):
    """The program's lines are not indented, as in a notebook."""
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    with tf.Graph().as_default():
        y = runpy.run_path(tmp_path / "program.py")["y"]
    path = tf.export_html([StepThrough(y), y.graph], tmp_path / "page.html", title="Two", lang=lang)
    with opened(browser, path) as page:
        page.locator("section.shown").nth(1).wait_for()
        assert page.locator("style").count() == 3
        assert page.locator("button.ln").count() > 0
        assert driver.barriers(page.locator("main")) == []


LOOKS = """root => [...root.querySelectorAll("h3, h4, h5, p, dt, dd, li, code")].map(e => {
    const { margin, padding, fontFamily, color, letterSpacing } = getComputedStyle(e);
    return [e.tagName, margin, padding, fontFamily, color, letterSpacing].join(" "); })"""
THEME = """main.body { font-family: serif; }
main.body h3, main.body h4, main.body h5 { margin: 30px; color: #ff0000; font-family: cursive; letter-spacing: 3px; }
main.body p, main.body dd, main.body li { margin: 20px; padding: 5px; }"""


def test_the_theme_of_a_page_does_not_reach_into_a_widget(browser, counter, tmp_path):
    """As Sphinx's themes style what is in `div.body`."""
    with opened(browser, tf.export_html(StepThrough(counter), tmp_path / "page.html", lang="en")) as page:
        page.locator("section.shown").wait_for()
        root = page.locator(".running > .tfedu")
        before = root.evaluate(LOOKS)
        page.add_style_tag(content=THEME)
        page.locator("main").evaluate("main => main.classList.add('body')")
        assert root.evaluate(LOOKS) == before


def test_two_cells_in_frames_of_their_own_know_nothing_of_each_other(browser, counter, tmp_path):
    """As Colab shows outputs: each in a sandboxed frame of no origin, without cookies, storage and the host page."""
    for name, widget in (("one", StepThrough(counter)), ("two", Compare({"a": counter, "b": counter + 1.0}))):
        tf.export_html(widget, tmp_path / f"{name}.html", lang="en")
    frames = [f'<iframe sandbox="allow-scripts" src="{name}.html" title="{name}" width="1000" height="760"></iframe>' for name in
              ("one", "two")]  # fmt: skip
    (tmp_path / "cells.html").write_text(f"<!doctype html><title>Cells</title>{''.join(frames)}", "utf-8")
    with driver.page_alone(browser, (tmp_path / "cells.html").as_uri(), own=(tmp_path.as_uri(),)) as page:
        one, two = (page.frame_locator(f"[title={name}]") for name in ("one", "two"))
        for frame in (one, two):
            frame.locator("section.shown").wait_for()
        for _ in range(2):
            one.get_by_test_id("step").click()
        two.get_by_test_id("step").click()
        driver.expect(one.get_by_test_id("scrub")).to_have_attribute("aria-valuenow", "2")
        driver.expect(two.get_by_test_id("scrub")).to_have_attribute("aria-valuenow", "1")


def test_a_damaged_page_says_so(browser, counter, tmp_path):
    path = tf.export_html(StepThrough(counter), tmp_path / "page.html", lang="en")
    text = path.read_text("utf-8")
    at = text.index('id="packed">') + 500
    path.write_text(text[:at] + "AAAAAAAA" + text[at + 8 :], "utf-8")
    with opened(browser, path) as page:
        page.get_by_text("This page could not show its widgets.").wait_for()
        assert page.locator(".paper img").is_visible()


def test_on_a_phone_a_judged_prediction_shows_its_values_beside_their_signs(browser, counter, tmp_path):
    question = Predict({"y": counter}, title="The counter").self_check()
    with opened(browser, question.save(tmp_path / "page.html"), viewport={"width": 320, "height": 800}) as page:
        for run in range(3):
            page.get_by_test_id(f"predict-t1-{run}").fill("2.0")
        page.get_by_test_id("commit").click()
        page.get_by_test_id("verdict-t1").wait_for()
        for run in range(3):
            hidden = page.get_by_test_id(f"predict-t1-{run}").evaluate("field => field.scrollWidth - field.clientWidth")
            assert hidden <= 0, f"{hidden} pixels of the value of run {run + 1} are cut off"
