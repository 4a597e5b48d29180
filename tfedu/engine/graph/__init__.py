"""The graph as data: `Graph`, `Operation`, `Tensor`, names, scopes, collections and the two default stacks."""

from .conversion import convert_to_tensor, register_tensor_conversion_function
from .default_graph import get_default_graph, reset_default_graph
from .device import DeviceSpec
from .graph import Graph, graph_of
from .nodes import Operation, Tensor
from .scopes import ControlBlock
from .stacks import get_default_session

__all__ = [
    "ControlBlock",
    "DeviceSpec",
    "Graph",
    "Operation",
    "Tensor",
    "convert_to_tensor",
    "get_default_graph",
    "get_default_session",
    "graph_of",
    "register_tensor_conversion_function",
    "reset_default_graph",
]
