"""Loops that keep what they compute: Fibonacci, Collatz, a small recurrent net by hand, beam search, map and scan."""

import numpy as np
import tensorflow as tf


def fibonacci(n):
    numbers = tf.TensorArray(tf.int32, n, clear_after_read=False)
    numbers = numbers.write(0, 1).write(1, 1)

    def step(i, numbers):
        return i + 1, numbers.write(i, numbers.read(i - 1) + numbers.read(i - 2))

    _, numbers = tf.while_loop(lambda i, _: i < n, step, (2, numbers))
    return numbers.stack()


def collatz(start):
    """The numbers on the way to 1; how many there are is not known before."""

    def step(x, i, way):
        x = tf.cond(tf.equal(x % 2, 0), lambda: x // 2, lambda: 3 * x + 1)
        return x, i + 1, way.write(i, x)

    way = tf.TensorArray(tf.int32, size=1, dynamic_size=True).write(0, start)
    _, length, way = tf.while_loop(lambda x, i, w: x > 1, step, (start, 1, way))
    return way.stack(), length


def recurrent(inputs, state, w, u):
    """The outputs of a net that takes one row after the other."""
    rows = tf.TensorArray(tf.float32, tf.shape(inputs)[0]).unstack(inputs)
    outputs = tf.TensorArray(tf.float32, tf.shape(inputs)[0])

    def step(i, h, outputs):
        h = tf.tanh(tf.matmul(tf.expand_dims(rows.read(i), 0), w) + tf.matmul(h, u))
        return i + 1, h, outputs.write(i, h)

    _, last, outputs = tf.while_loop(lambda i, *_: i < tf.shape(inputs)[0], step, (0, state, outputs))
    return outputs.concat(), last


def beam_search(log_probabilities, width, steps):
    """The best ways through a table of transitions [tokens, tokens], from token 0: (tokens [width, steps], scores)."""
    tokens = log_probabilities.shape[0].value

    def step(i, scores, last, chosen, parents):
        total = tf.expand_dims(scores, 1) + tf.gather(log_probabilities, last)
        scores, flat = tf.nn.top_k(tf.reshape(total, [-1]), k=width)
        scores.set_shape([width])
        return i + 1, scores, flat % tokens, chosen.write(i, flat % tokens), parents.write(i, flat // tokens)

    start = tf.constant([0.0] + [-1e9] * (width - 1))
    arrays = [tf.TensorArray(tf.int32, steps, name=name) for name in ("chosen", "parents")]
    _, scores, _, chosen, parents = tf.while_loop(
        lambda i, *_: i < steps, step, [0, start, tf.zeros([width], tf.int32)] + arrays
    )
    chosen, parents = chosen.stack(), parents.stack()

    way = tf.TensorArray(tf.int32, steps)

    def walk(i, at, way):
        way = way.write(i, tf.gather(chosen[i], at))
        return i - 1, tf.gather(parents[i], at), way

    _, _, way = tf.while_loop(lambda i, *_: i >= 0, walk, (steps - 1, tf.range(width), way))
    return tf.transpose(way.stack()), scores


def main():
    n = tf.placeholder(tf.int32, [])
    numbers = fibonacci(n)
    way, length = collatz(n)
    inputs = tf.placeholder(tf.float32, [None, 2])
    w = tf.Variable([[0.5, -0.3], [0.2, 0.4]])
    u = tf.Variable([[0.1, 0.6], [-0.2, 0.3]])
    outputs, last = recurrent(inputs, tf.zeros([1, 2]), w, u)
    loss = tf.reduce_mean(tf.square(outputs - 0.25))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    table = tf.log(tf.constant([[0.1, 0.6, 0.3], [0.5, 0.2, 0.3], [0.3, 0.3, 0.4]]))
    paths, scores = beam_search(table, 3, 4)
    squares = tf.map_fn(lambda x: x * x, n + tf.range(4))
    running = tf.scan(tf.maximum, tf.constant([3, 1, 4, 1, 5, 9, 2, 6]))
    horner = tf.foldl(lambda total, c: total * n + c, tf.constant([1, 0, -3, 2]))
    pairs = tf.map_fn(lambda p: (p[0] + p[1], p[0] > p[1]), (n * tf.range(3), tf.constant([2, 1, 0])), dtype=(tf.int32, tf.bool))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for value in (2, 6, 10):
            print("fibonacci", value, sess.run(numbers, {n: value}).tolist())
        for value in (1, 6, 7):
            print("collatz", value, [np.array(v).tolist() for v in sess.run([way, length], {n: value})])
        rows = [[1.0, 2.0], [0.5, -1.0], [0.0, 1.0]]
        for _ in range(4):
            print(f"loss {sess.run([loss, train], {inputs: rows})[0]:.5f}")
        print("last", np.round(sess.run(last, {inputs: rows}).astype(float), 4).tolist(), outputs.shape)
        best, score = sess.run([paths, scores])
        for path, s in zip(best.tolist(), score):
            print("path", path, f"{s:.4f}")
        print([v.tolist() for v in sess.run([squares, running, horner], {n: 3})])
        print([v.tolist() for v in sess.run(pairs, {n: 1})])
        try:
            sess.run(numbers, {n: 1})
        except tf.errors.InvalidArgumentError as error:
            print("refused:", "Tried to write to index 1 but array is not resizeable" in error.message)


if __name__ == "__main__":
    main()
