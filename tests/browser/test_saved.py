"""A saved lesson without its kernel keeps its pictures, the prediction with its answer, and the steps."""

import json

from driver import expect

from tfedu.widgets.pages.front_end_code import bundle, front_end_code

NAME = "saved.ipynb"
# JupyterLab reports a saved widget as lost if it has no model two seconds after the new kernel's first answer; a busy machine
# takes longer. JupyterLab draws that widget only after a reload.
LOST = "widget model not found"


def reopened(notebook, name):
    """Another notebook in the same page, with no kernel left from before."""
    notebook.lab.stop_kernels(notebook.name)
    notebook.name = name
    notebook.page.goto(f"{notebook.lab.url}/lab/tree/{name}?reset&token={notebook.lab.token}")
    notebook.ready()
    return notebook


def drawn(notebook, index):
    """The widget of a cell of a notebook that was opened again; reloads the page where JupyterLab lost the widget."""
    lost = notebook.cell(index).get_by_text("Error displaying widget: model not found")
    expect(notebook.cell(index).locator(".tfedu").or_(lost).first).to_be_visible()
    if lost.count():
        notebook.errors[:] = [error for error in notebook.errors if LOST not in error]
        notebook.page.reload()
        notebook.ready()
    return notebook.cell(index).locator(".tfedu")


def test_a_saved_lesson_shows_and_steps_without_its_kernel(open_notebook):
    notebook = open_notebook(NAME)
    notebook.run_all()
    assert notebook.failures() == []
    asked = notebook.cell(2).locator(".tfedu")
    asked.get_by_test_id("predict-t1-0").fill("1")
    asked.get_by_test_id("commit").click()
    expect(notebook.cell(3).get_by_test_id("step")).to_be_visible()
    notebook.save()
    # Two widgets, and the output that displays them once.
    saved = (notebook.lab.root / NAME).read_text(encoding="utf-8")
    assert len(saved) < 1.3 * len(json.dumps(front_end_code() + bundle("widget.css")))

    reopened(notebook, NAME)
    expect(drawn(notebook, 2).locator("[data-testid^=verdict-]")).to_have_attribute("data-correct", "true")
    steps = drawn(notebook, 3)
    steps.get_by_test_id("step").click()
    expect(steps.get_by_test_id("scrub")).to_have_attribute("aria-valuenow", "1")
    notebook.shot("without_kernel")


def test_a_notebook_that_is_not_trusted_shows_its_pictures(open_notebook):
    """As one that came by mail: JupyterLab draws nothing of it that could run."""
    notebook = open_notebook(NAME, "sent.ipynb")
    notebook.run_all()
    notebook.save()
    root = notebook.lab.root
    came = json.loads((root / "sent.ipynb").read_text(encoding="utf-8"))
    came["metadata"].pop("widgets", None)
    came["cells"][0]["source"] = "# somebody else's"  # what was signed here was another notebook
    (root / "came.ipynb").write_text(json.dumps(came), encoding="utf-8")

    reopened(notebook, "came.ipynb")
    for cell in (1, 2):
        picture = notebook.cell(cell).locator(".jp-OutputArea-output img")
        expect(picture).to_be_visible()
        assert picture.evaluate("image => image.naturalWidth") > 50
    assert "AssignAdd" in notebook.cell(1).locator(".jp-OutputArea-output img").get_attribute("alt")
