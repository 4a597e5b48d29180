"""A widget stands on one screen: its height, and that nothing changes it; the words and buttons around the first picture."""

import sys
from pathlib import Path

import pytest
from driver import expect
from stage import settle, staged
from test_stage import KINDS

import tfedu as tf
from tfedu import widgets

sys.path.insert(0, str(Path(__file__).parent))

# Pixels of height at a width of 980, and how many pixels rounding may add.
SCREEN, ROUNDING = 700, 1
FRAMED = [
    "BeTheExecutor", "BuildFilm", "Compare", "GradientFlow", "GraphDiff", "GraphView", "OutcomeExplorer", "Passes",
    "PipelineView", "PipelineView of two", "Predict", "Reads", "Reads with a question", "Repair", "StepThrough",
]  # fmt: skip

COUNTS = """root => {
    const seen = e => { const r = e.getBoundingClientRect();
        return r.width > 1 && r.height > 1 && getComputedStyle(e).visibility !== "hidden" && !e.closest("[hidden]"); };
    const aside = "svg, .viewport, .grid, option, .code-listing";
    const texts = [...root.querySelectorAll("*")].filter(e => !e.closest(aside) && seen(e))
        .flatMap(e => [...e.childNodes].filter(n => n.nodeType === 3)).map(n => n.textContent.trim());
    const buttons = [...root.querySelectorAll("button, select, input, [role=slider]")]
        .filter(e => !e.closest(".viewport, .code-listing"));
    return { words: texts.join(" ").split(/\\s+/).filter(Boolean).length, buttons: buttons.filter(seen).length }; }"""


OUTSIDE = """root => [...root.querySelectorAll(".viewport")].flatMap(viewport => {
    const rooms = [viewport, viewport.closest(".stage-picture")].filter(Boolean).map(e => e.getBoundingClientRect());
    return [...viewport.querySelectorAll("g.node, g.scope, g.block")].filter(e => e.checkVisibility()).filter(e => {
        const r = e.getBoundingClientRect();
        return rooms.some(o => r.left < o.left - 1 || r.right > o.right + 1 || r.top < o.top - 1 || r.bottom > o.bottom + 1);
    }).map(e => e.textContent); })"""


def counter():
    with tf.Graph().as_default():
        x = tf.Variable(0.0)
        with tf.control_dependencies([tf.assign_add(x, 1.0)]):
            return widgets.StepThrough(tf.identity(x), runs=3)


@pytest.fixture
def stage(browser):
    with staged(browser) as made:
        made.page.set_viewport_size({"width": 996, "height": 900})
        made.page.evaluate("document.body.style.margin = '0 8px'")
        yield made


def height(widget) -> float:
    return widget.bounding_box()["height"]


@pytest.mark.parametrize("kind", FRAMED)
def test_the_first_view_shows_the_whole_picture(stage, kind):
    widget = stage.show(KINDS[kind]())
    assert widget.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("kind", FRAMED)
def test_each_stage_stands_on_one_screen_and_keeps_its_height(stage, kind):
    """Neither a step, nor a chosen node, nor an open drawer, nor the menu or the help changes the height."""
    widget = stage.show(KINDS[kind]())
    first = height(widget)
    assert first <= SCREEN + ROUNDING

    def stays(what: str) -> None:
        assert abs(height(widget) - first) <= ROUNDING, what

    widget.focus()
    for _ in range(3):
        stage.page.keyboard.press(".")
        stays("a step")
    node = widget.locator("g.node").first
    if node.count():
        node.dispatch_event("click")
        stays("a chosen node")
    for tab in widget.locator(".stage-tabs .tab:visible").all():
        tab.click()
        stays("an open drawer")
        tab.click()
    for button in ("more", "help-button"):
        widget.get_by_test_id(button).first.click()
        stays(button)
        stage.page.keyboard.press("Escape")
    assert stage.failed == []


