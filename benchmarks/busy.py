"""`python -m benchmarks.busy [--load 2] [--rounds 5] [--save]`: matrix products beside other processes.

Wall time of a product of two float32 matrices [n, n], and of a training step with such products, with one of OpenBLAS's threads,
with all of them, and as tfedu divides it, first alone and then beside that many processes that compute without a pause. Each
figure is the median of rounds in which the three take turns, so that they meet the same machine. The last columns compare tfedu
with the better of the other two, which is another one in each case: none may be above 1.2 on a machine that does nothing else.
`--save` writes benchmarks/BUSY.md.
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
from time import perf_counter
from typing import Any

# NumPy's library knows best which kernels suit the processor; some machines set those of an older one, or one thread.
for _variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.pop(_variable, None)

import numpy as np  # noqa: E402

import tfedu as tf  # noqa: E402
from tfedu.engine.backends import product_threads  # noqa: E402

from .__main__ import machine  # noqa: E402

SIZES = (64, 128, 200, 256, 512, 1024, 2048)
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


def product_of(n: int) -> Callable[[Callable[[Any, Any], Any]], Callable[[], Any]]:
    rng = np.random.default_rng(n)
    left, right = (rng.normal(size=(n, n)).astype(np.float32) for _ in range(2))
    return lambda multiply: lambda: multiply(left, right)


def training_step(multiply: Callable[[Any, Any], Any]) -> Callable[[], Any]:
    """A step of a network 784-512-256-10 on batches of 256; `multiply` takes the place of the engine's product."""
    rng = np.random.default_rng(0)
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [256, 784])
        layer: Any = x
        for width in (512, 256, 10):
            weights = tf.Variable(tf.random_normal([int(layer.shape[1]), width], stddev=0.05, seed=1))
            layer = tf.matmul(layer, weights) if width == 10 else tf.nn.relu(tf.matmul(layer, weights))
        step = tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_mean(tf.square(layer)))
        session = tf.Session(graph=graph)
        session.run(tf.global_variables_initializer())
    batch = rng.normal(size=(256, 784)).astype(np.float32)

    def run() -> None:
        kept = product_threads.product
        product_threads.product = multiply
        try:
            session.run(step, {x: batch})
        finally:
            product_threads.product = kept

    return run


def medians(make: Callable[[Callable[[Any, Any], Any]], Callable[[], Any]], rounds: int) -> list[float]:
    """Seconds with one thread, with all of the library's, and divided."""
    functions = product_threads._functions()
    if functions is None:
        raise SystemExit("This NumPy does not bring OpenBLAS: there is nothing to compare.")
    set_number, number = functions
    most = number()
    divided = product_threads.product
    plain = make(lambda left, right: left.dot(right))
    ways = [(1, plain), (most, plain), (most, make(divided))]
    plain()
    begin = perf_counter()
    plain()
    repeat = max(1, min(2_000, round(0.05 / (perf_counter() - begin))))
    taken: list[list[float]] = [[], [], []]
    for _ in range(rounds):
        for (threads, run), seconds in zip(ways, taken):
            set_number(threads)
            run()
            begin = perf_counter()
            for _ in range(repeat):
                run()
            seconds.append((perf_counter() - begin) / repeat)
    set_number(most)
    return [statistics.median(seconds) for seconds in taken]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.busy", description=__doc__)
    parser.add_argument("--load", type=int, default=2, help="processes beside it (default 2)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--save", action="store_true", help="write benchmarks/BUSY.md")
    options = parser.parse_args()
    columns = " | ".join(f"{way} µs, {case}" for case in ("alone", "beside") for way in ("one thread", "OpenBLAS's", "tfedu"))
    lines = [f"| what | {columns} | tfedu / best, alone | beside |", "|---" * 9 + "|"]
    print("\n".join(lines))
    workloads = [(f"[{n}, {n}] · [{n}, {n}]", product_of(n)) for n in SIZES] + [("a training step", training_step)]
    for what, make in workloads:
        alone = medians(make, options.rounds)
        with load(options.load):
            beside = medians(make, options.rounds)
        shown = " | ".join(f"{seconds * 1e6:,.0f}" for seconds in (*alone, *beside))
        ratios = " | ".join(f"{case[2] / min(case[:2]):.2f}" for case in (alone, beside))
        lines.append(f"| {what} | {shown} | {ratios} |")
        print(lines[-1], flush=True)
    if options.save:
        head = f"# Products beside other processes\n\nMachine: {machine()}. Load: {options.load} processes.\n"
        (HERE / "BUSY.md").write_text("\n".join([head, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
