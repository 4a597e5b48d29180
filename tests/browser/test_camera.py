"""The camera of a picture in a real browser: what is seen after a change, by keys, wheel, drag and buttons."""

import json
from xml.etree import ElementTree

import pytest
from stage import press, settle, staged

import tfedu as tf
from tfedu.widgets import GradientFlow, GraphView, StepThrough

PLACES = """root => { const outer = root.querySelector('.viewport').getBoundingClientRect();
    return [...root.querySelectorAll('.viewport :is(g.node, g.scope.closed) :is(.shape, .card)')]
        .map(e => e.getBoundingClientRect())
        .map(r => [r.left - outer.left, r.top - outer.top, r.right - outer.left, r.bottom - outer.top,
            outer.width, outer.height]); }"""
OPEN = """root => [...root.querySelectorAll('.viewport g.scope.open')].map(e => e.dataset.scope)
    .filter(path => !path.startsWith('grad'))"""
OUTSIDE = """root => { const svg = root.querySelector('.sheet > svg').getBoundingClientRect();
    return [...root.querySelectorAll('.sheet > svg g :is(rect, path, text, ellipse)')]
        .map(e => [e, e.getBoundingClientRect()])
        .filter(([, r]) => r.left < svg.left - 1 || r.right > svg.right + 1
            || r.top < svg.top - 1 || r.bottom > svg.bottom + 1)
        .map(([e]) => e.outerHTML.slice(0, 80)); }"""
MOVED = "before => document.querySelector('.sheet').style.transform !== before"
SCALE = "root => new DOMMatrix(getComputedStyle(root.querySelector('.sheet')).transform).a"


def seen(widget):
    """How many nodes and closed scopes are seen, at least in part, and how many wholly."""
    places = widget.evaluate(PLACES)
    some = [(a, b, c, d, w, h) for a, b, c, d, w, h in places if c > 0 and a < w and d > 0 and b < h]
    return (
        len(some),
        len([1 for a, b, c, d, w, h in some if a >= -1 and b >= -1 and c <= w + 1 and d <= h + 1]),
        len(places),
    )


def is_whole(widget):
    some, wholly, all_ = seen(widget)
    return 0 < some == wholly == all_


def net(layers=8, width=16):
    """A network with Adam, some 300 operations."""
    graph = tf.Graph()
    with graph.as_default():
        y = x = tf.placeholder(tf.float32, [None, width], name="x")
        for k in range(layers):
            with tf.variable_scope(f"layer{k}"):
                y = tf.nn.relu(
                    tf.matmul(y, tf.get_variable("w", [width, width])) + tf.get_variable("b", [width])
                )
        loss = tf.reduce_mean(tf.square(y - x), name="loss")
        tf.train.AdamOptimizer().minimize(loss)
    return graph


def parts(count, size):
    """A chain through some scopes that differ in size."""
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        for k in range(count):
            with tf.name_scope(f"part{k}"):
                for i in range(size + k):
                    x = tf.negative(x) if i % 2 else tf.add(x, x)
    return graph


def branch():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder_with_default(3.0, [], name="x")
        with tf.name_scope("deep"):
            tf.cond(x > 1.0, lambda: x * 2.0, lambda: x / 2.0, name="choice")
        tf.while_loop(lambda i: i < 5, lambda i: i + 1, [tf.constant(0)], name="loop")
    return graph


def counter():
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        with tf.control_dependencies([tf.assign_add(x, 1.0)]):
            return StepThrough(tf.identity(x, name="y"), runs=2)


@pytest.fixture
def stage(browser):
    with staged(browser) as made:
        yield made
        assert made.failed == []


def drawn(stage, widget, **traits):
    root = stage.show(widget, **traits)
    root.locator(".viewport[aria-busy=false] svg").first.wait_for()
    return root


def test_the_first_view_shows_the_whole_picture(stage):
    for widget in (counter(), GraphView(net()), GraphView(branch())):
        assert is_whole(drawn(stage, widget))


