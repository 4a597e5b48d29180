"""`tf.RaggedTensorSpec([None, None], tf.int32)`: the type of a ragged tensor. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ..framework.type_specs import TypeSpec
from .ragged_tensor import RaggedTensor


class RaggedTensorSpec(TypeSpec):
    """A RaggedTensor's shape, such as [None, None, 3], dtype, number of ragged axes and dtype of splits.

    ragged_rank: None for all axes but the first.

    Raises: ValueError for a number of ragged axes that the shape has not, TypeError for one that is no number.
    """

    def __init__(
        self, shape: Any = None, dtype: Any = dtypes.float32, ragged_rank: int | None = None, row_splits_dtype: Any = dtypes.int64
    ) -> None:
        self.shape = TensorShape(shape)
        self.dtype = as_dtype(dtype)
        self.row_splits_dtype = as_dtype(row_splits_dtype)
        rank = self.shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError(error_text("Must specify ragged_rank or a shape with a known rank."))
            ragged_rank = rank - 1
        elif not isinstance(ragged_rank, int):
            raise TypeError(error_text("ragged_rank must be an int"))
        if rank is not None and ragged_rank >= rank:
            raise ValueError(error_text("ragged_rank must be less than rank."))
        self.ragged_rank = ragged_rank

    @property
    def value_type(self) -> type:
        return RaggedTensor

    @classmethod
    def _of_value(cls, value: Any) -> TypeSpec | None:
        return cls.from_value(value) if isinstance(value, RaggedTensor) else None

    @classmethod
    def from_value(cls, value: RaggedTensor) -> RaggedTensorSpec:
        """The spec of a ragged tensor."""
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.ragged_rank, self.row_splits_dtype


__all__ = ["RaggedTensorSpec"]
