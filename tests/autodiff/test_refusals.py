"""Functions without a gradient raise TF's errors while the graph is built."""

import numpy as np
import pytest


def check_refusal(kind, text, make, *shape):
    import tfedu as tf

    x = tf.placeholder(tf.float64, list(shape))
    with pytest.raises(kind, match=text):
        tf.gradients(make(tf, x), x)


def test_factors_need_known_shapes():
    check_refusal(NotImplementedError, "QrGrad not implemented with dynamic shapes", lambda tf, x: tf.qr(x)[0], None, 2)
    check_refusal(NotImplementedError, "unknown inner matrix shape", lambda tf, x: tf.svd(x)[1], None, 2)
    check_refusal(NotImplementedError, "when ncols > nrows", lambda tf, x: tf.qr(x)[0], 2, 4)
    check_refusal(NotImplementedError, r"abs\(m - n\) > 1", lambda tf, x: tf.svd(x, full_matrices=True)[1], 2, 4)


def test_singular_values_alone_need_no_known_shape():
    import tfedu as tf

    x = tf.placeholder(tf.float64, [None, 2])
    assert tf.gradients(tf.svd(x, compute_uv=False), x)[0] is not None


def test_complex_factors_are_refused():
    import tfedu as tf

    x = tf.placeholder(tf.complex128, [2, 2])
    for y, text in ((tf.qr(x)[0], "QrGrad not implemented for dtype"), (tf.svd(x)[1], "complex types")):
        with pytest.raises(NotImplementedError, match=text):
            tf.gradients(y, x, grad_ys=tf.ones_like(y))


def test_slow_least_squares_have_no_gradient():
    check_refusal(ValueError, "Gradient not defined for fast=False", lambda tf, x: tf.matrix_solve_ls(x, x, fast=False), 3, 2)


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_extremes_of_sparse_tensors_are_refused(name):
    def make(tf, x):
        entries = tf.SparseTensor(np.int64([[0, 0], [1, 1]]), x, np.int64([2, 2]))
        return getattr(tf.sparse, name)(entries, entries).values

    check_refusal(NotImplementedError, f"SparseSparse{name.capitalize()} is currently not implemented", make, 2)


def test_the_second_order_of_a_fused_loss_is_refused_with_its_reason():
    import tfedu as tf

    x = tf.placeholder(tf.float32, [2, 3])
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 2], logits=x)
    (first,) = tf.gradients(loss, x)
    with pytest.raises(LookupError, match=r"explicitly disabled.*second derivative of sparse_softmax_cross_entropy"):
        tf.gradients(first, x)


def test_a_rule_with_the_wrong_number_of_gradients_is_an_error():
    import tfedu as tf

    @tf.RegisterGradient("TestsTwoForOne")
    def two(op, g):
        return g, g

    x = tf.constant(1.0)
    with tf.get_default_graph().gradient_override_map({"Identity": "TestsTwoForOne"}):
        y = tf.identity(x, name="y")
    with pytest.raises(ValueError, match="Num gradients 2 generated for op y do not match num inputs 1"):
        tf.gradients(y, x)


def test_a_gradient_of_another_shape_is_an_error():
    import tfedu as tf

    @tf.RegisterGradient("TestsAnotherShape")
    def longer(op, g):
        return tf.zeros([3])

    x = tf.constant([1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"Identity": "TestsAnotherShape"}):
        y = tf.identity(x, name="y")
    with pytest.raises(ValueError, match=r"Forward operation: y\. Input index: 0\. Original input shape: \(2,\)"):
        tf.gradients(y, x)
