"""One JupyterLab and one Chromium for all tests of the session; a page, and a kernel, for each test."""

import pathlib
import shutil

import driver
import pytest
from playwright.sync_api import expect, sync_playwright

OURS = pathlib.Path(__file__).parent / "notebooks"


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    with driver.started_lab(tmp_path_factory.mktemp("lab")) as running:
        for file in OURS.glob("*.ipynb"):
            shutil.copy(file, running.root)
        yield running


@pytest.fixture(scope="session")
def browser():
    expect.set_options(timeout=driver.PATIENCE)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM)
        yield opened
        opened.close()


@pytest.fixture
def open_notebook(lab, browser):
    """`open_notebook("name.ipynb")` -> Notebook; at the end nothing foreign was asked for and no error was logged."""
    opened = []

    def open(name: str, **context: object) -> driver.Notebook:
        opened.append(driver.Notebook(lab, browser, name, **context))
        return opened[-1]

    yield open
    try:
        for notebook in opened:
            notebook.check()
    finally:
        for notebook in opened:
            notebook.close()
