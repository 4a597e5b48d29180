"""A teacher's own graphs and texts: all their content appears as text, and a cell that runs again is reported."""

import shutil

import pytest
from driver import Notebook, expect

NAME = "teachers_own.ipynb"


@pytest.fixture(scope="module")
def notebook(open_for_all):
    opened = open_for_all(NAME)
    opened.run_all()
    return opened


def widget(notebook, made_by: str):
    return notebook.cell(notebook.find(made_by)).locator(".tfedu").first


def nothing_ran(notebook) -> bool:
    return notebook.page.evaluate("() => window.hacked === undefined && !document.querySelector('.tfedu img, .tfedu script')")


def test_markup_emoji_and_a_megabyte_are_shown_as_text(notebook):
    assert notebook.failures() == []
    predict = widget(notebook, "Predict(\n")
    expect(predict).to_contain_text("<img src=x onerror='window.hacked=1'>")
    expect(predict).to_contain_text("🙂👩‍🏫")
    for i in range(2):
        predict.locator("input[data-testid^=predict-]").nth(i).fill("<b>0</b>")
    predict.get_by_test_id("reason").fill("<img src=x onerror='window.hacked=1'>")
    predict.get_by_test_id("commit").click()
    expect(predict.locator("[data-testid^=verdict-]")).to_have_count(2)
    notebook.shot("predict")
    compare = widget(notebook, "Compare({")
    compare.get_by_test_id("scrub").press("End")
    expect(compare.get_by_test_id("printed").first).to_contain_text("<img src=x")
    notebook.shot("compare")
    assert nothing_ran(notebook)


def test_texts_stay_inside_their_widget(notebook):
    for made_by in ("Predict(\n", "Compare({"):
        found = widget(notebook, made_by)
        assert found.evaluate("e => e.scrollWidth - e.clientWidth") <= 1, made_by


def test_a_cell_that_runs_again_is_reported(notebook):
    graph = notebook.find("GraphView(tf.get_default_graph())")
    expect(notebook.cell(graph).locator(".tfedu").get_by_test_id("notice")).to_have_count(0)
    notebook.run_cell(notebook.find("# run again"))
    notebook.run_cell(graph)
    notice = notebook.cell(graph).locator(".tfedu").get_by_test_id("notice")
    expect(notice).to_have_count(1)
    expect(notice).to_contain_text("Variable_1")
    notebook.shot("run_again")


def test_a_saved_notebook_still_shows_its_pictures_when_nothing_has_run(notebook, lab, browser):
    """As on the next day: another kernel, which has made no widget."""
    notebook.save()
    shutil.copy(lab.root / NAME, lab.root / "next_day.ipynb")
    later = Notebook(lab, browser, "next_day.ipynb")
    try:
        output = later.cell(graph_cell(later)).locator(".jp-OutputArea-output")
        picture = output.locator("img[src^='data:image/svg'], svg").first
        expect(picture).to_be_visible()
        assert picture.bounding_box()["width"] > 100
        later.shot("shown")
        assert not later.foreign
    finally:
        later.close()


def graph_cell(notebook) -> int:
    return next(i for i, c in enumerate(notebook.cells()) if c["source"] == "graph")
