"""What authors publish from notebooks, in a real browser: it works from a file and asks for nothing from outside."""

from __future__ import annotations

import subprocess
import sys

import driver
import pytest
from driver import expect

from tests.publishing import saved_notebooks
from tfedu.publishing.notebook_pages import TfeduHTMLExporter, TfeduPDFExporter, TfeduSlidesExporter
from tfedu.widgets import Compare, Predict, StepThrough, Value


@pytest.fixture
def y(counter):
    return counter


def opened(browser, path, **context):
    """The page of a file, which works alone."""
    return driver.page_alone(browser, path.as_uri(), **context)


def written(exporter, path, *widgets):
    text, _ = exporter.from_notebook_node(saved_notebooks.saved(*widgets))
    path.write_text(text, encoding="utf-8")
    return path


def test_the_widgets_of_a_notebook_work_on_its_page(browser, y, tmp_path):
    steps = StepThrough(y, runs=1, lang="en")
    steps.step = 2
    path = written(
        TfeduHTMLExporter(),
        tmp_path / "page.html",
        steps,
        Predict({"y": y}, lang="en"),
        Value([1.0]),
    )
    with opened(browser, path, viewport={"width": 1280, "height": 900}) as page:
        page.locator(".shown").nth(1).wait_for()
        first = page.locator('[data-widget="0"]')
        assert first.get_by_test_id("scrub").get_attribute("aria-valuenow") == "2"
        first.get_by_test_id("scrub").focus()
        page.keyboard.press("ArrowRight")
        expect(first.get_by_test_id("scrub")).to_have_attribute("aria-valuenow", "3")
        assert page.get_by_text("This is a picture: the question was not answered").is_visible()
        assert driver.barriers(page.locator("body")) == []
        page.emulate_media(media="print")
        assert page.locator(".paper img").first.is_visible()
        assert page.locator(".running").first.is_hidden()


def test_slides_and_the_widgets_in_them_have_keys_of_their_own(browser, y, tmp_path):
    """A comparison has parts, none of which is a slide."""
    notebook = saved_notebooks.saved(
        Compare({"a": y, "b": y + 1.0}, lang="en"), StepThrough(y, runs=1, lang="en")
    )
    for cell in notebook.cells:
        cell.metadata["slideshow"] = {"slide_type": "slide"}
    path = tmp_path / "slides.html"
    path.write_text(TfeduSlidesExporter().from_notebook_node(notebook)[0], encoding="utf-8")
    with opened(browser, path, viewport={"width": 1280, "height": 800}) as page:
        page.locator('[data-widget="1"].shown').wait_for(state="attached")
        page.keyboard.press("ArrowRight")
        sides = page.locator('[data-widget="0"] .side')
        sides.nth(1).wait_for()
        assert sides.count() == 2
        assert all(side.is_visible() for side in sides.all())
        assert page.evaluate("[Reveal.getHorizontalSlides().length, Reveal.getVerticalSlides().length]") == [
            3,
            3,
        ]
        # Colours mix while one slide fades into the next.
        page.wait_for_function("document.getAnimations().every(animation => animation.playState === 'finished')")
        assert driver.barriers(page.locator("body")) == []
        page.keyboard.press("ArrowRight")
        widget = page.locator('[data-widget="1"] .tfedu')
        widget.wait_for()
        widget.get_by_test_id("scrub").focus()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_test_id("scrub").nth(1)).to_have_attribute("aria-valuenow", "1")
        assert page.evaluate("Reveal.getIndices().h") == 2


def test_paper_has_the_pictures(y, tmp_path):
    exporter = TfeduPDFExporter(browser=driver.chromium(), disable_sandbox=True)
    made, resources = exporter.from_notebook_node(saved_notebooks.saved(StepThrough(y, runs=1)))
    assert made.startswith(b"%PDF")
    assert resources["output_extension"] == ".pdf"
    assert len(made) > 15_000
    with pytest.raises(RuntimeError, match="made no PDF"):
        TfeduPDFExporter(browser=sys.executable).from_notebook_node(
            saved_notebooks.saved(StepThrough(y, runs=1))
        )


def test_the_command_of_nbconvert(y, tmp_path):
    """As an author types it, with the notebook in a file."""
    import nbformat

    nbformat.write(saved_notebooks.saved(StepThrough(y, runs=1)), tmp_path / "lesson.ipynb")
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to",
        "tfedu-html",
        "--TfeduHTMLExporter.live=False",
        "lesson.ipynb",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert 'src="data:image/svg+xml;base64,' in (tmp_path / "lesson.html").read_text("utf-8")
