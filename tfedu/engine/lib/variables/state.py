"""`assign`, `assign_add`, `assign_sub` and other functions of a variable of either kind. No state.

A reference variable's assign returns the variable itself, a resource variable's a read after the assign.
"""

from __future__ import annotations

from typing import Any

from ...graph.nodes import Tensor
from ...op import tensor_functions as functions
from ...ops import state as ops

variable_shape = functions.variable_shape


def _is_ref(ref: Any) -> bool:
    dtype = getattr(ref, "dtype", None)
    return dtype is not None and dtype.is_ref


def assign(
    ref: Any,
    value: Any,
    validate_shape: bool | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> Any:
    """Stores `value` [...] in the variable; returns the variable after the assign.

    validate_shape: False allows a reference variable to take a value of another shape.

    Differs from TF: a value of another shape, too, shows in a read without a copy (`old = v.value()`) that ran before. In TF 1.15
    the variable gets new memory then, and `old` keeps the old value; a value of the same shape shows in both.

    Raises: ValueError for an incompatible shape, TypeError for another dtype.
    """
    if _is_ref(ref):
        return ops.assign(
            ref,
            value,
            validate_shape=True if validate_shape is None else validate_shape,
            use_locking=True if use_locking is None else use_locking,
            name=name,
        )
    return _own_method(ref, "assign")(value, name=name)


def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Adds `value` [...] to the variable; returns the variable after the update.

    Raises: ValueError for an incompatible shape, TypeError for another dtype.
    """
    if _is_ref(ref):
        return ops.assign_add(ref, value, use_locking=bool(use_locking), name=name)
    # As in TF, a resource variable's update does not take the name.
    return _own_method(ref, "assign_add")(value)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtracts `value` [...] from the variable; returns the variable after the update.

    Raises: ValueError for an incompatible shape, TypeError for another dtype.
    """
    if _is_ref(ref):
        return ops.assign_sub(ref, value, use_locking=bool(use_locking), name=name)
    return _own_method(ref, "assign_sub")(value)


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor:
    """The variable's value, a scalar, which is then incremented; at `limit` a run raises OutOfRangeError."""
    value: Tensor
    if _is_ref(ref):
        value = ops.count_up_to(ref, limit=limit, name=name)
    else:
        value = ops.resource_count_up_to(ref.handle, limit=limit, T=ref.dtype, name=name)
    return value


def is_variable_initialized(ref: Any, name: str | None = None) -> Tensor:
    """Whether the variable is initialized, a bool scalar."""
    if _is_ref(ref):
        is_initialized: Tensor = ops.is_variable_initialized(ref, name=name)
        return is_initialized
    return _own_method(ref, "is_initialized")(name=name)  # type: ignore[no-any-return]


def _own_method(ref: Any, method: str) -> Any:
    """The variable's own method.

    Raises: AttributeError for a value that is not a variable.
    """
    bound_method = getattr(ref, method, None)
    if bound_method is None:
        raise AttributeError(f"'{type(ref).__name__}' object has no attribute '{method}'")
    return bound_method


__all__ = ["assign", "assign_add", "assign_sub", "count_up_to"]
