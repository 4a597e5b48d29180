"""The workloads: each builds its graph with the given `tf` and returns seconds of CPU time per unit.

A workload is a function of (tf, numpy). Those in `BY_HAND` do the same without a graph, in plain NumPy.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

clock = time.process_time


def per_call(function: Callable[[], Any], least: float = 0.15, before: int = 5) -> float:
    """Seconds per call, from as many calls as fill `least` seconds, after so many that are not counted."""
    for _ in range(before):
        function()
    count = 1
    while True:
        start = clock()
        for _ in range(count):
            function()
        spent = clock() - start
        if spent >= least:
            return spent / count
        count *= 2 if spent < least / 10 else max(2, int(least / spent * 1.2))


def counter(tf: Any, np: Any) -> float:
    """The lesson's counter: identity under an assign_add; one run."""
    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1)]):
        y = tf.identity(x)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return per_call(lambda: session.run(y))


def counter_on_a_device(tf: Any, np: Any) -> float:
    """The counter in device scopes, in a session whose configuration counts one device; compare with counter."""
    with tf.device("/cpu:0"):
        x = tf.Variable(0.0)
        with tf.control_dependencies([tf.assign_add(x, 1)]), tf.device("/device:CPU:0"):
            y = tf.identity(x)
    session = tf.Session(config=tf.ConfigProto(device_count={"CPU": 1, "GPU": 0}))
    session.run(tf.global_variables_initializer())
    return per_call(lambda: session.run(y))


def counter_fed(tf: Any, np: Any) -> float:
    """The counter with its step fed as a Python float."""
    x = tf.Variable(0.0)
    step = tf.placeholder(tf.float32, [])
    with tf.control_dependencies([tf.assign_add(x, step)]):
        y = tf.identity(x)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return per_call(lambda: session.run(y, {step: 1.0}))


def lists_fed(tf: Any, np: Any) -> float:
    """Two lists fed, a dict fetched."""
    a = tf.placeholder(tf.float32, [3])
    b = tf.placeholder(tf.float32, [3])
    fetches = {"sum": a + b, "product": a * b}
    session = tf.Session()
    return per_call(lambda: session.run(fetches, {a: [1.0, 2.0, 3.0], b: [4.0, 5.0, 6.0]}))


def lists_nested(tf: Any, np: Any) -> float:
    """Two lists fed, a dict with a list fetched."""
    a = tf.placeholder(tf.float32, [3])
    b = tf.placeholder(tf.float32, [3])
    fetches = {"sum": a + b, "both": [a * b, a - b]}
    session = tf.Session()
    return per_call(lambda: session.run(fetches, {a: [1.0, 2.0, 3.0], b: [4.0, 5.0, 6.0]}))


def _chain(tf: Any, start: Any, step: Any, count: int) -> Any:
    y = start
    for _ in range(count):
        y = tf.add(y, step)
    return y


def _steady(tf: Any, shape: list[int], count: int) -> float:
    np_type = tf.placeholder(tf.float32, shape)
    step = tf.placeholder(tf.float32, shape)
    y = _chain(tf, np_type, step, count)
    session = tf.Session()
    one: Any = 1.0
    for size in reversed(shape):
        one = [one] * size
    import numpy

    feeds = {np_type: numpy.asarray(one, "float32"), step: numpy.asarray(one, "float32")}
    return per_call(lambda: session.run(y, feeds)) / count


def scalar_chain_1k(tf: Any, np: Any) -> float:
    """A chain of 1,000 scalar adds, per op."""
    return _steady(tf, [], 1_000)


def scalar_chain_10k(tf: Any, np: Any) -> float:
    """A chain of 10,000 scalar adds, per op."""
    return _steady(tf, [], 10_000)


def scalar_chain_100k(tf: Any, np: Any) -> float:
    """A chain of 100,000 scalar adds, per op."""
    return _steady(tf, [], 100_000)


def scalar_chain_on_a_device(tf: Any, np: Any) -> float:
    """A chain of 1,000 scalar adds, half of them in a device scope, on one counted device; compare with scalar_chain_1k."""
    x, step = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    y = x
    for turn in range(1_000):
        with tf.device("/cpu:0" if turn % 2 else None):
            y = tf.add(y, step)
    session = tf.Session(config=tf.ConfigProto(device_count={"CPU": 1, "GPU": 0}))
    feeds = {x: np.asarray(1, "float32"), step: np.asarray(1, "float32")}
    return per_call(lambda: session.run(y, feeds)) / 1_000


