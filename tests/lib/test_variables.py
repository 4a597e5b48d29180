"""Variables of both kinds: what they leave behind, how they depend on each other, and who may change them at once."""

import inspect
import threading

import numpy as np
import pytest

import tfedu as tf


def names():
    return [op.name for op in tf.get_default_graph().get_operations()]


KINDS = pytest.mark.parametrize("resource", [False, True], ids=["reference", "resource"])


@KINDS
def test_a_variable_that_cannot_be_made_leaves_nothing_behind(resource):
    with pytest.raises(TypeError, match="Expected int32"):
        tf.Variable(1.5, dtype=tf.int32, name="v", use_resource=resource)
    with pytest.raises(ValueError, match="initial_value must be specified"):
        tf.Variable(name="v", use_resource=resource)
    assert names() == []
    assert tf.global_variables() == []
    assert tf.Variable(1, name="v", use_resource=resource).name == "v:0"


@KINDS
def test_an_assign_that_does_not_fit_leaves_nothing_behind(resource):
    v = tf.Variable([1.0, 2.0], use_resource=resource)
    before = names()
    for change in (tf.assign, tf.assign_add, tf.assign_sub):
        with pytest.raises(ValueError, match="2"):
            change(v, [1.0, 2.0, 3.0])
    assert names() == before


def test_the_default_kind_can_be_turned():
    assert type(tf.Variable(0.0)).__name__ == "RefVariable"
    tf.enable_resource_variables()
    try:
        made = tf.Variable(0.0)
        assert tf.resource_variables_enabled()
        assert type(made).__name__ == "ResourceVariable"
        assert type(tf.Variable(0.0, use_resource=False)).__name__ == "RefVariable"
    finally:
        tf.disable_resource_variables()
    assert isinstance(made, tf.Variable)
    assert type(tf.Variable(0.0)).__name__ == "RefVariable"


@KINDS
def test_an_initial_value_from_within_a_branch_is_refused_and_a_function_is_not(resource):
    p = tf.placeholder(tf.bool, [])
    made = []

    def wrong():
        return tf.Variable(tf.constant(1.0) + 1.0, use_resource=resource).value()

    def right():
        made.append(tf.Variable(lambda: tf.constant(1.0) + 1.0, use_resource=resource))
        return tf.identity(made[0])

    with pytest.raises(ValueError, match="is from inside a control-flow construct"):
        tf.cond(p, wrong, lambda: tf.constant(0.0))
    result = tf.cond(p, right, lambda: tf.constant(0.0))
    with tf.Session() as session:
        session.run(made[0].initializer)
        assert session.run(result, {p: True}) == 2.0


@pytest.mark.parametrize("seed", range(10))
def test_a_variable_can_be_initialized_from_another_one_in_any_order(seed):
    a = tf.Variable(1.0)
    others = [tf.Variable(a * float(i) + a) for i in range(4)]
    with tf.Session(schedule=tf.schedule.random(seed)) as session:
        session.run(tf.global_variables_initializer())
        assert session.run(others) == [1.0, 2.0, 3.0, 4.0]


def test_variables_can_be_initialized_from_each_other_in_the_order_in_which_they_were_made():
    # In any order only one step deep: further back the initial values read what may not be there yet, in TF too.
    rng = np.random.default_rng(0)
    variables, expected = [tf.Variable(1.0)], [1.0]
    for i in range(1, 7):
        on = rng.choice(i, size=rng.integers(1, i + 1), replace=False)
        variables.append(tf.Variable(sum(variables[j] * float(j + 2) for j in on)))
        expected.append(sum(expected[j] * (j + 2) for j in on))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(variables) == expected


def test_an_initial_value_at_the_end_of_a_long_chain_needs_no_recursion():
    v = tf.Variable(1.0)
    x = v
    for _ in range(3000):
        x = tf.identity(x)
    w = tf.Variable(x)
    with tf.Session() as session:
        session.run(w.initializer)
        assert session.run(w) == 1.0


def test_an_initial_value_without_variables_is_taken_as_it_is():
    start = tf.constant(1.0) * 2.0
    v = tf.Variable(start)
    assert v.initializer.inputs[1] is start


@KINDS
def test_a_variable_used_before_it_has_a_value_is_an_error_that_names_it(resource):
    v = tf.Variable(1.0, name="lonely", use_resource=resource)
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError, match="lonely"):
        session.run(v + 1.0)


@KINDS
def test_updates_from_many_threads_are_all_counted(resource):
    v = tf.Variable(0, use_resource=resource)
    up = v.assign_add(1, use_locking=True, read_value=False)
    session = tf.Session()
    session.run(v.initializer)

    def count():
        for _ in range(100):
            session.run(up)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.run(v) == 400


@KINDS
def test_two_sessions_keep_their_own_values(resource):
    v = tf.Variable(0.0, use_resource=resource)
    one, other = tf.Session(), tf.Session()
    one.run(v.initializer)
    one.run(v.assign(5.0))
    with pytest.raises(tf.errors.FailedPreconditionError):
        other.run(v)
    other.run(v.initializer)
    assert (one.run(v), other.run(v)) == (5.0, 0.0)


@KINDS
def test_a_fed_array_that_changes_later_does_not_change_the_variable(resource):
    v = tf.Variable(np.zeros(2, np.float32), use_resource=resource)
    p = tf.placeholder(tf.float32, [2])
    write = v.assign(p, read_value=False)
    session = tf.Session()
    array = np.array([1.0, 2.0], np.float32)
    for value in (1.0, 3.0):  # the interpreter, then the plan
        array[:] = value
        session.run(write, {p: array})
        array[:] = -1.0
        assert session.run(v).tolist() == [value, value]
    fetched = session.run(v)
    fetched[:] = 9.0
    assert session.run(v).tolist() == [3.0, 3.0]


def test_waiting_for_a_resource_variable_does_not_read_it():
    v = tf.Variable(1.0, use_resource=True)
    updated = v.assign_add(1.0)
    with tf.control_dependencies([v, updated]):
        after = tf.no_op()
    assert [op.type for op in after.control_inputs] == ["VarHandleOp", "AssignAddVariableOp"]


@KINDS
def test_what_is_done_to_a_variable_of_another_graph_is_done_in_that_graph(resource):
    graph = tf.Graph()
    with graph.as_default():
        v = tf.Variable(1.0, use_resource=resource)
    here = tf.constant(1.0)
    made = [v.assign(2.0), tf.assign_add(v, 1.0), v + 1.0, 1.0 - v, tf.add(v, 1.0), tf.identity(v), v.read_value()]
    assert all(m.graph is graph for m in made)
    for wrong in (lambda: tf.assign(v, here), lambda: v + here, lambda: tf.stack([v, here])):
        with pytest.raises(ValueError, match="must be from the same graph"):
            wrong()
    assert [op.name for op in tf.get_default_graph().get_operations()] == ["Const"]


def test_an_update_of_a_variable_cannot_be_an_initial_value():
    v = tf.Variable(1.0)
    updated = v.assign_add(1.0) * 2.0
    before = names()
    with pytest.raises(ValueError, match="expected ref type"):
        tf.Variable(updated)
    assert names() == before


def test_a_variable_shows_its_arguments():
    parameters = list(inspect.signature(tf.Variable).parameters)
    assert parameters[:3] == ["initial_value", "trainable", "collections"]
    assert parameters.index("use_resource") == 11
    by_position = tf.Variable(1.0, None, None, True, None, None, None, None, None, None, None, True)
    assert type(by_position).__name__ == "ResourceVariable"
