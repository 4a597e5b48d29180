"""Gradients through nested loops and conds equal finite differences; a failed call does not change the loop.

Nodes and values beside TensorFlow: tests/semantics/programs_loop_gradients.py and programs_loop_gradient_values.py.
"""

import random

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.autodiff.sweep_recorder import recorded_gradients
from tfedu.engine.runtime import schedule as schedules


def repeated(step, start, times=3):
    shapes = [tf.TensorShape([]), tf.TensorShape(None)]
    return tf.while_loop(
        lambda i, y: i < times, lambda i, y: (i + 1, step(y)), [tf.constant(0), start], shape_invariants=shapes
    )[1]


# -- whatever is nested ------------------------------------------------------------------------------------------------


def grown(rng, outside, depth):
    """A random function of a tensor [3] that stays small and smooth; it may capture outer tensors."""

    def leaf(y):
        other = rng_leaf.choice([y, *outside])
        return rng_leaf.choice([
            lambda: tf.sin(y) + other, lambda: tf.tanh(y * other), lambda: 0.5 * y - other * other, lambda: tf.sigmoid(y + 1.0),
            lambda: tf.gather(other, [2, 0, 1]) * y, lambda: y + tf.reduce_mean(other),
        ])()  # fmt: skip

    seed = rng.random()
    rng_leaf = random.Random(seed)
    if depth == 0:
        return leaf
    kind = rng.choice(["loop", "cond", "chain", "loop"])
    first, second = grown(rng, outside, depth - 1), grown(rng, outside, depth - 1)
    # Rows that no iteration picked would have no shape, as in TF.
    times, bound = rng.randrange(1, 4), rng.uniform(-1, 1)

    def loop(y):
        with_inner = lambda z: first(z) + 0.1 * second(y)
        return repeated(lambda z: tf.tanh(with_inner(z)), y, times)

    def cond(y):
        return tf.cond(tf.reduce_sum(y) < bound, lambda: first(y), lambda: second(y * 0.5))

    return {"loop": loop, "cond": cond, "chain": lambda y: second(first(y))}[kind]


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense Tensor of unknown shape")
@pytest.mark.parametrize("seed", range(24))
def test_gradients_of_random_loops_and_conds_equal_finite_differences(seed):
    rng = random.Random(seed)
    x = tf.placeholder(tf.float64, [3] if seed % 2 else None, name="x")
    c = tf.placeholder(tf.float64, [3] if seed % 3 else None, name="c")
    y = tf.reduce_sum(tf.square(grown(rng, [x, c], 2)(x)))
    at = {x: np.array([0.3, -0.4, 0.5]), c: np.array([0.7, 0.2, -0.6])}
    gradients = [tf.convert_to_tensor(g) for g in tf.gradients(y, [x, c], unconnected_gradients="zero")]
    with tf.Session() as session:
        found = session.run(gradients, at)
        for tensor, gradient in zip((x, c), found, strict=True):
            for i in range(3):
                step = np.eye(3)[i] * 1e-6
                up, down = (session.run(y, {**at, tensor: at[tensor] + sign * step}) for sign in (1, -1))
                assert gradient[i] == pytest.approx((up - down) / 2e-6, rel=1e-5, abs=1e-7), (tensor.name, i)


@pytest.mark.parametrize("parallel", [1, 3, 10])
def test_pushes_and_pops_keep_their_order_under_every_schedule(parallel):
    x = tf.placeholder(tf.float64, [2], name="x")

    def step(y):
        inner = tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, tf.sin(z * x) + y), [0, y], parallel_iterations=parallel)
        return tf.cond(tf.reduce_sum(y) < 1.5, lambda: inner[1] * y, lambda: tf.cos(y) + x)

    y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, step(y)), [0, x], parallel_iterations=parallel)[1]
    (gradient,) = tf.gradients(y, x)
    found = []
    for policy in (None, *map(schedules.random, range(6))):
        with tf.Session(schedule=policy) as session:
            found.append(session.run(gradient, {x: [0.3, 0.8]}).tolist())
    assert found == [found[0]] * len(found)


