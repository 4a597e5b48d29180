"""`convert_to_tensor(value)` as programs call it, and what it leaves as it is. No state."""

from __future__ import annotations

from typing import Any

from ..base.dtypes import as_dtype
from ..graph import conversion
from ..graph.nodes import Operation, Tensor
from ..ops.composites import IndexedSlices, SparseTensor
from .failing import said


def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    """The tensor that `value` stands for; Python and NumPy values become constants.

    dtype: must be that one. preferred_dtype, dtype_hint: that one where the value can have it.
    Raises: ValueError when a tensor's dtype differs from the asked one, TypeError when nothing converts the value.
    """
    return conversion.convert_to_tensor(value, dtype, name, preferred_dtype, dtype_hint=dtype_hint)


def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """The tensor that `value` stands for; IndexedSlices and SparseTensors as they are.

    Raises: ValueError when its dtype differs from the asked one, TypeError when nothing converts the value.
    """
    if not isinstance(value, (IndexedSlices, SparseTensor)):
        return conversion.convert_to_tensor(value, dtype, name)
    if dtype is not None and not as_dtype(dtype).is_compatible_with(value.dtype):
        raise ValueError(
            said(
                f"Tensor conversion requested dtype {as_dtype(dtype).name} for Tensor with dtype {value.dtype.name}: "
                f"{str(value)!r}"
            )
        )
    return value


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, several that stand for one, or a variable."""
    return isinstance(x, (Tensor, IndexedSlices, SparseTensor)) or (
        not isinstance(x, (Operation, type)) and hasattr(x, "_as_graph_element")
    )


__all__ = ["convert_to_tensor", "convert_to_tensor_or_indexed_slices", "is_tensor"]
