"""Critical sections in a schedule: a lock's turn is held back while another lock of the same mutex is held.

`exclusive(picker, operations)` is the picker, or one that holds turns back where the run has such locks. A lock is held from
its turn to the turn of its ConsumeMutexLock; one without that, which a run need not have, is not held. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from ..base import errors
from ..graph.nodes import Operation
from .frames import Segment
from .pickers import Key, Picker

# What a mutex is known by: its container and name; nothing where the graph does not tell.
MutexName: TypeAlias = tuple[str, ...]
_NONE: Final[frozenset[MutexName]] = frozenset()


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
            return _NONE.union(*map(self.taken_by, turn.items))
        mutex = self.held_from.get(node_of(turn))
        return _NONE if mutex is None else frozenset((mutex,))

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


class _Exclusive(Picker):
    """Another picker's turns, without the locks of a mutex that is held."""

    def __init__(self, picker: Picker, locks: Locks) -> None:
        self.picker = picker
        self.locks = locks
        self.held = _NONE
        self.added: dict[int, tuple[Key, str, Any]] = {}  # how the turns of locks were added, by their ids
        self.back: list[Any] = []  # the turns that are held back

    def add(self, key: Key, name: str, turn: Any) -> None:
        taken = self.locks.taken_by(turn)
        if taken:
            self.added[id(turn)] = key, name, turn
        if self.held & taken:
            self.back.append(turn)
        else:
            self.picker.add(key, name, turn)

    def pick(self) -> Any:
        while len(self.picker):
            turn = self.picker.pick()
            if not self.held & self.locks.taken_by(turn):
                self._take(turn)
                return turn
            # It became ready while the mutex was free, and another lock took it since.
            self.back.append(turn)
        waiting = node_of(self.back[0])
        raise errors.InvalidArgumentError(
            None, None, f"The run cannot go on: node {waiting.name} waits for a mutex that another lock holds."
        )

    def take(self, name: str, turn: Any) -> None:
        self.picker.take(name, turn)
        self._take(turn)

    def _take(self, turn: Any) -> None:
        self.held = self.locks.held_after(self.held, turn)
        free = [back for back in self.back if not self.held & self.locks.taken_by(back)]
        for back in free:
            self.back.remove(back)
            self.picker.add(*self.added[id(back)])

    def __len__(self) -> int:
        return len(self.picker) + len(self.back)


def exclusive(picker: Picker, operations: Iterable[Operation]) -> Picker:
    """The picker, which holds back a lock's turn while its mutex is held."""
    locks = Locks(operations)
    return _Exclusive(picker, locks) if locks else picker


__all__ = ["Locks", "exclusive", "node_of"]
