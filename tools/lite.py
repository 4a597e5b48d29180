"""Builds the course as a static site that runs in the browser alone, with JupyterLite and Pyodide: build/lite/site.

`python3 tools/lite.py PYODIDE` is what `make lite PYODIDE=…` runs in .venv-lite. PYODIDE: the official distribution of Pyodide
0.28 or 0.29, pyodide-VERSION.tar.bz2, or a folder with its files. It gives the interpreter and NumPy; all other packages of the
browser's Python are wheels from PyPI, of exactly the versions in requirements-pyodide.lock, and tfedu itself. They stand in the
distribution's own list of packages, from which the interpreter loads all of them while it starts: no cell installs anything.
"""

from __future__ import annotations

import email.parser
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "lite"
SITE = WORK / "site"
ABI = "2025_0"  # of Pyodide 0.28 and 0.29: what a compiled wheel is made for
LIST = "pyodide-lock.json"
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", LIST)
# JupyterLite's own wheels: the kernel, its installer, and stand-ins for what a browser has no use for
OF_THE_KERNEL = ("ipykernel", "piplite", "pyodide_kernel", "widgetsnbextension-4")
# What no cell needs: stubs that Jedi has of other packages (5 of the 8 thousand files), and the course, which the site has itself
OMITTED = ("jedi/third_party/django-stubs/", "jedi/third_party/typeshed/stubs/", "tfedu/course/")
NOT_IN_A_BROWSER = ("jupyterlab_widgets", "widgetsnbextension")  # the site has these in JavaScript


class BuildFailed(Exception):
    """What the person at the terminal has to do."""


def main() -> int:
    if len(sys.argv) != 2 or not sys.argv[1]:
        print("usage: make lite PYODIDE=pyodide-0.29.3.tar.bz2 (or the folder that it was unpacked to)", file=sys.stderr)
        return 2
    try:
        build(pathlib.Path(sys.argv[1]))
    except BuildFailed as e:
        print(f"\nNo site was built: {e}", file=sys.stderr)
        return 1
    folder = SITE.relative_to(ROOT)
    print(f"The site is in {folder}. To look at it: python3 -m http.server --bind 127.0.0.1 --directory {folder} 8000")
    return 0


def build(source: pathlib.Path) -> None:
    distribution = unpacked(source)
    lite = WORK / "parts"  # what JupyterLite puts together
    for folder in (lite, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    pyodide = lite / "static" / "pyodide"
    pyodide.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy2(distribution / name, pyodide)
    known = json.loads((distribution / LIST).read_text("utf-8"))
    wheels = [numpy_of(distribution, known), *kernel_wheels(), *locked_wheels(), own_wheel()]
    for wheel in wheels:
        copy_without(wheel, pyodide / wheel.name)
    print("lite: the browser's Python compiles the wheels", flush=True)
    run(["node", ROOT / "tools" / "byte_compile.mjs", pyodide])
    packages = {entry["name"]: entry for entry in map(described, sorted(pyodide.glob("*.whl")))}
    listed = {"info": known["info"], "packages": packages}
    (pyodide / LIST).write_text(json.dumps(listed, indent=1), "utf-8")
    shutil.copytree(ROOT / "notebooks", lite / "content", ignore=shutil.ignore_patterns(".*"))
    (lite / "jupyter-lite.json").write_text(json.dumps(settings(sorted(packages)), indent=1), "utf-8")
    print("lite: JupyterLite puts the site together", flush=True)
    command = ["jupyter", "lite", "build", "--lite-dir", lite, "--contents", lite / "content", "--output-dir", SITE]
    run([pathlib.Path(sys.executable).parent / command[0], *command[1:]], lite)
    check(SITE)


def settings(packages: list[str]) -> dict[str, object]:
    """What the site's jupyter-lite.json says, beside what JupyterLite adds."""
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": packages}}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "tfedu",
            "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
        },
    }


def check(site: pathlib.Path) -> None:
    """Looks whether the site loads Python and its packages from itself: JupyterLite's own default is another host."""
    config = json.loads((site / "jupyter-lite.json").read_text("utf-8"))["jupyter-config-data"]["litePluginSettings"]
    kernel = config["@jupyterlite/pyodide-kernel-extension:kernel"]
    pyodide = site / "static" / "pyodide"
    packages = json.loads((pyodide / LIST).read_text("utf-8"))["packages"]
    files = {pyodide / entry["file_name"] for entry in packages.values()} | {pyodide / name for name in RUNTIME}
    is_own = kernel.get("pyodideUrl") == "./static/pyodide/pyodide.mjs"
    loads_all = set(kernel["loadPyodideOptions"]["packages"]) == set(packages)
    if not (is_own and loads_all and all(file.is_file() for file in files)):
        raise BuildFailed(f"JupyterLite made a site in {site} that would ask another host for Python: {kernel}")


# -- the distribution ----------------------------------------------------------------------------------------------------


