"""Gradients through map_fn, scan, folds and tensor arrays in loops and branches equal finite differences, in any legal order."""

import random

import numpy as np
import pytest

import tfedu as tf


def mapped(rng, inner, outside):
    return lambda y: tf.map_fn(lambda row: tf.reduce_sum(inner(tf.fill([3], row))) + outside[0], y)


def scanned(rng, inner, outside):
    back = rng.random() < 0.5
    return lambda y: tf.scan(lambda a, row: tf.tanh(a * row + outside[1][1]), inner(y), reverse=back)


def scanned_from(rng, inner, outside):
    def f(y):
        rows = tf.scan(lambda a, row: tf.sin(a + row) * outside[1], y, initializer=inner(y))
        return tf.reduce_mean(rows, axis=rng_axis) if rng_axis == 0 else tf.reduce_sum(rows, axis=1)

    rng_axis = rng.randrange(2)
    return f


def folded(rng, inner, outside):
    fold = rng.choice([tf.foldl, tf.foldr])
    return lambda y: inner(fold(lambda a, row: 0.5 * a * row + y, tf.stack([y, outside[1], y * y])))


def read_and_written(rng, inner, outside):
    """Each element depends on an earlier one, whose index the loop computes."""
    shift = rng.randrange(1, 3)

    def f(y):
        a = tf.TensorArray(tf.float64, 0, dynamic_size=True, clear_after_read=False).write(0, y)
        body = lambda i, a: (i + 1, a.write(i, inner(a.read(tf.maximum(i - shift, 0))) * 0.5 + a.read(0)))
        _, a = tf.while_loop(lambda i, a: i < 4, body, [tf.constant(1), a])
        return a.read(3) + tf.reduce_sum(a.gather([1, 3]), axis=0)

    return f


def split_and_joined(rng, inner, outside):
    def f(y):
        a = tf.TensorArray(tf.float64, 2, infer_shape=False).split(inner(y), [1, 2])
        b = tf.TensorArray(tf.float64, 2, infer_shape=False)
        write = lambda i, b: (i + 1, b.write(i, tf.square(a.read(i)) - 0.5))
        return tf.reshape(tf.while_loop(lambda i, b: i < 2, write, [0, b])[1].concat(), [3])

    return f


def in_a_branch(rng, inner, outside):
    bound = rng.uniform(-0.5, 0.5)

    def f(y):
        a = tf.TensorArray(tf.float64, 2).write(0, y)
        b = tf.cond(tf.reduce_sum(y) < bound, lambda: a.write(1, inner(y)), lambda: a.write(1, y * outside[1]))
        return tf.reduce_sum(b.stack(), axis=0)

    return f


def repeated(rng, inner, outside):
    times = rng.randrange(1, 4)
    return lambda y: tf.while_loop(lambda i, z: i < times, lambda i, z: (i + 1, tf.tanh(inner(z) + 0.1 * y)), [0, y])[1]


def simple(rng, outside):
    return rng.choice([lambda y: tf.sin(y) + outside[1], lambda y: tf.tanh(y * outside[1]), lambda y: 0.5 * y - outside[0]])


KINDS = [mapped, scanned, scanned_from, folded, read_and_written, split_and_joined, in_a_branch, repeated]


def grown(rng, outside, depth):
    """A random smooth function of a tensor [3] that also takes the scalar and the tensor outside."""
    if depth == 0:
        return simple(rng, outside)
    return rng.choice(KINDS)(rng, grown(rng, outside, depth - 1), outside)


def check(function, seed):
    x, c = tf.placeholder(tf.float64, [3], name="x"), tf.placeholder(tf.float64, [3], name="c")
    y = tf.reduce_sum(tf.square(function(random.Random(seed), [tf.reduce_mean(c), c])(x)))
    at = {x: np.array([0.3, -0.4, 0.5]), c: np.array([0.7, 0.2, -0.6])}
    gradients = [tf.convert_to_tensor(g) for g in tf.gradients(y, [x, c], unconnected_gradients="zero")]
    with tf.Session() as session:
        found = session.run(gradients, at)
        for tensor, gradient in zip((x, c), found, strict=True):
            for i in range(3):
                step = np.eye(3)[i] * 1e-6
                up, down = (session.run(y, {**at, tensor: at[tensor] + sign * step}) for sign in (1, -1))
                assert gradient[i] == pytest.approx((up - down) / 2e-6, rel=1e-5, abs=1e-7), (tensor.name, i)
    for schedule in ("random(1)", "random(2)"):
        with tf.Session(schedule=schedule) as session:
            for mine, other in zip(session.run(gradients, at), found, strict=True):
                assert mine.tolist() == pytest.approx(other.tolist(), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_gradients_of_arrays_equal_finite_differences(kind):
    check(lambda rng, outside: kind(rng, simple(rng, outside), outside), 5)


@pytest.mark.parametrize("seed", range(12))
def test_gradients_of_nested_arrays_equal_finite_differences(seed):
    check(lambda rng, outside: grown(rng, outside, 2), seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_more_gradients_of_nested_arrays_equal_finite_differences(seed):
    check(lambda rng, outside: grown(rng, outside, 3), seed)
