"""The op library: importing it fills the registry with the op types that most programs use.

`define.REGISTRY["MatMul"]` has everything about one; each table is one family. The tables in `SELDOM` are read when a type
of theirs is asked for, or by the function that builds one.
"""

import importlib

from . import array, basic, control_flow, convert, logic, math, random, reduce, scatter, sequences, state
from .attach import attach
from .opdef import REGISTRY

SELDOM = (
    "activations", "blocks", "counting", "diagonals", "einsum", "gradients", "gradients_sparse", "gradients_special",
    "handles", "linalg", "nn", "ragged", "saving", "script", "sets", "solve", "sparse", "sparse_math", "special",
    "spectral", "stack", "strings", "summary", "tensor_array", "text", "training", "unicode",
)  # fmt: skip


def read_the_rest() -> None:
    """Reads the tables that no program has needed so far."""
    for table in SELDOM:
        importlib.import_module(f"{__name__}.{table}")


REGISTRY.read_the_rest = read_the_rest
attach()

__all__ = [
    "SELDOM", "array", "basic", "control_flow", "convert", "logic", "math", "random", "read_the_rest",
    "reduce", "scatter", "sequences", "state",
]  # fmt: skip
