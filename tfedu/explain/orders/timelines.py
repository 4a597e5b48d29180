"""Timelines: runs, and forks of them with one change. `tree = timelines(y)`.

`tree.fork(run=0, step=3, choose="assign")` repeats the first three steps, gives the next turn to another ready node, and goes
on by the same policy; a fork may also `set` a value, or `add_control` or `cut_control` an edge. The forked timeline stays.
`print(tree)` draws the tree and compares the ends of its timelines.
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
from ...engine.replay.value_numbers import ValueNumbers
from ...engine.runtime.fetches import Structure
from ...engine.runtime.schedule import policy_of
from ...engine.runtime.session import Session
from ...view.build import trace_record, value_text
from ...view.labels import shorten
from ...view.make.runs.trace_records import branch_record, change_record
from ...view.messages import message
from ...view.records import BranchRecord, ForkedRecord, LeafRecord, LeafRowRecord, LeavesRecord, TraceRecord
from ...view.words.terminal_text import table

_MOST_VARIABLES: Final = 40  # rows for variables that differ
_WIDTH: Final = 48  # characters of a value
_MOST_TURNS: Final = 8  # names of an order
_LONGEST: Final = 10_000  # characters of a literal
_CONSTANTS: Final[dict[str, Any]] = {"nan": float("nan"), "inf": float("inf"), "true": True, "false": False}


@dataclass(frozen=True, eq=False)
class Timeline:
    """The runs with some changes. parent: the timeline that it forks at `step` of `run`; None for the first."""

    tree: Timelines
    number: int
    trace: Trace
    parent: Timeline | None = None
    run: int = 0
    step: int = 0
    applied: tuple[Applied, ...] = ()

    @property
    def change(self) -> ForkedRecord | None:
        """The change at the fork."""
        return change_record(self.applied[-1].change) if self.applied else None

    @property
    def values(self) -> list[Any]:
        """The fetched values of each run, nested as the fetches; a failed run has none."""
        count = len(self.tree.structure.tensors)
        return [self.tree.structure.rebuild(run.fetched[:count]) for run in self.trace.runs if run.error is None]

    @property
    def error(self) -> Exception | None:
        """The error that ended the last run; None if it succeeded."""
        return self.trace.runs[-1].error

    @property
    def variables(self) -> dict[str, Any]:
        """The variables' values at the end."""
        return values_after(self.trace.runs[-1])

    @property
    def order(self) -> list[list[str]]:
        """The nodes of each run in the order of their turns."""
        return [[step.op.name for step in run.steps if step.outcome != "changed"] for run in self.trace.runs]

    def fork(self, run: int, step: int, **change: Any) -> Timeline:
        """Forks this timeline; see `Timelines.fork`."""
        return self.tree.fork(run, step, timeline=self.number, **change)

    def text(self, lang: str | None = None) -> str:
        """The fork and its change, and the fetched values."""
        change, parent = self.change, self.parent
        results = [", ".join(value_text(value, _WIDTH) for value in run.fetched) for run in self.trace.runs if run.error is None]
        if self.error is not None:
            results.append(f"{type(self.error).__name__}: {str(self.error).splitlines()[0]}")
        values = shorten(" → ".join(results), 200)
        if change is None or parent is None:
            return message("fork.first", lang, values=values)
        what = message(f"fork.{change.code}", lang, **change.params)
        return message("fork.timeline", lang, number=self.number, run=self.run + 1, step=self.step, change=what, values=values)

    def __repr__(self) -> str:
        return f"<Timeline {self.text()}>"

    def turn_at(self, step: int, run: int) -> int:
        """How many turns are over after `step` steps of a run: feeds and changes are steps, but no turns."""
        steps = self.trace.runs[run].steps
        return sum(each.outcome != "changed" for each in steps[: max(0, step - self.tree.fed_steps)])


