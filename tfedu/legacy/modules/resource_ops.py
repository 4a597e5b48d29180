"""`tensorflow.python.ops.resources`: the collections of what has to be made before a run, such as tables."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.lib.variables.resources import (
    initialize_resources, local_resources, report_uninitialized_resources, shared_resources,
)  # fmt: skip

__all__ = [
    "initialize_resources", "local_resources", "report_uninitialized_resources", "shared_resources",
]  # fmt: skip
