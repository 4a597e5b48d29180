"""GraphDef, MetaGraphDef and SavedModel messages as graphs: `graph_of_message(graph_def)`. No state.

The message may be tfedu's or TensorFlow's own: what counts is its name.
"""

from __future__ import annotations

from typing import Any

from ...engine.base import errors, proto
from ...engine.graph.graph import Graph
from ...engine.interop.graph_import import import_graph_def
from .record_parts import GraphReadError


def graph_of_message(message: Any) -> Graph:
    """The graph of a message; its nodes have no lines of a program.

    Raises: GraphReadError for a graph that cannot be imported, and for a SavedModel that has not exactly one;
    ResourceExhaustedError for one beyond the budget (tf.io.Budget).
    """
    kind = message.DESCRIPTOR.full_name.rpartition(".")[2]
    own = getattr(proto, kind)
    if not isinstance(message, own):
        message = own.FromString(message.SerializeToString())
    if kind == "SavedModel":
        if len(message.meta_graphs) != 1:
            raise GraphReadError(
                f"the SavedModel has {len(message.meta_graphs)} graphs\n  fix: show one of its meta_graphs"
            )
        message = message.meta_graphs[0]
    is_meta = isinstance(message, proto.MetaGraphDef)
    stripped = (
        message.meta_info_def.stripped_op_list
        if is_meta and message.meta_info_def.HasField("stripped_op_list")
        else None
    )
    graph = Graph()
    with graph.as_default():
        try:
            import_graph_def(message.graph_def if is_meta else message, name="", producer_op_list=stripped)
        except errors.ResourceExhaustedError:
            raise
        except (ValueError, TypeError, errors.OpError) as error:
            raise GraphReadError(
                f"the graph cannot be imported: {str(error).partition(chr(10))[0]}"
            ) from None
    for node in graph.get_operations():
        node.forget_site()
    return graph


__all__ = ["graph_of_message"]
