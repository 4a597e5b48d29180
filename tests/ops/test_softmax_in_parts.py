"""Softmax, its logarithm and the cross entropies over rows of all lengths, which are computed in parts and with other limits."""

import numpy as np
import pytest

import tfedu as tf

SHAPES = [(0, 5), (7,), (3, 100, 700), (5000, 40), (5000, 10), (2, 10_000), (3, 512), (300, 5000)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_softmax_and_cross_entropies_are_what_their_formulas_say(shape):
    logits = (np.random.default_rng(1).normal(size=shape) * 5).astype(np.float32)
    rows = logits.reshape(-1, shape[-1])
    labels = np.arange(len(rows)) % shape[-1]
    shifted = rows.astype(np.float64) - rows.max(axis=-1, keepdims=True)
    logarithms = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    limit = np.getbufsize()
    x, dense = tf.constant(rows), np.eye(shape[-1], dtype=np.float32)[labels]
    sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x)
    loss = tf.nn.softmax_cross_entropy_with_logits(labels=dense, logits=x)
    with tf.Session() as session:
        first, second = session.run([tf.nn.softmax(tf.constant(logits)), tf.nn.log_softmax(tf.constant(logits))])
        losses = session.run([sparse, loss])
        slopes = session.run([tf.gradients(sparse, x)[0], tf.gradients(loss, x)[0]])
    np.testing.assert_allclose(first.reshape(rows.shape), np.exp(logarithms), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(second.reshape(rows.shape), logarithms, rtol=1e-5, atol=1e-5)
    for found, slope in zip(losses, slopes, strict=True):
        np.testing.assert_allclose(found, -logarithms[np.arange(len(rows)), labels], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(slope, np.exp(logarithms) - dense, rtol=1e-5, atol=1e-6)
    assert np.getbufsize() == limit
