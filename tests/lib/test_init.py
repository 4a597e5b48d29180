"""Initializers of variables, and which variables have no value yet."""

import itertools

import pytest

import tfedu as tf


def test_the_report_names_exactly_what_has_no_value():
    variables = [tf.Variable(1.0, name="a"), tf.Variable([1], name="b", use_resource=True), tf.Variable(1.0, name="c")]
    report = tf.report_uninitialized_variables()
    for chosen in itertools.product([False, True], repeat=3):
        session = tf.Session()
        session.run([v.initializer for v, take in zip(variables, chosen) if take] or tf.no_op())
        missing = [v.op.name.encode() for v, take in zip(variables, chosen) if not take]
        for _ in range(2):  # the interpreter, then the plan
            assert session.run(report).tolist() == missing


@pytest.mark.parametrize("make", [tf.global_variables_initializer, tf.initialize_all_variables])
def test_all_variables_that_there_are_now_are_initialized(make):
    a = tf.Variable(1.0)
    init = make()
    b = tf.Variable(2.0)
    session = tf.Session()
    session.run(init)
    assert session.run(a) == 1.0
    with pytest.raises(tf.errors.FailedPreconditionError):
        session.run(b)


def test_initializing_again_starts_anew():
    v = tf.Variable(1.0)
    session = tf.Session()
    session.run(v.initializer)
    session.run(v.assign_add(5.0))
    session.run(tf.global_variables_initializer())
    assert session.run(v) == 1.0


@pytest.mark.parametrize(
    ("initializer", "expected"),
    [
        (tf.zeros_initializer(), [[0.0, 0.0]]),
        (tf.ones_initializer(tf.int32), [[1, 1]]),
        (tf.constant_initializer(3.0), [[3.0, 3.0]]),
        (tf.constant_initializer([1, 2], tf.int64), [[1, 2]]),
    ],
)
def test_an_initializer_makes_what_it_says_and_can_be_made_again(initializer, expected):
    again = type(initializer).from_config(initializer.get_config())
    with tf.Session() as session:
        assert session.run(initializer([1, 2])).tolist() == expected
        assert session.run(tf.Variable(lambda: initializer([1, 2])).initial_value).tolist() == expected
        assert session.run(again([1, 2], dtype=initializer.dtype)).tolist() == expected


@pytest.mark.parametrize(
    "kind", [tf.random_normal_initializer, tf.random_uniform_initializer, tf.truncated_normal_initializer]
)
def test_a_seeded_initializer_gives_the_same_in_every_session(kind):
    made = kind(seed=3)([50])
    with tf.Session() as one, tf.Session() as other:
        assert one.run(made).tolist() == other.run(made).tolist()
