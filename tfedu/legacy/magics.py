"""`%load_ext tfedu`: in a notebook `import tensorflow` imports tfedu, and `%tensorflow_version 1.x` is understood. No state."""

from __future__ import annotations

from typing import Any

from . import finder


def load_ipython_extension(ipython: Any) -> None:
    """What `%load_ext tfedu` calls. Raises: RuntimeError where TensorFlow itself is imported already."""
    finder.install_as_tensorflow()
    ipython.register_magic_function(tensorflow_version, "line", "tensorflow_version")


def unload_ipython_extension(ipython: Any) -> None:
    """What `%unload_ext tfedu` calls."""
    finder.uninstall_as_tensorflow()
    ipython.magics_manager.magics["line"].pop("tensorflow_version", None)


def tensorflow_version(line: str) -> None:
    """`%tensorflow_version 1.x`, which Colab had: says which TensorFlow `import tensorflow` gives."""
    wanted = line.split("#")[0].strip()
    if wanted and not wanted.startswith("1"):
        print(f"tfedu is TensorFlow 1.x: there is no {wanted} here. %unload_ext tfedu gives back an installed TensorFlow.")
    else:
        print("TensorFlow 1.x selected: tfedu, which is TensorFlow 1.15's graph mode.")
