"""What happened in other programs' pages: tools/marimo_check.py and tools/vscode_check.py wrote it to tests/golden."""

import json
import pathlib

import pytest

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"


@pytest.mark.parametrize(("program", "version"), [("marimo", "0.25"), ("vscode", "1.0.9")])
def test_the_widgets_step_and_python_answers_them(program, version):
    found = json.loads((GOLDEN / f"{program}.json").read_text(encoding="utf-8"))
    assert found.pop(program) >= version
    assert found == {
        "step after two presses": "2",
        "verdict on 1, 2, 2": "Run 1 Run 2 Run 3 You ✓ ✓ ✗ Printed 1.0 2.0 3.0 ✗ Not yet",
        "errors in the console": [],
        "requests to other hosts": [],
        "barriers in the widgets": [],
    }
