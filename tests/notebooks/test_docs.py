"""The Python blocks of README.md and of docs/ run unchanged, each page from top to bottom."""

import linecache
import pathlib
import re

import pytest

import tfedu as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCKS = {
    page.name if page.parent == ROOT else f"docs/{page.name}": re.findall(
        r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M
    )
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}


@pytest.mark.parametrize("page", [page for page, blocks in BLOCKS.items() if blocks])
def test_the_blocks_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tf.reset_default_graph()
    names = {"__name__": "page"}
    for number, block in enumerate(BLOCKS[page]):
        file = f"{page}, block {number}"
        # As in a notebook, inspect can read a function's source.
        linecache.cache[file] = (len(block), None, block.splitlines(keepends=True), file)
        exec(compile(block, file, "exec"), names)
