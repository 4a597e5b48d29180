"""The variables of a graph by name: what `get_variable` finds or makes.

`store_of(graph).get_variable("v", [2])` is the one `v` of the graph; a second call needs `reuse`. State: the graph's
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
from .initializers import Zeros
from .partitioned import PartitionedVariable, PartitionInfo, cut, number_of_parts, slices
from .resource_variables import ResourceVariable
from .scaled_initializers import GlorotUniform
from .variable_settings import SaveSliceInfo, VariableAggregation, VariableSynchronization, settled
from .variables import Variable, resource_variables_enabled

_KEY = ("__variable_store",)


@dataclass(frozen=True)
class _Asked:
    """What a call of `get_variable` asks for; `options` is what the variable's own class is told."""

    name: str
    shape: Any
    dtype: DType
    initializer: Any
    regularizer: Any
    reuse: Any
    options: dict[str, Any]


class VariableStore:
    """Variables by their full names, whole ones and those in parts."""

    def __init__(self) -> None:
        self._vars: dict[str, Any] = {}
        self._partitioned_vars: dict[str, PartitionedVariable] = {}

    def get_variable(self, custom_getter: Any = None, constraint: Any = None, **asked: Any) -> Any:
        """The variable of that full name, found or made; `custom_getter` may make it otherwise.

        asked: the other arguments of `tf.get_variable`, and `reuse`.
        Raises: ValueError when it exists and must not, or must and does not, or does not fit what is asked.
        """
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError(error_text(f"Passed a custom_getter which is not callable: {custom_getter}"))
        trained, when, how = settled(
            asked.get("trainable"), asked.get("synchronization"), asked.get("aggregation"), asked["name"]
        )
        asked |= {"trainable": trained, "synchronization": when, "aggregation": how}
        asked["dtype"] = getattr(asked["dtype"], "base_dtype", asked["dtype"])
        if custom_getter is None:
            return self._get(**asked, constraint=constraint)
        if _takes(custom_getter, "constraint"):
            asked["constraint"] = constraint
        return custom_getter(getter=self._get, **asked)

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
        """What custom getters call to get the variable in the usual way."""
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
        asked = _Asked(name, shape, as_dtype(dtype), initializer, regularizer, reuse, options)
        is_scalar = isinstance(shape, Sequence) and not shape
        if partitioner is not None and not callable(partitioner) and not is_scalar:
            raise ValueError(error_text(f"Partitioner must be callable, but received: {partitioner}"))
        in_parts = (partitioner is not None and not is_scalar) or (
            reuse is True and partitioner is None and name in self._partitioned_vars
        )
        with get_default_graph().transaction():
            if in_parts:
                with name_scope(None):
                    return self._parted(asked, partitioner)
            if f"{name}/part_0" in self._vars:
                raise ValueError(
                    error_text(
                        "No partitioner was provided, but a partitioned version of the variable was found: "
                        f"{name}/part_0. Perhaps a variable of the same name was already created with partitioning?"
                    )
                )
            return self._whole(asked)

    # -- one variable ----------------------------------------------------------------------------------------------

    def _whole(self, asked: _Asked, part: PartitionInfo | None = None) -> Any:
        name, initializer = asked.name, asked.initializer
        is_value = initializer is not None and not callable(initializer)
        if is_value and asked.shape is not None:
            raise ValueError(error_text("If initializer is a constant, do not specify shape."))
        wanted = None if asked.shape is None else as_shape(asked.shape)
        if name in self._vars:
            return self._shared(asked, wanted)
        if asked.reuse is True:
            raise ValueError(
                error_text(
                    f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you mean to set "
                    "reuse=tf.AUTO_REUSE in VarScope?"
                )
            )
        if is_value:
            initial, kind = initializer, None
        else:
            initializer = initializer or _default_initializer(name, asked.dtype)
            initial, kind = _first_value(initializer, wanted, asked.dtype, part)
        made = Variable(initial, name=name, dtype=kind, shape=wanted, **asked.options)
        graph = get_default_graph()
        self._vars[name] = made
        graph.on_failure(self._vars.pop, name)
        if asked.regularizer:
            with graph.colocate_with(made), graph.name_scope(f"{name}/Regularizer/"), waiting_for(None):
                loss = asked.regularizer(made)
            if loss is not None:
                graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
        return made

    def _shared(self, asked: _Asked, shape: TensorShape | None) -> Any:
        name, dtype, found = asked.name, asked.dtype, self._vars[asked.name]
        if asked.reuse is False:
            raise ValueError(_exists(name, found))
        if shape is not None and not shape.is_compatible_with(found.shape):
            raise ValueError(
                error_text(f"Trying to share variable {name}, but specified shape {shape} and found shape {found.shape}.")
            )
        if not dtype.is_compatible_with(found.dtype):
            raise ValueError(
                error_text(
                    f"Trying to share variable {name}, but specified dtype {dtype.name} and found dtype {found.dtype.name}."
                )
            )
        return found

    # -- one in parts ----------------------------------------------------------------------------------------------

    def _parted(self, asked: _Asked, partitioner: Any) -> PartitionedVariable:
        name, dtype, initializer = asked.name, asked.dtype, asked.initializer
        if name in self._vars:
            raise ValueError(
                error_text(
                    f"A partitioner was provided, but an unpartitioned version of the variable was found: {name}.  "
                    "Perhaps a variable of the same name was already created without partitioning?"
                )
            )
        full = as_shape(asked.shape)
        if isinstance(initializer, Tensor):
            full = full.merge_with(initializer.shape)
        parts = None if asked.reuse and not partitioner else number_of_parts(partitioner, full, dtype)
        if name in self._partitioned_vars:
            return self._shared_parts(asked, full, parts)
        if asked.reuse is True:
            raise ValueError(
                error_text(
                    f"PartitionedVariable {name} does not exist, or was not created with tf.get_variable(). Did you "
                    "mean to set reuse=False or reuse=tf.AUTO_REUSE in VarScope?"
                )
            )
        assert parts is not None
        axis, count = cut(parts)
        self._check_found_parts(name, count)
        sizes: Any = full.as_list()
        made = []
        for index, (offset, size) in enumerate(slices(sizes, count, axis)):
            part_name = f"{name}/part_{index}"
            part_shape: Any = size
            initial = initializer
            # The scope also counts where nothing is made in it, as in TF.
            with name_scope(f"{part_name}/PartitionedInitializer"):
                if initializer is not None and not callable(initializer):
                    value = initializer
                    if not isinstance(value, Tensor):
                        value = convert_to_tensor(value, dtype=dtype)
                    initial = slicing.slice(value, offset, size)
                    part_shape, dtype = None, initial.dtype.base_dtype
            info = PartitionInfo(sizes, offset)
            with name_scope(None):
                of_part = replace(asked, name=part_name, shape=part_shape, dtype=dtype, initializer=initial)
                part = self._whole(of_part, info)
            part._set_save_slice_info(SaveSliceInfo(name, sizes, offset, size))
            made.append(part)
        whole = PartitionedVariable(name=name, shape=full, dtype=dtype, variable_list=made, partitions=parts)
        self._partitioned_vars[name] = whole
        get_default_graph().on_failure(self._partitioned_vars.pop, name)
        return whole

    def _shared_parts(self, asked: _Asked, shape: TensorShape, parts: Any) -> PartitionedVariable:
        name, dtype = asked.name, asked.dtype
        if asked.reuse is False:
            raise ValueError(
                error_text(
                    f"Partitioned variable with name {name} already exists. Did you mean to set reuse=True or "
                    "reuse=tf.AUTO_REUSE in VarScope?"
                )
            )
        found = self._partitioned_vars[name]
        for what, given, has, fits in (
            ("shape", shape, found.shape, shape.is_compatible_with(found.shape)),
            ("dtype", dtype.name, found.dtype.name, dtype.is_compatible_with(found.dtype)),
            ("partitions", parts, found._get_partitions(), parts in (None, found._get_partitions())),
        ):
            if not fits:
                raise ValueError(
                    error_text(
                        f"Trying to reuse partitioned variable {name}, but specified {what} {given} and found {what} {has}."
                    )
                )
        return found

    def _check_found_parts(self, name: str, count: int) -> None:
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
    """The graph's store, made on first use."""
    kept = graph.get_collection_ref(_KEY)
    if not kept:
        kept.append(VariableStore())
    store: VariableStore = kept[0]
    return store


