"""The lines of the program in a graph's record: of a cell all, of a file the functions and places that created nodes."""

import linecache
import sys
import types

import pytest

import tfedu as tf
from tfedu.view.build import graph_record
from tfedu.view.make.graph_portions import Portions
from tfedu.view.make.graph_records import complete
from tfedu.view.make.programs.program_lines import MOST
from tfedu.view.record_kinds import text_of

CELL = "\ny = tf.constant(1.0)\n\nprint('<b>')\n\n\n"


@pytest.fixture
def run(monkeypatch):
    """Runs a text under a file name, with its lines where tracebacks find them; returns the codes of the graph's record."""

    def run(text, file="program.py", cell=None):
        compiler = types.SimpleNamespace(format_code_name=lambda name: ("Cell", cell) if cell and name == file else None)
        shell = types.SimpleNamespace(compile=compiler)
        monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
        monkeypatch.setitem(linecache.cache, file, (len(text), None, text.splitlines(keepends=True), file))
        with tf.Graph().as_default() as graph:
            exec(compile(text, file, "exec"), {"tf": tf})
            return graph_record(graph).codes

    return run


def lines(codes):
    return [(code.first, code.first + len(code.lines) - 1) for code in codes]


def test_of_a_cell_all_lines_are_there_without_the_blank_ends(run):
    (code,) = run(CELL, "/tmp/ipykernel_1/7.py", "In[8]")
    assert (code.place, code.first, code.lines) == ("Cell In[8]", 2, ("y = tf.constant(1.0)", "", "print('<b>')"))


def test_a_site_of_the_record_names_a_line_of_its_codes():
    with tf.Graph().as_default() as graph:
        tf.constant(1.0)
        with tf.control_dependencies([]):
            tf.constant(2.0)
    record = graph_record(graph)
    listed = {f"{code.place}, line {code.first + i}": line for code in record.codes for i, line in enumerate(code.lines)}
    sites = [item.site for item in (*record.nodes, *record.blocks)]
    assert len(sites) == 3
    assert all(listed[site.label].strip() == site.source for site in sites)


def test_of_a_file_the_functions_that_created_nodes_are_there_entire(run):
    before = "import os\n\n\ndef other():\n    pass\n" + "\n" * 20
    function = """class A:
    @staticmethod
    def make():
        '''Makes.'''
        def inner():
            return tf.constant(1.0)
        return inner()
"""
    (code,) = run(before + function + "\n" * 20 + "made = A.make()\n")
    assert code.place == "File program.py"
    assert [code.lines[0].strip(), code.lines[-1].strip()] == ["@staticmethod", "return inner()"]


def test_of_a_module_and_of_a_long_function_the_lines_around_are_there(run):
    gap = "pass\n" * 30
    assert lines(run(f"{gap}a = tf.constant(1.0)\n{gap}b = tf.constant(1.0)\n{gap}")) == [(29, 33), (60, 64)]
    assert lines(run("a = tf.constant(1.0)\n" + "pass\n" * 8 + "b = tf.constant(1.0)\n")) == [(1, 10)]
    body = "".join(f"    {line}" for line in (f"{gap}{gap}tf.constant(1.0)\n{gap}").splitlines(keepends=True))
    assert lines(run(f"def long():\n{body}\nlong()\n")) == [(60, 64)]


def test_a_record_has_no_more_lines_than_anybody_reads(run):
    codes = run("".join(f"a{i} = tf.constant({i})\n" for i in range(MOST + 100)))
    assert sum(len(code.lines) for code in codes) == MOST


@pytest.mark.parametrize("text", ["tf.constant(1.0)\n", "x = ="])
def test_a_lost_or_changed_text_leaves_no_lines_or_those_around(run, monkeypatch, text):
    with tf.Graph().as_default() as graph:
        exec(compile("\n\ntf.constant(1.0)", "<lost>", "exec"), {"tf": tf})
    monkeypatch.setitem(linecache.cache, "<lost>", (len(text), None, [text], "<lost>"))
    record = graph_record(graph)
    assert sum(len(code.lines) for code in record.codes) <= 1
    assert text_of(record)


def test_a_large_graph_sends_its_lines_with_its_first_portion():
    with tf.Graph().as_default() as graph:
        for i in range(40):
            with tf.name_scope(f"s{i}"):
                tf.constant(1.0)
    portions = Portions(complete(graph), most=10, portion=5)
    assert any("tf.constant(1.0)" in line for code in portions.record.codes for line in code.lines)
    assert portions.more(portions.record.sealed[0].path, ()).codes == ()