class Timelines(Sequence[Timeline]):
    """Runs and their forks, the first timeline first.

    Runs count from 0; `step` is the number of steps of the run that are over, feeds among them. record: the first timeline;
    `branch(number)` is the record of a fork.
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
        """The record of a fork: its difference from its parent."""
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
        """A timeline that is the same up to `step` of `run`, where one change is made.

        set: {variable or tensor: new value}; a tensor must have a value that some consumer has not read yet. choose: the ready
        node that takes the next turn. add_control, cut_control: (first, then), where `then` waits for `first` from now
        on, or no longer does. Nodes are operations, tensors, variables or names.
        Raises: ForkError (a ValueError) for a change that is impossible there, TypeError unless there is exactly one change,
        IndexError for an unknown run or step, KeyError for an unknown name.
        """
        line = self._line(timeline, run, step)
        turn = line.turn_at(step, run)
        change = self._change(line, set, choose, add_control, cut_control)
        parent = line
        # Up to its fork a timeline is the same as its parent.
        while parent.parent is not None and (run, step) <= (parent.run, parent.step):
            parent = parent.parent
        applied = Applied(run, turn, change)
        trace = branched(parent.trace, applied, parent.applied)
        fork = Timeline(self, len(self), trace, parent, run, step, (*parent.applied, applied))
        self._all.append(fork)
        return fork

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
        arguments = {"set": set, "choose": choose, "add_control": add, "cut_control": cut}
        kinds = [name for name, value in arguments.items() if value is not None]
        if len(kinds) != 1 or (set is not None and len(set) != 1):
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
            raise TypeError(f"{kinds[0]} takes two nodes, (first, then), not {type(pair).__name__}")
        first, then = (self._operation(node) for node in pair)
        return AddControl(first, then) if add is not None else CutControl(first, then)

    def _set(self, line: Timeline, key: Any, value: Any) -> Change:
        graph = self[0].trace.graph
        variables = {name for run in line.trace.runs for name in values_after(run)}
        if isinstance(key, str) and key in variables:
            return SetVariable(key, value)
        element = key
        if not isinstance(key, (str, Tensor, Operation)):
            op = as_operation(graph, key)
            name = op.attrs.get("shared_name") or op.name
            if name in variables:
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
        """The node with this name. Raises: ForkError for an unknown name."""
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

    # -- comparison ----------------------------------------------------------------------------------------------------

    def parting(self, one: int, other: int) -> tuple[int, int] | None:
        """The run and the step at which two timelines first differ; None if they never do."""
        number_of = ValueNumbers()
        runs, others = self[one].trace.runs, self[other].trace.runs
        for index in range(max(len(runs), len(others))):
            if index >= min(len(runs), len(others)):
                return index, 0
            steps, other_steps = runs[index].steps, others[index].steps
            common = min(len(steps), len(other_steps))
            for at in range(max(len(steps), len(other_steps))):
                if at >= common or _key(steps[at], number_of) != _key(other_steps[at], number_of):
                    return index, self.fed_steps + at + 1
        return None

    @property
    def leaves(self) -> LeavesRecord:
        """The ends of all timelines, side by side."""
        number_of = ValueNumbers()
        lines = self._all
        rows: list[LeafRowRecord] = []
        same = 0
        for index in range(max(len(line.trace.runs) for line in lines)):
            runs = [line.trace.runs[index] if index < len(line.trace.runs) else None for line in lines]
            labels = [label for label, _ in lines[0].trace.fetches]
            variable_rows, equal = _variable_rows(index, runs, number_of)
            same += equal if index == 0 else 0
            rows += _result_rows(index, runs, labels, number_of)
            rows += variable_rows
            orders = [() if run is None else tuple(run.turns) for run in runs]
            if len({*orders}) > 1:
                names = [[] if run is None else [s.op.name for s in run.steps if s.outcome != "changed"] for run in runs]
                rows.append(_row("order", index, "", _order_texts(names), [number_of(order) for order in orders]))
        leaves = [LeafRecord(line.number, self._steps(line), self.parting(0, line.number)) for line in lines]
        return LeavesRecord(tuple(leaves), tuple(rows), same)

    def _steps(self, line: Timeline) -> int:
        return sum(self.fed_steps + len(run.steps) for run in line.trace.runs)

    def text(self, lang: str | None = None) -> str:
        """The tree, a timeline a line, and below it the ends of the timelines."""
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
        forks = [leaf.parts for leaf in leaves.leaves]
        texts = ["" if fork is None else message("leaf.at", lang, run=fork[0] + 1, step=fork[1]) for fork in forks]
        rows.append([message("leaf.parts", lang), *texts])
        return "\n".join([*lines, "", *table(rows)])

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def timelines(
    fetches: Any, feed_dict: Any = None, runs: int = 1, schedule: Any = None, session: Session | None = None
) -> Timelines:
    """`session.run(fetches, feed_dict)`, `runs` times in a session of its own, as timelines that can be forked.

    session: start from this session's values; the session stays unchanged. By default the variables are initialized.
    schedule: the order among ready nodes, as for Session.
    Raises: TypeError and ValueError as Session.run does for wrong fetches and feeds.
    """
    return Timelines(fetches, feed_dict, runs, schedule, session)


def parsed(text: str) -> Any:
    """The value of a literal: a number, a quoted text, a list of these, True, False, nan or inf.

    Raises: ForkError for any other text.
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
    if isinstance(node, ast.Name) and node.id.lower() in _CONSTANTS:
        return _CONSTANTS[node.id.lower()]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = _literal(node.operand)
        if isinstance(value, (int, float, complex)):
            return -value if isinstance(node.op, ast.USub) else value
    raise ValueError


