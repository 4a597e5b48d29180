"""The transport on a bare page: the timeline is the slider, it has a lane for each fork, and nothing moves by stepping."""

import pytest
from playwright.sync_api import expect
from stage import settle, staged

import tfedu as tf
from tfedu import widgets


def counter():
    x = tf.Variable(0.0, name="x")
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        y = tf.identity(x)
    return widgets.StepThrough(y, runs=3)


def wide():
    """Twenty nodes are ready at once."""
    return widgets.StepThrough(
        tf.add_n([tf.constant(float(n), name=f"a_rather_long_name_{n}") for n in range(20)])
    )


def loop():
    _, total = tf.while_loop(lambda i, _: i < 12, lambda i, total: (i + 1, total + i), [0, 0])
    return widgets.StepThrough(total, runs=1)


def forked():
    view = counter()
    for step, value in enumerate([5.0, 6.0, 7.0, 8.0]):
        view.fork(run=0, step=step, set={"x": value}, timeline=0)
    view.break_at("AssignAdd")
    return view


def many():
    x = tf.Variable(0.0, name="x")
    return widgets.StepThrough(tf.assign_add(x, 1.0), runs=30)


PROGRAMS = {"counter": counter, "wide": wide, "loop": loop, "forked": forked, "many": many}


@pytest.fixture
def stage(browser):
    with staged(browser) as stage:
        yield stage
        assert stage.failed == []


def placed(root):
    """The height of the widget and the places of its bands and picture."""
    return root.evaluate("""root => [root, ...root.querySelectorAll("[class^=stage-], .stage-picture svg")]
        .map(e => e.getBoundingClientRect()).map(box => [box.top, box.height].map(Math.round).join())""")


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_moves_by_stepping(stage, name):
    root = stage.show(PROGRAMS[name]())
    root.get_by_test_id("scrub").press("Home")
    first = placed(root)
    assert root.bounding_box()["height"] <= 700
    for _ in range(8):
        root.get_by_test_id("step").click()
        assert placed(root) == first
    root.get_by_test_id("scrub").press("End")
    assert placed(root) == first
    # The queue of twenty nodes needs several lines.
    root.get_by_test_id("tab-queue").click()
    for key in ("Home", *["ArrowRight"] * 8, "End"):
        root.get_by_test_id("scrub").press(key)
        assert placed(root) == first


# The texts of the timeline that meet each other or leave it.
MEETING = """root => { const track = root.querySelector(".track").getBoundingClientRect();
    const boxes = [...root.querySelectorAll(".track-labels span, .lane-names div")].filter(e => e.textContent).map(e => {
        const range = document.createRange(); range.selectNodeContents(e);
        const own = e.getBoundingClientRect(), text = range.getBoundingClientRect();
        const right = Math.min(text.right, own.right);
        return { words: e.textContent, left: text.left, right, top: own.top, bottom: own.bottom }; });
    const out = boxes.filter(b => b.bottom > track.bottom + 1 || b.top < track.top - 1).map(b => b.words);
    const meets = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 1.5 && b.top < a.bottom - 1.5;
    const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b => meets(a, b)).map(b => a.words + " / " + b.words));
    return [...out, ...pairs]; }"""


@pytest.mark.parametrize("lang", ["en", "ko", "zh"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_text_of_the_timeline_meets_another(stage, name, lang):
    root = stage.show(PROGRAMS[name](), lang=lang)
    for width in (980, 880, 600):
        stage.page.set_viewport_size({"width": width, "height": 900})
        for key in ("Home", "ArrowRight", "PageUp", "PageUp", "End"):
            root.get_by_test_id("scrub").press(key)
            assert root.evaluate(MEETING) == []


def test_a_pointer_drags_the_position_and_begins_runs_by_their_names(stage):
    root = stage.show(counter())
    scrub = root.get_by_test_id("scrub")
    box = scrub.bounding_box()
    mouse = stage.page.mouse
    mouse.move(box["x"] + 2, box["y"] + 40)
    mouse.down()
    for part, place in (
        (0.1, "Run 1 of 3 · step 2 of 5"),
        (0.5, "Run 2 of 3 · step 3 of 5"),
        (0.99, "Run 3 of 3 · over, step 5 of 5"),
    ):
        mouse.move(box["x"] + part * box["width"], box["y"] + 40)
        expect(scrub).to_have_attribute("aria-valuetext", place)
    mouse.up()
    scrub.get_by_text("Run 2").click(force=True)
    expect(scrub).to_have_attribute("aria-valuetext", "Run 2 of 3 · step 0 of 5")


def test_each_fork_is_a_lane_named_by_its_number_and_change(stage):
    root = stage.show(forked())
    scrub = root.get_by_test_id("scrub")
    names = root.locator(".lane-names > *")
    assert scrub.bounding_box()["height"] <= 68
    scrub.press("Home")
    seen = []
    for _ in range(5):
        seen.append(root.locator(".lane-names > [data-now]").inner_text())
        scrub.press("ArrowUp")
        settle(root)
    assert names.count() == 3
    assert seen == ["4 · x = 8.0", "3 · x = 7.0", "2 · x = 6.0", "1 · x = 5.0", "Timeline 0"]


def test_an_iteration_is_one_step_if_the_reader_wants_it(stage):
    root = stage.show(loop())
    root.get_by_test_id("unit").click()
    root.get_by_test_id("scrub").press("Home")
    titles = []
    for _ in range(4):
        root.get_by_test_id("step").click()
        settle(root)
        titles.append(root.locator("[data-testid=position] .title").inner_text())
    assert titles == ["Start", "Iteration 0", "1", "2"]
