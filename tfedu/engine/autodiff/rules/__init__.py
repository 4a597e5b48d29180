"""The gradient of each op type, as nodes: one module a family of ops, each rule hung from its op (`@math.exp.grad`).

A rule gets the node and the gradients of its outputs, and gives those of its inputs. `load()` reads them all, once. No state.
"""

import importlib

FAMILIES = ("arrays", "constants", "control", "elementwise", "nn", "products", "reductions", "segments")


def load() -> None:
    """Hangs every rule from its op."""
    for family in FAMILIES:
        importlib.import_module(f"{__name__}.{family}")
