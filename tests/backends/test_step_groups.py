"""The steps of an optimizer for all variables are one kernel on a GPU, with the numbers and the order of the steps one by one."""

import host_compiler
import numpy as np
import pytest
from stand_in_gpu import on_both

import tfedu as tf
from tfedu.engine.backends import multi_tensor

pytestmark = host_compiler.needs_compiler

OPTIMIZERS = {
    "gradient descent": lambda: tf.train.GradientDescentOptimizer(0.5),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "Nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "Adam": lambda: tf.train.AdamOptimizer(0.01),
    "Adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "Adadelta": lambda: tf.train.AdadeltaOptimizer(0.5),
    "RMSProp": lambda: tf.train.RMSPropOptimizer(0.01, momentum=0.5),
    "centered": lambda: tf.train.RMSPropOptimizer(0.01, centered=True),
}


def model(optimizer, use_resource, dtype=np.float32):
    """A training step of variables of several sizes, one of them a single number, one empty."""
    draw = np.random.RandomState(0)
    x = tf.placeholder(dtype, [None, 6])
    with tf.variable_scope("m", use_resource=use_resource, dtype=dtype):
        h = x
        for i, units in enumerate((40, 30)):
            w = tf.get_variable(f"w{i}", initializer=draw.randn(int(h.shape[1]), units).astype(dtype))
            h = tf.tanh(tf.matmul(h, w) + tf.get_variable(f"b{i}", initializer=np.zeros(units, dtype)))
        scale = tf.get_variable("scale", initializer=np.array(0.5, dtype))
        nothing = tf.get_variable("nothing", initializer=np.zeros((0, 3), dtype))
        loss = tf.reduce_mean(tf.square(h * scale)) + tf.reduce_sum(nothing)
    step = optimizer().minimize(loss)
    return [step, loss, *tf.trainable_variables()], {x: draw.randn(5, 6).astype(dtype)}


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_all_variables_take_their_steps_in_one_launch(fusing_gpu, name, use_resource):
    runs = 5
    on_cpu, on_gpu = on_both(lambda: model(OPTIMIZERS[name], use_resource), runs=runs)
    for one, other in zip(on_cpu, on_gpu):
        for value, expected in zip(other[1:], one[1:]):
            np.testing.assert_allclose(value, expected, rtol=2e-5, atol=1e-6)
    # The first run is interpreted.
    assert fusing_gpu.launches[multi_tensor.NAME] == [(2, 6)] * (runs - 1)
    assert len([text for text in fusing_gpu.sources if multi_tensor.NAME in text]) == 1


def test_blocks_take_several_variables_where_there_are_more_than_a_launch_may_have(fusing_gpu, monkeypatch):
    monkeypatch.setattr(multi_tensor, "_MOST_ROWS", 4)
    on_cpu, on_gpu = on_both(lambda: model(OPTIMIZERS["Adam"], False))
    for value, expected in zip(on_gpu[-1][1:], on_cpu[-1][1:]):
        np.testing.assert_allclose(value, expected, rtol=2e-5, atol=1e-6)
    assert fusing_gpu.launches[multi_tensor.NAME] == [(2, 4)] * 2


def test_steps_of_numbers_of_16_bits_are_taken_one_by_one(fusing_gpu):
    on_cpu, on_gpu = on_both(lambda: model(OPTIMIZERS["momentum"], False, np.float16))
    for value, expected in zip(on_gpu[-1][1:], on_cpu[-1][1:]):
        np.testing.assert_allclose(value, expected, rtol=1e-2, atol=1e-3)
    assert fusing_gpu.launches[multi_tensor.NAME] == []


def test_numbers_of_64_bits_are_those_of_the_steps_one_by_one(fusing_gpu):
    """Bit by bit: the sum of the loss apart, all is computed in the order of the formula."""
    results = []
    for alone in (False, True):
        tf.reset_default_graph()
        v, w = tf.Variable(np.linspace(-1, 1, 7)), tf.Variable(np.linspace(2, 3, 2000))
        optimizer = tf.train.AdamOptimizer(0.1)
        step = optimizer.apply_gradients([(np.linspace(0, 1, 7), v), (np.linspace(-3, 1, 2000), w)])
        with tf.Session() as session:
            session.interpreted = alone
            session.run(tf.global_variables_initializer())
            for _ in range(6):
                session.run(step)
            results.append(session.run([v, w, *optimizer.variables()]))
    for one, other in zip(*results):
        np.testing.assert_array_equal(one, other)
    assert fusing_gpu.launches[multi_tensor.NAME][-1] == (2, 2)


@pytest.mark.parametrize("use_resource", [False, True])
def test_a_node_that_reads_a_variable_between_two_steps_sees_the_order_of_the_schedule(fusing_gpu, use_resource):
    a = tf.get_variable("a", initializer=np.zeros(3, np.float32), use_resource=use_resource)
    b = tf.get_variable("b", initializer=np.zeros(3, np.float32), use_resource=use_resource)
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    first = optimizer.apply_gradients([(-tf.ones([3]), a)])
    with tf.control_dependencies([first]):
        between = tf.identity(a.read_value() * 1.0)
        # The second step of b reads what the first one made of a.
        second = optimizer.apply_gradients([(-(a.read_value() + 1.0), b)])
    with tf.Session() as session:
        session.run([a.initializer, b.initializer])
        for a_now, b_now in ((1, 2), (2, 5), (3, 9), (4, 14)):
            got, _ = session.run([between, second])
            assert got.tolist() == [a_now] * 3
            assert session.run(b).tolist() == [b_now] * 3


