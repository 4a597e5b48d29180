"""Shared by the programs of gradients: samples, and the gradients of first and second order of a function."""

import warnings

from harness import fresh

X = [[0.6, 1.2, 0.9], [1.4, 0.7, 1.1], [0.8, 1.3, 0.5], [1.0, 0.55, 1.35], [0.75, 1.05, 0.95]]
Y = [0.65, 1.25, 0.85]


def both_orders(tf, np, f, *inputs):
    """The gradients of f and of the sum of their squares, for known and for unknown shapes."""

    def run():
        gradients = []
        values = [np.array(i, np.float32) for i in inputs]
        for shapes in ([v.shape for v in values], [[None] * v.ndim for v in values]):
            xs = [tf.placeholder(tf.float32, shape) for shape in shapes]
            first = tf.gradients(f(*xs), xs)
            with warnings.catch_warnings():  # TF warns where it makes rows of unknown shape dense
                warnings.simplefilter("ignore", UserWarning)
                first = [g if g is None else tf.convert_to_tensor(g) for g in first]
                squares = [tf.reduce_sum(tf.square(g)) for g in first if g is not None]
                second = tf.gradients(squares or [tf.constant(1.0)], xs)
                second = [g if g is None else tf.convert_to_tensor(g) for g in second]
            with tf.Session() as session:
                feed = dict(zip(xs, values, strict=True))
                gradients.append([None if g is None else session.run(g, feed) for g in [*first, *second]])
        return gradients

    return fresh(tf, run)
