"""Reference variables: `Variable(0.0)`, the default of TF 1.x; the output is a reference to the session's buffer.

Each variable has one `read` node; an assign returns the variable itself. No state but the class table of `variables.py`, to
which this module adds its kind.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ...base import shapes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import Shape
from ...graph.conversion import convert_to_tensor, register_tensor_conversion_function
from ...graph.nodes import Operation, Tensor
from ...ops import basic
from ...ops.state import variable_v2
from . import state
from .initial_values import colocated_with_new, from_initialized, refuse_branch
from .scatter import RefScatterMethods
from .variable_settings import check_dtype
from .variables import Variable, kinds


class RefVariable(RefScatterMethods, Variable):
    """A variable [...] whose output is a reference to the session's buffer."""

    def _make(
        self,
        initial_value: Any,
        scope: str,
        dtype: DType | None,
        shape: Any,
        validate_shape: bool,
        caching_device: Any,
    ) -> None:
        graph = self._graph
        own_name = scope[:-1]
        if callable(initial_value):
            value = self._initial(initial_value, dtype, own_name)
        else:
            value = convert_to_tensor(initial_value, dtype, name="initial_value")
            refuse_branch(value, scope)
        self._initial_value = value
        raw = value.raw_shape if validate_shape else None
        if shape is not None:
            raw = shapes.as_raw(shape)
        if validate_shape and not shapes.is_full(value.raw_shape):
            raise ValueError(
                error_text(
                    f"initial_value must have a shape specified: {value}",
                    fix="pass a value of known shape, or validate_shape=False",
                )
            )
        colocation = colocated_with_new(graph, own_name) if callable(initial_value) else nullcontext()
        with colocation:
            self._variable: Tensor = variable_v2(raw, value.dtype.base_dtype, name=scope)
        initialized = from_initialized(own_name, value)
        self._initializer = state.assign(self._variable, initialized, validate_shape=validate_shape).op
        placement: AbstractContextManager[Any] = graph.colocate_with(self._variable.op)
        if caching_device is not None:
            placement = graph.device(caching_device)
        with placement:
            self._snapshot: Tensor = basic.identity(self._variable, name="read")

    @property
    def name(self) -> str:
        return self._variable.name

    @property
    def op(self) -> Operation:
        return self._variable.op

    @property
    def dtype(self) -> DType:
        return self._variable.dtype

    @property
    def raw_shape(self) -> Shape:
        return self._variable.raw_shape

    def set_shape(self, shape: Any) -> None:
        """Merges `shape`, such as [None, 3], into the static shape."""
        self._variable.set_shape(shape)
        self._snapshot.set_shape(shape)

    def value(self) -> Tensor:
        """The variable's own `read` node."""
        return self._snapshot

    def read_value(self) -> Tensor:
        """A new node that reads the variable [...]."""
        read: Tensor = basic.identity(self._variable, name="read")
        return read

    def _ref(self) -> Tensor:
        return self._variable

    def _as_graph_element(self) -> Tensor:
        return self._variable

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Stores `value` [...]; returns the variable after the assign, or the operation alone."""
        updated = state.assign(self._variable, value, use_locking=use_locking, name=name)
        return updated if read_value else updated.op

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds `delta` [...]; returns the variable after the update, or the operation alone."""
        updated = state.assign_add(self._variable, delta, use_locking=use_locking, name=name)
        return updated if read_value else updated.op

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts `delta` [...]; returns the variable after the update, or the operation alone."""
        updated = state.assign_sub(self._variable, delta, use_locking=use_locking, name=name)
        return updated if read_value else updated.op

    def count_up_to(self, limit: int) -> Tensor:
        """The value, a scalar, which is then incremented; at `limit` a run raises OutOfRangeError."""
        return state.count_up_to(self._variable, limit)


kinds["reference"] = RefVariable


def _to_tensor(
    variable: RefVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Tensor:
    check_dtype(variable, dtype)
    return variable._ref() if as_ref else variable.value()


register_tensor_conversion_function(RefVariable, _to_tensor)


__all__ = ["RefVariable"]
