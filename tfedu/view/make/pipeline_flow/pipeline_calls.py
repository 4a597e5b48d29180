"""Who asked whom in a recorded pipeline: `calls_of(flow)` turns the events of one thread into nested calls.

A call is one request to a stage: the requests that the stage makes in turn, and the element that it hands on at last. No state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ....engine.data.pipeline.flow import Event, Flow

# How a call may end; a call that the recording cut off has no end.
ENDS: Final = ("push", "end", "error")


@dataclass
class Call:
    """A request to a stage. order: the number of the event that ended it; element: what it handed on, None at an end.

    calls: what the stage asked for in turn, the first request first.
    """

    stage: int
    kind: str = ""
    order: int = -1
    element: int | None = None
    calls: list[Call] = field(default_factory=list)


def calls_of(flow: Flow) -> list[Call]:
    """The requests of the consumer, with those that each of them led to; what the recording cut off is left out."""
    requests: list[Call] = []
    open_calls: list[Call] = []
    for order, event in enumerate(flow.events):
        if event.kind not in (*ENDS, "pull"):
            continue
        call = _current(open_calls, event)
        if event.kind == "pull":
            call.calls.append(Call(-1))
            open_calls.append(call.calls[-1])
            continue
        call.kind, call.order, call.element = event.kind, order, event.element
        open_calls.pop()
        if not open_calls:
            requests.append(call)
    return requests


def _current(open_calls: list[Call], event: Event) -> Call:
    """The call that an event belongs to: the innermost one, which takes its stage from its first event."""
    if not open_calls:
        open_calls.append(Call(event.stage))
    # A stage may be left in the middle of a request, as when a pass is given up: that request has no end.
    while len(open_calls) > 1 and open_calls[-1].stage not in (-1, event.stage):
        open_calls.pop()
        open_calls[-1].calls.pop()
    call = open_calls[-1]
    if call.stage < 0:
        call.stage = event.stage
    return call


def walked(calls: list[Call]) -> Iterator[Call]:
    """The calls and all calls below them, those below first."""
    for call in calls:
        yield from walked(call.calls)
        yield call


__all__ = ["Call", "calls_of", "walked"]
