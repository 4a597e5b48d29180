"""`import tfedu` imports numpy and no other foreign package, whatever is installed."""

import json
import subprocess
import sys

import sources

PROBE = """
import json, sys
before = set(sys.modules)
import numpy
with_numpy = set(sys.modules)
import {module}
print(json.dumps([sorted(set(sys.modules) - with_numpy), sorted(with_numpy - before)]))
"""


def loaded_by(module: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(module=module)], cwd=sources.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout)[0])


def test_import_tfedu_loads_numpy_alone():
    outside = {m.split(".")[0] for m in loaded_by("tfedu")} - {"tfedu"} - set(sys.stdlib_module_names)
    assert not outside


def test_import_tfedu_loads_no_widget_no_explanation_and_no_command_line():
    heavy = {"tfedu.widgets", "tfedu.explain", "tfedu.exercises", "tfedu.cli"}
    assert not heavy & loaded_by("tfedu")


def test_the_probe_sees_a_foreign_module():
    assert "pytest" in loaded_by("pytest")
