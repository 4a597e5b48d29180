"""The programs' encoder is shared with tests/semantics."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "semantics"))
