"""The op library: importing it fills the registry with the op types that most programs use.

`define.REGISTRY["MatMul"]` has everything about one; each table is one family. The tables in `SELDOM` are read when a type
of theirs is asked for, or by the function that builds one.
"""

from ..op.attach import attach
from ..op.definition import REGISTRY
from . import array, basic, control_flow, joining, logic, math, random, reduce, scatter, sequences, state

# In the order in which a type is looked for: those first that gradients are often made of.
SELDOM = (
    "gradient_ops", "activations", "nn", "complex_numbers", "bitwise", "blocks", "counting", "diagonals", "einsum",
    "gradient_ops_special", "gradient_ops_sparse", "session_handles", "linalg", "ragged", "saving", "py_func", "sets",
    "solve", "sparse", "sparse_math", "special", "spectral", "value_stacks", "strings", "summary", "tensor_array",
    "text_conversion", "optimizer_steps", "unicode", "decompositions", "unique",
)  # fmt: skip

REGISTRY.unread = [f"{__name__}.{table}" for table in SELDOM]
attach()

__all__ = [
    "SELDOM", "array", "basic", "control_flow", "joining", "logic", "math", "random", "reduce", "scatter", "sequences", "state",
]  # fmt: skip