def vector_chain_100(tf: Any, np: Any) -> float:
    """A chain of 1,000 adds of 100-vectors, per op."""
    return _steady(tf, [100], 1_000)


def vector_chain_10k(tf: Any, np: Any) -> float:
    """A chain of 1,000 adds of 10,000-vectors, per op."""
    return _steady(tf, [10_000], 1_000)


def _build(tf: Any, count: int) -> float:
    x = tf.placeholder(tf.float32, [])
    with tf.name_scope("tower"):
        start = clock()
        _chain(tf, x, x, count)
        return (clock() - start) / count


def build_1k(tf: Any, np: Any) -> float:
    """Building 1,000 adds in a name scope, per op."""
    return _build(tf, 1_000)


def build_100k(tf: Any, np: Any) -> float:
    """Building 100,000 adds in a name scope, per op."""
    return _build(tf, 100_000)


def _gradients(tf: Any, count: int) -> float:
    x, w, b = (tf.placeholder(tf.float32, [10]) for _ in range(3))
    y = x
    for _ in range(count):
        y = tf.tanh(y * w + b)
    tf.gradients(tf.tanh(x * w + b), x)  # what is loaded once counts for no node
    before = len(tf.get_default_graph().get_operations())
    start = clock()
    tf.gradients(y, [x, w, b])
    spent = clock() - start
    return spent / (len(tf.get_default_graph().get_operations()) - before)


def gradients_chain(tf: Any, np: Any) -> float:
    """Gradients of 1,000 times tanh(y * w + b), per node made."""
    return _gradients(tf, 1_000)


def _first_runs(tf: Any, count: int) -> tuple[float, float]:
    x = tf.placeholder(tf.float32, [])
    y = _chain(tf, x, x, count)
    session = tf.Session()
    times = []
    for _ in range(2):
        start = clock()
        session.run(y, {x: 1.0})
        times.append((clock() - start) / count)
    return times[0], times[1]


def first_run_1k(tf: Any, np: Any) -> float:
    """The first run of 1,000 adds, per op."""
    return _first_runs(tf, 1_000)[0]


def first_run_100k(tf: Any, np: Any) -> float:
    """The first run of 100,000 adds, per op."""
    return _first_runs(tf, 100_000)[0]


def second_run_1k(tf: Any, np: Any) -> float:
    """The second run of 1,000 adds, which compiles, per op."""
    return _first_runs(tf, 1_000)[1]


def second_run_100k(tf: Any, np: Any) -> float:
    """The second run of 100,000 adds, which compiles, per op."""
    return _first_runs(tf, 100_000)[1]


def _kernel(tf: Any, np: Any, feeds: list[Any], make: Callable[..., Any]) -> float:
    """One run that fetches what `make` builds on values that stand in variables."""
    variables = [tf.Variable(value, trainable=False) for value in feeds]
    out = make(*variables)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return per_call(lambda: session.run(out), 0.4)


def _numbers(np: Any, *shape: int) -> Any:
    return np.random.default_rng(1).random(shape, "float32")


def top_k(tf: Any, np: Any) -> float:
    """The 10 largest of each row of [64, 10000]."""
    return _kernel(tf, np, [_numbers(np, 64, 10_000)], lambda x: tf.nn.top_k(x, 10))


def argmax(tf: Any, np: Any) -> float:
    """argmax of each row of [1000, 1000]."""
    return _kernel(tf, np, [_numbers(np, 1000, 1000)], lambda x: tf.argmax(x, 1))


def mean_of_columns(tf: Any, np: Any) -> float:
    """The mean over the first axis of [2000, 2000]."""
    return _kernel(tf, np, [_numbers(np, 2000, 2000)], lambda x: tf.reduce_mean(x, 0))


def mean_of_rows(tf: Any, np: Any) -> float:
    """The mean over the last axis of [2000, 2000]."""
    return _kernel(tf, np, [_numbers(np, 2000, 2000)], lambda x: tf.reduce_mean(x, 1))


