"""Turns that are held back: a lock's while another one has its mutex, an enqueue's or dequeue's while the queue cannot serve it.

An enqueue of many elements that can put in some of them now begins its turn, stands in line at the queue, and ends the turn
later; a dequeue of many elements does likewise. In TensorFlow each enqueue and dequeue stands in line as soon as it is ready, and
those behind it wait. Here the others stay ready instead, unless a recorded order says that they began.

`exclusive(picker, operations, store)` is the picker, or one that holds turns back where the run has such nodes. Where all ready
turns are held back, the run waits until a run of another thread changes a queue. State: `Hold`, the mutexes that are held now.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from ..base import errors
from ..base.dead import DEAD
from ..base.resources.attempts import Attempt, Meeting
from ..graph.nodes import Operation
from .locks import NO_MUTEX, Locks, locked
from .node_errors import node_error
from .pickers import Key, Picker
from .store import Store, World
from .waiting import stuck, waiting


class Hold:
    """What holds ready turns back: a mutex that another one holds, or a queue. `take` notes a turn that has ended.

    store: None while a schedule is made, where no turn can wait. held: the mutexes that are held now.
    """

    def __init__(self, operations: Iterable[Operation], store: Store | None) -> None:
        self.locks = Locks(operations)
        self.store = store
        self.held = NO_MUTEX

    def is_locked(self, turn: Any) -> bool:
        """Whether another turn holds a mutex that this one needs."""
        return bool(self.held & self.locks.taken_by(turn))

    def holds(self, turn: Any, recorded: bool = False) -> bool:
        """Whether a ready turn has to wait. recorded: it began or ended here in a recorded order, so that it may begin now."""
        if self.is_locked(turn) or self.store is None:
            return self.is_locked(turn)
        if recorded:
            attempt = attempt_of(turn, self.store)
            return attempt is not None and not attempt.done
        return is_held_back(turn, self.store)

    def take(self, turn: Any) -> None:
        self.held = self.locks.held_after(self.held, turn)


def may_wait_for_itself(operations: Iterable[Operation]) -> bool:
    """Whether the run takes from a queue, or the like, and puts something in or closes it, and no edges say which comes first.

    Then one of these may have to wait for the other, directly or by way of another run.
    """
    sides: dict[Operation, str] = {}
    loops = False
    above: dict[Operation, frozenset[Operation]] = {}  # the waiting nodes that come before a node, and itself
    for op in operations:
        d = op.definition
        if d is not None and d.role == "enter":
            loops = True
        before = [above[each] for each in (*[tensor.op for tensor in op.inputs], *op.waits) if each in above]
        above[op] = frozenset().union(*before)
        # A Python function may run the session: what it runs there may put something in, take something out or close.
        side = "" if d is None else "call" if d.role == "python" else d.waits_to
        if side:
            # No edge orders the turns of two iterations of a loop.
            if any(loops or earlier not in above[op] for earlier, other in sides.items() if other != side):
                return True
            sides[op] = side
            above[op] |= {op}
    return False


def must_wait(turn: Any, store: Store) -> bool:
    """Whether the kernel of a ready turn would have to wait now."""
    d = turn.op.definition
    if d is None or d.ready_rule is None:
        return False
    attempt = attempt_of(turn, store)
    return _says(turn, store, d.ready_rule) is False if attempt is None else not attempt.done


def may_begin(turn: Any, store: Store) -> bool:
    """Whether a turn that must wait could do a part of its work now, which it has not begun."""
    return _may(turn, store, turn.op.definition.begins_rule)


def may_line_up(turn: Any, store: Store) -> bool:
    """Whether the node of a waiting turn can join the line at its queue now, so that later dequeues wait behind the node."""
    return _may(turn, store, turn.op.definition.lines_up_rule)


def _may(turn: Any, store: Store, rule: Callable[..., bool] | None) -> bool:
    return rule is not None and attempt_of(turn, store) is None and _says(turn, store, rule) is True


def is_held_back(turn: Any, store: Store) -> bool:
    """Whether a ready turn could do nothing at its queue now."""
    return must_wait(turn, store) and not may_begin(turn, store)


def attempt_of(turn: Any, store: Store) -> Attempt | None:
    """The attempt that a turn has begun at a queue."""
    if turn.op.definition is None or turn.op.definition.ready_rule is None:
        return None
    return next((queue.begun[turn.key] for queue in _queues_of([turn], store) if turn.key in queue.begun), None)


def _says(turn: Any, store: Store, rule: Callable[..., bool]) -> bool | None:
    """What an op's rule says of its queue now; None for a turn that only passes deadness on."""
    op, at = turn
    d = op.definition
    inputs = [at.values[tensor.op.id][tensor.index] for tensor in op.inputs]
    inputs = [value if d.is_reference_input(i) else _now(value) for i, value in enumerate(inputs)]
    if any(value is DEAD for value in inputs) or any(waited.id in at.dead for waited in op.waits):
        return None
    try:
        return rule(World(op, store), *d.group(op, inputs), **{name: op.attrs[name] for name in d.kernel_attrs})
    except BaseException as raised:
        raise node_error(op, raised, inputs)  # noqa: B904 - it has its cause


