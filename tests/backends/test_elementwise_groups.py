"""Groups of elementwise nodes on a GPU: one kernel each, the results of the nodes one by one, and the order of the graph."""

import host_compiler
import numpy as np
import pytest
from stand_in_gpu import on_both

import tfedu as tf

pytestmark = host_compiler.needs_compiler


def twice(session, fetches, feed=None):
    """What the compiled run gives; the first one is interpreted, node by node."""
    session.run(fetches, feed)
    return session.run(fetches, feed)


def test_a_chain_is_one_kernel(fusing_gpu):
    x = tf.placeholder(tf.float32, [None, 4])
    y = x
    for _ in range(10):
        y = y * 1.0001 + 0.5
    with tf.Session() as session:
        values = np.arange(12, dtype=np.float32).reshape(3, 4)
        interpreted, compiled = session.run(y, {x: values}), session.run(y, {x: values})
    np.testing.assert_array_equal(interpreted, compiled)
    (code,) = fusing_gpu.codes
    assert (len(code.inputs), len(code.outputs), len(code.statements)) == (1, 1, 20)


def test_training_gives_the_same_as_node_by_node(fusing_gpu):
    def make():
        draw = np.random.RandomState(0)
        x, y = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int32, [None])
        h = x
        for i, units in enumerate((8, 7)):
            w = tf.Variable(draw.randn(int(h.shape[1]), units).astype(np.float32))
            h = tf.nn.bias_add(tf.matmul(h, w), tf.get_variable(f"b{i}", [units], initializer=tf.zeros_initializer()))
            h = (tf.nn.sigmoid, tf.nn.tanh)[i](h) * tf.nn.relu(h) + tf.maximum(h, 0.1)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=h))
        step = tf.train.AdamOptimizer(0.01).minimize(loss, tf.train.get_or_create_global_step())
        return [loss, step], {x: draw.randn(5, 6), y: [0, 1, 2, 1, 0]}

    on_cpu, on_gpu = on_both(make, runs=5)
    np.testing.assert_allclose([r[0] for r in on_gpu], [r[0] for r in on_cpu], rtol=1e-6)
    assert len(fusing_gpu.codes) >= 4
    assert max(len(code.statements) for code in fusing_gpu.codes) > 6


def test_numbers_of_16_bits_are_rounded_after_each_node(fusing_gpu):
    """As NumPy does; in 32 bits throughout, the results would be others."""
    def make():
        x = tf.placeholder(tf.float16, [None])
        y = (x * 1.1 + 0.3) * x - x / 3.0
        wide = tf.cast(tf.cast(tf.cast(y, tf.float32) * 1.7, tf.float16), tf.float32) - 0.25
        return [y, wide, tf.cast(wide, tf.float64) * 0.1], {x: np.linspace(-70, 70, 300).astype(np.float16)}

    on_cpu, on_gpu = on_both(make)
    for one, other in zip(on_cpu[-1], on_gpu[-1]):
        np.testing.assert_array_equal(other, one)
        assert other.dtype == one.dtype
    assert max(len(code.statements) for code in fusing_gpu.codes) >= 8
    assert all("cuda_fp16.h" in code.preamble for code in fusing_gpu.codes)


def test_a_node_in_between_ends_a_group(fusing_gpu):
    x = tf.placeholder(tf.float32, [3, 3])
    first = tf.exp(tf.sqrt(x))
    product = tf.matmul(first, first)
    last = tf.square(product + first) - first
    with tf.Session() as session:
        result = twice(session, [last, first], {x: np.full((3, 3), 0.25)})
    expected = np.exp(np.full((3, 3), 0.5, np.float32))
    np.testing.assert_allclose(result[0], np.square(expected @ expected + expected) - expected, rtol=1e-5)
    np.testing.assert_allclose(result[1], expected, rtol=1e-6)
    assert [len(code.outputs) for code in fusing_gpu.codes] == [1, 1]


