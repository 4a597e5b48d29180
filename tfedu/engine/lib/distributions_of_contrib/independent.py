"""`tf.contrib.distributions.Independent`. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..arrays.sequences import range as range_of
from ..checks import asserts
from ..distributions.distribution import Distribution
from ..distributions.divergence import RegisterKL, kl_divergence
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import control_dependencies, name_scope
from ..framework.static_value import get_static_value
from ..math import math, reductions


class Independent(Distribution):
    """A distribution whose last `reinterpreted_batch_ndims` axes of the batch are axes of the event: its probability is
    the product over them. By default all axes of the batch but the first.

    Raises: ValueError for more axes than the batch has.
    """

    @atomic
    def __init__(
        self,
        distribution: Distribution,
        reinterpreted_batch_ndims: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        name = name or f"Independent{distribution.name}"
        self._distribution = distribution
        with name_scope(name) as scope:
            if reinterpreted_batch_ndims is None:
                reinterpreted_batch_ndims = _all_but_the_first(distribution)
            self._moved = convert_to_tensor(
                reinterpreted_batch_ndims, dtype=dtypes.int32, name="reinterpreted_batch_ndims"
            )
            known = get_static_value(self._moved)
            self._known_moved = None if known is None else int(known)
            super().__init__(
                distribution.dtype, distribution.reparameterization_type, validate_args, distribution.allow_nan_stats, parameters,
                [self._moved, *distribution._graph_parents], scope,
            )  # fmt: skip
            self._checks = self._of_ranks(validate_args)

    def _of_ranks(self, validate_args: bool) -> list[Any]:
        rank, moved = self.distribution.batch_shape.rank, self._known_moved
        if rank is not None and moved is not None:
            if moved > rank:
                raise ValueError(
                    error_text(f"reinterpreted_batch_ndims({moved}) cannot exceed distribution.batch_ndims({rank})")
                )
            return []
        if not validate_args:
            return []
        ranks = _rank_of(self.distribution.batch_shape_tensor()) if rank is None else rank
        text = "reinterpreted_batch_ndims cannot exceed distribution.batch_ndims"
        return [asserts.assert_less_equal(self._moved, ranks, message=text)]

    @property
    def distribution(self) -> Distribution:
        """The distribution whose axes are read in another way."""
        return self._distribution

    @property
    def reinterpreted_batch_ndims(self) -> Tensor:
        """The number of those axes, an int32 scalar."""
        return self._moved

    def _batch_shape_tensor(self) -> Tensor:
        with control_dependencies(self._checks):
            shape = self.distribution.batch_shape_tensor()
            return shape[: self._kept(shape)]

    def _kept(self, shape: Tensor) -> Any:
        """How many axes of the batch stay such."""
        return _rank_of(shape) - (self._moved if self._known_moved is None else self._known_moved)

    def _batch_shape(self) -> TensorShape:
        return self._split()[0]

    def _event_shape_tensor(self) -> Tensor:
        with control_dependencies(self._checks):
            shape = self.distribution.batch_shape_tensor()
            moved = shape[self._kept(shape) :]
            return array.concat([moved, self.distribution.event_shape_tensor()], 0)

    def _event_shape(self) -> TensorShape:
        return self._split()[1]

    def _split(self) -> tuple[TensorShape, TensorShape]:
        shape = self.distribution.batch_shape
        if self._known_moved is None or shape.rank is None:
            return TensorShape(None), TensorShape(None)
        behind = shape.rank - self._known_moved
        return shape[:behind], shape[behind:].concatenate(self.distribution.event_shape)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.sample(sample_shape=n, seed=seed)

    def _log_prob(self, value: Tensor) -> Tensor:
        with control_dependencies(self._checks):
            return self._reduced(reductions.reduce_sum, self.distribution.log_prob(value))

    def _entropy(self) -> Tensor:
        with control_dependencies(self._checks):
            return self._reduced(reductions.reduce_sum, self.distribution.entropy())

    def _mean(self) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.mean()

    def _variance(self) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.variance()

    def _stddev(self) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.stddev()

    def _mode(self) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.mode()

    def _reduced(self, reduce: Callable[..., Tensor], statistic: Tensor) -> Tensor:
        if self._known_moved is None:
            return reduce(statistic, axis=-1 - range_of(self._moved))
        return reduce(statistic, axis=_last_axes(self._known_moved))


def _last_axes(count: int) -> list[int]:
    return [-1 - i for i in range(count)]


def _rank_of(shape: Tensor) -> Any:
    known = shape.raw_shape
    return array.shape(shape)[0] if known is None or known[0] is None else known[0]


def _all_but_the_first(distribution: Distribution) -> Any:
    rank = distribution.batch_shape.rank
    if rank is not None:
        return max(0, rank - 1)
    return math.maximum(0, array.shape(distribution.batch_shape_tensor())[0] - 1)


@RegisterKL(Independent, Independent)
def _divergence(a: Independent, b: Independent, name: str | None = None) -> Tensor:
    p, q = a.distribution, b.distribution
    shapes = [d.event_shape for d in (a, b, p, q)]
    if not all(shape.is_fully_defined() for shape in shapes):
        raise NotImplementedError(error_text("KL between Independents with dynamic event shapes not supported."))
    if shapes[0] != shapes[1]:
        raise ValueError(error_text("Event shapes do not match."))
    if shapes[2] != shapes[3]:
        raise NotImplementedError(error_text("KL between Independents with different event shapes not supported."))
    moved = len(shapes[0]) - len(shapes[2])
    return reductions.reduce_sum(kl_divergence(p, q, name=name), axis=_last_axes(moved))
