"""`ScalarDistribution`: the common part of distributions of numbers. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.shapes import TensorShape
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array
from .distribution import Distribution


class ScalarDistribution(Distribution):
    """A distribution of numbers. `_batch_of`: the tensors [...] whose shapes broadcast to [batch...]."""

    _batch_of: Sequence[Tensor]

    def _batch_shape_tensor(self) -> Tensor:
        return _broadcast_shape(self._batch_of)

    def _batch_shape(self) -> TensorShape:
        shape = self._batch_of[0].shape
        for tensor in self._batch_of[1:]:
            shape = array.broadcast_static_shape(shape, tensor.shape)
        return shape

    def _event_shape_tensor(self) -> Tensor:
        return constant([], dtype=dtypes.int32)

    def _event_shape(self) -> TensorShape:
        return TensorShape([])

    def _filled(self, value: float, name: str | None = None) -> Tensor:
        """[batch...], filled with a number."""
        shape = self.batch_shape_tensor()
        return array.fill(shape, np.array(value, self.dtype.as_numpy_dtype), name=name)

    def _batch_of_ones(self) -> Tensor:
        return array.ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _drawn_shape(self, n: Any) -> Tensor:
        """The shape [n, batch...] of n draws."""
        return array.concat([[n], self.batch_shape_tensor()], 0)


def _broadcast_shape(tensors: Sequence[Tensor]) -> Tensor:
    first = array.shape(tensors[0])
    return first if len(tensors) == 1 else array.broadcast_dynamic_shape(first, _broadcast_shape(tensors[1:]))
