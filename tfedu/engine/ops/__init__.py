"""The op library: importing it fills the registry with the op types that most programs use.

`define.REGISTRY["MatMul"]` has everything about one; each table is one family. The tables in `SELDOM` are read when a type
of theirs is asked for, or by the function that builds one.
"""

import importlib

from ..op.attach import attach
from ..op.definition import REGISTRY
from . import array, basic, control_flow, logic, math, random, reduce, scatter, sequences, state

SELDOM = (
    "activations", "blocks", "counting", "diagonals", "einsum", "gradient_ops", "gradient_ops_sparse", "gradient_ops_special",
    "session_handles", "linalg", "nn", "ragged", "saving", "py_func", "sets", "solve", "sparse", "sparse_math", "special",
    "spectral", "value_stacks", "strings", "summary", "tensor_array", "text_conversion", "optimizer_steps", "unicode",
)  # fmt: skip


def read_the_rest() -> None:
    """Reads the tables that no program has needed so far."""
    for table in SELDOM:
        importlib.import_module(f"{__name__}.{table}")


REGISTRY.read_the_rest = read_the_rest
attach()

__all__ = [
    "SELDOM", "array", "basic", "control_flow", "logic", "math", "random", "read_the_rest",
    "reduce", "scatter", "sequences", "state",
]  # fmt: skip
