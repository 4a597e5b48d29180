"""`slim.model_analyzer`: a table of variables or operations with their shapes and sizes. No state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...graph.graph import Graph

_LINE = "---------"


def tensor_description(var: Any) -> str:
    """The dtype and shape of a tensor or variable: "(float32 ?x28x28)". Raises: ValueError for an unknown rank."""
    sizes = var.shape.as_list()
    return f"({var.dtype.name} {'x'.join('?' if size is None else str(size) for size in sizes)})"


def analyze_ops(graph: Graph, print_info: bool = False) -> int:
    """The number of elements of all outputs of the graph's operations; print_info: prints a line for each operation."""
    if print_info:
        print(_LINE)
        print("Operations: name -> (type shapes) [size]")
        print(_LINE)
    total = 0
    for op in graph.get_operations():
        size, shapes = 0, []
        for output in op.outputs:
            # an output of unknown size counts as empty
            count = output.shape.num_elements() or 0
            if output.shape.ndims is not None:
                shapes.append(tensor_description(output))
            size += count
        if print_info and shapes:
            print(op.name, "\t->", ", ".join(shapes), f"[{size}]")
        total += size
    return total


def analyze_vars(variables: Iterable[Any], print_info: bool = False) -> tuple[int, int]:
    """(number of elements, bytes) of all variables; print_info: prints a line for each variable and the sums."""
    if print_info:
        print(_LINE)
        print("Variables: name (type shape) [size]")
        print(_LINE)
    total_size = total_bytes = 0
    for variable in variables:
        size = variable.shape.num_elements() or 0
        taken = size * variable.dtype.size
        total_size += size
        total_bytes += taken
        if print_info:
            print(variable.name, tensor_description(variable), f"[{size}, bytes: {taken}]")
    if print_info:
        print("Total size of variables:", total_size)
        print("Total bytes of variables:", total_bytes)
    return total_size, total_bytes


__all__ = ["analyze_ops", "analyze_vars", "tensor_description"]
