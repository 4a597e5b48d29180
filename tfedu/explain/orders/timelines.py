"""Timelines: some runs, and what else they become when something is changed on the way. `tree = timelines(y)`.

`tree.fork(run=0, step=3, choose="assign")` repeats the first three steps, lets another ready node take the next turn, and
goes on by the same policy; it may also `set` a value, or `add_control` or `cut_control` an edge. The timeline that was there
stays. `print(tree)` draws the tree and compares how its timelines end.
State: `Timelines`, the timelines in the order in which they were made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...engine.graph.elements import as_operation
from ...engine.graph.nodes import Operation, Tensor
from ...engine.replay.changed_run import (
    AddControl,
    Applied,
    Change,
    Choose,
    CutControl,
    ForkError,
    SetValue,
    SetVariable,
    branched,
)
from ...engine.replay.recorder import Run, Step, Trace
from ...engine.replay.trace import record
from ...engine.replay.value_numbers import Kept
from ...engine.runtime.fetches import Structure
from ...engine.runtime.schedule import policy_of
from ...engine.runtime.session import Session
from ...view.build import trace_record, value_text
from ...view.labels import shorten
from ...view.make.trace_records import branch_record, change_record
from ...view.messages import message
from ...view.records import BranchRecord, ForkedRecord, LeafRecord, LeafRowRecord, LeavesRecord, TraceRecord
from ...view.words.terminal_text import table

_VARIABLES: Final = 40  # so many variables that differ have rows of their own
_WIDTH: Final = 48
_ORDER: Final = 8  # so many nodes of an order are named
_LONGEST: Final = 10_000  # characters of a value that somebody writes
_NAMES: Final[dict[str, Any]] = {"nan": float("nan"), "inf": float("inf"), "true": True, "false": False}


@dataclass(frozen=True, eq=False)
class Timeline:
    """One course of the runs. parent: the timeline that it leaves at `step` of `run`, by `change`; None for the first."""

    tree: Timelines
    number: int
    trace: Trace
    parent: Timeline | None = None
    run: int = 0
    step: int = 0
    applied: tuple[Applied, ...] = ()

    @property
    def change(self) -> ForkedRecord | None:
        """What was changed there."""
        return change_record(self.applied[-1].change) if self.applied else None

    @property
    def values(self) -> list[Any]:
        """What each run gave, in the nest of the fetches; nothing for one that failed."""
        count = len(self.tree.structure.tensors)
        return [self.tree.structure.rebuild(run.fetched[:count]) for run in self.trace.runs if run.error is None]

    @property
    def error(self) -> Exception | None:
        """What ended the last run."""
        return self.trace.runs[-1].error

    @property
    def variables(self) -> dict[str, Any]:
        """What the variables hold at the end."""
        return held_after(self.trace.runs[-1])

    @property
    def order(self) -> list[list[str]]:
        """The nodes of each run in the order of their turns."""
        return [[step.op.name for step in run.steps if step.outcome != "changed"] for run in self.trace.runs]

    def fork(self, run: int, step: int, **change: Any) -> Timeline:
        """Another course from there on; see `Timelines.fork`."""
        return self.tree.fork(run, step, timeline=self.number, **change)

    def text(self, lang: str | None = None) -> str:
        """Where it comes from, and what it gives."""
        change, parent = self.change, self.parent
        results = [", ".join(value_text(value, _WIDTH) for value in run.fetched) for run in self.trace.runs if run.error is None]
        if self.error is not None:
            results.append(f"{type(self.error).__name__}: {str(self.error).splitlines()[0]}")
        given = shorten(" → ".join(results), 200)
        if change is None or parent is None:
            return message("fork.first", lang, values=given)
        what = message(f"fork.{change.code}", lang, **change.params)
        return message("fork.timeline", lang, number=self.number, run=self.run + 1, step=self.step, change=what, values=given)

    def __repr__(self) -> str:
        return f"<Timeline {self.text()}>"

    def turn_at(self, step: int, run: int) -> int:
        """How many turns are over after so many steps of a run: what is fed and what is changed is a step, and no turn."""
        steps = self.trace.runs[run].steps
        return sum(each.outcome != "changed" for each in steps[: max(0, step - self.tree.fed_steps)])


class Timelines(Sequence[Timeline]):
    """Some runs and their forks, the first timeline first. Runs and steps are counted as widgets and texts count them:
    runs from 0, and `step` is how many steps of the run are over, what is fed among them.

    record: of the first timeline; of the others `branch(number)` tells the rest.
    Raises: TypeError and ValueError as Session.run does for wrong fetches and feeds.
    """

    def __init__(
        self, fetches: Any, feed_dict: Any = None, runs: int = 1, schedule: Any = None, session: Session | None = None
    ) -> None:
        trace = record(fetches, feed_dict, runs=runs, policy=policy_of(schedule), session=session)
        self.structure = Structure(trace.graph, fetches)
        self.fed_steps = len({tensor.op for tensor in trace.fed})
        self.record: TraceRecord = trace_record(trace, 0)
        self._all = [Timeline(self, 0, trace)]

    def __getitem__(self, number: Any) -> Any:
        return self._all[number]

    def __len__(self) -> int:
        return len(self._all)

    def branch(self, number: int) -> BranchRecord:
        """The record of a fork: what its parent's does not tell."""
        line: Timeline = self[number]
        assert line.parent is not None
        changes = [applied.change for applied in line.applied]
        rewired = any(isinstance(change, (AddControl, CutControl)) for change in changes)
        return branch_record(
            self.record.graph, line.trace, number, line.parent.number, line.run, line.step, changes[-1], rewired
        )

    def fork(
        self,
        run: int,
        step: int,
        *,
        set: Mapping[Any, Any] | None = None,
        choose: Any = None,
        add_control: tuple[Any, Any] | None = None,
        cut_control: tuple[Any, Any] | None = None,
        timeline: int = 0,
    ) -> Timeline:
        """A timeline that is the same up to `step` of `run`, and then goes another way by the one change that is given.

        set: {a variable, or a tensor that has a value and has not been taken by all: the new value}. choose: the ready
        node that takes the next turn. add_control, cut_control: (first, then), where `then` waits for `first` from now
        on, or does not any more. Nodes are operations, tensors, variables or names.
        Raises: ForkError (a ValueError) for what cannot be changed there, TypeError unless there is just one change,
        IndexError for a run or step that is not there, KeyError for a name that is not in the graph.
        """
        line = self._line(timeline, run, step)
        turn = line.turn_at(step, run)
        change = self._change(line, set, choose, add_control, cut_control)
        here = line
        # Before the step at which it left its parent, a timeline is its parent.
        while here.parent is not None and (run, step) <= (here.run, here.step):
            here = here.parent
        applied = Applied(run, turn, change)
        trace = branched(here.trace, applied, here.applied)
        made = Timeline(self, len(self), trace, here, run, step, (*here.applied, applied))
        self._all.append(made)
        return made

    def _line(self, timeline: int, run: int, step: int) -> Timeline:
        if not 0 <= timeline < len(self):
            raise IndexError(f"there are timelines 0 to {len(self) - 1}, and no timeline {timeline}")
        line: Timeline = self[timeline]
        if not 0 <= run < len(line.trace.runs):
            raise IndexError(f"there are runs 0 to {len(line.trace.runs) - 1}, and no run {run}")
        total = self.fed_steps + len(line.trace.runs[run].steps)
        if not 0 <= step <= total:
            raise IndexError(f"run {run} has {total} steps, and no step {step}")
        return line

    def _change(self, line: Timeline, set: Any, choose: Any, add: Any, cut: Any) -> Change:
        named = {"set": set, "choose": choose, "add_control": add, "cut_control": cut}
        given = [name for name, value in named.items() if value is not None]
        if len(given) != 1 or (set is not None and len(set) != 1):
            raise TypeError(
                "a fork makes one change\n  fix: one of set={name: value}, choose=node, add_control=(first, then), "
                "cut_control=(first, then); fork the fork for another one"
            )
        if set is not None:
            ((key, value),) = set.items()
            return self._set(line, key, value)
        if choose is not None:
            return Choose(self._operation(choose))
        pair = add if add is not None else cut
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"{given[0]} takes two nodes, (first, then), not {type(pair).__name__}")
        first, then = (self._operation(node) for node in pair)
        return AddControl(first, then) if add is not None else CutControl(first, then)

    def _set(self, line: Timeline, key: Any, value: Any) -> Change:
        graph = self[0].trace.graph
        known = {name for run in line.trace.runs for name in held_after(run)}
        if isinstance(key, str) and key in known:
            return SetVariable(key, value)
        element = key
        if not isinstance(key, (str, Tensor, Operation)):
            op = as_operation(graph, key)
            name = op.attrs.get("shared_name") or op.name
            if name in known:
                return SetVariable(name, value)
            element = op
        if isinstance(element, str) and ":" not in element:
            element = self._operation(element)
        tensor = graph.as_graph_element(element)
        if isinstance(tensor, Operation):
            if len(tensor.outputs) != 1:
                raise ForkError("outputs", node=tensor.name, count=len(tensor.outputs))
            tensor = tensor.outputs[0]
        return SetValue(tensor, value)

    def named(self, name: str) -> Operation:
        """The node whose name somebody has typed. Raises: ForkError where there is none."""
        try:
            op = as_operation(self[0].trace.graph, name)
        except (KeyError, ValueError):
            raise ForkError("unknown", name=repr(shorten(name, 80))) from None
        return self._operation(op)

    def _operation(self, node: Any) -> Operation:
        op = as_operation(self[0].trace.graph, node)
        if op.id >= len(self.record.graph.nodes):
            raise ForkError("later", node=op.name)
        return op

    # -- what became of it ---------------------------------------------------------------------------------------------

    def parting(self, one: int, other: int) -> tuple[int, int] | None:
        """The run and the step at which two timelines are different for the first time; None where they never are."""
        kept = Kept()
        runs, others = self[one].trace.runs, self[other].trace.runs
        for index in range(max(len(runs), len(others))):
            if index >= min(len(runs), len(others)):
                return index, 0
            steps, more = runs[index].steps, others[index].steps
            for at in range(max(len(steps), len(more))):
                if at >= min(len(steps), len(more)) or _key(steps[at], kept) != _key(more[at], kept):
                    return index, self.fed_steps + at + 1
        return None

    @property
    def leaves(self) -> LeavesRecord:
        """How all timelines end, side by side."""
        kept = Kept()
        lines = self._all
        rows = []
        same = 0
        for index in range(max(len(line.trace.runs) for line in lines)):
            runs = [line.trace.runs[index] if index < len(line.trace.runs) else None for line in lines]
            for at, (label, _) in enumerate(lines[0].trace.fetches):
                given = [run.fetched[at] if run is not None and run.error is None else None for run in runs]
                rows.append(_row("fetched", index, label, [_text(value) for value in given], [kept(value) for value in given]))
            if any(run is not None and run.error is not None for run in runs):
                told = [_error_text(run) for run in runs]
                rows.append(_row("error", index, "", told, [kept(text) for text in told]))
            held = [held_after(run) if run is not None else {} for run in runs]
            differ = 0
            for name in dict.fromkeys(name for each in held for name in each):
                groups = [kept(each.get(name)) for each in held]
                if len({*groups}) == 1:
                    same += index == 0
                elif differ < _VARIABLES:
                    differ += 1
                    rows.append(_row("variable", index, name, [_text(each.get(name)) for each in held], groups))
            orders = [() if run is None else tuple(run.turns) for run in runs]
            if len({*orders}) > 1:
                names = [[] if run is None else [s.op.name for s in run.steps if s.outcome != "changed"] for run in runs]
                rows.append(_row("order", index, "", _from_where_they_part(names), [kept(order) for order in orders]))
        found = tuple([LeafRecord(line.number, self._steps(line), self.parting(0, line.number)) for line in lines])
        return LeavesRecord(found, tuple(rows), same)

    def _steps(self, line: Timeline) -> int:
        return sum(self.fed_steps + len(run.steps) for run in line.trace.runs)

    def text(self, lang: str | None = None) -> str:
        """The tree, a timeline a line, and below it how they end."""
        children: dict[int, list[Timeline]] = {}
        for line in self._all[1:]:
            assert line.parent is not None
            children.setdefault(line.parent.number, []).append(line)
        lines = list(_branches(self[0], children, "", lang))
        if len(self) == 1:
            return "\n".join(lines)
        leaves = self.leaves
        head = ["", *(message("fork.number", lang, number=leaf.number) for leaf in leaves.leaves)]
        rows = [head]
        for row in leaves.rows:
            differs = len({*row.groups}) > 1
            if differs or row.code == "fetched":
                title = message(f"leaf.{row.code}", lang, run=row.run + 1, name=row.name)
                rows.append([("≠ " if differs else "= ") + title, *(shorten(text, _WIDTH) or "–" for text in row.texts)])
        parts = [leaf.parts for leaf in leaves.leaves]
        told = ["" if part is None else message("leaf.at", lang, run=part[0] + 1, step=part[1]) for part in parts]
        rows.append([message("leaf.parts", lang), *told])
        return "\n".join([*lines, "", *table(rows)])

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def timelines(
    fetches: Any, feed_dict: Any = None, runs: int = 1, schedule: Any = None, session: Session | None = None
) -> Timelines:
    """`session.run(fetches, feed_dict)`, `runs` times in a session of its own, to be forked.

    session: begin with the values in that session, which stays as it is; else the variables are initialized. schedule: the
    order among nodes that are ready, as Session takes it.
    Raises: TypeError and ValueError as Session.run does for wrong fetches and feeds.
    """
    return Timelines(fetches, feed_dict, runs, schedule, session)