def test_few_words_and_buttons_stand_around_the_counter(stage):
    widget = stage.show(counter())
    counts = widget.evaluate(COUNTS)
    assert counts["buttons"] <= 16, counts
    assert counts["words"] <= 80, counts


def test_code_graph_state_and_controls_are_seen_together(stage):
    widget = stage.show(counter())
    frame = widget.bounding_box()
    for part in (".code-listing", ".viewport", ".variable", ".slots", ".transport", ".stage-sentence"):
        box = widget.locator(part).first.bounding_box()
        assert min(box["width"], box["height"]) > 0, part
        assert box["y"] >= frame["y"], part
        assert box["y"] + box["height"] <= frame["y"] + frame["height"] + ROUNDING, part


@pytest.mark.parametrize("width", [880, 600])
def test_a_narrow_frame_has_the_code_in_a_drawer(stage, width):
    stage.page.set_viewport_size({"width": width + 16, "height": 900})
    widget = stage.show(counter())
    assert not widget.locator(".code-listing").first.is_visible()
    widget.get_by_test_id("tab-code").click()
    assert widget.locator(".code-listing").first.is_visible()
    stage.page.keyboard.press("Escape")
    assert not widget.locator(".code-listing").first.is_visible()
    assert widget.evaluate("root => root.scrollWidth - root.clientWidth") <= ROUNDING


# Two rows only where a timeline needs one of its own.
ROWS = """root => [...root.querySelectorAll(".stage-transport")].map(band => {
    const room = band.getBoundingClientRect();
    const out = [...band.querySelectorAll("button, p")].filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect())
        .filter(r => r.width > 1 && (r.top < room.top || r.bottom > room.bottom || r.right > room.right));
    return [Math.round(room.height), band.querySelector(".track") !== null, out.length]; })"""
# Buttons that belong together, of which some are in view and others cut off or scrolled away.
HALVED = """root => [...root.querySelectorAll(".stage-side .actions")].filter(e => e.checkVisibility()).flatMap(actions => {
    const room = actions.closest(".stage-side").getBoundingClientRect();
    const isIn = e => e.getBoundingClientRect().bottom <= room.bottom;
    const all = [...actions.querySelectorAll("button")].filter(e => e.checkVisibility());
    return all.some(isIn) ? all.filter(e => !isIn(e)).map(e => e.textContent) : []; })"""


@pytest.mark.parametrize("width", [700, 600])
@pytest.mark.parametrize("kind", FRAMED)
def test_a_narrow_transport_has_one_row_without_a_timeline(stage, kind, width):
    stage.page.set_viewport_size({"width": width + 16, "height": 900})
    # At the end, the game that KINDS has asks nothing.
    widget = stage.show(widgets.BeTheExecutor(tf.constant(1.0)) if kind == "BeTheExecutor" else KINDS[kind]())
    for height_of_band, has_track, outside in widget.evaluate(ROWS):
        assert abs(height_of_band - (108 if has_track and width < 620 else 68)) <= ROUNDING
        assert outside == 0
    assert widget.evaluate(HALVED) == []


def test_a_drawer_opens_by_its_key_and_closes_by_escape(stage):
    widget = stage.show(counter())
    widget.focus()
    for key, tab in (("i", "tab-inspect"), ("q", "tab-queue"), ("t", "tab-table")):
        stage.page.keyboard.press(key)
        assert widget.get_by_test_id(tab).get_attribute("aria-expanded") == "true"
        stage.page.keyboard.press("Escape")
        assert widget.get_by_test_id(tab).get_attribute("aria-expanded") == "false"