@pytest.mark.parametrize("use_resource", [False, True])
def test_an_update_does_not_overtake_a_group_that_reads_the_variable(fusing_gpu, use_resource):
    """What was read before the update must not change by computing it later."""
    v = tf.get_variable("v", initializer=np.arange(4, dtype=np.float32), use_resource=use_resource)
    before = tf.square(v.read_value() + 1.0) * 2.0
    with tf.control_dependencies([before]):
        update = tf.assign_add(v, tf.ones([4])).op
    with tf.control_dependencies([update]):
        after = tf.square(tf.identity(before) + v.read_value())
    with tf.Session() as session:
        session.run(v.initializer)
        for run in range(4):
            got = session.run([before, after])
            start = np.arange(4) + run
            np.testing.assert_allclose(got[0], (start + 1.0) ** 2 * 2)
            np.testing.assert_allclose(got[1], (got[0] + start + 1) ** 2)
    assert fusing_gpu.codes


def test_the_plan_keeps_the_order_of_the_turns_where_nothing_but_the_schedule_gives_it(fusing_gpu):
    """The reading node has its turn before the update, the node that reads its result after it."""
    v = tf.Variable(np.arange(4, dtype=np.float32))
    read = tf.exp(v * 1.0)
    update = tf.assign_add(v, tf.ones([4]))
    result = read * 2.0 + 1.0
    with tf.Session() as session:
        session.run(v.initializer)
        order = [op.name for op in session.stages([result, update])[2].order]
        assert order.index(read.op.name) < order.index(update.op.name) < order.index(result.op.name)
        for run in range(3):
            got, _ = session.run([result, update])
            np.testing.assert_allclose(got, np.exp(np.arange(4) + run) * 2 + 1, rtol=1e-6)
    assert fusing_gpu.codes


def test_shapes_of_a_run_that_are_no_loop_over_one_shape_are_computed_one_by_one(fusing_gpu):
    x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    roots = tf.sqrt(x)
    total = roots + y
    with tf.Session() as session:
        twice(session, [roots, total], {x: [1.0, 4.0], y: [1.0, 2.0]})
        # Shapes that a session meets for the first time run the plan for all shapes.
        for many, others in (([1.0, 4.0, 9.0], [1.0, 2.0, 0.0]), ([4.0], [1.0, 2.0, 3.0]), ([1.0, 4.0, 9.0], [1.0])):
            got = session.run([roots, total], {x: many, y: others})
            assert got[0].tolist() == np.sqrt(many).tolist()
            assert got[1].tolist() == (np.sqrt(many) + others).tolist()


def test_a_condition_for_each_row_chooses_rows(fusing_gpu):
    """Of as many rows as columns, where a loop over elements would take the condition for the columns'."""
    x = tf.placeholder(tf.float32, [3, 3])
    chosen = tf.where(tf.constant([True, False, True]), tf.exp(x * 0.0), x * 2.0) + 1.0
    with tf.Session() as session:
        got = twice(session, chosen, {x: np.ones((3, 3))})
    assert got.tolist() == [[2, 2, 2], [3, 3, 3], [2, 2, 2]]
    assert fusing_gpu.codes


def test_the_node_that_fails_in_a_group_is_named(fusing_gpu):
    x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    total = tf.exp(tf.add(tf.sqrt(x), y, name="here"))
    with tf.Session() as session:
        twice(session, total, {x: [1, 2], y: [1, 2]})
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\][\s\S]*node here"):
                session.run(total, {x: [1, 2], y: [1, 2, 3]})


def test_branches_and_loops_keep_their_meaning(fusing_gpu):
    def make():
        p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [3])
        branch = tf.cond(p, lambda: tf.square(x * 2.0) + 1.0, lambda: tf.exp(-x) * x)
        looped = tf.while_loop(lambda i, v: i < 4, lambda i, v: (i + 1, tf.tanh(v * 1.5) + x * 0.25), [0, branch])[1]
        return [branch, looped, tf.sqrt(tf.abs(looped)) - branch], {p: True, x: [0.5, -1.0, 2.0]}

    on_cpu, on_gpu = on_both(make)
    for one, other in zip(on_cpu[-1], on_gpu[-1]):
        np.testing.assert_allclose(other, one, rtol=1e-5)
    assert len(fusing_gpu.codes) >= 3


