"""What `tfedu view` serves, and an SVG that plays its steps, in Chromium."""

import contextlib
import threading

import pytest

import tfedu as tf
from tfedu.opened_files import opened
from tfedu.page_server import PageServer
from tfedu.widgets import StepThrough
from tfedu.widgets.base import page_text


@pytest.fixture
def stepper():
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        with tf.control_dependencies([tf.assign_add(x, 1)]):
            y = tf.identity(x, name="y")
        return StepThrough(y, runs=1, lang="en")


@contextlib.contextmanager
def page_of(browser, **options):
    """A page whose console stays silent, and which asks nothing of another host."""
    page = browser.new_page(**options)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if request.url.startswith("https") else None)
    yield page
    assert said == []
    page.close()


def test_a_saved_run_is_stepped_through_on_the_served_page(browser, stepper, tmp_path):
    text = page_text(opened(stepper.save(tmp_path / "run.json"), "en"), "run.json", "en")
    with PageServer(text) as server, page_of(browser) as page:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            page.goto(server.address)
            page.locator("section.shown").wait_for()
            assert page.title() == "run.json"
            for _ in range(5):
                page.get_by_test_id("step").click()
            page.locator(".running").get_by_text("1.0").first.wait_for()
        finally:
            server.stop()
            thread.join()


AT = "at => document.getAnimations().forEach(each => { each.pause(); each.currentTime = at })"
SHOWN = "[...document.querySelectorAll('text')].filter(e => getComputedStyle(e).visibility === 'visible').map(e => e.textContent)"


def test_an_svg_plays_its_steps_and_holds_the_last_one_where_motion_is_unwanted(browser, stepper, tmp_path):
    path = stepper.save(tmp_path / "run.svg", play=True, seconds=2)
    with page_of(browser, reduced_motion="no-preference") as page:
        page.goto(path.as_uri())
        for seconds, words in ((1, "step 0 of 5"), (5, "step 2 of 5"), (11, "over, step 5 of 5")):
            page.evaluate(AT, 1000 * seconds)
            assert [text for text in page.evaluate(SHOWN) if text.startswith("Run 1 of 1")] == [f"Run 1 of 1 · {words}"]
    with page_of(browser, reduced_motion="reduce") as page:
        page.goto(path.as_uri())
        assert page.evaluate("document.getAnimations().length") == 0
        assert "Run 1 of 1 · over, step 5 of 5" in page.evaluate(SHOWN)
