"""The wheel, built as by `pip install .` but without the network, has the right files and runs outside a clone."""

import email
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest
import sources


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    nowhere = {**os.environ, "PATH": str(pathlib.Path(sys.executable).parent)}  # no Node, no npm
    command = [sys.executable, "-m", "pip", "-qq", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "-w", folder, sources.ROOT], capture_output=True, text=True, env=nowhere)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = folder.glob("*.whl")
    with zipfile.ZipFile(file) as opened:
        yield opened


def names(wheel: zipfile.ZipFile) -> set[str]:
    return {n for n in wheel.namelist() if not n.endswith("/")}


def below(folder: str, into: str) -> set[str]:
    """The committed files of a folder, as the wheel names them."""
    top = sources.ROOT / folder
    return {f"{into}/{p.relative_to(top)}" for p in sources.committed() if p.is_relative_to(top) and not p.name.startswith(".")}


def test_wheel_has_the_package_and_the_course_and_nothing_else(wheel):
    held = {n for n in names(wheel) if ".dist-info/" not in n}
    assert held == below("tfedu", "tfedu") | below("notebooks", "tfedu/course")


@pytest.mark.parametrize("name", [
    "tfedu/widgets/static/parts.json",
    "tfedu/widgets/static/loader.js",
    "tfedu/widgets/static/page.js",
    "tfedu/widgets/static/widget.css",
    "tfedu/view/messages/en.json",
    "tfedu/view/messages/ko.json",
    "tfedu/view/messages/zh.json",
    "tfedu/jupyter_config/labconfig/default_setting_overrides.json",
    "tfedu/course/01_identity_and_control_dependencies.ipynb",
])  # fmt: skip
def test_wheel_has(wheel, name):
    assert wheel.getinfo(name).file_size > 0


def test_wheel_names_its_licence_and_its_pythons(wheel):
    (metadata,) = (n for n in names(wheel) if n.endswith(".dist-info/METADATA"))
    fields = email.message_from_bytes(wheel.read(metadata))
    assert fields["License-Expression"] == "Apache-2.0"
    assert fields["Requires-Python"] == "<3.15,>=3.11"
    assert any(n.endswith("licenses/LICENSE") for n in names(wheel))


def test_wheel_runs_outside_a_clone_and_copies_the_course(wheel, tmp_path):
    """A lesson that the learner has written in stays as it is."""
    site = tmp_path / "site"
    wheel.extractall(site)
    work = tmp_path / "work"
    work.mkdir()
    program = (
        f"import tfedu, tfedu.cli, pathlib; assert str(pathlib.Path(tfedu.__file__)).startswith({str(site)!r});"
        "print(tfedu.cli.course_folder())"
    )
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"PYTHONPATH": str(site)}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", program], cwd=work, env=clean, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        lesson = pathlib.Path(done.stdout.strip(), "01_identity_and_control_dependencies.ipynb")
        assert lesson.is_relative_to(work)
        if not (work / "seen").exists():
            (work / "seen").touch()
            assert lesson.stat().st_size > 0
            lesson.write_text("mine", encoding="utf-8")
    assert lesson.read_text(encoding="utf-8") == "mine"
