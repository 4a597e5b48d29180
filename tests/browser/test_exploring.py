"""Navigation in a large picture in a real browser: by mouse, map, wheel, and from match to match of a search."""

import copy

import numpy as np
import pytest
from stage import press, settle, staged

import tfedu as tf
from tfedu.widgets import GraphView

PLACE = """e => { const { e: x, f: y, a: scale } = new DOMMatrix(getComputedStyle(e.querySelector('.sheet')).transform);
    return [x, y, scale]; }"""


def tall():
    """Three scopes of a long chain each, too high for its window."""
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, (3,), name="x")
        for scope in "abc":
            with tf.name_scope(scope):
                for i in range(14):
                    x = tf.add(x, float(i)) if i % 2 else tf.multiply(x, x)
    return graph


@pytest.fixture
def shown(browser):
    with staged(browser) as stage:
        widget = stage.show(GraphView(tall(), collapsed=[]))
        widget.locator("g.node[data-id]").first.wait_for()
        widget.locator("g.node[data-id]").first.focus()
        for _ in range(4):
            stage.page.keyboard.press("+")
        widget.get_by_test_id("minimap").wait_for()
        yield widget
        assert stage.failed == []


def test_a_drag_moves_the_picture_and_selects_no_node(shown):
    viewport = shown.locator(".viewport")
    box = viewport.bounding_box()
    mouse = shown.page.mouse
    before = viewport.evaluate(PLACE)
    mouse.move(box["x"] + 200, box["y"] + 400)
    mouse.down()
    mouse.move(box["x"] + 180, box["y"] + 250, steps=5)
    mouse.up()
    assert viewport.evaluate(PLACE) == pytest.approx([before[0] - 20, before[1] - 150, before[2]], abs=2)
    assert shown.locator('.node[aria-pressed="true"]').count() == 0


def test_the_pointer_selects_the_nearest_line_and_none_far_from_all(shown):
    """No line has room of its own to be hit: where the pointer is decides, at every zoom."""
    press(shown, "fit")
    middle = """line => { const path = line.querySelector(".line"), at = path.getPointAtLength(path.getTotalLength() / 2);
        const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(path.getScreenCTM()); return [x, y]; }"""
    lines = shown.locator('.viewport .edge[data-kind="data"]')
    for i in (0, 3):
        x, y = lines.nth(i).evaluate(middle)
        shown.page.mouse.move(x + 4, y)
        near = shown.locator(".viewport .edge[data-near]")
        assert [near.count(), near.get_attribute("data-edge")] == [1, lines.nth(i).get_attribute("data-edge")]
        shown.page.mouse.move(x + 60, y)
        assert shown.locator(".viewport .edge[data-near]").count() == 0


def test_the_map_shows_the_window_and_moves_it(shown):
    viewport, here = shown.locator(".viewport"), shown.locator(".minimap svg")
    settle(shown)
    box, frame = here.bounding_box(), shown.locator(".minimap .frame").bounding_box()
    share = viewport.evaluate(
        "e => e.clientHeight / e.querySelector('.sheet').getBoundingClientRect().height"
    )
    assert frame["height"] / box["height"] == pytest.approx(share, abs=0.05)
    shown.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 0.7 * box["height"], steps=4)
    shown.page.mouse.up()
    outer, sheet = viewport.bounding_box(), shown.locator(".sheet").bounding_box()
    assert sheet["y"] + 0.7 * sheet["height"] == pytest.approx(outer["y"] + outer["height"] / 2, abs=6)


def test_the_wheel_with_ctrl_zooms_where_the_pointer_is(shown):
    press(shown, "fit")
    node = shown.locator('g.node[data-name="a/Add_1"]').first
    before = node.bounding_box()
    shown.page.mouse.move(before["x"] + 10, before["y"] + 10)
    shown.page.keyboard.down("Control")
    shown.page.mouse.wheel(0, -200)
    shown.page.keyboard.up("Control")
    settle(shown)
    after = node.bounding_box()
    assert after["width"] > 1.5 * before["width"]
    assert after["y"] == pytest.approx(before["y"], abs=30)


