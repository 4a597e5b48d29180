"""A recorded sweep creates the nodes of tf.gradients and no others, and says for each turn which nodes it created."""

import re

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.autodiff.formulas import formula
from tfedu.engine.autodiff.sweep_recorder import recorded_gradients
from tfedu.engine.op.definition import REGISTRY


def two_ways():
    """w ─ p = w·x ─┬─ s = p² ─┬─ y = s + p"""
    x = tf.constant(3.0, name="x")
    w = tf.Variable(2.0, name="w")
    p = tf.multiply(w, x, name="p")
    return tf.add(tf.square(p, name="s"), p, name="y"), [w, x]


def layers():
    x = tf.placeholder(tf.float32, [None, 3])
    w = tf.get_variable("w", [3, 2])
    b = tf.get_variable("b", [2], use_resource=True)
    rows = tf.gather(tf.nn.relu(tf.matmul(x, w) + b), [0, 0, 1])
    return tf.reduce_mean(tf.split(rows, 2, 1)[0]), [w, b, x]


def deep():
    x, w = (tf.placeholder(tf.float32, [3]) for _ in range(2))
    y = x
    for _ in range(6):
        y = tf.tanh(y * w)
    return y, [x, w]


def override():
    x = tf.constant([1.0, -1.0])
    with tf.get_default_graph().gradient_override_map({"Relu": "Identity"}):
        y = tf.nn.relu(x)
    return y, [x]


def nodes(graph):
    return [(op.name, op.type, [t.name for t in op.inputs], [c.name for c in op.control_inputs]) for op in graph.get_operations()]


@pytest.mark.parametrize("program", [two_ways, layers, deep, override])
@pytest.mark.parametrize("options", [{}, {"gate_gradients": True}, {"aggregation_method": 1}, {"name": "mine"}])
def test_a_recorded_sweep_creates_the_nodes_of_gradients_and_no_others(program, options):
    graphs = []
    for call in (tf.gradients, lambda *args, **kwargs: recorded_gradients(*args, **kwargs)[1]):
        with tf.Graph().as_default() as graph:
            y, xs = program()
            found = call(y, xs, **options)
        graphs.append((nodes(graph), [getattr(g, "name", None) for g in found]))
    assert graphs[0] == graphs[1]


def test_a_recording_that_fails_adds_no_node():
    y, xs = deep()
    with tf.get_default_graph().gradient_override_map({"Tanh": "NobodyRegisteredThisEither"}):
        z = tf.tanh(xs[0])
    before = nodes(tf.get_default_graph())
    with pytest.raises(LookupError):
        recorded_gradients([y, z], xs)
    assert nodes(tf.get_default_graph()) == before


def test_a_node_has_its_turn_after_all_its_consumers_and_each_new_node_belongs_to_one_turn():
    with tf.Graph().as_default() as graph:
        y, xs = two_ways()
        before = len(graph.get_operations())
        told, _ = recorded_gradients(y, xs)
        left = {}
        for turn in told.turns:
            if turn.op is not None:
                assert left[turn.op] == 0
            left.update(turn.pending)
        made = [op for turn in told.turns for op in (*turn.sums, *turn.created)]
        assert made == graph.get_operations()[before:]
    kinds = [f"{turn.kind} {turn.op.name if turn.op else ''}" for turn in told.turns]
    assert kinds == ["start ", "rule y", "rule s", "rule p", "rule w/read", "reached x", "reached w"]
    at_p = told.turns[3]
    assert [[g.name for g in way] for way in at_p.arrived] == [["gradients/Fill:0", "gradients/s_grad/Mul_1:0"]]
    assert [op.name for op in at_p.sums] == ["gradients/AddN"]
    sent = {t.name: g.name for t, g in at_p.sent}
    assert sent == {"w/read:0": "gradients/p_grad/Mul:0", "x:0": "gradients/p_grad/Mul_1:0"}


