"""What programs import from TensorFlow's private and contrib modules, one module here for one or several there.

The table of aliases leads here; a module is imported when the table is asked for one of its names.
"""

import importlib
import pkgutil
from typing import Any


def __getattr__(name: str) -> Any:
    if name in {module.name for module in pkgutil.iter_modules(__path__)}:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
