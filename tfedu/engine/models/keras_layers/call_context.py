"""The layer call under way: which inputs it has, and what `training` its inner layers inherit.

State: the graph's collections `("__layer_calls",)`, which holds one `Calls`, each thread its own, and `("__learning_phase",)`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...lib.control.cond import cond
from ...lib.control.smart_cond import smart_cond
from ...lib.framework import nest
from ...lib.framework.placeholders import placeholder_with_default
from ...lib.framework.scope_blocks import name_scope, waiting_for
from ...lib.variables.variables import Variable

_KEY = ("__layer_calls",)
_PHASE_KEY = ("__learning_phase",)


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


def learning_phase() -> Any:
    """Keras' learning phase: what the program set, or a bool scalar that is False unless a run feeds it."""
    items: list[Any] = get_default_graph().get_collection_ref(_PHASE_KEY)
    if not items:
        with name_scope(None), waiting_for(None):
            items.append(placeholder_with_default(False, [], name="keras_learning_phase"))
    return items[0]


def set_learning_phase(value: int) -> None:
    """Makes all layers from now on behave as in training (1) or not (0), in the default graph.

    Raises: ValueError for any other value.
    """
    if value not in (0, 1):
        raise ValueError(error_text("Expected learning phase to be 0 or 1."))
    get_default_graph().get_collection_ref(_PHASE_KEY)[:] = [value]


def chosen_phase() -> int | None:
    """The learning phase that the program set, None without."""
    items = get_default_graph().get_collection_ref(_PHASE_KEY)
    return items[0] if items and isinstance(items[0], int) else None


def fed_phase() -> Tensor | None:
    """The learning phase as a tensor that a run may feed, if the graph has one."""
    items = get_default_graph().get_collection_ref(_PHASE_KEY)
    return items[0] if items and isinstance(items[0], Tensor) else None


def choose_by_training(training: Any, in_training: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """The result of one function, or of a `cond` of both where `training` is known in a run only; None: the learning phase.

    Raises: TypeError for a `training` that is not a bool, 1, 0, or a tensor or variable.
    """
    if training is None:
        training = learning_phase()
    if isinstance(training, Variable):
        return cond(training, true_fn=in_training, false_fn=otherwise)
    return smart_cond(training, in_training, otherwise)


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
