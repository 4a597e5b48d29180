"""Breakpoints: the steps of a trace at which a condition holds. `breakpoint_of(graph, "> 10")`, `hits(breakpoint, trace)`.

A breakpoint is a node ("assign", an operation, a tensor, a variable), a condition on values ("> 10", "has NaN", "changed", or
for one node "loss > 10"), an event ("write", "dead", "iteration", "run begins", "run ends", "error", "fork"), or a Python
function that takes a `Moment` and returns whether it hits. No state.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

import numpy as np

from ...engine.base.coded_errors import Refusal
from ...engine.base.suggest import nearest
from ...engine.graph.elements import as_operation
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation
from ...engine.replay.recorder import Output, Step, Trace
from ...engine.replay.value_numbers import ValueNumbers
from ...view.labels import shorten
from ...view.records import NoticeRecord

EVENTS: Final = ("write", "dead", "iteration", "run begins", "run ends", "error", "fork")
_COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
_NUMBER: Final = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)"
_VALUE: Final = re.compile(
    rf"(?:(?P<name>\S+)\s+)?(?:has\s+(?P<has>nan|inf)|(?P<changed>changed)|(?P<sign>>=|<=|==|!=|>|<)\s*(?P<number>{_NUMBER}))",
    re.IGNORECASE,
)


class BreakpointError(Refusal, ValueError):
    """Text that is not a breakpoint."""

    group = "break"
    texts: ClassVar[Mapping[str, str]] = {
        "unknown": "{text} is no breakpoint: no node has that name.\n"
        "  fix: a node's name, a value ('> 10', 'has NaN', 'changed', 'x > 10'), or an event: {events}",
        "near": "{text} is no breakpoint: no node has that name. Did you mean {near}?\n"
        "  fix: a node's name, a value ('> 10', 'has NaN', 'changed', 'x > 10'), or an event: {events}",
    }


@dataclass(frozen=True)
class Moment:
    """A step, or the beginning of a run, as a breakpoint's function sees it.

    run, step: as the widgets count them; step 0 is before the first. values: the node's outputs, by the tensors' names.
    reads: the values that the node read, by variable. writes: by variable, its value before and after. outcome: "ran",
    "dead", "fed", "error" or "changed"; "" where no node has its turn. is_last: whether it is the run's last step.
    """

    run: int
    step: int
    node: Operation | None = None
    outcome: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    reads: dict[str, Any] = field(default_factory=dict)
    writes: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    iteration: tuple[int, ...] = ()
    frame: str = ""
    is_last: bool = False

    @property
    def name(self) -> str:
        """The node's name."""
        return "" if self.node is None else self.node.name


@dataclass(frozen=True, eq=False)
class Breakpoint:
    """A condition on moments.

    start: makes the test for one pass over a trace; a test may remember earlier moments. node: the node that it is about, if any.
    """

    kind: Literal["node", "value", "event", "python"]
    text: str
    start: Callable[[], Callable[[Moment], Any]]
    node: Operation | None = None


def breakpoint_of(graph: Graph, condition: Any) -> Breakpoint:
    """The breakpoint for a text, a node or a function.

    Raises: BreakpointError (a ValueError) for text that is not a breakpoint, TypeError for any other argument.
    """
    if isinstance(condition, str):
        return _by_text(graph, " ".join(condition.split()))
    if callable(condition) and not hasattr(condition, "graph"):
        name = getattr(condition, "__name__", type(condition).__name__)
        return Breakpoint("python", "Python: λ" if name == "<lambda>" else f"Python: {name}", lambda: condition)
    try:
        return _on_node(as_operation(graph, condition))
    except TypeError:
        raise TypeError(
            f"a breakpoint is words such as '> 10', a node, or a function of a step, not {type(condition).__name__}"
        ) from None


def _by_text(graph: Graph, text: str) -> Breakpoint:
    if text.lower() in EVENTS:
        return Breakpoint("event", text.lower(), _EVENTS[text.lower()])
    match = _VALUE.fullmatch(text)
    if match and match["name"] is None:
        return Breakpoint("value", text, lambda: _value_test(match, None))
    try:
        return _on_node(as_operation(graph, text))
    except (KeyError, ValueError):
        pass
    names = [op.name for op in graph.operations]
    name = match["name"] if match else text
    if match:
        try:
            op = as_operation(graph, name)
        except (KeyError, ValueError):
            pass
        else:
            source = name if ":" in name else op.name
            return Breakpoint("value", text, lambda: _value_test(match, source), op)
    near = nearest(name, names) if len(name) <= 200 and len(names) <= 10_000 else None
    code = "near" if near else "unknown"
    raise BreakpointError(code, text=repr(shorten(text, 80)), near=repr(near), events=", ".join(EVENTS))


