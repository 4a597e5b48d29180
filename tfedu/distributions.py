"""`tf.distributions`: probability distributions with densities, samples, statistics and divergences."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.distributions.distribution import (
    Distribution, FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, ReparameterizationType,
)  # fmt: skip
from .engine.lib.distributions.divergence import RegisterKL, kl_divergence
from .engine.lib.distributions.bernoulli import Bernoulli
from .engine.lib.distributions.categorical import Categorical
from .engine.lib.distributions.normal import Normal

__all__ = [
    "Bernoulli", "Categorical", "Distribution", "FULLY_REPARAMETERIZED", "NOT_REPARAMETERIZED", "Normal",
    "RegisterKL", "ReparameterizationType", "kl_divergence",
]  # fmt: skip
