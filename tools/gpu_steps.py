"""Step times on a GPU: `measured()` times an MLP, a chain of 20 elementwise ops, a matrix product, random numbers and
softmax, and others beside them.

Each line is one process's measurements of one machine: tfedu, PyTorch eager, torch.compile and jax.jit, where they are there, on
the same work, with the ratio of each to tfedu. No state.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_REPEATS = 15


class Line(NamedTuple):
    """One work: seconds by program, and the bytes that it must move at least (0: not bound by memory)."""

    work: str
    seconds: dict[str, float]
    bytes: int
    flops: float


def _median(step: Callable[[], Any], wait: Callable[[], Any], inner: int = 10) -> float:
    """The median time of one step, in seconds, after a warm-up; the GPU has finished at the end of each timing."""
    for _ in range(5):
        step()
    wait()
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        for _ in range(inner):
            step()
        wait()
        times.append((time.perf_counter() - start) / inner)
    return statistics.median(times)


# A program of a module (torch, jax): the step to be timed.
Maker = Callable[[Any], Callable[[], Any]]


def _others(make_torch: Maker, make_jax: Maker, inner: int) -> dict[str, float]:
    """The times of PyTorch eager, torch.compile and jax.jit; one that is not installed or fails is left out, with its reason."""
    found: dict[str, float] = {}
    try:
        import torch
    except ImportError:
        pass
    else:
        try:
            plain = make_torch(torch)
            found["PyTorch eager"] = _median(plain, torch.cuda.synchronize, inner)
            found["torch.compile"] = _median(torch.compile(plain), torch.cuda.synchronize, inner)
        except Exception as error:  # a PyTorch without CUDA, too
            print(f"PyTorch: {type(error).__name__}: {str(error)[:200]}")
    try:
        import jax

        step = make_jax(jax)
        last: list[Any] = [None]

        def run() -> None:
            last[0] = step()

        found["jax.jit"] = _median(run, lambda: jax.block_until_ready(last[0]), inner)
    except ImportError:
        pass
    except Exception as error:
        print(f"jax.jit: {type(error).__name__}: {str(error)[:200]}")
    return found


def copy_rate() -> float:
    """Bytes read and written per second by a large copy in the GPU's memory."""
    import cupy

    source = cupy.ones(1 << 28, np.float32)
    target = cupy.empty_like(source)
    seconds = _median(lambda: cupy.copyto(target, source), cupy.cuda.Device().synchronize)
    return 2 * source.nbytes / seconds


def _chain(size: int) -> Line:
    import cupy

    import tfedu as tf

    def chain(x: Any) -> Any:
        for _ in range(10):
            x = x * 1.0001 + 0.5
        return x

    with tf.Graph().as_default():
        v = tf.get_variable("v", initializer=tf.ones([size]))
        # A run leaves out what nobody reads.
        result = chain(tf.identity(v))[:1]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            seconds = _median(lambda: session.run(result), cupy.cuda.Device().synchronize, 2)

    def of_torch(torch: Any) -> Callable[[], Any]:
        x = torch.ones(size, device="cuda")
        return lambda: chain(x)

    def of_jax(jax: Any) -> Callable[[], Any]:
        x, step = jax.numpy.ones(size, np.float32), jax.jit(chain)
        return lambda: step(x)

    cupy.get_default_memory_pool().free_all_blocks()
    return Line(f"20 elementwise ops on {size:,} floats", {"tfedu": seconds, **_others(of_torch, of_jax, 2)}, 8 * size, 0)


def _product(size: int) -> Line:
    import cupy

    import tfedu as tf

    with tf.Graph().as_default():
        a, b = (tf.get_variable(name, initializer=tf.random_normal([size, size], seed=i)) for i, name in enumerate("ab"))
        result = tf.matmul(a, b)[:1, :1]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            seconds = _median(lambda: session.run(result), cupy.cuda.Device().synchronize, 3)

    def of_torch(torch: Any) -> Callable[[], Any]:
        a, b = torch.randn(size, size, device="cuda"), torch.randn(size, size, device="cuda")
        return lambda: a @ b

    def of_jax(jax: Any) -> Callable[[], Any]:
        draw = np.random.default_rng(0).standard_normal
        a, b = jax.numpy.asarray(draw((size, size), np.float32)), jax.numpy.asarray(draw((size, size), np.float32))
        step = jax.jit(lambda a, b: jax.numpy.matmul(a, b, precision="highest"))
        return lambda: step(a, b)

    return Line(f"matrix product {size}³, float32", {"tfedu": seconds, **_others(of_torch, of_jax, 3)}, 0, 2.0 * size**3)


_SIZES = (784, 512, 256, 10)


