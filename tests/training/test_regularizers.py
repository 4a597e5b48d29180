"""The regularizers of tf.contrib.layers: 2.15 no longer has them, so names and texts of 1.15 stand here."""

import pytest

import tfedu as tf

layers = tf.contrib.layers


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def names():
    return [op.name for op in tf.get_default_graph().get_operations()]


def value(tensor):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tensor)


def test_each_is_a_scalar_that_bears_its_name():
    weights = tf.constant([1.0, -2.0, 3.0], name="w")
    assert value(layers.l1_regularizer(0.5)(weights)) == 3.0
    assert value(layers.l2_regularizer(0.5)(weights)) == 3.5
    assert layers.l1_regularizer(0.5)(weights).name == "l1_regularizer_1:0"
    assert layers.l2_regularizer(0.5, "mine")(weights).name == "mine:0"
    assert names()[:5] == ["w", "l1_regularizer/scale", "l1_regularizer/Abs", "l1_regularizer/Const", "l1_regularizer/Sum"]


def test_both_are_summed_and_a_zero_leaves_the_other():
    weights = tf.constant([1.0, -2.0, 3.0])
    both = layers.l1_l2_regularizer(0.5, 2.0)(weights)
    assert (both.name, value(both)) == ("l1_l2_regularizer:0", 17.0)
    assert value(layers.l1_l2_regularizer(0.0, 2.0)(weights)) == 14.0
    assert value(layers.l1_l2_regularizer(0.5, 0.0)(weights)) == 3.0
    assert layers.l1_regularizer(0.0)(weights) is None
    assert layers.sum_regularizer([None]) is None
    assert layers.sum_regularizer([layers.l1_regularizer(0.0)])(weights) is None


def test_a_variable_is_regularized_as_it_is_made_and_counts_in_the_total_loss():
    tf.get_variable("w", initializer=[3.0, 4.0], regularizer=layers.l2_regularizer(0.1))
    losses = tf.losses.get_regularization_losses()
    assert [loss.name for loss in losses] == ["w/Regularizer/l2_regularizer:0"]
    tf.losses.add_loss(tf.constant(1.0))
    assert value(tf.losses.get_total_loss()) == pytest.approx(2.25)


def test_apply_regularization_sums_over_weights_and_collects():
    weights = [tf.constant([1.0]), tf.constant([2.0, 2.0])]
    total = layers.apply_regularization(layers.l1_regularizer(2.0), weights)
    assert value(total) == 10.0
    assert total.name == "get_regularization_penalty:0"
    assert tf.losses.get_regularization_losses() == [total]
    tf.add_to_collection(tf.GraphKeys.WEIGHTS, weights[0])
    assert value(layers.apply_regularization(lambda w: None)) == 0.0


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: layers.l1_regularizer(1), "scale cannot be an integer: 1"),
        (lambda: layers.l2_regularizer(-0.5), "Setting a scale less than 0 on a regularizer: -0.5."),
        (lambda: layers.l1_regularizer(-0.5), "Setting a scale less than 0 on a regularizer: -0.5"),
        (lambda: layers.l1_l2_regularizer(1, 1.0), "scale_l1 cannot be an integer: 1"),
        (lambda: layers.l1_l2_regularizer(1.0, 2), "scale_l2 cannot be an integer: 2"),
        (lambda: layers.apply_regularization(layers.l1_regularizer(0.1)), "No weights to regularize."),
        (
            lambda: layers.apply_regularization(lambda w: w, [tf.zeros([2, 2])]),
            "regularizer must return a scalar Tensor instead of a Tensor with rank 2.",
        ),
    ],
)
def test_what_is_refused(call, text):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value).split("\n")[0] == text
