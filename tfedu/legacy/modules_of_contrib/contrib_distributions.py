"""`tf.contrib.distributions`: the distributions that it has beside those of `tf.distributions`."""

from ...engine.lib.distributions_of_contrib.chi2 import Chi2
from ...engine.lib.distributions_of_contrib.half_normal import HalfNormal
from ...engine.lib.distributions_of_contrib.location_scale import Cauchy, Logistic
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

__all__ = [
    "BetaWithSoftplusConcentration", "Cauchy", "Chi2", "Chi2WithAbsDf", "ExponentialWithSoftplusRate",
    "GammaWithSoftplusConcentrationRate", "HalfNormal", "LaplaceWithSoftplusScale", "Logistic",
    "NormalWithSoftplusScale", "OneHotCategorical", "Poisson", "StudentTWithAbsDfSoftplusScale",
]  # fmt: skip
