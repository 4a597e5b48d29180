"""Schedules: the default, a seed and a replayed text each name one order; a cycle has none."""

import pytest

import tfedu as tf
from tfedu.engine.runtime import schedule as schedules


def pair():
    x = tf.Variable(1.0)
    c = x + 2.0
    return x, c, tf.assign(x, 5.0)


def outcomes(seeds, use_resource=False):
    values = set()
    for seed in seeds:
        tf.reset_default_graph()
        x, c, write = pair()
        session = tf.Session(schedule=schedules.random(seed))
        session.run(x.initializer)
        values.add(tuple(float(v) for v in session.run([write, c])))
    return values


def test_the_default_schedule_is_the_order_of_creation():
    x, c, write = pair()
    session = tf.Session()
    session.run(x.initializer)
    assert session.run([write, c]) == [5.0, 3.0]


def test_random_schedules_reach_every_legal_outcome():
    assert outcomes(range(12)) == {(5.0, 3.0), (5.0, 7.0)}


def test_a_seed_names_one_schedule():
    _, c, write = pair()
    texts = set()
    for _ in range(3):
        session = tf.Session(schedule=schedules.random(3))
        texts.add(session.prepare([write, c]).signature.schedule().text)
    assert len(texts) == 1


def test_a_replay_runs_the_given_order_and_refuses_an_illegal_one():
    x, c, write = pair()
    session = tf.Session(schedule=schedules.random(5))
    session.run(x.initializer)
    text = session.prepare([write, c]).signature.schedule().text
    again = tf.Session(schedule=schedules.replay(text))
    assert again.prepare([write, c]).signature.schedule().text == text
    backwards = " ".join(reversed(text.split()))
    with pytest.raises(tf.errors.InvalidArgumentError, match="not ready"):
        tf.Session(schedule=schedules.replay(backwards)).prepare([write, c]).signature.schedule()
    with pytest.raises(ValueError, match="list of node ids"):
        schedules.replay("1; import os")


def test_the_error_of_a_cycle_names_its_control_edges():
    a, b = tf.no_op(name="a"), tf.no_op(name="b")
    graph = tf.get_default_graph()
    graph.add_control_input(a, b)
    graph.add_control_input(b, a)
    with pytest.raises(tf.errors.InvalidArgumentError, match="cycle") as caught:
        tf.Session().run(b)
    assert "a" in str(caught.value)
    assert "b" in str(caught.value)


def test_each_stage_of_a_run_prints_itself():
    x = tf.Variable(0.0, name="x")
    y = tf.assign_add(x, 1.0, name="y")
    pruned, placed, scheduled, plan = tf.Session().stages(y)
    assert str(pruned).startswith("3 of 6 nodes are needed")
    assert "y  on /job:localhost" in str(placed)
    assert str(scheduled).splitlines()[-1] == "3. y"
    assert str(plan).startswith("def plan():")
    assert scheduled.text == " ".join(str(op.id) for op in scheduled.order)


def test_a_pair_holds_a_node_back_until_another_has_run():
    x, c, write = pair()
    session = tf.Session(schedule=f"{write.op.id}<{c.op.id}")
    session.run(x.initializer)  # a pair of nodes that do not run changes nothing
    for _ in range(3):
        assert session.run([write, c]) == [5.0, 7.0]
    session.run(x.initializer)
    assert session.run(c) == 3.0


def test_a_pair_that_an_edge_forbids_is_refused():
    x, c, write = pair()
    with tf.control_dependencies([c]):
        late = tf.identity(write)
    session = tf.Session(schedule=schedules.before(f"{late.op.id}<{c.op.id}"))
    session.run(x.initializer)
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"runs node {late.op.id} before node {c.op.id}"):
        session.run(late)
    assert session.run(x) == 1.0
    for text in ("1<", "1<2<3", "1<2 3", "a<b", "1 < 2"):
        with pytest.raises(ValueError, match="list of pairs"):
            tf.Session(schedule=text)


def test_a_pair_of_iterations_lets_loops_overlap():
    x = tf.Variable(0.0)
    loop = tf.while_loop(lambda i: i < 2.0, lambda i: i + 1.0 + 0.0 * tf.assign_add(x, 1.0), [0.0])
    beside = x * 10.0
    add = next(op for op in tf.get_default_graph().get_operations() if op.type == "AssignAdd")
    for iteration, expected in enumerate([10.0, 20.0]):
        held = f"{add.id}:{iteration}<{beside.op.id}"
        then = f"{beside.op.id}<{add.id}:{iteration + 1}"
        session = tf.Session(schedule=f"{held} {then}")
        session.run(x.initializer)
        assert session.run([loop, beside]) == [2.0, expected]
