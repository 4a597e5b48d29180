"""A distribution of Pyodide for tests: `made()` is a folder as the official archive has it, with the packages that tests need.

The interpreter is the npm package `pyodide`. NumPy's wheel for it is in no registry by itself; another npm package carries one,
from which these tests alone take it. Everything is downloaded once, into build/lite, and checked by its hash. As a script, which
set-up runs: downloads it.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "lite" / "for-tests"
NUMPY = "numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
# package and version -> the hash of its archive, and the files wanted from it
PACKAGES = {
    "pyodide@0.29.3": (
        "924f3167d6bf5e553bda392615eaa82edd82a9cffc32a1cc49853a926b148c5c",
        [f"package/{name}" for name in RUNTIME],
    ),
    "@bentopdf/pymupdf-wasm@0.11.16": (
        "cd093f8824761031cae51a5f4f7b47e34030e7a000e09030b7871a11a52e73a0",
        [f"package/assets/{NUMPY}"],
    ),
}


def made() -> pathlib.Path:
    """The folder. Raises: CalledProcessError where npm cannot fetch a package, ValueError for another archive than expected."""
    done, made_from = FOLDER / "made_from", str(PACKAGES)
    if not done.is_file() or done.read_text("utf-8") != made_from:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        for package, (digest, names) in PACKAGES.items():
            _take(package, digest, names)
        _list_numpy()
        done.write_text(made_from, "utf-8")
    return FOLDER


def wheels(name: str) -> list[pathlib.Path]:
    """The wheels of requirements-{name}.lock: "pyodide-test" is pytest and what tfedu needs beside NumPy, "pyodide" Jupyter's."""
    lock, folder = ROOT / f"requirements-{name}.lock", FOLDER / name
    done = folder / "made_from"
    if not done.is_file() or done.read_bytes() != lock.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        pure = ["--only-binary=:all:", "--python-version=3.13", "--implementation=py", "--abi=none", "--platform=any"]
        pip = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "download", "--no-deps", "--require-hashes"]
        subprocess.run([*pip, *pure, f"--dest={folder}", "-r", lock], check=True)
        shutil.copy(lock, done)
    return sorted(folder.glob("*.whl"))


def _take(package: str, digest: str, names: list[str]) -> None:
    command = ["npm", "pack", package, "--silent", f"--pack-destination={FOLDER}"]
    name = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    archive = FOLDER / name
    if hashlib.sha256(archive.read_bytes()).hexdigest() != digest:
        raise ValueError(f"{package} is another archive than the one that these tests were written with")
    with tarfile.open(archive) as packed:
        for each in names:
            with packed.extractfile(each) as source:
                (FOLDER / pathlib.PurePosixPath(each).name).write_bytes(source.read())
    archive.unlink()


def _list_numpy() -> None:
    """Lets the list of packages name the one wheel that is there, by its own hash."""
    path = FOLDER / "pyodide-lock.json"
    listed = json.loads(path.read_text("utf-8"))
    numpy = {**listed["packages"]["numpy"], "sha256": hashlib.sha256((FOLDER / NUMPY).read_bytes()).hexdigest()}
    path.write_text(json.dumps({**listed, "packages": {"numpy": numpy}}), "utf-8")


if __name__ == "__main__":
    made()
    wheels("pyodide-test")

__all__ = ["NUMPY", "ROOT", "made", "wheels"]
