"""JupyterLab as a learner starts it, by `tfedu lab`, in a real Chromium that Playwright drives; and Notebook 7.

`Lab` is the server, `Notebook` an open notebook in a page of its own. Both report what a lesson must never do: ask anything
of another host, or log an error in the browser.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Route, expect

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCREENSHOTS = pathlib.Path(__file__).parent / "screenshots"
PATIENCE = 90_000  # ms; two cores may be busy with other checks
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--force-color-profile=srgb"]  # fmt: skip

# JupyterLab's debugger panel sends requests to a kernel that restarts.
# anywidget says so after two seconds, which a busy machine exceeds. The widget still draws; it misses what Python tells it later.
# The tests see both.
LATE = "[anywidget] Failed to initialize model."
NOT_OURS = re.compile(r"Could not restore the debugger state: Canceled future for debug_request message")
# Notebook 7.6 logs this for every notebook, also for one without a widget.
NOTEBOOK_7S = "Cannot read properties of undefined (reading 'schema')"

# The page's model of the notebook: the execution count and the outputs of each code cell.
CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets.map(w => ({
    type: w.model.type, source: w.model.sharedModel.getSource(), count: w.model.executionCount ?? null,
    state: w.model.executionState ?? null, outputs: w.model.type === "code" ? w.model.outputs.toJSON() : []}))"""
# The notebook has all cells of the file, not only the empty one that it begins with.
LOADED = """() => { const panel = window.jupyterapp?.shell.currentWidget;
    return panel?.context?.isReady && panel.content.widgets.length > 0
        && panel.content.widgets.length === panel.content.model.cells.length; }"""

SCROLL = """i => { const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = i; return notebook.scrollToItem(i, "start"); }"""

# Afterwards, a number in a prompt belongs to the run for which the test waits.
FORGET = """() => window.jupyterapp.shell.currentWidget.content.widgets.forEach(
    w => { if (w.model.type === "code") w.model.executionCount = null; })"""

AXE = """async element => (await window.axe.run(element, { runOnly:
    ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })).violations"""


def chromium() -> str:
    """The path of the browser. Raises an error if there is none: a skipped test would prove nothing."""
    named = os.environ.get("TFEDU_CHROMIUM")
    for name in [named] if named else ["chromium", "chromium-browser", "google-chrome"]:
        found = shutil.which(name)
        if found:
            return found
    raise FileNotFoundError(
        "No Chromium here, and these tests are about a real browser. `make test` installs one."
    )


@contextlib.contextmanager
def page_alone(
    browser: Browser, address: str, own: tuple[str, ...] = (), fails: tuple[str, ...] = (), **context: object
) -> Iterator[Page]:
    """A page at an address. At its end it has asked for nothing but itself, and no script has failed.

    own: how the addresses begin that the page may ask for, too. fails: parts of messages that the console may show. The page
    has all addresses that it asked for in `asked`.
    """
    with contextlib.closing(browser.new_context(**{"reduced_motion": "reduce", **context})) as alone:
        page, asked, failed = alone.new_page(), [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: failed.append(message.text))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto(address)
        page.asked = asked
        yield page
        foreign = [url for url in asked if not url.startswith(("blob:", *own))]
        assert foreign == ([] if own else [address])
        assert [message for message in failed if not any(known in message for known in fails)] == []


def barriers(widget: Locator) -> list[str]:
    """The accessibility problems that axe finds in a widget (WCAG 2.2 A and AA)."""
    axe = ROOT / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
    widget.page.evaluate(axe.read_text(encoding="utf-8"))
    found = widget.evaluate(AXE)
    return [f"{v['id']}: {v['help']}: {n['html'][:200]} {n['any'][:1]}" for v in found for n in v["nodes"]]


