"""`tf.distributions`: probability distributions with densities, samples, statistics and divergences."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.distributions.distribution import (
    Distribution, FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, ReparameterizationType,
)  # fmt: skip
from .engine.lib.distributions.divergence import RegisterKL, kl_divergence
from .engine.lib.distributions.bernoulli import Bernoulli
from .engine.lib.distributions.beta import Beta
from .engine.lib.distributions.categorical import Categorical
from .engine.lib.distributions.dirichlet import Dirichlet
from .engine.lib.distributions.dirichlet_multinomial import DirichletMultinomial
from .engine.lib.distributions.gamma import Exponential, Gamma
from .engine.lib.distributions.laplace import Laplace
from .engine.lib.distributions.multinomial import Multinomial
from .engine.lib.distributions.normal import Normal
from .engine.lib.distributions.student_t import StudentT
from .engine.lib.distributions.uniform import Uniform

__all__ = [
    "Bernoulli", "Beta", "Categorical", "Dirichlet", "DirichletMultinomial", "Distribution",
    "Exponential", "FULLY_REPARAMETERIZED", "Gamma", "Laplace", "Multinomial", "NOT_REPARAMETERIZED",
    "Normal", "RegisterKL", "ReparameterizationType", "StudentT", "Uniform", "kl_divergence",
]  # fmt: skip
