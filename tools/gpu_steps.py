"""Steps on a GPU: `measured()` times an MLP, an LSTM, a chain of 20 elementwise ops, a matrix product, random numbers and
softmax, and counts their kernels; `table(lines, rate)` is its text for benchmarks/gpu.md.

Each line is one process's measurements of one machine: tfedu, PyTorch eager, torch.compile and jax.jit on the same work, with
the ratio of each to tfedu. Where a program is missing or fails, its row says why. PyTorch's profiler counts the kernels of all
programs: CUPTI, which it asks, sees what the process runs on the GPU, whoever launched it. No state.
"""

from __future__ import annotations

import functools
import itertools
import json
import pathlib
import statistics
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_REPEATS = 15


class Kernels(NamedTuple):
    """What one step runs on the GPU: how many kernels, and the sum of their times in seconds."""

    count: float
    seconds: float


class Line(NamedTuple):
    """One work, what a meter found by program (a text: why it found nothing), and the bytes and the operations that the work
    takes at least (0: they do not bound it)."""

    work: str
    found: dict[str, Any]
    bytes: int
    flops: float


# Measures a step: the step, what waits for the GPU, and how many steps to run at a time.
Meter = Callable[[Callable[[], Any], Callable[[], Any], int], Any]


def _median(step: Callable[[], Any], wait: Callable[[], Any], inner: int) -> float:
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


def launches(step: Callable[[], Any], wait: Callable[[], Any], inner: int) -> Kernels | str:
    """The kernels of one step; or why they are not known."""
    try:
        import torch
    except ImportError:
        return "PyTorch, whose profiler counts kernels, is not installed"
    if not torch.cuda.is_available():
        return "this PyTorch, whose profiler counts kernels, finds no CUDA"
    for _ in range(5):
        step()
    wait()
    try:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as recorded:
            for _ in range(inner):
                step()
            wait()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.json"
            recorded.export_chrome_trace(str(path))
            events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    except Exception as error:  # a CUPTI that is missing, or that the driver refuses
        return f"PyTorch's profiler failed: {_told(error)}"
    return kernels_of(events, inner)


def kernels_of(events: list[dict[str, Any]], steps: int) -> Kernels | str:
    """The kernels of one step, from the events of a Chrome trace of several. Copies and annotations are no kernels."""
    times = [event["dur"] for event in events if event.get("ph") == "X" and event.get("cat") == "kernel"]
    if not times:
        return "PyTorch's profiler recorded no kernel: CUPTI gives this process nothing"
    return Kernels(len(times) / steps, sum(times) / steps / 1e6)


# A program of a module (torch, jax): the step to be measured.
Maker = Callable[[Any], Callable[[], Any]]


def _told(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}"[:200].split()).replace("|", "/")


def _others(make_torch: Maker, make_jax: Maker, inner: int, meter: Meter) -> dict[str, Any]:
    """What the meter finds of PyTorch eager, torch.compile and jax.jit; of one that is not installed or fails, a text says so."""
    found: dict[str, Any] = {}

    def measure(program: str, measured: Callable[[], Any]) -> None:
        try:
            found[program] = measured()
        except ImportError as error:
            found[program] = f"{error.name} is not installed" if error.name in ("torch", "jax") else _told(error)
        except Exception as error:  # a PyTorch without CUDA, too
            found[program] = _told(error)

    def of_torch(compiled: bool) -> Any:
        import torch

        step = make_torch(torch)
        return meter(torch.compile(step) if compiled else step, torch.cuda.synchronize, inner)

    def of_jax() -> Any:
        import jax

        if jax.default_backend() != "gpu":
            raise RuntimeError("this JAX finds no GPU")
        # JAX would multiply in TF32, as none of the others does.
        with jax.default_matmul_precision("highest"):
            step = make_jax(jax)
            last: list[Any] = [None]

            def run() -> None:
                last[0] = step()

            return meter(run, lambda: jax.block_until_ready(last[0]), inner)

    measure("PyTorch eager", lambda: of_torch(compiled=False))
    measure("torch.compile", lambda: of_torch(compiled=True))
    measure("jax.jit", of_jax)
    return found


def _wait() -> None:
    import cupy

    cupy.cuda.Device().synchronize()


def _free() -> None:
    """Gives the other programs the memory that CuPy's pool keeps."""
    import cupy

    cupy.get_default_memory_pool().free_all_blocks()


def copy_rate() -> float:
    """Bytes read and written per second by a large copy in the GPU's memory."""
    import cupy

    source = cupy.ones(1 << 28, np.float32)
    target = cupy.empty_like(source)
    seconds = _median(lambda: cupy.copyto(target, source), _wait, 10)
    return 2 * source.nbytes / seconds


def _chain(size: int, meter: Meter) -> Line:
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
            own = meter(lambda: session.run(result), _wait, 2)

    def of_torch(torch: Any) -> Callable[[], Any]:
        x = torch.ones(size, device="cuda")
        return lambda: chain(x)

    def of_jax(jax: Any) -> Callable[[], Any]:
        x, step = jax.numpy.ones(size, np.float32), jax.jit(chain)
        return lambda: step(x)

    _free()
    return Line(f"20 elementwise ops on {size:,} floats", {"tfedu": own, **_others(of_torch, of_jax, 2, meter)}, 8 * size, 0)


