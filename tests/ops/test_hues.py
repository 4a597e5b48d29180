"""AdjustHue of colours that are no numbers: as TF compares the channels, and at once where the hue goes round several times."""

import numpy as np
import pytest

import tfedu as tf

NAN, INF = np.nan, np.inf


def turned(colours, delta):
    with tf.Session() as session:
        return session.run(tf.image.adjust_hue(np.float32(colours).reshape(1, -1, 1, 3), delta)).reshape(-1, 3)


@pytest.mark.parametrize("delta", [0.7, -0.9])
def test_no_comparison_with_nan_holds(delta):
    # Recorded from TensorFlow 1.15.
    colours = [(0.6, NAN, 0.5), (NAN, NAN, NAN), (0.9, 0.4, NAN), (NAN, 0.5, 0.3), (0.9, 0.6, -INF)]
    expected = [(0.6, NAN, NAN), (NAN, NAN, NAN), (0.9, 0.4, NAN), (NAN, 0.3, NAN), (0.9, -INF, NAN)]
    np.testing.assert_array_equal(turned(colours, delta), np.float32(expected))


def test_whole_turns_change_nothing():
    colours = np.random.RandomState(0).rand(50, 3).astype(np.float32)
    for turns in (-3.0, -1.0, 0.0, 1.0, 4.0):
        np.testing.assert_allclose(turned(colours, turns), colours, atol=1e-5)
