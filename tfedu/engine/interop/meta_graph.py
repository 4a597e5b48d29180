"""A graph with its collections in one message: `export_meta_graph("model.meta")`, `import_scoped_meta_graph("model.meta")`.

Collections keep their variables, contexts of cond and while_loop, tensors, operations, strings and numbers. No state.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

from ..base import errors, log, proto
from ..base.budget import Budget
from ..base.errors import error_text
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..lib.framework.graph_keys import GraphKeys
from ..ops.control_flow import ENTERS
from . import attr_messages as attributes
from . import message_files, op_signatures
from .collection_messages import CODECS
from .graph_import import import_graph_def, own_message
from .scope_names import prepended, stripped

_UNBOUND: Final = "$unbound_inputs_"
_VERSION: Final = "1.15.0"
_VARIABLES: Final = frozenset(
    (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES, GraphKeys.MODEL_VARIABLES,
     GraphKeys.TRAINABLE_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES)
)  # fmt: skip
_SAVES: Final = frozenset(
    ("SaveV2", "Save", "SaveSlice", "LegacySave", "LegacySaveSlice", "RestoreV2", "Restore", "RestoreSlice", "LegacyRestore",
     "LegacyRestoreSlice")
)  # fmt: skip


# -- export --------------------------------------------------------------------------------------------------------


def export_meta_graph(
    filename: Any = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Iterable[str] | None = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> Any:
    """The graph (by default the default graph) and its collections as MetaGraphDef; writes it to `filename` if that is set.

    collection_list: the exported collections, None for all. export_scope: exports only this name scope, and strips it from
    the names. clear_devices, strip_default_attrs: without devices, without attributes at their defaults.
    unbound_inputs_col_name (keyword only): the collection that lists inputs from outside the scope.
    Differs from TF: there is no debug info to save.
    Raises: TypeError for arguments of other types, ValueError when the message would be larger than 2 GB.
    """
    unbound_inputs_col_name = kwargs.pop("unbound_inputs_col_name", "unbound_inputs")
    if kwargs:
        raise TypeError(
            error_text(f"export_meta_graph() got an unexpected keyword argument '{next(iter(kwargs))}'")
        )
    if save_debug_info:
        raise errors.UnimplementedError(
            None, None, error_text("tfedu writes no debug info: leave save_debug_info out")
        )
    _check_types(meta_info_def, graph_def, saver_def, graph)
    graph = graph or get_default_graph()
    excluded: set[str] = set()
    if export_scope or clear_extraneous_savers or clear_devices:
        full_graph_def = graph_def if graph_def is not None else graph.as_graph_def(add_shapes=True)
        if clear_extraneous_savers:
            excluded = _other_savers(full_graph_def, saver_def)
        graph_def, unbound = _scoped(full_graph_def, export_scope, excluded, clear_devices)
        if unbound_inputs_col_name:
            graph.clear_collection(unbound_inputs_col_name)
            for name in unbound:
                graph.add_to_collection(unbound_inputs_col_name, name)
    elif graph_def is None:
        graph_def = graph.as_graph_def(add_shapes=True)
    message = proto.MetaGraphDef()
    if meta_info_def is not None:
        message.meta_info_def.MergeFromString(meta_info_def.SerializeToString())
    message.meta_info_def.tensorflow_version = _VERSION
    message.graph_def.CopyFrom(own_message(graph_def))
    if not message.meta_info_def.stripped_op_list.op:
        message.meta_info_def.stripped_op_list.CopyFrom(stripped_op_list_for_graph(graph_def))
    if strip_default_attrs:
        _strip_defaults(message)
    if saver_def is not None:
        message.saver_def.MergeFromString(saver_def.SerializeToString())
    keys = graph.get_all_collection_keys() if collection_list is None else collection_list
    for key in keys:
        if clear_extraneous_savers and key == GraphKeys.SAVERS:
            _add_collection(message, key, [] if saver_def is None else [saver_def], export_scope, excluded)
        else:
            _add_collection(message, key, graph.get_collection(key), export_scope, excluded)
    if filename:
        folder, name = os.path.split(os.fspath(filename))
        message_files.write_graph(message, folder, name, as_text=as_text)
    return message


def _check_types(meta_info_def: Any, graph_def: Any, saver_def: Any, graph: Any) -> None:
    if graph is not None and not isinstance(graph, Graph):
        raise TypeError(error_text(f"graph must be of type Graph, not {type(graph)}"))
    for name, value, kind in (
        ("meta_info_def", meta_info_def, "MetaInfoDef"),
        ("graph_def", graph_def, "GraphDef"),
        ("saver_def", saver_def, "SaverDef"),
    ):
        if value is not None and not (isinstance(value, proto.Message) and type(value).DESCRIPTOR.name == kind):
            raise TypeError(error_text(f"{name} must be of type {kind}, not {type(value)}"))


def _name_part(name: str) -> str:
    return name.removeprefix("^").split(":", 1)[0]


def _scope_of(name: str) -> str:
    return _name_part(name).rpartition("/")[0]


def _other_savers(graph_def: Any, saver_def: Any) -> set[str]:
    """The nodes of all savers but that of saver_def."""
    scopes = {_scope_of(node.name) + "/" for node in graph_def.node if node.op in _SAVES}
    if saver_def is not None:
        scopes -= {_scope_of(saver_def.save_tensor_name) + "/", _scope_of(saver_def.restore_op_name) + "/"}
    return {node.name for node in graph_def.node if any(node.name.startswith(scope) for scope in scopes)}


def _included(name: str, scope: str | None, excluded: set[str]) -> bool:
    if _name_part(name) in excluded or name in excluded:
        return False
    return not scope or name.startswith((_UNBOUND, scope))


def _scoped(graph_def: Any, scope: str | None, excluded: set[str], clear_devices: bool) -> tuple[Any, list[str]]:
    """(the part of a GraphDef in the scope, with names relative to it; the marked names of inputs from outside)."""
    part = proto.GraphDef()
    part.versions.CopyFrom(graph_def.versions)
    part.library.CopyFrom(graph_def.library)
    unbound: list[str] = []
    for node in graph_def.node:
        if not _included(node.name, scope, excluded):
            continue
        copy = part.node.add()
        copy.CopyFrom(node)
        copy.name = stripped(node.name, scope)
        for i, text in enumerate(node.input):
            if scope and not text.lstrip("^").startswith(scope):
                mark = "^" if text.startswith("^") else ""
                copy.input[i] = f"{mark}{_UNBOUND}{text.removeprefix('^')}"
                unbound.append(copy.input[i])
            else:
                copy.input[i] = stripped(text, scope)
        if "_class" in copy.attr:
            groups = [g.decode("utf-8", "replace") for g in node.attr["_class"].list.s]
            inside = [g for g in groups if not scope or g.rpartition("@")[2].startswith(scope)]
            copy.attr["_class"].Clear()
            copy.attr["_class"].list.s.extend(stripped(g, scope).encode() for g in inside)
        if copy.op in ENTERS and "frame_name" in copy.attr:
            frame = copy.attr["frame_name"].s.decode("utf-8", "replace")
            copy.attr["frame_name"].s = stripped(frame, scope).encode()
        if clear_devices:
            copy.device = ""
    return part, unbound


def ops_used_by_graph_def(graph_def: Any) -> list[str]:
    """The op types that a GraphDef uses, also inside functions, without the functions themselves."""
    functions = {function.signature.name: function for function in graph_def.library.function}
    used: set[str] = set()
    waiting = [node.op for node in graph_def.node]
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            if name in functions:
                waiting.extend(node.op for node in functions[name].node_def)
    return [name for name in used if name not in functions]


def stripped_op_list_for_graph(graph_def: Any) -> Any:
    """The OpDefs of the op types that a GraphDef uses, by name, as OpList.

    Raises: ValueError for an unknown op type.
    """
    message = proto.OpList()
    for name in sorted(ops_used_by_graph_def(graph_def)):
        signature = op_signatures.signature(name)
        if signature is None:
            raise ValueError(error_text(f"Op {name} is used by the graph, but is not registered"))
        message.op.append(op_signatures.op_def_message(signature))
    return message


def _strip_defaults(message: Any) -> None:
    for node in message.graph_def.node:
        signature = op_signatures.signature(node.op)
        for attr in () if signature is None else signature.attrs:
            if attr.required or attr.name not in node.attr:
                continue
            default = proto.AttrValue()
            attributes.fill(default, attr.kind, attr.default)
            if node.attr[attr.name] == default:
                del node.attr[attr.name]
    message.meta_info_def.stripped_default_attrs = True


def _add_collection(message: Any, key: Any, items: list[Any], scope: str | None, excluded: set[str]) -> None:
    """Adds one collection; skips one that no message can hold with a warning, as TF does."""
    if not isinstance(key, str):
        log.warn(f"Only collections with string type keys will be serialized. This key has {type(key)}")
        return
    items = [item for item in items if _included(getattr(item, "name", None) or _UNBOUND, scope, excluded)]
    if not items:
        return
    collection = proto.CollectionDef()
    try:
        codec = CODECS.get(key)
        if codec is not None:
            collection.bytes_list.SetInParent()
            for item in items:
                part = codec.to_proto(item, scope)
                if part is not None:
                    collection.bytes_list.value.append(part.SerializeToString(deterministic=True))
        else:
            _fill_plain(collection, items, scope)
    except (AttributeError, TypeError, ValueError) as error:
        log.warn(
            f"Issue encountered when serializing {key}.\nType is unsupported, or the types of the items don't match field type "
            f"in CollectionDef. Note this is a warning and probably safe to ignore.\n{error}"
        )
        return
    message.collection_def[key].CopyFrom(collection)


def _fill_plain(collection: Any, items: list[Any], scope: str | None) -> None:
    first = items[0]
    if isinstance(first, str | bytes):
        collection.bytes_list.value.extend(item.encode() if isinstance(item, str) else item for item in items)
    elif isinstance(first, int):
        collection.int64_list.value.extend(items)
    elif isinstance(first, float):
        collection.float_list.value.extend(items)
    elif isinstance(first, proto.AnyMessage):
        collection.any_list.value.extend(items)
    else:
        collection.node_list.SetInParent()
        for item in items:
            if not scope or item.name.startswith(scope):
                collection.node_list.value.append(stripped(item.name, scope))


# -- import --------------------------------------------------------------------------------------------------------


def read_meta_graph_file(filename: Any) -> Any:
    """The MetaGraphDef in a file.

    Raises: OSError for a missing file; DataLossError or InvalidArgumentError for an invalid MetaGraphDef.
    """
    path = os.fspath(filename)
    if not os.path.exists(path):
        raise OSError(error_text(f"File {path} does not exist."))
    return message_files.load_message(proto.MetaGraphDef, path)


def import_scoped_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: dict[str, Tensor] | None = None,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    restore_collections_predicate: Any = lambda key: True,
    *,
    budget: Budget | None = None,
) -> dict[str, Any]:
    """Adds the nodes and collections of a MetaGraphDef (or of its file) to a graph.

    Returns the imported variables by their names in the message. budget: see import_graph_def.
    Raises: see import_graph_def and read_meta_graph_file.
    """
    if isinstance(meta_graph_or_file, proto.MetaGraphDef):
        message = meta_graph_or_file
    elif isinstance(meta_graph_or_file, proto.Message):
        message = proto.MetaGraphDef.FromString(meta_graph_or_file.SerializeToString())
    else:
        message = read_meta_graph_file(meta_graph_or_file)
    if unbound_inputs_col_name and unbound_inputs_col_name in message.collection_def:
        _check_unbound(message.collection_def[unbound_inputs_col_name], input_map)
    graph = graph or get_default_graph()

    def imported() -> dict[str, Any]:
        with graph.as_default():
            graph_def = message.graph_def
            if clear_devices:
                graph_def = proto.GraphDef.FromString(graph_def.SerializeToString())
                for node in graph_def.node:
                    node.device = ""
            scope = graph.unique_name(import_scope or "", mark_as_used=False)
            info = message.meta_info_def
            import_graph_def(
                graph_def,
                name=import_scope or scope,
                input_map=input_map,
                producer_op_list=info.stripped_op_list if info.HasField("stripped_op_list") else None,
                budget=budget,
            )
            keys = sorted(message.collection_def, key=lambda key: (key != GraphKeys.TRAINABLE_VARIABLES, key))
            variables_by_message: dict[bytes, Any] = {}
            for key in keys:
                if key != unbound_inputs_col_name and restore_collections_predicate(key):
                    _restore(graph, key, message.collection_def[key], scope, variables_by_message)
            variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope or None)
            return {stripped(v.name, scope): v for v in variables if hasattr(v, "name")}

    return graph.attempt(imported)


def _check_unbound(collection: Any, input_map: dict[str, Tensor] | None) -> None:
    kind = collection.WhichOneof("kind")
    values = list(getattr(collection, kind).value) if kind else []
    names = [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values]
    if names and (not input_map or sorted(names) != sorted(input_map)):
        missing = ",".join(name for name in names if not input_map or name not in input_map)
        raise ValueError(
            error_text(f"Graph contains unbound inputs: {missing}. Must provide these inputs through input_map.")
        )


def _restore(graph: Graph, key: str, collection: Any, scope: str, variables_by_message: dict[bytes, Any]) -> None:
    kind = collection.WhichOneof("kind")
    if kind is None:
        log.error(f"Cannot identify data type for collection {key}. Skipping.")
        return
    codec = CODECS.get(key)
    for value in getattr(collection, kind).value:
        if codec is not None and kind == "bytes_list":
            is_variable = key in _VARIABLES
            item = variables_by_message.get(value) if is_variable else None
            if item is None:
                item = _decoded(codec, key, value, scope)
                if is_variable:
                    variables_by_message[value] = item
        elif kind == "node_list":
            item = _named(graph, key, prepended(value, scope))
        elif kind == "bytes_list":
            # As in TF: bytes become a string only with a scope.
            item = prepended(value.decode("utf-8", "surrogateescape"), scope) if scope else value
        else:
            item = value
        graph.add_to_collection(key, item)


def _decoded(codec: Any, key: str, value: bytes, scope: str) -> Any:
    try:
        return codec.from_proto(codec.message.FromString(value), scope)
    except proto.DecodeError:
        name = codec.message.DESCRIPTOR.name
        raise errors.DataLossError(
            None, None, error_text(f"Collection '{key}' holds what is no {name}")
        ) from None
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        reason = error.args[0] if error.args else error
        raise ValueError(error_text(f"Collection '{key}' does not fit the graph: {reason}")) from None


def _named(graph: Graph, key: str, name: str) -> Tensor | Operation:
    try:
        element: Tensor | Operation = graph.as_graph_element(name)
        return element
    except KeyError as error:
        raise ValueError(error_text(f"Collection '{key}' does not fit the graph: {error.args[0]}")) from None


__all__ = [
    "export_meta_graph",
    "import_scoped_meta_graph",
    "ops_used_by_graph_def",
    "read_meta_graph_file",
    "stripped_op_list_for_graph",
]