def gather(tf: Any, np: Any) -> float:
    """10,000 rows of a table [50000, 64]."""
    rows = np.random.default_rng(2).integers(0, 50_000, 10_000).astype("int32")
    return _kernel(tf, np, [_numbers(np, 50_000, 64), rows], tf.gather)


def transpose(tf: Any, np: Any) -> float:
    """The transpose of [2000, 2000]."""
    return _kernel(tf, np, [_numbers(np, 2000, 2000)], tf.transpose)


def _places(np: Any, count: int, below: int) -> Any:
    return np.random.default_rng(2).integers(0, below, count).astype("int32")


def segment_sum(tf: Any, np: Any) -> float:
    """unsorted_segment_sum of [20000, 64] into 1,000 rows, in NumPy's rounds."""
    sums = tf.unsorted_segment_sum(tf.Variable(_numbers(np, 20_000, 64)), tf.Variable(_places(np, 20_000, 1_000)), 1_000)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    # So few runs that Numba's loop does not take over.
    for _ in range(5):
        session.run(sums)
    start = clock()
    for _ in range(100):
        session.run(sums)
    return (clock() - start) / 100


def segment_sum_compiled(tf: Any, np: Any) -> float:
    """unsorted_segment_sum of [20000, 64] into 1,000 rows, by Numba's loop where it is installed."""
    sums = tf.unsorted_segment_sum(tf.Variable(_numbers(np, 20_000, 64)), tf.Variable(_places(np, 20_000, 1_000)), 1_000)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return per_call(lambda: session.run(sums), 0.4, before=300)


def embedding_step(tf: Any, np: Any) -> float:
    """2,048 rows of a table [50000, 128] looked up and trained: one step of momentum."""
    table = tf.get_variable("table", [50_000, 128])
    ids = tf.placeholder(tf.int32, [2048])
    loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids)))
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    feeds = {ids: _places(np, 2_048, 50_000)}
    return per_call(lambda: session.run(train, feeds), 0.4)


def random_uniform(tf: Any, np: Any) -> float:
    """4,000,000 uniform numbers, the same as TensorFlow's."""
    return _kernel(tf, np, [], lambda: tf.random_uniform([2000, 2000], seed=1))


def random_normal(tf: Any, np: Any) -> float:
    """4,000,000 normal numbers, the same as TensorFlow's."""
    return _kernel(tf, np, [], lambda: tf.random_normal([2000, 2000], seed=1))


def seed_regression(tf: Any, np: Any) -> float:
    """A parabola fitted to 100 points: one step of Adam, of 1,000."""
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    w = tf.get_variable("w", shape=[3, 1])
    f = tf.stack([tf.square(x), x, tf.ones_like(x)], 1)
    loss = tf.nn.l2_loss(tf.squeeze(tf.matmul(f, w), 1) - y) + 0.1 * tf.nn.l2_loss(w)
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    xs = np.random.default_rng(1).uniform(-10, 10, 100).astype("float32")
    feeds = {x: xs, y: 5 * xs**2 + 3}
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    for _ in range(20):
        session.run([train, loss], feeds)
    start = clock()
    for _ in range(1_000):
        session.run([train, loss], feeds)
    return (clock() - start) / 1_000


def _mlp(tf: Any, x: Any, y: Any) -> Any:
    """One step of Adam of a network 784-256-128-10."""
    layer, width = x, 784
    for i, units in enumerate((256, 128, 10)):
        kernel = tf.get_variable(f"kernel{i}", [width, units])
        bias = tf.get_variable(f"bias{i}", [units], initializer=tf.zeros_initializer())
        layer = tf.nn.bias_add(tf.matmul(layer, kernel), bias)
        layer = tf.nn.relu(layer) if units != 10 else layer
        width = units
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=layer))
    return tf.train.AdamOptimizer(0.001).minimize(loss)


def mlp_step(tf: Any, np: Any) -> float:
    """A network 784-256-128-10 on batches of 128: one step of Adam."""
    x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int64, [None])
    train = _mlp(tf, x, y)
    rng = np.random.default_rng(1)
    feeds = {x: rng.random((128, 784), "float32"), y: rng.integers(0, 10, 128)}
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    # In a training of this length tfedu[fast] has compiled the loop of Adam's formula.
    return per_call(lambda: session.run(train, feeds), 0.6, before=1_500)


