"""The errors of `tf.test.compute_gradient` (tests/semantics/programs_seeds.py has its results)."""

import numpy as np
import pytest


def test_it_needs_a_session():
    import tfedu as tf

    x = tf.constant([1.0])
    y = x * x
    before = len(tf.get_default_graph().get_operations())
    with pytest.raises(ValueError, match="No default session is registered"):
        tf.test.compute_gradient(x, [1], y, [1])
    assert len(tf.get_default_graph().get_operations()) == before


def test_an_output_that_does_not_depend_on_x_is_an_error():
    import tfedu as tf

    x, other = tf.constant([1.0], name="x"), tf.constant([2.0], name="other")
    with tf.Session(), pytest.raises(ValueError, match="Neg:0 does not depend on x:0"):
        tf.test.compute_gradient(x, [1], -other, [1])


def test_integers_and_wrong_shapes_are_errors():
    import tfedu as tf

    x = tf.constant([1.0, 2.0])
    with tf.Session():
        with pytest.raises(AssertionError, match="Don't support type int32 for x"):
            tf.test.compute_gradient(tf.constant([1]), [1], x, [2])
        with pytest.raises(AssertionError, match=r"x_shape = \[2\], init_data shape = \[3\]"):
            tf.test.compute_gradient(x, [2], x * x, [2], x_init_value=np.zeros(3, np.float32))
        with pytest.raises(AssertionError, match="init_targets must be a list"):
            tf.test.compute_gradient(x, [2], x * x, [2], init_targets=tf.no_op())


def test_initializers_run_first():
    import tfedu as tf

    v = tf.Variable([2.0, 3.0])
    x = tf.placeholder(tf.float32, [2])
    with tf.Session():
        error = tf.test.compute_gradient_error(x, [2], x * v, [2], init_targets=[v.initializer])
    assert error < 1e-3


def test_a_jacobian_of_narrow_floats():
    import tfedu as tf

    x = tf.placeholder(tf.float16, [2])
    with tf.Session():
        of_graph, of_steps = tf.test.compute_gradient(x, [2], x * x, [2], np.float16([1, 2]), delta=0.125)
    np.testing.assert_allclose(of_graph, [[2, 0], [0, 4]])
    np.testing.assert_allclose(of_steps, [[2, 0], [0, 4]], atol=0.05)
