"""Short schedules: `shortened(path, …)` is a short text for `Session(schedule=…)` with the result of a long list of turns.

It adds pairs "this before that" to the order of creation, one by one, until the run ends as the long list does, then
removes each pair that is not needed. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..base import errors
from ..graph.nodes import Tensor
from ..runtime.deadline import Check
from ..runtime.interpreter import interpret
from ..runtime.schedule import Policy, Schedule, before, creation, schedule
from ..runtime.store import Store
from ..runtime.tokens import Tokens, Turn

# A schedule of more pairs is not short.
_MOST: Final = 24


class Order:
    """An observer that records the order of the turns, and the failing one."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.failing: str | None = None

    def begin(self, tokens: Tokens) -> None:
        pass

    def step(self, turn: Turn, inputs: Sequence[Any], outputs: Sequence[Any], dead: bool) -> None:
        self.names.append(turn.name)

    def began(self, turn: Turn, inputs: Sequence[Any]) -> None:
        self.names.append(turn.name)

    def failed(self, turn: Turn, error: errors.OpError) -> None:
        self.failing = turn.name
        self.names.append(turn.name)


class RunEnd(NamedTuple):
    """The end of a run: its values or its error, the order of its turns, and a key of the result."""

    values: Sequence[Any]
    error: errors.OpError | None
    order: Order
    key: Any = None


def run_by(
    policy: Policy,
    scheduled: Schedule,
    store: Store,
    fed: Mapping[Tensor, Any],
    fetches: Sequence[Tensor],
    check: Check | None = None,
) -> RunEnd:
    """One run by a policy: the values, or the error, and the order of the turns. check: is called before each turn."""
    order = Order()
    try:
        reordered = schedule(scheduled.placed, policy)
        return RunEnd(interpret(reordered, store, fed, fetches, order, check), None, order)
    except errors.OpError as error:
        return RunEnd((), error, order)


def shortened(
    path: Sequence[str],
    conflict: Callable[[str, str], bool],
    touches: Callable[[str], bool],
    run: Callable[[Policy], RunEnd],
    is_wanted: Callable[[RunEnd], bool],
) -> str:
    """A short text of a schedule that ends as `path` does.

    conflict: whether the order of two turns can matter; touches: whether a turn can conflict with any other one.
    """
    ended = run(creation())
    if is_wanted(ended):
        return "creation"
    place = {name: i for i, name in enumerate(path)}
    pairs: list[str] = []
    while len(pairs) < _MOST:
        pair = _first_wrong(ended.order, [name for name in ended.order.names if touches(name)], place, conflict)
        if pair is None or pair in pairs:
            break
        pairs.append(pair)
        ended = run(before(" ".join(pairs)))
        if is_wanted(ended):
            return " ".join(_needed(pairs, run, is_wanted))
    return " ".join(path)


def _first_wrong(
    order: Order, turns: Sequence[str], place: Mapping[str, int], conflict: Callable[[str, str], bool]
) -> str | None:
    """The first two turns whose order may matter and differs from the path."""
    end = len(place)
    last = max(place, key=place.__getitem__, default="")
    for then, name in enumerate(turns):
        for earlier in turns[:then]:
            if place.get(name, end) < place.get(earlier, end) and conflict(name, earlier):
                return f"{name}<{earlier}"
    if order.failing is not None and order.failing != last and last not in order.names:
        return f"{last}<{order.failing}"
    return None


def _needed(pairs: list[str], run: Callable[[Policy], RunEnd], is_wanted: Callable[[RunEnd], bool]) -> list[str]:
    for pair in list(pairs):
        fewer = [other for other in pairs if other != pair]
        if fewer and is_wanted(run(before(" ".join(fewer)))):
            pairs = fewer
    return pairs


__all__ = ["RunEnd", "Order", "run_by", "shortened"]
