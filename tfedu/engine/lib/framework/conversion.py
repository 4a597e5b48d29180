"""`convert_to_tensor(value)` as programs call it, and what it leaves as it is. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph import conversion
from ...graph.nodes import Operation, Tensor
from ...op.composites import IndexedSlices, SparseTensor


def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    """The tensor that `value` stands for; Python and NumPy values become constants.

    dtype: must be that one. preferred_dtype, dtype_hint: that one where the value can have it.
    Raises: ValueError when a tensor's dtype differs from the asked one, TypeError when nothing converts the value.
    """
    return conversion.convert_to_tensor(value, dtype, name, preferred_dtype, dtype_hint=dtype_hint)


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, several that stand for one, or a variable."""
    return isinstance(x, (Tensor, IndexedSlices, SparseTensor)) or (
        not isinstance(x, (Operation, type)) and hasattr(x, "_as_graph_element")
    )


def _refuse(op: Operation, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    """Raises: TypeError: an operation has outputs, and is none of them."""
    fix = f"give its output, {op.outputs[0].name}" if op.outputs else "wait for it: tf.control_dependencies([op])"
    raise TypeError(
        error_text(
            f"Can't convert Operation '{op.name}' to Tensor (target dtype={dtype!r}, name={name!r}, as_ref={as_ref!r})", fix=fix
        )
    )


conversion.register_tensor_conversion_function(Operation, _refuse)


__all__ = ["convert_to_tensor", "is_tensor"]
