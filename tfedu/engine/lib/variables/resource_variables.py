"""Resource variables: `Variable(0.0, use_resource=True)` is a handle; every use makes a node that reads it anew.

An assign gives an object whose value is a read that runs after the assign. No state but the class table of
`variables.py`, to which this module adds its kind.
"""

from __future__ import annotations

from typing import Any

from ...base import shapes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import Shape
from ...graph.conversion import convert_to_tensor, register_tensor_conversion_function
from ...graph.nodes import Operation, Tensor
from ...ops import basic
from ...ops import state as ops
from ..framework.scope_blocks import waiting_for
from . import state
from .initial_values import beside, from_initialized, refuse_branch
from .scatter import ResourceParts
from .variable_settings import needs_dtype
from .variables import Variable, _kinds

_IN_PLACE = (
    "Variable {0}= value not supported. Use `var.assign(var {0} value)` to modify the variable or `var = var {0} value` to get "
    "a new Tensor object."
)


class BaseResourceVariable(ResourceParts, Variable):
    """A handle and what is done with it: a read is a copy of what the variable holds when the read runs."""

    _handle: Tensor
    _dtype: DType
    _shape: Shape
    _graph_element: Tensor
    _cached: Tensor | None = None

    @property
    def handle(self) -> Tensor:
        """The tensor that points at the variable."""
        return self._handle

    @property
    def create(self) -> Operation:
        """The operation that gives the variable its initial value."""
        return self._initializer

    @property
    def name(self) -> str:
        return self._handle.name

    @property
    def op(self) -> Operation:
        return self._handle.op

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def raw_shape(self) -> Shape:
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Raises: NotImplementedError: a handle's shape is what it was made with."""
        raise NotImplementedError(error_text("ResourceVariable does not implement set_shape()"))

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable holds a value, as a bool tensor."""
        made: Tensor = ops.var_is_initialized(self._handle, name=name)
        return made

    def _read(self) -> Tensor:
        read: Tensor = ops.read_variable(self._handle, dtype=self._dtype)
        return read

    def value(self) -> Tensor:
        """A new node that reads the variable."""
        if self._cached is not None:
            return self._cached
        graph = self._graph
        # a read stands where the variable does, wherever the reader is placed
        with graph.colocate_with(None, ignore_existing=True), graph.device(self._handle.device):
            return self._read()

    def read_value(self) -> Tensor:
        """A new node that reads the variable, passed on by an identity."""
        graph = self._graph
        with graph.name_scope("Read"), graph.device(self._handle.device):
            value = self._read()
        passed: Tensor = basic.identity(value)
        return passed

    def _as_graph_element(self) -> Tensor:
        return self._graph_element

    def _as_control_input(self) -> Operation:
        # Waiting for a variable must not read it; waiting for an updated one is waiting for the update.
        return self.op

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Stores `value`; gives the variable after that, or the operation alone."""
        with self._graph.as_default(), self._graph.transaction():
            tensor = convert_to_tensor(value, self._dtype)
            if not shapes.is_compatible(self._shape, tensor.raw_shape):
                raise ValueError(error_text(f"Shapes {self.shape} and {tensor.shape} are incompatible"))
            return self._after(ops.assign_variable(self._handle, tensor, name=name), read_value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds `delta`; gives the variable after that, or the operation alone."""
        return self._changed(ops.assign_add_variable, delta, name, read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts `delta`; gives the variable after that, or the operation alone."""
        return self._changed(ops.assign_sub_variable, delta, name, read_value)

    def _changed(self, change: Any, delta: Any, name: str | None, read_value: bool) -> Any:
        # A value that is kept on another device is read before it changes.
        read = [] if self._cached is None else [self._cached]
        with self._graph.as_default(), self._graph.transaction():
            with waiting_for(read):
                made = change(self._handle, convert_to_tensor(delta, self._dtype), name=name)
            return self._after(made, read_value)

    def count_up_to(self, limit: int) -> Tensor:
        """The value, which then goes up by one; OutOfRangeError at `limit`."""
        return state.count_up_to(self, limit)

    def __bool__(self) -> bool:
        return bool(self.read_value())

    def numpy(self) -> Any:
        """Raises: NotImplementedError, for a graph's variable has a value in a session alone."""
        raise NotImplementedError(error_text("numpy() is only available when eager execution is enabled."))

    def _refuse(self, instead: str) -> Any:
        raise RuntimeError(error_text(instead))

    def __iadd__(self, other: Any) -> Any:
        return self._refuse(
            "Variable += value not supported. Use variable.assign_add(value) to modify the variable value and variable = "
            "variable + value to get a new Tensor object."
        )

    def __isub__(self, other: Any) -> Any:
        return self._refuse(
            "Variable -= value not supported. Use variable.assign_sub(value) to modify the variable value and variable = "
            "variable - value to get a new Tensor object."
        )

    def __imul__(self, other: Any) -> Any:
        return self._refuse(_IN_PLACE.format("*"))

    def __itruediv__(self, other: Any) -> Any:
        return self._refuse(_IN_PLACE.format("/"))

    def __ipow__(self, other: Any) -> Any:
        return self._refuse(_IN_PLACE.format("**"))

    def _after(self, operation: Operation, read_value: bool) -> Any:
        return _UnreadVariable(self, operation) if read_value else operation


class ResourceVariable(BaseResourceVariable):
    """A variable that is read by nodes of their own, made each time that it is used."""

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
        if isinstance(initial_value, Tensor):
            value = convert_to_tensor(initial_value, dtype, name="initial_value")
            refuse_branch(value, scope)
        else:
            value = self._initial(initial_value, dtype, own_name)
        self._initial_value = value
        self._dtype = value.dtype.base_dtype
        self._shape = value.raw_shape if shape is None else shapes.as_raw(shape)
        with beside(graph, own_name):
            self._handle = ops.var_handle(
                dtype=self._dtype, shape=self._shape, shared_name=own_name, name=scope
            )
        with graph.name_scope("IsInitialized"):
            self._is_initialized_op: Operation = ops.var_is_initialized(self._handle).op
        with graph.name_scope("Assign") as assign_scope, graph.colocate_with(None, ignore_existing=True):
            with graph.device(self._handle.device):
                guarded = from_initialized(own_name, value)
                self._initializer = ops.assign_variable(self._handle, guarded, name=assign_scope)
        with graph.name_scope("Read"):
            with graph.device(self._handle.device):
                self._graph_element = self._read()
            if caching_device is not None:
                with graph.colocate_with(None, ignore_existing=True), graph.device(caching_device):
                    self._cached = basic.identity(self._graph_element)


_kinds["resource"] = ResourceVariable


class _UnreadVariable(BaseResourceVariable):
    """A resource variable after an update: what reads it runs after the update; what changes it again does not wait."""

    def __init__(self, variable: BaseResourceVariable, update: Operation) -> None:
        vars(self).update(vars(variable))
        self._initial_value = self._save_slice_info = self._cached = None
        self._initializer: Any = None
        self._update = update
        self._graph_element = self._read()

    @property
    def name(self) -> str:
        return self._update.name

    @property
    def op(self) -> Operation:
        return self._update

    def _read(self) -> Tensor:
        with waiting_for([self._update]):
            return super()._read()

    def value(self) -> Tensor:
        """A new node that reads the variable after the update."""
        return self._read()

    def read_value(self) -> Tensor:
        """A new node that reads the variable after the update."""
        return self._read()


def _to_tensor(
    variable: BaseResourceVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Tensor:
    needs_dtype(variable, dtype)
    return variable.read_value().op.inputs[0] if as_ref else variable.value()


register_tensor_conversion_function(BaseResourceVariable, _to_tensor)

__all__ = ["BaseResourceVariable", "ResourceVariable"]
