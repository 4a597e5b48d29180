"""Loops: the nodes alone give the frames, iterations follow one another, dead values stay dead, and a plan is a `while`."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base.errors import InaccessibleTensorError
from tfedu.engine.runtime.frames import frames_of
from tfedu.engine.runtime.plans.plan_loops import NotCompiled
from tfedu.engine.runtime.prune import prune


@pytest.fixture(params=["interpreter", "plan"])
def session(request):
    """A session that runs everything by the interpreter, or everything by plans."""
    session = tf.Session()
    session.interpreted = request.param == "interpreter"
    return session


def counting(limit=5, start=0):
    return tf.while_loop(lambda i: i < limit, lambda i: i + 1, [tf.constant(start)])


def node(type, inputs, types, name, **attrs):
    """A node by its type alone, as an imported graph has it."""
    return tf.get_default_graph().create_op(type, inputs, types, name=name, attrs=attrs, compute_shapes=False)


def enter(tensor, name, frame="loop", is_constant=False, parallel=10):
    kind = tensor.dtype
    attrs = {"T": kind, "frame_name": frame, "is_constant": is_constant, "parallel_iterations": parallel}
    return node("Enter", [tensor], [kind], name, **attrs).outputs[0]


def raw_loop(start, limit=5, step=None, parallel=10):
    """i from `start` on while it is less than `limit`; step() gives the tensor that the body adds, inside the frame."""
    entered = enter(start, "enter", parallel=parallel)
    merge = node("Merge", [entered, entered], [tf.int32, tf.int32], "merge", T=tf.int32, N=2)
    less = tf.less(merge.outputs[0], enter(tf.constant(limit), "limit", is_constant=True))
    goes_on = node("LoopCond", [less], [tf.bool], "goes_on")
    switch = node("Switch", [merge.outputs[0], goes_on.outputs[0]], [tf.int32] * 2, "switch", T=tf.int32)
    by = enter(tf.constant(1), "one", is_constant=True) if step is None else step()
    added = tf.add(switch.outputs[1], by)
    following = node("NextIteration", [added], [tf.int32], "next", T=tf.int32)
    tf.get_default_graph().update_input(merge, 1, following.outputs[0])
    return node("Exit", [switch.outputs[0]], [tf.int32], "exit", T=tf.int32).outputs[0]


# -- frames ----------------------------------------------------------------------------------------------------------


def test_the_nodes_alone_give_the_frames():
    last = raw_loop(tf.constant(0))
    frames = frames_of(prune(tf.get_default_graph(), [last.op]))
    (frame,) = frames.root.inner.values()
    assert frame.name == "loop"
    assert {op.name for op in frame.enters} == {"enter", "limit", "one"}
    assert {op.name for op in frame.nodes} == {"merge", "Less", "goes_on", "switch", "Add", "next", "exit"}
    assert frames.target_of(last.op) is frames.root


def test_a_loop_without_contexts_runs(session):
    assert session.run(raw_loop(tf.constant(0))) == 5


def test_a_node_between_two_frames_is_refused_in_tensorflows_words(session):
    n = tf.placeholder(tf.int32, [])
    last = raw_loop(tf.constant(0), step=lambda: n)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(last, {n: 1})
    assert caught.value.message == (
        "{{node merge}} has inputs from different frames. The input {{node next}} is in frame ''. "
        "The input {{node enter}} is in frame 'loop'."
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="different frames"):
        session.run(last, {n: 1, "enter:0": 3})


def test_an_exit_needs_an_enter(session):
    left = node("Exit", [tf.constant(1)], [tf.int32], "exit", T=tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"^Invalid Exit op: Cannot find a corresponding Enter op."):
        session.run(left.outputs[0])


def test_two_loops_of_one_frame_name_are_refused(session):
    one = raw_loop(tf.constant(0))
    with tf.name_scope("again"):
        other = raw_loop(tf.constant(0))
    with pytest.raises(tf.errors.InvalidArgumentError, match='Loop "loop" has more than one LoopCond node'):
        session.run([one, other])


def test_a_frame_may_be_empty(session):
    one, other = (enter(tf.constant(number), f"enter_{number}", frame=f"loop_{number}") for number in (1, 2))
    assert session.run([one.op, other.op]) == [None, None]
    assert session.run([other, one]) == [2, 1]


def test_a_node_that_a_loop_does_not_need_is_pruned():
    last, _ = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), [0, 1.0])
    names = {op.name for op in prune(tf.get_default_graph(), [last.op]).operations}
    assert "while/NextIteration" in names
    assert not {"while/mul", "while/Merge_1", "while/NextIteration_1"} & names


# -- iterations ------------------------------------------------------------------------------------------------------


def test_a_loop_may_have_no_iteration(session):
    assert session.run(counting(limit=0)) == 0


def test_a_constant_enter_gives_its_value_in_every_iteration(session):
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])
    _, total = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + x), [0, tf.zeros([2])])
    for rounds in (0, 1, 4):
        np.testing.assert_array_equal(session.run(total, {n: rounds, x: [1, 2]}), [rounds, 2 * rounds])


def test_a_loop_on_the_branch_not_taken_is_dead(session):
    yes = tf.placeholder(tf.bool, [])
    x = tf.Variable(0.0)
    session.run(x.initializer)

    def body(i):
        with tf.control_dependencies([tf.assign_add(x, 1.0)]):
            return i + 1

    chosen = tf.cond(yes, lambda: tf.while_loop(lambda i: i < 3, body, [tf.constant(0)]), lambda: tf.constant(-1))
    assert session.run(chosen, {yes: False}) == -1
    assert session.run(x) == 0
    assert session.run(chosen, {yes: True}) == 3
    assert session.run(x) == 3


def test_a_dead_value_that_enters_kills_the_loop_and_its_exits(session):
    yes = tf.placeholder(tf.bool, [])
    dead, live = tf.raw_ops.Switch(data=tf.constant(0), pred=yes)
    last = tf.while_loop(lambda i: i < 5, lambda i: i + 1, [live])
    joined = tf.raw_ops.Merge(inputs=[last, tf.identity(dead) - 1])
    assert session.run(joined, {yes: True}) == (5, 0)
    assert session.run(joined, {yes: False}) == (-1, 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"^Retval\[0\] does not have value") as caught:
        session.run(last, {yes: False})
    assert "fix: the run did not come to this value" in str(caught.value)


def test_a_value_that_dies_in_the_loop_never_leaves(session):
    def body(i, j):
        return i + 1, tf.raw_ops.Switch(data=j + 1, pred=i < 2)[1]

    i, j = tf.while_loop(lambda i, j: i < 5, body, [0, 0])
    assert session.run(i) == 5
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"^Retval\[1\] does not have value"):
        session.run([i, j])


def test_a_value_that_enters_without_a_merge_is_there_in_iteration_0_only(session):
    # 3 + 3 is 6, which ends the loop: the number for a second addition never arrives.
    last = raw_loop(tf.constant(3), step=lambda: enter(tf.constant(3), "once"))
    assert session.run(last) == 6
    refused = session.stages(last)[3]
    assert isinstance(refused, NotCompiled)
    assert "in one iteration only" in str(refused)


# -- fetches in loops ------------------------------------------------------------------------------------------------


def test_a_tensor_inside_a_loop_cannot_be_fetched(session):
    inside = []
    tf.while_loop(lambda i: i < 3, lambda i: inside.append(i + 1) or inside[0], [tf.constant(0)])
    with pytest.raises(InaccessibleTensorError, match=r"^Operation 'while/add' has been marked as not fetchable. Typically"):
        session.run(inside[0])


def loaded_loop(limit):
    """An imported graph with a loop, without the contexts that forbid to fetch its inner tensors."""
    with tf.Graph().as_default() as graph:
        counting(limit)
        message = graph.as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, name="")
    return graph


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_an_inner_tensor_of_an_imported_loop_can_be_fetched_if_it_has_one_value(rounds):
    session = tf.Session(graph=loaded_loop(rounds))
    error = {
        0: (tf.errors.InvalidArgumentError, r"^Retval\[0\] does not have value"),
        2: (tf.errors.InternalError, r"^Retval\[0\] has already been set.\n\t \[\[{{node _retval_while/add_0_0}}\]\]"),
    }
    for _ in range(2):
        if rounds == 1:
            assert session.run("while/add:0") == 1
        else:
            with pytest.raises(error[rounds][0], match=error[rounds][1]) as caught:
                session.run("while/add:0")
            assert "fix: " in str(caught.value)
        assert session.run("while/Switch:0") == rounds
        assert session.run("while/Exit:0") == rounds


# -- plans -----------------------------------------------------------------------------------------------------------


def test_a_loop_runs_by_its_plan_from_the_first_run_on():
    session, last = tf.Session(), counting()
    session.run(last)
    assert session.prepare(last).signature.is_compiled
    assert "\n while True:\n" in str(session.stages(last)[3])


def test_a_chain_of_loops_uses_few_locals_and_keeps_its_values(session):
    x = tf.placeholder(tf.float32, [])
    values = [x]
    for _ in range(4):
        values.append(tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + values[-1] + x), [0, values[-1]])[1])
    assert session.run(values[1:], {x: 1.0}) == [7, 31, 127, 511]


def test_a_read_of_a_variable_that_enters_is_the_variable_and_a_resource_read_is_a_copy(session):
    found = []
    for kind in (False, True):
        x = tf.Variable(1.0, use_resource=kind)
        session.run(x.initializer)

        def body(i, s, x=x):
            with tf.control_dependencies([tf.convert_to_tensor(tf.assign_add(x, 1.0))]):
                return i + 1, tf.identity(s)

        found.append(session.run(tf.while_loop(lambda i, s: i < 3, body, [0, x.read_value()])[1]))
    assert found == [4, 1]


def test_an_error_in_a_loop_names_its_node_and_earlier_effects_remain(session):
    x = tf.Variable(0)
    session.run(x.initializer)
    table = tf.constant([1, 2, 3])

    def body(i):
        with tf.control_dependencies([tf.assign_add(x, tf.gather(table, i, name="look"))]):
            return i + 1

    last = tf.while_loop(lambda i: i < 9, body, [0])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices = 3 is not in \[0, 3\)") as caught:
        session.run(last)
    assert caught.value.op.name == "while/look"
    assert session.run(x) == 6


def test_python_has_room_for_twenty_loops_and_a_graph_for_more():
    def deep(count, s):
        if not count:
            return s + 1
        return tf.while_loop(lambda i, s: i < 1, lambda i, s: (i + 1, deep(count - 1, s)), [0, s])[1]

    session, last = tf.Session(), deep(22, tf.constant(0))
    assert session.run(last) == 1
    assert "too deep" in str(session.stages(last)[3])


def test_a_loop_invariant_node_is_computed_once():
    session = tf.Session()
    k = tf.constant([1.0, 2.0])
    _, total = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + tf.reduce_sum(k * k)), [0, 0.0])
    assert session.run(total) == 15
    assert len(str(session.stages(total)[3]).splitlines()) <= 11


def test_a_partial_run_goes_through_loops():
    x, y = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
    last = tf.while_loop(lambda i: i < 5, lambda i: i + x, [tf.constant(0)])
    total = last + y
    session = tf.Session()
    handle = session.partial_run_setup([last, total], [x, y])
    assert session.partial_run(handle, last, {x: 2}) == 6
    assert session.partial_run(handle, total, {y: 10}) == 16
