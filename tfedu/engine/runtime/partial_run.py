"""Partial runs: what is fed comes in parts, and what can be computed by then is computed and can be fetched.

`PartialRun` goes on as far as the feeds allow: a node runs as soon as all that it takes is there.
State: `PartialRun.tokens`, `fed`, `fetched`: how far one such run has come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..base import errors
from ..graph.nodes import Tensor
from .schedule import Schedule
from .store import Store
from .tokens import Tokens


def _refused(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)


class PartialRun:
    """One run in parts. feeds and fetches: all that may be fed and fetched, each once."""

    def __init__(
        self, scheduled: Schedule, store: Store, feeds: Sequence[Tensor], fetches: Sequence[Tensor]
    ) -> None:
        self.feeds = frozenset(feeds)
        self.fetches = frozenset(fetches)
        self.fed: set[Tensor] = set()
        self.fetched: set[Tensor] = set()
        self.tokens = Tokens(scheduled, store, {}, fetches, later=feeds)
        self.failure: Exception | None = None
        try:
            self.tokens.go()
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
        self.fed.update(given)
        try:
            self.tokens.feed(given)
            self.tokens.go()
            found = self.tokens.fetch(wanted)
        except errors.OpError as error:
            self.failure = error
            raise
        self.fetched.update(wanted)
        return found
