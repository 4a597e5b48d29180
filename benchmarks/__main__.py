"""`python -m benchmarks [--oracle PYTHON] [--rounds 7] [--save] [name …]`: see the package's docstring."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

import numpy

from .workloads import AIMS, BY_HAND, NOT_FOR_ORACLE, WORKLOADS

HERE = Path(__file__).resolve().parent


def measure(python: str, engine: str, name: str) -> tuple[float, float]:
    """CPU seconds per unit, and the bytes that the workload added to the process at its peak."""
    done = subprocess.run(
        [python, str(HERE / "worker.py"), engine, name], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{engine} {name} failed:\n{done.stderr[-2000:]}")
    seconds, memory = done.stdout.strip().splitlines()[-1].split()
    return float(seconds), float(memory)


def shown(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{seconds * 1e6:.3g}" if seconds < 1e-3 else f"{seconds * 1e6:,.0f}"


def verdict(name: str, ours: float, oracle: float | None) -> str:
    told = []
    for kind, figure in AIMS.get(name, {}).items():
        if kind == "ratio" and oracle is None:
            told.append(f"aim: {figure:g}×")
        elif kind == "ratio":
            told.append(f"aim {figure:g}× {'met' if oracle / ours >= figure else 'missed'}")
        else:
            told.append(f"aim {figure:g} µs {'met' if ours * 1e6 <= figure else 'missed'}")
    return ", ".join(told)


def machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        pairs = [line.split(":", 1) for line in info.read_text().split("\n\n")[0].splitlines() if ":" in line]
        told = {name.strip(): value.strip() for name, value in pairs}
        model = told.get("model name", model)
        # A virtual machine's processor may have no other name.
        if "cpu family" in told:
            model += f" (family {told['cpu family']}, model {told['model']})"
    found = importlib.util.find_spec("numba")
    compiler = f"Numba {importlib.metadata.version('numba')}" if found else "without Numba (the extra fast)"
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release().split('-')[0]}, "
        f"Python {platform.python_version()}, NumPy {numpy.__version__}, {compiler}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--oracle", metavar="PYTHON", help="interpreter of an environment with TensorFlow")
    parser.add_argument("--rounds", type=int, default=7, help="processes per figure (default 7)")
    parser.add_argument("--save", action="store_true", help="write benchmarks/RESULTS.md")
    parser.add_argument("names", nargs="*", help="workloads (default: all)")
    options = parser.parse_args()
    chosen = [w for w in WORKLOADS if not options.names or w.__name__ in options.names]
    lines = [
        "| workload | what | tfedu µs | NumPy by hand µs | TensorFlow µs | TensorFlow / tfedu | aim |",
        "|---|---|---|---|---|---|---|",
    ]
    held = [
        "| training step | tfedu MiB | TensorFlow MiB | tfedu / TensorFlow (aim: at most 1.5) |",
        "|---|---|---|---|",
    ]
    print("\n".join(lines))
    for workload in chosen:
        name = workload.__name__
        engines = {"tfedu": sys.executable}
        if name in BY_HAND:
            engines["numpy"] = sys.executable
        if options.oracle and name not in NOT_FOR_ORACLE:
            engines["oracle"] = options.oracle
        samples: dict[str, list[tuple[float, float]]] = {engine: [] for engine in engines}
        for _ in range(options.rounds):
            for engine, python in engines.items():
                samples[engine].append(measure(python, engine, name))
        median = {
            engine: statistics.median(seconds for seconds, _ in values) for engine, values in samples.items()
        }
        memory = {engine: statistics.median(size for _, size in values) for engine, values in samples.items()}
        ours, oracle = median["tfedu"], median.get("oracle")
        ratio = f"{oracle / ours:.1f}" if oracle is not None else "–"
        what = (workload.__doc__ or "").strip().rstrip(".")
        row = (
            f"| {name} | {what} | {shown(ours)} | {shown(median.get('numpy'))} | {shown(oracle)} | {ratio} "
            f"| {verdict(name, ours, oracle)} |"
        )
        lines.append(row)
        print(row, flush=True)
        if name.endswith("_step") and memory.get("oracle"):
            mine, theirs = memory["tfedu"], memory["oracle"]
            held.append(f"| {name} | {mine / 2**20:.0f} | {theirs / 2**20:.0f} | {mine / theirs:.2f} |")
    print("\n".join(held))
    if options.save:
        text = (
            "# Benchmarks\n\n"
            f"CPU time per unit (a run, or an op of a chain) of single-threaded processes, medians of {options.rounds}, "
            f"all of one session.\n\nMachine: {machine()}.\n\n" + "\n".join(lines) + "\n\n## Memory\n\n"
            "What building the graph and training add, at their peak, to a process that has imported the engine and, here, "
            "Numba with its compiler (some 150 MiB, where it is installed).\n\n"
            + "\n".join(held)
            + "\n"
        )
        (HERE / "RESULTS.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
