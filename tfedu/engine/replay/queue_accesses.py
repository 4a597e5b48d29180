"""Accesses of a traced run to queues: `QueueAccesses` tells what each turn found in a queue and left there.

State: `QueueAccesses`, of one run: the content of each queue after the last turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from ..base.attempts import Meeting
from ..graph.nodes import Operation
from ..runtime.exclusive import must_wait
from ..runtime.store import Store
from ..runtime.tokens import Turn

_MOST: Final = 8  # elements that a text lists
_LONG: Final = 24  # characters of an element


def content_text(queue: Any, waiting: Iterable[str] = ()) -> str:
    """What a queue holds, in the notation of its attributes: `[1, 2] size=2 capacity=3 closed=True waiting=[dequeue]`."""
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


class QueueAccesses:
    """The queues of one run, by the names of their nodes. contents: the names and contents of the queues of earlier runs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # Its name here, and its content after the last turn. A queue of an earlier run goes on under its node's name.
        self._queues: dict[Any, tuple[str, str]] = {
            queue: (name.removeprefix("_"), content_text(queue))
            for (kind, _, name), queue in list(store.resources.items())
            if kind == "queue" and isinstance(queue, Meeting)
        }
        self.contents = tuple(self._queues.values())

    def step(
        self, op: Operation, inputs: Sequence[Any], outputs: Sequence[Any], ready: Iterable[Turn]
    ) -> tuple[tuple[tuple[str, Any], ...], tuple[tuple[str, Any, Any], ...]]:
        """The contents that a finished turn read, (name, text), and those that it changed, (name, before, after)."""
        if op.definition.resource != "queue":
            return (), ()
        writes: list[tuple[str, Any, Any]] = []
        for queue in _queues_behind(outputs):
            if queue not in self._queues:
                self._queues[queue] = op.name, content_text(queue)
                writes.append((op.name, None, self._queues[queue][1]))
        reads = []
        for queue in _queues_behind(inputs):
            if queue not in self._queues:
                continue
            name, before = self._queues[queue]
            now = content_text(queue, self._waiting_at(queue, ready))
            if op.definition.access.get("handle") == "read":
                reads.append((name, before))
            elif now != before:
                writes.append((name, before, now))
            self._queues[queue] = name, now
        return tuple(reads), tuple(writes)

    def _waiting_at(self, queue: Any, ready: Iterable[Turn]) -> list[str]:
        """The ready nodes that cannot take their turns, because the queue has no element or no room for them."""
        return [
            turn.op.name
            for turn in ready
            if any(t.op.id in turn.at.values and queue in _queues_behind(turn.at.values[t.op.id]) for t in turn.op.inputs)
            and must_wait(turn, self._store)
        ]


def _queues_behind(values: Iterable[Any]) -> list[Any]:
    resources = [getattr(value, "buffer", None) for value in values]
    return [resource for resource in resources if isinstance(resource, Meeting)]


__all__ = ["QueueAccesses", "content_text"]
