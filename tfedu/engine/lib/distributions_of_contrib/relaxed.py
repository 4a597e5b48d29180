"""Distributions whose draws nearly are 0 or 1, or one of several classes, and pass gradients: `RelaxedBernoulli`,
`RelaxedOneHotCategorical`. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..bijectors.elementwise import Exp, Sigmoid
from ..checks import asserts
from ..control.grouping import identity
from ..distributions.distribution import FULLY_REPARAMETERIZED
from ..distributions.parameter_checks import logits_and_probs
from ..distributions.vector_events import VectorDistribution
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import control_dependencies, name_scope
from ..math import math, random, reductions, special
from ..nn import activations
from .cauchy_and_logistic import Logistic
from .transformed import TransformedDistribution


class RelaxedBernoulli(TransformedDistribution):
    """Numbers between 0 and 1: the sigmoid of a logistic number, divided by `temperature`; the lower it is, the nearer the
    numbers are to 0 and 1, which come with probabilities 1 - probs and probs [batch...]. logits: log(probs / (1 - probs)).

    Raises: ValueError unless just one of logits and probs is passed, TypeError when it is not floating; in the run, under
    validate_args, InvalidArgumentError for a temperature that is not positive. Source: Maddison and others, 2017.
    """

    @atomic
    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedBernoulli",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs, temperature]) as scope:
            with control_dependencies([asserts.assert_positive(temperature)] if validate_args else []):
                self._temperature = identity(temperature, name="temperature")
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args)
            logistic = Logistic(
                self._logits / self._temperature, 1.0 / self._temperature, validate_args=validate_args,
                allow_nan_stats=allow_nan_stats, name=f"{scope}/Logistic",
            )  # fmt: skip
            super().__init__(logistic, Sigmoid(validate_args=validate_args), validate_args=validate_args, name=scope)
        self._parameters = parameters

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"logits": sample_shape}

    @property
    def temperature(self) -> Tensor:
        """The temperature [...]."""
        return self._temperature

    @property
    def logits(self) -> Tensor:
        """log(probs / (1 - probs)) [batch...]."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probability [batch...] of a number near 1."""
        return self._probs


class ExpRelaxedOneHotCategorical(VectorDistribution):
    """The logarithms [k] of vectors of RelaxedOneHotCategorical, which keep what the vectors round to 0.

    Raises: as RelaxedOneHotCategorical.
    """

    @atomic
    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExpRelaxedOneHotCategorical",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs, temperature]) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, multidimensional=True)
            self._vectors = self._logits
            with control_dependencies([asserts.assert_positive(temperature)] if validate_args else []):
                self._temperature = convert_to_tensor(temperature, name="temperature", preferred_dtype=self._logits.dtype)
                if validate_args:
                    self._temperature = identity(self._temperature)
            with name_scope("event_size"):
                self._classes = array.shape(self._logits)[-1]
        super().__init__(
            self._logits.dtype if dtype is None else dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._logits, self._probs, self._temperature], scope,
        )  # fmt: skip

    @property
    def event_size(self) -> Tensor:
        """The number of classes, an int32 scalar."""
        return self._classes

    @property
    def temperature(self) -> Tensor:
        """The temperature, a scalar."""
        return self._temperature

    @property
    def logits(self) -> Tensor:
        """The unnormalised log probabilities [batch..., k]."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probabilities [batch..., k]."""
        return self._probs

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = array.concat([[n], array.shape(self.logits)], 0)
        logits = array.reshape(self.logits * array.ones(shape, dtype=self.dtype), [-1, self.event_size])
        # a uniform number is never 0, whose logarithm is infinite
        smallest = np.finfo(self.dtype.as_numpy_dtype).tiny
        uniform = random.random_uniform(
            shape=array.shape(logits), minval=smallest, maxval=1.0, dtype=self.dtype, seed=seed
        )
        noisy = (-math.log(-math.log(uniform)) + logits) / self.temperature
        return array.reshape(activations.log_softmax(noisy), shape)

    def _log_prob(self, value: Tensor) -> Tensor:
        logits = self.logits + array.zeros_like(value)
        value = value + array.zeros_like(logits)
        k = math.cast(self.event_size, value.dtype)
        constant = special.lgamma(k) + (k - 1.0) * math.log(self.temperature)
        softmax = activations.log_softmax(logits - value * self.temperature)
        return reductions.reduce_sum(softmax, axis=-1) + constant  # type: ignore[no-any-return]


class RelaxedOneHotCategorical(TransformedDistribution):
    """Vectors [k] of positive numbers that sum to 1; the lower `temperature`, the nearer one of them is to 1: with the
    probability `probs` [batch..., k]. logits: the unnormalised logarithms of the probabilities. Its draws are known as
    Gumbel-softmax.

    Raises: ValueError unless just one of logits and probs is passed, TypeError when it is not floating; in the run, under
    validate_args, InvalidArgumentError for a temperature that is not positive.
    Source: Jang, Gu and Poole, 2017; Maddison and others, 2017.
    """

    @atomic
    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedOneHotCategorical",
    ) -> None:
        parameters = dict(locals())
        of_logarithms = ExpRelaxedOneHotCategorical(
            temperature, logits=logits, probs=probs, dtype=dtype, validate_args=validate_args, allow_nan_stats=allow_nan_stats
        )
        super().__init__(of_logarithms, Exp(validate_args=validate_args), validate_args=validate_args, name=name)
        self._parameters = parameters
