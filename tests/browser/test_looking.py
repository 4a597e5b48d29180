"""Values, the building film and the passes with a kernel: requests are answered, cells are named, keys step."""

import numpy as np
import pytest
from driver import barriers, expect
from stage import staged

from tfedu.widgets import Value

NAME = "values_and_films.ipynb"


@pytest.fixture(scope="module")
def notebook(open_for_all):
    opened = open_for_all(NAME)
    opened.run_all()
    assert opened.failures() == []
    return opened


def test_a_heat_map_comes_from_the_kernel_and_is_read_with_the_arrow_keys(notebook):
    steps = notebook.widget("StepThrough(")
    steps.get_by_test_id("step").click()
    steps.get_by_test_id("tab-inspect").click()
    expect(steps.get_by_test_id("look")).to_have_value("histogram")
    steps.get_by_test_id("look").select_option("heat")
    heat = steps.get_by_test_id("heat")
    expect(heat.locator(".cell")).to_have_count(60 * 50)
    heat.focus()
    notebook.page.keyboard.press("ArrowRight")
    notebook.page.keyboard.press("ArrowDown")
    expect(steps.get_by_test_id("cell")).to_have_text("row 1, column 1: 51")
    assert barriers(steps) == []
    notebook.shot("heat")


# The lightness of the cells that stand for each level, from the least to the largest.
LIGHTNESS = """heat => [...Array(9).keys()].map(level => {
    const rect = heat.querySelector(`.cell[data-level="${level}"] rect`), colour = getComputedStyle(rect).fill;
    rect.style.fill = `oklab(from ${colour} l 0 0)`;
    return Number(getComputedStyle(rect).fill.match(/oklab\\(([\\d.]+)/)[1]); })"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_heat_map_has_a_cell_for_each_value_that_fits_and_equal_steps_of_lightness(browser, theme):
    value = np.arange(2400.0).reshape(60, 40)
    with staged(browser, color_scheme=theme) as stage:
        root = stage.show(Value(value, look="heat"))
        heat = root.get_by_test_id("heat")
        assert heat.locator(".cell").count() == value.size
        heat.focus()
        for key in ("End", "PageDown"):
            stage.page.keyboard.press(key)
        expect(root.get_by_test_id("cell")).to_have_text("row 59, column 39: 2399")
        lightness = heat.evaluate(LIGHTNESS)
        steps = np.diff(lightness)
        assert np.all(steps > 0) or np.all(steps < 0)
        assert np.abs(steps).min() > 0.9 * np.abs(steps).max()
        assert abs(lightness[-1] - lightness[0]) > 0.4
        assert stage.failed == []


def test_slices_of_a_value_come_one_after_the_other(notebook):
    value = notebook.widget("Value(spoilt)")
    value.get_by_test_id("look").select_option("heat")
    value.get_by_test_id("slice-on").click()
    expect(value.get_by_test_id("value")).to_contain_text("Slice [1, :, :]")
    expect(value.locator(".cell.odd")).to_have_count(1)
    value.get_by_test_id("look").select_option("table")
    expect(value.locator("table td").nth(1)).to_have_text("nan")
    assert barriers(value) == []
    notebook.shot("value")


def test_the_film_names_the_cell_and_the_line_that_creates_no_node(notebook):
    film = notebook.widget("BuildFilm(z)")
    expect(film.get_by_test_id("source")).to_contain_text("Cell In[2]")
    film.get_by_test_id("play").focus()
    for _ in range(4):
        notebook.page.keyboard.press(".")
    expect(film.get_by_test_id("status")).to_have_text("Line 4 added no node, so nothing in this block waits.")
    expect(film.locator("[aria-current=step] code")).to_have_text("    y = x")
    assert barriers(film) == []
    notebook.shot("film")
    film.get_by_test_id("scrub").press("End")
    expect(film.get_by_test_id("status")).to_have_text("Line 7 added no node.")
    assert film.locator(".viewport g.node[data-state=absent]").count() == 0


def test_the_passes_step_over_one_picture(notebook):
    passes = notebook.widget("Passes(z)")
    passes.get_by_test_id("step").click()
    expect(passes.get_by_test_id("status")).to_contain_text("Prune: of ")
    expect(passes.locator(".viewport g.node[data-state=leaves][data-name='big']")).to_have_count(1)
    passes.get_by_test_id("scrub").press("End")
    expect(passes.get_by_test_id("plan")).to_contain_text("def plan(")
    passes.locator(".viewport g.node[data-name='AssignAdd']").click()
    expect(passes.get_by_test_id("pass")).to_contain_text("AssignAdd is line")
    expect(passes.get_by_test_id("plan").locator("[data-active]")).not_to_have_count(0)
    assert barriers(passes) == []
    notebook.shot("passes")
