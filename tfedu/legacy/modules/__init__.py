"""What programs import from TensorFlow's private modules, one module here for one or several there.

The table of aliases leads here; a module is imported when the table is asked for one of its names.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from typing import Any


def importing(package: str, path: Iterable[str]) -> Callable[[str], Any]:
    """Returns the `__getattr__` of a package, which imports a module of the package at the first use."""

    def module(name: str) -> Any:
        if name in {found.name for found in pkgutil.iter_modules(path)}:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module '{package}' has no attribute '{name}'")

    return module


__getattr__ = importing(__name__, __path__)
