"""The first view of every lesson's pictures is whole and readable, at the design width."""

from __future__ import annotations

from typing import Any

import pytest
from stage import press, staged
from test_geometry import LESSONS, Shown, named

import tfedu as tf
from tfedu.widgets import GraphView, StepThrough, base

READABLE = 0.7
# Where the reader is to choose any node, no scope closes; and the film of many gradients comes to a readable size with each step.
LESS_AT_FIRST = {
    "be-the-executor 'One addition, one product, no order'": 0.5,
    "step-through 'Two updates of a resource variable'": 0.69,
    "gradient-flow 'Two ways back, step by step'": 0.6,
    "gradient-flow 'Which node is next?'": 0.35,
    "gradient-flow 'The gradient of the entropy'": 0.6,
    "gradient-flow 'The gradient goes back through time'": 0.44,
    'gradient-flow "The gradient of the polynomial\'s loss"': 0.4,
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
    stage.page.wait_for_timeout(50)
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
    stage.page.wait_for_timeout(400)
    [[scale, outside]] = root.evaluate(SCALES)
    middle = """root => {
        const [room, sheet] = [".viewport", ".sheet"].map(one => root.querySelector(one).getBoundingClientRect());
        return [room.x + room.width / 2 - sheet.x - sheet.width / 2, room.y + room.height / 2 - sheet.y - sheet.height / 2]; }"""
    assert scale >= READABLE
    assert outside == 0
    assert root.evaluate(middle) == pytest.approx([0, 0], abs=2)
    stage.forget(root)
