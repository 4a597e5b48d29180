"""Which dtypes have gradients, and the zeros that replace a gradient that never arrived. No state."""

from __future__ import annotations

from typing import Final

from ..base import dtypes
from ..base.dtypes import DType
from ..graph.nodes import Operation, Tensor
from ..lib.arrays import array
from ..lib.control import primitives
from ..lib.control.contexts import CondContext
from ..lib.framework.scope_blocks import waiting_for
from ..lib.variables import state
from ..op.infer import variable_behind
from ..ops import array as array_ops
from ..ops import basic
from ..ops import state as state_ops
from ..ops.control_flow import SWITCHES

_FLOATS: Final = frozenset(
    t.as_datatype_enum for t in (
        dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128, dtypes.resource, dtypes.variant,
    )
)  # fmt: skip
# The dtypes through which gradients pass: as in TF these include bfloat16, and references.
_CARRYING: Final = frozenset(
    kind.as_datatype_enum
    for base in map(dtypes.DType, (*_FLOATS, dtypes.bfloat16.as_datatype_enum))
    for kind in (base, base.as_ref)
)


def is_trainable(dtype: DType) -> bool:
    """Whether a tensor of that dtype has a gradient."""
    return dtype.base_dtype.as_datatype_enum in _FLOATS


def carries_gradients(dtype: DType) -> bool:
    """Whether a gradient passes through a tensor of that dtype."""
    return dtype.as_datatype_enum in _CARRYING


def _dtype_of_variable(handle: Tensor) -> DType:
    """The dtype of the variable that a handle refers to."""
    variable = variable_behind(handle)
    assert variable is not None  # a read through a handle from elsewhere has no gradient
    dtype: DType = variable.attrs["dtype"]
    return dtype


def zeros_of(tensor: Tensor) -> Tensor:
    """Zeros like a tensor; like the variable, for its handle."""
    if tensor.dtype.base_dtype is dtypes.resource:
        return array.zeros(state.variable_shape(tensor), _dtype_of_variable(tensor))
    zeros: Tensor = array.zeros_like(tensor)
    return zeros


def zeros_for(op: Operation, index: int) -> Tensor:
    """Zeros for an output that got no gradient; for a Switch of a cond they are alive when the other branch is taken."""
    tensor = op.outputs[index]
    is_handle = tensor.dtype.base_dtype is dtypes.resource
    if op.type in SWITCHES and isinstance(op._context, CondContext):
        context = op._context
        other = primitives.switch(op.inputs[0], context.pred)[1 - context.branch]
        # A control edge from the Switch itself would not do: a Switch always runs, only consumers of one output are dead.
        alive = basic.identity(other)
        if is_handle:
            with waiting_for([alive]):
                return array.zeros(state_ops.variable_shape(other), _dtype_of_variable(tensor))
        sizes = array_ops.shape(other, out_type=dtypes.int32)
        with waiting_for([alive]):
            return array.zeros(sizes, tensor.dtype.base_dtype)
    if is_handle:
        return array.zeros(state_ops.variable_shape(tensor), _dtype_of_variable(tensor))
    zeros: Tensor = array.zeros_like(tensor, optimize=False)
    return zeros


__all__ = ["carries_gradients", "is_trainable", "zeros_for", "zeros_of"]
