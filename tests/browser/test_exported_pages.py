"""Exported pages in a real browser: they work from a file, without Python, and ask for nothing from outside."""

from __future__ import annotations

import contextlib

import driver
import pytest

import tfedu as tf
from tfedu.widgets import Compare, StepThrough


@pytest.fixture
def counter():
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        bump = tf.assign_add(x, 1, name="bump")
        with tf.control_dependencies([bump]):
            yield x.value(), tf.identity(x, name="y")


@contextlib.contextmanager
def opened(browser, path, **context):
    """The page of a file; at its end it has asked for nothing but itself, and no script has failed."""
    with contextlib.closing(browser.new_context(reduced_motion="reduce", **context)) as own:
        page, asked, failed = own.new_page(), [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: failed.append(message.text))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto(path.as_uri())
        yield page
        assert [url for url in asked if not url.startswith("blob:")] == [path.as_uri()]
        assert failed == []


def test_a_comparison_steps_without_python(browser, counter, tmp_path):
    without, with_identity = counter
    widget = Compare({"without": without, "with": with_identity}, title="The counter")
    with opened(browser, widget.save(tmp_path / "page.html"), viewport={"width": 1100, "height": 900}) as page:
        page.locator("section.shown").wait_for()
        assert page.title() == "The counter"
        for _ in range(12):
            page.get_by_test_id("step").click()
        assert page.locator(".running").get_by_text("1.0").count() > 0
        assert page.locator(".paper").is_hidden()
        page.emulate_media(media="print")
        assert page.locator(".paper img").is_visible()
        assert page.locator(".running").is_hidden()


def test_a_page_speaks_one_language(browser, counter, tmp_path):
    path = tf.export_html(StepThrough(counter[1]), tmp_path / "page.html", lang="ko")
    with opened(browser, path) as page:
        page.locator("section.shown").wait_for()
        assert page.get_by_test_id("step").inner_text().strip() == "한 단계"
        assert page.locator("html").get_attribute("lang") == page.locator(".running > .tfedu").get_attribute("lang") == "ko"


def test_several_widgets_share_one_front_end_and_have_no_barriers(browser, counter, tmp_path):
    path = tf.export_html([StepThrough(counter[1]), counter[1].graph], tmp_path / "page.html", title="Two", lang="en")
    with opened(browser, path, bypass_csp=True) as page:
        page.locator("section.shown").nth(1).wait_for()
        assert page.locator("style").count() == 2
        assert driver.barriers(page.locator("main")) == []


def test_a_damaged_page_says_so(browser, counter, tmp_path):
    path = tf.export_html(StepThrough(counter[1]), tmp_path / "page.html", lang="en")
    text = path.read_text("utf-8")
    at = text.index('id="packed">') + 500
    path.write_text(text[:at] + "AAAAAAAA" + text[at + 8 :], "utf-8")
    with opened(browser, path) as page:
        page.get_by_text("This page could not show its widgets.").wait_for()
        assert page.locator(".paper img").is_visible()
