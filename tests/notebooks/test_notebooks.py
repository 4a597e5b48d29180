"""Every notebook of the course runs from top to bottom, twice in one kernel, and is committed without outputs."""

import asyncio
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = pathlib.Path(__file__).resolve().parents[2]
COURSE = ROOT / "notebooks"
NOTEBOOKS = sorted(p for p in COURSE.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
NAMES = [str(p.relative_to(COURSE)) for p in NOTEBOOKS]
LESSONS = [name for name in NAMES if not name.startswith("models/")]  # test_course_models.py runs the models

REVEALED = """
for question in [value for value in globals().values() if type(value).__name__ == "Predict"]:
    question.reveal()
    assert question.answered
"""


@pytest.fixture(autouse=True)
def isolated_settings(tmp_path, monkeypatch):
    """The kernel is this Python, and ignores the settings of the person who runs the tests."""
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]))


def client(notebook: nbformat.NotebookNode, folder: pathlib.Path = COURSE) -> NotebookClient:
    kernel = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}, store_widget_state=True
    )
    kernel.create_kernel_manager().kernel_spec.argv[0] = sys.executable
    return kernel


def run_twice(notebook: nbformat.NotebookNode, folder: pathlib.Path = COURSE) -> list[list[list]]:
    """The outputs of each code cell, for each of two passes through one kernel; a failing cell raises."""
    with ThreadPoolExecutor(1) as thread:  # an event loop of its own, whatever runs in this one
        return thread.submit(asyncio.run, _run_twice(notebook, folder)).result()


async def _run_twice(notebook: nbformat.NotebookNode, folder: pathlib.Path) -> list[list[list]]:
    kernel, passes = client(notebook, folder), []
    async with kernel.async_setup_kernel():
        for _ in range(2):
            for index, cell in enumerate(notebook.cells):
                await kernel.async_execute_cell(cell, index)
            passes.append([cell.get("outputs", []) for cell in notebook.cells])
    return passes


def read(name: str) -> nbformat.NotebookNode:
    return nbformat.read(COURSE / name, as_version=4)


def test_the_course_has_its_first_lesson():
    assert "01_identity_and_control_dependencies.ipynb" in NAMES


@pytest.mark.parametrize("name", LESSONS)
def test_notebook_runs_twice_in_one_kernel(name):
    """The second pass says and draws the same as the first: nothing of the first is left over. After all cells, each prediction
    has its answer, also that of a learner who runs all cells before she predicts.
    """
    notebook = read(name)
    notebook.cells.append(nbformat.v4.new_code_cell(REVEALED))
    first, second = run_twice(notebook)
    for outputs in (first, second):
        complaints = [o["text"] for cell in outputs for o in cell if o.get("name") == "stderr"]
        assert not complaints
    assert [drawn(cell) for cell in second] == [drawn(cell) for cell in first]


def drawn(outputs: list) -> list[str]:
    """The pictures of a cell, without the numbers that cells have in this pass."""
    pictures = ["".join(o["data"]["image/svg+xml"]) for o in outputs if "image/svg+xml" in o.get("data", {})]
    return [re.sub(r"In\[\d+\]", "In[]", picture) for picture in pictures]


@pytest.mark.parametrize("name", NAMES)
def test_only_imports_and_widgets_are_hidden_and_no_program_is(name):
    """A lesson reads as text, program, question, stage: the calls that put a question there are hidden."""
    for cell in read(name).cells:
        if not cell.metadata.get("jupyter", {}).get("source_hidden"):
            continue
        assert cell.cell_type == "code"
        assert not re.search(r"\btf\.(?!get_default_graph)\w+\(|\bdef \b|\bsession\b.*:", re.sub(r'"[^"]*"', "", cell.source)), cell.source
    asking = [cell for cell in read(name).cells if cell.cell_type == "code" and re.match(r"\w+ = Predict[.(]", cell.source)]
    assert all(cell.metadata.get("jupyter", {}).get("source_hidden") for cell in asking)


@pytest.mark.parametrize("name", NAMES)
def test_notebook_is_committed_clean(name):
    """No outputs and no counts: whatever a learner sees was made on the learner's machine."""
    # The committed file: a learner may have run the lesson in this clone, and may still run the checks.
    notebook = read(name)
    if (ROOT / ".git").exists():
        command = ["git", "-c", f"safe.directory={ROOT}", "show", f":notebooks/{name}"]
        held = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True)
        notebook = nbformat.reads(held.stdout, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


def test_a_failing_cell_fails_the_run(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    with pytest.raises(Exception, match="ZeroDivisionError"):
        run_twice(notebook, tmp_path)


def test_a_cell_that_fails_only_the_second_time_fails_the_run(tmp_path):
    source = "assert 'seen' not in globals()\nseen = True"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    with pytest.raises(Exception, match="AssertionError"):
        run_twice(notebook, tmp_path)