class Lab:
    """A running JupyterLab; `root` is the folder that it serves."""

    def __init__(self, root: pathlib.Path, address: str, *, classic: bool = False):
        self.root, self.classic = root, classic
        self.url, self.token = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/\S*\?token=(\S+)", address).groups()

    def ask(self, path: str, method: str = "GET"):
        request = urllib.request.Request(
            self.url + path, method=method, headers={"Authorization": f"token {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def address(self, name: str) -> str:
        """The address of a notebook in a workspace of its own, so that a reload opens only this page's notebook."""
        way = "notebooks" if self.classic else f"lab/workspaces/{pathlib.Path(name).stem}/tree"
        return f"{self.url}/{way}/{name}?reset&token={self.token}"

    def stop_kernels(self, name: str) -> None:
        for session in self.ask("/api/sessions"):
            if session["path"] == name:
                self.ask(f"/api/sessions/{session['id']}", "DELETE")


@contextlib.contextmanager
def started_lab(folder: pathlib.Path) -> Iterator[Lab]:
    """`tfedu lab` on a copy of the course in folder/course, with no setting of the person who runs the tests."""
    course = folder / "course"
    with _started(folder, "LabApp", ["tfedu", "lab", "--no-browser", f"--folder={course}"]) as address:
        yield Lab(course, address)


@contextlib.contextmanager
def started_notebook(folder: pathlib.Path) -> Iterator[Lab]:
    """Notebook 7 on an empty folder/course, with its default settings."""
    course = folder / "course"
    course.mkdir()
    options = ["--no-browser", "--ip=127.0.0.1", f"--ServerApp.root_dir={course}", *["--allow-root"] * (os.getuid() == 0)]
    with _started(folder, "JupyterNotebookApp", ["notebook", *options]) as address:
        yield Lab(course, address, classic=True)


@contextlib.contextmanager
def _started(folder: pathlib.Path, app: str, command: list[str]) -> Iterator[str]:
    """A server, and the address that it prints."""
    settings = folder / "config"
    settings.mkdir()
    name = {"LabApp": "jupyter_lab_config.py", "JupyterNotebookApp": "jupyter_notebook_config.py"}[app]
    (settings / name).write_text(f"c.{app}.expose_app_in_browser = True\n", encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("JUPYTER")} | {
        "JUPYTER_CONFIG_DIR": str(settings), "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"), "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"), "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1",
    }  # fmt: skip
    log = folder / "log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        deadline = time.monotonic() + PATIENCE / 1000
        while not (told := re.search(r"http://127\.0\.0\.1:\S+token=\S+", log.read_text())):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{' '.join(command)} did not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield told.group()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)  # a session of its own: its kernels go with it
        process.wait(30)


