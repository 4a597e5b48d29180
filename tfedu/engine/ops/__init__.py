"""The op library: importing it fills the registry with every op type that tfedu knows.

`define.REGISTRY["MatMul"]` has everything about one; each table is one family.
"""

from . import (
    array,
    basic,
    control_flow,
    convert,
    diagonals,
    gradients,
    handles,
    linalg,
    logic,
    math,
    nn,
    ragged,
    random,
    reduce,
    scatter,
    script,
    sets,
    solve,
    sparse,
    sparse_math,
    spectral,
    state,
    strings,
    text,
    training,
    unicode,
)
from .attach import attach

attach()

__all__ = [
    "array", "basic", "control_flow", "convert", "diagonals", "gradients", "handles", "linalg", "logic", "math", "nn", "ragged",
    "random", "reduce", "scatter", "script", "sets", "solve", "sparse", "sparse_math", "spectral", "state",
    "strings", "text", "training", "unicode",
]  # fmt: skip
