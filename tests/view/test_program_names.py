"""Which names of a program its nodes have: several statements on one line, statements on several lines, and what has no name."""

import linecache

import pytest

import tfedu as tf
from tfedu.view import build
from tfedu.view.make.element_reading.element_graph import ElementGraph
from tfedu.view.make.programs.program_names import program_names
from tfedu.view.records import to_json


@pytest.fixture
def run(monkeypatch):
    """Runs a program as a file of its own, and returns the graph that it builds."""

    def graph_of(text, file="<program>"):
        monkeypatch.setitem(linecache.cache, file, (len(text), None, text.splitlines(keepends=True), file))
        with tf.Graph().as_default() as graph:
            exec(compile(text, file, "exec"), {"tf": tf, "graph": graph})
        return graph

    return graph_of


def names(graph):
    return {op.name: name for op, name in program_names(graph.operations).items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # one line, several statements
        ("a = tf.constant(1.0, name='A'); b = tf.add(a, 1.0, name='B')", {"A": "a", "B": "b"}),
        ("é = tf.constant(1.0, name='A'); b = -é", {"A": "é", "Neg": "b"}),
        ("if True: a = tf.constant(1.0, name='A')", {"A": "a"}),
        ("with tf.name_scope('s'): a = tf.constant(1.0, name='A')", {"s/A": "a"}),
        ("a: 'tensor' = tf.constant(1.0, name='A'); tf.add(a, 1.0)", {"A": "a"}),
        # several targets
        ("a, [b, c] = tf.zeros([], name='A'), [tf.ones([], name='B'), 3]", {"A": "a", "B": "b"}),
        ("a = b = tf.constant(1.0, name='A')", {"A": "a"}),
        ("_ = tf.constant(1.0)", {}),
        ("a, b = tf.unstack(tf.zeros([2]))\nc, *d = tf.zeros([]), tf.ones([])", {}),
        # an assignment inside an expression
        ("b = tf.identity((a := tf.constant(1.0, name='A')), name='B')", {"A": "a", "B": "b"}),
        ("if (a := tf.constant(1.0, name='A')) is not None: pass", {"A": "a"}),
        # one statement on several lines
        ("a = (\n    tf\n    .constant(1.0, name='A')\n)", {"A": "a"}),
        ("a = tf.add(\n    tf.constant(1.0), tf.abs(\n    2.0), name='A')", {"A": "a"}),
        ("a = [\n    tf.constant(1.0, name='A'), tf.constant(2.0, name='B')\n][0]", {}),
        # what a part of the value computes has no name
        ("a = str(tf.constant(1.0))", {}),
        ("x = tf.constant(1.0, name='x')\na = x * 2.0 + 1.0", {"x": "x", "add": "a"}),
        ("x = tf.constant(1.0, name='x')\na = tf.gradients(x * x, x)[0]", {"x": "x", "gradients/AddN": "a"}),
        ("a = tf.constant(1.0, name='A').op", {"A": "a"}),
        ("a = tf.constant(1.0, name='A') if graph else tf.constant(2.0)", {"A": "a"}),
        ("a = None or tf.constant(1.0, name='A')", {"A": "a"}),
        # functions, comprehensions, loops
        ("f = lambda x: tf.negative(x)\na = f(tf.constant(1.0))", {}),
        ("a = [tf.constant(n) for n in range(3)]; b = {n: tf.constant(n) for n in range(3)}", {}),
        ("for n in range(3): a = tf.constant(n, name='A')", {"A_2": "a"}),
        ("def f(x):\n    y = tf.negative(x); return tf.abs(y)\na = f(f(tf.constant(1.0)))", {"Neg_1": "y"}),
        ("import functools\na = functools.reduce(tf.add, [tf.ones([]), tf.ones([]), tf.ones([])])", {"Add_1": "a"}),
        # variables, and what has variables
        ("x = tf.Variable(tf.zeros([2]), name='X'); y = x + 1.0", {"X": "x", "add": "y"}),
        ("x = tf.Variable(0.0, name='X', use_resource=True); y = tf.identity(x)", {"X": "x", "Identity": "y"}),
        ("x = tf.Variable(1.0) * 2.0", {"mul": "x"}),
        ("w = tf.get_variable('W', [2], regularizer=lambda w: tf.reduce_sum(tf.abs(w)))", {"W": "w"}),
        ("h = tf.layers.dense(tf.zeros([2, 2]), 3)", {"dense/BiasAdd": "h"}),
        ("for n in range(2): v = tf.Variable(0.0, name='V')", {"V_1": "v"}),
    ],
)  # fmt: skip
def test_a_node_has_the_name_to_which_its_own_statement_assigns_it(run, text, expected):
    assert names(run(text)) == expected


def test_a_file_that_is_no_python_or_has_no_source_gives_no_names(monkeypatch):
    code = compile("a = tf.constant(1.0)", "<magic>", "exec")
    for text in ("%matplotlib inline\na = tf.constant(1.0)\n", ""):
        monkeypatch.setitem(
            linecache.cache, "<magic>", (len(text), None, text.splitlines(keepends=True), "<magic>")
        )
        with tf.Graph().as_default() as graph:
            exec(code, {"tf": tf})
        assert not program_names(graph.operations)


def test_without_positions_there_is_no_name(run):
    """As under `python -X no_debug_ranges`, where Python knows an instruction's line alone."""
    graph = run("a = tf.constant(1.0); b = tf.constant(2.0)")

    class Bare:
        co_filename = "<program>"

        def co_positions(self):
            return [(1, None, None, None)] * 100

    for op in graph.operations:
        op._site = Bare(), op._site[1]
    assert not program_names(graph.operations)


def test_records_have_the_names_of_nodes_and_of_a_part_of_the_graph(run):
    graph = run("x = tf.Variable(0.0, name='X'); y = tf.add(x, 1.0, name='Y')")
    data = to_json(build.graph_record(graph))
    assert [(data["nodes"][id]["name"], name) for id, name in data["names"]] == [("X", "x"), ("Y", "y")]
    # A part has the names of its own nodes; a node does not get the name of one that the part leaves out.
    part = build.graph_record(graph.get_operation_by_name("X/Assign"), steps=0)
    assert ([node.name for node in part.nodes], part.names) == (["X/Assign"], ())
    assert build.graph_record(graph.get_operation_by_name("Y/y"), steps=0).names == ((5, "y"),)


def test_elements_are_named_by_their_own_statements(run):
    graph = run("x = tf.constant([1.0, 2.0]); w = tf.Variable([3.0, 4.0], name='W'); y = x * w")
    elements = ElementGraph(graph.get_tensor_by_name("mul:0"))
    assert [elements.names[tensor] for tensor in elements.tensors] == ["x", "w", "y"]
