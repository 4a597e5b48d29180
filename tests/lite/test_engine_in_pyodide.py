"""The engine's own tests, run by the Python of a browser (Pyodide on Node) in place of this one."""

import json
import os
import pathlib
import re
import subprocess
import sys

import distribution
import pytest

LOCK = distribution.ROOT / "requirements-pyodide-test.lock"
SHORT = ["tests/runtime/test_session.py", "tests/runtime/test_constant_folding.py", "tests/runtime/test_critical_sections.py"]


@pytest.fixture(scope="session")
def setting():
    """Pyodide, and the wheels that it loads."""
    folder = distribution.made()
    wheels = distribution.FOLDER / "wheels"
    if not (wheels / "done").is_file():
        pure = ["--only-binary=:all:", "--python-version=3.13", "--implementation=py", "--abi=none", "--platform=any"]
        pip = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "download", "--no-deps", "--require-hashes"]
        subprocess.run([*pip, *pure, f"--dest={wheels}", "-r", LOCK], check=True)
        (wheels / "done").touch()
    return {
        "pyodide": str(folder),
        "wheels": [str(folder / distribution.NUMPY), *map(str, sorted(wheels.glob("*.whl")))],
        "root": str(distribution.ROOT),
    }


def passed_in_pyodide(setting, *arguments):
    """How many tests passed; none failed."""
    script = pathlib.Path(__file__).with_name("run_pytest.mjs")
    path = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # .venv may hold the Node, too
    command = ["node", str(script), json.dumps(setting), "-q", "-m", "not long", "--tb=short", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": path})
    print(done.stdout[-20_000:], done.stderr[-5_000:])
    assert done.returncode == 0
    return int(re.search(r"(\d+) passed", done.stdout).group(1))


@pytest.mark.long
def test_sessions_run_in_pyodide(setting):
    assert passed_in_pyodide(setting, *SHORT) >= 40


@pytest.mark.long
@pytest.mark.parametrize(
    ("folder", "least"), [("tests/graph", 50), ("tests/replay", 20), ("tests/autodiff", 50), ("tests/ops", 500)]
)
def test_a_room_of_tests_runs_in_pyodide(setting, folder, least):
    assert passed_in_pyodide(setting, folder) >= least
