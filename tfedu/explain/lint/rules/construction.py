"""Rules about when nodes are made: between runs, twice, or after the node that should include them. No state."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from ....engine.base.site import Site
from ....engine.graph.nodes import Operation
from ....engine.ops.state import ASSIGNMENTS, is_variable_read
from ....view.make.graph_records import reruns
from ...graph_walks import ancestors
from .graph_facts import Facts, listed_names, reads_file, variable_of
from .rule import Hit, rule
from .source_statement import is_plain_call

# Three experiments with a run each are no training loop that grows the graph.
_FEWEST_STRETCHES: Final = 4


@rule("rerun", "mistake", "tf.reset_default_graph()")
def rerun(facts: Facts) -> Iterator[Hit]:
    """Variables that a notebook's cell made a second time; the hit has both."""
    for notice in reruns(facts.operations):
        again, first = (facts.graph.get_operation_by_name(str(notice.params[key])) for key in ("again", "first"))
        yield Hit((first, again), {"again": again.name, "first": first.name}, (), again.site)


@rule("grows", "mistake", "y = f(x)  # once, before the loop; x = tf.placeholder(…)\nsession.run(y, {x: value})")
def grows(facts: Facts) -> Iterator[Hit]:
    """Lines that made nodes in at least four of the stretches between runs: every run grows the graph."""
    ends = sorted({run.position for run in facts.runs})
    by_line: dict[tuple[int, int], dict[int, list[Operation]]] = {}
    for op in facts.operations if len(ends) >= _FEWEST_STRETCHES - 1 else ():
        if op.site is not None:
            line = id(op.site.code), op.site.line
            by_line.setdefault(line, {}).setdefault(bisect_left(ends, op.id + 1), []).append(op)
    reported: set[tuple[int, tuple[int, ...]]] = set()
    for (code, _), stretches in by_line.items():
        # The lines of one loop are one finding, at the first of them.
        if len(stretches) < _FEWEST_STRETCHES or (code, tuple(stretches)) in reported:
            continue
        reported.add((code, tuple(stretches)))
        first = [ops[0] for ops in stretches.values()]
        count = sum(map(len, stretches.values()))
        yield Hit(tuple(first[:_FEWEST_STRETCHES]), {"times": str(len(stretches)), "count": str(count), "node": first[0].name})


@rule("late_seed", "mistake", "tf.set_random_seed({seed})  # before the first node")
def late_seed(facts: Facts) -> Iterator[Hit]:
    """Random nodes made before the graph got its seed, which have none; later nodes without a seed were imported."""
    if facts.graph.seed is None:
        return
    late = [
        op
        for op in facts.operations[: facts.graph.seeded]
        if "seed" in op.attrs and "seed2" in op.attrs and not op.attrs["seed"] and not op.attrs["seed2"] and _is_random(op)
    ]
    if late:
        yield Hit(tuple(late), {"nodes": listed_names(late), "seed": str(facts.graph.seed)})


def _is_random(op: Operation) -> bool:
    return op.definition is not None and op.definition.stateful


@rule("late_variable", "mistake", "init = tf.global_variables_initializer()  # after the last variable")
def late_variable(facts: Facts) -> Iterator[Hit]:
    """Variables made after the node that initializes all earlier ones, and that no run gave a value."""
    groups = [group for group in facts.of("NoOp") if group.waits and set(group.waits) <= facts.initializers]
    initialized = {group: _initialized_by(group) for group in groups}
    variables = _variables(facts)
    complete = [group for group in groups if {v for v in variables if v.id < group.id} <= initialized[group]]
    if not complete:
        return
    covered: set[Operation] = set().union(*initialized.values())
    last = complete[-1]
    late = [v for v in variables if v.id > last.id and v not in covered and _initializer(facts, v) not in facts.executed]
    late = [v for v in late if facts.executed.isdisjoint((*facts.restorers.get(v, ()), *_assigning(facts, v)))]
    if late:
        yield Hit((*late, last), {"nodes": listed_names(late), "init": last.name})


def _assigning(facts: Facts, variable: Operation) -> list[Operation]:
    """The writers of a variable that replace its value, so that it needs none before."""
    return [op for op in facts.writers.get(variable, ()) if op.type in ASSIGNMENTS]


def _variables(facts: Facts) -> list[Operation]:
    """The nodes of the global variables."""
    return [v.op for v in facts.collected("variables") if getattr(v, "op", None) in facts.variables]


def _initializer(facts: Facts, variable: Operation | None) -> Operation | None:
    initializer = None if variable is None else getattr(facts.variables.get(variable), "initializer", None)
    return initializer if isinstance(initializer, Operation) else None


def _initialized_by(group: Operation) -> set[Operation]:
    """The variables whose initializers a NoOp groups."""
    return {v for v in map(variable_of, (op.inputs[0] for op in group.waits)) if v is not None}


@rule("late_saver", "mistake", "saver = tf.train.Saver()  # after the last variable")
def late_saver(facts: Facts) -> Iterator[Hit]:
    """Trainable variables made after a saver of all variables, and that no saver saves.

    A saver that the program used only to restore serves the variables of its time.
    """
    saved: dict[Operation, set[Operation]] = {}
    for op in facts.of("SaveV2"):
        saved[op] = {v for v in map(variable_of, op.inputs[3:]) if v is not None}
    known = set().union(*saved.values()) if saved else set()
    for op, variables in saved.items():
        before = {v for v in _variables(facts) if v.id < op.id}
        late = [v for v in facts.trainable if v.id > op.id and v not in known]
        if op not in facts.executed and any(not facts.executed.isdisjoint(facts.restorers.get(v, ())) for v in variables):
            continue
        if before and before <= variables and late and op.site is not None and is_plain_call(op.site, "Saver", "var_list"):
            yield Hit((*late, op), {"nodes": listed_names(late)})
            return


@rule("init_order", "mistake", "v = tf.Variable(w.initialized_value() * 2)")
def init_order(facts: Facts) -> Iterator[Hit]:
    """Initial values that read another variable, where one NoOp initializes both, in any order."""
    together = [set(group.waits) for group in facts.of("NoOp") if len(group.waits) > 1]
    for variable in _variables(facts):
        initializer = _initializer(facts, variable)
        if initializer is None or len(initializer.inputs) < 2:
            continue
        needed = ancestors([initializer])
        for read in needed:
            if not is_variable_read(read) or read._context is not None:
                continue
            other = variable_of(read.outputs[0])
            first = _initializer(facts, other)
            if other is None or other is variable or first is None or first in needed:
                continue
            if any({initializer, first} <= group for group in together):
                yield Hit((variable, other), {"variable": variable.name, "other": other.name})
                break


@rule("init_after_restore", "mistake", "session.run(init)\nsaver.restore(session, path)")
def init_after_restore(facts: Facts) -> Iterator[Hit]:
    """A run initializes variables that an earlier run restored: the values from the file are lost."""
    restored: dict[object, set[Operation]] = {}
    for run in facts.runs[:200]:
        executed = facts.executed_in(run)
        in_session = restored.setdefault(run.session, set())
        if any(reads_file(op) for op in executed):
            in_session.update(v for v, writers in facts.restorers.items() if not executed.isdisjoint(writers))
            continue
        lost = [v for v in facts.variables if v in in_session and _initializer(facts, v) in executed]
        if lost:
            site = None if run.site is None else Site.of(run.site)
            yield Hit(tuple(lost), {"nodes": listed_names(lost)}, (), site)
            return

