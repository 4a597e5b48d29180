"""The locks have the requirements of pyproject.toml for every Python that it allows, each file with its hash."""

import re
import tomllib

import pytest
import sources
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

PYPROJECT = tomllib.loads((sources.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = PYPROJECT["project"], PYPROJECT["dependency-groups"]
EXTRAS = PROJECT["optional-dependencies"]
BUILD = ["hatchling>=1.27"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def locked(name: str) -> list[tuple[Requirement, list[str]]]:
    text = (sources.ROOT / f"requirements-{name}.lock").read_text(encoding="utf-8")
    entries = re.sub(r"^#.*\n", "", text, flags=re.M).replace("\\\n", " ").splitlines()
    return [(Requirement(e.split(" --hash")[0].strip()), re.findall(r"--hash=sha256:[0-9a-f]{64}", e)) for e in entries if e]


def versions(name: str, python: str) -> dict[str, Version]:
    here = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux", "platform_system": "Linux",
            "implementation_name": "cpython", "platform_python_implementation": "CPython", "os_name": "posix"}  # fmt: skip
    return {
        canonicalize_name(r.name): Version(next(iter(r.specifier)).version)
        for r, _ in locked(name)
        if r.marker is None or r.marker.evaluate(here)
    }


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(("name", "wanted"), {
    "lab": PROJECT["dependencies"] + EXTRAS["lab"] + BUILD,
    "test": PROJECT["dependencies"] + EXTRAS["lab"] + EXTRAS["test"] + BUILD,
}.items())  # fmt: skip
def test_lock_fits_pyproject(name, wanted, python):
    have = versions(name, python)
    for text in wanted:
        wish = Requirement(text)
        if wish.name == "tfedu":
            continue
        assert wish.specifier.contains(have[canonicalize_name(wish.name)]), text


@pytest.mark.parametrize("python", PYTHONS)
def test_the_course_gets_the_tested_versions(python):
    test = versions("test", python)
    for name, version in versions("lab", python).items():
        assert test[name] == version, name


@pytest.mark.parametrize("name", ["lite", "pyodide"])
def test_lock_fits_the_group_of_pyproject(name):
    have = versions(name, "3.13")
    for text in GROUPS[name]:
        wish = Requirement(text)
        assert wish.specifier.contains(have[canonicalize_name(wish.name)]), text


@pytest.mark.parametrize("name", ["lab", "test", "node", "lite", "pyodide"])
def test_every_locked_package_has_an_exact_version_and_hashes(name):
    entries = locked(name)
    assert entries
    for requirement, hashes in entries:
        assert [s.operator for s in requirement.specifier] == ["=="], str(requirement)
        assert hashes, str(requirement)


def test_the_build_needs_no_node():
    project = tomllib.loads((sources.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["build-system"]["requires"] == BUILD
    assert "hooks" not in project["tool"]["hatch"]["build"]["targets"]["wheel"]


def test_the_dependencies_of_a_plain_pip_install():
    assert [Requirement(d).name for d in PROJECT["dependencies"]] == ["absl-py", "google-crc32c", "numpy", "protobuf"]


def test_every_extra_that_a_message_names_is_declared():
    texts = [path.read_text(encoding="utf-8") for path in sources.PACKAGE.rglob("*.py")]
    named = {extra for text in texts for extras in re.findall(r"tfedu\[([a-z0-9,]+)\]", text) for extra in extras.split(",")}
    assert "lab" in named
    assert named <= EXTRAS.keys()
