"""The gradient of each op type, as nodes: one module a family of ops, each rule hung from its op (`@math.exp.grad`).

A rule gets the node and the gradients of its outputs, and gives those of its inputs. `load()` reads what most programs use,
once; the families in `SELDOM` are read when a rule is missing. No state.
"""

import importlib

from .. import registry

FAMILIES = ("arrays", "control", "elementwise", "nn", "products", "reductions", "segments")
SELDOM = ("diagonals", "linalg", "sparse", "special", "spectral", "tensor_array")


def load() -> None:
    """Hangs the usual rules from their ops."""
    for family in FAMILIES:
        importlib.import_module(f"{__name__}.{family}")


def load_all() -> None:
    """Hangs every rule from its op."""
    load()
    for family in SELDOM:
        importlib.import_module(f"{__name__}.{family}")


registry.load_all = load_all
