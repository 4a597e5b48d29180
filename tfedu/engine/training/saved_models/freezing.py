"""A graph whose variables are constants, from a graph's file and a checkpoint, or from a saved model.

    freeze_graph("graph.pb", "", True, "m.ckpt", "y", "", "", "frozen.pb", True, "")

No state.
"""

from __future__ import annotations

import os
from typing import Any

from ...base import log, proto
from ...base.errors import error_text
from ...files import gfile
from ...graph.graph import Graph
from ...interop.graph_import import import_graph_def
from ...interop.graph_util import convert_variables_to_constants
from ...interop.message_files import load_message, write_graph
from ...ops.state import VARIABLES
from ...runtime.session import Session
from ..checkpoints.checkpoint_reader import load_checkpoint
from ..checkpoints.checkpoint_state import checkpoint_exists
from ..checkpoints.saver import Saver, import_meta_graph
from .saved_model_loader import SavedModelLoader, load


def freeze_graph(
    input_graph: Any,
    input_saver: Any,
    input_binary: bool,
    input_checkpoint: Any,
    output_node_names: str,
    restore_op_name: str,
    filename_tensor_name: str,
    output_graph: Any,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph: Any = None,
    input_saved_model_dir: Any = None,
    saved_model_tags: str = "serve",
    checkpoint_version: int = 2,
) -> Any:
    """The part of a graph that the named nodes need, with variables as constants; writes it to `output_graph` if that is set.

    input_graph, input_meta_graph: files of a GraphDef or a MetaGraphDef; input_saved_model_dir: the folder of a saved model
    with these tags. input_saver: the file of a SaverDef. input_binary: whether the files are binary. Names of nodes and
    tags are separated by commas. initializer_nodes: nodes that run after the variables have their values.
    restore_op_name, filename_tensor_name: not used, as in TF.
    Raises: OSError for a missing file; DataLossError or InvalidArgumentError for a damaged one (Differs from TF: DecodeError);
    RuntimeError for tags that the model does not have; see freeze_graph_with_def_protos.
    """
    graph_def = None
    if input_saved_model_dir:
        graph_def = _saved_graph(input_saved_model_dir, saved_model_tags)
    elif input_graph:
        graph_def = _read(proto.GraphDef, input_graph, input_binary, "graph")
    meta_graph_def = _read(proto.MetaGraphDef, input_meta_graph, input_binary, "meta graph") if input_meta_graph else None
    if meta_graph_def is not None:
        print("Loaded meta graph file '" + os.fspath(input_meta_graph))
    saver_def = _read(proto.SaverDef, input_saver, input_binary, "saver") if input_saver else None
    return freeze_graph_with_def_protos(
        graph_def,
        saver_def,
        input_checkpoint,
        output_node_names,
        restore_op_name,
        filename_tensor_name,
        output_graph,
        clear_devices,
        initializer_nodes,
        variable_names_whitelist,
        variable_names_blacklist,
        meta_graph_def,
        input_saved_model_dir,
        saved_model_tags.replace(" ", "").split(","),
        checkpoint_version=checkpoint_version,
    )


def freeze_graph_with_def_protos(
    input_graph_def: Any,
    input_saver_def: Any,
    input_checkpoint: Any,
    output_node_names: str,
    restore_op_name: str,
    filename_tensor_name: str,
    output_graph: Any,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph_def: Any = None,
    input_saved_model_dir: Any = None,
    saved_model_tags: Any = None,
    checkpoint_version: int = 2,
) -> Any:
    """As freeze_graph, from messages.

    Raises: ValueError for a missing checkpoint, for no names of nodes and for a graph without variables; AssertionError (as TF)
    for a name that is not in the graph.
    """
    if not input_saved_model_dir and not checkpoint_exists(input_checkpoint):
        raise ValueError(error_text(f"Input checkpoint '{input_checkpoint}' doesn't exist!"))
    if not output_node_names:
        raise ValueError(error_text("You need to supply the name of a node to --output_node_names."))
    source = input_meta_graph_def.graph_def if input_meta_graph_def is not None else input_graph_def
    source = _copied(source, clear_devices)
    with Graph().as_default() as graph, Session(graph=graph) as session:
        if input_saved_model_dir:
            load(session, saved_model_tags or [], input_saved_model_dir)
        elif input_meta_graph_def is not None:
            saver = import_meta_graph(input_meta_graph_def, clear_devices=True)
            if saver is None:
                raise ValueError(error_text("No variables to save"))
            saver.restore(session, input_checkpoint)
        else:
            import_graph_def(source, name="")
            if input_saver_def is not None:
                Saver(saver_def=input_saver_def, write_version=checkpoint_version).restore(session, input_checkpoint)
            else:
                _restore(graph, session, input_checkpoint, checkpoint_version)
        if initializer_nodes and not input_saved_model_dir:
            session.run([graph.get_operation_by_name(name) for name in _names(initializer_nodes)])
        frozen = convert_variables_to_constants(
            session,
            source,
            _names(output_node_names),
            variable_names_whitelist=_names(variable_names_whitelist) or None,
            variable_names_blacklist=_names(variable_names_blacklist) or None,
        )
    if output_graph:
        folder, name = os.path.split(os.fspath(output_graph))
        write_graph(frozen, folder, name, as_text=False)
    return frozen


def _names(text: str) -> list[str]:
    return text.replace(" ", "").split(",") if text else []


def _copied(graph_def: Any, clear_devices: bool) -> Any:
    copy = proto.GraphDef()
    if graph_def is not None:
        copy.MergeFromString(graph_def.SerializeToString())
    if clear_devices:
        for node in copy.node:
            node.device = ""
    return copy


def _restore(graph: Graph, session: Session, checkpoint: Any, version: int) -> None:
    """Loads the variables that graph and checkpoint have both.

    Raises: ValueError when there are none, unless the graph has no variables at all.
    """
    shapes = load_checkpoint(checkpoint).get_variable_to_shape_map()
    nodes = {op.name: op for op in graph.get_operations()}
    found = {name: nodes[name].outputs[0] for name in shapes if name in nodes and nodes[name].type in VARIABLES}
    if not found and nodes and not any(op.type in VARIABLES for op in nodes.values()):
        log.info("The graph has no variables; nothing is frozen.")
        return
    Saver(var_list=found, write_version=version).restore(session, checkpoint)


def _read(message_class: Any, path: Any, is_binary: bool, what: str) -> Any:
    if not gfile.exists(path):
        raise OSError(error_text(f"Input {what} file '{os.fspath(path)}' does not exist!"))
    return load_message(message_class, path)


def _saved_graph(folder: Any, tags: str) -> Any:
    loader = SavedModelLoader(folder)
    wanted = set(tags.replace(" ", "").split(","))
    for meta_graph in loader.saved_model.meta_graphs:
        if set(meta_graph.meta_info_def.tags) == wanted:
            return meta_graph.graph_def
    raise RuntimeError(
        error_text(f"MetaGraphDef associated with tag-set {tags} could not be found in SavedModel")
    )


__all__ = ["freeze_graph", "freeze_graph_with_def_protos"]