def parsed(text: str) -> Any:
    """The value that somebody wrote: a number, a text in quotes, a list of such, True, False, nan or inf.

    Raises: ForkError for what is none.
    """
    try:
        if len(text) > _LONGEST:
            raise ValueError
        return _literal(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise ForkError("unreadable", text=repr(shorten(text, 56))) from None


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float, complex, str, bytes)):
        return node.value
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_literal(item) for item in node.elts]
    if isinstance(node, ast.Name) and node.id.lower() in _NAMES:
        return _NAMES[node.id.lower()]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = _literal(node.operand)
        if isinstance(value, (int, float, complex)):
            return -value if isinstance(node.op, ast.USub) else value
    raise ValueError


def held_after(run: Run) -> dict[str, Any]:
    """What the variables hold when a run is over."""
    held = dict(run.variables)
    for step in run.steps:
        held.update({name: after for name, _, after in step.writes})
    return held


def _branches(line: Timeline, children: Mapping[int, Iterable[Timeline]], indent: str, lang: str | None) -> Iterator[str]:
    yield indent + line.text(lang)
    for child in children.get(line.number, ()):
        yield from _branches(child, children, f"{indent}  ", lang)


def _key(step: Step, kept: Kept) -> Any:
    outputs = tuple([(output.dead, kept(output.value)) for output in step.outputs if _is_plain(output.value)])
    writes = tuple([(name, kept(after)) for name, _, after in step.writes])
    return step.op.id, step.iteration, step.outcome, outputs, writes


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (np.ndarray, np.generic, bytes, str))


def _row(code: Any, run: int, name: str, texts: Sequence[str], groups: Sequence[int]) -> LeafRowRecord:
    """Equal groups get small numbers, the first timeline's 0."""
    numbers: dict[int, int] = {}
    return LeafRowRecord(code, run, name, tuple(texts), tuple([numbers.setdefault(group, len(numbers)) for group in groups]))


def _from_where_they_part(names: Sequence[Sequence[str]]) -> list[str]:
    """Of each order what begins with the last node that all have in common; no more than a reader compares."""
    same = next((at for at, each in enumerate(zip(*names)) if len({*each}) > 1), min(map(len, names)))
    first = max(0, same - 1)
    shown = [" → ".join(each[first : first + _ORDER]) for each in names]
    return [
        ("… → " if first else "") + text + (" → …" if len(each) > first + _ORDER else "") for text, each in zip(shown, names)
    ]


def _text(value: Any) -> str:
    return "" if value is None else value_text(value)


def _error_text(run: Run | None) -> str:
    return "" if run is None or run.error is None else str(run.error.message).splitlines()[0]


__all__ = ["ForkError", "Timeline", "Timelines", "parsed", "timelines"]
