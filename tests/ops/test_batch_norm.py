"""Batch normalisation where TF 1.15's kernels for the processor refuse or answer what memory holds."""

import numpy as np
import pytest

import tfedu as tf

X = np.sin(np.arange(2 * 3 * 4 * 3, dtype=np.float32) * 1.3).reshape(2, 3, 4, 3)
SCALE, OFFSET = np.float32([1.5, 0.5, -2.0]), np.float32([0.25, -1.0, 3.0])
MEAN, VARIANCE = np.float32([0.5, 0.25, -0.5]), np.float32([1.0, 0.5, 2.0])


def run(make):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(make())


@pytest.mark.parametrize("given", [(), (MEAN, VARIANCE)], ids=["training", "inference"])
def test_channels_first_gives_what_channels_last_gives(given):
    def all_of(order):
        turned = X if order == "NHWC" else X.transpose(0, 3, 1, 2)
        tensors = [tf.constant(t) for t in (turned, SCALE, OFFSET)]
        y, mean, variance = tf.nn.fused_batch_norm(*tensors, *given, data_format=order, is_training=not given)
        slopes = tf.gradients(y**3, tensors)
        second = tf.gradients(slopes[0] ** 2 * tf.cos(tensors[0]), tensors[:2])
        images = [y, slopes[0], second[0]]
        if order == "NCHW":
            images = [tf.transpose(image, [0, 2, 3, 1]) for image in images]
        return [*images, mean, variance, *slopes[1:], second[1]]

    for expected, found in zip(run(lambda: all_of("NHWC")), run(lambda: all_of("NCHW")), strict=True):
        np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-5)


def test_inference_returns_the_mean_and_variance_that_it_was_given():
    _, mean, variance = run(lambda: tf.nn.fused_batch_norm(X, SCALE, OFFSET, MEAN, VARIANCE, is_training=False))
    np.testing.assert_array_equal(mean, MEAN)
    np.testing.assert_array_equal(variance, VARIANCE)


def late(array):
    return tf.placeholder_with_default(array, None)


@pytest.mark.parametrize(
    ("short", "text"),
    [
        (1, "scale must have the same number of elements as the channels of x, got 2 and 3"),
        (2, "offset must have the same number of elements as the channels of x, got 2 and 3"),
        (3, "When is_training=false, mean must have the same number of elements as the channels of x, got 2 and 3"),
        (4, "When is_training=false, variance must have the same number of elements as the channels of x, got 2 and 3"),
    ],
)
def test_vectors_of_another_length_are_refused(short, text):
    tensors = [X, SCALE, OFFSET, MEAN, VARIANCE]
    tensors[short] = tensors[short][:2]
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        run(lambda: tf.nn.fused_batch_norm(*map(late, tensors), is_training=False)[0])


def test_gradients_of_other_images_are_refused():
    def make():
        return tf.raw_ops.FusedBatchNormGrad(
            y_backprop=late(X), x=late(X[:1]), scale=late(SCALE), reserve_space_1=late(MEAN), reserve_space_2=late(VARIANCE)
        )

    with pytest.raises(tf.errors.InvalidArgumentError, match="x and y_backprop must have same shape, but x has shape"):
        run(make)


def test_normalised_samples_have_mean_0_and_variance_1():
    y = run(lambda: tf.nn.fused_batch_norm(X, np.ones(3, np.float32), np.zeros(3, np.float32), epsilon=1e-5)[0])
    np.testing.assert_allclose(y.mean(axis=(0, 1, 2)), 0, atol=1e-6)
    np.testing.assert_allclose(y.var(axis=(0, 1, 2)), 1, rtol=1e-3)
