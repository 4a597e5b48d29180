"""The harness itself: a click reaches Python, and the harness notices foreign requests, errors and accessibility problems."""

import pathlib

import driver
import pytest
from driver import expect

NAME = "smallest_widget.ipynb"


def test_click_in_the_browser_reaches_python_and_outlives_a_reload(open_notebook):
    notebook = open_notebook(NAME)
    notebook.run_all()
    assert not notebook.failures()
    button = notebook.page.get_by_test_id("count")
    for n in (1, 2, 3):
        button.click()
        expect(button).to_have_text(f"count {n}")
    notebook.run_cell(2)
    assert notebook.printed(2) == "counted 3\n"
    notebook.shot("clicked")

    notebook.reload()
    expect(button).to_have_text("count 3")
    notebook.restart_and_run_all()
    expect(button).to_have_text("count 0")
    assert [c["count"] for c in notebook.cells() if c["type"] == "code"] == [1, 2]


def test_request_to_another_host_and_console_error_are_noticed(open_notebook):
    notebook = open_notebook(NAME)
    notebook.check()
    notebook.page.evaluate("() => fetch('http://elsewhere.invalid/').catch(() => null)")
    with pytest.raises(AssertionError, match="elsewhere"):
        notebook.check()
    notebook.foreign.clear()
    notebook.errors.clear()
    notebook.page.evaluate("() => console.error('no such thing')")
    notebook.until(lambda: notebook.errors, "the console error arrived")
    with pytest.raises(AssertionError, match="no such thing"):
        notebook.check()
    notebook.errors.clear()


def test_missing_browser_fails_and_does_not_skip(monkeypatch):
    monkeypatch.delenv("TFEDU_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(pathlib.Path(__file__).parent))
    with pytest.raises(FileNotFoundError, match="make test"):
        driver.chromium()


def test_a_planted_accessibility_problem_is_found(open_notebook):
    notebook = open_notebook(NAME)
    page = notebook.page
    page.evaluate("() => { document.body.append(Object.assign(document.createElement('button'), { id: 'nameless' })); }")
    found = notebook.barriers(page.locator("#nameless"))
    assert len(found) == 1
    assert found[0].startswith("button-name")
