"""Support for programs that `import tensorflow`.

`aliases` is the table of `tensorflow.*` paths, `finder` the import hook that applies it, `running` runs a program; `modules`
has replacements for TensorFlow's private modules, `modules_of_contrib` and `modules_of_slim` for those of `tf.contrib` and
`tf.contrib.slim`, `datasets` for its data sets.
"""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    if name in ("datasets", "modules", "modules_of_contrib", "modules_of_slim"):
        return importlib.import_module(f"tfedu.legacy.{name}")
    raise AttributeError(f"module 'tfedu.legacy' has no attribute '{name}'")