def test_a_recorded_sweep_has_every_node_and_both_turns_of_a_loop_variable_s_switch():
    x = tf.placeholder(tf.float32, [], name="x")
    y = repeated(lambda y: tf.cond(y < 2.0, lambda: y * x, lambda: tf.sin(y)), x)
    nodes = tf.get_default_graph().get_operations()
    told, _ = recorded_gradients(y, [x])
    made = [op for turn in told.turns for op in (*turn.sums, *turn.created)]
    assert sorted(made, key=id) == sorted(tf.get_default_graph().get_operations()[len(nodes) :], key=id)
    assert [turn.op.name for turn in told.turns if turn.op].count("while/Switch_1") == 2


# -- what the loop keeps -----------------------------------------------------------------------------------------------


def test_each_value_has_one_stack_however_often_it_is_used():
    x = tf.placeholder(tf.float32, [], name="x")
    y = repeated(lambda y: tf.sin(y) * tf.cos(y) * y, x)
    tf.gradients(y, x)
    pushed = [op.inputs[1] for op in tf.get_default_graph().get_operations() if op.type == "StackPushV2"]
    assert len(pushed) == len(set(pushed)) >= 3


def test_constants_and_captured_tensors_need_no_stack():
    x = tf.placeholder(tf.float32, [], name="x")
    tf.gradients(repeated(lambda y: y * tf.exp(x) * 3.0, tf.constant(1.0)), x)
    graph = tf.get_default_graph()
    kept = {op.inputs[1].op.type for op in graph.get_operations() if op.type == "StackPushV2"}
    assert kept
    assert not kept & {"Const", "Enter"}


def test_a_large_constant_in_the_body_is_a_constant_of_the_gradient_s_loop():
    x = tf.placeholder(tf.float32, [40000], name="x")
    y = tf.reduce_sum(repeated(lambda y: y * tf.constant(np.arange(40000.0), tf.float32), x, 2))
    (gradient,) = tf.gradients(y, x)
    with tf.Session() as session:
        assert session.run(gradient, {x: np.ones(40000)}).tolist() == (np.arange(40000.0, dtype=np.float32) ** 2).tolist()


def test_a_failed_call_does_not_change_the_loop():
    x = tf.placeholder(tf.float32, [], name="x")
    y = repeated(lambda y: tf.raw_ops.PreventGradient(input=y * x, message="no way"), x)
    graph = tf.get_default_graph()
    (context,) = graph.get_collection("while_context")

    def state():
        nodes = [(op.name, [t.name for t in op.inputs], [c.name for c in op.control_inputs]) for op in graph.get_operations()]
        return nodes, list(context.loop_enters), list(context.loop_exits), list(context.nested), set(context.visible)

    before = state()
    with pytest.raises(LookupError, match="no way"):
        tf.gradients(y, x)
    assert state() == before
    assert graph._get_control_flow_context() is None
    assert tf.gradients(x * x, x)[0].name.startswith("gradients/")


def test_a_loop_of_a_graph_file_has_no_gradient_and_the_error_says_why():
    x = tf.placeholder(tf.float32, [], name="x")
    repeated(lambda y: y * x, x)
    message = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, name="")
        with pytest.raises(ValueError, match="without properly serializing graph via MetaGraphDef"):
            tf.gradients(graph.get_tensor_by_name("while/Exit_1:0"), graph.get_tensor_by_name("x:0"))


def test_a_loop_of_a_meta_graph_has_its_gradient():
    x = tf.placeholder(tf.float32, [], name="x")
    repeated(lambda y: y * x, x)
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(message)
        y, x = (graph.get_tensor_by_name(name) for name in ("while/Exit_1:0", "x:0"))
        (gradient,) = tf.gradients(y, x)
        with tf.Session() as session:
            assert session.run([y, gradient], {x: 2.0}) == [16.0, 32.0]
