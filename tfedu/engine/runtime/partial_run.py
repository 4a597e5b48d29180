"""Partial runs: the values are fed in several steps, and each step fetches what the feeds so far determine.

A node runs as soon as all its inputs have values. A step ends when it has what it fetches, also while nodes wait at queues.
State: `PartialRun.tokens`, `fed`, `fetched`: the progress of one run.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from ..base import errors
from ..graph.nodes import Tensor
from .partition import Partition
from .schedule import Schedule
from .store import Store
from .tokens import Tokens


def _refused(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)


class PartialRun:
    """One run in parts. feeds, fetches: all tensors that its steps may feed and fetch, each once.

    partition: of a session with several devices; the schedule then is of its nodes.
    """

    def __init__(
        self,
        scheduled: Schedule,
        store: Store,
        feeds: Sequence[Tensor],
        fetches: Sequence[Tensor],
        partition: Partition | None = None,
    ) -> None:
        self.feeds = frozenset(feeds)
        self.fetches = frozenset(fetches)
        self.partition = partition
        run_feeds, run_fetches = (feeds, fetches) if partition is None else (partition.feeds, partition.fetches)
        self._fed_as = dict(zip(feeds, run_feeds))
        self._fetched_as = dict(zip(fetches, run_fetches))
        self.lock = threading.RLock()  # of the run alone: a part may wait, while the session goes on
        self.fed: set[Tensor] = set()
        self.fetched: set[Tensor] = set()
        self.tokens = Tokens(scheduled, store, {}, run_fetches, later=run_feeds)
        self.failure: BaseException | None = None
        try:
            self.tokens.go(rests=lambda: True)
        except errors.OpError as error:
            # The first step of the run raises it.
            self.failure = error

    @property
    def complete(self) -> bool:
        return self.fed == self.feeds and self.fetched == self.fetches

    def check(self, feeds: Mapping[Tensor, Any], wanted: Sequence[Tensor]) -> None:
        """Raises: InvalidArgumentError for a tensor that was not declared, comes twice, or cannot be computed yet."""
        for tensor in feeds:
            if tensor not in self.feeds:
                raise _refused(f"The feed {tensor.name} was not specified in partial_run_setup.")
            if tensor in self.fed:
                raise _refused(f"The feed {tensor.name} has already been fed.")
        for tensor in wanted:
            if tensor not in self.fetches:
                raise _refused(f"The fetch {tensor.name} was not specified in partial_run_setup.")
            if tensor in self.fetched:
                raise _refused(f"The fetch {tensor.name} has already been fetched.")
        missing = {self._fed_as[tensor]: tensor for tensor in self.feeds - self.fed - feeds.keys()}
        run_feeds = frozenset(self._fed_as.values())
        stack = [self._fetched_as[tensor].op for tensor in wanted]
        visited = set(stack)
        while stack:
            op = stack.pop()
            for tensor in op.inputs:
                if tensor in missing:
                    raise _refused(
                        f"Fetch {missing[tensor].name} can't be computed from the feeds that have been fed so far."
                    )
            above = [*(t.op for t in op.inputs if t not in run_feeds), *op.waits]
            stack.extend(new for new in above if new not in visited)
            visited.update(above)

    def step(self, feeds: Mapping[Tensor, Any], wanted: Sequence[Tensor]) -> list[Any]:
        """The fetched values of this step.

        Raises: the failing node's error, which ends the run.
        """
        if self.failure is not None:
            raise self.failure
        self.fed.update(feeds)
        try:
            self.tokens.feed({self._fed_as[tensor]: value for tensor, value in feeds.items()})
            # What waits at a queue may go on with the feeds of a later step.
            run_wanted = [self._fetched_as[tensor] for tensor in wanted]
            self.tokens.go(rests=lambda: self.tokens.has(run_wanted))
            values = self.tokens.fetch(run_wanted)
        except BaseException as error:
            self.failure = error
            raise
        self.fetched.update(wanted)
        return values
