"""What makes programs that say `import tensorflow` run here.

`aliases` is the one table of `tensorflow.*` paths, `finder` puts it in force, `running` runs a program; `modules` holds what
programs import from TensorFlow's private and contrib modules, `datasets` what they import as data.
"""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    if name in ("datasets", "modules"):
        return importlib.import_module(f"tfedu.legacy.{name}")
    raise AttributeError(f"module 'tfedu.legacy' has no attribute '{name}'")