def _product(size: int, meter: Meter) -> Line:
    import tfedu as tf

    with tf.Graph().as_default():
        a, b = (tf.get_variable(name, initializer=tf.random_normal([size, size], seed=i)) for i, name in enumerate("ab"))
        result = tf.matmul(a, b)[:1, :1]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            own = meter(lambda: session.run(result), _wait, 3)

    def of_torch(torch: Any) -> Callable[[], Any]:
        a, b = torch.randn(size, size, device="cuda"), torch.randn(size, size, device="cuda")
        return lambda: a @ b

    def of_jax(jax: Any) -> Callable[[], Any]:
        draw = np.random.default_rng(0).standard_normal
        a, b = jax.numpy.asarray(draw((size, size), np.float32)), jax.numpy.asarray(draw((size, size), np.float32))
        step = jax.jit(jax.numpy.matmul)
        return lambda: step(a, b)

    return Line(f"matrix product {size}³, float32", {"tfedu": own, **_others(of_torch, of_jax, 3, meter)}, 0, 2.0 * size**3)


_SIZES = (784, 512, 256, 10)


def _normals(size: int, meter: Meter) -> Line:
    import tfedu as tf

    with tf.Graph().as_default():
        # A run leaves out what nobody reads.
        result = tf.random_normal([size], seed=1)[:1]
        with tf.Session() as session:
            own = meter(lambda: session.run(result), _wait, 2)

    def of_torch(torch: Any) -> Callable[[], Any]:
        return lambda: torch.randn(size, device="cuda")

    def of_jax(jax: Any) -> Callable[[], Any]:
        key, step = jax.random.key(0), jax.jit(lambda key: jax.random.normal(key, (size,), np.float32))
        return lambda: step(key)

    return Line(f"{size:,} normal numbers", {"tfedu": own, **_others(of_torch, of_jax, 2, meter)}, 4 * size, 0)


def _softmax(rows: int, classes: int, meter: Meter) -> Line:
    import tfedu as tf

    with tf.Graph().as_default():
        v = tf.get_variable("v", initializer=tf.random_normal([rows, classes], seed=1))
        result = tf.nn.softmax(v)[:1, :1]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            own = meter(lambda: session.run(result), _wait, 3)

    def of_torch(torch: Any) -> Callable[[], Any]:
        x = torch.randn(rows, classes, device="cuda")
        return lambda: torch.softmax(x, 1)

    def of_jax(jax: Any) -> Callable[[], Any]:
        x, step = jax.random.normal(jax.random.key(0), (rows, classes)), jax.jit(jax.nn.softmax)
        return lambda: step(x)

    found = {"tfedu": own, **_others(of_torch, of_jax, 3, meter)}
    return Line(f"softmax of {rows:,} rows of {classes:,}", found, 8 * rows * classes, 0)


def _mlp(batch: int, meter: Meter) -> Line:
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
            own = meter(lambda: session.run(step), _wait, 10)

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

    found = {"tfedu": own, **_others(of_torch, of_jax, 10, meter)}
    return Line(f"training step of an MLP {'-'.join(map(str, _SIZES))}, {batch} rows", found, 0, 0)


# What a program gives of the LSTM: its step, and the loss of the weights that it has come to.
Trained = tuple[Callable[[], Any], Callable[[], Any]]


