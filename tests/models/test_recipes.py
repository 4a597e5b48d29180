"""Recipes that guides to TensorFlow 1.x give, written anew: each gives the numbers that mathematics says."""

import itertools

import numpy as np
import pytest

import tfedu as tf


def values(fetches, feed_dict=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feed_dict)


def sizes(tensor):
    """The static sizes of a tensor, and dynamic ones where those are unknown."""
    dynamic = tf.unstack(tf.shape(tensor))
    return [size if size is not None else dynamic[axis] for axis, size in enumerate(tensor.shape.as_list())]


# -- beam search ---------------------------------------------------------------------------------------------------


def rows_of_each(tensor, indices):
    """In each batch element the rows of `indices`: [n, m, …], [n, k] -> [n, k, …]."""
    shape = sizes(tensor)
    flat = tf.reshape(tensor, [shape[0] * shape[1], *shape[2:]])
    return tf.gather(flat, indices + tf.expand_dims(tf.range(shape[0]) * shape[1], 1))


def beam_search(update, state, steps, width, begin, end):
    """The `width` likeliest sequences: (words [n, width, steps + 1], log probabilities [n, width])."""
    count = sizes(state)[0]
    state = tf.tile(tf.expand_dims(state, 1), [1, width, 1])
    totals = tf.log([[1.0] + [0.0] * (width - 1)])  # all beams are equal at first: only one of them counts
    words = tf.fill([count, width], begin)
    chosen, open_ones = tf.expand_dims(words, 2), tf.ones([count, width])
    for step in range(steps):
        with tf.variable_scope("cell", reuse=step > 0):
            state, logits = update(state, words)
        likely = logits - tf.reduce_logsumexp(logits, -1, keepdims=True)
        sums = tf.expand_dims(totals, 2) + likely * tf.expand_dims(open_ones, 2)
        number = logits.shape.as_list()[-1]
        totals, best = tf.nn.top_k(tf.reshape(sums, [count, width * number]), width)
        words, beams = best % number, best // number
        state = rows_of_each(state, beams)
        chosen = tf.concat([rows_of_each(chosen, beams), tf.expand_dims(words, 2)], 2)
        open_ones = rows_of_each(open_ones, beams) * tf.to_float(tf.not_equal(words, end))
    return chosen, totals


def test_a_wide_beam_search_finds_the_likeliest_sequences():
    """The next word depends on the state, which a dense layer makes of the last state and word."""
    words, steps, width = 4, 3, 64
    tf.set_random_seed(1)

    def update(state, last):
        joined = tf.concat([state, tf.one_hot(last, words)], -1)
        following = tf.layers.dense(joined, 5, tf.tanh, kernel_initializer=tf.random_normal_initializer(), name="state")
        return following, tf.layers.dense(following, words, kernel_initializer=tf.random_normal_initializer(), name="word")

    start = np.array([[0.1, -0.4, 0.3, 0.0, 1.0], [1.0, 0.5, -0.2, 0.3, 0.0]], np.float32)
    found, totals = beam_search(update, tf.constant(start), steps, width, begin=0, end=words)  # `end` never comes
    w = {variable.op.name: variable for variable in tf.trainable_variables()}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found, totals, w = session.run([found, totals, w])

    for row, state_0 in enumerate(start):
        expected = {}
        for sequence in itertools.product(range(words), repeat=steps):
            state, total, last = state_0, 0.0, 0
            for word in sequence:
                joined = np.concatenate([state, np.eye(words)[last]])
                state = np.tanh(joined @ w["cell/state/kernel"] + w["cell/state/bias"])
                logits = state @ w["cell/word/kernel"] + w["cell/word/bias"]
                total += logits[word] - np.log(np.exp(logits).sum())
                last = word
            expected[sequence] = total
        best = sorted(expected, key=expected.get, reverse=True)
        assert [tuple(sequence[1:]) for sequence in found[row][:5]] == best[:5]
        np.testing.assert_allclose(totals[row], [expected[sequence] for sequence in best], rtol=1e-4)


def test_a_sequence_that_has_ended_costs_nothing_more():
    def update(state, last):
        return state, tf.tile(tf.log([[[0.2, 0.8]]]), [1, 2, 1]) + 0 * state[..., :1]

    found, totals = values(beam_search(update, tf.zeros([1, 1]), steps=3, width=2, begin=0, end=1))
    assert found[0, 0].tolist()[:2] == [0, 1]
    assert totals[0, 0] == pytest.approx(np.log(0.8))


# -- merging with broadcasting -------------------------------------------------------------------------------------


def merge(tensors, units, activation=tf.nn.relu):
    with tf.variable_scope(None, default_name="merge"):
        parts = [tf.layers.dense(tensor, units, name=f"part_{number}") for number, tensor in enumerate(tensors)]
        return activation(sum(parts[1:], parts[0]))


