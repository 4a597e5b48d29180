"""`tf.contrib.distributions`: the distributions that it has beside those of `tf.distributions`."""

from ...engine.lib.bijectors.elementwise import softplus_inverse
from ...engine.lib.bijectors.triangles import fill_triangular, fill_triangular_inverse
from ...engine.lib.distributions.derived_seed import SeedStream
from ...engine.lib.distributions_of_contrib.binomial import Binomial, NegativeBinomial
from ...engine.lib.distributions_of_contrib.cauchy_and_logistic import Cauchy, Logistic
from ...engine.lib.distributions_of_contrib.chi2 import Chi2
from ...engine.lib.distributions_of_contrib.deterministic import Deterministic, VectorDeterministic
from ...engine.lib.distributions_of_contrib.geometric import Geometric
from ...engine.lib.distributions_of_contrib.half_normal import HalfNormal
from ...engine.lib.distributions_of_contrib.independent import Independent
from ...engine.lib.distributions_of_contrib.inverse_gamma import (
    InverseGamma,
    InverseGammaWithSoftplusConcentrationRate,
)
from ...engine.lib.distributions_of_contrib.mixtures import Mixture, MixtureSameFamily
from ...engine.lib.distributions_of_contrib.multivariate_normals import (
    MultivariateNormalDiag,
    MultivariateNormalDiagPlusLowRank,
    MultivariateNormalDiagWithSoftplusScale,
    MultivariateNormalFullCovariance,
    MultivariateNormalTriL,
)
from ...engine.lib.distributions_of_contrib.one_hot_categorical import OneHotCategorical
from ...engine.lib.distributions_of_contrib.poisson import Poisson
from ...engine.lib.distributions_of_contrib.positive_parameters import (
    BetaWithSoftplusConcentration,
    Chi2WithAbsDf,
    ExponentialWithSoftplusRate,
    GammaWithSoftplusConcentrationRate,
    LaplaceWithSoftplusScale,
    NormalWithSoftplusScale,
    StudentTWithAbsDfSoftplusScale,
)
from ...engine.lib.distributions_of_contrib.relaxed import (
    ExpRelaxedOneHotCategorical,
    RelaxedBernoulli,
    RelaxedOneHotCategorical,
)
from ...engine.lib.distributions_of_contrib.transformed import (
    ConditionalDistribution,
    ConditionalTransformedDistribution,
    TransformedDistribution,
)

__all__ = [
    "BetaWithSoftplusConcentration", "Binomial", "Cauchy", "Chi2", "Chi2WithAbsDf",
    "ConditionalDistribution", "ConditionalTransformedDistribution", "Deterministic",
    "ExpRelaxedOneHotCategorical", "ExponentialWithSoftplusRate", "GammaWithSoftplusConcentrationRate",
    "Geometric", "HalfNormal", "Independent", "InverseGamma", "InverseGammaWithSoftplusConcentrationRate",
    "LaplaceWithSoftplusScale", "Logistic", "Mixture", "MixtureSameFamily", "MultivariateNormalDiag",
    "MultivariateNormalDiagPlusLowRank", "MultivariateNormalDiagWithSoftplusScale",
    "MultivariateNormalFullCovariance", "MultivariateNormalTriL", "NegativeBinomial",
    "NormalWithSoftplusScale", "OneHotCategorical", "Poisson", "RelaxedBernoulli",
    "RelaxedOneHotCategorical", "SeedStream", "StudentTWithAbsDfSoftplusScale", "TransformedDistribution",
    "VectorDeterministic", "fill_triangular", "fill_triangular_inverse", "softplus_inverse",
]  # fmt: skip
