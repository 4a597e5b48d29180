"""Barriers: elements of several components, which come one component at a time under the element's key.

`barrier.insert(component, keys, values, check)` puts a component of some keys in; `barrier.take(count)` takes elements that have
all components, those with the oldest keys first. State: `Barrier`: the elements, whole ones and others, and whether it is closed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from .. import dtypes
from ..dtypes import DType
from ..errors import CancelledError, InvalidArgumentError, OutOfRangeError
from ..shapes import Shape
from .attempts import Attempt, Element, Meeting
from .queue import PrioritizedQueue

_FIRST: Final = -(2**63)


class _Ready(PrioritizedQueue):
    """The whole elements of a barrier, at which takes wait. barrier: what a text calls it by."""

    filling: ClassVar[str] = "insert_many"
    barrier: Barrier

    def __str__(self) -> str:
        return str(self.barrier)


class Barrier(Meeting):
    """Elements under keys of bytes. A key's index counts the insertions that brought new keys; keys of one insertion share it.

    ready: the whole elements, (index, key, *components): the queue at which takes wait. incomplete: the others, by key.
    shapes: of the components.
    """

    kind: ClassVar[str] = "Barrier"
    is_bounded: ClassVar[bool] = False

    def __init__(self, name: str, types: Sequence[DType], shapes: Sequence[Shape]) -> None:
        super().__init__(name)
        self.types = tuple(types)
        self.shapes = tuple(shapes)
        all_types, all_shapes = (dtypes.int64, dtypes.string, *types), ((), (), *shapes)
        self._hold(_Ready(f"{name}_queue", all_types, all_shapes, capacity=-1))
        self.closed = self.cancels = False
        self.restore(None)

    def _hold(self, ready: Any) -> None:
        ready.barrier = self
        self.ready: _Ready = ready
        self.watchers, self.begun = ready.watchers, ready.begun

    def __str__(self) -> str:
        sizes = f"{self.ready.size()} elements and {len(self.incomplete)} that miss components"
        return f"the barrier {self.name} with {sizes}{', which is closed' if self.closed else ''}"

    def content(self) -> list[Element]:
        return [(key, *components) for _, key, *components in self.ready.content()]

    def notes(self) -> list[str]:
        return [f"incomplete={len(self.incomplete)}"] if self.incomplete else []

    # -- putting in ------------------------------------------------------------------------------------------------------

    def insert(
        self, component: int, keys: Sequence[bytes], values: Sequence[Any], check: Callable[[Element], None]
    ) -> None:
        """Puts one component of the elements under these keys in. After an error the keys before the one that failed have theirs,
        but the elements that it would have made whole are lost, as in TF 1.15.

        check: raises an error for a whole element that does not fit.

        Raises: InvalidArgumentError for a component that has come already, and for a number that no component has;
        CancelledError for a new key of a closed barrier.
        """
        if not 0 <= component < len(self.types):
            raise _invalid(
                f"The component ID is out of range {component} > num_components (= {len(self.types)})"
            )
        whole: list[Element] = []
        added = 0
        with self.lock:
            if self.closed and not self.incomplete and (len(keys) or self.cancels):
                raise CancelledError(
                    None, None,
                    f"Barrier {self.name} is closed.  Pending enqueues cancelled: {self.cancels:d}.  Number of new insertions: "
                    f"{len(keys)}.  Number of incomplete keys: 0.",
                )  # fmt: skip
            for position, (key, value) in enumerate(zip(keys, values)):
                if key not in self.incomplete:
                    self._check_open_to(key, position)
                    self.incomplete[key] = self.next_index, (None,) * len(self.types)
                    added = 1
                at, parts = self.incomplete[key]
                if parts[component] is not None:
                    text = key.decode("utf-8", "backslashreplace")
                    raise _invalid(
                        f"Key {text} already has a value for component {component} in barrier {self.name}"
                    )
                parts = *parts[:component], value, *parts[component + 1 :]
                self.incomplete[key] = at, parts
                if all(part is not None for part in parts):
                    whole.append((at, key, *parts))
                    del self.incomplete[key]
            self.next_index += added
            for element in whole:
                check(element)
            self.ready.enqueue(whole)

    def _check_open_to(self, key: bytes, position: int) -> None:
        if self.closed:
            raise CancelledError(
                None, None,
                f"Barrier {self.name} is closed, but attempted to insert a brand new key: "
                f"{key.decode('utf-8', 'backslashreplace')}.  Pending enqueues cancelled: {self.cancels:d}.  Insertion index: "
                f"{position}.  Number of incomplete keys: {len(self.incomplete)}.",
            )  # fmt: skip

    # -- taking out ------------------------------------------------------------------------------------------------------

    def take(self, count: int, allow_small_batch: bool) -> Attempt:
        """Takes `count` whole elements, as soon as there are so many; allow_small_batch: or all that a closed barrier has.

        Raises: OutOfRangeError when the barrier is closed and has fewer.
        """
        with self.lock:
            if self.closed:
                size = self.ready.size()
                if allow_small_batch:
                    count = min(count, size)
                else:
                    size += len(self.incomplete)
                if size < max(count, 1):
                    raise OutOfRangeError(
                        None, None,
                        f"Barrier '{self.name}' is closed and has insufficient elements (requested {count}, total size {size})",
                    )  # fmt: skip
            return self.ready.dequeue_up_to(count) if allow_small_batch else self.ready.dequeue(count)

    def can_take(self, count: int, allow_small_batch: bool) -> bool:
        """Whether a take of so many would end at once."""
        fails = allow_small_batch or self.ready.size() + len(self.incomplete) < max(count, 1)
        return self.ready.can_dequeue(count) or (self.closed and fails)

    # -- the end ---------------------------------------------------------------------------------------------------------

    def shut(self, cancel_pending_enqueues: bool) -> None:
        """Closes the barrier to new keys; cancel_pending_enqueues: also to those that miss components, which go.

        Raises: CancelledError for a barrier that is closed already.
        """
        with self.lock:
            if self.closed and (self.cancels or not cancel_pending_enqueues):
                raise CancelledError(None, None, f"Barrier '{self.name}' is already closed.")
            self.closed = True
            self.cancels = cancel_pending_enqueues
            if cancel_pending_enqueues:
                self.incomplete.clear()
            if not self.incomplete:
                self.ready.shut(cancel_pending_enqueues=True)

    def close(self) -> None:
        self.ready.close()

    # -- copies ----------------------------------------------------------------------------------------------------------

    def state(self) -> tuple[Any, ...]:
        with self.lock:
            return (
                self.ready.state(),
                tuple(self.incomplete.items()),
                self.next_index,
                self.closed,
                self.cancels,
            )

    def restore(self, state: tuple[Any, ...] | None) -> None:
        """Gives the barrier an earlier `state`; None: that of a new one."""
        ready, incomplete, self.next_index, self.closed, self.cancels = state or (
            None,
            (),
            _FIRST,
            False,
            False,
        )
        self.ready.restore(ready)
        self.incomplete: dict[bytes, tuple[int, tuple[Any, ...]]] = dict(incomplete)

    def copied(self) -> Barrier:
        """A barrier with the same elements, at which nothing waits."""
        twin = copy.copy(self)
        Meeting.__init__(twin, self.name)
        twin._hold(self.ready.copied())
        twin.restore(self.state())
        return twin


def _invalid(text: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, text)


__all__ = ["Barrier"]
