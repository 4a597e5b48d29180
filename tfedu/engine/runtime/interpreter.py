"""The interpreter: one node after the other, the living definition of what a graph means.

`interpret(schedule, store, fed, fetches)` gives the fetched values. The compiled plan must do the same, and a
property test holds the two equal; tracing, stepping and wrong mental models build on this one, through an observer
that is told of every step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ..base import errors
from ..base.dead import DEAD
from ..graph.nodes import Operation, Tensor
from .failures import cause_of, node_error, uninitialized, unread
from .schedule import Schedule
from .store import Buffer, Store, View, World


class Observer(Protocol):
    """Is told what happens, in order."""

    def step(self, op: Operation, inputs: Sequence[Any], outputs: Sequence[Any], dead: bool) -> None:
        """`op` took its turn; values of references are the buffers themselves."""

    def failed(self, op: Operation, error: errors.OpError) -> None:
        """`op` took its turn and failed; the run ends."""


def interpret(
    scheduled: Schedule,
    store: Store,
    fed: Mapping[Tensor, Any],
    fetches: Sequence[Tensor],
    observer: Observer | None = None,
) -> list[Any]:
    """Runs the scheduled nodes once and reads the fetched tensors when the last one is done.

    Raises: the failing node's error; what ran before it has happened.
    """
    values: dict[int, list[Any]] = {}
    for tensor, value in fed.items():
        values.setdefault(tensor.op.id, [None] * len(tensor.op.outputs))[tensor.index] = value
    fed_ops = frozenset(values)
    dead: set[int] = set()
    uses = _uses(scheduled, fetches) if observer is None else {}
    with np.errstate(all="ignore"):
        for op in scheduled.order:
            inputs = [values[t.op.id][t.index] for t in op.inputs]
            d = op.definition
            try:
                if d is None:
                    raise errors.NotFoundError(None, None, f"Op type not registered '{op.type}'")
                if _is_dead(op, inputs, dead):
                    dead.add(op.id)
                    outputs: Sequence[Any] = [DEAD] * len(op.outputs)
                else:
                    outputs = compute(op, inputs, store)
            except Exception as raised:
                error = node_error(op, raised, inputs)
                if observer is not None:
                    observer.failed(op, error)
                if error is raised:
                    raise
                raise error from cause_of(raised)
            if op.id in fed_ops:
                outputs = [fed.get(t, output) for t, output in zip(op.outputs, outputs)]
            values[op.id] = list(outputs)
            if observer is not None:
                observer.step(op, inputs, outputs, op.id in dead)
            else:
                for t in op.inputs:
                    key = t.op.id
                    uses[key] -= 1
                    if uses[key] == 0:
                        del values[key]
    try:
        return [fetched(values[t.op.id][t.index], i) for i, t in enumerate(fetches)]
    except errors.OpError as error:
        raise unread(error, fetches) from None


def _uses(scheduled: Schedule, fetches: Sequence[Tensor]) -> dict[int, int]:
    """How often each node's values are still needed, so that they can be let go early."""
    uses: dict[int, int] = {}
    for op in scheduled.order:
        for tensor in op.inputs:
            key = tensor.op.id
            uses[key] = uses.get(key, 0) + 1
    for tensor in fetches:
        key = tensor.op.id
        uses[key] = uses.get(key, 0) + 1
    return uses


def _is_dead(op: Operation, inputs: Sequence[Any], dead: set[int]) -> bool:
    if op.type in ("Merge", "RefMerge"):
        return all(value is DEAD for value in inputs)
    if dead and any(waited.id in dead for waited in op.waits):
        return True
    return any(value is DEAD for value in inputs)


def compute(op: Operation, inputs: Sequence[Any], store: Store) -> Sequence[Any]:
    """The node's outputs from its inputs, which may be references."""
    d = op.definition
    loaded = list(inputs)
    view: Buffer | View | None = None
    for i, value in enumerate(inputs):
        if isinstance(value, (Buffer, View)):
            if (d.flat and d.inputs[i].is_ref) or (not d.flat and d.inputs[0].is_ref):
                if value.value is None and not d.allows_uninitialized:
                    raise uninitialized(value.name)
                continue
            current = value.value
            if current is None:
                raise uninitialized(value.name)
            if d.passes(i):
                continue
            if i == d.view_index:
                view = value
            loaded[i] = current
    attrs = {name: op.attrs[name] for name in d.kernel_attrs}
    first = np if d.pure else World(op, store)
    if view is not None:
        at = d.view_index
        return [View(view, lambda value: d.kernel(first, *loaded[:at], value, *loaded[at + 1 :], **attrs))]
    result = d.kernel(first, *d.group(op, loaded), **attrs)
    if d.simple:
        return (result,)
    if len(d.outputs) > 1 and any(a.is_list for a in d.outputs):
        return [v for part, a in zip(result, d.outputs) for v in (part if a.is_list else (part,))]
    return result  # type: ignore[no-any-return]


def fetched(value: Any, index: int) -> Any:
    """A fetched value as the caller's own: references are read now, arrays copied, rank 0 a scalar.

    Raises: InvalidArgumentError for a dead value, FailedPreconditionError for an uninitialized variable.
    """
    kind = type(value)
    if kind is Buffer or kind is View:
        name, value = value.name, value.value
        if value is None:
            raise _unread(uninitialized(name), index)
        kind = type(value)
    if kind is np.ndarray:
        return value.copy() if value.ndim else value[()]
    if value is DEAD:
        raise _unread(errors.InvalidArgumentError(None, None, f"Retval[{index}] does not have value"), index)
    return value


def _unread(error: errors.OpError, index: int) -> errors.OpError:
    error.fetch = index
    return error