@pytest.mark.parametrize(
    ("build", "options", "kind", "at"),
    [
        (lambda v, w: w * 2.0, {}, "unrelated", None),
        (lambda v, w: tf.stop_gradient(v * 2.0, name="kept") * w, {}, "constant", "kept"),
        (lambda v, w: tf.identity(v, name="here") * w, {"stop": True}, "stopped", "here"),
        (lambda v, w: tf.to_float(tf.cast(v * 3.0, tf.int32, name="whole")) * w, {}, "integer", "whole"),
        (lambda v, w: tf.to_float(tf.argmax([v, v * 2.0], name="best")) * w, {}, "integer", "best"),
        (lambda v, w: tf.floor(v, name="steps") * w, {}, "none", "steps"),
    ],
)
def test_for_an_x_without_a_gradient_it_names_where_the_path_ends(build, options, kind, at):
    with tf.Graph().as_default() as graph:
        v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
        y = build(v, w)
        stops = [graph.get_tensor_by_name("here:0")] if options else None
        told, found = recorded_gradients(y, [v, w], stop_gradients=stops)
        assert found[0] is None
        assert found[1] is not None
        broken = told.why_none(told.xs[0])
    assert (broken.kind, broken.op and broken.op.name) == (kind, at)
    assert bool(broken.reason) == (kind == "constant")


# -- formulas ----------------------------------------------------------------------------------------------------------

NAMES = {name: getattr(np, name) for name in ("exp", "sin", "cos", "sinh", "cosh", "sign", "log")} | {"π": np.pi, "sqrt": np.sqrt}
POINTS = {"Acosh": [1.5, 2.0], "Relu6": [-1.0, 2.0, 7.0], "Relu": [-1.0, 2.0], "Elu": [-1.0, 2.0], "Abs": [-1.0, 2.0]}
NO_NUMBER = re.compile(r"Σ|\[i\]|cast|reshape|transpose|softmax|ᵀ|…|∗|window|count")
OTHER_INPUTS = ("CheckNumerics", "L2Loss", "PreventGradient", "Print")
ELEMENTWISE = [
    (d.gradient, d.type)
    for d in REGISTRY.whole().values()
    if d.gradient and not NO_NUMBER.search(d.gradient) and d.type not in OTHER_INPUTS
]


def value(text, **names):
    """The value of a formula, which uses a few mathematical signs."""
    text = text.replace("·", "*").replace("²", "**2").replace("³", "**3").replace("^", "**")
    text = re.sub(r"√(π|\([^)]*\))", r"sqrt(\1)", text)
    text = re.sub(r"\|(\w)\|", r"abs(\1)", text)
    text = re.sub(r"\[([^\]]*)\]", lambda m: f"({m[1].replace('≥', '>=').replace('≤', '<=')})", text)
    text = re.sub(r"\(x > 0 \? 1 : (.*?)\)", r"np.where(x > 0, 1, \1)", text)
    return eval(text, {"np": np, "abs": abs}, NAMES | names)


@pytest.mark.parametrize(("text", "op_type"), ELEMENTWISE)
def test_a_formula_gives_what_the_rule_gives(text, op_type):
    points = np.array(POINTS.get(op_type, [0.25, 0.5, 0.75]))
    with tf.Graph().as_default(), tf.Session() as session:
        ins = [tf.constant(points)]
        if "da" in text:
            ins.append(tf.constant(points[::-1].copy()))
        y = getattr(tf.raw_ops, op_type)(**{slot.name: x for slot, x in zip(REGISTRY.get(op_type).inputs, ins)})
        assert formula(y.op) == text
        g = tf.constant(np.arange(1.0, 1.0 + len(points)))
        found = tf.gradients(y, ins, grad_ys=g)
        results = session.run([y, g, *found])
    names = dict(zip(("y", "g"), results))
    names |= dict(zip(("a", "b") if len(ins) == 2 else ("x",), (points, points[::-1])))
    for part, got in zip(text.split(", "), results[2:]):
        np.testing.assert_allclose(np.broadcast_to(value(part.split(" = ", 1)[1], **names), got.shape), got, rtol=1e-6)


def test_a_node_whose_rule_is_the_programs_own_has_no_formula():
    with tf.Graph().as_default():
        y, _ = override()
        assert formula(y.op) == ""
        assert formula(tf.matmul([[1.0]], [[1.0]], transpose_a=True).op) == ""
        assert formula(tf.nn.relu([1.0]).op) == "dx = g · [x > 0]"
