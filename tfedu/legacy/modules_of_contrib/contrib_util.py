"""What programs take from `tensorflow.python.framework.meta_graph` and `tensorflow.contrib.util`."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.interop.meta_graph import (
    export_meta_graph, import_scoped_meta_graph, ops_used_by_graph_def, read_meta_graph_file, stripped_op_list_for_graph,
)  # fmt: skip

__all__ = [
    "export_meta_graph", "import_scoped_meta_graph", "ops_used_by_graph_def", "read_meta_graph_file",
    "stripped_op_list_for_graph",
]  # fmt: skip