class Notebook:
    """One notebook in one page. Cells are counted from 0, over all kinds of cells."""

    def __init__(self, lab: Lab, browser: Browser, name: str, **context: object):
        self.lab, self.name = lab, name
        self.foreign: list[str] = []  # addresses that were asked for outside the server
        self.errors: list[str] = []  # what the browser's console logged as an error
        self.context: BrowserContext = browser.new_context(
            **{"viewport": {"width": 1400, "height": 1000}, **context}
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.route("**/*", self._guard)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._listen)
        self.page.on("pageerror", self._failed)
        self.page.goto(lab.address(name))
        self.ready()

    def _guard(self, route: Route) -> None:
        if route.request.url.startswith((self.lab.url, "data:", "blob:")):
            route.continue_()
        else:
            self.foreign.append(route.request.url)
            route.abort()

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not NOT_OURS.search(message.text):
            self.errors.append(message.text)

    def _failed(self, error: object) -> None:
        if not (self.lab.classic and NOTEBOOK_7S in str(error)) and LATE not in str(error):
            self.errors.append(f"page error: {error}")

    # -- the notebook ----------------------------------------------------------------------------------------------

    def ready(self) -> None:
        """Waits until the notebook is drawn and its kernel has nothing to do."""
        self.page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        self.page.wait_for_function(LOADED)
        self.until(lambda: self._kernels() == {"idle"}, "the kernel is idle")

    def _kernels(self) -> set[str]:
        return {
            s["kernel"]["execution_state"] for s in self.lab.ask("/api/sessions") if s["path"] == self.name
        }

    def until(self, condition, what: str, seconds: float = PATIENCE / 1000) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                self.shot("gave_up")
                raise TimeoutError(f"waited {seconds:.0f} s in vain until {what}")
            self.page.wait_for_timeout(100)

    def menu(self, *names: str) -> None:
        for name in names:
            self.page.get_by_role("menuitem", name=name, exact=True).click()

    def run_all(self) -> None:
        self.page.evaluate(FORGET)
        self.menu("Run", "Run All Cells")
        self.finished()

    def restart_and_run_all(self) -> None:
        self.menu("Run", "Restart Kernel and Run All Cells…")
        self.page.evaluate(FORGET)
        self.page.locator(".jp-Dialog button.jp-mod-accept").click()
        self.finished()

    def is_running(self) -> bool:
        return any(c["state"] == "running" for c in self.cells())

    def finished(self) -> None:
        """Waits until each code cell that holds code has been run, or one has failed, and the kernel is idle."""

        def done() -> bool:
            code = [c for c in self.cells() if c["type"] == "code" and c["source"].strip()]
            over = all(c["count"] for c in code) or self.failures()
            return bool(over) and not self.is_running() and self._kernels() == {"idle"}

        self.until(done, "all cells have run", 3 * PATIENCE / 1000)

    def save(self) -> None:
        self.page.locator('.jp-NotebookPanel-toolbar [data-jp-item-name="save"]').click()
        self.until(
            lambda: not self.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.dirty"),
            "saved",
        )

    def reload(self) -> None:
        """Reloads the page; the kernel keeps running."""
        self.save()
        self.page.reload()
        self.ready()

    # -- cells -----------------------------------------------------------------------------------------------------

    def cells(self) -> list[dict]:
        return self.page.evaluate(CELLS)

    def find(self, text: str) -> int:
        """The one cell whose source holds the text."""
        found = [i for i, c in enumerate(self.cells()) if text in c["source"]]
        assert len(found) == 1, f"{len(found)} cells hold {text!r}"
        return found[0]

    def cell(self, index: int) -> Locator:
        """Scrolls to a cell: JupyterLab draws only cells near the window."""
        self.page.evaluate(SCROLL, index)
        cell = self.page.locator(f'.jp-Notebook .jp-Cell[data-windowed-list-index="{index}"]')
        cell.wait_for(state="attached")
        return cell

    def widget(self, made_by: str) -> Locator:
        """The widget that the one cell with this text shows."""
        return self.cell(self.find(made_by)).locator(".tfedu").first

    def answer(self, made_by: str, *values: str) -> Locator:
        """Writes a prediction and commits it; its verdicts."""
        predict = self.widget(made_by)
        fields = predict.locator("input[data-testid^=predict-]")
        expect(fields).to_have_count(len(values))
        for i, value in enumerate(values):
            fields.nth(i).fill(value)
        predict.get_by_test_id("commit").click()
        return predict.locator("[data-testid^=verdict-]")

    def run_cell(self, index: int) -> None:
        """Runs one cell again as a learner does: click, Ctrl-Enter."""
        before = self.cells()[index]["count"]
        self.cell(index).locator(".jp-InputArea-editor").click()
        self.page.keyboard.press("Control+Enter")
        self.until(lambda: self.cells()[index]["count"] not in (None, before), f"cell {index} has run again")
        self.until(lambda: self._kernels() == {"idle"}, "the kernel is idle")

    def printed(self, index: int) -> str:
        """The printed text of a cell, and the plain text of its displayed outputs."""
        texts = []
        for output in self.cells()[index]["outputs"]:
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            texts.append(text if isinstance(text, str) else "".join(text))
        return "".join(texts)

    def failures(self) -> list[str]:
        """The errors that cells ended with."""
        return [
            f"cell {i}: {o['ename']}: {o['evalue']}"
            for i, c in enumerate(self.cells())
            for o in c["outputs"]
            if o["output_type"] == "error"
        ]

    def barriers(self, widget: Locator) -> list[str]:
        return barriers(widget)

    # -- the end ---------------------------------------------------------------------------------------------------

    def shot(self, name: str) -> None:
        """Saves a screenshot of the page for the person who runs the tests."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{pathlib.Path(self.name).stem}_{name}.png")

    def check(self) -> None:
        """Asserts that the page requested no other host and logged no error."""
        assert not self.foreign, f"asked for from outside: {self.foreign}"
        assert not self.errors, f"the browser logged: {self.errors}"

    def close(self) -> None:
        self.context.close()
        self.lab.stop_kernels(self.name)


__all__ = [
    "CHROMIUM",
    "PATIENCE",
    "ROOT",
    "SCREENSHOTS",
    "Lab",
    "Notebook",
    "barriers",
    "chromium",
    "expect",
    "started_lab",
    "started_notebook",
]
