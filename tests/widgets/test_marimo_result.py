"""What happened in marimo, which tools/marimo_check.py wrote to tests/golden: the widgets step, and Python answers them."""

import json
import pathlib

RESULT = pathlib.Path(__file__).resolve().parents[1] / "golden" / "marimo.json"


def test_the_widgets_worked_in_marimo():
    found = json.loads(RESULT.read_text(encoding="utf-8"))
    assert found.pop("marimo") >= "0.25"
    assert found == {
        "step after two presses": "2",
        "verdict on 1, 2, 2": "Run 1 Run 2 Run 3 You ✓ ✓ ✗ Printed 1.0 2.0 3.0 ✗ Not yet",
        "errors in the console": [],
        "requests to other hosts": [],
        "barriers in the widgets": [],
    }
