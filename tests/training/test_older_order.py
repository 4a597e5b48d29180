"""tf.contrib.metrics and tf.contrib.losses take predictions before labels; 2.15 no longer has them."""

import inspect

import numpy as np
import pytest

import tfedu as tf

metrics, losses = tf.contrib.metrics, tf.contrib.losses
LABELS, LOGITS = [[0.0, 1.0], [1.0, 0.0]], [[2.0, 1.0], [0.5, 0.25]]


@pytest.fixture(autouse=True)
def fresh_graph():
    with tf.Graph().as_default():
        yield


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


def test_every_metric_that_is_turned_gives_what_tf_metrics_gives():
    labels, scores = tf.constant([[0.0], [1.0], [1.0], [0.0]]), tf.constant([[0.1], [0.8], [0.4], [0.6]])
    words, ranks = tf.constant([[1], [0], [2]], tf.int64), tf.constant([[0.1, 0.7, 0.2], [0.1, 0.5, 0.4], [0.3, 0.3, 0.4]])
    m, half = tf.metrics, [0.5]
    pairs = [
        (
            metrics.streaming_true_positives_at_thresholds(scores, labels, half),
            m.true_positives_at_thresholds(labels, scores, half),
        ),
        (metrics.streaming_specificity_at_sensitivity(scores, labels, 0.5), m.specificity_at_sensitivity(labels, scores, 0.5)),
        (metrics.streaming_mean_cosine_distance(scores, labels, 0), m.mean_cosine_distance(labels, scores, 0)),
        (metrics.streaming_mean_relative_error(scores, labels, scores), m.mean_relative_error(labels, scores, scores)),
        (metrics.streaming_sparse_recall_at_k(ranks, words, 2), m.recall_at_k(words, ranks, 2)),
        (metrics.streaming_sparse_precision_at_k(ranks, words, 2, 1), m.precision_at_k(words, ranks, 2, 1)),
        (metrics.streaming_sparse_average_precision_at_k(ranks, words, 2), m.average_precision_at_k(words, ranks, 2)),
        (metrics.streaming_recall_at_k(ranks, words[:, 0], 1), m.recall_at_k(words, ranks, 1)),
    ]
    for old, new in pairs:
        one, other = value(old[1], new[1])
        assert one == pytest.approx(other)


def test_metrics_of_contrib_alone():
    x, y = np.array([1.0, 2.0, 4.0, 7.0], np.float32), np.array([2.0, 1.0, 5.0, 9.0], np.float32)
    feed = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
    covariance, more = metrics.streaming_covariance(*feed)
    correlation, further = metrics.streaming_pearson_correlation(*feed, weights=[1.0, 1.0])
    number, counted = metrics.count(feed[0], weights=[0.5, 2.0])
    weighted, weighing = metrics.streaming_covariance(*feed, weights=[1.0, 2.0])
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        assert np.isnan(session.run(covariance))
        for i in (0, 2):
            at = dict(zip(feed, (x[i : i + 2], y[i : i + 2]), strict=True))
            session.run([more, further, counted, weighing], at)
        found = session.run([covariance, correlation, number])
        assert found == pytest.approx([np.cov(x, y)[0, 1], np.corrcoef(x, y)[0, 1], 5.0])
        assert np.isfinite(session.run(weighted))


def test_the_best_f1_and_agreement_beyond_chance():
    labels, scores = tf.constant([1, 0, 1, 1]), tf.constant([0.9, 0.6, 0.7, 0.2])
    best, update = metrics.f1_score(labels, scores)
    kappa, agreed = metrics.cohen_kappa(tf.constant([0, 0, 1, 1]), tf.constant([0, 0, 1, 0]), 2)
    values, updates = metrics.aggregate_metric_map({"f1": (best, update), "kappa": (kappa, agreed)})
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        session.run(updates)
        found = session.run(values)
    assert found["f1"] == pytest.approx(6 / 7, abs=1e-5)
    assert found["kappa"] == pytest.approx(0.5)
    assert metrics.aggregate_metrics((1, 2), (3, 4)) == ([1, 3], [2, 4])
    for wrong in (metrics.aggregate_metrics, lambda: metrics.cohen_kappa(labels, labels, 1)):
        with pytest.raises(ValueError, match=r"Expected at least|must be >= 2"):
            wrong()


def test_hinge_losses_of_contrib_are_one_for_each_element():
    found = losses.hinge_loss(tf.constant(LOGITS), tf.constant(LABELS))
    assert value(found)[0].tolist() == [[3.0, 0.0], [0.5, 1.25]]
    assert losses.get_losses() == []
    one = losses.cosine_distance(tf.constant(LOGITS), tf.constant(LABELS), axis=1)
    assert losses.get_losses() == [one]
    assert losses.get_total_loss().op.type in ("AddN", "Identity")
