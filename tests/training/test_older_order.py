"""tf.contrib.metrics and tf.contrib.losses take predictions before labels; 2.15 no longer has them."""

import inspect

import pytest

import tfedu as tf

metrics, losses = tf.contrib.metrics, tf.contrib.losses
LABELS, LOGITS = [[0.0, 1.0], [1.0, 0.0]], [[2.0, 1.0], [0.5, 0.25]]


def value(*tensors):
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        return session.run(tensors)


def test_predictions_come_first_by_place_and_by_name():
    labels, guesses = tf.constant([1, 0, 0, 0]), tf.constant([1, 1, 1, 0])
    found = [
        metrics.streaming_precision(guesses, labels)[1],
        metrics.streaming_precision(guesses, labels=labels)[1],
        metrics.streaming_precision(labels=labels, predictions=guesses)[1],
        tf.metrics.precision(labels, guesses)[1],
        metrics.streaming_recall(guesses, labels)[1],
        metrics.streaming_accuracy(guesses, labels, [1.0, 1.0, 0.0, 0.0])[1],
    ]
    assert value(*found) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1 / 3, 1.0, 0.5])


def test_losses_are_those_of_tf_losses():
    for old, new in (
        (losses.mean_squared_error(LOGITS, LABELS), tf.losses.mean_squared_error(LABELS, LOGITS)),
        (losses.log_loss([[0.5, 0.25]], [[1.0, 0.0]], epsilon=0.1), tf.losses.log_loss([[1.0, 0.0]], [[0.5, 0.25]], epsilon=0.1)),
        (losses.softmax_cross_entropy(LOGITS, LABELS, 2.0), tf.losses.softmax_cross_entropy(LABELS, LOGITS, 2.0)),
    ):
        one, other = value(old, new)
        assert one == other
    assert len(losses.get_losses()) == 6


def test_the_parameters_stand_as_they_did():
    assert list(inspect.signature(metrics.streaming_accuracy).parameters) == [
        "predictions", "labels", "weights", "metrics_collections", "updates_collections", "name",
    ]  # fmt: skip
    assert list(inspect.signature(losses.softmax_cross_entropy).parameters)[:2] == ["logits", "onehot_labels"]
    assert metrics.streaming_accuracy.__name__ == "streaming_accuracy"


def test_accuracy_of_one_batch():
    guesses, labels = tf.constant([1, 2, 3]), tf.constant([1, 2, 0])
    assert value(metrics.accuracy(guesses, labels))[0] == pytest.approx(2 / 3)
    assert value(metrics.accuracy(guesses, labels, [1.0, 0.0, 1.0]))[0] == 0.5
    with pytest.raises(ValueError, match="Labels should have bool, integer, or string dtype"):
        metrics.accuracy(guesses, tf.constant([1.0]))
    with pytest.raises(ValueError, match="Dtypes of predictions and labels should match"):
        metrics.accuracy(tf.constant([1.0]), labels)
