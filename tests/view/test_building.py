"""The film of building: each node is made once, in the order of making, by the line that made it; empty lines are no inventions.

tests/golden/build_film.json and passes.json are read by the front end's tests; after a wanted change of records, write them
anew with `PYTHONPATH=. python tests/view/test_building.py`.
"""

import json
import linecache
import sys
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base.site import Site
from tfedu.view.make.graph_film import film_record
from tfedu.view.make.programs.statements import Statements
from tfedu.view.make.run_passes import passes_record
from tfedu.view.record_kinds import picture, text_of
from tfedu.view.records import from_json, to_json

GOLDEN = Path(__file__).parents[1] / "golden"


def counter():
    x = tf.Variable(0.0)
    up = tf.assign_add(x, 1)
    with tf.control_dependencies([up]):
        y = x
    with tf.control_dependencies([up]):
        z = tf.identity(y)
    return z


def looped():
    x = tf.constant(1.0)
    for i in range(3):
        x = x + 1.0
        y = i
    return x, y


def calling():
    def square(a):
        b = a
        return tf.square(b)

    return square(tf.constant(1.0)) + square(
        tf.constant(2.0),
    )


def steps(record):
    """For each step its code, its text and the names that it made."""
    names = {node.id: node.name for node in record.graph.nodes}
    lines = record.graph.codes[0].lines
    first = record.graph.codes[0].first
    return [(s.code, lines[s.line - first].strip(), [names[id] for id in s.nodes]) for s in record.steps]


def test_a_line_that_only_renames_is_a_step_and_makes_no_node():
    told = steps(film_record(counter))
    assert told == [
        ("made", "x = tf.Variable(0.0)", ["Variable/initial_value", "Variable", "Variable/Assign", "Variable/read"]),
        ("made", "up = tf.assign_add(x, 1)", ["AssignAdd/value", "AssignAdd"]),
        ("block", "with tf.control_dependencies([up]):", []),
        ("renamed", "y = x", []),
        ("block", "with tf.control_dependencies([up]):", []),
        ("made", "z = tf.identity(y)", ["Identity"]),
        ("nothing", "return z", []),
    ]


def test_an_existing_graph_has_the_same_film_but_for_unknowable_lines():
    with tf.Graph().as_default() as graph:
        counter()
    watched = [step for step in steps(film_record(counter)) if step[1] != "return z"]  # after the last node
    assert steps(film_record(graph)) == watched


def test_a_loop_shows_each_time_that_a_line_runs():
    told = steps(film_record(looped))
    assert [names for _, text, names in told if text == "x = x + 1.0"] == [
        ["add/y", "add"], ["add_1/y", "add_1"], ["add_2/y", "add_2"]
    ]  # fmt: skip
    assert sum(text == "y = i" for _, text, _ in told) == 3


def test_a_finished_loop_has_steps_for_the_lines_between_its_nodes():
    with tf.Graph().as_default() as graph:
        looped()
    record = film_record(graph)
    assert [(code, text) for code, text, _ in steps(record)] == [
        ("made", "x = tf.constant(1.0)"), ("made", "x = x + 1.0")
    ]  # fmt: skip
    assert record.steps[-1].many  # one line three times in a row: nobody can tell how often it ran, and the film says so


def test_a_call_is_a_step_before_its_lines_and_the_rest_a_step_after_them():
    told = steps(film_record(calling))
    assert [(code, names) for code, text, names in told if names or text.startswith("return square")] == [
        ("made", ["Const"]), ("made", ["Square"]), ("again", ["Const_1"]), ("made", ["Square_1"]), ("again", ["add"])
    ]  # fmt: skip

    def build():
        return calling()

    assert next(code for code, _, _ in steps(film_record(build))) == "calls"


def test_every_edge_comes_with_its_later_end_and_waits_lists_control_edges():
    record = film_record(counter)
    made = {id: number for number, step in enumerate(record.steps) for id in step.nodes}
    edges = {edge.id: edge for edge in record.graph.edges}
    for number, step in enumerate(record.steps):
        for id in step.edges:
            assert max(made[edges[id].source], made[edges[id].target]) == number
    names = {node.id: node.name for node in record.graph.nodes}
    waits = [(names[a], names[b]) for step in record.steps for a, b in step.waits]
    assert waits == [("Identity", "AssignAdd")]


def test_the_film_of_a_loop_has_all_its_nodes_and_edges():
    def build():
        return tf.while_loop(lambda i, p: i < 3, lambda i, p: (i + 1, p * 2.0), (0, 1.0))

    record = film_record(build)
    from_json(json.loads(json.dumps(to_json(record))))
    assert sum(len(step.nodes) for step in record.steps) == len(record.graph.nodes)
    assert sum(len(step.edges) for step in record.steps) == len(record.graph.edges)


class Cell:
    """A cell of a notebook: its nodes know it by its name, as they would know a cell of IPython."""

    def __init__(self, name, text):
        self.text = textwrap.dedent(text).strip("\n")
        lines = [line + "\n" for line in self.text.split("\n")]
        linecache.cache[name] = (len(self.text), None, lines, name)
        self.code = compile(self.text, name, "exec")

    def run(self, names):
        exec(self.code, names)


def test_cells_follow_one_another_with_the_last_lines_of_each():
    with tf.Graph().as_default() as graph:
        names = {"tf": tf}
        Cell("<cell 1>", "x = tf.Variable(0.0)\na = 3\nup = tf.assign_add(x, 1)\nprint('', end='')").run(names)
        Cell("<cell 2>", "with tf.control_dependencies([up]):\n    y = x\nif a == 4:\n    z = y").run(names)
    record = film_record(graph)
    assert [code.place for code in record.graph.codes] == ["File <cell 1>", "File <cell 2>"]
    assert [(step.source, step.line, step.code) for step in record.steps] == [
        (0, 1, "made"), (0, 2, "nothing"), (0, 3, "made"), (0, 4, "nothing"), (1, 1, "block"), (1, 2, "renamed"),
    ]  # fmt: skip


