"""Shows that the widgets work in marimo: runs a notebook of marimo on 127.0.0.1 and uses its widgets in Chromium.

    .venv/bin/python tools/marimo_check.py --python /path/to/a/python/with/marimo

That Python needs anywidget, ipywidgets and what tfedu needs, too. tests/golden/marimo.json is written: marimo's version and what
happened. marimo is no part of the tests' own packages: it brings 200 MB with it.
tests/widgets/test_other_pages.py holds the result.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tools import widget_check

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
    port = widget_check.free_port()
    (folder / "lesson.py").write_text(NOTEBOOK, encoding="utf-8")
    command = [python, "-m", "marimo", "run", "--headless", "--no-token", "--host", "127.0.0.1", "--port", str(port), "lesson.py"]
    log = folder / "log"
    with log.open("wb") as out:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        )
    return process, widget_check.answering(process, f"http://127.0.0.1:{port}", log)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    given = parser.parse_args()
    version = subprocess.run(
        [given.python, "-c", "import marimo; print(marimo.__version__)"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as name:
        process, address = started(given.python, pathlib.Path(name))
        try:
            found = widget_check.used((address,), lambda page: page.goto(address), "marimo.png")
        finally:
            process.terminate()
            process.wait(30)
    widget_check.written("marimo", version, found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
