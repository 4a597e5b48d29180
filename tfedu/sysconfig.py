"""`tf.sysconfig`: what one needs to compile C++ ops against TensorFlow. tfedu has no C++ side, and says so."""

from __future__ import annotations

from typing import NoReturn

CXX11_ABI_FLAG = 0
MONOLITHIC_BUILD = 0


def _no_library(name: str) -> NoReturn:
    raise NotImplementedError(
        f"tf.sysconfig.{name} is for compiling C++ ops, and tfedu is Python and NumPy alone: there is nothing to compile "
        "against. tf.py_func runs a Python function as an op."
    )


def get_include() -> NoReturn:
    """Raises: NotImplementedError, for there are no C++ headers."""
    _no_library("get_include")


def get_lib() -> NoReturn:
    """Raises: NotImplementedError, for there is no C++ library."""
    _no_library("get_lib")


def get_compile_flags() -> NoReturn:
    """Raises: NotImplementedError, for there is nothing to compile against."""
    _no_library("get_compile_flags")


def get_link_flags() -> NoReturn:
    """Raises: NotImplementedError, for there is nothing to link with."""
    _no_library("get_link_flags")


__all__ = [
    "CXX11_ABI_FLAG", "MONOLITHIC_BUILD", "get_compile_flags", "get_include", "get_lib", "get_link_flags",
]  # fmt: skip
