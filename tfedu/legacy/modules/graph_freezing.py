"""`tensorflow.python.tools.freeze_graph`: a graph with its variables as constants, from files."""

from ...engine.training.saved_models.freezing import freeze_graph, freeze_graph_with_def_protos

__all__ = [
    "freeze_graph", "freeze_graph_with_def_protos",
]  # fmt: skip
