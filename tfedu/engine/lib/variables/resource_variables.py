"""Resource variables: `Variable(0.0, use_resource=True)` is a handle; every use builds a node that reads the
variable.

An assign returns an object whose value is a read after the assign. No state but the class table of `variables.py`, to
which this module adds its kind.
"""

from __future__ import annotations

from typing import Any

from ...base import shapes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import Shape
from ...graph.conversion import convert_to_tensor, register_tensor_conversion_function
from ...graph.default_graph import graph_for
from ...graph.nodes import Operation, Tensor
from ...ops import basic
from ...ops import state as ops
from ..framework.scope_blocks import waiting_for
from . import state
from .initial_values import colocated_with_new, from_initialized, refuse_branch
from .scatter import ResourceScatterMethods
from .variable_settings import check_dtype
from .variables import Variable, kinds

_IN_PLACE = (
    "Variable {0}= value not supported. Use `var.assign(var {0} value)` to modify the variable or `var = var {0} value` to get "
    "a new Tensor object."
)


class BaseResourceVariable(ResourceScatterMethods, Variable):
    """A variable [...] behind a handle; a read copies the variable's value when the read runs."""

    _handle: Tensor
    _dtype: DType
    _shape: Shape
    _graph_element: Tensor
    _cached: Tensor | None = None

    @property
    def handle(self) -> Tensor:
        """The resource handle, a scalar."""
        return self._handle

    @property
    def create(self) -> Operation:
        """The operation that initializes the variable."""
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
        """Raises: NotImplementedError, always: a handle's shape is fixed."""
        raise NotImplementedError(error_text("ResourceVariable does not implement set_shape()"))

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable is initialized, a bool scalar."""
        is_initialized: Tensor = ops.var_is_initialized(self._handle, name=name)
        return is_initialized

    def _read(self) -> Tensor:
        read: Tensor = ops.read_variable(self._handle, dtype=self._dtype)
        return read

    def value(self) -> Tensor:
        """A new node that reads the variable [...]; with a caching device, the cached read."""
        if self._cached is not None:
            return self._cached
        graph = self._graph
        # A read is placed with the variable, wherever its consumer is placed.
        with graph.colocate_with(None, ignore_existing=True), graph.device(self._handle.device):
            return self._read()

    def read_value(self) -> Tensor:
        """A new read of the variable [...], passed on by an Identity."""
        graph = self._graph
        with graph.name_scope("Read"), graph.device(self._handle.device):
            value = self._read()
        output: Tensor = basic.identity(value)
        return output

    def _as_graph_element(self) -> Tensor:
        return self._graph_element

    def _as_control_input(self) -> Operation:
        # A control edge from a variable must not read it; for an updated variable, it comes from the update.
        return self.op

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Stores `value`; returns the variable after the assign, or the operation alone.

        Raises: ValueError for another shape.
        """

        graph = graph_for([self._handle])

        def assigned() -> Any:
            with graph.as_default():
                tensor = convert_to_tensor(value, self._dtype)
                if not shapes.is_compatible(self._shape, tensor.raw_shape):
                    raise ValueError(error_text(f"Shapes {self.shape} and {tensor.shape} are incompatible"))
                return self._after_update(ops.assign_variable(self._handle, tensor, name=name), read_value)

        return graph.attempt(assigned)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds `delta`; returns the variable after the update, or the operation alone."""
        return self._apply_update(ops.assign_add_variable, delta, name, read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts `delta`; returns the variable after the update, or the operation alone."""
        return self._apply_update(ops.assign_sub_variable, delta, name, read_value)

    def _apply_update(self, op_caller: Any, delta: Any, name: str | None, read_value: bool) -> Any:
        # A cached read on another device runs before the update.
        read = [] if self._cached is None else [self._cached]

        graph = graph_for([self._handle])

        def updated() -> Any:
            with graph.as_default():
                with waiting_for(read):
                    update = op_caller(self._handle, convert_to_tensor(delta, self._dtype), name=name)
                return self._after_update(update, read_value)

        return graph.attempt(updated)

    def count_up_to(self, limit: int) -> Tensor:
        """The value, a scalar, which is then incremented; at `limit` a run raises OutOfRangeError."""
        return state.count_up_to(self, limit)

    def __bool__(self) -> bool:
        return bool(self.read_value())

    def numpy(self) -> Any:
        """Raises: NotImplementedError, always: a graph's variable has a value only in a session."""
        raise NotImplementedError(error_text("numpy() is only available when eager execution is enabled."))

    def _refuse(self, text: str) -> Any:
        raise RuntimeError(error_text(text))

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

    def _after_update(self, operation: Operation, read_value: bool) -> Any:
        return _UnreadVariable(self, operation) if read_value else operation


class ResourceVariable(BaseResourceVariable):
    """A variable [...] whose every use builds a read node."""

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
        if graph.building_function or value.graph is not graph:
            fix = "a variable that a function builds belongs to the graph around it: give it a value that needs no argument"
            raise ValueError(error_text(f"{value} must be from the same graph as the variable {own_name}.", [value], fix=fix))
        self._initial_value = value
        self._dtype = value.dtype.base_dtype
        self._shape = value.raw_shape if shape is None else shapes.as_raw(shape)
        with colocated_with_new(graph, own_name):
            self._handle = ops.var_handle(
                dtype=self._dtype, shape=self._shape, shared_name=own_name, name=scope
            )
        with graph.name_scope("IsInitialized"):
            self._is_initialized_op: Operation = ops.var_is_initialized(self._handle).op
        with graph.name_scope("Assign") as assign_scope, graph.colocate_with(None, ignore_existing=True):
            with graph.device(self._handle.device):
                initialized = from_initialized(own_name, value)
                self._initializer = ops.assign_variable(self._handle, initialized, name=assign_scope)
        with graph.name_scope("Read"):
            with graph.device(self._handle.device):
                self._graph_element = self._read()
            if caching_device is not None:
                with graph.colocate_with(None, ignore_existing=True), graph.device(caching_device):
                    self._cached = basic.identity(self._graph_element)


kinds["resource"] = ResourceVariable


class _UnreadVariable(BaseResourceVariable):
    """A resource variable after an update: its reads run after the update; further updates are not ordered after it."""

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
        """A new node that reads the variable [...] after the update."""
        return self._read()

    def read_value(self) -> Tensor:
        """A new node that reads the variable [...] after the update."""
        return self._read()


def _to_tensor(
    variable: BaseResourceVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Tensor:
    check_dtype(variable, dtype)
    return variable.read_value().op.inputs[0] if as_ref else variable.value()


register_tensor_conversion_function(BaseResourceVariable, _to_tensor)

__all__ = ["BaseResourceVariable", "ResourceVariable"]
