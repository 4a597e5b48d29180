"""The text of a program: of a cell all lines up to the question, of a file the statements that created the graph."""

import linecache
import sys
import types

import pytest

import tfedu as tf
from tfedu.view.make.cell_names import cell_name
from tfedu.view.make.program_source import program

CELL = """tf.reset_default_graph()
# a counter
x = tf.Variable(0.0)
with tf.control_dependencies([tf.assign_add(x, 1)]):
    y = x
asked = program({"y": y})
z = 3
"""


@pytest.fixture
def run_cell(monkeypatch):
    """Runs text as IPython does: compiled under a name that only its compiler knows as a cell."""
    cells: dict[str, str] = {}
    compiler = types.SimpleNamespace(format_code_name=lambda name: ("Cell", cells[name]) if name in cells else None)
    shell = types.SimpleNamespace(compile=compiler)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))

    def run(text: str, names: dict) -> dict:
        file = f"/tmp/ipykernel_1/{len(cells)}.py"
        cells[file] = f"In[{len(cells) + 1}]"
        monkeypatch.setitem(linecache.cache, file, (len(text), None, text.splitlines(keepends=True), file))
        exec(compile(text, file, "exec"), names)
        return names

    return run


def test_a_cell_shows_all_lines_up_to_the_question(run_cell):
    names = run_cell(CELL, {"tf": tf, "program": program})
    assert names["asked"] == CELL[: CELL.index("asked")].rstrip("\n")
    assert names["x"].op.site.label == "Cell In[1], line 3"


def test_question_in_a_later_cell_shows_the_whole_cell_that_made_the_target(run_cell):
    names = run_cell("x = tf.constant(1.0)\ny = x\n\n# the end", {"tf": tf, "program": program})
    run_cell("asked = program({'y': y})", names)
    assert names["asked"] == "x = tf.constant(1.0)\ny = x\n\n# the end"


def test_targets_of_different_cells_are_shown_under_their_titles(run_cell):
    names = run_cell("a = tf.constant(1.0)", {"tf": tf, "program": program})
    run_cell("b = tf.constant(2.0)", names)
    run_cell("both = program({'first': a, 'second': b})\none = program({'a': a, 'again': a})", names)
    assert names["both"] == "# first\na = tf.constant(1.0)\n\n# second\nb = tf.constant(2.0)"
    assert names["one"] == "a = tf.constant(1.0)"


def test_a_file_shows_the_statements_that_created_the_graph():
    unrelated = "not shown"
    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1)]):
        y = x
    text = program({"y": y})
    assert text.splitlines()[0] == "x = tf.Variable(0.0)"
    assert text.splitlines()[-1] == "    y = x"
    assert unrelated not in text


def test_without_ipython_or_source_there_is_no_name_and_no_text(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert cell_name(__file__) is None
    names = {"tf": tf}
    exec(compile("x = tf.constant(1.0)", "<nowhere>", "exec"), names)
    assert program({"x": names["x"]}) == ""
