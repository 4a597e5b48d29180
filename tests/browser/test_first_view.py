"""The first view of every lesson's pictures is whole and readable, at the design width."""

from __future__ import annotations

from typing import Any

import pytest
from stage import press, settle, staged
from test_geometry import LESSONS, Shown, named

import tfedu as tf
from tfedu.widgets import GraphView, StepThrough, base

READABLE = 0.7
# Where the reader is to choose any node, no scope closes.
LESS_AT_FIRST = {
    "be-the-executor 'One addition, one product, no order'": 0.5,
    "step-through 'Two updates of a resource variable'": 0.69,
    # Two lanes of devices stand below each other.
    "step-through 'The copy is made before the addition'": 0.62,
}
SCALES = """root => [...root.querySelectorAll(".viewport")].filter(one => one.checkVisibility()).map(viewport => {
    const sheet = viewport.querySelector(".sheet"), room = viewport.getBoundingClientRect();
    const { a: scale } = new DOMMatrix(getComputedStyle(sheet).transform);
    const out = [...sheet.querySelectorAll("g.node, g.scope, g.block")].map(one => one.getBoundingClientRect())
        .filter(r => r.left < room.left - 1 || r.right > room.right + 1 || r.top < room.top - 1 || r.bottom > room.bottom + 1);
    return [scale, out.length]; })"""


@pytest.fixture(scope="module")
def stage(browser):
    with staged(browser, viewport={"width": 1000, "height": 900}) as made:
        yield made


def scales(stage: Any, widget: base.Widget) -> list[list[float]]:
    root = stage.show(widget)
    settle(root)
    found: list[list[float]] = root.evaluate(SCALES)
    stage.forget(root)
    return found


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_picture_of_a_lesson_opens_whole_and_readable(stage, lesson):
    small = []
    for widget in Shown(lesson).widgets:
        least = LESS_AT_FIRST.get(named(widget), READABLE)
        for scale, outside in scales(stage, widget):
            # The last digits of a scale are those of the text's width.
            if scale < least - 0.005 or outside:
                small.append((named(widget), scale, outside))
    assert small == []
    assert stage.failed == []


def test_a_film_makes_room_for_what_it_makes_with_its_first_step(stage):
    """All ways to a step lead to the same places."""
    widget = next(one for one in Shown("03_gradients").widgets if "flow 'Two ways back" in named(one))
    root = stage.show(widget)
    drawn = """root => new Set([...root.querySelectorAll("g.node")].map(node => node.dataset.name)).size"""
    places = """root => [...root.querySelectorAll("g.node, g.scope")].map(
        one => one.getAttribute("transform") ?? one.outerHTML)"""
    forwards, first = root.evaluate(drawn), root.evaluate(places)
    press(root, "step")
    at_one = root.evaluate(places)
    assert root.evaluate(drawn) > forwards
    press(root, "step")
    press(root, "back")
    assert root.evaluate(places) == at_one
    press(root, "back")
    assert root.evaluate(places) == first
    stage.forget(root)


def test_what_no_run_needs_becomes_one_group_that_opens(stage):
    with tf.Graph().as_default():
        x = tf.Variable(0.0, use_resource=True)
        with tf.control_dependencies([tf.assign_add(x, 1)]):
            y = tf.identity(x)
        root = stage.show(StepThrough(y))
    group = root.locator('g.scope.closed[data-scope="Variable/:unused"]')
    assert "Not needed" in group.text_content()
    assert root.locator('g.node[data-name="Variable"]').count() == 1
    assert root.locator('g.node[data-name="Variable/Assign"]').count() == 0
    group.evaluate("e => e.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    root.locator('g.node[data-name="Variable/Assign"]').wait_for()
    stage.forget(root)


def test_boxes_of_conds_are_seen_whole_at_once(stage):
    with tf.Graph().as_default() as graph:
        p = tf.placeholder(tf.bool, [], name="p")
        a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
        for k in range(3):
            a = tf.cond(p, lambda a=a: a + b, lambda a=a: a * b, name=f"cond{k}")
    root = stage.show(GraphView(graph))
    press(root, "boxes")
    root.locator('g.scope.closed[data-kind="cond"]').first.wait_for()
    settle(root)
    [[scale, outside]] = root.evaluate(SCALES)
    middle = """root => {
        const [room, sheet] = [".viewport", ".sheet"].map(one => root.querySelector(one).getBoundingClientRect());
        return [room.x + room.width / 2 - sheet.x - sheet.width / 2, room.y + room.height / 2 - sheet.y - sheet.height / 2]; }"""
    assert scale >= READABLE
    assert outside == 0
    assert root.evaluate(middle) == pytest.approx([0, 0], abs=2)
    stage.forget(root)