def test_targets_and_values_that_nobody_reads_are_computed(fusing_gpu):
    x = tf.placeholder(tf.float32, [2])
    y = tf.sigmoid(tf.exp(x))
    with tf.Session() as session:
        for _ in range(2):
            assert session.run(y.op, {x: [1.0, 2.0]}) is None
    assert fusing_gpu.codes


def of_parameters(code, axes):
    """The bytes of a kernel's parameters where all that it reads and writes are arrays with gaps between their numbers."""
    return (len(code.inputs) + len(code.outputs)) * 16 * (1 + axes) + 8 + 16 * axes


@pytest.mark.parametrize("axes", [1, 8])
def test_a_kernel_has_no_more_arrays_than_cuda_takes(fusing_gpu, axes):
    shape = (2,) * axes
    parts = [tf.placeholder(tf.float32, shape) for _ in range(50)]
    total = parts[0]
    for part in parts[1:]:
        total = total * 0.5 + part
    with tf.Session() as session:
        got = twice(session, total, {part: np.full(shape, i, np.float32) for i, part in enumerate(parts)})
    expected = np.float32(0)
    for i in range(50):
        expected = expected * np.float32(0.5) + np.float32(i)
    np.testing.assert_array_equal(got, np.broadcast_to(expected, shape))
    sizes = [of_parameters(code, axes) for code in fusing_gpu.codes]
    assert 2 <= len(sizes) <= 4
    assert max(sizes) <= 4096


def test_a_sum_of_more_arrays_than_a_kernel_takes_is_computed_alone(fusing_gpu):
    """As the gradients of a weight that many steps of a network share."""
    parts = [tf.placeholder(tf.float32, [2]) for _ in range(200)]
    few, many = tf.add_n(parts[:60]) * 2.0, tf.add_n(parts) * 2.0
    with tf.Session() as session:
        got = twice(session, [few, many], {part: np.full(2, i, np.float32) for i, part in enumerate(parts)})
    assert [value.tolist() for value in got] == [[2 * 1770.0] * 2, [2 * 19900.0] * 2]
    assert [len(code.inputs) for code in fusing_gpu.codes] == [60]
    assert of_parameters(fusing_gpu.codes[0], 1) <= 4096


def test_integers_that_tensorflow_keeps_on_the_host_are_in_no_group(fusing_gpu):
    x = tf.placeholder(tf.int32, [3])
    with tf.Session() as session:
        assert twice(session, (x + 1) * 2, {x: [1, 2, 3]}).tolist() == [4, 6, 8]
    assert not fusing_gpu.codes


def test_the_rows_of_the_elementwise_ops_give_the_same_in_groups(fusing_gpu):
    """Each op between two others, in one session: gradients, comparisons and selections too."""
    x = tf.placeholder(tf.float32, [5])
    ops = [tf.nn.relu, tf.nn.relu6, tf.nn.elu, tf.nn.selu, tf.nn.softplus, tf.nn.softsign, tf.nn.leaky_relu, tf.sigmoid, tf.tanh,
           tf.erf, tf.sign, tf.floor, tf.abs, tf.rsqrt, tf.log1p, lambda v: tf.where(v > 0.3, v, -v),
           lambda v: tf.clip_by_value(v, -0.5, 0.7), lambda v: tf.add_n([v, v * v, -v]), lambda v: v / (v + 3.0),
           lambda v: tf.cast(v > 0, tf.float32) + v]  # fmt: skip
    results = [op(x * 1.5) + 0.25 for op in ops]
    gradients = tf.gradients(results, x)
    values = np.array([-2.0, -0.4, 0.1, 0.9, 3.0], np.float32)
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as session:
        expected = twice(session, [*results, *gradients], {x: values})
    with tf.Session() as session:
        got = twice(session, [*results, *gradients], {x: values})
    for one, other in zip(expected, got):
        np.testing.assert_allclose(other, one, rtol=2e-5)
    assert len(fusing_gpu.codes) > 3
