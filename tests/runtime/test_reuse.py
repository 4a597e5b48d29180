"""A plan writes a result into an input array that no other node needs, and never into one that somebody else holds."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.op.definition import REGISTRY

SIZE = 5000


def plan_of(session, fetches, feeds=None):
    for _ in range(2):
        plan = session.stages(fetches, feeds)[-1]
    return plan


def in_place_types(plan):
    """The op types whose results overwrite an input."""
    return [op.type for line, op in zip(plan.source.splitlines(), plan.line_of) if "out=" in line]


def numbers(*shape):
    return np.random.default_rng(1).normal(size=shape).astype("float32")


def results_of_both(build):
    """The results of three runs by the interpreter, and by the plan."""
    answers = []
    for interpreted in (True, False):
        with tf.Graph().as_default():
            fetches, feeds, variables = build()
            with tf.Session() as session:
                session.interpreted = interpreted
                session.run([v.initializer for v in variables])
                answers.append([session.run([fetches, variables], feeds) for _ in range(3)])
    return answers


def assert_same_results(build):
    interpreted, planned = results_of_both(build)
    for one, other in zip(interpreted, planned):
        for a, b in zip(*(tf.contrib.framework.nest.flatten(x) for x in (one, other))):
            np.testing.assert_array_equal(a, b)


def test_a_chain_needs_one_array():
    x = tf.placeholder(tf.float32, [SIZE])
    y = x
    for _ in range(5):
        y = tf.tanh(y * 2.0 + 1.0)
    with tf.Session() as session:
        fed = numbers(SIZE)
        kept = fed.copy()
        plan = plan_of(session, y, {x: fed})
        assert len(in_place_types(plan)) == 3 * 5 - 1  # the first has no array to overwrite: a fed array belongs to the caller
        first = session.run(y, {x: fed})
        second = session.run(y, {x: fed})
        assert first is not second
        np.testing.assert_array_equal(fed, kept)


def test_small_arrays_and_those_of_unknown_size_are_new():
    x = tf.placeholder(tf.float32)
    with tf.Session() as session:
        y = -(x * 2.0)
        assert not in_place_types(session.stages(y, {x: numbers(SIZE)})[-1])  # shapes that come for the first time
        assert in_place_types(session.stages(y, {x: numbers(SIZE)})[-1]) == ["Neg"]
        assert not in_place_types(plan_of(session, y, {x: numbers(5)}))


def test_broadcasting_needs_a_new_array():
    x, row = tf.placeholder(tf.float32, [SIZE]), tf.placeholder(tf.float32, [3, SIZE])
    y = (x * 2.0) + row
    with tf.Session() as session:
        assert not in_place_types(plan_of(session, y, {x: numbers(SIZE), row: numbers(3, SIZE)}))


def test_other_types_need_a_new_array():
    x = tf.placeholder(tf.float32, [SIZE])
    with tf.Session() as session:
        assert not in_place_types(plan_of(session, tf.is_nan(x * 2.0), {x: numbers(SIZE)}))


@pytest.mark.parametrize(
    "keep",
    [
        lambda t: tf.identity(t),
        lambda t: tf.reshape(t, [-1]),
        lambda t: tf.transpose(tf.reshape(t, [50, 100])),
        lambda t: tf.stack([t, t]),
        lambda t: tf.expand_dims(t, 0),
        lambda t: tf.stop_gradient(tf.identity(t)),
        lambda t: tf.split(t, 5)[0],
        lambda t: t[1:],
        lambda t: tf.assign(tf.get_variable("other", initializer=np.zeros(SIZE, "float32")), t),
    ],
)
def test_an_array_that_another_node_holds_is_not_overwritten(keep):
    def build():
        x = tf.placeholder(tf.float32, [SIZE])
        a = x * 2.0
        held = keep(a)
        with tf.control_dependencies([held]):
            b = a + 1.0
            c = -tf.identity(b)
        with tf.control_dependencies([c]):
            late = tf.identity(held)
        return [late, c], {x: numbers(SIZE)}, tf.global_variables()

    assert_same_results(build)


def test_variables_constants_and_fetches_are_not_overwritten():
    def build():
        v = tf.get_variable("v", initializer=numbers(SIZE))
        w = tf.get_variable("w", initializer=numbers(SIZE), use_resource=True)
        c = tf.constant(numbers(SIZE))
        read = w.read_value()
        a = c * 3.0
        return [-c, -v, -tf.identity(v), -read, a, -a, tf.square(a) + a], {}, [v, w]

    assert_same_results(build)


def test_a_network_trains_the_same():
    def build():
        x, y = tf.placeholder(tf.float32, [None, 40]), tf.placeholder(tf.int64, [None])
        layer = x
        rng = np.random.default_rng(2)
        for i, (n, m) in enumerate([(40, 60), (60, 50), (50, 7)]):
            kernel = tf.get_variable(f"k{i}", initializer=rng.normal(size=(n, m)).astype("float32") / 8)
            bias = tf.get_variable(f"b{i}", initializer=np.zeros(m, "float32"))
            layer = tf.nn.bias_add(tf.matmul(layer, kernel), bias)
            layer = [tf.nn.relu, tf.tanh, lambda t: t][i](layer)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=layer))
        train = tf.train.AdamOptimizer(0.01).minimize(loss)
        feeds = {x: rng.random((90, 40), "float32"), y: rng.integers(0, 7, 90)}
        return [loss, train], feeds, tf.global_variables()

    def without_operation():
        (loss, train), feeds, variables = build()
        with tf.control_dependencies([train]):
            return [loss, tf.constant(1)], feeds, variables

    assert_same_results(without_operation)


def test_kernels_give_the_same_result_in_an_out_array():
    x = numbers(4, 6)
    for d in REGISTRY.whole().values():
        if d.accepts_out and d.ufunc is None:
            inputs = [x, x[::-1].copy()] if d.type != "BiasAdd" else [x, x[0].copy()]
            inputs = inputs[: len(d.inputs)]
            attrs = {a.name: a.default for a in d.explicit}
            alone = d.kernel(np, *inputs, **attrs)
            for at in range(len(inputs)):
                if inputs[at].shape == x.shape:
                    given = [value.copy() for value in inputs]
                    assert d.kernel(np, *given, **attrs, out=given[at]) is given[at]
                    np.testing.assert_array_equal(given[at], alone)
