"""One JupyterLab and one Chromium for all tests of the session; a page, and a kernel, for each test."""

import contextlib
import pathlib

import driver
import nbformat
import pytest
from playwright.sync_api import expect, sync_playwright

OURS = pathlib.Path(__file__).parent / "notebooks"


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    with driver.started_lab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="module")
def open_classic(browser, tmp_path_factory):
    """`open_notebook` in Notebook 7."""
    with driver.started_notebook(tmp_path_factory.mktemp("classic")) as running, opener(running, browser) as open:
        yield open


def place_fresh(folder: pathlib.Path, name: str, copy: str) -> None:
    """Writes the committed notebook without outputs, so that no test sees the saved state of another."""
    source = OURS / name if (OURS / name).is_file() else driver.ROOT / "notebooks" / name
    notebook = nbformat.read(source, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, folder / copy)


@pytest.fixture(scope="session")
def browser():
    expect.set_options(timeout=driver.PATIENCE)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM)
        yield opened
        opened.close()


@pytest.fixture
def open_notebook(lab, browser):
    """`open_notebook("name.ipynb")` -> Notebook; at its end the page has requested no other host and logged no error."""
    with opener(lab, browser) as open:
        yield open


@pytest.fixture(scope="module")
def open_for_all(lab, browser):
    """The same, and the notebook stays open for all tests of a file."""
    with opener(lab, browser) as open:
        yield open


@pytest.fixture(scope="module")
def run_for_all(open_for_all):
    """The same, and all cells have run without an error."""

    def run(name: str) -> driver.Notebook:
        notebook = open_for_all(name)
        notebook.run_all()
        assert notebook.failures() == []
        return notebook

    return run


@pytest.fixture(scope="module")
def lesson(request, run_for_all) -> driver.Notebook:
    """The notebook that the file names `NAME`, its cells run."""
    return run_for_all(request.module.NAME)


@contextlib.contextmanager
def opener(lab, browser):
    opened = []

    def open(name: str, copy: str | None = None, **context: object) -> driver.Notebook:
        place_fresh(lab.root, name, copy or name)
        opened.append(driver.Notebook(lab, browser, copy or name, **context))
        return opened[-1]

    try:
        yield open
        for notebook in opened:
            notebook.check()
    finally:
        for notebook in opened:
            notebook.close()
