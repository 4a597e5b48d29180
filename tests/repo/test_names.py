"""Test files and their helpers are imported by their bare names: two of one name would stand for each other."""

import collections

import sources


def test_no_two_files_of_the_tests_have_one_name():
    files = [p for p in (sources.ROOT / "tests").rglob("*.py") if p.name != "conftest.py"]
    twice = [name for name, n in collections.Counter(p.name for p in files).items() if n > 1]
    assert not twice
