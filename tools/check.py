"""Runs every check of `make test`, as many at a time as there are cores, and says at the end which of them failed.

A failed check does not keep the others from running: one run shows all there is to mend. Each line begins with the name of
its check, and the last lines of each failed check stand once more at the very end, where a log that keeps its end alone has
them. pytest runs in parts, so that the cores end together: each part takes the folders that it names, the last one the rest.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON = [sys.executable, "-m"]
NPM = ["npm", "run", "--silent"]
PYTEST = [*PYTHON, "pytest", "-m", "not long"]
PARTS = {"browser": ["tests/browser"], "ops": ["tests/ops", "tests/op"], "notebooks": ["tests/notebooks"]}
REST = [f"--ignore={folder}" for folders in PARTS.values() for folder in folders]
LAST_LINES, LINE_LENGTH = 8, 200  # of each failed check, shown again at the end
# The longest first: what is short fills the end.
CHECKS = [
    ("browser", [*PYTEST, *PARTS["browser"]], "."),
    ("the rest", [*PYTEST, "tests", *REST], "."),
    ("vitest", [*NPM, "test"], "widgets"),
    ("ops", [*PYTEST, *PARTS["ops"]], "."),
    ("notebooks", [*PYTEST, *PARTS["notebooks"]], "."),
    ("mypy", [*PYTHON, "mypy"], "."),
    ("tsc", [*NPM, "types"], "widgets"),
    ("biome", [*NPM, "lint"], "widgets"),
    ("ruff", [*PYTHON, "ruff", "check", "tfedu", "tests", "tools", "benchmarks"], "."),
    ("import-linter", ["lint-imports"], "."),
]


def main() -> int:
    pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    begin = time.monotonic()
    try:
        results = list(pool.map(run, CHECKS))
    finally:
        pool.shutdown(cancel_futures=True)  # after Ctrl-C, which reaches what is running too, nothing new begins
    print("\n== all checks")
    for (name, _, _), (code, seconds, _) in zip(CHECKS, results):
        print(f"{name:15} {seconds:6.1f} s  {'good' if code == 0 else f'FAILED (exit {code})'}")
    failed = [name for (name, _, _), (code, _, _) in zip(CHECKS, results) if code]
    for (name, _, _), (code, _, last) in zip(CHECKS, results):
        for line in last if code else ():
            print(f"{name:13} | {line.rstrip()[:LINE_LENGTH]}")
    print(f"{time.monotonic() - begin:.0f} s; {'failed: ' + ', '.join(failed) if failed else 'everything holds'}", flush=True)
    return 1 if failed else 0


def run(check: tuple[str, list[str], str]) -> tuple[int, float, list[str]]:
    """The exit code of a check, its seconds, and the last lines that it printed: pytest's name the failed tests."""
    name, command, folder = check
    # .venv may hold the Node, too
    environment = {**os.environ, "PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    start = time.monotonic()
    last: deque[str] = deque(maxlen=LAST_LINES)
    with subprocess.Popen(
        command, cwd=ROOT / folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace",
    ) as process:  # fmt: skip
        for line in process.stdout or ():
            print(f"{name:13} | {line}", end="", flush=True)
            last.append(line)
    return process.returncode, time.monotonic() - start, list(last)


if __name__ == "__main__":
    sys.exit(main())