def lstm(batch: int, device: str) -> tuple[Callable[[], Trained], Callable[[Any], Trained], Callable[[Any], Trained]]:
    """The makers of the LSTM's program in tfedu, PyTorch and JAX, from one start: 28 steps of a cell of 128 units, unrolled.

    The programs are the same, op by op: none calls cuDNN's LSTM. device: PyTorch's; the others choose the GPU where there is one.
    """
    units, classes, rate = 128, 10, 0.1
    draw = np.random.default_rng(0)
    images, labels = draw.random((batch, 28, 28), np.float32), draw.integers(0, classes, batch).astype(np.int64)
    kernel = draw.standard_normal((28 + units, 4 * units), np.float32) * np.float32(0.1)
    output = draw.standard_normal((units, classes), np.float32) * np.float32(0.1)
    start = [kernel, np.zeros(4 * units, np.float32), output, np.zeros(classes, np.float32)]

    def of_tfedu() -> Trained:
        import tfedu as tf

        with tf.Graph().as_default():
            x = tf.get_variable("x", initializer=images, trainable=False)
            y = tf.get_variable("y", initializer=labels, trainable=False)
            with tf.variable_scope("lstm", initializer=tf.constant_initializer(kernel)):
                _, state = tf.nn.static_rnn(tf.nn.rnn_cell.BasicLSTMCell(units), tf.unstack(x, axis=1), dtype=tf.float32)
            logits = tf.matmul(state.h, tf.get_variable("w", initializer=output)) + tf.get_variable("b", initializer=start[3])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
            step = tf.train.GradientDescentOptimizer(rate).minimize(loss)
            session = tf.Session()
            session.run(tf.global_variables_initializer())
        return lambda: session.run(step), lambda: session.run(loss)

    def of_torch(torch: Any) -> Trained:
        parameters = [torch.tensor(array, device=device, requires_grad=True) for array in start]
        x, y = torch.tensor(images, device=device), torch.tensor(labels, device=device)
        zeros = torch.zeros(batch, units, device=device)
        optimizer = torch.optim.SGD(parameters, lr=rate)

        def loss() -> Any:
            weight, bias, w, b = parameters
            c = h = zeros
            for row in x.unbind(1):
                i, j, f, o = (torch.cat([row, h], 1) @ weight + bias).chunk(4, 1)
                c = c * torch.sigmoid(f + 1.0) + torch.sigmoid(i) * torch.tanh(j)
                h = torch.tanh(c) * torch.sigmoid(o)
            return torch.nn.functional.cross_entropy(h @ w + b, y)

        def step() -> None:
            optimizer.zero_grad()
            loss().backward()
            optimizer.step()

        return step, lambda: loss().item()

    def of_jax(jax: Any) -> Trained:
        jnp = jax.numpy
        x, y, state = jnp.asarray(images), jnp.asarray(labels), [[jnp.asarray(array) for array in start]]

        def loss(parameters: Any) -> Any:
            weight, bias, w, b = parameters
            c = h = jnp.zeros((batch, units), np.float32)
            for t in range(x.shape[1]):
                i, j, f, o = jnp.split(jnp.concatenate([x[:, t], h], 1) @ weight + bias, 4, 1)
                c = c * jax.nn.sigmoid(f + 1.0) + jax.nn.sigmoid(i) * jnp.tanh(j)
                h = jnp.tanh(c) * jax.nn.sigmoid(o)
            return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(h @ w + b), y[:, None], 1))

        update = jax.jit(lambda p: jax.tree.map(lambda v, g: v - rate * g, p, jax.grad(loss)(p)))

        def step() -> Any:
            state[0] = update(state[0])
            return state[0]

        of_state = jax.jit(loss)
        return step, lambda: of_state(state[0])

    return of_tfedu, of_torch, of_jax


def _lstm(batch: int, meter: Meter) -> Line:
    of_tfedu, of_torch, of_jax = lstm(batch, "cuda")
    own = meter(of_tfedu()[0], _wait, 10)
    found = {"tfedu": own, **_others(lambda torch: of_torch(torch)[0], lambda jax: of_jax(jax)[0], 10, meter)}
    return Line(f"training step of an LSTM of 128 units on 28 rows of 28, unrolled, {batch} pictures", found, 0, 0)


def measured() -> list[tuple[Line, Line]]:
    """For each work, the line of its seconds and that of its kernels."""
    works: list[Callable[[Meter], Line]] = [
        functools.partial(_mlp, 128), functools.partial(_lstm, 64), functools.partial(_chain, 1 << 28),
        functools.partial(_product, 8192), functools.partial(_normals, 1 << 28), functools.partial(_softmax, 1 << 15, 1 << 12),
    ]  # fmt: skip
    # CUPTI, once it has been asked, slows the launches of the process: all times come before.
    times = [work(_median) for work in works]
    return list(zip(times, [work(launches) for work in works], strict=True))


def table(lines: list[tuple[Line, Line]], rate: float) -> list[str]:
    """The lines of text for what `measured` gives, on a GPU that copies `rate` bytes per second."""
    text = [
        f"A copy in the GPU's memory moves {rate / 1e12:.2f} TB/s, read and written. Kernels are those that the GPU runs for one "
        "step, also where one launch of a CUDA graph runs many; copies do not count.", "",
        "| work | program | ms | time / tfedu's | kernels | their sum, ms | |", "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    reasons: dict[str, None] = {}
    for times, kernels in lines:
        for program, seconds in times.found.items():
            if isinstance(seconds, str):
                text.append(f"| {times.work} | {program} | – | – | – | – | {seconds} |")
                continue
            share = f"{times.bytes / seconds / rate:.0%} of the copy's rate" if times.bytes else ""
            share = f"{times.flops / seconds / 1e12:.1f} TFLOP/s" if times.flops else share
            counted = kernels.found[program]
            if isinstance(counted, str):
                reasons[counted] = None
                launched = "– | –"
            else:
                launched = f"{counted.count:g} | {counted.seconds * 1e3:.3f}"
            ratio = seconds / times.found["tfedu"]
            text.append(f"| {times.work} | {program} | {seconds * 1e3:.3f} | {ratio:.2f} | {launched} | {share} |")
    if reasons:
        text += ["", f"Kernels that were not counted (–): {'; '.join(reasons)}."]
    return text


__all__ = ["Kernels", "Line", "copy_rate", "kernels_of", "launches", "lstm", "measured", "table"]
