"""`tf.random`: random tensors and their seeds."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.random import (
    categorical, get_seed, multinomial, random_normal as normal, random_shuffle as shuffle,
    random_uniform as uniform, set_random_seed, truncated_normal,
)  # fmt: skip

__all__ = [
    "categorical", "get_seed", "multinomial", "normal", "set_random_seed", "shuffle", "truncated_normal",
    "uniform",
]  # fmt: skip