def _on_node(op: Operation) -> Breakpoint:
    return Breakpoint("node", op.name, lambda: lambda at: at.name == op.name and at.outcome != "changed", op)


# -- tests of moments --------------------------------------------------------------------------------------------------


def _value_test(match: re.Match[str], source: str | None) -> Callable[[Moment], Any]:
    """A test of the values of all nodes and variables, or only of those of `source`."""

    def values(at: Moment) -> Iterator[tuple[str, Any]]:
        for name, value in at.values.items():
            if source is None or source in (name, name.rpartition(":")[0]):
                yield name, value
        for name, (_, value) in at.writes.items():
            if source is None or source == name:
                yield f"={name}", value

    if match["changed"]:
        number_of, last = ValueNumbers(), dict[str, int]()

        def changed(at: Moment) -> bool:
            hit = False
            for name, value in values(at):
                now = number_of(value)
                hit |= last.setdefault(name, now) != now
                last[name] = now
            return hit

        return changed
    if match["has"]:
        has = np.isnan if match["has"].lower() == "nan" else np.isinf
        return lambda at: any(np.any(has(value)) for _, value in values(at) if _is_real(value))
    compare, number = _COMPARE[match["sign"]], float(match["number"])
    return lambda at: any(np.any(compare(value, number)) for _, value in values(at) if _is_real(value))


def _is_real(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fiub"


def _iterations() -> Callable[[Moment], bool]:
    """A test that hits at the first step of each iteration."""
    begun: set[tuple[int, str, tuple[int, ...]]] = set()

    def begins(at: Moment) -> bool:
        key = (at.run, at.frame, at.iteration)
        is_new = bool(at.iteration) and key not in begun
        begun.add(key)
        return is_new

    return begins


_EVENTS: Final[dict[str, Callable[[], Callable[[Moment], Any]]]] = {
    "write": lambda: lambda at: bool(at.writes),
    "dead": lambda: lambda at: at.outcome == "dead",
    "iteration": _iterations,
    "run begins": lambda: lambda at: at.step == 0,
    "run ends": lambda: lambda at: at.is_last,
    "error": lambda: lambda at: at.outcome == "error",
    "fork": lambda: lambda at: at.outcome == "changed",
}


# -- moments of a trace ------------------------------------------------------------------------------------------------


def moments(trace: Trace) -> Iterator[Moment]:
    """Every moment of the runs, in order."""
    fed: dict[Operation, dict[str, Any]] = {}
    for tensor in sorted(trace.fed, key=lambda t: t.op.id):
        fed.setdefault(tensor.op, {})[tensor.name] = trace.fed[tensor]
    for index, run in enumerate(trace.runs):
        total = len(fed) + len(run.steps)
        yield Moment(index, 0, is_last=total == 0)
        for at, (op, values) in enumerate(fed.items(), 1):
            yield Moment(index, at, op, "fed", values, is_last=at == total)
        for at, step in enumerate(run.steps, len(fed) + 1):
            yield _moment(index, at, step, at == total)


def _moment(run: int, at: int, step: Step, is_last: bool) -> Moment:
    values = {t.name: output.value for t, output in zip(step.op.outputs, step.outputs) if _has_value(output)}
    reads = dict((*step.reads, *step.elements_read))
    writes = {name: (before, after) for name, before, after in (*step.writes, *step.elements_written)}
    return Moment(run, at, step.op, step.outcome, values, reads, writes, step.iteration, step.frame, is_last)


def _has_value(output: Output) -> bool:
    return not output.dead and output.value is not None


def hits(breakpoint: Breakpoint, trace: Trace) -> tuple[dict[int, list[int]], NoticeRecord | None]:
    """The steps of each run at which a breakpoint hits, and a message if the user's function raised."""
    test = breakpoint.start()
    steps: dict[int, list[int]] = {}
    for at in moments(trace):
        try:
            hit = bool(np.any(test(at)))
        except Exception as error:
            text = f"{type(error).__name__}: {str(error).strip()}"
            return steps, NoticeRecord("raised", {"error": text, "run": at.run + 1, "step": at.step})
        if hit:
            steps.setdefault(at.run, []).append(at.step)
    return steps, None


__all__ = ["EVENTS", "Breakpoint", "BreakpointError", "Moment", "Refusal", "breakpoint_of", "hits", "moments"]
