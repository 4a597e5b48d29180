"""`convert_to_tensor(value)` as programs call it, and the refusal of operations. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph import conversion
from ...graph.nodes import Operation, Tensor
from ...op.composites import IndexedSlices, SparseTensor


def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    """The tensor for `value`: tensors and variables as they are, Python and NumPy values as constants of their shape
    [...].

    dtype: the required dtype. preferred_dtype, dtype_hint: used where the value converts to it, else the value's own.

    Raises: ValueError when a tensor's dtype differs from `dtype`, TypeError when no conversion accepts the value.
    """
    return conversion.convert_to_tensor(value, dtype, name, preferred_dtype, dtype_hint=dtype_hint)


def is_tensor(x: Any) -> bool:
    """Whether `x` is a Tensor, SparseTensor, IndexedSlices or a variable."""
    return isinstance(x, (Tensor, IndexedSlices, SparseTensor)) or (
        not isinstance(x, (Operation, type)) and hasattr(x, "_as_graph_element")
    )


def _refuse(op: Operation, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    """Raises: TypeError: an operation is not a tensor; the message names its output, or tf.control_dependencies."""
    fix = f"use its output, {op.outputs[0].name}" if op.outputs else "order other nodes after it: tf.control_dependencies([op])"
    raise TypeError(
        error_text(
            f"Can't convert Operation '{op.name}' to Tensor (target dtype={dtype!r}, name={name!r}, as_ref={as_ref!r})", fix=fix
        )
    )


conversion.register_tensor_conversion_function(Operation, _refuse)


__all__ = ["convert_to_tensor", "is_tensor"]
