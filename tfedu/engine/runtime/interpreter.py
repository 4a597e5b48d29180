"""The interpreter: one node after the other, the executable definition of what a graph means.

`interpret(schedule, store, fed, fetches)` returns the fetched values. The compiled plan must return the same, and a
property test compares the two. Tracing and stepping use the interpreter: an observer is called after every turn.
tokens.py runs loops; in a graph without loops each node takes one turn. No state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..base import errors
from ..base.dead import DEAD
from ..graph.nodes import Tensor
from .deadline import Check
from .exclusive import may_wait_for_itself
from .node_errors import node_error, unread
from .node_turn import all_fetched, compute, is_dead
from .schedule import Schedule
from .store import Store, cancelled
from .tokens import Observer, Tokens


def interpret(
    scheduled: Schedule,
    store: Store,
    fed: Mapping[Tensor, Any],
    fetches: Sequence[Tensor],
    observer: Observer | None = None,
    check: Check | None = None,
) -> list[Any]:
    """Runs the scheduled nodes, then reads the fetched tensors.

    check: is called before every turn, and may end the run by an error.
    Raises: the failing node's error; the effects of the nodes before it remain.
    """
    static = scheduled.frames is None and not scheduled.in_run and not may_wait_for_itself(scheduled.order)
    if static and observer is None:
        return _straight(scheduled, store, fed, fetches, check)
    tokens = Tokens(scheduled, store, fed, fetches, observer, check)
    tokens.go()
    return tokens.fetch(fetches)


def _straight(
    scheduled: Schedule,
    store: Store,
    fed: Mapping[Tensor, Any],
    fetches: Sequence[Tensor],
    check: Check | None,
) -> list[Any]:
    """A run without loops and without an observer: each node takes one turn, in the schedule's order."""
    values: dict[int, Sequence[Any]] = {}
    for tensor, value in fed.items():
        outputs_of_fed: Any = values.setdefault(tensor.op.id, [None] * len(tensor.op.outputs))
        outputs_of_fed[tensor.index] = value
    fed_ops = frozenset(values)
    dead: set[int] = set()
    uses = _uses(scheduled, fetches)
    with np.errstate(all="ignore"):
        for op in scheduled.order:
            if check is not None:
                check(op)
            if store.closed:
                raise node_error(op, cancelled())
            inputs = [values[t.op.id][t.index] for t in op.inputs]
            try:
                if op.definition is None:
                    raise errors.NotFoundError(None, None, f"Op type not registered '{op.type}'")
                if is_dead(op, inputs, dead):
                    dead.add(op.id)
                    outputs: Sequence[Any] = [DEAD] * len(op.outputs)
                else:
                    outputs = compute(op, inputs, store)
            except BaseException as raised:
                raise node_error(op, raised, inputs)  # noqa: B904 - it has its cause
            if op.id in fed_ops:
                outputs = [fed.get(t, output) for t, output in zip(op.outputs, outputs)]
            values[op.id] = outputs
            for t in op.inputs:
                key = t.op.id
                uses[key] -= 1
                if uses[key] == 0:
                    del values[key]
    try:
        return all_fetched([values[t.op.id][t.index] for t in fetches], store.gpu)
    except errors.OpError as error:
        raise unread(error, fetches) from None


def _uses(scheduled: Schedule, fetches: Sequence[Tensor]) -> dict[int, int]:
    """The number of uses of each node's values, so that they can be freed after the last one."""
    uses: dict[int, int] = {}
    for op in scheduled.order:
        for tensor in op.inputs:
            key = tensor.op.id
            uses[key] = uses.get(key, 0) + 1
    for tensor in fetches:
        key = tensor.op.id
        uses[key] = uses.get(key, 0) + 1
    return uses
