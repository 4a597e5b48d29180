"""No two test files share a name: pytest imports each by its bare name, and a second one would stop it."""

import collections

import sources


def test_no_two_test_files_have_one_name():
    files = (sources.ROOT / "tests").rglob("test_*.py")
    twice = [name for name, n in collections.Counter(p.name for p in files).items() if n > 1]
    assert not twice
