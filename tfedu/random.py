"""`tf.random`: random tensors and their seeds."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.math.random import (
    categorical, get_seed, multinomial, random_gamma as gamma, random_normal as normal,
    random_poisson as poisson, random_shuffle as shuffle, random_uniform as uniform, set_random_seed,
    stateless_categorical, stateless_multinomial, stateless_normal, stateless_truncated_normal,
    stateless_uniform, truncated_normal,
)  # fmt: skip
from .engine.lib.nn.candidate_sampling import (
    all_candidate_sampler, fixed_unigram_candidate_sampler, learned_unigram_candidate_sampler, log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)  # fmt: skip

__all__ = [
    "all_candidate_sampler", "categorical", "fixed_unigram_candidate_sampler", "gamma", "get_seed",
    "learned_unigram_candidate_sampler", "log_uniform_candidate_sampler", "multinomial", "normal",
    "poisson", "set_random_seed", "shuffle", "stateless_categorical", "stateless_multinomial",
    "stateless_normal", "stateless_truncated_normal", "stateless_uniform", "truncated_normal", "uniform",
    "uniform_candidate_sampler",
]  # fmt: skip
