"""QuantizedReluX, of which TensorFlow 1.15 has no kernel: it is held to what relu gives of the floats."""

import numpy as np
import pytest

import tfedu as tf

FLOATS = np.float32([-2, -1.4, -0.1, 0, 0.2, 1, 3.3, 5.9, 6])


@pytest.mark.parametrize("largest", [0.0, 1.0, 3.5, 100.0])
@pytest.mark.parametrize("kind", [tf.quint8, tf.qint32])
def test_it_limits_the_floats_that_the_integers_encode(largest, kind):
    given = tf.quantization.quantize(FLOATS, -2.0, 6.0, kind, "MIN_FIRST")
    found = tf.nn.quantized_relu_x(given[0], largest, *given[1:], kind)
    floats = tf.quantization.dequantize(*found, "MIN_FIRST")
    with tf.Session() as sess:
        low, high, values = sess.run([found.min_activations, found.max_activations, floats])
    step = (6 + 2) / (255 if kind is tf.quint8 else 2**24)
    assert (low, high) == (-2, 6)
    np.testing.assert_allclose(values, np.clip(FLOATS, 0, largest), atol=step)


def test_another_type_of_the_result_is_refused():
    given = tf.quantization.quantize(FLOATS, -2.0, 6.0, tf.qint32, "MIN_FIRST")
    said = "QuantizedReluX of qint32 gives the same type, not quint8"
    with tf.Session() as sess, pytest.raises(tf.errors.UnimplementedError, match=said):
        sess.run(tf.nn.quantized_relu_x(given[0], 1.0, *given[1:]))
