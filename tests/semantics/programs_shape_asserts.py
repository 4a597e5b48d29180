"""Assertions about several shapes at once and about finite values: errors while building and errors in the run."""

from harness import attempt, fresh, graph_of, program


def checked(tf, shapes, feed=None, **more):
    """What the check says when it is built and in a run."""
    op = tf.debugging.assert_shapes(shapes, **more)
    with tf.Session() as sess:
        return sess.run(op, feed)


@program
def shapes_that_are_known(tf, np):
    x, y, s = tf.zeros([2, 3]), tf.zeros([2]), tf.constant(1.0)
    cases = {
        "same": [(x, ("n", "m")), (y, ("n",))], "other": [(x, ("n", "m")), (y, ("m",))], "number": [(x, (2, 3))],
        "wrong number": [(x, (2, 4))],
        "any": [(x, (None, "."))], "text": [(x, "nm"), (y, "n")], "innermost": [(x, (..., 3))],
        "star": [(x, ("*", "m")), (y, ("*", "n"))],
        "late star": [(x, (2, "*"))], "rank": [(x, ("n",))], "rank at least": [(y, (..., 1, 2))], "scalar": [(s, ())],
        "scalar is one": [(s, (1,))],
        "no list": [(x, 3)], "none": [(x, None)], "number as text": [(x, ("2", "3"))], "empty": [],
    }  # fmt: skip
    return {name: attempt(lambda shapes=shapes: checked(tf, shapes)) for name, shapes in cases.items()}


@program
def shapes_that_a_run_tells(tf, np):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, [None], name="y")
    u = tf.placeholder(tf.float32, name="u")
    good, bad = {x: np.zeros([2, 3]), y: np.zeros([2])}, {x: np.zeros([2, 3]), y: np.zeros([4])}

    def kind(found):
        return found if found is None else found.classes[0]

    return [
        kind(attempt(lambda: checked(tf, [(x, ("n", 3)), (y, ("n",))], good))),
        kind(attempt(lambda: checked(tf, [(x, ("n", 3)), (y, ("n",))], bad))),
        kind(attempt(lambda: checked(tf, [(y, (2,))], good))), kind(attempt(lambda: checked(tf, [(y, (5,))], good))),
        kind(attempt(lambda: checked(tf, [(u, ("a", "b"))], {u: np.zeros([1, 2])}))),
        kind(attempt(lambda: checked(tf, [(u, ("a", "b"))], {u: np.zeros([1])}))),
        kind(attempt(lambda: checked(tf, [(u, (3,))], {u: np.zeros([3])}))),
        kind(attempt(lambda: checked(tf, [(u, (3,))], {u: np.zeros([4])}))),
    ]  # fmt: skip


@program
def messages_of_shape_checks(tf, np):
    x = tf.zeros([2, 3], name="x")
    return [attempt(lambda: checked(tf, [(x, (2, 4))], message="look")),
        attempt(lambda: checked(tf, [(x, ("n", "n"))], message="look", name="mine"))]


@program
def finite_values_pass(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.verify_tensor_all_finite(x, "not finite")
    z = tf.debugging.assert_all_finite(x, "never", name="mine")
    with tf.Session() as sess:
        return [y, z, sess.run(y, {x: [1.0, 2.0]}), attempt(lambda: sess.run(y, {x: [1.0, np.inf]})).classes[0], graph_of(tf),
            fresh(tf, lambda: tf.verify_tensor_all_finite(t=1.0, msg="m", x=1.0))]
