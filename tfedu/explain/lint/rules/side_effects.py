"""Rules about nodes with side effects that no run reaches: checks, prints, updates, summaries. No state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....engine.graph.nodes import Operation
from ....engine.op.definition import role_of as declared_role
from ....engine.op.infer import constant_value
from ....engine.ops.control_flow import SWITCHES
from ....view.make.graph_records import role_of
from ...graph_walks import ancestors, successors
from .graph_facts import Facts, listed_names, operation_of
from .rule import Hit, rule
from .source_statement import dropped_call

# Functions whose result a statement drops, and the op types of the result; None: any node with an effect.
_RESULTS: Final = (
    (re.compile(r"assign(_add|_sub)?|scatter_\w+|count_up_to|Print|print|py_func"), None),
    (re.compile(r"minimize|apply_gradients|apply|group"), ("NoOp", "AssignAdd", "AssignAddVariableOp")),
)
_CHECK: Final = re.compile(r"assert_\w+|Assert")
_GUARD: Final = ("identity", "merge", "noop")


@rule("unused_assert", "mistake", "with tf.control_dependencies([check]):\n    y = tf.identity(y)")
def unused_assert(facts: Facts) -> Iterator[Hit]:
    """A check that no run reaches, and that can fail."""
    for op in facts.of("Assert"):
        top = _top(op)
        if top is None or {op, top} & facts.executed or top in facts.in_collections or _holds(op):
            continue
        site = op.site
        dropped = site is not None and _CHECK.fullmatch(dropped_call(site) or "") is not None
        if dropped or _in_body(top) or _passed_over(facts, op):
            yield Hit((op,), {"node": top.name})


def _holds(check: Operation) -> bool:
    """Whether the check's condition is a constant that is true."""
    test = check.inputs[0]
    return bool(constant_value(test.op.inputs[0] if test.op.type in SWITCHES else test))


def _top(check: Operation) -> Operation | None:
    """The last node that the assert function made for a check; None where another node waits for it."""
    top = check
    while True:
        following_nodes = list(dict.fromkeys(successors(top)))
        if not following_nodes:
            return top
        following, *others = following_nodes
        guard = declared_role(following) in _GUARD and following._site == check._site
        if others or not guard or (declared_role(following) == "identity" and following._context is None):
            return None
        top = following


def _passed_over(facts: Facts, check: Operation) -> bool:
    """Whether a later run computed with the checked values, without the check."""
    later = [run for run in facts.runs if run.position > check.id][:50]
    checked = ancestors([t.op for t in check.inputs], control=False) if later else {}
    roots = [op for op in checked if declared_role(op) in ("placeholder", "placeholder_with_default")]
    return any(root.outputs[0] in run.feeds or root in facts.executed_in(run) for run in later for root in roots)



@rule("unused_effect", "mistake", "with tf.control_dependencies([update]):\n    y = tf.identity(x)")
def unused_effect(facts: Facts) -> Iterator[Hit]:
    """An update, print or call of Python that no run reaches: its line drops it, or it lies in a branch or loop."""
    by_line: dict[object, list[Operation]] = {}
    for op in facts.operations:
        if successors(op) or op in facts.executed or op in facts.in_collections or op in facts.initializers:
            continue
        if (_in_body(op) and _has_effect(op)) or _is_dropped(op):
            by_line.setdefault(op._site or op, []).append(op)
    for ops in by_line.values():
        yield Hit(tuple(ops), {"node": listed_names(ops)})


def _is_dropped(op: Operation) -> bool:
    """Whether the node is the result of a call whose statement drops it."""
    site = op.site
    function = None if site is None else dropped_call(site)
    for pattern, types in _RESULTS:
        if function is not None and pattern.fullmatch(function):
            return op.type in types if types else _has_effect(op) or any(map(_has_effect, op.waits))
    return False


def _has_effect(op: Operation) -> bool:
    """Whether the node updates a variable, prints or calls Python."""
    return role_of(op) == "update" or declared_role(op) in ("print", "python")


def _in_body(op: Operation) -> bool:
    """Whether the node is in a branch or loop of the program, where no run can fetch it."""
    return op._context is not None and getattr(op._context, "grad_state", None) is None


@rule(
    "update_ops",
    "mistake",
    "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n    train = optimizer.minimize(loss)",
)
def update_ops(facts: Facts) -> Iterator[Hit]:
    """Update ops that never ran, though a training step did."""
    if facts.executed.isdisjoint(facts.applied):
        return
    unused = [op for op in _collected(facts, "update_ops") if not successors(op) and op not in facts.executed]
    if unused:
        yield Hit(tuple(unused), {"nodes": listed_names(unused)})


def _collected(facts: Facts, name: str) -> list[Operation]:
    """The nodes in a collection."""
    return [op for op in map(operation_of, facts.collected(name)) if op is not None]


@rule("unused_regularizer", "mistake", "loss += tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))")
def unused_regularizer(facts: Facts) -> Iterator[Hit]:
    """Regularization losses that no loss contains."""
    losses = _collected(facts, "regularization_losses")
    if not losses or not facts.applied or not facts.calls:
        return
    in_losses = ancestors([y.op for call in facts.calls for y in call.ys if hasattr(y, "op")])
    unused = [op for op in losses if op not in in_losses]
    if unused:
        yield Hit(tuple(unused), {"nodes": listed_names(unused)})


@rule("late_summary", "mistake", "merged = tf.summary.merge_all()")
def late_summary(facts: Facts) -> Iterator[Hit]:
    """Summaries made after the node that merges all earlier ones, and missing in a later run of that node."""
    summaries = _collected(facts, "summaries")
    merges = list(facts.of("MergeSummary"))
    for merge in merges:
        merged = {tensor.op for tensor in merge.inputs}
        before = [op for op in summaries if op.id < merge.id]
        if not before or not set(before) <= merged:
            continue
        last_run = max((run.position for run in facts.runs if merge in facts.executed_in(run)), default=0)
        late = [op for op in summaries if merge.id < op.id < last_run and not successors(op) and op not in facts.executed]
        if late:
            yield Hit((*late, merge), {"nodes": listed_names(late), "merge": merge.name})
        return


@rule("unread_summary", "mistake", "merged = tf.summary.merge_all()\nwriter.add_summary(session.run(merged), step)")
def unread_summary(facts: Facts) -> Iterator[Hit]:
    """Summaries that no node merges and no run fetched, though later runs trained."""
    summaries = _collected(facts, "summaries")
    if not summaries or any(successors(op) or op in facts.executed for op in summaries):
        return
    last = max(op.id for op in summaries)
    trained = [run for run in facts.runs[:50] if run.position > last and not facts.executed_in(run).isdisjoint(facts.applied)]
    if trained:
        yield Hit(tuple(summaries), {"nodes": listed_names(summaries)})
