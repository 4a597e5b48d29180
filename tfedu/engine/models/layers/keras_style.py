"""`with keras_style_scope():` layers made inside name their variables by name scopes and never share them by name.

State: `style.keras`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class _Style:
    keras = False


style = _Style()


@contextmanager
def keras_style_scope() -> Iterator[None]:
    """Layers that are made inside name their variables by name scopes and never share them by name."""
    outer, style.keras = style.keras, True
    try:
        yield
    finally:
        style.keras = outer


def set_keras_style() -> None:
    """Makes all layers from now on as in `keras_style_scope`."""
    style.keras = True


__all__ = ["keras_style_scope", "set_keras_style"]
