"""Moving averages follow their formulas, step by step."""

import numpy as np
import pytest

import tfedu as tf


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("counted", [False, True])
def test_the_average_of_a_variable_starts_at_its_value_and_follows_it(resource, counted):
    v = tf.Variable([10.0, 0.0], use_resource=resource)
    step = tf.Variable(0, trainable=False)
    ema = tf.train.ExponentialMovingAverage(0.9, step if counted else None)
    update = ema.apply([v])
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    average = np.array([10.0, 0.0])
    assert session.run(ema.average(v)).tolist() == [10.0, 0.0]
    for n in range(6):
        value = np.array([float(n), 1.0])
        session.run(v.assign(value, read_value=False))
        session.run(update)
        decay = min(0.9, (1 + n) / (10 + n)) if counted else 0.9
        average -= (1 - decay) * (average - value)
        np.testing.assert_allclose(session.run(ema.average(v)), average, rtol=1e-5)
        session.run(step.assign_add(1))


@pytest.mark.parametrize("debias", [False, True])
def test_the_average_of_a_tensor_starts_at_zero_and_may_be_debiased(debias):
    x = tf.placeholder(tf.float32, [])
    ema = tf.train.ExponentialMovingAverage(0.8, zero_debias=debias)
    update = ema.apply([x])
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    biased = 0.0
    for n in range(1, 6):
        session.run(update, {x: n * 2.0})
        biased -= 0.2 * (biased - n * 2.0)
        expected = biased / (1 - 0.8**n) if debias else biased
        np.testing.assert_allclose(session.run(ema.average(x)), expected, rtol=1e-5)


def test_two_averages_of_one_variable_have_names_of_their_own():
    v = tf.Variable(1.0, name="v")
    first, second = (tf.train.ExponentialMovingAverage(d) for d in (0.9, 0.99))
    first.apply([v])
    second.apply([v])
    assert first.average(v).name == "v/ExponentialMovingAverage:0"
    assert second.average(v).name == "v/ExponentialMovingAverage_1:0"


def test_a_refused_apply_leaves_nothing_behind():
    v, whole = tf.Variable(1.0, name="v"), tf.Variable(1, name="whole")
    ema = tf.train.ExponentialMovingAverage(0.9)
    before = len(tf.get_default_graph().get_operations())
    with pytest.raises(TypeError, match=r"half, float, or double: whole:0"):
        ema.apply([v, whole])
    assert len(tf.get_default_graph().get_operations()) == before
    assert ema.average(v) is None
    assert tf.moving_average_variables() == []
