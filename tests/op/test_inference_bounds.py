"""Inference of a few nodes stays small, whatever the values and the paths are that their graph stands for."""

import tracemalloc

import pytest

import tfedu as tf

STEPS = 40


def doubled(first, double):
    """A chain in which each node takes the one before it twice: 2^40 paths, or bytes."""
    value = first
    for _ in range(STEPS):
        value = double(value)
    return value


def long_range():
    return tf.range(tf.constant(1 << 28, tf.int64))


def long_placeholder():
    return tf.placeholder(tf.int32, [1 << 28])


def doubled_vector():
    return doubled(tf.placeholder(tf.int32, [1]), lambda v: tf.concat([v, v], 0))


def doubled_empty_vector():
    return doubled(tf.placeholder(tf.int32, [0]), lambda v: tf.concat([v, v], 0))


def length_of_a_doubled_string():
    return tf.reshape(tf.strings.length(doubled(tf.constant("x"), lambda s: tf.strings.join([s, s]))), [1])


def length_of_a_string_with_long_replacements():
    text = tf.constant("x" * 20_000)
    return tf.reshape(tf.strings.length(tf.strings.regex_replace(text, "x", "y" * 20_000)), [1])


@pytest.mark.parametrize(
    "sizes",
    [
        long_range, long_placeholder, doubled_vector, doubled_empty_vector, length_of_a_doubled_string,
        length_of_a_string_with_long_replacements,
    ],
)  # fmt: skip
def test_a_vector_of_sizes_takes_no_memory_of_its_length(sizes):
    tracemalloc.start()
    try:
        tf.fill(sizes(), 1.0)
        reached = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert reached < 4 << 20
