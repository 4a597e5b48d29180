"""Puts tests/semantics on the path: the rows and the programs share its harness."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "semantics"))
