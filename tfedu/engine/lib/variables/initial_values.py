"""The initial value of a variable: colocated with the variable, and computed from initialized values of other
variables.

`from_initialized(name, value)` rewrites `value` to read those initialized values. No state.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from ...base.errors import error_text
from ...graph.graph import Graph
from ...graph.nodes import Operation, Tensor
from ...op.create import create_op
from ...ops.state import VARIABLES
from ..framework.graph_keys import GraphKeys


def colocated_with_new(graph: Graph, name: str) -> AbstractContextManager[Any]:
    """`with colocated_with_new(graph, "v"):` colocates new nodes with the node `v`, which does not exist yet.

    It precedes any other colocation.
    """
    return graph._marking(lambda marks: marks._replace(colocation=b"loc:@" + name.encode()))


def refuse_branch(value: Tensor, scope: str) -> None:
    """Raises: ValueError when an initial value belongs to a branch or loop, where the initializer cannot run it."""
    if value.op._context is not None:
        raise ValueError(
            error_text(
                f"Initializer for variable {scope} is from inside a control-flow construct, such as a loop or conditional. "
                "When creating a variable inside a loop or conditional, use a lambda as the initializer."
            )
        )


# Nodes that query a variable's state, or read it themselves, and so stay unchanged.
_QUERIES = ("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If")


def from_initialized(name: str, value: Tensor) -> Tensor:
    """`value` [...], computed from the initialized values of the variables that it depends on.

    It allows variables to be initialized from each other in one run, whatever the schedule.
    """
    order = _ancestors(value.op)
    if order is None or not any(op.type in VARIABLES for op in order):
        return value
    graph = value.graph
    replacements: dict[Operation, Operation] = {}
    for op in order:
        replacements[op] = op
        if op.type in _QUERIES:
            continue
        if op.type in VARIABLES:
            initialized = _initialized_value_of(graph, op)
            if initialized is not None:
                replacements[op] = initialized.op
            continue
        inputs = [replacements[t.op].outputs[t.index] for t in op.inputs]
        if all(new is old for new, old in zip(inputs, op.inputs)):
            continue
        kind = "Switch" if op.type == "RefSwitch" else op.type
        replacements[op] = create_op(
            graph, kind, inputs, [t.dtype.base_dtype for t in op.outputs], name=f"{op.name}_{name}/".replace(":", "_"),
            attrs=dict(op.attrs),
        )  # fmt: skip
    return replacements[value.op].outputs[value.index]


def _ancestors(target: Operation) -> list[Operation] | None:
    """The nodes that `target` depends on by data edges, each after its inputs; None when there is a cycle."""
    order: list[Operation] = []
    entered: set[Operation] = set()
    done: set[Operation] = set()
    stack = [target]
    while stack:
        op = stack[-1]
        if op in done:
            stack.pop()
            continue
        sources = [] if op.type in _QUERIES else [t.op for t in op.inputs if t.op not in done]
        if op in entered:
            if any(other in entered for other in sources):
                return None
            stack.pop()
            done.add(op)
            order.append(op)
            continue
        entered.add(op)
        stack.extend(reversed(sources))
    return order


def _initialized_value_of(graph: Graph, op: Operation) -> Tensor | None:
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in graph.get_collection(key):
            if variable.name in (op.name, f"{op.name}:0"):
                value: Tensor = variable.initialized_value()
                return value
    return None
