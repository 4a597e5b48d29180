"""cond: one branch runs, whatever is nested, captured or shared; and a cond that cannot be made leaves no trace.

    x ─┬─ Switch ─ branch for True  ─┐
       └─ Switch ─ branch for False ─┴─ Merge
"""

import numpy as np
import pytest

import tfedu as tf


def nodes():
    graph = tf.get_default_graph()
    return [(op.name, op.inputs, op.control_inputs) for op in graph.get_operations()]


def expression(rng, depth, leaves, preds, log):
    """A random expression: (function that builds it, function that computes it from the predicates' values)."""
    kind = rng.integers(5 if depth else 2)
    if kind == 0:
        i = rng.integers(len(leaves))
        return (lambda: leaves[i][0]), (lambda given: leaves[i][1])
    if kind == 1:
        number = float(rng.integers(1, 9))
        return (lambda: tf.constant(number)), (lambda given: number)
    left, left_value = expression(rng, depth - 1, leaves, preds, log)
    right, right_value = expression(rng, depth - 1, leaves, preds, log)
    if kind == 2:
        return (lambda: tf.add(left(), right())), (lambda given: left_value(given) + right_value(given))
    at = rng.integers(len(preds))
    log.append(at)
    return (
        lambda: tf.cond(preds[at], left, right),
        lambda given: left_value(given) if given[at] else right_value(given),
    )


@pytest.mark.parametrize("seed", range(25))
def test_any_nest_of_conds_gives_what_python_gives(seed):
    rng = np.random.default_rng(seed)
    preds = [tf.placeholder(tf.bool, [], name=f"p{i}") for i in range(3)]
    variable = tf.Variable(7.0)
    resource = tf.Variable(11.0, use_resource=True)
    shared = tf.constant(2.0) * 3.0
    leaves = [(variable, 7.0), (resource, 11.0), (shared, 6.0), (tf.constant(1.0), 1.0)]
    built, computed, conds = [], [], []
    while len(conds) < 4:
        build, compute = expression(rng, 4, leaves, preds, conds)
        built.append(tf.identity(build()))
        computed.append(compute)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    for bits in range(8):
        given = [bool(bits >> i & 1) for i in range(3)]
        feed = dict(zip(preds, given))
        for _ in range(2):  # the interpreter, then the plan
            assert session.run(built, feed) == [compute(given) for compute in computed]


def test_a_node_without_inputs_waits_for_its_branch():
    p = tf.placeholder(tf.bool, [])
    made = []
    tf.cond(p, lambda: made.append(tf.constant(1.0)) or made[0], lambda: made.append(tf.constant(2.0)) or made[1])
    assert [[w.name for w in t.op.control_inputs] for t in made] == [["cond/switch_t"], ["cond/switch_f"]]


def test_what_a_branch_takes_from_outside_comes_through_one_switch():
    p = tf.placeholder(tf.bool, [])
    x = tf.constant(1.0)
    tf.cond(p, lambda: (x + 1.0) * x, lambda: tf.constant(0.0))
    switches = [op for op in x.consumers() if op.type == "Switch"]
    assert len(switches) == 1


@pytest.mark.parametrize("wrong", ["raises", "none", "dtype", "count"])
def test_a_cond_that_cannot_be_made_leaves_no_trace(wrong):
    p = tf.placeholder(tf.bool, [])
    x = tf.constant(1.0)
    before = nodes()

    def branch():
        y = x * 2.0
        if wrong == "raises":
            raise RuntimeError("mine")
        return {"none": None, "dtype": tf.constant(1), "count": (y, y)}[wrong]

    with pytest.raises((RuntimeError, ValueError, TypeError)):
        tf.cond(p, lambda: x + 1.0, branch)
    assert nodes() == before
    assert x.consumers() == []
    assert tf.get_collection(tf.GraphKeys.COND_CONTEXT) == []
    result = tf.cond(p, lambda: x + 1.0, lambda: x * 2.0)
    assert result.name == "cond/Merge:0"
    with tf.Session() as session:
        assert [session.run(result, {p: value}) for value in (True, False)] == [2.0, 2.0]


def test_a_failed_op_in_a_branch_does_not_spoil_the_next():
    p = tf.placeholder(tf.bool, [])
    x = tf.constant([1.0, 2.0])
    y = tf.constant([[1.0, 2.0, 3.0]])

    def branch():
        # x comes into the branch for a function of several nodes that fails after it took x in.
        with pytest.raises(ValueError, match="rank"):
            tf.assert_rank(x * 2.0, 2)
        with pytest.raises(ValueError, match="must be equal"):
            tf.add_n([x + 1.0, y])
        return x * 2.0

    result = tf.cond(p, branch, lambda: x)
    known = set(tf.get_default_graph().get_operations())
    assert all(t.op in known for op in known for t in op.inputs)
    with tf.Session() as session:
        assert session.run(result, {p: True}).tolist() == [2.0, 4.0]
        assert session.run(result, {p: False}).tolist() == [1.0, 2.0]


def test_the_context_is_left_when_a_branch_raises():
    p = tf.placeholder(tf.bool, [])
    with pytest.raises(ZeroDivisionError):
        tf.cond(p, lambda: 1 / 0, lambda: tf.constant(1.0))
    assert tf.get_default_graph()._get_control_flow_context() is None
    assert tf.constant(1.0).op.control_inputs == [] or tf.constant(1.0).op.control_inputs == ()


def test_an_update_in_a_branch_changes_the_variable_only_when_it_is_taken():
    p = tf.placeholder(tf.bool, [])
    for resource in (False, True):
        v = tf.Variable(0.0, use_resource=resource)
        r = tf.cond(p, lambda v=v: tf.group(v.assign_add(1.0)), tf.no_op)
        with tf.Session() as session:
            session.run(v.initializer)
            for value, expected in ((True, 1.0), (False, 1.0), (True, 2.0)):
                session.run(r, {p: value})
                assert session.run(v) == expected


def test_the_older_keywords_still_work():
    p = tf.constant(True)
    r = tf.cond(p, fn1=lambda: tf.constant(1), fn2=lambda: tf.constant(2))
    with tf.Session() as session:
        assert session.run(r) == 1
