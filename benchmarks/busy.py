"""`python -m benchmarks.busy [--load 2] [--rounds 7] [--save]`: one thread or several, alone and beside other processes.

Wall time of products of two float32 matrices [n, n], and of a training step with such products, in three sessions: with
`intra_op_parallelism_threads=1`, with all of OpenBLAS's threads, and with as many as there are idle cores, as by default;
first alone, then beside that many processes that compute without a pause. Each figure is the median of rounds in which the
three take turns. `--save` writes benchmarks/BUSY.md.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

# NumPy's library knows best which kernels suit the processor; some machines set those of an older one, or one thread.
for _variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.pop(_variable, None)

import numpy as np  # noqa: E402

import tfedu as tf  # noqa: E402

from .__main__ import machine  # noqa: E402

SIZES = (64, 128, 256, 512, 1024, 2048)
ALL = 1 << 10  # a bound that is none
HERE = Path(__file__).resolve().parent


@contextmanager
def load(processes: int) -> Iterator[None]:
    """That many processes beside this one, which compute until the block ends."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: sum(range(100_000))"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def product_of(n: int) -> Any:
    """A fetch: the sum of a product, so that nothing large is copied out."""
    rng = np.random.default_rng(n)
    left, right = (tf.Variable(rng.normal(size=(n, n)).astype(np.float32)) for _ in range(2))
    return tf.reduce_sum(tf.matmul(left, right))


def training_step() -> Any:
    """A fetch: a step of a network 784-512-256-10 on a batch of 256."""
    layer: Any = tf.Variable(np.random.default_rng(0).normal(size=(256, 784)).astype(np.float32), trainable=False)
    for width in (512, 256, 10):
        weights = tf.Variable(tf.random_normal([int(layer.shape[1]), width], stddev=0.05, seed=1))
        layer = tf.matmul(layer, weights) if width == 10 else tf.nn.relu(tf.matmul(layer, weights))
    return tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_mean(tf.square(layer)))


def medians(make: Callable[[], Any], rounds: int) -> list[float]:
    """Seconds of a run with one thread, with all of the library's, and with as many as there are idle cores."""
    with tf.Graph().as_default() as graph:
        fetch = make()
        sessions = [tf.Session(graph=graph, config=tf.ConfigProto(intra_op_parallelism_threads=n)) for n in (1, ALL, 0)]
        for session in sessions:
            session.run(tf.global_variables_initializer())
    taken: list[list[float]] = [[], [], []]
    for _ in range(rounds):
        for session, seconds in zip(sessions, taken):
            sleep(0.2)  # until the library's threads, which go on looking for work after a product, sleep again
            for _ in range(3):
                session.run(fetch)
            count, begin = 0, perf_counter()
            while perf_counter() - begin < 0.3:
                session.run(fetch)
                count += 1
            seconds.append((perf_counter() - begin) / count)
    return [statistics.median(seconds) for seconds in taken]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.busy", description=__doc__)
    parser.add_argument("--load", type=int, default=2, help="processes beside it (default 2)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--save", action="store_true", help="write benchmarks/BUSY.md")
    options = parser.parse_args()
    places = ("alone", "beside")
    heads = ["what", *(f"{which}, {place}" for place in places for which in ("one thread µs", "all / one", "default / best"))]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    print("\n".join(lines))
    workloads = [(f"[{n}, {n}] · [{n}, {n}]", lambda n=n: product_of(n)) for n in SIZES] + [("a training step", training_step)]
    for what, make in workloads:
        alone = medians(make, options.rounds)
        with load(options.load):
            beside = medians(make, options.rounds)
        figures = [f"{one * 1e6:,.0f} | {every / one:.2f} | {idle / min(one, every):.2f}" for one, every, idle in (alone, beside)]
        cells = " | ".join(figures)
        lines.append(f"| {what} | {cells} |")
        print(lines[-1], flush=True)
    if options.save:
        head = f"# Matrix products beside other processes\n\nMachine: {machine()}. Load: {options.load} processes.\n"
        (HERE / "BUSY.md").write_text("\n".join([head, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
