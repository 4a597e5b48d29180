"""The layer call under way: which inputs it has, and what `training` its inner layers inherit.

State: the graph's collection `("__layer_calls",)`, which holds one `Calls`; each thread has its own.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...lib.framework import nest

_KEY = ("__layer_calls",)


class Call(NamedTuple):
    """The inputs of a layer's call, and its `training` argument, None when it has none."""

    inputs: Any
    training: Any


class Calls(threading.local):
    """This thread's innermost call."""

    current: Call | None = None

    def restore(self, call: Call | None) -> None:
        """Makes this the innermost call again."""
        self.current = call


def calls() -> Calls:
    """The default graph's calls."""
    items: list[Any] = get_default_graph().get_collection_ref(_KEY)
    if not items:
        items.append(Calls())
    stored: Calls = items[0]
    return stored


@contextmanager
def calling(inputs: Any, training: Any) -> Iterator[None]:
    """`with calling(inputs, training):` this is the call under way."""
    stored = calls()
    outer = stored.current
    get_default_graph().on_failure(stored.restore, outer)
    stored.current = Call(inputs, training)
    try:
        yield
    finally:
        stored.current = outer


def reachable_ops(inputs: Any) -> set[Operation]:
    """The operations that a tensor, variable or structure of these feeds, directly or through others."""
    found: set[Operation] = set()
    waiting: list[Operation] = []
    for value in nest.flatten(inputs, expand_composites=True):
        if isinstance(value, Tensor):
            waiting.extend(value.consumers())
        elif hasattr(value, "op"):
            waiting.append(value.op)  # a variable: all that it feeds
    while waiting:
        op = waiting.pop()
        if op not in found:
            found.add(op)
            waiting.extend(consumer for output in op.outputs for consumer in output.consumers())
    return found


def ops_of(values: Iterable[Any]) -> list[Operation]:
    """The operations of tensors and operations."""
    return [value if isinstance(value, Operation) else value.op for value in values]
