"""`tf.graph_util`: work on GraphDef messages. Its names load the messages' package when they are first used."""

from .engine.base.lazy import lazy as _lazy

_PLACES = {
    "tfedu.engine.interop.graph_util": """
        convert_variables_to_constants extract_sub_graph import_graph_def must_run_on_cpu remove_training_nodes
        tensor_shape_from_node_def_name
    """
}

__getattr__, __dir__ = _lazy(__name__, _PLACES)