def never(turn: Any, store: Store) -> errors.OpError:
    """The error of a run in which nothing can happen any more before this turn."""
    if not must_wait(turn, store):
        return locked(turn)
    error = node_error(turn.op, stuck(_queues_of([turn], store)))
    assert isinstance(error, errors.OpError)
    return error


def _now(value: Any) -> Any:
    return value.value if hasattr(value, "rearrange") or hasattr(value, "assign") else value


def _queues_of(turns: Iterable[Any], store: Store) -> list[Any]:
    """The queues, and the like, at which these turns wait: behind their handles, or under their shared names."""
    values = [turn.at.values[tensor.op.id][tensor.index] for turn in turns for tensor in turn.op.inputs]
    found = [getattr(value, "buffer", None) for value in values]
    for op in (turn.op for turn in turns if not turn.op.definition.access):
        found.append(store.resources.get((op.definition.resource, op.attrs.get("container"), op.attrs.get("shared_name"))))
    return [each for each in found if isinstance(each, Meeting)]


class _Exclusive(Picker):
    """Another picker's turns, without those that are held back."""

    def __init__(self, picker: Picker, hold: Hold) -> None:
        self.picker = picker
        self.hold = hold
        self.added: dict[int, tuple[Key, str, Any]] = {}  # how the turns of locks and queues were added, by their ids
        self.back: list[Any] = []  # the turns that are held back

    def add(self, key: Key, name: str, turn: Any) -> None:
        if self.hold.locks.taken_by(turn) or self.hold.store is not None:
            self.added[id(turn)] = key, name, turn
        if self.hold.is_locked(turn):
            self.back.append(turn)
        else:
            self.picker.add(key, name, turn)

    def pick(self) -> Any:
        self._release()
        while True:
            if self.picker.recorded == 0:
                self._hold_back()
            while len(self.picker):
                recorded = bool(self.picker.recorded)
                turn = self.picker.pick()
                if recorded:
                    self._wait([turn], recorded)
                if recorded or not self.hold.holds(turn):
                    self._take(turn)
                    return turn
                # It became ready while the mutex was free, or it waits at a queue.
                self.back.append(turn)
            self._wait(self.back)
            self._release()

    def take(self, name: str, turn: Any) -> None:
        if turn in self.back:
            self.back.remove(turn)
        else:
            self.picker.take(name, turn)
        self._take(turn)

    def _take(self, turn: Any) -> None:
        self.added.pop(id(turn), None)
        self.hold.take(turn)
        self._release()

    def _release(self) -> None:
        """Gives the turns that are no longer held back to the picker."""
        for back in [back for back in self.back if not self.hold.holds(back)]:
            self.back.remove(back)
            self.picker.add(*self.added[id(back)])

    def _hold_back(self) -> None:
        """Takes what has to wait from a picker whose recorded order is over: the run may have ended so."""
        for _, name, turn in list(self.added.values()):
            if turn not in self.back and self.hold.holds(turn):
                self.picker.take(name, turn)
                self.back.append(turn)

    def _wait(self, turns: Sequence[Any], recorded: bool = False) -> None:
        """Waits until one of these turns can be taken."""
        if not all(self.hold.holds(turn, recorded) for turn in turns):
            return
        store = self.hold.store
        at_queues = [] if store is None else [turn for turn in turns if not self.hold.is_locked(turn)]
        if store is None or not at_queues:
            raise locked(turns[0])
        changed = threading.Event()
        queues = _queues_of(at_queues, store)
        for queue in queues:
            queue.watchers.append(changed.set)
        try:
            with waiting(store, lambda: queues) as check:
                while all(self.hold.holds(turn, recorded) for turn in turns):
                    try:
                        changed.wait(check())
                    except BaseException as raised:
                        raise node_error(at_queues[0].op, raised)  # noqa: B904 - it is the same error
                    changed.clear()
        finally:
            for queue in queues:
                queue.watchers.remove(changed.set)

    def waits(self) -> bool:
        return self.hold.store is not None and all(self.hold.holds(turn) for _, _, turn in self.added.values())

    def __len__(self) -> int:
        return len(self.picker) + len(self.back)


def exclusive(picker: Picker, operations: Collection[Operation], store: Any = None) -> Picker:
    """The picker, which holds back a lock's turn while its mutex is held, and, with the store of a run, what waits at a queue."""
    waits = store is not None and any(op.definition is not None and op.definition.ready_rule for op in operations)
    hold = Hold(operations, store if waits else None)
    return _Exclusive(picker, hold) if hold.locks or waits else picker


__all__ = [
    "Hold", "attempt_of", "exclusive", "is_held_back", "may_begin", "may_line_up", "may_wait_for_itself", "must_wait",
    "never",
]  # fmt: skip
