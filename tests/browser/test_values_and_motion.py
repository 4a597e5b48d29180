"""Values on their nodes and the motion of a step, in a browser: where values are, what moves when, what a long value shows."""

import numpy as np
import pytest
from playwright.sync_api import expect
from stage import settle, staged

import tfedu as tf
from tfedu import widgets

FREEZE = """milliseconds => { for (const each of document.getAnimations()) { each.pause(); each.currentTime = milliseconds; } }"""
PLACES = """root => Object.fromEntries([...root.querySelectorAll('.viewport .motion > *, .viewport .chip')].map((each, i) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [`${i} ${each.getAttribute('class')} ${each.textContent}`, [x + width / 2, y + height / 2]]; }))"""
# Each value hangs in the middle of its node's lower border, and covers it by 2 units of the picture.
HANGING = """root => [...root.querySelectorAll('.viewport g.node[data-id]')].flatMap(node => {
    const shape = node.querySelector('.shape').getBoundingClientRect();
    const middle = shape.left + shape.width / 2;
    const scale = shape.height / node.querySelector('.shape').getBBox().height;
    const near = [...root.querySelectorAll('.viewport .chip rect')].map(chip => chip.getBoundingClientRect())
        .filter(chip => Math.abs(chip.left + chip.width / 2 - middle) < 2 && Math.abs(chip.top - shape.bottom) < 30);
    return near.map(chip => (shape.bottom - chip.top) / scale); })"""


@pytest.fixture
def counter():
    with tf.Graph().as_default():
        x = tf.Variable(0.0)
        x_plus_1 = tf.assign_add(x, 1)
        with tf.control_dependencies([x_plus_1]):
            y = tf.identity(x)
        return widgets.StepThrough(y, runs=3)


def moving(stage, counter, step):
    """The counter at a step, on a page whose reader welcomes motion."""
    root = stage.show(counter, run=0, step=step)
    settle(root)
    return root


def chips(root) -> list[str]:
    return sorted(root.locator(".viewport .badges .chip").all_text_contents())


def test_every_node_that_ran_shows_its_value_at_its_lower_border(browser, counter):
    with staged(browser) as stage:
        root = stage.show(counter, run=0, step=5)
        texts = chips(root)
        assert [text.split()[0] for text in texts] == ["1.0", "≡", "≡", "≡"], texts
        expect(root.locator(".node[data-role=variable] .value")).to_have_text("= 1.0")
        over = root.evaluate(HANGING)
        assert len(over) == 4
        assert all(1 <= by <= 3.5 for by in over), over
        for back in (4, 3, 0):
            root.evaluate("(root, step) => root.parentElement.model.set('step', step)", back)
        expect(root.locator(".viewport .badges .chip")).to_have_count(0)
        assert stage.failed == []


def test_a_step_moves_its_inputs_first_and_then_its_value(browser, counter):
    with staged(browser, reduced_motion="no-preference") as stage:
        root = moving(stage, counter, 3)
        root.press(".")
        stage.page.evaluate(FREEZE, 0)
        begin = root.evaluate(PLACES)
        stage.page.evaluate(FREEZE, 410)
        end = root.evaluate(PLACES)
        moved = {key: [round(b - a) for a, b in zip(begin[key], end[key], strict=True)] for key in begin}
        token = next(by for key, by in moved.items() if key.endswith("chip own 1.0") and by != [0, 0])
        assert token[1] > 15, moved  # the number goes down its line
        assert any(key.endswith("chip alias ≡ x") and by != [0, 0] for key, by in moved.items()), moved
        # The picture is at the end of the step, but its value is yet to come out.
        fresh = root.locator(".viewport .chip.new")
        expect(fresh).to_have_css("opacity", "0")
        stage.page.evaluate(FREEZE, 1400)
        expect(fresh).to_have_css("opacity", "1")
        assert stage.failed == []


def test_steps_pressed_fast_are_never_queued(browser, counter):
    with staged(browser, reduced_motion="no-preference") as stage:
        root = moving(stage, counter, 0)
        for _ in range(5):
            root.press(".")
        expect(root.locator(".node[data-state=active] .name")).to_have_text("Identity")
        stage.page.wait_for_timeout(200)
        root.press(",")
        assert root.locator(".viewport .motion > *").count() == 0
        assert (
            stage.page.evaluate(
                "document.getAnimations().filter(each => each.effect.target.closest('svg')).length"
            )
            == 0
        )


def test_a_result_goes_from_its_node_to_its_slot(browser, counter):
    with staged(browser, reduced_motion="no-preference") as stage:
        root = moving(stage, counter, 4)
        root.press(".")
        stage.page.evaluate(FREEZE, 420)
        place = "e => { const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; }"
        landing = root.locator(".landing")
        expect(landing).to_have_text("1.0")
        start, node = landing.evaluate(place), root.locator(".viewport .chip.new").evaluate(place)
        assert all(abs(a - b) < 20 for a, b in zip(start, node, strict=True)), (start, node)
        stage.page.evaluate(FREEZE, 839)
        end, slot = landing.evaluate(place), root.locator(".slot strong").first.evaluate(place)
        assert all(abs(a - b) < 8 for a, b in zip(end, slot, strict=True)), (end, slot)
        root.press(".")
        expect(landing).to_have_count(0)
        expect(root.locator(".slot strong").first).to_have_text("1.0")
        assert stage.failed == []


def test_a_comparison_which_has_slots_of_its_own_ends_its_runs_while_things_move(browser):
    with tf.Graph().as_default():
        sides = {name: tf.constant(value) for name, value in (("one", 1.0), ("two", 2.0))}
        compared = widgets.Compare(sides, runs=1)
    with staged(browser, reduced_motion="no-preference") as stage:
        root = moving(stage, compared, 0)
        for _ in range(3):
            root.press(".")
        expect(root.locator(".slot strong")).to_have_text(["1.0", "2.0"])
        assert stage.failed == []


def test_without_motion_the_written_variable_is_framed_until_the_next_step(browser, counter):
    with staged(browser) as stage:
        root = stage.show(counter, run=0, step=3)
        settle(root)
        root.press(".")
        assert root.locator(".viewport .motion > *").count() == 0
        shape = root.locator(".node[data-written] .shape")
        mark = root.evaluate("root => getComputedStyle(root).getPropertyValue('--mark')")
        colour = stage.page.evaluate(
            "text => { const d = document.createElement('i'); d.style.color = text; document.body.append(d);"
            " const told = getComputedStyle(d).color; d.remove(); return told; }",
            mark,
        )
        expect(shape.first).to_have_css("stroke", colour)
        root.press(".")
        expect(root.locator(".viewport [data-written]")).to_have_count(0)


def test_a_long_value_is_read_whole_on_its_node(browser):
    with tf.Graph().as_default():
        matrix = tf.constant(np.arange(12.0).reshape(4, 3).astype(np.float32), name="matrix")
        steps = widgets.StepThrough(tf.multiply(matrix, 2.0, name="twice"), runs=1)
    with staged(browser) as stage:
        root = stage.show(steps, run=0, step=3)
        chip = root.locator(".viewport .chip", has_text="4×3 · 0…11")
        expect(chip).to_have_count(1, timeout=3000)
        root.locator(".node[data-name=matrix]").hover()
        card = root.locator(".value-card")
        expect(card).to_be_visible()
        expect(card).to_contain_text("[[0., 1., 2.],")
        expect(card).to_contain_text("float32 4×3")
        inside = card.evaluate(
            "e => { const r = e.getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth; }"
        )
        assert inside
        root.locator(".say, [data-testid=status]").first.hover()
        expect(card).to_have_count(0)
