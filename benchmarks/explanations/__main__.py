"""`python -m benchmarks.explanations [--longest 60] [--save]`: see the package's docstring."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tfedu as tf
from tfedu import explain

HERE = Path(__file__).resolve().parent
SIZES = (1_000, 10_000, 100_000)

# Each gets the fetch and a node at the beginning of the graph, on which all others depend.
QUESTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "why": lambda y, node: explain.why(node, y),
    "why_in_session": lambda y, node: explain.why(node, y, session=tf.Session()),
    "why_not": lambda y, node: explain.why_not(node, y),
    "lint": lambda y, node: explain.lint(y.graph),
    "outcomes": lambda y, node: explain.outcomes(y),
    "races": lambda y, node: explain.races(y),
    "assert_deterministic": lambda y, node: _undecided(y),
    "diagnose": lambda y, node: explain.diagnose({"y": y}, {"y": ["1"]}, runs=1),
    "building": lambda y, node: explain.building(y.graph),
    "passes": lambda y, node: explain.passes(y),
    "graph_diff": lambda y, node: explain.graph_diff(y.graph, y.graph),
    "timelines": lambda y, node: explain.timelines(y),
    "reasons": lambda y, node: explain.reasons(y.graph, [y], []),
    "gradient_steps": lambda y, node: explain.gradient_steps(y, node.outputs[0]),
    "copied": lambda y, node: explain.copied(y.graph),
    "Game": lambda y, node: explain.Game(y),
}


def _undecided(y: Any) -> None:
    """The check; a search that ends at its budget says that it does."""
    try:
        explain.assert_deterministic(y)
    except explain.UndecidedError:
        return


def graph(nodes: int) -> tuple[Any, Any]:
    """A chain of half the nodes, and as many nodes beside each other after it."""
    start = tf.constant(1.0)
    end = start
    for _ in range(nodes // 2):
        end = tf.sin(end)
    y = tf.add_n([tf.negative(end) for _ in range(nodes - nodes // 2)])
    return y, start.op


def measure(question: str, nodes: int) -> float:
    """Seconds of processor time of one answer; what it draws or writes later is not part of it."""
    y, node = graph(nodes)
    begin = time.process_time()
    QUESTIONS[question](y, node)
    return time.process_time() - begin


def cell(question: str, nodes: int, longest: float) -> str:
    """A measurement in a process of its own, as text."""
    command = [sys.executable, "-m", "benchmarks.explanations", "--one", question, str(nodes)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=longest, check=False)
    except subprocess.TimeoutExpired:
        return f"> {longest:g}"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["fails"])[-1].partition(":")[0]
    return f"{float(done.stdout):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explanations", description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("QUESTION", "NODES"), help=argparse.SUPPRESS)
    parser.add_argument("--longest", type=float, default=60.0, help="seconds after which a measurement is given up")
    parser.add_argument("--save", action="store_true", help="write benchmarks/explanations/RESULTS.md")
    options = parser.parse_args()
    if options.one:
        print(measure(options.one[0], int(options.one[1])))
        return
    lines = [f"| question | {' | '.join(f'{size:,} nodes' for size in SIZES)} |", "|---|" + "---|" * len(SIZES)]
    for question in QUESTIONS:
        cells: list[str] = []
        for size in SIZES:
            # What was given up with fewer nodes would be given up again.
            cells.append("–" if cells and not cells[-1][0].isdigit() else cell(question, size, options.longest))
        lines.append(f"| {question} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    if options.save:
        text = (
            "# Explanations\n\nSeconds of processor time for one answer about a graph: one half is a chain, the other half\n"
            "stands beside each other after it. `–`: not tried, as fewer nodes had been given up; `>`: given up after\n"
            f"{options.longest:g} seconds of the clock.\n\n"
        )
        (HERE / "RESULTS.md").write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
