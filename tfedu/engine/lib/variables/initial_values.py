"""Where a variable's initial value comes from: it goes where the variable goes, and never waits for another's initializer.

`from_initialized(name, value)` computes `value` from initialized values of the variables that it depends on. No state.
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


def beside(graph: Graph, name: str) -> AbstractContextManager[Any]:
    """`with beside(graph, "v"):` new nodes go where the node `v`, which does not exist yet, will go.

    Any other colocation comes first.
    """
    return graph._marking(lambda marks: marks._replace(colocation=b"loc:@" + name.encode()))


def refuse_branch(value: Tensor, scope: str) -> None:
    """Raises: ValueError when an initial value belongs to a branch: nobody could run it by itself."""
    if value.op._context is not None:
        raise ValueError(
            error_text(
                f"Initializer for variable {scope} is from inside a control-flow construct, such as a loop or conditional. "
                "When creating a variable inside a loop or conditional, use a lambda as the initializer."
            )
        )


# Nodes that ask about a variable rather than compute with its value.
_QUESTIONS = ("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If")


def from_initialized(name: str, value: Tensor) -> Tensor:
    """`value`, computed from the initialized values of the variables that it depends on.

    So variables can be initialized from each other in one run, in whatever order the nodes take their turns.
    """
    order = _ancestors(value.op)
    if order is None or not any(op.type in VARIABLES for op in order):
        return value
    graph = value.graph
    instead: dict[Operation, Operation] = {}
    for op in order:
        instead[op] = op
        if op.type in _QUESTIONS:
            continue
        if op.type in VARIABLES:
            found = _initialized_value_of(graph, op)
            if found is not None:
                instead[op] = found.op
            continue
        inputs = [instead[t.op].outputs[t.index] for t in op.inputs]
        if all(new is old for new, old in zip(inputs, op.inputs)):
            continue
        kind = "Switch" if op.type == "RefSwitch" else op.type
        instead[op] = create_op(
            graph, kind, inputs, [t.dtype.base_dtype for t in op.outputs], name=f"{op.name}_{name}/".replace(":", "_"),
            attrs=dict(op.attrs),
        )  # fmt: skip
    return instead[value.op].outputs[value.index]


def _ancestors(target: Operation) -> list[Operation] | None:
    """The nodes that `target` computes with, inputs before what takes them; None when there is a cycle."""
    order: list[Operation] = []
    entered: set[Operation] = set()
    done: set[Operation] = set()
    stack = [target]
    while stack:
        op = stack[-1]
        if op in done:
            stack.pop()
            continue
        above = [] if op.type in _QUESTIONS else [t.op for t in op.inputs if t.op not in done]
        if op in entered:
            if any(other in entered for other in above):
                return None
            stack.pop()
            done.add(op)
            order.append(op)
            continue
        entered.add(op)
        stack.extend(reversed(above))
    return order


def _initialized_value_of(graph: Graph, op: Operation) -> Tensor | None:
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in graph.get_collection(key):
            if variable.name in (op.name, f"{op.name}:0"):
                value: Tensor = variable.initialized_value()
                return value
    return None
