"""The site of `make lite` in Chromium: each lesson runs in the page itself, and no other host is asked for anything."""

import functools
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

import distribution
import pytest
from playwright.sync_api import sync_playwright

from tests.browser import driver

SITE = distribution.ROOT / "build" / "lite" / "site"
LESSONS = sorted(each.name for each in (distribution.ROOT / "notebooks").glob("[0-9]*.ipynb"))
QUEUE_RUNNERS = "12_feeding.ipynb"  # its section 6 shows what a browser, which has no threads, says to queue runners
# the code cells that have not run yet, and the errors of those that have: the page draws only the cells in view
CELLS = """() => {
  const cells = Array.from(window.jupyterapp.shell.currentWidget.content.model.cells).filter(cell => cell.type === "code");
  const waiting = cells.filter(cell => cell.sharedModel.getSource().trim() && cell.executionCount === null).length;
  const errors = cells.flatMap(cell => cell.outputs.toJSON()).filter(output => output.output_type === "error");
  return { waiting, errors: errors.map(error => error.ename) };
}"""
PATIENCE = 300_000  # ms


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    """The address of a site that was built now."""
    subprocess.run([sys.executable, "tools/setup.py", "lite"], cwd=distribution.ROOT, check=True)
    venv = distribution.ROOT / ".venv-lite" / "bin"
    path = os.pathsep.join([str(venv), str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
    command = [venv / "python", "tools/lite.py", distribution.made()]
    subprocess.run(command, cwd=distribution.ROOT, env={**os.environ, "PATH": path}, check=True)
    settings = json.loads((SITE / "jupyter-lite.json").read_text("utf-8"))
    settings["jupyter-config-data"]["exposeAppInBrowser"] = True
    (SITE / "jupyter-lite.json").write_text(json.dumps(settings), "utf-8")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.long
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_runs_in_the_page(site, lesson):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM)
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(PATIENCE)
        foreign = []
        own = (site, "data:", "blob:")
        page.on("request", lambda request: None if request.url.startswith(own) else foreign.append(request.url))
        page.goto(f"{site}/lab/index.html?path={lesson}")
        page.get_by_text("Python (Pyodide) | Idle").wait_for()  # without a kernel, "Run All Cells" runs nothing
        for name in ("Run", "Run All Cells"):
            page.get_by_role("menuitem", name=name, exact=True).click()
        # an error ends what "Run All Cells" runs
        page.wait_for_function(f"(({{ waiting, errors }}) => waiting === 0 || errors.length)(({CELLS})())", polling=1000)
        assert set(page.evaluate(CELLS)["errors"]) == ({"UnimplementedError"} if lesson == QUEUE_RUNNERS else set())
        page.locator(".jp-Notebook .tfedu").first.wait_for()
        assert foreign == []
        driver.SCREENSHOTS.mkdir(exist_ok=True)
        page.screenshot(path=driver.SCREENSHOTS / f"lite-{lesson.removesuffix('.ipynb')}.png")
        browser.close()


def test_another_pyodide_is_refused_with_what_to_take(tmp_path):
    """Nothing of the environment that builds is needed to say so."""
    for content, what in (({}, "holds no pyodide.mjs"), ({"pyodide.mjs": ""}, "the distribution of Pyodide is incomplete")):
        for name, text in content.items():
            (tmp_path / name).write_text(text)
        done = subprocess.run(
            [sys.executable, "tools/lite.py", tmp_path], cwd=distribution.ROOT, capture_output=True, text=True
        )
        assert done.returncode == 1
        assert "No site was built" in done.stderr
        assert what in done.stderr
