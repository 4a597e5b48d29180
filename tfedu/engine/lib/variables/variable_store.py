"""A graph's variables by name: `get_variable` gets or creates them here.

`store_of(graph).get_variable("v", [2])` is the graph's only `v`; a second call needs `reuse`. State: the graph's
collection `("__variable_store",)`, which holds one `VariableStore` with `_vars` and `_partitioned_vars`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...base import dtypes, shapes
from ...base import site as sites
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.graph import Graph
from ...graph.nodes import Tensor
from ..arrays import slicing
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import name_scope, waiting_for
from . import reference_variables  # noqa: F401 - adds its kind to Variable
from .initializers import Zeros
from .partitioned import PartitionedVariable, PartitionInfo, number_of_parts, part_bounds, partition_axis
from .resource_variables import ResourceVariable
from .scaled_initializers import GlorotUniform
from .variable_settings import SaveSliceInfo, VariableAggregation, VariableSynchronization, resolve_settings
from .variables import Variable, resource_variables_enabled

_KEY = ("__variable_store",)


@dataclass(frozen=True)
class _Request:
    """The arguments of a call of `get_variable`; `options` are passed to the variable's class."""

    name: str
    shape: Any
    dtype: DType
    initializer: Any
    regularizer: Any
    reuse: Any
    options: dict[str, Any]


