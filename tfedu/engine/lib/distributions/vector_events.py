"""`VectorDistribution`: the common part of distributions of vectors; counts of draws of several kinds. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import products, reductions, special
from .distribution import Distribution
from .parameter_checks import checked_whole


class VectorDistribution(Distribution):
    """A distribution of vectors [k]. `_vectors`: a parameter [batch..., k]."""

    _vectors: Tensor

    def _batch_shape_tensor(self) -> Tensor:
        return array.shape(self._vectors)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self._vectors.shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return array.shape(self._vectors)[-1:]

    def _event_shape(self) -> TensorShape:
        return self._vectors.shape.with_rank_at_least(1)[-1:]

    def _event_size(self) -> Tensor:
        return self.event_shape_tensor()[0]

    def _drawn_shape(self, n: Any, size: Tensor) -> Tensor:
        """The shape [n, batch..., k] of n draws."""
        return array.concat([[n], self.batch_shape_tensor(), [size]], 0)

    def _checked_counts(self, total_count: Tensor, counts: Tensor, message: str) -> Tensor:
        """Counts [..., k], which the run checks under validate_args to be whole and to sum to total_count [...]."""
        if not self.validate_args:
            return counts
        counts = checked_whole(counts)
        check = asserts.assert_equal(total_count, reductions.reduce_sum(counts, -1), message=message)
        return with_dependencies([check], counts)


def covariances(x: Tensor, y: Tensor, variance: Callable[[], Tensor]) -> Tensor:
    """[..., k, k]: variance() [..., k] on the diagonal, beside it -x[..., i] · y[..., j]."""
    beside = -products.matmul(x[..., None], y[..., None, :])
    return linalg.matrix_set_diag(beside, variance())


@atomic
def log_combinations(n: Any, counts: Any, name: str = "log_combinations") -> Tensor:
    """The logarithm of the number of orders in which counts [..., k] of k kinds can come, n [...] in all: [...]."""
    with name_scope(name, values=[n, counts]):
        n, counts = convert_to_tensor(n, name="n"), convert_to_tensor(counts, name="counts")
        orders = special.lgamma(n + 1)
        of_same_kind = reductions.reduce_sum(special.lgamma(counts + 1), axis=[-1])
        return orders - of_same_kind
