"""Runs every check of `make test`, one after the other, and says at the end which of them failed.

A failed check does not keep the others from running: one run shows all there is to mend. pytest comes last.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON = [sys.executable, "-m"]
NPM = ["npm", "run", "--silent"]
CHECKS = [
    ("ruff", [*PYTHON, "ruff", "check", "tfedu", "tests", "tools", "benchmarks"], "."),
    ("mypy", [*PYTHON, "mypy"], "."),
    ("import-linter", ["lint-imports"], "."),
    ("biome", [*NPM, "lint"], "widgets"),
    ("tsc", [*NPM, "types"], "widgets"),
    ("vitest", [*NPM, "test"], "widgets"),
    ("pytest", [*PYTHON, "pytest", "-m", "not long"], "."),
]


def main() -> int:
    # .venv may hold the Node, too
    environment = {**os.environ, "PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    results = []
    for name, command, folder in CHECKS:
        print(f"\n== {name}", flush=True)
        start = time.monotonic()
        code = subprocess.run(command, cwd=ROOT / folder, env=environment, stdin=subprocess.DEVNULL).returncode
        results.append((name, code, time.monotonic() - start))
    print("\n== all checks")
    for name, code, seconds in results:
        print(f"{name:15} {seconds:6.1f} s  {'good' if code == 0 else f'FAILED (exit {code})'}")
    failed = [name for name, code, _ in results if code]
    print(f"failed: {', '.join(failed)}" if failed else "everything holds", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
