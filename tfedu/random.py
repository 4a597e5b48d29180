"""`tf.random`: random tensors and their seeds."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.math.random import (
    categorical, get_seed, multinomial, random_gamma as gamma, random_normal as normal,
    random_poisson as poisson, random_shuffle as shuffle, random_uniform as uniform, set_random_seed,
    stateless_categorical, stateless_multinomial, stateless_normal, stateless_truncated_normal,
    stateless_uniform, truncated_normal,
)  # fmt: skip

__all__ = [
    "categorical", "gamma", "get_seed", "multinomial", "normal", "poisson", "set_random_seed", "shuffle",
    "stateless_categorical", "stateless_multinomial", "stateless_normal", "stateless_truncated_normal",
    "stateless_uniform", "truncated_normal", "uniform",
]  # fmt: skip
