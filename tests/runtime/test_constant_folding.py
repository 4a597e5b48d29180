"""A plan folds known values and omits needless nodes; results and errors stay those of the interpreter."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.op.definition import REGISTRY
from tfedu.engine.replay.recorder import run_traced


def plan_of(session, fetches, feeds=None):
    """The plan of the second run with these feeds."""
    for _ in range(2):
        plan = session.stages(fetches, feeds)[-1]
    return plan


def omitted_types(plan):
    return {op.type for op in plan.folded.needless}


def types_with_lines(plan):
    return {op.type for op in plan.line_of if op is not None}


def network(x):
    w = tf.get_variable("w", [3, 2])
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    return w, loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def test_a_plan_omits_the_gradient_of_the_network_s_input_but_a_trace_runs_it():
    x = tf.placeholder(tf.float32, [None, 3])
    _, _, train = network(x)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        feeds = {x: np.ones([4, 3], "float32")}
        plan = plan_of(session, train, feeds)
        assert [op.name for op in plan.folded.needless if op.type == "MatMul"] == ["gradients/MatMul_grad/MatMul"]
        call = session.prepare(train, feeds)
        scheduled = call.signature.schedule()
        run, _ = run_traced(scheduled, session.store, dict(zip(call.signature.feeds, call.values)), ())
        assert plan.folded.needless <= {step.op for step in run.steps if step.outcome == "ran"}


def test_values_that_depend_on_shapes_alone_have_no_line():
    x = tf.placeholder(tf.float32, [None, 3])
    _, loss, train = network(x)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        plan = plan_of(session, [train, loss], {x: np.ones([4, 3], "float32")})
        assert not types_with_lines(plan) & {"Shape", "Prod", "FloorDiv", "Tile", "Cast"}


def test_new_shapes_use_the_general_plan_first_and_later_a_plan_of_their_own():
    x = tf.placeholder(tf.float32, [None, 3])
    w, loss, train = network(x)
    with tf.Session() as session, tf.Session() as interpreted:
        start = np.arange(6, dtype="float32").reshape(3, 2) / 10
        for s in (session, interpreted):
            s.run(w.assign(start))
        interpreted.interpreted = True
        for turn in range(40):
            feeds = {x: np.full([1 + turn % 13, 3], 0.1 * turn, "float32")}
            planned_loss, expected = (s.run([loss, train], feeds)[0] for s in (session, interpreted))
            assert planned_loss == expected
        np.testing.assert_array_equal(session.run(w), interpreted.run(w))
        (signature,) = [s for s in session._signatures.values() if s.feeds]
        assert len(signature._plans) == 8
        assert signature._plan is not None


def test_a_node_that_could_fail_is_kept_and_fails():
    a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    unread = tf.matmul(a, b)
    with tf.control_dependencies([unread]):
        y = tf.constant(1.0) * 2.0
    with tf.Session() as session:
        good, bad = np.ones([2, 2], "float32"), np.ones([3, 2], "float32")
        for _ in range(3):
            assert session.run(y, {a: good, b: good}) == 2
        assert unread.op in plan_of(session, y, {a: good, b: good}).folded.needless
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Matrix size-incompatible"):
                session.run(y, {a: good, b: bad})


def test_a_node_whose_values_could_make_it_fail_is_kept():
    x = tf.placeholder(tf.float32, [2, 2])
    indices = tf.placeholder(tf.int32, [1])
    unread = [tf.cholesky(x), tf.gather(x, indices), tf.check_numerics(x, "bad"), tf.constant(7) // indices]
    for tensor in unread:
        with tf.control_dependencies([tensor]):
            y = tf.identity(x)
        with tf.Session() as session:
            plan = plan_of(session, y, {x: np.eye(2), indices: [0]})
            assert tensor.op not in plan.folded.needless


def test_sums_over_no_axes_and_reshapes_to_the_same_shape_are_passed_on():
    x, axes = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32, [None])
    same = tf.reshape(tf.reduce_sum(x * 2.0, []), tf.shape(x))
    other, open_sum = tf.reshape(x, [-1]), tf.reduce_sum(x, axes)
    with tf.Session() as session:
        fed = np.arange(6, dtype="float32").reshape(2, 3)
        fetches, feeds = [same, other, open_sum, tf.reshape(x, [2, 3])], {x: fed, axes: []}
        assert [op.type for op in plan_of(session, fetches, feeds).line_of if op is not None] == ["Mul", "Reshape", "Sum"]
        for _ in range(3):
            results = session.run(fetches, feeds)
            for value in results:
                value += 1  # each array belongs to the caller
            np.testing.assert_array_equal(results[0], 2 * fed + 1)
            np.testing.assert_array_equal(results[1], fed.ravel() + 1)
            np.testing.assert_array_equal(results[3], fed + 1)
        assert fed[0, 0] == 0


def test_a_variable_whose_shape_may_change_has_no_known_shape():
    v = tf.Variable([1.0, 2.0])
    size = tf.raw_ops.Shape(input=v)
    with tf.Session() as session:
        session.run(v.initializer)
        assert not types_with_lines(plan_of(session, size)) & {"Shape"}
        wider = tf.assign(v, [1.0, 2.0, 3.0], validate_shape=False)
        for _ in range(3):
            session.run(wider)
            assert session.run(size).tolist() == [3]
        assert "Shape" in types_with_lines(plan_of(session, size))


def test_a_shape_from_set_shape_is_not_folded():
    """No run checks the shape that a program sets."""
    x = tf.placeholder(tf.float32, [None])
    y = tf.boolean_mask(x, x > 1)
    y.set_shape([5])
    size = tf.raw_ops.Shape(input=y * 2.0)
    with tf.Session() as session:
        for _ in range(3):
            assert session.run(size, {x: [0.0, 2.0, 3.0]}).tolist() == [2]


def test_an_omitted_node_in_a_branch_that_is_not_taken_counts_as_dead():
    """
        Switch(a, p) ── MatMul (unread) ·····> y
    """
    p, a = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [2, 2])
    no, yes = tf.raw_ops.Switch(data=a, pred=p)
    unread = tf.matmul(yes, yes)
    with tf.control_dependencies([unread]):
        y = tf.constant(3.0)
    merged = tf.raw_ops.Merge(inputs=[y, no[0, 0]])[0]
    with tf.Session() as session:
        feeds = {a: np.eye(2, dtype="float32")}
        for _ in range(3):
            assert session.run(merged, {**feeds, p: True}) == 3
            assert session.run(merged, {**feeds, p: False}) == 1
        assert unread.op in plan_of(session, merged, {**feeds, p: True}).folded.needless


def _window_arguments(type, odd):
    """Inputs and attributes of an op that slides windows over images or volumes: images and filters of odd floats."""
    axes = 3 if "3D" in type else 2
    images, filters = odd.reshape([1] * (axes - 1) + [2, 2, 1]), np.full([*[1] * axes, 1, 1], np.inf, "float32")
    attrs = {"strides": [1] * (axes + 2), "padding": "VALID"}
    if type.startswith("Dilation"):
        return [images, filters[..., 0]], {**attrs, "rates": [1] * 4}
    if "BackpropInput" in type:
        return [np.array(images.shape, "int32"), filters, images], attrs
    if "BackpropFilter" in type:
        return [images, np.array(filters.shape, "int32"), images], attrs
    return [images, filters], attrs


def test_kernels_that_are_declared_safe_fail_for_no_values():
    """For any floats: infinities, NaN, zeros."""
    odd = np.array([[np.nan, np.inf], [-np.inf, 0.0]], "float32")
    others = {
        "Reshape": [np.array([4], "int32")], "ExpandDims": [np.int32(0)], "Tile": [np.array([2, 2], "int32")], "Squeeze": [],
        "MatMul": [odd], "BatchMatMul": [odd], "BatchMatMulV2": [odd],
    }  # fmt: skip
    for d in REGISTRY.whole().values():
        if d.value_safe:
            assert d.pure
            first = odd if d.inputs[0].dtype is not tf.bool else odd > 0
            inputs, attrs = [first, *others.get(d.type, [np.array([0], "int32")])], {}
            if any(kind in d.type for kind in ("Conv2", "Conv3", "Dilation")):
                inputs, attrs = _window_arguments(d.type, odd)
            with np.errstate(all="ignore"):
                d.kernel(np, *inputs, **attrs)


def test_shapes_of_a_queue_are_known_as_the_queue_takes_no_others_in():
    queues = [
        tf.FIFOQueue(9, [tf.float32], shapes=[[4, 3]]), tf.PriorityQueue(9, [tf.float32], shapes=[[4, 3]]),
        tf.raw_ops.FIFOQueue(component_types=[tf.float32], shapes=[[4, 3]]),
    ]  # fmt: skip
    one = [queues[0].dequeue(), queues[1].dequeue()[1]]
    one += [tf.raw_ops.QueueDequeue(handle=queues[2], component_types=[tf.float32])[0]]
    many = [queues[0].dequeue_many(2), queues[1].dequeue_many(2)[1], queues[0].dequeue_many(tf.placeholder(tf.int32, []))]
    open_shapes = [tf.FIFOQueue(9, [tf.float32]).dequeue(), tf.PaddingFIFOQueue(9, [tf.float32], shapes=[[None, 3]]).dequeue()]
    open_shapes.append(queues[0].dequeue_up_to(2))
    open_shapes[0].set_shape([4, 3])  # nobody checks it
    with tf.Session() as session:
        for tensors, shapes in ((one, [(4, 3)] * 3), (many, [(2, 4, 3)] * 2 + [None]), (open_shapes, [None] * 3)):
            fed = {} if tensors is not many else {many[2].op.inputs[1]: 3}
            sizes = session.stages(tensors, fed)[-1].folded.sizes
            assert [sizes.get(tensor) for tensor in tensors] == shapes