def mlp_queued_step(tf: Any, np: Any) -> float:
    """The same step, on batches that a thread puts into a queue meanwhile; compare with mlp_step."""
    x, y = tf.placeholder(tf.float32, [128, 784]), tf.placeholder(tf.int64, [128])
    queue = tf.FIFOQueue(8, [tf.float32, tf.int64], shapes=[[128, 784], [128]])
    put, close = queue.enqueue([x, y]), queue.close(cancel_pending_enqueues=True)
    train = _mlp(tf, *queue.dequeue())
    rng = np.random.default_rng(1)
    feeds = {x: rng.random((128, 784), "float32"), y: rng.integers(0, 10, 128)}
    session = tf.Session()
    session.run(tf.global_variables_initializer())

    def produce() -> None:
        try:
            while True:
                session.run(put, feeds)
        except tf.errors.CancelledError:
            pass

    producer = threading.Thread(target=produce)
    producer.start()
    try:
        return per_call(lambda: session.run(train), 0.6, before=1_500)
    finally:
        session.run(close)
        producer.join()


def lenet_step(tf: Any, np: Any) -> float:
    """A LeNet (two convolutions 5 x 5 with pooling, two dense layers) on 64 images 28 x 28: one step of gradient descent."""
    x, y = tf.placeholder(tf.float32, [None, 28, 28, 1]), tf.placeholder(tf.int64, [None])
    layer, channels = x, 1
    for i, filters in enumerate((32, 64)):
        kernel = tf.get_variable(f"filter{i}", [5, 5, channels, filters], initializer=_small(tf, i))
        bias = tf.get_variable(f"offset{i}", [filters], initializer=tf.zeros_initializer())
        layer = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(layer, kernel, [1, 1, 1, 1], "SAME"), bias))
        layer = tf.nn.max_pool(layer, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        channels = filters
    layer, width = tf.reshape(layer, [-1, 7 * 7 * 64]), 7 * 7 * 64
    for i, units in enumerate((1024, 10)):
        kernel = tf.get_variable(f"kernel{i}", [width, units], initializer=_small(tf, i))
        bias = tf.get_variable(f"bias{i}", [units], initializer=tf.zeros_initializer())
        layer = tf.nn.bias_add(tf.matmul(layer, kernel), bias)
        layer = tf.nn.relu(layer) if units != 10 else layer
        width = units
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=layer))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    rng = np.random.default_rng(1)
    feeds = {x: rng.random((64, 28, 28, 1), "float32"), y: rng.integers(0, 10, 64)}
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return per_call(lambda: session.run(train, feeds), 1.0)


def _lstm_step(tf: Any, np: Any, run: Callable[..., Any]) -> float:
    """One step of gradient descent of an LSTM of 128 units that reads 28 rows of 28 numbers, on batches of 64."""
    x, y = tf.placeholder(tf.float32, [64, 28, 28]), tf.placeholder(tf.int64, [64])
    state = run(tf.nn.rnn_cell.BasicLSTMCell(128), x)
    logits = tf.matmul(state.h, tf.get_variable("kernel", [128, 10], initializer=_small(tf, 1)))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    rng = np.random.default_rng(1)
    feeds = {x: rng.random((64, 28, 28), "float32"), y: rng.integers(0, 10, 64)}
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return per_call(lambda: session.run(train, feeds), 1.0)


def lstm_static_step(tf: Any, np: Any) -> float:
    """An LSTM of 128 units on 28 rows of 28, by static_rnn, batches of 64: one step of gradient descent."""
    return _lstm_step(tf, np, lambda cell, x: tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)[1])


def lstm_dynamic_step(tf: Any, np: Any) -> float:
    """The same LSTM by dynamic_rnn: one step of gradient descent."""
    return _lstm_step(tf, np, lambda cell, x: tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[1])


def _small(tf: Any, seed: int) -> Any:
    return tf.truncated_normal_initializer(stddev=0.1, seed=seed)


def _convolution(tf: Any, np: Any, images: tuple[int, ...], filter: tuple[int, ...]) -> float:
    """One run of a convolution and both its gradients."""

    def three(x: Any, f: Any) -> list[Any]:
        y = tf.nn.conv2d(x, f, [1, 1, 1, 1], "SAME")
        return [y, *tf.gradients(y, [x, f], y)]

    return _kernel(tf, np, [_numbers(np, *images), _numbers(np, *filter)], three)


