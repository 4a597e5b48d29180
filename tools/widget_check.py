"""What tools/marimo_check.py and tools/vscode_check.py do in Chromium in another program's page: two presses, one prediction."""

from __future__ import annotations

import json
import pathlib
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser import driver

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = """
import tfedu as tf
from tfedu.widgets import Predict, StepThrough

with tf.Graph().as_default():
    x = tf.Variable(0.0, name="x")
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        y = tf.identity(x, name="y")
"""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def answering(process: subprocess.Popen[bytes], address: str, log: pathlib.Path) -> str:
    """The address, once the process answers there. Raises: SystemExit with the end of its log where it does not start."""
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return address
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.2)
    process.terminate()
    raise SystemExit(f"{process.args} does not start:\n{log.read_text(errors='replace')[-2000:]}")


def used(addresses: tuple[str, ...], shown: Callable[[Page], None], picture: str) -> dict[str, object]:
    """Steps in a StepThrough of PROGRAM's y, predicts in a Predict of it, and tells what came of it.

    addresses: the hosts that the page may ask. shown: opens the page and leaves it with the two widgets, in this order.
    """
    expect.set_options(timeout=driver.PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM)
        page = browser.new_page(viewport={"width": 1300, "height": 1100}, reduced_motion="reduce")
        asked_for: list[str] = []
        errors: list[str] = []
        page.on("request", lambda request: asked_for.append(request.url))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        shown(page)
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
            "requests to other hosts": [url for url in asked_for if not url.startswith((*addresses, "data:", "blob:"))],
            "barriers in the widgets": driver.barriers(step) + driver.barriers(asked),
        }
        driver.SCREENSHOTS.mkdir(exist_ok=True)
        page.screenshot(path=driver.SCREENSHOTS / picture)
        browser.close()
    return found


def written(program: str, version: str, found: dict[str, object]) -> None:
    """Writes tests/golden/PROGRAM.json, which tests/widgets/test_other_pages.py holds, and prints it."""
    text = json.dumps({program: version, **found}, indent=1, ensure_ascii=False) + "\n"
    (ROOT / "tests" / "golden" / f"{program}.json").write_text(text, encoding="utf-8")
    print(text)
