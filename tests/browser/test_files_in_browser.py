"""What `tfedu view` serves, and an SVG that plays its steps, in Chromium."""

import contextlib
import threading

import pytest

import tfedu as tf
from tfedu.opened_files import opened
from tfedu.page_server import PageServer
from tfedu.widgets import StepThrough
from tfedu.widgets.pages.served_page import ServedPage


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


@contextlib.contextmanager
def served(browser, path):
    """The page on which `tfedu view` shows a file."""
    shown = ServedPage(opened(path, "en"), path.name, "en")
    with PageServer(shown.text, shown.answer) as server, page_of(browser) as page:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            page.goto(server.address)
            page.locator("section.shown").wait_for()
            yield page
        finally:
            server.stop()
            thread.join()


def test_a_saved_run_is_stepped_through_on_the_served_page(browser, stepper, tmp_path):
    with served(browser, stepper.save(tmp_path / "run.json")) as page:
        assert page.title() == "run.json"
        for _ in range(5):
            page.get_by_test_id("step").click()
        page.locator(".running").get_by_text("1.0").first.wait_for()


def test_a_scope_that_the_page_does_not_hold_opens_on_the_served_page(browser, tmp_path):
    with tf.Graph().as_default():
        for block in range(4):
            with tf.name_scope(f"block{block}"):
                for inner in range(60):
                    with tf.name_scope(f"inner{inner}"):
                        x = tf.constant(1.0)
                        for _ in range(100 + block):
                            x = tf.identity(x)
        tf.train.write_graph(tf.get_default_graph(), str(tmp_path), "large.pb", as_text=False)
    with served(browser, tmp_path / "large.pb") as page:
        for scope in ("block3/inner0…inner59", "block3/inner59"):
            page.locator(f'.viewport g.scope[data-scope="{scope}"]').locator(".handle, .sign").first.dispatch_event("click")
        page.locator('.viewport g.scope[data-scope^="block3/inner59/"]').wait_for()


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