def convolution_5x5(tf: Any, np: Any) -> float:
    """64 images [14, 14, 32] with a filter [5, 5, 32, 64], and both gradients."""
    return _convolution(tf, np, (64, 14, 14, 32), (5, 5, 32, 64))


def convolution_3x3(tf: Any, np: Any) -> float:
    """32 images [28, 28, 64] with a filter [3, 3, 64, 64], and both gradients."""
    return _convolution(tf, np, (32, 28, 28, 64), (3, 3, 64, 64))


def softmax(tf: Any, np: Any) -> float:
    """The softmax of each row of [1000, 1000]."""
    return _kernel(tf, np, [_numbers(np, 1000, 1000)], tf.nn.softmax)


def softmax_of_short_rows(tf: Any, np: Any) -> float:
    """The softmax of each row of [10000, 10]."""
    return _kernel(tf, np, [_numbers(np, 10_000, 10)], tf.nn.softmax)


def _of_images(tf: Any, np: Any, make: Callable[[Any], Any]) -> float:
    """One run of `make` on 64 images [28, 28, 32], and its gradient."""

    def both(images: Any) -> list[Any]:
        y = make(images)
        return [y, *tf.gradients(y, images, y)]

    return _kernel(tf, np, [_numbers(np, 64, 28, 28, 32) - np.float32(0.5)], both)


def max_pool_2x2(tf: Any, np: Any) -> float:
    """64 images [28, 28, 32] pooled by the maximum of 2 x 2 pixels, and the gradient."""
    return _of_images(tf, np, lambda x: tf.nn.max_pool(tf.nn.relu(x), [1, 2, 2, 1], [1, 2, 2, 1], "SAME"))


def max_pool_3x3(tf: Any, np: Any) -> float:
    """64 images [28, 28, 32] pooled by the maximum of 3 x 3 pixels that overlap, and the gradient."""
    return _of_images(tf, np, lambda x: tf.nn.max_pool(tf.nn.relu(x), [1, 3, 3, 1], [1, 2, 2, 1], "SAME"))


def avg_pool_2x2(tf: Any, np: Any) -> float:
    """64 images [28, 28, 32] pooled by the mean of 2 x 2 pixels, and the gradient."""
    return _of_images(tf, np, lambda x: tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"))


def batch_norm(tf: Any, np: Any) -> float:
    """fused_batch_norm of 64 images [28, 28, 32] in training, and the gradient."""
    return _of_images(tf, np, lambda x: tf.nn.fused_batch_norm(x, [1.5] * 32, [0.5] * 32)[0])


def local_response(tf: Any, np: Any) -> float:
    """lrn of 64 images [28, 28, 32] over 11 channels, and the gradient."""
    return _of_images(tf, np, lambda x: tf.nn.lrn(x, 5, alpha=1e-4, beta=0.75))


def cond(tf: Any, np: Any) -> float:
    """A cond of ten nodes a branch; one run."""
    x, limit = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])

    def branch(one: Any, other: Any) -> Any:
        # (Of a branch that only adds TensorFlow's own rewriting makes a wrong one.)
        y = one
        for _ in range(5):
            y = tf.add(tf.multiply(y, one), other)
        return y

    y = tf.cond(x < limit, lambda: branch(x, limit), lambda: branch(limit, x))
    session = tf.Session()
    given = np.float32(1), np.float32(2)
    return per_call(lambda: session.run(y, {x: given[0], limit: given[1]}))


def _loop(tf: Any, rounds: int) -> float:
    last = tf.while_loop(lambda i: i < rounds, lambda i: i + 1, [tf.constant(0)])
    session = tf.Session()
    return per_call(lambda: session.run(last)) / rounds


def while_100(tf: Any, np: Any) -> float:
    """A while_loop of 100 scalar iterations, per iteration."""
    return _loop(tf, 100)


def while_10k(tf: Any, np: Any) -> float:
    """A while_loop of 10,000 scalar iterations, per iteration."""
    return _loop(tf, 10_000)


