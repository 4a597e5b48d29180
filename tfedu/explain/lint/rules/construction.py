"""Rules about when things are made: in a loop of runs, twice, or too late for what should have known them. No state."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from ....engine.base.site import Site
from ....engine.graph.nodes import Operation
from ....view.make.graph_records import reruns
from .graph_facts import Facts, ancestors, listed_names, variable_of
from .rule import Hit, rule
from .source_statement import is_plain_call

# A line that tries three things, each with a run, is no loop that grows.
_TIMES: Final = 4


@rule("rerun", "mistake", "tf.reset_default_graph()")
def rerun(facts: Facts) -> Iterator[Hit]:
    """Variables that a notebook's cell made again; both cells are shown."""
    for notice in reruns(facts.operations):
        again, first = (facts.graph.get_operation_by_name(str(notice.params[key])) for key in ("again", "first"))
        yield Hit((first, again), {"again": again.name, "first": first.name}, (), again.site)


@rule("grows", "mistake", "y = f(x)  # once, before the loop; x = tf.placeholder(…)\nsession.run(y, {x: value})")
def grows(facts: Facts) -> Iterator[Hit]:
    """Lines that made nodes in at least four of the stretches between two runs: each run goes with new nodes."""
    ends = sorted({run.position for run in facts.runs})
    made: dict[tuple[int, int], dict[int, list[Operation]]] = {}
    for op in facts.operations if len(ends) >= _TIMES - 1 else ():
        if op.site is not None:
            line = id(op.site.code), op.site.line
            made.setdefault(line, {}).setdefault(bisect_left(ends, op.id + 1), []).append(op)
    told: set[tuple[int, tuple[int, ...]]] = set()
    for (code, _), stretches in made.items():
        # The lines of one loop make one finding, told at the first of them.
        if len(stretches) < _TIMES or (code, tuple(stretches)) in told:
            continue
        told.add((code, tuple(stretches)))
        first = [ops[0] for ops in stretches.values()]
        count = sum(map(len, stretches.values()))
        yield Hit(tuple(first[:_TIMES]), {"times": str(len(stretches)), "count": str(count), "node": first[0].name})


@rule("late_seed", "mistake", "tf.set_random_seed({seed})  # before the first node")
def late_seed(facts: Facts) -> Iterator[Hit]:
    """Random nodes without a seed that were made before the graph got one; later ones without were imported."""
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
    """Variables that were made after the node that initializes all there were before."""
    groups = [group for group in facts.of("NoOp") if group.waits and set(group.waits) <= facts.initializers]
    started = {group: _started(group) for group in groups}
    variables = _variables(facts)
    whole = [group for group in groups if {v for v in variables if v.id < group.id} <= started[group]]
    if not whole:
        return
    covered = set().union(*started.values())
    last = whole[-1]
    late = [v for v in variables if v.id > last.id and v not in covered and _initializer(facts, v) not in facts.executed]
    late = [v for v in late if facts.executed.isdisjoint((*facts.restorers.get(v, ()), *_assigning(facts, v)))]
    if late:
        yield Hit((*late, last), {"nodes": listed_names(late), "init": last.name})


def _assigning(facts: Facts, variable: Operation) -> list[Operation]:
    """The nodes that give a variable a value, whether or not it has one."""
    return [op for op in facts.writers.get(variable, ()) if op.type in ("Assign", "AssignVariableOp")]


def _variables(facts: Facts) -> list[Operation]:
    """The nodes of the global variables."""
    return [v.op for v in facts.collected("variables") if getattr(v, "op", None) in facts.variables]


def _initializer(facts: Facts, variable: Operation | None) -> Operation | None:
    found = None if variable is None else getattr(facts.variables.get(variable), "initializer", None)
    return found if isinstance(found, Operation) else None


def _started(group: Operation) -> set[Operation]:
    """The variables that a node initializes."""
    return {v for v in map(variable_of, (op.inputs[0] for op in group.waits)) if v is not None}


@rule("late_saver", "mistake", "saver = tf.train.Saver()  # after the last variable")
def late_saver(facts: Facts) -> Iterator[Hit]:
    """Trainable variables that were made after a saver that names none, and that no saver saves.

    A saver that the program only restored with is there for the variables that there were.
    """
    saved: dict[Operation, set[Operation]] = {}
    for op in facts.of("SaveV2"):
        saved[op] = {v for v in map(variable_of, op.inputs[3:]) if v is not None}
    known = set().union(*saved.values()) if saved else set()
    for op, held in saved.items():
        before = {v for v in _variables(facts) if v.id < op.id}
        late = [v for v in facts.trainable if v.id > op.id and v not in known]
        if op not in facts.executed and any(not facts.executed.isdisjoint(facts.restorers.get(v, ())) for v in held):
            continue
        if before and before <= held and late and op.site is not None and is_plain_call(op.site, "Saver", "var_list"):
            yield Hit((*late, op), {"nodes": listed_names(late)})
            return


@rule("init_order", "mistake", "v = tf.Variable(w.initialized_value() * 2)")
def init_order(facts: Facts) -> Iterator[Hit]:
    """Initial values that read another variable, which one node initializes together with this one, in any order."""
    together = [set(group.waits) for group in facts.of("NoOp") if len(group.waits) > 1]
    for variable in _variables(facts):
        initializer = _initializer(facts, variable)
        if initializer is None or len(initializer.inputs) < 2:
            continue
        needed = ancestors([initializer])
        for read in needed:
            if read.type != "ReadVariableOp" or read._context is not None:
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
    """A run that initializes what an earlier run restored: the values from the file are gone."""
    restored: dict[object, set[Operation]] = {}
    for run in facts.runs[:200]:
        taken = facts.taken_by(run)
        mine = restored.setdefault(run.session, set())
        if any(op.type.startswith("Restore") for op in taken):
            mine.update(v for v, writers in facts.restorers.items() if not taken.isdisjoint(writers))
            continue
        lost = [v for v in facts.variables if v in mine and _initializer(facts, v) in taken]
        if lost:
            site = None if run.site is None else Site.of(run.site)
            yield Hit(tuple(lost), {"nodes": listed_names(lost)}, (), site)
            return

