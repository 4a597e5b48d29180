"""Distributions whose parameters any numbers can be: softplus, or the whole part of the absolute value, makes them positive.

No state.
"""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ..distributions.beta import Beta
from ..distributions.gamma import Exponential, Gamma
from ..distributions.laplace import Laplace
from ..distributions.normal import Normal
from ..distributions.student_t import StudentT
from ..framework.scope_blocks import name_scope
from ..math import math
from ..nn.activations import softplus
from .chi2 import Chi2


class NormalWithSoftplusScale(Normal):
    """Normal distributions with standard deviation softplus(scale), broadcast with `loc` to [batch...]."""

    @atomic
    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NormalWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as scope:
            positive = softplus(scale, name="softplus_scale")
            super().__init__(loc, positive, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


class LaplaceWithSoftplusScale(Laplace):
    """Laplace distributions with scale softplus(scale), broadcast with `loc` to [batch...]."""

    @atomic
    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "LaplaceWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale]) as scope:
            positive = softplus(scale, name="softplus_scale")
            super().__init__(loc, positive, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


class ExponentialWithSoftplusRate(Exponential):
    """Exponential distributions with rate softplus(rate) [batch...]."""

    @atomic
    def __init__(
        self,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExponentialWithSoftplusRate",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as scope:
            super().__init__(softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, scope)
        self._parameters = parameters


class GammaWithSoftplusConcentrationRate(Gamma):
    """Gamma distributions with concentration softplus(concentration) and rate softplus(rate), broadcast to [batch...]."""

    @atomic
    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "GammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as scope:
            weight = softplus(concentration, name="softplus_concentration")
            positive = softplus(rate, name="softplus_rate")
            super().__init__(weight, positive, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


class BetaWithSoftplusConcentration(Beta):
    """Beta distributions; softplus makes `concentration1` and `concentration0` positive, which broadcast to [batch...]."""

    @atomic
    def __init__(
        self,
        concentration1: Any,
        concentration0: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "BetaWithSoftplusConcentration",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as scope:
            weight1 = softplus(concentration1, name="softplus_concentration1")
            weight0 = softplus(concentration0, name="softplus_concentration0")
            super().__init__(weight1, weight0, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


class StudentTWithAbsDfSoftplusScale(StudentT):
    """Student's t distributions with floor(|df|) degrees of freedom and scale softplus(scale), broadcast to [batch...]."""

    @atomic
    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentTWithAbsDfSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[df, scale]) as scope:
            whole = math.floor(math.abs(df))
            positive = softplus(scale, name="softplus_scale")
            super().__init__(whole, loc, positive, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


class Chi2WithAbsDf(Chi2):
    """Chi-squared distributions with floor(|df|) degrees of freedom [batch...]."""

    @atomic
    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2WithAbsDf"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[df]) as scope:
            whole = math.floor(math.abs(df, name="abs_df"), name="floor_abs_df")
            super().__init__(whole, validate_args, allow_nan_stats, scope)
        self._parameters = parameters