def _normals(size: int) -> Line:
    import cupy

    import tfedu as tf

    with tf.Graph().as_default():
        # A run leaves out what nobody reads.
        result = tf.random_normal([size], seed=1)[:1]
        with tf.Session() as session:
            seconds = _median(lambda: session.run(result), cupy.cuda.Device().synchronize, 2)

    def of_torch(torch: Any) -> Callable[[], Any]:
        return lambda: torch.randn(size, device="cuda")

    def of_jax(jax: Any) -> Callable[[], Any]:
        key, step = jax.random.key(0), jax.jit(lambda key: jax.random.normal(key, (size,), np.float32))
        return lambda: step(key)

    return Line(f"{size:,} normal numbers", {"tfedu": seconds, **_others(of_torch, of_jax, 2)}, 4 * size, 0)


def _softmax(rows: int, classes: int) -> Line:
    import cupy

    import tfedu as tf

    with tf.Graph().as_default():
        v = tf.get_variable("v", initializer=tf.random_normal([rows, classes], seed=1))
        result = tf.nn.softmax(v)[:1, :1]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            seconds = _median(lambda: session.run(result), cupy.cuda.Device().synchronize, 3)

    def of_torch(torch: Any) -> Callable[[], Any]:
        x = torch.randn(rows, classes, device="cuda")
        return lambda: torch.softmax(x, 1)

    def of_jax(jax: Any) -> Callable[[], Any]:
        x, step = jax.random.normal(jax.random.key(0), (rows, classes)), jax.jit(jax.nn.softmax)
        return lambda: step(x)

    seconds_by_program = {"tfedu": seconds, **_others(of_torch, of_jax, 3)}
    return Line(f"softmax of {rows:,} rows of {classes:,}", seconds_by_program, 8 * rows * classes, 0)


def _mlp(batch: int) -> Line:
    import cupy

    import tfedu as tf

    draw = np.random.default_rng(0)
    images, labels = draw.standard_normal((batch, _SIZES[0]), np.float32), draw.integers(0, 10, batch).astype(np.int64)
    weights = [draw.standard_normal(shape, np.float32) * np.float32(0.05) for shape in itertools.pairwise(_SIZES)]
    with tf.Graph().as_default():
        # The batch lies in variables, on the GPU as the other programs' batch: the transfer of feeds is not timed.
        x = tf.get_variable("x", initializer=images, trainable=False)
        y = tf.get_variable("y", initializer=labels, trainable=False)
        h = x
        for i, weight in enumerate(weights):
            bias = tf.get_variable(f"b{i}", initializer=tf.zeros(weight.shape[1:]))
            h = tf.matmul(h, tf.get_variable(f"w{i}", initializer=weight)) + bias
            h = tf.nn.relu(h) if i < len(weights) - 1 else h
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=h))
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            seconds = _median(lambda: session.run(step), cupy.cuda.Device().synchronize, 10)

    def of_torch(torch: Any) -> Callable[[], Any]:
        layers: list[Any] = []
        for i, weight in enumerate(weights):
            layer = torch.nn.Linear(*weight.shape, device="cuda")
            layer.weight.data = torch.tensor(weight.T.copy(), device="cuda")
            layers += [layer, torch.nn.ReLU()] if i < len(weights) - 1 else [layer]
        model = torch.nn.Sequential(*layers)
        x, y = torch.tensor(images, device="cuda"), torch.tensor(labels, device="cuda")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

        def step() -> None:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()

        return step

    def of_jax(jax: Any) -> Callable[[], Any]:
        jnp = jax.numpy
        state = [[(jnp.asarray(w), jnp.zeros(w.shape[1], np.float32)) for w in weights]]
        x, y = jnp.asarray(images), jnp.asarray(labels)

        def loss(parameters: Any) -> Any:
            h = x
            for i, (w, b) in enumerate(parameters):
                h = h @ w + b
                h = jax.nn.relu(h) if i < len(parameters) - 1 else h
            return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(h), y[:, None], 1))

        update = jax.jit(lambda p: jax.tree.map(lambda v, g: v - 0.1 * g, p, jax.grad(loss)(p)))

        def step() -> Any:
            state[0] = update(state[0])
            return state[0]

        return step

    seconds_by_program = {"tfedu": seconds, **_others(of_torch, of_jax, 10)}
    return Line(f"training step of an MLP {'-'.join(map(str, _SIZES))}, {batch} rows", seconds_by_program, 0, 0)


def measured() -> list[Line]:
    """The lines of all works."""
    return [_mlp(128), _chain(1 << 28), _product(8192), _normals(1 << 28), _softmax(1 << 15, 1 << 12)]


__all__ = ["Line", "copy_rate", "measured"]
