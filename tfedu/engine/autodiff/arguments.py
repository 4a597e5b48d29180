"""The arguments of `gradients`: its options, its lists, and the gradient that each y starts with. No state."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

from ..base import dtypes
from ..base.errors import error_text
from ..graph.conversion import convert_to_tensor
from ..graph.nodes import Operation, Tensor
from ..lib.arrays import array
from ..op.composites import IndexedSlices
from ..op.constant import constant
from ..ops import basic
from .backward_loop import Gradient


class UnconnectedGradients(enum.Enum):
    """The gradient of an x that no y depends on: None, or zeros."""

    NONE = "none"
    ZERO = "zero"


class AggregationMethod:
    """How the contributions to one gradient are added (sums.py)."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class Options(NamedTuple):
    """What `gradients` is asked for, besides ys and xs; names as in TF. aggregation_method: None for the default."""

    colocate_gradients_with_ops: bool = False
    gate_gradients: bool = False
    aggregation_method: int | None = None
    unconnected_gradients: Any = UnconnectedGradients.NONE

    def checked(self) -> Options:
        """The options with the defaults filled in.

        Raises: ValueError for a value that an option cannot have.
        """
        unconnected, method = self.unconnected_gradients, self.aggregation_method
        try:
            unconnected = UnconnectedGradients(unconnected)
        except ValueError:
            raise ValueError(
                error_text(f"Unknown value for unconnected_gradients: {unconnected!r}")
            ) from None
        if method not in (None, 0, 1, 2):
            raise ValueError(error_text(f"Invalid aggregation_method specified {method}."))
        method = AggregationMethod.DEFAULT if method is None else method
        return self._replace(unconnected_gradients=unconnected, aggregation_method=method)


def as_list(value: Any) -> list[Any]:
    """The items of a list or tuple; anything else is one item."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def as_gradient(value: Any, name: str, as_ref: bool = False) -> Any:
    """The value as a tensor of that name; IndexedSlices stay what they are."""
    return value if isinstance(value, IndexedSlices) else convert_to_tensor(value, name=name, as_ref=as_ref)


def operation_of(value: Any) -> Operation:
    """The node of a tensor, or of a variable's handle."""
    op: Operation = getattr(value, "handle", value).op
    return op


def values_of(value: Any) -> Tensor:
    """The tensor through which gradients pass: IndexedSlices have them for their values."""
    tensor: Tensor = value.values if isinstance(value, IndexedSlices) else value
    return tensor


def initial_gradient(y: Any, grad_y: Any, index: int) -> Gradient:
    """The gradient that arrives at a y: `grad_y` under a name of its own, ones when it is None.

    Raises: TypeError for a dtype that cannot have it.
    """
    if grad_y is None:
        return _ones(y, index)
    _check_dtypes(y, y.dtype.base_dtype, grad_y.dtype.base_dtype)
    if isinstance(grad_y, Tensor):
        gradient: Tensor = basic.identity(grad_y, name=f"grad_ys_{index}")
        return gradient
    parts = {"indices": grad_y.indices, "values": grad_y.values, "shape": grad_y.dense_shape}
    named = {part: None if t is None else basic.identity(t, name=f"grad_ys_{index}_{part}") for part, t in parts.items()}
    return IndexedSlices(named["values"], named["indices"], named["shape"])


def _ones(y: Any, index: int) -> Tensor:
    if y.dtype.is_complex:
        raise TypeError(error_text(f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})"))
    sizes = array.shape(y if isinstance(y, Tensor) else convert_to_tensor(y))
    ones: Tensor = array.fill(sizes, constant(1, dtype=y.dtype.base_dtype, name=f"grad_ys_{index}"))
    return ones


def _check_dtypes(y: Any, dtype: dtypes.DType, of_gradient: dtypes.DType) -> None:
    is_real = dtype.is_floating or dtype.is_integer
    if is_real and not (of_gradient.is_floating or of_gradient.is_integer):
        raise TypeError(
            error_text(
                f"Gradient type {of_gradient.name} generated for real or integer-valued tensor {y} with type {dtype.name} "
                "must be real or integer"
            )
        )
    if dtype.is_complex and not of_gradient.is_complex:
        raise TypeError(
            error_text(
                f"Gradient type {of_gradient.name} generated for complex-valued tensor {y} with type {dtype.name} must be real"
            )
        )
    if not (is_real or dtype.is_complex or dtype in (dtypes.variant, dtypes.resource)):
        raise TypeError(
            error_text(f"Tensor {y} with type {dtype.name} must be numeric to obtain a default gradient")
        )


__all__ = [
    "AggregationMethod", "Options", "UnconnectedGradients", "as_gradient", "as_list", "initial_gradient", "operation_of",
    "values_of",
]  # fmt: skip
