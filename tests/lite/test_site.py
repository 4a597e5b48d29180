"""The site of `make lite` in Chromium: the first lesson runs in the page itself, and no other host is asked for anything."""

import functools
import http.server
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
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.long
def test_the_first_lesson_runs_in_the_page(site):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM)
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(PATIENCE)
        foreign = []
        own = (site, "data:", "blob:")
        page.on("request", lambda request: None if request.url.startswith(own) else foreign.append(request.url))
        page.goto(f"{site}/lab/index.html?path=01_identity_and_control_dependencies.ipynb")
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        for name in ("Run", "Run All Cells"):
            page.get_by_role("menuitem", name=name, exact=True).click()
        page.locator(".jp-Notebook .tfedu").first.wait_for()
        assert page.locator(".jp-OutputArea-output[data-mime-type*=error]").count() == 0
        assert foreign == []
        driver.SCREENSHOTS.mkdir(exist_ok=True)
        page.screenshot(path=driver.SCREENSHOTS / "lite.png")
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
