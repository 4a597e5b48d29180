"""Shows that the widgets work in marimo: runs a notebook of marimo on 127.0.0.1 and uses its widgets in Chromium.

    .venv/bin/python tools/marimo_check.py --python /path/to/a/python/with/marimo

That Python needs anywidget, ipywidgets and what tfedu needs, too. tests/golden/marimo.json is written: marimo's version and what
happened. marimo is no part of the tests' own packages: it brings 200 MB with it.
tests/widgets/test_marimo_result.py holds the result.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULT = ROOT / "tests" / "golden" / "marimo.json"
NOTEBOOK = '''
import marimo

app = marimo.App()


@app.cell
def _():
    import tfedu as tf
    from tfedu.widgets import Predict, StepThrough
    return Predict, StepThrough, tf


@app.cell
def _(StepThrough, tf):
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        with tf.control_dependencies([tf.assign_add(x, 1.0)]):
            y = tf.identity(x, name="y")
    step = StepThrough(y)
    step
    return step, y


@app.cell
def _(Predict, y):
    asked = Predict({"y": y})
    asked
    return (asked,)
'''


def started(python: str, folder: pathlib.Path) -> tuple[subprocess.Popen[bytes], str]:
    """A running marimo, and its address. Raises: SystemExit where it does not start."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "lesson.py").write_text(NOTEBOOK, encoding="utf-8")
    command = [python, "-m", "marimo", "run", "--headless", "--no-token", "--host", "127.0.0.1", "--port", str(port), "lesson.py"]
    log = folder / "log"
    with log.open("wb") as out:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        )
    address = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return process, address
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.2)
    process.terminate()
    raise SystemExit(f"marimo does not start:\n{log.read_text(errors='replace')[-2000:]}")


def used(address: str) -> dict:
    """Steps in the one widget, predicts in the other, and tells what came of it."""
    from playwright.sync_api import expect, sync_playwright

    from tests.browser import driver

    expect.set_options(timeout=driver.PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM)
        page = browser.new_page(viewport={"width": 1300, "height": 1100})
        asked_for, errors = [], []
        page.on("request", lambda request: asked_for.append(request.url))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        step, asked = (page.locator(".tfedu").nth(i) for i in range(2))
        for _ in range(2):
            step.get_by_test_id("step").click()
        expect(step.get_by_test_id("scrub")).to_have_attribute("aria-valuenow", "2")
        for run, text in enumerate(["1", "2", "2"]):
            asked.get_by_test_id(f"predict-t1-{run}").fill(text)
        asked.get_by_test_id("commit").click()
        verdict = asked.get_by_test_id("verdict-t1")
        verdict.wait_for()
        found = {
            "step after two presses": step.get_by_test_id("scrub").get_attribute("aria-valuenow"),
            "verdict on 1, 2, 2": " ".join(verdict.inner_text().split()),
            "errors in the console": errors,
            "requests to other hosts": [url for url in asked_for if not url.startswith((address, "data:", "blob:"))],
            "barriers in the widgets": driver.barriers(step) + driver.barriers(asked),
        }
        driver.SCREENSHOTS.mkdir(exist_ok=True)
        page.screenshot(path=driver.SCREENSHOTS / "marimo.png")
        browser.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    given = parser.parse_args()
    sys.path[:0] = [str(ROOT)]
    version = subprocess.run(
        [given.python, "-c", "import marimo; print(marimo.__version__)"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as name:
        process, address = started(given.python, pathlib.Path(name))
        try:
            found = used(address)
        finally:
            process.terminate()
            process.wait(30)
    RESULT.write_text(json.dumps({"marimo": version, **found}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(RESULT.read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