def test_lines_that_created_nodes_of_another_graph_are_no_empty_steps():
    with tf.Graph().as_default() as graph:
        names = {"tf": tf}
        Cell(
            "<cell 3>",
            """
            x = tf.constant(1.0)
            with tf.Graph().as_default():
                other = tf.constant(2.0)
            y = tf.identity(x)
            """,
        ).run(names)
    assert [step.line for step in film_record(graph).steps] == [1, 2, 4]


def test_lines_that_may_have_been_skipped_are_no_steps():
    statements = Statements(
        textwrap.dedent(
            """
            a = 1
            if a:
                b = 2
            else:
                c = 3
            for i in d:
                e = 4
            f = 5
            try:
                g = 6
            except E:
                pass
            h = 7
            """
        )
    )
    units = {unit.line: unit for unit in statements.units}
    assert [unit.line for unit in statements.between(units[2], units[9])] == []
    assert [unit.line for unit in statements.between(units[2], units[10])] == [9]
    assert [unit.line for unit in statements.between(units[4], units[8])] == []
    assert [unit.line for unit in statements.after(units[8])] == [9]  # an error may have ended it
    assert [unit.line for unit in statements.between(units[9], units[14])] == []


def test_a_function_that_returns_early_ends_there():
    statements = Statements("def f():\n    a = 1\n    if a:\n        return a\n    b = 2\n    c = 3\n")
    units = {unit.line: unit for unit in statements.units}
    assert [unit.line for unit in statements.between(units[2], units[6])] == []
    assert [unit.line for unit in statements.between(units[6], units[2])] == []


def test_nodes_without_a_line_have_a_step_of_their_own():
    with tf.Graph().as_default() as graph:
        tf.constant(1.0)
        graph.get_operations()[0]._site = None
        tf.constant(2.0)
    record = film_record(graph)
    assert [step.source for step in record.steps] == [None, 0]
    assert "no line" in text_of(record, "en")


def test_the_code_argument_replaces_a_text_that_python_has_lost():
    with tf.Graph().as_default() as graph:
        op = tf.constant(1.0).op
        op._site = (compile("x", "<lost>", "exec"), 2)
    assert isinstance(op.site, Site)
    assert film_record(graph).graph.codes[0].lines == ()
    assert film_record(graph, "a = 1\nx = tf.constant(1.0)").graph.codes[0].lines[1] == "x = tf.constant(1.0)"
    with pytest.raises(TypeError, match="code must be the program's text"):
        film_record(graph, 3)


def test_watching_leaves_the_tracer_and_the_default_graph_as_they_were():
    before = sys.gettrace()
    graph = tf.get_default_graph()
    count = len(graph.get_operations())

    def broken():
        tf.constant(1.0)
        raise ZeroDivisionError

    film_record(counter)
    with pytest.raises(ZeroDivisionError):
        film_record(broken)
    assert sys.gettrace() is before
    assert tf.get_default_graph() is graph
    assert len(graph.get_operations()) == count


def test_another_target_is_refused():
    with pytest.raises(TypeError, match="cannot show a int"):
        film_record(3)


@pytest.mark.parametrize("lang", ["en", "ko", "zh"])
@pytest.mark.parametrize("build", [counter, looped, calling, lambda: None])
def test_every_film_has_a_text_and_a_picture(build, lang):
    record = film_record(build)
    assert "{" not in text_of(record, lang)
    ElementTree.fromstring(picture(record, lang=lang))


def shared():
    """The two records that the front end's tests read; where the lines stand is of no matter."""
    film = to_json(film_record(counter))
    lines = film["graph"]["codes"][0]["lines"]
    first = film_record(counter).graph.codes[0].first
    for step in film["steps"]:
        step["line"] -= first - 1
        step["end"] -= first - 1
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [4, 4], name="x")
        w = tf.Variable(np.ones((4, 4), np.float32), name="w")
        size = tf.reshape(x, tf.reshape(tf.shape(w), [2]), name="same_size")
        y = tf.identity(tf.square(tf.matmul(size, w)), name="y")
        passes = to_json(passes_record(y, {x: np.zeros((4, 4))}))
    for data in (film, passes):
        for node in data["graph"]["nodes"]:
            node["site"] = None
        for block in data["graph"]["blocks"]:
            block["site"] = None
        data["graph"]["codes"] = []
    film["graph"]["codes"] = [{"place": "Cell In[1]", "first": 1, "lines": lines}]
    return {"build_film.json": json.loads(json.dumps(film)), "passes.json": json.loads(json.dumps(passes))}


@pytest.mark.parametrize("name", ["build_film.json", "passes.json"])
def test_the_shared_records_are_those_of_today(name):
    assert json.loads((GOLDEN / name).read_text("utf-8")) == shared()[name]


if __name__ == "__main__":
    for name, data in shared().items():
        (GOLDEN / name).write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", "utf-8")


def test_blank_lines_at_the_end_of_a_program_are_not_shown():
    names = {"tf": tf}
    code = "x = tf.constant(1.0)\ny = x + 1.0\n\n\n"
    with tf.Graph().as_default():
        exec(compile(code, "<no-such-file>", "exec"), names)
        record = film_record(names["y"], code)
    assert record.graph.codes[0].lines == ("x = tf.constant(1.0)", "y = x + 1.0")