def test_collapse_all_on_a_fresh_view_shows_the_closed_scopes(stage):
    root = drawn(stage, GraphView(net(), collapsed=[]))
    press(root, "collapse-all")
    settle(root)
    assert root.locator("g.scope.open").count() == 0
    assert is_whole(root)
    assert root.evaluate(SCALE) > 0.3


def test_fold_the_gradients_closes_and_opens_nothing_else(stage):
    graph = net(6)
    closed = ["layer3", "layer4"]
    root = drawn(stage, GraphView(graph, collapsed=closed))
    before = root.evaluate(OPEN)
    press(root, "fold-gradients")
    settle(root)
    assert root.evaluate(OPEN) == before
    assert root.locator("g.scope.closed[data-scope=gradients]").count() == 1
    assert {"layer3", "layer4"} <= set(
        root.evaluate("r => [...r.querySelectorAll('g.scope.closed')].map(e => e.dataset.scope)")
    )
    assert seen(root)[0] > 0


def test_expand_all_beyond_its_limit_closes_nothing_and_says_so(stage):
    graph = parts(14, 30)
    names = [f"part{k}" for k in range(14)]
    root = drawn(stage, GraphView(graph, collapsed=names[:-1]))
    assert root.locator("g.scope.open[data-scope=part13]").count() == 1
    press(root, "expand-all")
    settle(root)
    root.locator("g.scope.open[data-scope=part0]").wait_for()
    assert root.locator("g.scope.open[data-scope=part13]").count() == 1
    left = root.locator(".viewport g.scope.closed").count()
    assert 0 < left < 5
    said = root.locator(".said")
    assert said.is_visible()
    assert f"Scopes that stay closed: {left}." in said.inner_text()
    assert seen(root)[0] > 0


def test_boxes_of_conds_and_loops_are_drawn_whole(stage):
    root = drawn(stage, GraphView(branch(), collapsed=[]))
    press(root, "boxes")
    settle(root)
    assert is_whole(root)
    press(root, "expand-all")
    settle(root)
    press(root, "fit")
    assert root.evaluate(OUTSIDE) == []
    assert is_whole(root)


def test_fit_shows_the_whole_of_a_very_large_picture(stage):
    root = drawn(stage, GraphView(net(), collapsed=[]))
    viewport = root.locator(".viewport")
    press(root, "expand-all")
    settle(root)
    for _ in range(8):
        press(root, "zoom-in")
    assert not is_whole(root)
    press(root, "fit")
    assert is_whole(root)
    assert root.evaluate(SCALE) < 0.62
    press(root, "zoom-in")
    viewport.locator("[tabindex='0']").first.focus()
    root.page.keyboard.press("0")
    assert is_whole(root)


def test_the_wheel_scrolls_the_page_unless_the_picture_has_the_focus_or_ctrl_is_held(stage):
    root = drawn(stage, GraphView(net(), collapsed=[]))
    page = stage.page
    page.set_viewport_size({"width": 1000, "height": 500})
    page.evaluate("document.body.style.minHeight = '3000px'")
    page.mouse.move(300, 400)
    before = root.locator(".sheet").evaluate("e => e.style.transform")
    page.mouse.wheel(0, 40)
    page.wait_for_function("scrollY === 40")
    assert root.locator(".sheet").evaluate("e => e.style.transform") == before
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_function(MOVED, arg=before)
    assert page.evaluate("scrollY") == 40
    zoomed = root.locator(".sheet").evaluate("e => e.style.transform")
    root.locator(".viewport [tabindex='0']").first.evaluate("e => e.focus({ preventScroll: true })")
    page.mouse.wheel(0, 30)
    page.wait_for_function(MOVED, arg=zoomed)
    assert page.evaluate("scrollY") == 40


