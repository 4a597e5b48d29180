"""The lists of the public modules equal their imports (`tools/facade.py` writes them)."""

import importlib.util

import pytest
import sources

spec = importlib.util.spec_from_file_location("facade", sources.ROOT / "tools" / "facade.py")
facade = importlib.util.module_from_spec(spec)
spec.loader.exec_module(facade)


@pytest.mark.parametrize("path", facade.facades(), ids=lambda p: p.stem)
def test_list_is_fresh(path):
    source = path.read_text(encoding="utf-8")
    assert facade.with_fresh_list(source) == source


def test_a_name_that_is_not_listed_is_found():
    source = 'from .engine import a, b as c\n\n_hidden = 1\n\n__all__ = [\n    "a",\n]  # fmt: skip\n'
    assert '__all__ = [\n    "a", "c",\n]  # fmt: skip\n' in facade.with_fresh_list(source)
