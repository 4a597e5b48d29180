"""`assign`, `assign_add`, `assign_sub` and what else is done to a variable of either kind. No state.

A reference variable's assign gives the variable itself, a resource variable's a read that runs after it.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.shapes import is_full
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...ops import state as ops


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
    """Stores `value` in the variable; gives the variable after that.

    validate_shape: False lets a reference variable take a value of another shape.
    Raises: ValueError for a shape and TypeError for a dtype that do not fit.
    """
    if _is_ref(ref):
        return ops.assign(
            ref,
            value,
            validate_shape=True if validate_shape is None else validate_shape,
            use_locking=True if use_locking is None else use_locking,
            name=name,
        )
    return _own(ref, "assign")(value, name=name)


def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Adds `value` to the variable; gives the variable after that.

    Raises: ValueError for a shape and TypeError for a dtype that do not fit.
    """
    if _is_ref(ref):
        return ops.assign_add(ref, value, use_locking=bool(use_locking), name=name)
    # As in TF, a resource variable's update does not take the name.
    return _own(ref, "assign_add")(value)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtracts `value` from the variable; gives the variable after that.

    Raises: ValueError for a shape and TypeError for a dtype that do not fit.
    """
    if _is_ref(ref):
        return ops.assign_sub(ref, value, use_locking=bool(use_locking), name=name)
    return _own(ref, "assign_sub")(value)


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor:
    """The scalar variable's value, which then goes up by one; a run at `limit` raises OutOfRangeError."""
    made: Tensor
    if _is_ref(ref):
        made = ops.count_up_to(ref, limit=limit, name=name)
    else:
        made = ops.resource_count_up_to(ref.handle, limit=limit, T=ref.dtype, name=name)
    return made


def is_variable_initialized(ref: Any, name: str | None = None) -> Tensor:
    """Whether the variable holds a value, as a bool tensor."""
    if _is_ref(ref):
        made: Tensor = ops.is_variable_initialized(ref, name=name)
        return made
    return _own(ref, "is_initialized")(name=name)  # type: ignore[no-any-return]


def variable_shape(handle: Tensor, out_type: Any = dtypes.int32) -> Tensor:
    """The shape of a resource variable: a constant, where the handle tells it before a run."""
    known = handle.op.attrs["shape"] if handle.op.type == "VarHandleOp" else None
    if is_full(known):
        return constant(list(known), out_type)
    asked: Tensor = ops.variable_shape(handle, out_type=out_type)
    return asked


def _own(ref: Any, method: str) -> Any:
    """The variable's own method.

    Raises: AttributeError for what is no variable.
    """
    found = getattr(ref, method, None)
    if found is None:
        raise AttributeError(f"'{type(ref).__name__}' object has no attribute '{method}'")
    return found


__all__ = ["assign", "assign_add", "assign_sub", "count_up_to"]
