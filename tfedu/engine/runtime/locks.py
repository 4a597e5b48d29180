"""Locks: which mutexes a turn of a run needs, and which are held after the turn. `Locks(operations)`.

A lock is held from its turn to the turn of its ConsumeMutexLock; one without that, which a run need not have, is not held.
No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from ..base import errors
from ..graph.nodes import Operation
from .frames import Segment

# What a mutex is known by: its container and name; nothing where the graph does not tell.
MutexName: TypeAlias = tuple[str, ...]
NO_MUTEX: Final[frozenset[MutexName]] = frozenset()


class Locks:
    """held_from: the mutex that a node locks. held_until: the mutex that a node gives back."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self.held_from: dict[Operation, MutexName] = {}
        self.held_until: dict[Operation, MutexName] = {}
        for op in operations:
            d = op.definition
            if d is not None and d.resource == "mutex" and not op.outputs:
                lock = _source(op)
                self.held_until[op] = self.held_from[lock] = _name_of(lock)

    def __bool__(self) -> bool:
        return bool(self.held_from)

    def taken_by(self, turn: Any) -> frozenset[MutexName]:
        """The mutexes that a turn needs to be free: of a lock, or of all locks in a loop that runs to its end."""
        if isinstance(turn, Segment):
            return NO_MUTEX.union(*map(self.taken_by, turn.items))
        mutex = self.held_from.get(node_of(turn))
        return NO_MUTEX if mutex is None else frozenset((mutex,))

    def held_after(self, held: frozenset[MutexName], turn: Any) -> frozenset[MutexName]:
        """The mutexes that are held after a turn, if `held` are held before it."""
        if isinstance(turn, Segment):
            return held
        given_back = self.held_until.get(node_of(turn))
        return (held | self.taken_by(turn)) - frozenset((given_back,))


def node_of(turn: Any) -> Operation:
    """The node of a turn, which is the turn itself in a graph without loops."""
    return getattr(turn, "op", turn)  # type: ignore[no-any-return]


def _source(op: Operation) -> Operation:
    """The node whose value an operation gets as its first input, behind those that pass it on."""
    op = op.inputs[0].op
    while op.definition is not None and op.definition.alias_index >= 0:
        op = op.inputs[op.definition.alias_index].op
    return op


def _name_of(lock: Operation) -> MutexName:
    mutex = _source(lock) if lock.inputs else lock
    d = mutex.definition
    if d is None or d.resource != "mutex" or mutex.inputs:
        return ()
    return mutex.attrs["container"], mutex.attrs["shared_name"] or mutex.name


def locked(turn: Any) -> errors.OpError:
    """The error of a run in which nobody will give back the mutex that this turn needs."""
    text = f"The run cannot go on: node {node_of(turn).name} waits for a mutex that another lock holds."
    return errors.InvalidArgumentError(None, None, text)


__all__ = ["NO_MUTEX", "Locks", "locked", "node_of"]
