"""`tfedu doctor`: what of this machine and its settings tfedu finds, and what makes it slower or smaller than it could be.

Each finding is one line: `good`, `look` (something to change, with the way to change it) or `none` (an extra that is not
installed). No state.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Iterator
from typing import NamedTuple

from .engine.backends import blas
from .version import VERSION

# What an extra brings, by the package that shows whether it is there.
EXTRAS = {
    "lab": ("anywidget", "the widgets and JupyterLab"),
    "images": ("pillow", "pictures in JPEG, PNG and GIF files"),
    "export": ("resvg-py", "pictures as PNG and GIF files"),
    "pdf": ("typst", "pictures as PDF files"),
    "fast": ("numba", "faster steps of long trainings"),
}
# Settings that make every matrix product slower than this processor can.
SLOWER = {
    "OPENBLAS_CORETYPE": "matrix products use the kernels of this processor type, up to twice as slow as those of a newer one",
    "OPENBLAS_L2_SIZE": "matrix products are divided for this cache, not for this processor's",
}


class Finding(NamedTuple):
    """One line of the report; state: "good", "look" or "none"."""

    state: str
    text: str


def findings() -> Iterator[Finding]:
    """What there is to say of this process."""
    yield Finding("good", f"tfedu, which behaves as TensorFlow {VERSION}, on Python {platform.python_version()}")
    kernels = blas.kernels()
    library = "another library than OpenBLAS" if kernels is None else f"OpenBLAS with its kernels for {kernels}"
    yield Finding("good", f"NumPy {importlib.metadata.version('numpy')}, which multiplies matrices by {library}")
    for name, consequence in SLOWER.items():
        if name in os.environ:
            yield Finding("look", f"{name}={os.environ[name]}: {consequence}. Unset it before Python starts.")
    for extra, (package, purpose) in EXTRAS.items():
        try:
            version = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            yield Finding("none", f'the extra {extra}, {purpose}:  pip install "tfedu[{extra}]"')
        else:
            yield Finding("good", f"the extra {extra}, {purpose} ({package} {version})")


def report() -> str:
    """The findings, one a line."""
    return "\n".join(f"{state:5} {text}" for state, text in findings())