def test_merging_by_broadcasting_is_a_dense_layer_of_joined_features():
    a, b = np.random.RandomState(0).normal(size=(5, 3, 1, 4)), np.random.RandomState(1).normal(size=(5, 1, 2, 6))
    merged = merge([tf.constant(a, tf.float32), tf.constant(b, tf.float32)], 7)
    merged, weights = values([merged, tf.trainable_variables()])
    joined = np.concatenate([np.tile(a, [1, 1, 2, 1]), np.tile(b, [1, 3, 1, 1])], -1)
    by_hand = joined @ np.concatenate(weights[::2]) + weights[1] + weights[3]
    np.testing.assert_allclose(merged, np.maximum(by_hand, 0), rtol=1e-4, atol=1e-5)


# -- entropy, softmax, divergence ----------------------------------------------------------------------------------


def softmax(logits, axis=-1):
    powers = tf.exp(logits - tf.reduce_max(logits, axis, keepdims=True))
    return powers / tf.reduce_sum(powers, axis, keepdims=True)


def entropy(logits, axis=-1):
    lacking = tf.reduce_logsumexp(logits, axis, keepdims=True) - logits
    return tf.reduce_sum(softmax(logits, axis) * lacking, axis)


def gaussian_divergence(q, p=(0.0, 0.0)):
    """KL(q | p) of normal distributions, each (means, logarithms of variances) [..., k] -> [...]."""
    (mean_q, log_q), (mean_p, log_p) = q, p
    return 0.5 * tf.reduce_sum(log_p - log_q + tf.exp(log_q - log_p) + tf.square(mean_q - mean_p) / tf.exp(log_p) - 1, -1)


def test_softmax_and_entropy_are_exact_for_large_logits():
    assert values(softmax(tf.constant([1000.0, 0.0]))).tolist() == [1, 0]
    assert values(entropy(tf.constant([1000.0, 0.0]))) == 0
    assert values(entropy(tf.zeros([3, 8]))) == pytest.approx([np.log(8)] * 3)


def test_training_for_entropy_ends_at_equal_probabilities():
    w = tf.get_variable("w", initializer=[1.0, 0.5, 0.0, -0.5, -1.0])
    train = tf.train.AdamOptimizer(0.05).minimize(-entropy(w))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(400):
            session.run(train)
        np.testing.assert_allclose(session.run(tf.nn.softmax(w)), [0.2] * 5, atol=1e-3)


def test_the_divergence_of_two_normal_distributions_is_its_integral():
    q, p = (0.3, np.log(0.5)), (-0.4, np.log(1.7))
    x = np.linspace(-12, 12, 200001)

    def log_density(mean, log_variance):
        return -0.5 * (np.log(2 * np.pi) + log_variance + (x - mean) ** 2 / np.exp(log_variance))

    integral = np.trapezoid(np.exp(log_density(*q)) * (log_density(*q) - log_density(*p)), x)
    told = values(gaussian_divergence(*((tf.constant([mean]), tf.constant([log], tf.float32)) for mean, log in (q, p))))
    assert told == pytest.approx(integral, rel=1e-5)


# -- towers --------------------------------------------------------------------------------------------------------


def in_parallel(function, devices, **inputs):
    """`function` on a part of each input for each device, with shared variables; the results are joined."""
    parts = {name: tf.split(value, devices) for name, value in inputs.items()}
    results = []
    for device in range(devices):
        with tf.device(f"/gpu:{device}"), tf.variable_scope(tf.get_variable_scope(), reuse=device > 0):
            results.append(function(**{name: values[device] for name, values in parts.items()}))
    return tf.concat(results, 0)


def test_a_model_in_parallel_trains_as_on_one_device():
    x = np.random.RandomState(0).uniform(-1, 1, [40, 3]).astype(np.float32)
    y = x @ np.array([5.0, 0.0, 3.0], np.float32)

    def cost(x, y):
        w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
        return tf.square(tf.squeeze(tf.matmul(x, w), 1) - y)

    trained = []
    for devices in (1, 2, 4):
        with tf.Graph().as_default():
            loss = tf.reduce_mean(in_parallel(cost, devices, x=tf.constant(x), y=tf.constant(y)))
            train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, colocate_gradients_with_ops=True)
            with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
                session.run(tf.global_variables_initializer())
                for _ in range(100):
                    session.run(train)
                trained.append(session.run(tf.trainable_variables()[0]).ravel())
    np.testing.assert_allclose(trained[0], [5, 0, 3], atol=1e-3)
    for weights in trained[1:]:
        np.testing.assert_allclose(weights, trained[0], atol=1e-6)
