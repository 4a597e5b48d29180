"""A real training in a real notebook: its curves grow while the cell runs, and the keyboard reads them, in two languages."""

import re

import pytest
from driver import Notebook, expect
from stage import staged

import tfedu as tf
from tfedu.widgets import TrainingView

NAME = "training.ipynb"


@pytest.fixture(scope="module")
def lesson(open_for_all) -> Notebook:
    return open_for_all(NAME, viewport={"width": 1400, "height": 1250})


def view_of(lesson: Notebook, made_by: str):
    return lesson.cell(lesson.find(made_by)).locator(".tfedu").first


def card(view, tag: str):
    return view.locator(f'.tag-card[data-tag="{tag}"]').first


def drawn(view, tag: str) -> int:
    found = card(view, tag).get_by_test_id("counts")
    text = found.inner_text() if found.count() else "0 of 0"
    return int(re.search(r"of ([\d,]+)", text)[1].replace(",", ""))


def start(lesson: Notebook, made_by: str) -> None:
    """Runs a cell and does not wait for its end."""
    lesson.cell(lesson.find(made_by)).locator(".jp-InputArea-editor").click()
    lesson.page.keyboard.press("Control+Enter")


def test_curves_grow_while_the_cell_is_running(lesson):
    lesson.run_cell(lesson.find("tf.losses.sparse"))
    lesson.run_cell(lesson.find("every=0.2"))
    view = view_of(lesson, "every=0.2")
    expect(view.get_by_test_id("empty")).to_be_visible()
    start(lesson, "tf.progress.track")
    view = view_of(lesson, "every=0.2")
    lesson.until(lambda: drawn(view, "loss") > 0, "the first value is drawn")
    first = drawn(view, "loss")
    lesson.until(lambda: first < drawn(view, "loss"), "more values are drawn")
    assert lesson.is_running()
    lesson.until(lambda: drawn(view, "loss") == 420, "all values are drawn")
    lesson.until(lambda: not lesson.is_running(), "the cell has run")
    assert lesson.failures() == []
    shown = lesson.cells()[lesson.find("every=0.2")]["outputs"]
    assert len(shown) == 1
    assert "accuracy" in "".join(shown[0]["data"]["image/svg+xml"])  # a place without a kernel has the end of it
    view = view_of(lesson, "every=0.2")
    expect(view.get_by_test_id("chart")).to_have_count(2)
    expect(view.get_by_test_id("histogram")).to_have_count(2)
    expect(view.get_by_test_id("image")).to_have_count(2)
    assert view.get_by_test_id("image").first.evaluate("image => image.naturalWidth") == 8


def test_the_loop_has_a_progress_bar(lesson):
    shown = lesson.cell(lesson.find("tf.progress.track")).locator(".jp-OutputArea")
    expect(shown).to_contain_text("400/400")
    expect(shown.locator(".widget-hprogress, .jupyter-widget-hprogress, [role=progressbar]").first).to_be_visible()


def test_a_curve_is_read_with_the_keyboard_alone(lesson):
    view = view_of(lesson, "every=0.2")
    loss = card(view, "loss")
    slider = loss.get_by_test_id("reading")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Step 399 · test: .* · train: "))
    slider.focus()
    lesson.page.keyboard.press("Home")
    expect(loss.locator(".told")).to_contain_text("Step 0 · ")
    lesson.page.keyboard.press("ArrowRight")
    expect(loss.locator(".told")).to_contain_text("Step 1 · test: ")
    lesson.page.keyboard.press("End")
    loss.locator("summary").focus()
    lesson.page.keyboard.press("Enter")
    expect(loss.locator("table")).to_have_count(3)
    expect(loss.locator("table").first).to_contain_text("400")
    lesson.page.keyboard.press("Enter")
    box = loss.get_by_test_id("chart").bounding_box()
    lesson.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(loss.locator(".told")).not_to_contain_text("Step 399")


def test_settings_can_be_set_from_python(lesson):
    view = view_of(lesson, "every=0.2")
    view.get_by_test_id("smoothing").focus()
    for _ in range(3):
        lesson.page.keyboard.press("PageUp")
    expect(card(view, "loss").locator(".raw")).to_have_count(2)
    view.get_by_test_id("axis").select_option("relative")
    expect(card(view, "loss").locator(".told")).to_contain_text("after the start")
    view.get_by_test_id("axis").select_option("step")
    assert lesson.barriers(view) == []
    lesson.shot("1_light")


def test_the_page_can_be_reloaded(lesson):
    lesson.reload()
    view = view_of(lesson, "every=0.2")
    lesson.until(lambda: drawn(view, "loss") == 420, "all values are drawn again")
    expect(view.get_by_test_id("smoothing")).not_to_have_value("0")


def test_a_view_that_a_loop_feeds_has_all_values(lesson):
    lesson.run_cell(lesson.find("fed by the loop"))
    view = view_of(lesson, "fed by the loop")
    expect(card(view, "x").get_by_test_id("counts")).to_have_text("1,000 of 1,000 values drawn")
    expect(card(view, "x").locator(".told")).to_have_text("Step 999 · 999")


def test_it_speaks_korean_in_the_dark_theme(lesson):
    lesson.page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    view = view_of(lesson, "every=0.2")
    expect(view).to_have_attribute("data-theme", "dark")
    view.get_by_test_id("more").click()
    view.get_by_test_id("lang").select_option("ko")
    expect(card(view, "loss").get_by_test_id("counts")).to_contain_text("값 420개")
    view.get_by_test_id("bands").check()
    view.locator('[data-tag="hidden/w_1"]').first.scroll_into_view_if_needed()  # what is far away is drawn when it comes near
    expect(view.locator(".band").first).to_be_visible()
    assert lesson.barriers(view) == []
    view.evaluate("element => element.scrollIntoView({block: 'start'})")
    lesson.shot("2_dark")


# Where the thumb of the slider and the line in the chart are, on the page.
READ = """card => { const slider = card.querySelector("[data-testid=reading]"), box = slider.getBoundingClientRect();
    const share = (slider.value - slider.min) / (slider.max - slider.min);
    return [box.left + 8 + share * (box.width - 16), card.querySelector(".cursor path").getBoundingClientRect().left]; }"""


def test_the_slider_is_below_the_line_that_it_or_the_pointer_reads(browser):
    """The steps are not equally far apart."""
    view = TrainingView(live=False)
    for step in (0, 1, 2, 3, 10, 40, 100):
        view.add(tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=1 / (step + 1))]), step)
    view.refresh()
    with staged(browser) as stage:
        loss = card(stage.show(view), "loss")
        chart, slider = loss.get_by_test_id("chart").bounding_box(), loss.get_by_test_id("reading")
        read = []

        def look() -> None:
            thumb, line = loss.evaluate(READ)
            assert thumb == pytest.approx(line, abs=1.5)
            read.append(loss.locator(".told").inner_text().split(" · ")[0])

        look()
        for key in ("Home", "ArrowRight", "PageUp", "PageUp", "PageUp"):
            slider.press(key)
            look()
        stage.page.mouse.move(chart["x"] + chart["width"] * 0.5, chart["y"] + chart["height"] / 2)
        look()
        stage.page.mouse.move(chart["x"], chart["y"] - 20)
        look()
        box = slider.bounding_box()
        stage.page.mouse.click(box["x"] + box["width"] * 0.12, box["y"] + box["height"] / 2)
        look()
        steps = [int(text.removeprefix("Step ")) for text in read]
        assert steps == [100, 0, 1, 2, 3, 10, 40, 10, 10]
        assert stage.failed == []
