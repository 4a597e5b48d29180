"""Puts tests/ops on the path, for the rows of the op table, and tests/semantics, for their harness; a GPU of strict arrays."""

import pathlib
import sys

from stand_in_gpu import fusing_gpu, gpu  # noqa: F401 - fixtures

_TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(_TESTS / room) for room in ("ops", "semantics") if str(_TESTS / room) not in sys.path]
