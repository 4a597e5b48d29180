"""What TF 1.15 has, what real programs use of it, and that the language and the frame of programs are here.

`tests/golden/public_names.json` and `api_usage.csv` are the committed lists; completeness is measured against them.
"""

import ast
import csv
import importlib.util
import json
import re

import pytest
import sources

from tfedu.legacy import coverage, missing, renames

spec = importlib.util.spec_from_file_location("areas", sources.ROOT / "tools" / "areas.py")
areas = importlib.util.module_from_spec(spec)
spec.loader.exec_module(areas)

with open(areas.USAGE, encoding="utf-8", newline="") as file:
    USAGE = list(csv.DictReader(file))
COMPLETE = ("language", "frame")
# used by programs, and by no TensorFlow 1.15: of before 1.0, or a slip
NOT_IN_1_15 = {row["symbol"] for row in USAGE if renames.renamed(row["symbol"])}


def test_the_areas_are_fresh():
    assert areas.NAMES.read_text(encoding="utf-8") == areas.names_file()
    assert areas.USAGE.read_text(encoding="utf-8") == areas.usage_file()


def test_the_table_of_families_claims_no_more_than_there_is():
    pages = areas.PAGE.read_text(encoding="utf-8"), areas.page()
    written, made = (re.findall(r"([a-z_ ]+) \| (\d+) of (\d+) \|", page) for page in pages)
    assert [(title, total) for title, _, total in written] == [(title, total) for title, _, total in made]
    assert all(int(told) <= int(here) for (_, told, _), (_, here, _) in zip(written, made, strict=True))


def test_every_symbol_that_programs_use_has_an_area():
    assert len(USAGE) == 1322
    assert {row["area"] for row in USAGE} <= {*areas.RULES, "private"}


NEEDED = [
    row["symbol"]
    for row in USAGE
    if row["area"] in COMPLETE
    and int(row["repos_using"]) >= 2
    and row["symbol"] not in NOT_IN_1_15
    and row["status"] != "unknown"
]


@pytest.mark.parametrize("symbol", NEEDED)
def test_what_two_repositories_use_is_here(symbol):
    assert coverage.is_here(symbol)


def test_every_name_of_the_language_and_of_the_frame_is_here():
    absent = [name for name, area in missing.areas().items() if area in COMPLETE and not coverage.is_here(name)]
    assert not absent


def test_a_function_that_only_refuses_does_not_count():
    assert not coverage.is_here("tf.load_op_library")
    assert coverage.is_here("tf.matmul")
    assert not coverage.is_here("tf.contrib.tpu")


# -- each has a test with a golden result --


class Mentions(coverage._Reader):
    def __init__(self):
        super().__init__()
        self.roots["tf"] = "tensorflow"


def mentioned() -> set[str]:
    """What the programs and rows that are compared with the oracle name, by text or as the row's symbol."""
    tests = sources.ROOT / "tests"
    files = [*tests.glob("ops/cases_*.py"), *tests.glob("semantics/programs_*.py"), *tests.glob("property/programs.py")]
    files += [f for f in tests.glob("legacy/programs/*.py") if "py2: yes" not in f.read_text(encoding="utf-8")]
    found = set()
    for file in files:
        reader = Mentions()
        reader.visit(ast.parse(file.read_text(encoding="utf-8")))
        found |= {"tf" + path.removeprefix("tensorflow") for path in reader.uses}
    for golden in tests.glob("golden/ops_*.json"):
        records = json.loads(golden.read_text(encoding="utf-8"))["records"]
        found |= {f"tf.{key.split('/')[0]}" for key in records}
    return found


def test_what_programs_use_of_the_language_is_called_in_a_test_with_a_golden_result():
    known = mentioned()
    public = [s for s in NEEDED if not s.startswith(("tf.python", "tf.contrib", "tf.core", "tf.examples"))]
    assert len(public) > 200
    assert not [symbol for symbol in public if symbol not in known]
