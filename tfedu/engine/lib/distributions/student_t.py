"""`tf.distributions.StudentT`. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, selection
from ..checks import asserts
from ..checks.type_asserts import assert_same_float_dtype
from ..control.grouping import identity, with_dependencies
from ..framework.scope_blocks import control_dependencies, name_scope
from ..math import math, random, special
from .derived_seed import derived_seed
from .distribution import FULLY_REPARAMETERIZED
from .scalar_events import ScalarDistribution


class StudentT(ScalarDistribution):
    """Student's t distributions with `df` degrees of freedom, moved by `loc` and stretched by `scale`, broadcast to
    [batch...].

    Raises: ValueError for parameters that are not floating or of different dtypes; in the run, under validate_args,
    InvalidArgumentError unless df is positive.
    Differs from TF: `variance` and `stddev` also take float64, which 1.15 refuses with a TypeError.
    """

    @atomic
    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentT",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[df, loc, scale]) as scope:
            with control_dependencies([asserts.assert_positive(df)] if validate_args else []):
                self._df = identity(df, name="df")
                self._loc = identity(loc, name="loc")
                self._scale = identity(scale, name="scale")
                assert_same_float_dtype((self._df, self._loc, self._scale))
        self._batch_of = (self._df, self._loc, self._scale)
        super().__init__(
            self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, self._batch_of, scope
        )

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"df": sample_shape, "loc": sample_shape, "scale": sample_shape}

    @property
    def df(self) -> Tensor:
        """The degrees of freedom [...]."""
        return self._df

    @property
    def loc(self) -> Tensor:
        """The location [...]: the centre of the density."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The scale [...]: a sample is loc + scale · (a sample of the standard distribution)."""
        return self._scale

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        normal = random.random_normal(self._drawn_shape(n), dtype=self.dtype, seed=seed)
        df = self.df * self._batch_of_ones()
        squares = random.random_gamma([n], 0.5 * df, beta=0.5, dtype=self.dtype, seed=derived_seed(seed, "student_t"))
        return normal * math.rsqrt(squares / df) * self.scale + self.loc

    def _log_prob(self, value: Tensor) -> Tensor:
        y = (value - self.loc) / self.scale
        unnormalized = -0.5 * (self.df + 1.0) * math.log1p(y**2.0 / self.df)
        return unnormalized - (
            math.log(math.abs(self.scale))
            + 0.5 * math.log(self.df)
            + 0.5 * scalar_math.log(scalar_math.pi)
            + special.lgamma(0.5 * self.df)
            - special.lgamma(0.5 * (self.df + 1.0))
        )

    def _cdf(self, value: Tensor) -> Tensor:
        y = (value - self.loc) / math.abs(self.scale)
        x = self.df / (y**2.0 + self.df)
        tail = 0.5 * special.betainc(0.5 * self.df, 0.5, x)
        return selection.where_v2(y < 0.0, tail, 1.0 - tail)

    def _entropy(self) -> Tensor:
        v = self._batch_of_ones()[..., None]
        u = v * self.df[..., None]
        halves = array.concat([u, v], -1) / 2.0
        return (
            math.log(math.abs(self.scale))
            + 0.5 * math.log(self.df)
            + special.lbeta(halves)
            + 0.5 * (self.df + 1.0) * (special.digamma(0.5 * (self.df + 1.0)) - special.digamma(0.5 * self.df))
        )

    def _mean(self) -> Tensor:
        return self._where_df_exceeds_1(self.loc * self._batch_of_ones(), "mean")

    def _variance(self) -> Tensor:
        # 1 in place of a denominator that is not positive, so that the branch which is not chosen is finite
        denominator = selection.where_v2(self.df > 2.0, self.df - 2.0, array.ones_like(self.df))
        variance = self._batch_of_ones() * math.square(self.scale) * self.df / denominator
        variance = selection.where_v2(self.df > self._filled(2.0), variance, self._filled(np.inf, "inf"))
        return self._where_df_exceeds_1(variance, "variance")

    def _where_df_exceeds_1(self, statistic: Tensor, label: str) -> Tensor:
        if self.allow_nan_stats:
            defined = math.greater(self.df, self._batch_of_ones())
            return selection.where_v2(defined, statistic, self._filled(np.nan, "nan"))
        text = f"{label} not defined for components of df <= 1"
        return with_dependencies([asserts.assert_less(array.ones([], self.dtype), self.df, message=text)], statistic)

    def _mode(self) -> Tensor:
        return identity(self.loc)
