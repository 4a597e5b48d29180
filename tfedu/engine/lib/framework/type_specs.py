"""`TensorSpec([None, 3], tf.float32)`: the type of a value, without the value; also for composite tensors. No state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.nodes import Tensor
from ...op.composites import IndexedSlices, SparseTensor
from ...op.infer import constant_value_as_shape
from ..control.tensor_array import TensorArray


class TypeSpec(ABC):
    """The type of a value, as the class, shape and dtype that it must have; each class of values has a spec class."""

    @property
    @abstractmethod
    def value_type(self) -> type:
        """The class of the values."""

    @abstractmethod
    def _serialize(self) -> tuple[Any, ...]:
        """The arguments that construct an equal spec."""

    @classmethod
    def _of_value(cls, value: Any) -> TypeSpec | None:
        """The spec of a value, None for a value of another class."""
        return None

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the value, or every value of the other spec, satisfies this spec."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else self._of_value(spec_or_value)
        return type(self) is type(other) and all(map(_fits, self._serialize(), other._serialize()))

    def most_specific_compatible_type(self, other: TypeSpec) -> TypeSpec:
        """The narrowest spec that covers both.

        Raises: ValueError when there is none.
        """
        if type(self) is not type(other):
            raise ValueError(error_text(f"No TypeSpec is compatible with both {self} and {other}"))
        return type(self)(*[_common(a, b, self, other) for a, b in zip(self._serialize(), other._serialize())])

    def _key(self) -> tuple[Any, ...]:
        return type(self), *[part.raw if isinstance(part, TensorShape) else part for part in self._serialize()]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._serialize()

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"


def _fits(expected: Any, actual: Any) -> bool:
    if isinstance(expected, TensorShape | DType):
        return expected.is_compatible_with(actual)
    return bool(expected == actual)


def _common(a: Any, b: Any, first: TypeSpec, second: TypeSpec) -> Any:
    if isinstance(a, TensorShape):
        return a.most_specific_compatible_shape(b)
    if a != b:
        raise ValueError(error_text(f"No TypeSpec is compatible with both {first} and {second}"))
    return a


class TensorSpec(TypeSpec):
    """A tensor's shape, such as [None, 3], its dtype and an optional name.

    Raises: TypeError for an argument that is not a shape or dtype.
    """

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype = as_dtype(dtype)
        self.name = name

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """A copy, optionally under another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Tensor, name: str | None = None) -> TensorSpec:
        """The spec of a tensor, named after its node unless `name` is set.

        Raises: ValueError for a value that is not a Tensor.
        """
        if not isinstance(tensor, Tensor):
            raise ValueError(error_text("`tensor` should be a tf.Tensor"))
        return cls(tensor.shape, tensor.dtype, name or tensor.op.name)

    @property
    def value_type(self) -> type:
        return Tensor

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether dtype and shape fit; names are not compared."""
        return (
            isinstance(spec_or_tensor, TensorSpec | Tensor)
            and self.dtype.is_compatible_with(spec_or_tensor.dtype)
            and self.shape.is_compatible_with(spec_or_tensor.shape)
        )

    def most_specific_compatible_type(self, other: Any) -> TensorSpec:
        """The narrowest spec that covers both.

        Raises: ValueError for another dtype.
        """
        if type(self) is not type(other) or self.dtype != other.dtype:
            raise ValueError(error_text(f"Types are not compatible: {self!r} vs {other!r}"))
        name = self.name if self.name == other.name else None
        return TensorSpec(self.shape.most_specific_compatible_shape(other.shape), self.dtype, name)

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.name

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"


class SparseTensorSpec(TypeSpec):
    """A SparseTensor's dense shape, such as [None, 3], and dtype."""

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self.shape = TensorShape(shape)
        self.dtype = as_dtype(dtype)

    @property
    def value_type(self) -> type:
        return SparseTensor

    @classmethod
    def _of_value(cls, value: Any) -> TypeSpec | None:
        return cls(value.shape, value.dtype) if isinstance(value, SparseTensor) else None

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype


class IndexedSlicesSpec(TypeSpec):
    """The dense shape [n, ...] and the dtypes of IndexedSlices. dense_shape_dtype: None for slices without a dense
    shape.
    """

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        indices_dtype: Any = dtypes.int64,
        dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ) -> None:
        self._parts = (
            TensorShape(shape), as_dtype(dtype), as_dtype(indices_dtype),
            None if dense_shape_dtype is None else as_dtype(dense_shape_dtype), TensorShape(indices_shape).with_rank(1),
        )  # fmt: skip

    @property
    def value_type(self) -> type:
        return IndexedSlices

    @classmethod
    def _of_value(cls, value: Any) -> TypeSpec | None:
        if not isinstance(value, IndexedSlices):
            return None
        dense_shape_dtype = None if value.dense_shape is None else value.dense_shape.dtype
        dense_shape = None if value.dense_shape is None else constant_value_as_shape(value.dense_shape)
        return cls(TensorShape.of(dense_shape), value.dtype, value.indices.dtype, dense_shape_dtype, value.indices.shape)

    def _serialize(self) -> tuple[Any, ...]:
        return self._parts


class TensorArraySpec(TypeSpec):
    """The shape [...] and dtype of a TensorArray's elements, whether it grows, and whether all elements have one
    shape.
    """

    def __init__(
        self, element_shape: Any = None, dtype: Any = dtypes.float32, dynamic_size: bool = False, infer_shape: bool = True
    ) -> None:
        self._parts = TensorShape(element_shape), as_dtype(dtype), dynamic_size, infer_shape

    @property
    def value_type(self) -> type:
        return TensorArray

    @staticmethod
    def from_value(value: Any) -> TensorArraySpec:
        """The spec of an array.

        Raises: TypeError for a value that is not a TensorArray.
        """
        if not isinstance(value, TensorArray):
            raise TypeError(error_text(f"Expected value to be a TensorArray, but saw: {type(value)}"))
        return TensorArraySpec(value.element_shape, value.dtype, value.dynamic_size, value._infer_shape)

    @classmethod
    def _of_value(cls, value: Any) -> TypeSpec | None:
        return cls.from_value(value) if isinstance(value, TensorArray) else None

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether element shape, dtype and growth fit; infer_shape is not compared."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else self._of_value(spec_or_value)
        return isinstance(other, TensorArraySpec) and all(map(_fits, self._parts[:3], other._parts[:3]))

    def most_specific_compatible_type(self, other: TypeSpec) -> TensorArraySpec:
        """The narrowest spec that covers both.

        Raises: ValueError when there is none.
        """
        if not isinstance(other, TensorArraySpec) or not self.is_compatible_with(other):
            raise ValueError(error_text("Types are not compatible"))
        shape, dtype, grows, infers = self._parts
        shape = shape.most_specific_compatible_shape(other._parts[0])
        return TensorArraySpec(shape, dtype, grows, infers and other._parts[3])

    def _serialize(self) -> tuple[Any, ...]:
        return self._parts


__all__ = ["IndexedSlicesSpec", "SparseTensorSpec", "TensorArraySpec", "TensorSpec", "TypeSpec"]