def test_an_assignment_to_what_a_step_reads_ends_the_group(fusing_gpu):
    """By the schedule alone: the rate is read by the first step, then assigned, and read by the second."""
    a, b = tf.Variable(np.zeros(3, np.float32)), tf.Variable(np.zeros(3, np.float32))
    rate = tf.Variable(1.0)
    raw = tf.raw_ops
    first = raw.ApplyGradientDescent(var=a._variable, alpha=rate._variable, delta=-tf.ones([3]))
    change = tf.assign_add(rate, 1.0)
    second = raw.ApplyGradientDescent(var=b._variable, alpha=rate._variable, delta=-tf.ones([3]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            before = session.run([a, b, rate])
            session.run([first.op, change.op, second.op])
            now = session.run([a, b])
            assert (now[0] - before[0]).tolist() == [before[2]] * 3
            assert (now[1] - before[1]).tolist() == [before[2] + 1] * 3


def steps_and_between(between):
    """The nodes of a run whose turns have this order by creation alone: a step of a, what `between(a)` makes, a step of b."""
    a, b = (tf.Variable(np.zeros(3, np.float32), name=name) for name in "ab")
    descend = tf.raw_ops.ApplyGradientDescent
    first = descend(var=a._variable, alpha=1.0, delta=-tf.ones([3]))
    made = between(a, first.op)
    second = descend(var=b._variable, alpha=1.0, delta=-tf.ones([3]))
    return a, b, made, [first.op, second.op]


def test_a_node_that_reads_what_a_step_changed_reads_it_after_the_step(fusing_gpu):
    *_, made, steps = steps_and_between(lambda a, first: tf.matmul([a._variable], tf.ones([3, 1])))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [session.run([made, *steps])[0].tolist() for _ in range(3)] == [[[3]], [[6]], [[9]]]


def test_a_function_of_python_runs_after_the_steps_before_it(fusing_gpu):
    """It may look at anything: here at the variable, in a run of its own."""
    seen = []

    def look(x):
        seen.append(session.run(a).tolist()[0])
        return x

    a, _, made, steps = steps_and_between(lambda a, first: tf.py_func(look, [1.0], tf.float32))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run([made.op, *steps])
    assert seen == [1, 2, 3]


def test_a_node_that_waits_for_a_step_does_not_run_if_the_step_fails(fusing_gpu):
    def between(a, first):
        with tf.control_dependencies([first]):
            return tf.assign_add(tf.Variable(0.0, name="count"), 1.0)

    _, b, made, steps = steps_and_between(between)
    count = made.op.inputs[0]
    with tf.Session() as session:
        session.run([b.initializer, tf.get_default_graph().get_operation_by_name("count/Assign")])
        for _ in range(3):
            with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value a"):
                session.run([made, *steps])
            assert session.run(count) == 0


def test_two_steps_of_one_variable_are_taken_one_after_the_other(fusing_gpu):
    v = tf.Variable(np.ones(3, np.float32))
    raw = tf.raw_ops
    steps = [raw.ApplyMomentum(var=v._variable, accum=tf.Variable(np.zeros(3, np.float32))._variable, lr=1.0, grad=tf.ones([3]),
                               momentum=0.5).op for _ in range(2)]  # fmt: skip
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for expected in (-1, -4, -7.5):
            session.run(steps)
            assert session.run(v).tolist() == [expected] * 3
    assert fusing_gpu.launches[multi_tensor.NAME] == [(1, 1)] * 4


def test_a_value_that_was_read_does_not_change(fusing_gpu):
    v, w = tf.Variable(tf.zeros([3])), tf.Variable(tf.zeros([2]))
    kept = tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(v) + tf.reduce_sum(w))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        held = [buffer.value for buffer in session.store.buffers.values()]
        for _ in range(3):
            session.run(kept)
            held += [buffer.value for buffer in session.store.buffers.values()]
        assert [array.host[0] if hasattr(array, "host") else array[0] for array in held[-2:]] == [-3, -3]
        assert [float(np.ravel(getattr(array, "host", array))[0]) for array in held] == [0, 0, -1, -1, -2, -2, -3, -3]


def test_what_a_step_lacks_is_told_of_its_node(fusing_gpu):
    v, w = tf.Variable(tf.zeros([3])), tf.Variable(tf.zeros([2]), name="late")
    step = tf.train.GradientDescentOptimizer(1.0).apply_gradients([(tf.ones([3]), v), (tf.ones([2]), w)])
    with tf.Session() as session:
        session.run(v.initializer)
        for run in range(1, 4):
            with pytest.raises(tf.errors.FailedPreconditionError, match=r"value late[\s\S]*node GradientDescent/update_late"):
                session.run(step)
            assert session.run(v).tolist() == [-run] * 3
        session.run(w.initializer)
        session.run(step)
        assert session.run(w).tolist() == [-1, -1]


def test_fed_gradients_of_a_wrong_shape_are_refused(fusing_gpu):
    v = tf.Variable(np.zeros(3, np.float32), name="v")
    gradient = tf.placeholder(tf.float32)
    step = tf.train.GradientDescentOptimizer(1.0).apply_gradients([(gradient, v)])
    with tf.Session() as session:
        session.run(v.initializer)
        for value in ([1, 1, 1], [2, 2, 2]):
            session.run(step, {gradient: value})
        with pytest.raises(tf.errors.InvalidArgumentError, match="do not have the same shape"):
            session.run(step, {gradient: [1, 2]})
        assert session.run(v).tolist() == [-3, -3, -3]
