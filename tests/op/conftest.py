"""Puts tests/ops and tests/semantics on the path: bad calls are made from the rows of the op tables, by the harness."""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "semantics"), str(TESTS / "ops")]
