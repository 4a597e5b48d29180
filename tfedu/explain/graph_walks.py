"""Walks along the edges of a graph: `ancestors(ops)`, `descendants(ops)`. No state."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..engine.graph.nodes import Operation


def walk(roots: Iterable[Operation], after: Callable[[Operation], Iterable[Operation]]) -> dict[Operation, None]:
    """The roots and all nodes that `after` leads to, the nearest first."""
    reached = dict.fromkeys(roots)
    queue = list(reached)
    for op in queue:
        for following in after(op):
            if following not in reached:
                reached[following] = None
                queue.append(following)
    return reached


def ancestors(roots: Iterable[Operation], control: bool = True) -> dict[Operation, None]:
    """The roots and all nodes that they need; without `control` along data edges alone."""

    def before(op: Operation) -> Iterable[Operation]:
        return (*(t.op for t in op.inputs), *(op.waits if control else ()))

    return walk(roots, before)


def successors(op: Operation) -> list[Operation]:
    """The consumers of the node's outputs, and the nodes that wait for it."""
    return [*(consumer for tensor in op.outputs for consumer in tensor.consumers()), *op.control_outputs]


def descendants(roots: Iterable[Operation]) -> dict[Operation, None]:
    """The roots and all nodes that need them, along data and control edges."""
    return walk(roots, successors)


def value_descendants(roots: Iterable[Operation]) -> dict[Operation, None]:
    """The roots and all nodes that compute with their values, along data edges alone."""
    return walk(roots, lambda op: [consumer for tensor in op.outputs for consumer in tensor.consumers()])


__all__ = ["ancestors", "descendants", "successors", "value_descendants", "walk"]