def unpacked(source: pathlib.Path) -> pathlib.Path:
    """The folder with pyodide.mjs of a distribution, which is checked to be one that the wheels fit."""
    if source.is_file():
        target = WORK / "pyodide"
        shutil.rmtree(target, ignore_errors=True)
        print(f"lite: unpacking {source.name}", flush=True)
        try:
            with tarfile.open(source) as archive:
                archive.extractall(target, filter="data")
        except (tarfile.TarError, EOFError, OSError) as cause:
            raise BuildFailed(f"{source} is no archive of Pyodide: {cause}") from None
        source = target
    folder = next((each for each in (source, source / "pyodide") if (each / "pyodide.mjs").is_file()), None)
    if folder is None:
        raise BuildFailed(
            f"{source} holds no pyodide.mjs. PYODIDE names the distribution of Pyodide 0.29: pyodide-0.29.3.tar.bz2 from the "
            "releases of github.com/pyodide/pyodide (not pyodide-core, which has no NumPy), or its folder."
        )
    missing = [name for name in RUNTIME if not (folder / name).is_file()]
    if missing:
        raise BuildFailed(f"{folder} lacks {', '.join(missing)}: the distribution of Pyodide is incomplete.")
    info = json.loads((folder / LIST).read_text("utf-8"))["info"]
    if info.get("abi_version") != ABI:
        have = info.get("abi_version")
        raise BuildFailed(f"{folder} is a Pyodide for wheels of {have}, and the site needs {ABI}: Pyodide 0.28 or 0.29.")
    return folder


def numpy_of(distribution: pathlib.Path, known: dict) -> pathlib.Path:
    """NumPy's wheel, whose checksum is what the distribution says."""
    entry = known["packages"].get("numpy")
    wheel = distribution / entry["file_name"] if entry else None
    if wheel is None or not wheel.is_file():
        raise BuildFailed(f"{distribution} holds no NumPy: take the full distribution, not pyodide-core.")
    if sha256(wheel) != entry["sha256"]:
        raise BuildFailed(f"{wheel} is damaged: its checksum is not the one in {LIST}.")
    return wheel


# -- wheels --------------------------------------------------------------------------------------------------------------


def locked_wheels() -> list[pathlib.Path]:
    """The wheels that requirements-pyodide.lock names, downloaded once."""
    lock, folder = ROOT / "requirements-pyodide.lock", WORK / "wheels"
    stamp = folder / "made_from"
    if not stamp.is_file() or stamp.read_text() != sha256(lock):
        print(f"lite: downloading the wheels of {lock.name}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        pure = ["--only-binary=:all:", "--python-version=3.13", "--implementation=py", "--abi=none", "--platform=any"]
        run([*pip("download"), "--no-deps", "--require-hashes", *pure, "--dest", folder, "-r", lock])
        stamp.write_text(sha256(lock))
    return [wheel for wheel in sorted(folder.glob("*.whl")) if not wheel.name.startswith(NOT_IN_A_BROWSER)]


def kernel_wheels() -> list[pathlib.Path]:
    """The wheels that JupyterLite's kernel brings along."""
    folder = pathlib.Path(sys.prefix, "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi")
    return [wheel for wheel in sorted(folder.glob("*.whl")) if wheel.name.startswith(OF_THE_KERNEL)]


def own_wheel() -> pathlib.Path:
    """The wheel of tfedu as it is in this clone."""
    folder = WORK / "own"
    shutil.rmtree(folder, ignore_errors=True)
    run([*pip("wheel"), "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder, ROOT])
    (wheel,) = folder.glob("*.whl")
    return wheel


def copy_without(wheel: pathlib.Path, target: pathlib.Path) -> None:
    """Copies a wheel without what is omitted: each file costs time when the browser unpacks it."""
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for item in whole.infolist():
            if not item.is_dir() and not item.filename.startswith(OMITTED):
                out.writestr(item, whole.read(item))


def described(wheel: pathlib.Path) -> dict[str, object]:
    """A wheel's entry in the list of packages. Nothing depends on anything there: all of them are loaded."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = (name for name in names if name.count("/") == 1 and name.endswith(".dist-info/METADATA"))
        metadata = email.parser.BytesParser().parsebytes(archive.read(about))
    modules = {name.split("/")[0].removesuffix(".py") for name in names if name.endswith(".py")}
    return {
        "name": metadata["Name"].lower().replace("_", "-").replace(".", "-"),
        "version": metadata["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": sha256(wheel),
        "package_type": "package",
        "imports": sorted(name for name in modules if name.isidentifier()),
        "depends": [],
        "unvendored_tests": False,
    }


def sha256(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pip(command: str) -> list[str | pathlib.Path]:
    return [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", command]


def run(command: list[str | pathlib.Path], folder: pathlib.Path = ROOT) -> None:
    try:
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, cwd=folder)
    except subprocess.CalledProcessError as error:
        raise BuildFailed(f"this command failed (exit {error.returncode}): {' '.join(map(str, command))}") from None


if __name__ == "__main__":
    sys.exit(main())
