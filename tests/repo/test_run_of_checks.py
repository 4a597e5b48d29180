"""`make test` runs every check, also after one has failed, and its parts of pytest are all of the tests."""

import importlib.util
import sys

import pytest
import sources


@pytest.fixture
def check():
    spec = importlib.util.spec_from_file_location("tfedu_check", sources.ROOT / "tools" / "check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_failed_check_keeps_no_other_from_running(check, monkeypatch, capsys):
    def program(text):
        return [sys.executable, "-c", text]

    monkeypatch.setattr(check, "CHECKS", [
        ("first", program("print('one'); raise SystemExit(3)"), "."),
        ("second", program("import os; print('two', os.getcwd())"), "widgets"),
    ])  # fmt: skip
    assert check.main() == 1
    said = capsys.readouterr().out
    assert "first         | one\n" in said
    assert f"second        | two {sources.ROOT / 'widgets'}\n" in said
    assert "FAILED (exit 3)" in said
    assert said.endswith("first         | one\n" + said.splitlines()[-1] + "\n")  # once more, where the log of a server ends
    assert said.count("first         | one\n") == 2
    assert said.count("second        | two") == 1
    assert "failed: first" in said
    monkeypatch.setattr(check, "CHECKS", check.CHECKS[1:])
    assert check.main() == 0


def test_each_test_is_in_one_part(check):
    """The last part is all that no other part names."""
    named = [folder for folders in check.PARTS.values() for folder in folders]
    assert len(set(named)) == len(named)
    assert all((sources.ROOT / folder).is_dir() for folder in named)
    commands = [command[len(check.PYTEST):] for _, command, _ in check.CHECKS if command[: len(check.PYTEST)] == check.PYTEST]
    assert sorted(folder for folders in commands if folders[0] != "tests" for folder in folders) == sorted(named)
    assert [folders for folders in commands if folders[0] == "tests"] == [["tests", *(f"--ignore={folder}" for folder in named)]]