def while_gradient(tf: Any, np: Any) -> float:
    """A while_loop of 1,000 scalar iterations and its gradient, per iteration."""
    x = tf.placeholder(tf.float32, [])
    _, y = tf.while_loop(lambda i, s: i < 1_000, lambda i, s: (i + 1, s * 0.5 + x), [tf.constant(0), x])
    (gradient,) = tf.gradients(y, x)
    session = tf.Session()
    given = np.float32(1)
    return per_call(lambda: session.run(gradient, {x: given})) / 1_000


def while_nested(tf: Any, np: Any) -> float:
    """A while_loop with a cond in a while_loop, 50 times 50 iterations, per inner iteration."""

    def inner(i: Any, j: Any, s: Any) -> Any:
        return i, j + 1, s + tf.cond(tf.equal(j % 2, 0), lambda: i, lambda: j)

    def outer(i: Any, s: Any) -> Any:
        return i + 1, tf.while_loop(lambda i, j, s: j < 50, inner, [i, tf.constant(0), s])[2]

    _, last = tf.while_loop(lambda i, s: i < 50, outer, [tf.constant(0), tf.constant(0)])
    session = tf.Session()
    return per_call(lambda: session.run(last)) / 2_500


def while_array(tf: Any, np: Any) -> float:
    """A while_loop that reads two elements of a TensorArray and writes one, 2,000 times, per iteration."""
    n = 2_000
    array = tf.TensorArray(tf.float32, n, clear_after_read=False).write(0, 1.0).write(1, 2.0)
    _, array = tf.while_loop(
        lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, 0.5 * (a.read(i - 1) + a.read(i - 2)))), [tf.constant(2), array]
    )
    last = array.stack()
    session = tf.Session()
    return per_call(lambda: session.run(last)) / n


def scan_gradient(tf: Any, np: Any) -> float:
    """tf.scan over 500 rows of 16 and its gradient, per row."""
    x = tf.placeholder(tf.float32, [500, 16])
    (gradient,) = tf.gradients(tf.scan(lambda a, row: tf.tanh(a * 0.5 + row), x), x)
    session = tf.Session()
    given = np.linspace(-1, 1, 8_000, dtype=np.float32).reshape(500, 16)
    return per_call(lambda: session.run(gradient, {x: given})) / 500


def _elements(tf: Any, dataset: Any, size: int) -> float:
    """The time of a pass over batches of `size` elements, per element."""
    iterator = dataset.repeat().make_initializable_iterator()
    batch = iterator.get_next()
    session = tf.Session()
    session.run(iterator.initializer)
    return per_call(lambda: session.run(batch)) / size


def data_map_batch(tf: Any, np: Any) -> float:
    """A dataset: slices of 20,000 numbers, shuffled in a buffer of 1,000, mapped, in batches of 32; per element."""
    numbers = tf.data.Dataset.from_tensor_slices(np.arange(20_000, dtype=np.float32))
    return _elements(tf, numbers.shuffle(1_000, seed=1).map(lambda x: x * 2.0 + 1.0).batch(32), 32)


def data_batch_map(tf: Any, np: Any) -> float:
    """A dataset: slices of 20,000 numbers, in batches of 32, mapped; per element."""
    numbers = tf.data.Dataset.from_tensor_slices(np.arange(20_000, dtype=np.float32))
    return _elements(tf, numbers.batch(32).map(lambda x: x * 2.0 + 1.0), 32)


def data_map_of_rows(tf: Any, np: Any) -> float:
    """A dataset: pairs of a row of 10 and a label, shuffled in a buffer of 1,000, normalized, in batches of 32; per element."""
    rows = np.random.RandomState(0).rand(20_000, 10).astype(np.float32)
    pairs = tf.data.Dataset.from_tensor_slices((rows, np.arange(20_000)))

    def normalized(row: Any, label: Any) -> Any:
        return row / tf.reduce_sum(row), label

    return _elements(tf, pairs.shuffle(1_000, seed=1).map(normalized).batch(32), 32)