def test_a_match_of_a_search_is_opened_and_scrolled_into_view(browser):
    with staged(browser) as stage:
        widget = stage.show(GraphView(tall(), collapsed=["a", "b", "c"]))
        widget.locator(".scope.closed").first.wait_for()
        assert widget.locator('g.node[data-name^="c/"]').count() == 0
        widget.get_by_test_id("search-open").click()
        widget.press("/")
        widget.get_by_test_id("search").fill("/^c.*[Aa]dd_6$/")
        widget.get_by_test_id("hits").locator("button").first.click()
        found = widget.locator('g.node[data-name^="c/"][aria-pressed="true"]')
        found.wait_for()
        settle(widget)
        inner, outer = found.bounding_box(), widget.locator(".viewport").bounding_box()
        assert outer["y"] <= inner["y"]
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
        assert stage.failed == []


def network():
    """Two layers with their gradients, and one training step of which a run is known."""
    graph = tf.Graph()
    with graph.as_default():
        x = y = tf.placeholder(tf.float32, (None, 8), name="x")
        for layer in ("one", "two"):
            with tf.variable_scope(layer):
                y = tf.nn.relu(tf.matmul(y, tf.get_variable("w", (8, 8))))
        with tf.name_scope("loss"):
            loss = tf.reduce_mean(y)
        train = tf.train.AdamOptimizer().minimize(loss)
        session = tf.Session(graph=graph)
        session.run(tf.global_variables_initializer())
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run(train, {x: np.ones((4, 8))}, options=options, run_metadata=metadata)
    return GraphView(graph, run=metadata)


SEEN = """root => { const seen = e => e.checkVisibility() && !e.closest(".viewport, ol, .parts");
    const all = [...root.querySelectorAll("*")].filter(seen);
    const texts = all.flatMap(e => [...e.childNodes].filter(n => n.nodeType === 3 && e.tagName !== "OPTION"));
    return { height: root.getBoundingClientRect().height, buttons: all.filter(e => e.matches("button, select, input")).length,
        words: texts.flatMap(n => n.data.split(/\\s+/).filter(Boolean)).length }; }"""


def test_a_graph_stands_on_one_screen_whatever_is_chosen_or_opened(browser):
    with staged(browser) as stage:
        widget = stage.show(network())
        widget.locator(".scope.closed").first.wait_for()
        first = widget.evaluate(SEEN)
        assert first["height"] <= 700
        assert first["buttons"] <= 16
        assert first["words"] <= 120
        heights = set()

        def measure():
            settle(widget)
            heights.add(widget.evaluate(SEEN)["height"])

        for colour in ("time", "health", "part", "none"):
            widget.get_by_test_id("colour").select_option(colour)
            measure()
        widget.locator(".scope.closed").first.click()
        widget.get_by_test_id("scope-toggle").wait_for()
        measure()
        widget.locator(".scope.closed").first.click()
        measure()
        widget.get_by_test_id("search-open").click()
        widget.get_by_test_id("search").fill("matmul")
        widget.get_by_test_id("hits").locator("button").nth(1).click()
        measure()
        for drawer in ("code", "outline", "legend"):
            widget.get_by_test_id(f"tab-{drawer}").click()
            measure()
        assert heights == {first["height"]}
        assert stage.failed == []


def test_what_is_found_and_what_took_longest_stay_beside_the_picture(browser):
    """The search covers the side column alone, and a number on a box covers no text, however long a node took."""
    with staged(browser) as stage:
        view = network()
        facts = copy.deepcopy(view.facts)
        for place, node in enumerate(facts["nodes"]):
            node["nanoseconds"] = 7000 + place * 31 % 97 * (40000 if place % 9 == 0 else 1000)
        view.facts = facts
        widget = stage.show(view)
        widget.get_by_test_id("colour").select_option("time")
        rows = widget.get_by_test_id("largest").locator("button")
        rows.first.wait_for()
        rows.nth(2).click()
        widget.locator('.node[aria-pressed="true"]').wait_for()
        stage.page.keyboard.press("/")
        widget.get_by_test_id("search").fill("type:MatMul")
        widget.get_by_test_id("hits").locator("button").first.wait_for()
        panel, viewport = widget.locator(".find").bounding_box(), widget.locator(".viewport").bounding_box()
        assert panel["x"] >= viewport["x"] + viewport["width"]
        covered = widget.evaluate("""root => {
            const boxes = s => [...root.querySelectorAll(s)].map(e => e.getBoundingClientRect());
            const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
            const texts = boxes(".viewport .scope.closed text, .viewport .node text");
            return boxes(".viewport .inscribed").filter(own => texts.some(text => meet(own, text))).length; }""")
        assert covered == 0
        assert stage.failed == []
