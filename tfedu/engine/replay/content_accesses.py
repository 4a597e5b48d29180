"""Accesses of a traced run to queues and iterators: `ContentAccesses` tells what each turn found in one and left there.

State: `ContentAccesses`, of one run: the content of each queue and iterator after the last turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from ..base.resources.attempts import Meeting
from ..graph.nodes import Operation
from ..runtime.exclusive import is_held_back
from ..runtime.store import Store
from ..runtime.tokens import Turn

_KINDS: Final = ("iterator", "queue")
_MOST: Final = 8  # elements that a text lists
_LONG: Final = 24  # characters of an element


def content_text(queue: Any, waiting: Iterable[str] = ()) -> str:
    """What a queue holds, in the notation of its attributes: `[1, 2] size=2 capacity=3 closed=True waiting=[dequeue]`.

    A resource without elements of its own, such as an iterator, says where it is.
    """
    if not hasattr(queue, "content"):
        text: str = queue.content_text()
        return text
    elements = queue.content()
    texts = [_element_text(element) for element in elements[:_MOST]]
    if len(elements) > _MOST:
        texts.append("…")
    parts = [f"[{', '.join(texts)}]", f"size={len(elements)}"]
    if queue.is_bounded:
        parts.append(f"capacity={queue.capacity}")
    if queue.closed:
        parts.append("closed=True")
    parts.extend(queue.notes())
    names = list(waiting)
    if names:
        parts.append(f"waiting=[{', '.join(names)}]")
    return " ".join(parts)


def _element_text(element: Sequence[Any]) -> str:
    texts = [_component_text(component) for component in element]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _component_text(component: Any) -> str:
    value = component.tolist() if isinstance(component, (np.ndarray, np.generic)) else component
    text = " ".join(str(value).split())
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


class ContentAccesses:
    """The queues and iterators of one run, by the names of their nodes. contents: their names and contents before the run."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # The name of each here, and its content after the last turn. One of an earlier run goes on under its node's name.
        self._known: dict[Any, tuple[str, str]] = {
            resource: (name.removeprefix("_"), content_text(resource))
            for (kind, _, name), resource in list(store.resources.items())
            if kind in _KINDS and _has_content(resource)
        }
        self.contents = tuple(self._known.values())

    def step(
        self, op: Operation, inputs: Sequence[Any], outputs: Sequence[Any], ready: Callable[[], Iterable[Turn]]
    ) -> tuple[tuple[tuple[str, Any], ...], tuple[tuple[str, Any, Any], ...]]:
        """The contents that a finished turn read, (name, text), and those that it changed, (name, before, after)."""
        writes: list[tuple[str, Any, Any]] = []
        for _, resource in _behind(outputs):
            if resource not in self._known:
                self._known[resource] = op.name, content_text(resource)
                writes.append((op.name, None, self._known[resource][1]))
        reads = []
        for i, resource in _behind(inputs):
            if resource not in self._known:
                continue
            name, before = self._known[resource]
            now = content_text(resource, self._waiting_at(resource, ready()))
            d = op.definition
            if i in d.read_inputs and i not in d.written_inputs:
                reads.append((name, before))
            elif now != before:
                writes.append((name, before, now))
            self._known[resource] = name, now
        return tuple(reads), tuple(writes)

    def _waiting_at(self, resource: Any, ready: Iterable[Turn]) -> list[str]:
        """The ready nodes that cannot take their turns, because the queue has no element or no room for them."""
        return [
            turn.op.name
            for turn in ready
            if any(t.op.id in turn.at.values and resource in _all_behind(turn.at.values[t.op.id]) for t in turn.op.inputs)
            and is_held_back(turn, self._store)
        ]


def _has_content(resource: Any) -> bool:
    return isinstance(resource, Meeting) or hasattr(resource, "content_text")


def _behind(values: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """The queues and iterators behind the handles among the values, with the numbers of these."""
    for i, value in enumerate(values):
        resource = getattr(value, "buffer", None)
        if resource is not None and _has_content(resource):
            yield i, resource


def _all_behind(values: Iterable[Any]) -> list[Any]:
    return [resource for _, resource in _behind(values)]


__all__ = ["ContentAccesses", "content_text"]
