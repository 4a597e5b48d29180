"""`tf.contrib.distributions.Deterministic` and `VectorDeterministic`: all draws are the same. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array
from ..checks import asserts, type_asserts
from ..control.grouping import identity, with_dependencies
from ..distributions.distribution import NOT_REPARAMETERIZED, Distribution
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..math import math, reductions


class _Deterministic(Distribution):
    """Draws are `loc`. A value within atol + rtol · |loc| counts as loc."""

    def _make(
        self, loc: Any, atol: Any, rtol: Any, is_vector: bool, validate_args: bool, allow_nan_stats: bool, name: str,
        parameters: dict[str, Any],
    ) -> None:  # fmt: skip
        with name_scope(name, values=[loc, atol, rtol]) as scope:
            loc = convert_to_tensor(loc, name="loc")
            if is_vector and validate_args:
                text = "Argument loc must be at least rank 1."
                loc = with_dependencies([type_asserts.assert_rank_at_least(loc, 1, message=text)], loc)
            self._loc = loc
            self._atol, self._rtol = (
                _tolerance(given, loc, label, validate_args) for given, label in ((atol, "atol"), (rtol, "rtol"))
            )
            super().__init__(
                loc.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [loc, self._atol, self._rtol], scope
            )

    @property
    def loc(self) -> Tensor:
        """What all draws are."""
        return self._loc

    @property
    def atol(self) -> Tensor:
        """The absolute tolerance."""
        return self._atol

    @property
    def rtol(self) -> Tensor:
        """The tolerance relative to |loc|."""
        return self._rtol

    def _slack(self) -> Tensor:
        return self.atol + self.rtol * math.abs(self.loc)  # type: ignore[no-any-return]

    def _entropy(self) -> Tensor:
        return array.zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _mean(self) -> Tensor:
        return identity(self.loc)

    def _mode(self) -> Tensor:
        return self.mean()

    def _variance(self) -> Tensor:
        return array.zeros_like(self.loc)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = array.concat([[n], self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        return array.broadcast_to(self.loc, shape)

    def _is_near(self, value: Tensor) -> Tensor:
        return math.less_equal(math.abs(value - self.loc), self._slack())


class Deterministic(_Deterministic):
    """Numbers that are loc [batch...].

    atol, rtol: a value within atol + rtol · |loc| has probability 1; None: 0. Raises: in the run, under validate_args,
    InvalidArgumentError for a negative tolerance.
    """

    @atomic
    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Deterministic",
    ) -> None:
        self._make(loc, atol, rtol, False, validate_args, allow_nan_stats, name, dict(locals()))

    def _batch_shape_tensor(self) -> Tensor:
        return array.shape(self.loc)

    def _batch_shape(self) -> TensorShape:
        return self.loc.shape

    def _event_shape_tensor(self) -> Tensor:
        return constant([], dtype=dtypes.int32)

    def _event_shape(self) -> TensorShape:
        return TensorShape([])

    def _prob(self, value: Tensor) -> Tensor:
        return math.cast(self._is_near(value), dtype=self.dtype)

    def _cdf(self, value: Tensor) -> Tensor:
        return math.cast(math.greater_equal(value, self.loc - self._slack()), self.dtype)


class VectorDeterministic(_Deterministic):
    """Vectors [k] that are loc [batch..., k].

    atol, rtol: a vector whose elements are within atol + rtol · |loc| has probability 1; None: 0. Raises: in the run, under
    validate_args, InvalidArgumentError for a negative tolerance.
    """

    @atomic
    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorDeterministic",
    ) -> None:
        self._make(loc, atol, rtol, True, validate_args, allow_nan_stats, name, dict(locals()))

    def _batch_shape_tensor(self) -> Tensor:
        return array.shape(self.loc)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.loc.shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return array.shape(self.loc)[-1:]

    def _event_shape(self) -> TensorShape:
        return self.loc.shape.with_rank_at_least(1)[-1:]

    def _prob(self, value: Tensor) -> Tensor:
        return math.cast(reductions.reduce_all(self._is_near(value), axis=-1), dtype=self.dtype)


def _tolerance(given: Any, loc: Tensor, label: str, is_checked: bool) -> Tensor:
    if given is None:
        return convert_to_tensor(0, dtype=loc.dtype)
    tolerance = convert_to_tensor(given, name=label, dtype=loc.dtype)
    if not is_checked:
        return tolerance
    text = "Argument 'tol' must be non-negative"
    return with_dependencies([asserts.assert_non_negative(tolerance, message=text)], tolerance)
