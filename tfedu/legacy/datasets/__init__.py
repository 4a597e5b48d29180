"""Small data sets that TF 1.x programs import: MNIST, iris and files of their form."""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    if name in ("csv_datasets", "mnist"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
