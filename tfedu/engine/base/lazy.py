"""Names of a module that are loaded on their first use (PEP 562).

    __getattr__, __dir__ = lazy(__name__, {"tfedu.engine.base.proto": "GraphDef NodeDef"})

For names that need a package which `import tfedu` must not load. No state: a loaded name is stored in its module.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

from .suggest import nearest


def lazy(module: str, places: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The module's `__getattr__` and `__dir__`: `places` maps a module to the names that it defines.

    `__dir__` lists names that are not loaded yet, too: a notebook's Tab key offers them.
    """
    table = {name: place for place, names in places.items() for name in names.split()}

    def load(name: str) -> Any:
        where = table.get(name)
        here = sys.modules[module]
        if where is None:
            near = None if name.startswith("__") else nearest(name, [*getattr(here, "__all__", ()), *table])
            hint = f". Did you mean '{near}'?" if near else ""
            raise AttributeError(f"module '{module}' has no attribute '{name}'{hint}")
        value = getattr(importlib.import_module(where), name)
        setattr(here, name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[module]), *table})

    return load, listed
