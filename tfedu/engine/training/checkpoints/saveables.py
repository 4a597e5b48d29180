"""Saveables: for each variable that a Saver saves, the tensors it writes, their names, and the nodes that load them.

No state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...base import shapes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.device import DeviceSpec
from ...graph.nodes import Operation, Tensor
from ...lib.arrays import array
from ...lib.control import grouping
from ...lib.framework.graph_keys import GraphKeys
from ...lib.variables import state
from ...lib.variables.partitioned import PartitionedVariable
from ...lib.variables.reference_variables import RefVariable
from ...lib.variables.resource_variables import BaseResourceVariable
from ...lib.variables.variables import Variable
from ...ops.state import VARIABLES, assign_variable, is_reference_variable, is_variable_read


class SaveSpec:
    """One tensor of a saveable: the tensor (or a function that creates it), the slice that it is, its name in the file."""

    def __init__(
        self, tensor: Any, slice_spec: str, name: str, dtype: DType | None = None, device: str | None = None
    ) -> None:
        self._tensor = tensor
        self.slice_spec = slice_spec
        self.name = name
        if callable(tensor) and (dtype is None or device is None):
            raise AssertionError(
                error_text("When passing a callable `tensor` to a SaveSpec, an explicit dtype and device must be provided.")
            )
        self.dtype = tensor.dtype if dtype is None else dtype
        self.device = tensor.device if device is None else device

    @property
    def tensor(self) -> Any:
        """The tensor that is written; creates the read node of a resource variable."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """An object that is saved as one or more tensors, `specs`; `restore` loads it from them.

    op: the saved object, which no other saveable may save. Programs subclass it and define `restore`.
    """

    def __init__(self, op: Any, specs: Any, name: str) -> None:
        self.op = op
        self.specs = specs
        self.name = name

    @property
    def device(self) -> str:
        return self.specs[0].device

    @property
    def optional_restore(self) -> bool:
        return False

    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any:
        """The operation that stores the tensors read; restored_shapes: the shapes to reshape them to, or None."""
        raise ValueError(error_text("Calling an abstract method."))


class ReferenceVariableSaveable(SaveableObject):
    """The saveable of a reference variable."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        super().__init__(var, [SaveSpec(var, slice_spec, name, dtype=var.dtype)], name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any:
        value = restored_tensors[0]
        if restored_shapes is not None:
            value = array.reshape(value, restored_shapes[0])
        validate_shape = restored_shapes is None and shapes.is_full(self.op.raw_shape)
        return state.assign(self.op, value, validate_shape=validate_shape)


class ResourceVariableSaveable(SaveableObject):
    """The saveable of a resource variable, or of a tensor that reads one."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        self._var_device = var.device
        self._var_shape = var.shape
        if isinstance(var, Tensor) and is_variable_read(var.op):
            self.handle_op = var.op.inputs[0]
            tensor: Any = var
        elif isinstance(var, BaseResourceVariable):
            self.handle_op = var.handle
            tensor = _read_function(var)
        else:
            raise ValueError(
                error_text(f"Saveable is neither a resource variable nor a read operation. Got: {var!r}")
            )
        super().__init__(var, [SaveSpec(tensor, slice_spec, name, dtype=var.dtype, device=var.device)], name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any:
        value = restored_tensors[0]
        if restored_shapes is not None:
            value = array.reshape(value, restored_shapes[0])
        with get_default_graph().device(self._var_device):
            value = grouping.identity(value)
            self._var_shape.assert_is_compatible_with(value.shape)
            return assign_variable(self.handle_op, value)


def _read_function(variable: Any) -> Callable[[], Tensor]:
    """A function that creates the read node of a resource variable."""

    def read() -> Tensor:
        graph = get_default_graph()
        with graph.device(variable.device):
            value = variable.read_value()
            # the value is written from the main memory of the same machine
            with graph.device("/device:CPU:0"):
                return grouping.identity(value)

    return read


def set_cpu0(device: str) -> str:
    """The first CPU of a device's machine."""
    return DeviceSpec.from_string(device).replace(device_type="CPU", device_index=0).to_string()


def all_saveable_objects(scope: str | None = None) -> list[Any]:
    """A Saver's default: the global variables and the collection SAVEABLE_OBJECTS."""
    graph = get_default_graph()
    return [
        *graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope),
        *graph.get_collection(GraphKeys.SAVEABLE_OBJECTS, scope),
    ]


