"""The op library: importing it fills the registry with every op type that tfedu knows.

`define.REGISTRY["MatMul"]` has everything about one; each table is one family.
"""

from . import array, basic, control_flow, convert, linalg, logic, math, random, reduce, scatter, state
from .attach import attach

attach()

__all__ = [
    "array", "basic", "control_flow", "convert", "linalg", "logic", "math", "random", "reduce", "scatter", "state",
]  # fmt: skip