def values_after(run: Run) -> dict[str, Any]:
    """The variables' values after a run."""
    values = dict(run.variables)
    for step in run.steps:
        values.update({name: after for name, _, after in step.writes})
    return values


def _branches(line: Timeline, children: Mapping[int, Iterable[Timeline]], indent: str, lang: str | None) -> Iterator[str]:
    yield indent + line.text(lang)
    for child in children.get(line.number, ()):
        yield from _branches(child, children, f"{indent}  ", lang)


def _key(step: Step, number_of: ValueNumbers) -> Any:
    """Equal for equal steps."""
    outputs = tuple([(output.dead, number_of(output.value)) for output in step.outputs if _is_plain(output.value)])
    writes = tuple([(name, number_of(after)) for name, _, after in step.writes])
    return step.op.id, step.iteration, step.outcome, outputs, writes


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (np.ndarray, np.generic, bytes, str))


def _result_rows(
    index: int, runs: Sequence[Run | None], labels: Sequence[str], number_of: ValueNumbers
) -> Iterator[LeafRowRecord]:
    """The rows of run `index` for the fetched values, and for the errors if there are any."""
    for at, label in enumerate(labels):
        values = [run.fetched[at] if run is not None and run.error is None else None for run in runs]
        yield _row("fetched", index, label, [_text(value) for value in values], [number_of(value) for value in values])
    if any(run is not None and run.error is not None for run in runs):
        texts = [_error_text(run) for run in runs]
        yield _row("error", index, "", texts, [number_of(text) for text in texts])


def _variable_rows(index: int, runs: Sequence[Run | None], number_of: ValueNumbers) -> tuple[list[LeafRowRecord], int]:
    """The rows of run `index` for the variables that differ after it, and how many variables are equal."""
    rows: list[LeafRowRecord] = []
    equal = 0
    variables = [values_after(run) if run is not None else {} for run in runs]
    for name in dict.fromkeys(name for values in variables for name in values):
        groups = [number_of(values.get(name)) for values in variables]
        if len({*groups}) == 1:
            equal += 1
        elif len(rows) < _MOST_VARIABLES:
            rows.append(_row("variable", index, name, [_text(values.get(name)) for values in variables], groups))
    return rows, equal


def _row(code: Any, run: int, name: str, texts: Sequence[str], groups: Sequence[int]) -> LeafRowRecord:
    """A row. groups: equal for equal values; the row has small numbers for them, 0 for the first timeline's."""
    numbers: dict[int, int] = {}
    return LeafRowRecord(code, run, name, tuple(texts), tuple([numbers.setdefault(group, len(numbers)) for group in groups]))


def _order_texts(orders: Sequence[Sequence[str]]) -> list[str]:
    """Of each order some nodes, from the last common one on."""
    common = next((at for at, names in enumerate(zip(*orders)) if len({*names}) > 1), min(map(len, orders)))
    first = max(0, common - 1)
    last = first + _MOST_TURNS
    return [
        ("… → " if first else "") + " → ".join(order[first:last]) + (" → …" if len(order) > last else "") for order in orders
    ]


def _text(value: Any) -> str:
    return "" if value is None else value_text(value)


def _error_text(run: Run | None) -> str:
    return "" if run is None or run.error is None else str(run.error.message).splitlines()[0]


__all__ = ["ForkError", "Timeline", "Timelines", "parsed", "timelines"]