def read_records(tf: Any, np: Any) -> float:
    """A TFRecord file of 20,000 records of 100 bytes, read by the program, checksums checked; per record."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "records")
        with tf.io.TFRecordWriter(path) as writer:
            for _ in range(20_000):
                writer.write(bytes(100))
        return per_call(lambda: sum(1 for _ in tf.python_io.tf_record_iterator(path)), before=1) / 20_000


def parse_examples(tf: Any, np: Any) -> float:
    """A batch of 128 Examples with a picture, a label, 16 numbers and up to 5 ids, parsed; per example."""
    rng = np.random.RandomState(0)
    examples = []
    for _ in range(128):
        example = tf.train.Example()
        feature = example.features.feature
        feature["picture"].bytes_list.value.append(rng.bytes(784))
        feature["label"].int64_list.value.append(rng.randint(10))
        feature["numbers"].float_list.value.extend(rng.rand(16))
        feature["ids"].int64_list.value.extend(rng.randint(0, 100_000, rng.randint(1, 6)))
        examples.append(example.SerializeToString())
    serialized = tf.placeholder(tf.string, [None])
    wanted = {
        "picture": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64),
        "numbers": tf.io.FixedLenFeature([16], tf.float32), "ids": tf.io.VarLenFeature(tf.int64),
    }  # fmt: skip
    parsed = tf.group(*[tensor.op for tensor in tf.io.parse_example(serialized, wanted).values()])
    session, given = tf.Session(), np.array(examples, object)
    return per_call(lambda: session.run(parsed, {serialized: given})) / 128


def parse_csv(tf: Any, np: Any) -> float:
    """A batch of 128 csv lines with two numbers and a text, parsed; per line."""
    lines = tf.placeholder(tf.string, [None])
    parsed = tf.group(*tf.io.decode_csv(lines, [[1], [1.0], [""]]))
    session, given = tf.Session(), np.array(["12,2.5,abc"] * 128, object)
    return per_call(lambda: session.run(parsed, {lines: given})) / 128


WORKLOADS = [
    counter, counter_on_a_device, counter_fed, lists_fed, lists_nested, scalar_chain_1k, scalar_chain_on_a_device,
    scalar_chain_10k, scalar_chain_100k, vector_chain_100, vector_chain_10k, build_1k, build_100k, first_run_1k, first_run_100k,
    second_run_1k, second_run_100k, gradients_chain, top_k, argmax, mean_of_columns, mean_of_rows, gather, transpose,
    segment_sum, segment_sum_compiled, embedding_step, random_uniform, random_normal, seed_regression, mlp_step,
    mlp_queued_step, lenet_step, lstm_static_step, lstm_dynamic_step, convolution_5x5, convolution_3x3, softmax,
    softmax_of_short_rows, max_pool_2x2, max_pool_3x3, avg_pool_2x2, batch_norm, local_response, cond, while_100, while_10k,
    while_gradient, while_nested, while_array, scan_gradient, data_map_batch, data_batch_map, data_map_of_rows, read_records,
    parse_examples, parse_csv,
]  # fmt: skip

# TensorFlow takes minutes for these, and its figure per op is known from the smaller one.
# The rows on a device are compared with tfedu's own rows without one.
NOT_FOR_ORACLE = {
    "build_100k", "first_run_100k", "second_run_100k", "scalar_chain_100k", "counter_on_a_device", "scalar_chain_on_a_device",
}  # fmt: skip


# -- by hand -----------------------------------------------------------------------------------------------------


def _hand_counter(np: Any) -> float:
    cell = [np.float32(0)]
    one = np.float32(1)

    def run() -> Any:
        cell[0] = cell[0] + one
        return cell[0]

    return per_call(run)


def _hand_loop(np: Any) -> float:
    first, one, limit = np.int32(0), np.int32(1), np.int32(10_000)

    def run() -> Any:
        i = first
        while i < limit:
            i = i + one
        return i

    return per_call(run) / 10_000


def _hand_chain(np: Any, shape: tuple[int, ...], count: int) -> float:
    start, step = np.ones(shape, "float32")[()], np.ones(shape, "float32")[()]
    add = np.add

    def scalars() -> Any:
        y = start
        for _ in range(count):
            y = y + step
        return y

    def arrays() -> Any:
        y = start
        for _ in range(count):
            y = add(y, step)
        return y

    return per_call(arrays if shape else scalars) / count


def _hand_network(np: Any) -> float:
    rng = np.random.default_rng(1)
    x, labels = rng.random((128, 784), "float32"), rng.integers(0, 10, 128)
    rate, beta1, beta2, epsilon = (np.float32(n) for n in (0.001, 0.9, 0.999, 1e-8))
    weights = []
    for rows, columns in ((784, 256), (256, 128), (128, 10)):
        bound = (6 / (rows + columns)) ** 0.5
        weights += [rng.uniform(-bound, bound, (rows, columns)).astype("float32"), np.zeros(columns, "float32")]
    means, squares = ([np.zeros_like(w) for w in weights] for _ in range(2))
    powers = [beta1, beta2]
    each = np.arange(128)

    def adam(at: int, gradient: Any) -> None:
        alpha = rate * np.sqrt(1 - powers[1]) / (1 - powers[0])
        arrays = [a.reshape(-1) for a in (weights[at], means[at], squares[at], gradient)]
        for start in range(0, gradient.size, 1 << 15):  # so many of each stay in a core's own cache
            w, m, v, g = (a[start : start + (1 << 15)] for a in arrays)
            step = g * (1 - beta1)
            m *= beta1
            m += step
            np.square(g, step)
            step *= 1 - beta2
            v *= beta2
            v += step
            np.sqrt(v, step)
            step += epsilon
            np.divide(m, step, step)
            step *= alpha
            w -= step

    def run() -> None:
        layers = [x]
        for at in (0, 2, 4):
            layer = layers[-1] @ weights[at]
            layer += weights[at + 1]
            layers.append(np.maximum(layer, 0, out=layer) if at < 4 else layer)
        slope = layers.pop()
        slope -= slope.max(1, keepdims=True)
        np.exp(slope, slope)
        slope /= slope.sum(1, keepdims=True)
        slope[each, labels] -= 1
        slope /= 128
        gradients = {}
        for at in (4, 2, 0):
            gradients[at], gradients[at + 1] = layers[-1].T @ slope, slope.sum(0)
            if at:
                slope = slope @ weights[at].T
                slope *= layers.pop() > 0
        for at, gradient in gradients.items():
            adam(at, gradient)
        powers[0], powers[1] = powers[0] * beta1, powers[1] * beta2

    return per_call(run, 0.6)


BY_HAND: dict[str, Callable[[Any], float]] = {
    "counter": _hand_counter,
    "scalar_chain_1k": lambda np: _hand_chain(np, (), 1_000),
    "scalar_chain_10k": lambda np: _hand_chain(np, (), 10_000),
    "scalar_chain_100k": lambda np: _hand_chain(np, (), 100_000),
    "vector_chain_100": lambda np: _hand_chain(np, (100,), 1_000),
    "vector_chain_10k": lambda np: _hand_chain(np, (10_000,), 1_000),
    "while_10k": _hand_loop,
    "mlp_step": _hand_network,
}

# What each row aims at: microseconds per op, at most, and how often its figure goes into the oracle's.
AIMS: dict[str, dict[str, float]] = {
    "counter": {"ratio": 30},
    "counter_fed": {"ratio": 20},
    "scalar_chain_1k": {"µs": 0.06},
    "build_1k": {"µs": 8},
    "build_100k": {"µs": 8},
    "gradients_chain": {"µs": 12, "ratio": 12},
    "first_run_1k": {"µs": 10},
    "first_run_100k": {"µs": 10},
    "second_run_1k": {"µs": 20},
    "second_run_100k": {"µs": 20},
    **{name: {"ratio": 1} for name in ("top_k", "argmax", "mean_of_columns", "mean_of_rows", "gather", "transpose")},
    "segment_sum_compiled": {"ratio": 1},
    "random_uniform": {"ratio": 0.15},
    "seed_regression": {"ratio": 3},
    "mlp_step": {"ratio": 0.95},
    "lenet_step": {"ratio": 0.9},
    **{name: {"ratio": 0.9} for name in ("lstm_static_step", "lstm_dynamic_step")},
    **{name: {"ratio": 0.9} for name in ("softmax", "softmax_of_short_rows", "max_pool_2x2", "batch_norm")},
    "cond": {"ratio": 10},
    **{name: {"ratio": 12} for name in ("while_100", "while_10k", "while_nested")},
    "while_gradient": {"ratio": 4},
    "data_map_batch": {"ratio": 15},
    "read_records": {"µs": 10},
    "parse_examples": {"ratio": 0.33},
    "data_batch_map": {"ratio": 8},
}
