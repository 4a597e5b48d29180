"""`tf.load_op_library` and its kin: libraries in C++, which tfedu cannot load. No state."""

from __future__ import annotations

from typing import NoReturn


def _refuse(name: str, library: str) -> NoReturn:
    raise NotImplementedError(
        f"tf.{name} cannot load {library}: tfedu is Python and NumPy alone, and runs no compiled TensorFlow ops. "
        "tf.py_func runs a Python function as an op."
    )


def load_op_library(library_filename: str) -> NoReturn:
    """Raises: NotImplementedError, for compiled ops need TensorFlow itself."""
    _refuse("load_op_library", library_filename)


def load_library(library_location: str) -> NoReturn:
    """Raises: NotImplementedError, for compiled ops need TensorFlow itself."""
    _refuse("load_library", library_location)