def _exists(name: str, variable: Any) -> str:
    """TF's words for a name that is taken, and the line that took it."""
    first = (
        f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
    )
    if isinstance(variable, ResourceVariable) or variable.op.site is None:
        return error_text(first)
    made_at, now = variable.op.site, sites.capture()
    fix = None
    if now is not None and made_at.code is not now.code and made_at.source == now.source:
        fix = "this line was run before on the same graph: tf.reset_default_graph() starts an empty one"
    return error_text(f"{first} Originally defined at:\n\n  {sites.describe(made_at)}\n", fix=fix)


def _default_initializer(name: str, dtype: DType) -> Any:
    if dtype.is_floating:
        return GlorotUniform()
    if dtype.is_integer or dtype.is_bool or dtype.base_dtype is dtypes.string:
        return Zeros()
    raise ValueError(error_text(f"An initializer for variable {name} of {dtype.base_dtype} is required"))


def _first_value(
    initializer: Any, shape: TensorShape | None, dtype: DType, part: PartitionInfo | None
) -> tuple[Callable[[], Any], DType | None]:
    """A function that makes the first value, and the dtype to ask of it."""
    if inspect.isclass(initializer):
        initializer = initializer()
    if shape is not None and shapes.is_full(shape.raw):
        asked: dict[str, Any] = {"dtype": dtype}
        if _takes(initializer, "partition_info", by_name=True):
            asked["partition_info"] = part
        return lambda: initializer(shape.as_list(), **asked), dtype.base_dtype
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


def _takes(function: Any, name: str, by_name: bool = False) -> bool:
    """Whether the function has that parameter; `**kwargs` counts unless it must be there by its name."""
    return any(p.name == name or (not by_name and p.kind is p.VAR_KEYWORD) for p in _parameters(function))

