"""Slots: variables that accompany another, as `w/ExponentialMovingAverage` accompanies `w`.

A slot's name is its primary's, a slash and the slot's own, made unique among scopes; it is colocated with its primary.
No state.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ...graph.default_graph import get_default_graph
from ...graph.scopes import Setting, Settings
from ..arrays import array
from ..control.cond import cond
from . import state
from .initializers import Zeros
from .resource_variables import BaseResourceVariable
from .variable_scope import get_variable, variable_scope
from .variable_settings import SaveSliceInfo
from .variables import Variable


def create_slot_with_initializer(
    primary: Any, initializer: Any, shape: Any, dtype: Any, name: str, colocate_with_primary: bool = True
) -> Any:
    """A slot [shape] of `primary`, filled by the initializer."""
    return _slot(
        primary, initializer, name, colocate_with_primary, shape.is_fully_defined(), shape=shape, dtype=dtype
    )


def create_slot(primary: Any, val: Any, name: str, colocate_with_primary: bool = True) -> Any:
    """A slot of `primary` with the initial value `val` [...]."""
    return _slot(primary, val, name, colocate_with_primary, val.shape.is_fully_defined())


def create_zeros_slot(primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True) -> Any:
    """A slot of primary's shape [...], initially zero."""
    kind = primary.dtype.base_dtype if dtype is None else dtype
    shape = primary.shape
    if shape.is_fully_defined():
        return create_slot_with_initializer(primary, Zeros(), shape, kind, name, colocate_with_primary)
    initial_source = primary
    if isinstance(primary, Variable):
        initial_source = cond(state.is_variable_initialized(primary), primary.read_value, lambda: primary.initial_value)
    return create_slot(primary, array.zeros(array.shape(initial_source), kind), name, colocate_with_primary)


def with_primary(primary: Any) -> AbstractContextManager[Any]:
    """`with with_primary(v):` colocates variables with v, and keeps the enclosing device block, for v may request no
    device.
    """
    graph = get_default_graph()
    return Settings(graph.colocate_with(primary), Setting(graph, "_device_stack", graph._device_stack))


def _slot(
    primary: Any, initial: Any, name: str, colocate: bool, validate_shape: bool, **options: Any
) -> Any:
    with variable_scope(None, f"{primary.op.name}/{name}") as scope:
        # A slot of a part is not partitioned itself.
        scope.set_partitioner(None)
        with with_primary(primary) if colocate else nullcontext():
            slot = get_variable(
                "", initializer=initial, trainable=False, validate_shape=validate_shape,
                use_resource=isinstance(primary, BaseResourceVariable), **options,
            )  # fmt: skip
    info = primary._get_save_slice_info() if isinstance(primary, Variable) else None
    if info is not None:
        # As in TF, cuts off as many letters as primary's name has, even where the slot's name begins otherwise.
        slot_name = slot.op.name[len(primary.op.name) + 1 :]
        slot._set_save_slice_info(
            SaveSliceInfo(f"{info.full_name}/{slot_name}", info.full_shape, info.var_offset, info.var_shape)
        )
    return slot

