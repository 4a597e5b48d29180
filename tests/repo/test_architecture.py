"""The map for newcomers is true: its picture shows the current imports, and the files that its page names exist."""

import importlib.util
import re

import sources

spec = importlib.util.spec_from_file_location("architecture", sources.ROOT / "tools" / "architecture.py")
architecture = importlib.util.module_from_spec(spec)
spec.loader.exec_module(architecture)

PAGE = (sources.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def missing(page: str) -> list[str]:
    """The files and folders that a page names in `code` and that do not exist."""
    places = (sources.ROOT, sources.PACKAGE, sources.PACKAGE / "engine")
    files = {path.name for path in sources.committed()}
    names = re.findall(r"`([\w./*<>-]+)`", page)
    paths = [name for name in names if "/" in name and not set("*<>") & set(name)]
    modules = [name for name in names if "/" not in name and name.endswith((".py", ".json", ".md", ".toml"))]
    return [path for path in paths if not any((place / path).exists() or (place / f"{path}.py").exists() for place in places)] + [
        name for name in modules if name not in files
    ]


def test_the_picture_shows_the_current_imports():
    drawn = architecture.drawn() + "\n"
    assert architecture.PICTURE.read_text(encoding="utf-8") == drawn, "python tools/architecture.py draws it anew"


def test_each_room_of_the_picture_is_described():
    described = PAGE.partition("## The way of a tensor")[0]
    for room in architecture.arrows():
        assert f"`{room}`" in described, room


def test_the_files_that_the_page_names_exist():
    assert not missing(PAGE)


def test_a_missing_file_is_found():
    assert missing("`engine/ops`, `prune.py`, `engine/nowhere.py`, `lost.py`") == ["engine/nowhere.py", "lost.py"]


def test_an_arrow_that_a_longer_path_implies_is_omitted():
    assert architecture.reduced({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {"a": {"b"}, "b": {"c"}, "c": set()}
