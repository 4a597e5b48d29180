"""`%load_ext tfedu`: in a notebook `import tensorflow` imports tfedu, and `%tensorflow_version 1.x` is understood. No state."""

from __future__ import annotations

from typing import Any

from . import finder


def load_ipython_extension(ipython: Any) -> None:
    """The entry point of `%load_ext tfedu`. Raises: RuntimeError when TensorFlow itself is imported."""
    finder.install_as_tensorflow()
    ipython.register_magic_function(tensorflow_version, "line", "tensorflow_version")


def unload_ipython_extension(ipython: Any) -> None:
    """The entry point of `%unload_ext tfedu`."""
    finder.uninstall_as_tensorflow()
    ipython.magics_manager.magics["line"].pop("tensorflow_version", None)


def tensorflow_version(line: str) -> None:
    """`%tensorflow_version 1.x`, as in Colab: prints which TensorFlow `import tensorflow` imports."""
    version = line.split("#")[0].strip()
    if version and not version.startswith("1"):
        print(f"tfedu is TensorFlow 1.x: there is no {version} here. %unload_ext tfedu gives back an installed TensorFlow.")
    else:
        print("TensorFlow 1.x selected: tfedu, which is TensorFlow 1.15's graph mode.")
