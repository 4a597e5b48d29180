"""KMeans: an old program finds its clusters, mini-batches move centers as the formula has it, large batches go in blocks."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.ops import clustering

MIDDLES = np.array([[6, 0], [-6, 4], [0, -7]], np.float32)


def points(count, seed=0):
    return (MIDDLES[np.arange(count) % 3] + np.random.default_rng(seed).normal(size=(count, 2))).astype(np.float32)


def test_an_old_program_finds_its_clusters():
    from tfedu.legacy.modules_of_contrib.contrib_factorization import KMeans

    assert tf.contrib.factorization.KMeans is KMeans
    x = tf.placeholder(tf.float32, shape=[None, 2])
    kmeans = KMeans(inputs=x, num_clusters=3, distance_metric="cosine", use_mini_batch=True, initial_clusters="kmeans_plus_plus")
    graph = kmeans.training_graph()
    all_scores, cluster_idx, scores, _initialized, init_op, train_op = graph
    average = tf.reduce_mean(scores[0])
    feed = {x: points(300)}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer(), feed)
        session.run(init_op, feed)
        for _ in range(10):
            _, distance, idx = session.run([train_op, average, cluster_idx[0]], feed)
        distances = session.run(all_scores[0], feed)
    assert distance < 0.05
    assert all(len(set(idx[k::3])) == 1 for k in range(3))
    assert len(set(idx)) == 3
    np.testing.assert_array_equal(idx, distances.argmin(axis=1))


@pytest.mark.parametrize("steps", [1, 3])
def test_mini_batches_move_centers_by_the_mean_of_all_points_that_they_have_seen(steps):
    x = tf.placeholder(tf.float32, [None, 2])
    start = MIDDLES * 0.5
    options = {"use_mini_batch": True, "mini_batch_steps_per_iteration": steps}
    built = tf.contrib.factorization.KMeans(x, 3, start, **options).training_graph()
    train_op = built[-1]
    batches = [points(12, seed) for seed in range(2)]
    counts, moved = np.full(3, 1.0 if steps == 1 else 0.0), start.astype(np.float64)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(built[4], {x: batches[0]})
        for batch in batches:
            session.run(train_op, {x: batch})
            for k in range(3):  # the clusters are so far apart that point i is in cluster i % 3
                own = batch[k::3]
                counts[k] += len(own)
                moved[k] += (own - moved[k]).sum(axis=0) / counts[k]
        name = "clusters:0" if steps == 1 else "clusters_updated:0"
        np.testing.assert_allclose(session.run(name), moved, rtol=1e-5)
        if steps > 1:  # points are still compared with the first centers
            np.testing.assert_array_equal(session.run("clusters:0"), start)


def test_chains_choose_as_many_centers_as_are_wanted():
    x = tf.placeholder(tf.float32, [None, 2])
    built = tf.contrib.factorization.KMeans(x, 3, "kmc2", kmc2_chain_length=20).training_graph()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(5):
            if not session.run(built[3]):
                session.run(built[4], {x: points(60)})
        centers = session.run("clusters:0")
    assert centers.shape == (3, 2)
    assert all((points(60) == center).all(axis=1).any() for center in centers)


def test_points_are_compared_in_blocks(monkeypatch):
    rows, centers = points(1000), points(7, 1)
    whole = clustering.nearest_neighbors.definition.kernel(np, rows, centers, np.int64(2))
    monkeypatch.setattr(clustering, "_BLOCK", 50)
    for expected, got in zip(whole, clustering.nearest_neighbors.definition.kernel(np, rows, centers, np.int64(2)), strict=True):
        np.testing.assert_allclose(expected, got, rtol=1e-5)


def test_a_k_below_0_which_ends_tensorflows_process_is_refused():
    nearest = tf.raw_ops.NearestNeighbors(points=points(3), centers=MIDDLES, k=-1)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="Expected k >= 0"):
        session.run(nearest)
