"""tf.contrib.opt beyond what 1.15 can do: its answers are not recorded."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.legacy.modules_of_contrib import contrib_opt as opt


def test_gradients_are_clipped_by_the_norm_of_all():
    v, w, u = (tf.Variable([3.0, 4.0], name=name) for name in "vwu")
    pairs = [(tf.constant([3.0, 4.0]), v), (tf.constant([0.0, 0.0]), w), (None, u)]
    clipped = opt.clip_gradients_by_global_norm(pairs, 2.5)
    assert clipped[2] == (None, u)
    with tf.Session() as session:
        np.testing.assert_allclose(session.run([g for g, _ in clipped[:2]]), [[1.5, 2.0], [0.0, 0.0]])


def test_minimize_keeps_to_the_variables_that_decay():
    v, w = tf.Variable(2.0), tf.Variable(2.0)
    step = opt.MomentumWOptimizer(lambda: 0.5, 0.1, 0.9).minimize(v + w, decay_var_list=[v])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        np.testing.assert_allclose(session.run([v, w]), [0.9, 1.9], rtol=1e-6)


@pytest.mark.parametrize("make", [opt.PowerSignOptimizer, opt.AddSignOptimizer])
def test_rows_of_resource_variables_change_as_those_of_others(make):
    results = []
    for resource in (False, True):
        v = tf.Variable([[1.0], [2.0], [3.0]], use_resource=resource)
        step = make(0.1).minimize(tf.reduce_sum(tf.gather(v, [1, 1]) * [[0.5], [2.0]]))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run([step])
            session.run([step])
            results.append(session.run(v))
    np.testing.assert_allclose(*results)
    assert results[0][0] == 1.0
    assert results[0][1] < 2.0


def test_scipy_minimizes_over_resource_variables():
    pytest.importorskip("scipy")
    v = tf.Variable([7.0, 7.0], use_resource=True)
    interface = opt.ScipyOptimizerInterface(tf.reduce_sum(tf.square(v - [1.0, -2.0])) + tf.reduce_sum(v * v))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        interface.minimize()
        np.testing.assert_allclose(session.run(v), [0.5, -1.0], atol=1e-4)


def test_what_is_wrong_is_told():
    with pytest.raises(TypeError, match="class derived from Optimizer, not 5"):
        opt.extend_with_decoupled_weight_decay(5)
    v = tf.Variable([[1.0], [2.0]], name="table")
    clipping = opt.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(0.1), {v: [0]}, 1.0)
    with pytest.raises(ValueError, match="table:0 has a gradient of rows"):
        clipping.minimize(tf.reduce_sum(tf.gather(v, [0])))
    with pytest.raises(ValueError, match="No variables to optimize"):
        opt.ScipyOptimizerInterface(tf.constant(1.0), var_list=[])
    with pytest.raises(ValueError, match="minimize needs a session"):
        opt.ScipyOptimizerInterface(tf.reduce_sum(v)).minimize()
    with pytest.raises(ValueError, match="unknown shape"):
        opt.ScipyOptimizerInterface(tf.constant(1.0), var_list=[tf.Variable(tf.placeholder(tf.float32), validate_shape=False)])
