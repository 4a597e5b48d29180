"""Every gradient equals finite differences: orders 1 and 2 of each op type that has one."""

import importlib

import numpy as np
import pytest
from samples import ONE_ORDER, SAMPLES, UNCHECKED, Fixed


def types_with_rule():
    """The op types that have a gradient rule."""
    importlib.import_module("tfedu")
    registry = importlib.import_module("tfedu.engine.autodiff").registry
    opdef = importlib.import_module("tfedu.engine.op.definition")
    rules = {op_type: registry.rule_named(op_type) for op_type in opdef.REGISTRY.whole()}
    return {op for op, rule in rules.items() if rule is not None and not isinstance(rule, registry.Undifferentiable)}


def test_every_op_type_with_a_rule_has_a_sample():
    assert sorted(types_with_rule() - set(SAMPLES) - set(UNCHECKED)) == []


def test_an_omitted_op_type_has_a_rule_and_no_sample():
    assert set(UNCHECKED) <= types_with_rule() - set(SAMPLES)
    assert set(ONE_ORDER) <= set(SAMPLES)


def tensors(tf, inputs):
    """The arguments of the call, the placeholders that are differentiated, and their values."""
    given, xs, values = [], [], []
    for value in inputs:
        if isinstance(value, Fixed):
            given.append(tf.constant(value.value, tf.float64))
        elif np.asarray(value).dtype.kind in "fc":
            parts = np.asarray(value)
            parts = np.stack([parts.real, parts.imag]) if parts.dtype.kind == "c" else parts
            x = tf.placeholder(tf.float64, parts.shape)
            given.append(tf.complex(x[0], x[1]) if np.asarray(value).dtype.kind == "c" else x)
            xs.append(x)
            values.append(parts)
        else:
            given.append(tf.constant(value))
    return given, xs, values


def one_number(tf, outputs, seed):
    """A scalar that depends on every float of the outputs, and is not only their sum."""
    rng = np.random.default_rng(seed)
    parts = []
    for y in outputs:
        if y is not None and y.dtype.is_complex:
            parts += [tf.cast(tf.real(y), tf.float64), tf.cast(tf.imag(y), tf.float64)]
        elif y is not None and y.dtype.is_floating:
            parts.append(tf.cast(y, tf.float64))
    weights = [rng.uniform(0.5, 1.5, y.shape.as_list() if y.shape.is_fully_defined() else ()) for y in parts]
    terms = [tf.reduce_sum(y * weight + y * y / 2) for y, weight in zip(parts, weights, strict=True)]
    return tf.add_n(terms) if terms else tf.constant(0.0, tf.float64)


def by_differences(run, values, step):
    """The gradients of `run(values)` by finite differences, from steps to both sides."""
    gradients = []
    for at, value in enumerate(values):
        slope = np.zeros(value.shape)
        for place in np.ndindex(*value.shape):
            ends = []
            for sign in (1, -1):
                moved = [v.copy() for v in values]
                moved[at][place] += sign * step
                ends.append(run(moved))
            slope[place] = (ends[0] - ends[1]) / (2 * step)
        gradients.append(slope)
    return gradients


def check(op_type):
    import tfedu as tf

    sample = SAMPLES[op_type]
    arguments, xs, values = tensors(tf, sample.inputs)
    outputs = sample.call(tf, *arguments)
    outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    assert op_type in {op.type for op in tf.get_default_graph().get_operations()}
    number = one_number(tf, outputs, 1)
    feed = dict(zip(xs, values, strict=True))
    with tf.Session() as session:
        for order in (1, 2):
            slopes = [None if g is None else tf.convert_to_tensor(g) for g in tf.gradients(number, xs)]
            run = session.make_callable(number, feed_list=xs)
            expected = by_differences(lambda moved, run=run: run(*moved), values, sample.step)
            for x, slope, steps in zip(xs, slopes, expected, strict=True):
                gradient = np.zeros(x.shape.as_list()) if slope is None else session.run(slope, feed)
                scale = max(1.0, np.abs(steps).max(initial=0))
                np.testing.assert_allclose(gradient / scale, steps / scale, 0, sample.close, err_msg=f"order {order}")
            if order == 1:
                if op_type in ONE_ORDER:
                    return
                number = one_number(tf, slopes, 2)


@pytest.mark.parametrize("op_type", sorted(SAMPLES))
def test_the_gradient_equals_finite_differences(op_type):
    check(op_type)


def test_a_wrong_rule_is_found(monkeypatch):
    from tfedu.engine.op.definition import REGISTRY

    monkeypatch.setattr(REGISTRY["Sin"], "grad_rule", lambda op, g: g)
    with pytest.raises(AssertionError, match="order 1"):
        check("Sin")
