"""What helps, where learners go wrong most: each message has the user's line, and as its last one what to do."""

import pytest

import tfedu as tf


def run(make, feed=None):
    with tf.Session() as session:
        return session.run(make(), feed)


def loop_of(x):
    return tf.while_loop(lambda y: y < 9.0, lambda y: y * x, [x])


def twice(x):
    return tf.gradients(tf.gradients(loop_of(x), x)[0], x)


def trained(w):
    return tf.train.AdamOptimizer().minimize(w * w)


def used_at_once():
    variable = tf.Variable(2.0)
    with tf.Session() as session:
        session.run(variable.initializer)
        session.run(trained(variable))


def fed(value):
    x = tf.placeholder(tf.float32, [None, 2])
    return run(lambda: x + 1, {x: value})


def elsewhere():
    with tf.Graph().as_default():
        return tf.placeholder(tf.float32)


def closed():
    x = tf.constant(1.0)
    session = tf.Session()
    session.close()
    session.run(x)


def reused():
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    with tf.variable_scope(tf.get_variable_scope(), reuse=True):
        trained(w)


def late():
    step = tf.train.create_global_step()
    with tf.train.MonitoredSession() as session:
        session.run(tf.assign_add(step, 1))


MISTAKES = {
    "a variable before its initializer": (lambda: run(lambda: tf.Variable(2.0) + 1), "tf.global_variables_initializer()"),
    "a resource variable before its initializer": (
        lambda: run(lambda: tf.get_variable("v", [], use_resource=True) + 1), "tf.global_variables_initializer()",
    ),
    "an optimizer made after the initializer": (used_at_once, "made after all variables and optimizers"),
    "slots without initializer, updated": (
        lambda: run(lambda: tf.raw_ops.ResourceApplyGradientDescent(
            var=tf.get_variable("v", [], use_resource=True).handle, alpha=0.1, delta=1.0
        )),
        "tf.global_variables_initializer()",
    ),
    "nothing fed": (lambda: run(lambda: tf.placeholder(tf.float32) + 1), "feed_dict={x: value}"),
    "fed with another shape": (lambda: fed([1.0, 2.0, 3.0]), "value[None] is a batch of one"),
    "fed with a tensor": (lambda: fed(tf.constant([[1.0, 2.0]])), "what session.run gives"),
    "fed by a wrong name": (lambda: run(lambda: tf.constant(1.0), {"x": 2.0}), "names such as 'x:0'"),
    "fed to another graph": (lambda: run(lambda: tf.constant(1.0), {elsewhere(): 2.0}), "tf.reset_default_graph()"),
    "fetched from another graph": (lambda: run(lambda: [tf.constant(1.0), elsewhere()]), "tf.reset_default_graph()"),
    "two dtypes": (lambda: tf.constant(1) * tf.constant(0.5), "convert the other one: tf.cast(x, tf.float32)"),
    "two dtypes, the other way round": (lambda: tf.constant(0.5) * tf.constant(1), "convert this one: tf.cast(x, tf.float32)"),
    "concat as before 1.0": (lambda: tf.concat(0, [tf.ones([1])] * 2), "tf.concat([a, b], axis)"),
    "a closed session": (closed, "make a session anew"),
    "an optimizer in a scope that reuses": (reused, "outside of it"),
    "a node for a session that is at work": (late, "before graph.finalize()"),
    "a predicate of two": (
        lambda: run(lambda: tf.cond(tf.placeholder_with_default([True, False], None), lambda: 1, lambda: 2)), "one bool",
    ),
    "a loop derived twice": (lambda: twice(tf.constant(2.0)), "a Python `for`"),
    "second derivatives of what is linear": (lambda: tf.hessians(*[tf.constant([1.0, 2.0])] * 2), "all second ones are 0"),
    "map_fn: two results, one dtype": (lambda: tf.map_fn(lambda x: (x, x), tf.constant([1, 2])), "dtype="),
    "map_fn: elems of two lengths": (
        lambda: tf.map_fn(lambda x: x[0], (tf.constant([1, 2]), tf.constant([1, 2, 3])), dtype=tf.int32), "the same first size",
    ),
    "scan: a result unlike the initializer": (
        lambda: tf.scan(lambda a, x: (a, x), tf.constant([1, 2]), initializer=0), "nested in the same way",
    ),
    "the norm of no list": (lambda: tf.clip_by_global_norm(tf.constant(1.0), 1.0), "a list of tensors"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_learners_is_told_with_the_line_and_with_what_helps(mistake):
    call, helps = MISTAKES[mistake]
    with pytest.raises((TypeError, ValueError, RuntimeError, tf.errors.OpError)) as caught:
        call()
    message = str(caught.value)
    assert "\n  where: File " in message
    assert "test_advice.py" in message
    assert message.splitlines()[-1].startswith("  fix: ")
    assert helps in message.splitlines()[-1]
