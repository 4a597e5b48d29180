"""Staging areas with keys: dictionaries of element tuples between the runs of a pipeline. `area.put(key, width, indices, parts)`.

An element may come in, and go out, in parts: those of `indices`. State: `KeyedStaging`: the elements, and those that miss parts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias

from .. import errors
from .attempts import Attempt, Element
from .staging import AnyStaging

# A component with its bytes; None: it has not come yet, or is gone.
Part: TypeAlias = tuple[Any, int] | None


class KeyedStaging(AnyStaging):
    """A staging area whose elements have whole numbers as keys.

    ordered: whether a take without a key gives the least key; without, the newest.
    memory_limit counts what the area holds: in TF 1.15 a peek, too, makes room, and an element that is dropped keeps its room.
    """

    kind: ClassVar[str] = "KeyedStaging"

    def __init__(self, name: str, ordered: bool, capacity: int, memory_limit: int) -> None:
        super().__init__(name, capacity, memory_limit)
        self.ordered = ordered
        self.held: dict[int, tuple[Part, ...]] = {}
        self.incomplete: dict[int, tuple[Part, ...]] = {}

    def content(self) -> list[Element]:
        with self.lock:
            return [(key, *[value for value, _ in _present(element)]) for key, element in self.held.items()]

    # -- attempts --------------------------------------------------------------------------------------------------------

    def put(self, key: int, width: int, indices: Sequence[int], parts: Sequence[tuple[Any, int]]) -> Attempt:
        """Puts these components of an element of that width in, as soon as there is room. One that is there stays as it is.

        Raises: InvalidArgumentError for indices that do not rise, or that no component has, and for components that have come
        already; ResourceExhaustedError for components that never fit.
        """
        self._check_order(indices)
        size = sum(each for _, each in parts)
        if 0 < self.memory_limit < size:
            raise errors.ResourceExhaustedError(
                None, None,
                f"Attempted to insert tensors with combined size of '{size}' bytes into Staging Area with a memory limit of "
                f"'{self.memory_limit}'.",
            )  # fmt: skip
        whole = len(indices) == width

        def step(attempt: Attempt) -> bool:
            if not self._has_room(size, whole):
                return False
            if whole:
                self.held.setdefault(key, tuple(parts))
            else:
                attempt.error = self._put_parts(key, width, indices, parts)
            return True

        return self._begin(self.enqueues, Attempt(self, "MapStage", step))

    def get(self, key: int | None, indices: Sequence[int]) -> Attempt:
        """Takes these components of the element out, as soon as there is one: (key, *components). key: None: any element.

        Raises: InvalidArgumentError for indices that do not rise; the attempt ends by one for components that are not there.
        """
        return self._taking("MapUnstage", key, indices, self._take)

    def peek(self, key: int, indices: Sequence[int]) -> Attempt:
        """Like `get`, but the components stay."""
        return self._taking("MapPeek", key, indices, lambda key, index: self.held[key][index])

    def clear(self) -> None:
        with self.lock:
            self.held.clear()
            self.incomplete.clear()
            self._go_on()

    def can_put(self, whole: bool, size: int) -> bool:
        """Whether a put of so many bytes would not wait; a put that fails does not. whole: it has all components."""
        return 0 < self.memory_limit < size or self._has_room(size, whole)

    def can_get(self, key: int | None = None) -> bool:
        return bool(self.held) if key is None else key in self.held

    # -- steps -----------------------------------------------------------------------------------------------------------

    def _has_room(self, size: int, whole: bool) -> bool:
        """Elements that miss components do not count towards the capacity."""
        elements = [*self.held.values(), *self.incomplete.values()]
        if 0 < self.memory_limit < size + sum(each for element in elements for _, each in _present(element)):
            return False
        return not (whole and 0 < self.capacity <= len(self.held))

    def _put_parts(self, key: int, width: int, indices: Sequence[int], parts: Sequence[tuple[Any, int]]) -> errors.OpError | None:
        element = list(self.incomplete.get(key, (None,) * width))
        for index, part in zip(indices, parts):
            if not 0 <= index < len(element):
                return _out_of_bounds(key, index, len(element))
            if element[index] is not None:
                return _invalid(f"The tensor for index '{index}' for key '{key}' was already initialized '{len(element)}'.")
            element[index] = part
        if len(_present(element)) < len(element):
            self.incomplete[key] = tuple(element)
        else:
            self.incomplete.pop(key, None)
            self.held.setdefault(key, tuple(element))
        return None

    def _take(self, key: int, index: int) -> Part:
        element = self.held[key]
        self.held[key] = (*element[:index], None, *element[index + 1 :])
        return element[index]

    def _taking(self, doing: str, key: int | None, indices: Sequence[int], take: Callable[[int, int], Part]) -> Attempt:
        self._check_order(indices)

        def step(attempt: Attempt) -> bool:
            if not self.can_get(key):
                return False
            found = self._any_key() if key is None else key
            attempt.error = self._take_parts(attempt, found, indices, take)
            if attempt.error is None and not _present(self.held[found]):
                del self.held[found]
            return True

        return self._begin(self.dequeues, Attempt(self, doing, step))

    def _any_key(self) -> int:
        return min(self.held) if self.ordered else next(reversed(self.held))

    def _take_parts(
        self, attempt: Attempt, key: int, indices: Sequence[int], take: Callable[[int, int], Part]
    ) -> errors.OpError | None:
        """What comes before a component that is not there is taken, as in TF 1.15."""
        values = []
        for index in indices:
            width = len(self.held[key])
            if not 0 <= index < width:
                return _out_of_bounds(key, index, width)
            part = take(key, index)
            if part is None:
                return _invalid(f"Tensor at index '{index}' for key '{key}' has already been removed.")
            values.append(part[0])
        attempt.elements.append((key, *values))
        return None

    @staticmethod
    def _check_order(indices: Sequence[int]) -> None:
        if any(index >= after for index, after in pairwise(indices)):
            raise _invalid("Indices are not strictly ordered")

    # -- waiting ---------------------------------------------------------------------------------------------------------

    def _begin(self, waiting: deque[Attempt], attempt: Attempt) -> Attempt:
        with self.lock:
            waiting.append(attempt)
            self._go_on()
        return attempt

    @staticmethod
    def _advance(waiting: deque[Attempt]) -> bool:
        """An attempt does not wait for one before it, which may wait for another key."""
        ended = [attempt for attempt in tuple(waiting) if attempt.step(attempt)]
        for attempt in ended:
            waiting.remove(attempt)
            attempt.finish(attempt.error)
        return bool(ended)

    # -- copies ----------------------------------------------------------------------------------------------------------

    def state(self) -> tuple[Any, ...]:
        with self.lock:
            return tuple(self.held.items()), tuple(self.incomplete.items())

    def restore(self, state: tuple[Any, ...] | None) -> None:
        held, incomplete = state or ((), ())
        self.held, self.incomplete = dict(held), dict(incomplete)


def _present(element: Sequence[Part]) -> list[tuple[Any, int]]:
    return [part for part in element if part is not None]


def _out_of_bounds(key: int, index: int, width: int) -> errors.InvalidArgumentError:
    unsigned = index % 2**64  # as TF 1.15 reads it
    return _invalid(f"Index '{unsigned}' for key '{key}' was out of bounds '{width}'.")


def _invalid(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)


__all__ = ["KeyedStaging"]
