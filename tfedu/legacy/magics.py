"""`%load_ext tfedu`: in a notebook `import tensorflow` imports tfedu, and `%tensorflow_version 1.x` is understood.

Names that NumPy and SciPy have removed are there again. State: what rewrites the cells' source, while it is in IPython's list.
"""

from __future__ import annotations

import ast
from typing import Any

from . import finder, restored


class _RemovedMethods:
    """Rewrites calls of removed methods of arrays in a cell."""

    def visit(self, node: ast.AST) -> ast.AST:
        return restored.tree(node) if isinstance(node, ast.Module) else node


_removed_methods = _RemovedMethods()


def load_ipython_extension(ipython: Any) -> None:
    """The entry point of `%load_ext tfedu`. Raises: RuntimeError when TensorFlow itself is imported."""
    finder.install_as_tensorflow(legacy=True)
    if _removed_methods not in ipython.ast_transformers:
        ipython.ast_transformers.append(_removed_methods)
        ipython.push(restored.NAMES, interactive=False)
    ipython.register_magic_function(tensorflow_version, "line", "tensorflow_version")


def unload_ipython_extension(ipython: Any) -> None:
    """The entry point of `%unload_ext tfedu`."""
    finder.uninstall_as_tensorflow()
    ipython.ast_transformers.remove(_removed_methods)
    ipython.magics_manager.magics["line"].pop("tensorflow_version", None)


def tensorflow_version(line: str) -> None:
    """`%tensorflow_version 1.x`, as in Colab: prints which TensorFlow `import tensorflow` imports."""
    version = line.split("#")[0].strip()
    if version and not version.startswith("1"):
        print(f"tfedu is TensorFlow 1.x: there is no {version} here. %unload_ext tfedu gives back an installed TensorFlow.")
    else:
        print("TensorFlow 1.x selected: tfedu, which is TensorFlow 1.15's graph mode.")