class VariableStore:
    """Variables by their full names: unpartitioned and partitioned ones."""

    def __init__(self) -> None:
        self._vars: dict[str, Any] = {}
        self._partitioned_vars: dict[str, PartitionedVariable] = {}

    def get_variable(self, custom_getter: Any = None, constraint: Any = None, **arguments: Any) -> Any:
        """The variable of that full name, existing or new; `custom_getter` may replace the usual creation.

        arguments: the other arguments of `tf.get_variable`, and `reuse`.

        Raises: ValueError when the variable exists but must not, must exist but does not, or has another shape or
        dtype.
        """
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError(error_text(f"Passed a custom_getter which is not callable: {custom_getter}"))
        trainable, synchronization, aggregation = resolve_settings(
            arguments.get("trainable"), arguments.get("synchronization"), arguments.get("aggregation"), arguments["name"]
        )
        arguments |= {"trainable": trainable, "synchronization": synchronization, "aggregation": aggregation}
        arguments["dtype"] = getattr(arguments["dtype"], "base_dtype", arguments["dtype"])
        if custom_getter is None:
            return self._get(**arguments, constraint=constraint)
        if _has_parameter(custom_getter, "constraint"):
            arguments["constraint"] = constraint
        return custom_getter(getter=self._get, **arguments)

    def _get(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        regularizer: Any = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        """The getter that custom getters call."""
        options = {
            "trainable": trainable,
            "collections": collections,
            "caching_device": caching_device,
            "validate_shape": validate_shape,
            "use_resource": resource_variables_enabled() if use_resource is None else use_resource,
            "constraint": constraint,
            "synchronization": synchronization,
            "aggregation": aggregation,
        }
        request = _Request(name, shape, as_dtype(dtype), initializer, regularizer, reuse, options)
        is_scalar = isinstance(shape, Sequence) and not shape
        if partitioner is not None and not callable(partitioner) and not is_scalar:
            raise ValueError(error_text(f"Partitioner must be callable, but received: {partitioner}"))
        is_partitioned = (partitioner is not None and not is_scalar) or (
            reuse is True and partitioner is None and name in self._partitioned_vars
        )
        if is_partitioned:
            with name_scope(None):
                return self._get_partitioned(request, partitioner)
        if f"{name}/part_0" in self._vars:
            raise ValueError(
                error_text(
                    "No partitioner was provided, but a partitioned version of the variable was found: "
                    f"{name}/part_0. Perhaps a variable of the same name was already created with partitioning?"
                )
            )
        return self._get_unpartitioned(request)

    # -- unpartitioned variables -------------------------------------------------------------------------------------

    def _get_unpartitioned(self, request: _Request, part: PartitionInfo | None = None) -> Any:
        name, initializer = request.name, request.initializer
        is_value = initializer is not None and not callable(initializer)
        if is_value and request.shape is not None:
            raise ValueError(error_text("If initializer is a constant, do not specify shape."))
        shape = None if request.shape is None else as_shape(request.shape)
        if name in self._vars:
            return self._reuse(request, shape)
        if request.reuse is True:
            raise ValueError(
                error_text(
                    f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you mean to set "
                    "reuse=tf.AUTO_REUSE in VarScope?"
                )
            )
        if is_value:
            initial, kind = initializer, None
        else:
            initializer = initializer or _default_initializer(name, request.dtype)
            initial, kind = _initial_value(initializer, shape, request.dtype, part)
        variable = Variable(initial, name=name, dtype=kind, shape=shape, **request.options)
        graph = get_default_graph()
        graph.on_failure(self._vars.pop, name, None)
        self._vars[name] = variable
        if request.regularizer:
            with graph.colocate_with(variable), graph.name_scope(f"{name}/Regularizer/"), waiting_for(None):
                loss = request.regularizer(variable)
            if loss is not None:
                graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
        return variable

    def _reuse(self, request: _Request, shape: TensorShape | None) -> Any:
        name, dtype, variable = request.name, request.dtype, self._vars[request.name]
        if request.reuse is False:
            raise ValueError(_exists(name, variable))
        if shape is not None and not shape.is_compatible_with(variable.shape):
            raise ValueError(
                error_text(f"Trying to share variable {name}, but specified shape {shape} and found shape {variable.shape}.")
            )
        if not dtype.is_compatible_with(variable.dtype):
            raise ValueError(
                error_text(
                    f"Trying to share variable {name}, but specified dtype {dtype.name} and found dtype {variable.dtype.name}."
                )
            )
        return variable

    # -- partitioned variables ---------------------------------------------------------------------------------------

    def _get_partitioned(self, request: _Request, partitioner: Any) -> PartitionedVariable:
        name, dtype, initializer = request.name, request.dtype, request.initializer
        if name in self._vars:
            raise ValueError(
                error_text(
                    f"A partitioner was provided, but an unpartitioned version of the variable was found: {name}.  "
                    "Perhaps a variable of the same name was already created without partitioning?"
                )
            )
        full_shape = as_shape(request.shape)
        if isinstance(initializer, Tensor):
            full_shape = full_shape.merge_with(initializer.shape)
        parts = None if request.reuse and not partitioner else number_of_parts(partitioner, full_shape, dtype)
        if name in self._partitioned_vars:
            return self._reuse_partitioned(request, full_shape, parts)
        if request.reuse is True:
            raise ValueError(
                error_text(
                    f"PartitionedVariable {name} does not exist, or was not created with tf.get_variable(). Did you "
                    "mean to set reuse=False or reuse=tf.AUTO_REUSE in VarScope?"
                )
            )
        assert parts is not None
        axis, count = partition_axis(parts)
        self._check_existing_parts(name, count)
        sizes: Any = full_shape.as_list()
        part_variables = []
        for index, (offset, size) in enumerate(part_bounds(sizes, count, axis)):
            part_name = f"{name}/part_{index}"
            part_shape: Any = size
            initial = initializer
            # As in TF, the scope claims its name even when it stays empty.
            with name_scope(f"{part_name}/PartitionedInitializer"):
                if initializer is not None and not callable(initializer):
                    value = initializer
                    if not isinstance(value, Tensor):
                        value = convert_to_tensor(value, dtype=dtype)
                    initial = slicing.slice(value, offset, size)
                    part_shape, dtype = None, initial.dtype.base_dtype
            info = PartitionInfo(sizes, offset)
            with name_scope(None):
                part_request = replace(request, name=part_name, shape=part_shape, dtype=dtype, initializer=initial)
                part = self._get_unpartitioned(part_request, info)
            part._set_save_slice_info(SaveSliceInfo(name, sizes, offset, size))
            part_variables.append(part)
        partitioned = PartitionedVariable(
            name=name, shape=full_shape, dtype=dtype, variable_list=part_variables, partitions=parts
        )
        get_default_graph().on_failure(self._partitioned_vars.pop, name, None)
        self._partitioned_vars[name] = partitioned
        return partitioned

    def _reuse_partitioned(self, request: _Request, shape: TensorShape, parts: Any) -> PartitionedVariable:
        name, dtype = request.name, request.dtype
        if request.reuse is False:
            raise ValueError(
                error_text(
                    f"Partitioned variable with name {name} already exists. Did you mean to set reuse=True or "
                    "reuse=tf.AUTO_REUSE in VarScope?"
                )
            )
        variable = self._partitioned_vars[name]
        for aspect, requested, existing, fits in (
            ("shape", shape, variable.shape, shape.is_compatible_with(variable.shape)),
            ("dtype", dtype.name, variable.dtype.name, dtype.is_compatible_with(variable.dtype)),
            ("partitions", parts, variable._get_partitions(), parts in (None, variable._get_partitions())),
        ):
            if not fits:
                raise ValueError(
                    error_text(
                        f"Trying to reuse partitioned variable {name}, but specified {aspect} {requested} and "
                        f"found {aspect} {existing}."
                    )
                )
        return variable

    def _check_existing_parts(self, name: str, count: int) -> None:
        if f"{name}/part_0" not in self._vars:
            return
        fault = None
        if f"{name}/part_{count - 1}" not in self._vars:
            fault = f"but {name}/part_{count - 1} was not."
        elif f"{name}/part_{count}" in self._vars:
            fault = f"but so was the extra shard {name}/part_{count}."
        if fault is not None:
            raise ValueError(
                error_text(
                    "Partitioner returned a different partitioning than what was already found.  Partitioner returned "
                    f"{count} shards, and shard {name}/part_0 was found, {fault}"
                )
            )


def store_of(graph: Graph) -> VariableStore:
    """The graph's store, created on first use."""
    stores = graph.get_collection_ref(_KEY)
    if not stores:
        stores.append(VariableStore())
    store: VariableStore = stores[0]
    return store


def _exists(name: str, variable: Any) -> str:
    """TF's text for a name that exists, and the line that created its variable."""
    first_line = (
        f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
    )
    if isinstance(variable, ResourceVariable) or variable.op.site is None:
        return error_text(first_line)
    creation_site, now = variable.op.site, sites.capture()
    fix = None
    if now is not None and creation_site.code is not now.code and creation_site.source == now.source:
        fix = "this line was run before on the same graph: tf.reset_default_graph() starts an empty one"
    return error_text(f"{first_line} Originally defined at:\n\n  {sites.describe(creation_site)}\n", fix=fix)


def _default_initializer(name: str, dtype: DType) -> Any:
    if dtype.is_floating:
        return GlorotUniform()
    if dtype.is_integer or dtype.is_bool or dtype.base_dtype is dtypes.string:
        return Zeros()
    raise ValueError(error_text(f"An initializer for variable {name} of {dtype.base_dtype} is required"))


def _initial_value(
    initializer: Any, shape: TensorShape | None, dtype: DType, part: PartitionInfo | None
) -> tuple[Callable[[], Any], DType | None]:
    """A function that computes the initial value, and the dtype to request from it."""
    if inspect.isclass(initializer):
        initializer = initializer()
    if shape is not None and shapes.is_full(shape.raw):
        arguments: dict[str, Any] = {"dtype": dtype}
        if _has_parameter(initializer, "partition_info", by_name=True):
            arguments["partition_info"] = part
        return lambda: initializer(shape.as_list(), **arguments), dtype.base_dtype
    if all(p.default is not p.empty for p in _parameters(initializer)):
        return initializer, None
    raise ValueError(
        error_text(
            "The initializer passed is not valid. It should be a callable with no arguments and the shape should not be "
            "provided or an instance of `tf.keras.initializers.*' and `shape` should be fully defined."
        )
    )


def _parameters(function: Any) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except ValueError:  # a builtin without a signature
        return []


def _has_parameter(function: Any, name: str, by_name: bool = False) -> bool:
    """Whether the function accepts that parameter; `**kwargs` counts unless by_name requires its own name."""
    return any(p.name == name or (not by_name and p.kind is p.VAR_KEYWORD) for p in _parameters(function))

