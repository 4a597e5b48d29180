"""Items of collections as messages: variables (VariableDef), branches (CondContextDef), loops (WhileContextDef).

`to_proto(variable)` names the nodes of a variable; `from_proto(message)` finds them in an imported graph. State: CODECS, the
conversions by collection, to which other modules add theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..base import proto
from ..graph.default_graph import get_default_graph
from ..graph.nodes import Operation, Tensor
from ..lib.control.contexts import CondContext, ControlFlowContext, WhileContext
from ..lib.framework.graph_keys import GraphKeys
from ..lib.variables.reference_variables import RefVariable
from ..lib.variables.resource_variables import BaseResourceVariable
from ..lib.variables.variable_settings import SaveSliceInfo, VariableAggregation, VariableSynchronization
from ..lib.variables.variables import Variable
from ..ops.control_flow import ENTERS
from ..ops.state import is_variable_read
from .scope_names import is_inside, prepended, stripped


class Codec(NamedTuple):
    """How the items of a collection become messages and back."""

    message: Any
    to_proto: Callable[..., Any]  # (item, export_scope) -> message or None
    from_proto: Callable[..., Any]  # (message, import_scope) -> item


# -- variables -----------------------------------------------------------------------------------------------------


def to_proto(variable: Variable, export_scope: str | None = None) -> Any:
    """The variable as VariableDef, or None when it is not in the scope."""
    is_resource = isinstance(variable, BaseResourceVariable)
    own: Tensor = variable._handle if is_resource else variable._variable  # type: ignore[attr-defined]
    if not is_inside(own.name, export_scope):
        return None
    if is_resource:
        read = getattr(variable, "_cached", None)
        snapshot = variable._graph_element if read is None else read  # type: ignore[attr-defined]
    else:
        snapshot = variable._snapshot  # type: ignore[attr-defined]
    message = proto.VariableDef(
        variable_name=stripped(own.name, export_scope),
        initializer_name=stripped(variable.initializer.name, export_scope),
        snapshot_name=stripped(snapshot.name, export_scope),
        is_resource=is_resource,
        trainable=variable.trainable,
        synchronization=variable.synchronization.value,
        aggregation=variable.aggregation.value,
    )
    if variable._initial_value is not None:
        message.initial_value_name = stripped(variable._initial_value.name, export_scope)
    if variable._save_slice_info is not None:
        part = slice_to_proto(variable._save_slice_info, export_scope)
        if part is not None:
            message.save_slice_info_def.CopyFrom(part)
    return message


def slice_to_proto(info: SaveSliceInfo, export_scope: str | None = None) -> Any:
    """The slice as SaveSliceInfoDef, or None when its variable is not in the scope."""
    if not is_inside(str(info.full_name), export_scope):
        return None
    return proto.SaveSliceInfoDef(
        full_name=stripped(str(info.full_name), export_scope),
        full_shape=[int(size) for size in info.full_shape],
        var_offset=[int(size) for size in info.var_offset],
        var_shape=[int(size) for size in info.var_shape],
    )


def from_proto(variable_def: Any, import_scope: str | None = None) -> Variable:
    """A variable whose nodes are already in the default graph.

    Raises: KeyError for a missing node, ValueError for an invalid name.
    """
    return Variable(variable_def=variable_def, import_scope=import_scope, use_resource=variable_def.is_resource)


def fill_from_proto(variable: Variable, variable_def: Any, import_scope: str | None) -> None:
    """Binds a new variable object to the nodes that the message names."""
    graph = get_default_graph()

    def element(name: str) -> Any:
        return graph.as_graph_element(prepended(name, import_scope))

    variable._graph = graph
    initial = variable_def.initial_value_name
    variable._initial_value = element(initial) if initial else None
    variable._initializer = element(variable_def.initializer_name)
    variable.trainable = variable_def.trainable
    variable.synchronization = VariableSynchronization(variable_def.synchronization)
    variable.aggregation = VariableAggregation(variable_def.aggregation)
    variable.constraint = None
    variable._save_slice_info = None
    if variable_def.HasField("save_slice_info_def"):
        variable._save_slice_info = SaveSliceInfo(
            save_slice_info_def=variable_def.save_slice_info_def, import_scope=import_scope
        )
    own = element(variable_def.variable_name)
    snapshot = element(variable_def.snapshot_name)
    if isinstance(variable, RefVariable):
        variable._variable = own
        variable._snapshot = snapshot
        return
    handle: Any = variable
    handle._handle = own
    handle._dtype = own.op.attrs["dtype"]
    handle._shape = own.op.attrs["shape"]
    if is_variable_read(snapshot.op):
        handle._graph_element = snapshot
    else:
        handle._cached = snapshot
        handle._graph_element = graph.get_tensor_by_name(f"{own.op.name}/Read/ReadVariableOp:0")


# -- branches and loops --------------------------------------------------------------------------------------------


def cond_to_proto(context: Any, export_scope: str | None = None) -> Any:
    """A branch of a cond as CondContextDef, or None when it is not in the scope."""
    if not is_inside(context.name, export_scope):
        return None
    message = proto.CondContextDef(
        context_name=stripped(context.name, export_scope),
        pred_name=stripped(context.pred.name, export_scope),
        pivot_name=stripped(context.pivot.name, export_scope),
        branch=context.branch,
    )
    _write_values(context, message, export_scope)
    return message


def while_to_proto(context: Any, export_scope: str | None = None) -> Any:
    """A loop as WhileContextDef, or None when it is not in the scope."""
    if not is_inside(context.name, export_scope):
        return None
    message = proto.WhileContextDef(
        context_name=stripped(context.name, export_scope),
        parallel_iterations=context.parallel_iterations,
        back_prop=context.back_prop,
        swap_memory=context.swap_memory,
        pivot_name=stripped(context.pivot.name, export_scope),
        pivot_for_pred_name=stripped(context.pivot_for_pred.name, export_scope),
        pivot_for_body_name=stripped(context.pivot_for_body.name, export_scope),
        loop_exit_names=[stripped(tensor.name, export_scope) for tensor in context.loop_exits],
        loop_enter_names=[stripped(tensor.name, export_scope) for tensor in context.loop_enters],
    )
    if context.maximum_iterations is not None:
        message.maximum_iterations_name = stripped(context.maximum_iterations.name, export_scope)
    _write_values(context, message, export_scope)
    return message


def _write_values(context: Any, message: Any, export_scope: str | None) -> None:
    """Writes the context's tensors, and the contexts nested in it.

    Differs from TF: which does not strip the scope from the names of nested contexts, and so cannot read them.
    """
    values = message.values_def
    values.values.extend(stripped(name, export_scope) for name in sorted(tensor.name for tensor in context.visible))
    for outside, inside in context.replacements.items():
        values.external_values[stripped(outside.name, export_scope)] = stripped(inside.name, export_scope)
    for inner in context.nested:
        part = message.nested_contexts.add()
        if isinstance(inner, WhileContext):
            part.while_ctxt.CopyFrom(while_to_proto(inner, export_scope))
        else:
            part.cond_ctxt.CopyFrom(cond_to_proto(inner, export_scope))


def cond_from_proto(message: Any, import_scope: str | None = None, outer: Any = None) -> CondContext:
    """The context of a cond's branch whose nodes are already in the default graph.

    Raises: KeyError for a missing node.
    """
    context = object.__new__(CondContext)
    tensor = _initialize(context, message, import_scope, outer)
    context.pred, context.pivot = tensor(message.pred_name), tensor(message.pivot_name)
    context.branch = message.branch
    _read_values(context, message, tensor, import_scope)
    return context


def while_from_proto(message: Any, import_scope: str | None = None, outer: Any = None) -> WhileContext:
    """The context of a loop whose nodes are already in the default graph.

    Raises: KeyError for a missing node.
    """
    context = object.__new__(WhileContext)
    tensor = _initialize(context, message, import_scope, outer)
    maximum = message.maximum_iterations_name
    context.maximum_iterations = tensor(maximum) if maximum else None
    context.parallel_iterations = message.parallel_iterations
    context._back_prop, context.swap_memory = message.back_prop, message.swap_memory
    context._grad_state = None
    context.variable_names = []
    context.pivot = tensor(message.pivot_name)
    context.pivot_for_pred = tensor(message.pivot_for_pred_name)
    context.pivot_for_body = tensor(message.pivot_for_body_name)
    context.loop_enters = [tensor(name) for name in message.loop_enter_names]
    context.loop_exits = [tensor(name) for name in message.loop_exit_names]
    _read_values(context, message, tensor, import_scope)
    if import_scope:
        # A frame has its loop's name: two copies of a loop need two frames.
        for inside in context.visible:
            if inside.op.type in ENTERS:
                inside.op.put_attr("frame_name", context.name)
    return context


def _initialize(context: Any, message: Any, import_scope: str | None, outer: Any) -> Callable[[str], Tensor]:
    """Initializes a context from its message; returns a function from names in the message to tensors."""
    graph = get_default_graph()

    def tensor(name: str) -> Tensor:
        element = graph.as_graph_element(prepended(name, import_scope))
        return element.outputs[0] if isinstance(element, Operation) else element

    ControlFlowContext.__init__(context, graph, prepended(message.context_name, import_scope), outer)
    return tensor


def _read_values(context: Any, message: Any, tensor: Callable[[str], Tensor], import_scope: str | None) -> None:
    context.visible = {tensor(name) for name in message.values_def.values}
    context.replacements = {
        tensor(outside): tensor(inside) for outside, inside in message.values_def.external_values.items()
    }
    for inside in context.visible:
        # Unmapped tensors belong to this context, until a nested context takes them.
        if inside not in context.replacements:
            inside.op._context = context
    for inner in message.nested_contexts:
        if inner.HasField("while_ctxt"):
            while_from_proto(inner.while_ctxt, import_scope, context)
        elif inner.HasField("cond_ctxt"):
            cond_from_proto(inner.cond_ctxt, import_scope, context)


def _unchanged(message: Any, scope: str | None = None) -> Any:
    return message


CODECS: dict[str, Codec] = {
    GraphKeys.COND_CONTEXT: Codec(proto.CondContextDef, cond_to_proto, cond_from_proto),
    GraphKeys.WHILE_CONTEXT: Codec(proto.WhileContextDef, while_to_proto, while_from_proto),
    # Messages, until training/checkpoints/saver.py registers its Saver.
    GraphKeys.SAVERS: Codec(proto.SaverDef, _unchanged, _unchanged),
    **{
        key: Codec(proto.VariableDef, to_proto, from_proto)
        for key in (
            GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES, GraphKeys.MODEL_VARIABLES,
            GraphKeys.TRAINABLE_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES, GraphKeys.GLOBAL_STEP,
        )
    },
}  # fmt: skip