@pytest.mark.parametrize("orientation", ["down", "right"])
def test_what_is_opened_keeps_its_place_and_comes_into_view(stage, orientation):
    root = drawn(
        stage, GraphView(parts(12, 6), collapsed=[f"part{k}" for k in range(12)]), orientation=orientation
    )
    for _ in range(3):
        press(root, "zoom-in")
    closed = root.locator("g.scope.closed[data-scope=part4]")
    closed.evaluate("e => e.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    root.page.keyboard.press("Enter")
    settle(root)
    opened = root.locator("g.scope.open[data-scope=part4]")
    box, outer = opened.locator(".handle").bounding_box(), root.locator(".viewport").bounding_box()
    assert outer["x"] <= box["x"]
    assert outer["y"] <= box["y"]
    assert box["y"] + box["height"] <= outer["y"] + outer["height"]
    opened.locator(".handle").click()
    settle(root)
    back = closed.bounding_box()
    assert [back["x"], back["y"]] == pytest.approx([box["x"], box["y"]], abs=30)


def test_back_and_forward_lead_through_the_views(stage):
    root = drawn(stage, GraphView(parts(4, 4), collapsed=["part1", "part2"]))
    place = "e => e.style.transform"
    sheet = root.locator(".sheet")
    first = sheet.evaluate(place)
    root.locator("g.scope.closed[data-scope=part1]").click()
    root.page.keyboard.press("Enter")
    settle(root)
    root.locator("g.scope.open[data-scope=part1]").wait_for()
    second = sheet.evaluate(place)
    page = stage.page
    page.keyboard.press("Alt+ArrowLeft")
    settle(root)
    assert root.locator("g.scope.closed[data-scope=part1]").count() == 1
    assert sheet.evaluate(place) == first
    page.keyboard.press("]")
    settle(root)
    assert root.locator("g.scope.open[data-scope=part1]").count() == 1
    assert sheet.evaluate(place) == second


def test_steps_leave_a_picture_in_view_where_it_is(stage):
    root = drawn(stage, counter())
    places = set()
    for _ in range(6):
        places.add(root.locator(".sheet").evaluate("e => e.style.transform"))
        root.get_by_test_id("step").click()
    assert len(places) == 1, json.dumps(sorted(places))


def test_a_picture_is_saved_as_it_is_drawn(stage, tmp_path):
    root = drawn(stage, counter())
    page = stage.page
    files = {}
    for kind in ("svg", "png"):
        with page.expect_download() as download:
            press(root, f"save-{kind}")
        files[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[kind])
    with page.expect_download() as download:
        root.press("s")
    again = tmp_path / "again.svg"
    download.value.save_as(again)
    text = files["svg"].read_text()
    assert again.read_text() == text
    assert ElementTree.fromstring(text).get("aria-label")
    assert ">AssignAdd<" in text
    assert "rgb(" in text
    assert "var(" not in text
    head = files["png"].read_bytes()
    assert head.startswith(b"\x89PNG")
    assert len(head) > 10_000


# The nodes that a step made and that are not wholly in view.
NEW_OUTSIDE = """root => { const room = root.querySelector(".viewport").getBoundingClientRect();
    const nodes = root.querySelectorAll("g.node[data-state=new] .shape");
    return [...nodes].map(e => e.getBoundingClientRect()).filter(r =>
        r.left < room.left || r.right > room.right || r.top < room.top || r.bottom > room.bottom); }"""


def test_a_step_of_a_long_flow_comes_to_a_readable_size_until_the_reader_moves_the_picture(browser):
    with tf.Graph().as_default():
        x = y = tf.constant(0.5)
        for _ in range(6):
            y = tf.sin(y) * x
        flow = GradientFlow(y, x)
    with staged(browser) as stage:
        widget = stage.show(flow)
        assert is_whole(widget)
        whole = widget.evaluate(SCALE)
        widget.focus()
        scales = []
        for _ in range(6):
            widget.press(".")
            scales.append(widget.evaluate(SCALE))
            assert widget.evaluate(NEW_OUTSIDE) == []
        assert min(scales) > 0.45
        assert max(scales) >= 0.7 - 1e-6
        widget.press("0")
        # The gradients have their places now: the whole is larger than the graph that is differentiated.
        fitted = widget.evaluate(SCALE)
        assert fitted < whole
        widget.press(".")
        assert widget.evaluate(SCALE) == pytest.approx(fitted)