def saveables(variables: Any) -> list[SaveableObject]:
    """The saveables of a list of variables, or of a dict by names in the checkpoint, sorted by name.

    Raises: TypeError for an object that cannot be saved, ValueError for a name or a variable that comes twice.
    """
    named = variables if isinstance(variables, dict) else by_name(variables)
    result: list[SaveableObject] = []
    saved_ids: set[int] = set()
    for name, item in sorted(named.items(), key=lambda pair: _checked_name(pair[0])):
        for one in saveables_of(item, name):
            if id(one.op) in saved_ids:
                raise ValueError(error_text(f"The same saveable will be restored with two names: {one.name}"))
            saved_ids.add(id(one.op))
            result.append(one)
    return result


def _checked_name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(
            error_text(
                "names_to_saveables must be a dict mapping string names to trackable operations. "
                f"Name is not a string: {name}"
            )
        )
    return name


def by_name(items: Any) -> dict[str, Any]:
    """The variables of a list by the names under which they are saved; the slices of one variable form a list.

    Raises: TypeError for anything but a list of variables, ValueError for a name that comes twice.
    """
    if not isinstance(items, list | tuple | set):
        raise TypeError(error_text(f"Variables to save should be passed in a dict or a list: {items}"))
    named: dict[str, Any] = {}
    for item in items:
        if not hasattr(item, "name"):
            raise TypeError(error_text(f"Variable to save is not a Variable: {item}"))
    for item in sorted(items, key=lambda v: v.name):
        if isinstance(item, SaveableObject):
            named[item.name] = item
            continue
        info = item._save_slice_info if isinstance(item, Variable) else None
        if info is not None:
            parts = named.setdefault(info.full_name, [])
            if not isinstance(parts, list):
                raise ValueError(
                    error_text(f"Mixing slices and non-slices with the same name: {info.full_name}")
                )
            parts.append(item)
            continue
        if isinstance(item, PartitionedVariable):
            name, variable = item.name, item
        else:
            variable = _element(item)
            if not _is_variable(variable):
                raise TypeError(error_text(f"Variable to save is not a Variable: {variable}"))
            name = variable.op.inputs[0].op.name if is_variable_read(variable.op) else variable.op.name
        if name in named:
            raise ValueError(error_text(f"At least two variables have the same name: {name}"))
        named[name] = variable
    return named


def _element(item: Any) -> Any:
    """A Saver's tensor for a variable: the reference, or the read of a resource variable."""
    if isinstance(item, BaseResourceVariable):
        return item._graph_element
    if isinstance(item, RefVariable):
        return item._ref()
    return convert_to_tensor(item)


def _is_variable(tensor: Any) -> bool:
    return isinstance(tensor, Tensor) and (tensor.op.type in VARIABLES or is_variable_read(tensor.op))


def _saveable_class(variable: Any) -> Callable[..., SaveableObject]:
    return ReferenceVariableSaveable if is_reference_variable(variable.op) else ResourceVariableSaveable


def saveables_of(item: Any, name: str) -> Iterator[SaveableObject]:
    """The saveables of one variable, or of the slices of one, under a name.

    Raises: TypeError and ValueError for objects that cannot be saved.
    """
    _checked_name(name)
    if isinstance(item, SaveableObject):
        yield item
    elif isinstance(item, list | tuple | PartitionedVariable):
        full_name = None
        for variable in item:
            if not isinstance(variable, Variable):
                raise ValueError(error_text(f"Slices must all be Variables: {variable}"))
            info = variable._save_slice_info
            if info is None:
                raise ValueError(error_text(f"Slices must all be slices: {variable}"))
            if full_name is None:
                full_name = info.full_name
            elif full_name != info.full_name:
                raise ValueError(
                    error_text(f"Slices must all be from the same tensor: {full_name} != {info.full_name}")
                )
            yield _saveable_class(variable)(variable, info.spec, name)
    else:
        tensor = item if isinstance(item, Operation) else _element(item)
        if not _is_variable(tensor):
            raise TypeError(
                error_text(
                    "names_to_saveables must be a dict mapping string names to Tensors/Variables. "
                    f"Not a variable: {tensor}"
                )
            )
        yield _saveable_class(tensor)(tensor, "", name)


__all__ = [
    "ReferenceVariableSaveable", "ResourceVariableSaveable", "SaveSpec", "SaveableObject", "all_saveable_objects", "by_name",
    "saveables", "saveables_of", "set_cpu0",
]  # fmt: skip
