"""Summaries of tf.contrib.summary inside a branch or a loop: its results wait for them, as nothing outside can. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation
from ..framework import nest
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import control_dependencies
from .grouping import group, identity, no_op
from .tensor_array_flows import has_flow


def waiting_for_summaries(function: Callable[[], Any]) -> Any:
    """What `function` returns, behind the summaries that it records, which leave the graph's collection of them."""
    graph = get_default_graph()
    count = len(graph.get_collection(GraphKeys._SUMMARY_COLLECTION))
    result = function()
    recorded = graph.get_collection(GraphKeys._SUMMARY_COLLECTION)[count:]
    if not recorded:
        return result
    del graph.get_collection_ref(GraphKeys._SUMMARY_COLLECTION)[count:]
    with control_dependencies(recorded):
        if result is None:
            return no_op()
        return nest.map_structure(_passed_on, result, expand_composites=True)


def _passed_on(value: Any) -> Any:
    if isinstance(value, Operation):
        return group(value)
    return value if has_flow(value) else identity(value)  # a TensorArray waits with the rest of the iteration
