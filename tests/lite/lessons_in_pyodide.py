"""Runs in the Python of a browser: all cells of each lesson, in IPython without a front end."""

import json
import pathlib

import pytest
from browser_python import wanting

LESSONS = sorted(pathlib.Path("notebooks").glob("[01]*.ipynb"))


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_all_cells_of_a_lesson_run(path, monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.chdir("notebooks")
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    bad = []
    for cell in json.loads(pathlib.Path(path.name).read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            result = shell.run_cell("".join(cell["source"]), silent=True)
            error = result.error_before_exec or result.error_in_exec
            expected = "raises-exception" in cell["metadata"].get("tags", ()) or wanting(error) == "threads"
            if error is not None and not expected:
                bad.append((type(error).__name__, str(error)[:300], "".join(cell["source"])[:200]))
    assert bad == []
