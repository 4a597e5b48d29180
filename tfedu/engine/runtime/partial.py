"""Partial runs: what is fed comes in parts, and what can be computed by then is computed and can be fetched.

`PartialRun` goes on as far as the feeds allow: each node runs once, as soon as all that it takes is there.
State: `PartialRun.values`, `done`, `fed`, `fetched`: how far one such run has come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..base import errors
from ..base.dead import DEAD
from ..graph.nodes import Operation, Tensor
from .failures import cause_of, node_error, unread
from .interpreter import _is_dead, compute, fetched
from .schedule import Schedule
from .store import Store


def _refused(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)


class PartialRun:
    """One run in parts. feeds and fetches: all that may be fed and fetched, each once."""

    def __init__(
        self, scheduled: Schedule, store: Store, feeds: Sequence[Tensor], fetches: Sequence[Tensor]
    ) -> None:
        self.schedule = scheduled
        self.store = store
        self.feeds = frozenset(feeds)
        self.fetches = frozenset(fetches)
        self.fed: set[Tensor] = set()
        self.fetched: set[Tensor] = set()
        self.values: dict[Tensor, Any] = {}
        self.done: set[Operation] = set()
        self.members = frozenset(scheduled.order)
        self._dead: set[int] = set()
        self.failure: Exception | None = None
        try:
            self._advance()
        except errors.OpError as error:
            # The first part of the run tells it.
            self.failure = error

    @property
    def complete(self) -> bool:
        return self.fed == self.feeds and self.fetched == self.fetches

    def check(self, given: Mapping[Tensor, Any], wanted: Sequence[Tensor]) -> None:
        """Raises: InvalidArgumentError for what was not declared, comes a second time, or cannot be computed yet."""
        for tensor in given:
            if tensor not in self.feeds:
                raise _refused(f"The feed {tensor.name} was not specified in partial_run_setup.")
            if tensor in self.fed:
                raise _refused(f"The feed {tensor.name} has already been fed.")
        for tensor in wanted:
            if tensor not in self.fetches:
                raise _refused(f"The fetch {tensor.name} was not specified in partial_run_setup.")
            if tensor in self.fetched:
                raise _refused(f"The fetch {tensor.name} has already been fetched.")
        missing = self.feeds - self.fed - given.keys()
        stack = [tensor.op for tensor in wanted]
        seen = set(stack)
        while stack:
            op = stack.pop()
            for tensor in op.inputs:
                if tensor in missing:
                    raise _refused(
                        f"Fetch {tensor.name} can't be computed from the feeds that have been fed so far."
                    )
            above = [*(t.op for t in op.inputs if t not in self.feeds), *op.waits]
            stack.extend(new for new in above if new not in seen)
            seen.update(above)

    def step(self, given: Mapping[Tensor, Any], wanted: Sequence[Tensor]) -> list[Any]:
        """The values of what is fetched in this part.

        Raises: the failing node's error; the run has ended then.
        """
        if self.failure is not None:
            raise self.failure
        self.values.update(given)
        self.fed.update(given)
        try:
            self._advance()
            found = [fetched(self.values[tensor], i) for i, tensor in enumerate(wanted)]
        except errors.OpError as error:
            self.failure = unread(error, wanted) if error.fetch is not None else error
            raise self.failure from None
        self.fetched.update(wanted)
        return found

    def _advance(self) -> None:
        with np.errstate(all="ignore"):
            for op in self.schedule.order:
                if op not in self.done and self._is_ready(op):
                    self._run(op)

    def _is_ready(self, op: Operation) -> bool:
        return all(t in self.values for t in op.inputs) and all(
            waited in self.done for waited in op.waits if waited in self.members
        )

    def _run(self, op: Operation) -> None:
        inputs = [self.values[t] for t in op.inputs]
        try:
            if op.definition is None:
                raise errors.NotFoundError(None, None, f"Op type not registered '{op.type}'")
            if _is_dead(op, inputs, self._dead):
                self._dead.add(op.id)
                outputs: Sequence[Any] = [DEAD] * len(op.outputs)
            else:
                outputs = compute(op, inputs, self.store)
        except Exception as raised:
            raise node_error(op, raised, inputs) from cause_of(raised)
        self.done.add(op)
        for tensor, value in zip(op.outputs, outputs):
            if tensor not in self.feeds:
                self.values[tensor] = value