def test_the_presenter_form_fills_the_screen_with_large_text(stage):
    stage.page.set_viewport_size({"width": 1440, "height": 900})
    widget = stage.show(counter())
    widget.get_by_test_id("present").click()
    stage.page.wait_for_function("document.fullscreenElement !== null")
    settle(widget)
    box = widget.bounding_box()
    assert box["width"] >= 1400
    assert box["height"] >= 880
    # Bounding boxes are in pixels of the screen, line heights in those of the layout.
    line = widget.locator(".stage-sentence").first.evaluate("e => e.getBoundingClientRect().height / e.offsetHeight")
    assert line >= 1.5
    assert not widget.locator(".stage-tabs").is_visible()
    stage.page.keyboard.press("f")
    stage.page.wait_for_function("document.fullscreenElement === null")


def sizes():
    with tf.Graph().as_default():
        images, kernel = tf.zeros([1, 28, 28, 1]), tf.zeros([5, 5, 1, 1])
        asked = {f"{p}, {s}": tf.shape(tf.nn.conv2d(images, kernel, s, p))[1] for p in ("VALID", "SAME") for s in (1, 2)}
        return widgets.Predict(asked, runs=1, title="Sizes", prompt="How many places are there in a row?", watch=False)


def test_four_short_answers_are_seen_at_once(stage):
    """Those of a lesson, also beside JupyterLab's side bar, and with what was printed."""
    stage.page.set_viewport_size({"width": 849, "height": 900})
    question = sizes()
    for answered in (False, True):
        if answered:
            question.draft = {target["key"]: ["24"] for target in question.record["targets"]}
            question.committed = True
        root = stage.show(question)
        room = root.locator(".beside").bounding_box()
        slots = [slot.bounding_box() for slot in root.locator(".slot-table :is(input, .slot), .verdict").all()]
        assert len(slots) == 12
        assert all(room["y"] <= box["y"] and box["y"] + box["height"] <= room["y"] + room["height"] for box in slots)
        assert root.locator(".verdict").all_inner_texts() == (
            ["✓ Right in every run", *["✗ Not yet"] * 3] if answered else [""] * 4
        )
        stage.forget(root)


def test_a_scope_by_itself_has_the_width_of_a_phone(stage):
    stage.page.set_viewport_size({"width": 390, "height": 800})
    with tf.Graph().as_default() as graph:
        with tf.name_scope("outer"), tf.name_scope("inner"):
            tf.identity(tf.add(1.0, 2.0, name="sum"), name="copy")
        root = stage.show(widgets.GraphView(graph, at="outer/inner", title="A scope of a long title, by itself"))
    boxes = [root.locator(part).bounding_box() for part in (".stage-picture", ".stage-side", ".stage-head h3", ".head-tools")]
    picture, side, title, tools = boxes
    assert picture["width"] == side["width"] > 370
    assert side["y"] >= picture["y"] + picture["height"]
    assert title["width"] > 60
    assert title["x"] + title["width"] <= tools["x"]
    assert tools["x"] + tools["width"] <= 390
    assert root.get_by_test_id("scope-path").bounding_box()["y"] >= tools["y"] + tools["height"]
    assert stage.cut(root) == []


def test_a_sentence_longer_than_its_place_on_a_phone_fades_and_can_be_scrolled_to_its_end(stage):
    stage.page.set_viewport_size({"width": 300, "height": 800})
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(2, tf.int32, shapes=[[]], name="numbers_of_a_long_name")
        root = stage.show(widgets.StepThrough(queue.dequeue(name="never")))
    said = root.get_by_test_id("status")
    assert said.get_attribute("tabindex") is None
    assert said.evaluate("e => getComputedStyle(e).maskImage") == "none"
    root.get_by_test_id("step").click()
    expect(said).to_contain_text("that could change it")
    expect(said).to_have_attribute("tabindex", "0")
    assert "gradient" in said.evaluate("e => getComputedStyle(e).maskImage")
    said.evaluate("e => { e.scrollTop = e.scrollHeight; }")
    last = said.locator("p").last
    below = said.evaluate("e => e.getBoundingClientRect().bottom") - last.evaluate("e => e.getBoundingClientRect().bottom")
    assert below >= 10  # the last line stands above what fades
