"""The engine's own tests, run by the Python of a browser (Pyodide on Node) in place of this one."""

import json
import os
import pathlib
import re
import subprocess
import sys

import distribution
import pytest

# What differs there: integers of 32 bits, no threads, no floating-point flags.
SHORT = [
    "tests/test_tiny.py", "tests/runtime/test_critical_sections.py", "tests/runtime/test_error_table.py",
    "tests/view/test_groups.py",
]  # fmt: skip
ROOMS = {"tests/graph": 90, "tests/replay": 20, "tests/autodiff": 400}


@pytest.fixture(scope="session")
def setting():
    """Pyodide, and the wheels that it loads."""
    folder = distribution.made()
    wheels = [folder / distribution.NUMPY, *distribution.wheels("pyodide-test")]
    return {"pyodide": str(folder), "wheels": [*map(str, wheels)], "root": str(distribution.ROOT)}


def passed_in_pyodide(setting, *arguments):
    """How many tests passed; none failed."""
    script = pathlib.Path(__file__).with_name("run_pytest.mjs")
    path = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # .venv may hold the Node, too
    command = ["node", str(script), json.dumps(setting), "-q", "-m", "not long", "--tb=short", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": path})
    print(done.stdout[-20_000:], done.stderr[-5_000:])
    assert done.returncode == 0
    return int(re.search(r"(\d+) passed", done.stdout).group(1))


def test_a_part_of_the_tests_runs_in_pyodide(setting):
    """Half a minute, of which Pyodide takes ten seconds to start: what a browser alone minds is found in `make test`."""
    assert passed_in_pyodide(setting, *SHORT) >= 80


@pytest.mark.long
@pytest.mark.parametrize("folder", ROOMS)
def test_a_room_of_tests_runs_in_pyodide(setting, folder):
    assert passed_in_pyodide(setting, folder) >= ROOMS[folder]


@pytest.mark.long
def test_all_lessons_run_in_pyodide(setting):
    of_jupyter = {path.name: str(path) for path in distribution.wheels("pyodide")}
    others = [path for path in setting["wheels"] if pathlib.Path(path).name not in of_jupyter]
    assert passed_in_pyodide({**setting, "wheels": [*others, *of_jupyter.values()]}, "tests/lite/lessons_in_pyodide.py") >= 14
