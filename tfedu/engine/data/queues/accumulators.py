"""`tf.ConditionalAccumulator` and `tf.SparseConditionalAccumulator`: gradients of several runs, taken together.

    accumulator = tf.ConditionalAccumulator(tf.float32, shape=[2])
    add, mean = accumulator.apply_grad([1.0, 2.0]), accumulator.take_grad(1)

No state: the sums are in the session (ops/accumulators.py).
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.dtypes import DType
from ...base.shapes import TensorShape, unknown_shape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...lib.framework.conversion import convert_to_tensor
from ...lib.math.math import cast
from ...lib.sparse.composite_values import IndexedSlices
from ...ops import accumulators as ops


def _step(value: Any) -> Tensor:
    result: Tensor = cast(convert_to_tensor(value), dtypes.int64)
    return result


class ConditionalAccumulatorBase:
    """An accumulator behind a handle. It leaves out gradients of older steps than its own, which each take moves on."""

    def __init__(self, dtype: Any, shape: Any, accumulator_ref: Any) -> None:
        self._dtype: DType = dtypes.as_dtype(dtype)
        self._shape = unknown_shape() if shape is None else TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.split("/")[-1]

    @property
    def accumulator_ref(self) -> Any:
        """The handle."""
        return self._accumulator_ref

    @property
    def name(self) -> str:
        """The name of the accumulator's node, without its scope."""
        return self._name

    @property
    def dtype(self) -> DType:
        return self._dtype

    def num_accumulated(self, name: str | None = None) -> Tensor:
        """The number of gradients in it."""
        raise NotImplementedError

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        """Sets the step, below which gradients are left out."""
        raise NotImplementedError


class ConditionalAccumulator(ConditionalAccumulatorBase):
    """An accumulator of dense gradients. reduction_type: "MEAN" or "SUM"."""

    @atomic
    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str | None = "conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        handle = ops.resource_conditional_accumulator(
            dtype=dtype, shape=shape, shared_name=shared_name or "", name=name, reduction_type=reduction_type
        )
        super().__init__(dtype, shape, handle)

    @atomic
    def apply_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Operation:
        """Adds a gradient, unless local_step is older than the accumulator's step.

        Raises: ValueError for a shape that does not fit.
        """
        gradient = convert_to_tensor(grad, self._dtype)
        gradient.shape.assert_is_compatible_with(self._shape)
        result: Operation = ops.resource_accumulator_apply_gradient(
            self._accumulator_ref, _step(local_step), gradient, name=name
        )
        return result

    @atomic
    def take_grad(self, num_required: Any, name: str | None = None) -> Tensor:
        """The mean or sum, once there are so many gradients; the accumulator is empty then."""
        taken: Tensor = ops.resource_accumulator_take_gradient(
            self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )
        taken.set_shape(self._shape)
        return taken

    @atomic
    def num_accumulated(self, name: str | None = None) -> Tensor:
        name = f"{self._name}_NumAccumulated" if name is None else name
        result: Tensor = ops.resource_accumulator_num_accumulated(self._accumulator_ref, name=name)
        return result

    @atomic
    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        result: Operation = ops.resource_accumulator_set_global_step(
            self._accumulator_ref, _step(new_global_step), name=name
        )
        return result


class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """An accumulator of rows, as of an embedding's gradient. reduction_type: "MEAN" (of each row's own number) or "SUM"."""

    @atomic
    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str | None = "sparse_conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        handle = ops.sparse_conditional_accumulator(
            dtype=dtype, shape=shape, shared_name=shared_name or "", name=name, reduction_type=reduction_type
        )
        super().__init__(dtype, shape, handle)

    def apply_indexed_slices_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Operation:
        """Adds the rows of a tf.IndexedSlices, unless local_step is older than the accumulator's step."""
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    @atomic
    def apply_grad(
        self, grad_indices: Any, grad_values: Any, grad_shape: Any = None, local_step: Any = 0, name: str | None = None
    ) -> Operation:
        """Adds rows, unless local_step is older than the accumulator's step."""
        step = _step(local_step)
        indices = cast(grad_indices, dtypes.int64)
        shape = cast([] if grad_shape is None else grad_shape, dtypes.int64)
        result: Operation = ops.sparse_accumulator_apply_gradient(
            self._accumulator_ref, step, indices, grad_values, shape, has_known_shape=grad_shape is not None, name=name
        )
        return result

    @atomic
    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """The rows' (indices, values, shape), once there are so many gradients; the accumulator is empty then."""
        return ops.sparse_accumulator_take_gradient(self._accumulator_ref, num_required, dtype=self._dtype, name=name)

    def take_indexed_slices_grad(self, num_required: Any, name: str | None = None) -> IndexedSlices:
        """`take_grad` as a tf.IndexedSlices."""
        taken = self.take_grad(num_required, name)
        return IndexedSlices(indices=taken.indices, values=taken.values, dense_shape=taken.shape)

    @atomic
    def num_accumulated(self, name: str | None = None) -> Tensor:
        name = f"{self._name}_NumAccumulated" if name is None else name
        result: Tensor = ops.accumulator_num_accumulated(self._accumulator_ref, name=name)
        return result

    @atomic
    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        step = _step(new_global_step)
        result: Operation = ops.accumulator_set_global_step(self._accumulator_ref, step, name=name)
        return result


__all__ = ["ConditionalAccumulator", "ConditionalAccumulatorBase", "SparseConditionalAccumulator"]
