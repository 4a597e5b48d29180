"""The text of a program: of a cell all lines up to the question, of a file the statements that created the graph."""

import linecache
import sys
import types

import pytest

import tfedu as tf
from tfedu.view.make.programs.cell_names import cell_name
from tfedu.view.make.programs.program_source import given_program, programs
from tfedu.view.records import PredictRecord, RecordError, TargetRecord, from_json, to_json


def texts(found):
    return ["\n\n".join("\n".join(code.lines) for code in program) for program in found]


CELL = """tf.reset_default_graph()
# a counter
x = tf.Variable(0.0)
with tf.control_dependencies([tf.assign_add(x, 1)]):
    y = x
asked = programs({"y": y})
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
    names = run_cell(CELL, {"tf": tf, "programs": programs})
    ((code,),) = names["asked"]
    assert (code.place, code.first) == ("Cell In[1]", 2)
    assert "\n".join(code.lines) == CELL[CELL.index("# a") : CELL.index("asked")].rstrip("\n")
    assert names["x"].op.site.label == "Cell In[1], line 3"


def test_question_in_a_later_cell_shows_the_whole_cell_that_made_the_target(run_cell):
    names = run_cell("x = tf.constant(1.0)\ny = x\n\n# the end", {"tf": tf, "programs": programs})
    run_cell("asked = programs({'y': y})", names)
    assert texts(names["asked"]) == ["x = tf.constant(1.0)\ny = x\n\n# the end"]


def test_targets_of_different_cells_have_programs_of_their_own(run_cell):
    names = run_cell("a = tf.constant(1.0)", {"tf": tf, "programs": programs})
    run_cell("b = tf.constant(2.0)", names)
    run_cell("both = programs({'first': a, 'second': b})\none = programs({'a': a, 'again': a})", names)
    assert texts(names["both"]) == ["a = tf.constant(1.0)", "b = tf.constant(2.0)"]
    assert texts(names["one"]) == ["a = tf.constant(1.0)"]
    asked = PredictRecord("", "", names["both"], 1, (TargetRecord("t1", "first"), TargetRecord("t2", "second")))
    assert asked.text() == "# first\na = tf.constant(1.0)\n\n# second\nb = tf.constant(2.0)"


def test_a_file_shows_the_statements_that_created_the_graph():
    unrelated = "not shown"
    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1)]):
        y = x
    ((code,),) = programs({"y": y})
    assert code.lines[0] == "    x = tf.Variable(0.0)"
    assert code.lines[-1] == "        y = x"
    assert not any(unrelated in line for line in code.lines)
    assert linecache.getline(__file__, code.first).rstrip() == code.lines[0]


def test_without_ipython_or_source_there_is_no_name_and_no_text(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert cell_name(__file__) is None
    names = {"tf": tf}
    exec(compile("x = tf.constant(1.0)", "<nowhere>", "exec"), names)
    assert programs({"x": names["x"]}) == ()


def test_a_text_that_somebody_wrote_is_a_program_too():
    ((code,),) = given_program("y = x\n")
    assert (code.place, code.first, code.lines) == ("", 1, ("y = x",))
    assert given_program(" \n") == ()


def test_a_question_of_two_targets_has_one_program_or_two():
    targets = (TargetRecord("t1", "first"), TargetRecord("t2", "second"), TargetRecord("t3", "third"))
    with pytest.raises(RecordError, match="programs: expected 0, 1 or 3, got 2"):
        from_json(to_json(PredictRecord("", "", (*given_program("a"), *given_program("b")), 1, targets)))
