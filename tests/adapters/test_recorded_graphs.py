"""The graphs of lesson 15 are those that its programs make, and the lesson shows these programs."""

import importlib.util
import json
import pathlib

import nbformat
import pytest

from tfedu.view.records import from_json

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("other_graphs", ROOT / "tools" / "other_graphs.py")
other_graphs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(other_graphs)


@pytest.mark.filterwarnings("ignore:.*isinstance.treespec, LeafSpec.*:FutureWarning")
@pytest.mark.parametrize("name", other_graphs.PROGRAMS)
def test_a_recorded_graph_is_what_its_program_makes(name):
    text = (other_graphs.GRAPHS / f"{name}.json").read_text(encoding="utf-8")
    assert text == other_graphs.text_of(name, other_graphs.PROGRAMS[name])
    assert from_json(json.loads(text)).nodes


def test_the_lesson_shows_the_programs():
    lesson = nbformat.read(ROOT / "notebooks" / "15_what_became_of_it.ipynb", as_version=4)
    shown = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "markdown")
    for program in (other_graphs.JAX, other_graphs.JAX_REF, other_graphs.TORCH):
        assert f"```python\n{program}```" in shown
